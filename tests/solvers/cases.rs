//! Hulls of all kinds and points to project.

use sinew_tests::Prng;

/// What is special about a hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Plain,
    Duplicates,
    Mixtures,
    Zeros,
    Plane,
    Line,
    NearlyDependent,
    Tiny,
    Huge,
    MixedSizes,
}

const KINDS: [Kind; 10] = [
    Kind::Plain,
    Kind::Duplicates,
    Kind::Mixtures,
    Kind::Zeros,
    Kind::Plane,
    Kind::Line,
    Kind::NearlyDependent,
    Kind::Tiny,
    Kind::Huge,
    Kind::MixedSizes,
];

/// A hull of the origin and examples, and a point to project.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) kind: Kind,
    pub(crate) examples: Vec<Vec<f64>>,
    pub(crate) target: Vec<f64>,
}

impl Case {
    pub(crate) fn random(random: &mut Prng) -> Self {
        let kind = *random.pick(&KINDS);
        let count = 1 + random.below(20);
        // From less than the examples' number to more; six is that of one region's stretch.
        let dimension = *random.pick(&[1, 2, 3, 6, 6, 12, 30]);
        let mut examples: Vec<Vec<f64>> = (0..count).map(|_| vector(random, dimension)).collect();
        specialise(random, kind, &mut examples);
        let target = target(random, &examples, dimension);
        Self { kind, examples, target }
    }

    pub(crate) fn products(&self) -> Vec<f64> {
        self.examples.iter().flat_map(|a| self.examples.iter().map(|b| dot(a, b))).collect()
    }

    pub(crate) fn with_target(&self) -> Vec<f64> {
        self.examples.iter().map(|example| dot(example, &self.target)).collect()
    }

    /// Of the hull; 1 if it is a point.
    pub(crate) fn hull_size(&self) -> f64 {
        let longest = self.examples.iter().map(|example| dot(example, example)).fold(0.0, f64::max).sqrt();
        if longest > 0.0 { longest } else { 1.0 }
    }

    /// The hull's size, or how far away the target is.
    pub(crate) fn size(&self) -> f64 {
        self.square_size().sqrt()
    }

    /// What the products that make up the objective are like.
    pub(crate) fn square_size(&self) -> f64 {
        self.hull_size() * self.hull_size().max(dot(&self.target, &self.target).sqrt())
    }

    /// ½ |p|² − ⟨d, p⟩ at the point p with these weights.
    pub(crate) fn value(&self, weights: &[f64]) -> f64 {
        let point = self.point(weights);
        0.5 * dot(&point, &point) - dot(&self.target, &point)
    }

    pub(crate) fn distance(&self, a: &[f64], b: &[f64]) -> f64 {
        let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
        let way = self.point(&difference);
        dot(&way, &way).sqrt()
    }

    /// ⟨d − p, v − p⟩ of the vertex v for which it is most; nothing is nearer than p if it is not positive.
    pub(crate) fn best_promise(&self, weights: &[f64]) -> f64 {
        let point = self.point(weights);
        let away: Vec<f64> = self.target.iter().zip(&point).map(|(target, point)| target - point).collect();
        let own = dot(&away, &point);
        self.examples.iter().map(|example| dot(&away, example) - own).fold(-own, f64::max)
    }

    fn point(&self, weights: &[f64]) -> Vec<f64> {
        combine(&self.examples, weights)
    }
}

fn specialise(random: &mut Prng, kind: Kind, examples: &mut [Vec<f64>]) {
    let count = examples.len();
    let dimension = examples[0].len();
    match kind {
        Kind::Plain => {}
        Kind::Duplicates => {
            for at in 1..count {
                if random.one_in(2) {
                    examples[at] = examples[random.below(at)].clone();
                }
            }
        }
        Kind::Mixtures => {
            for at in 1..count {
                if random.one_in(2) {
                    let shares: Vec<f64> = (0..at).map(|_| signed(random)).collect();
                    examples[at] = combine(&examples[..at], &shares);
                }
            }
        }
        Kind::Zeros => {
            examples.iter_mut().filter(|_| random.one_in(2)).for_each(|example| example.fill(0.0));
        }
        Kind::Plane | Kind::Line => {
            let basis: Vec<Vec<f64>> =
                (0..if kind == Kind::Plane { 2 } else { 1 }).map(|_| vector(random, dimension)).collect();
            for example in examples {
                let shares: Vec<f64> = basis.iter().map(|_| signed(random)).collect();
                *example = combine(&basis, &shares);
            }
        }
        Kind::NearlyDependent => {
            for at in 1..count {
                if random.one_in(2) {
                    let shift = 10f64.powi(-(2 + random.below(12) as i32));
                    let other = examples[random.below(at)].clone();
                    let noise = vector(random, dimension);
                    examples[at] = combine(&[other, noise], &[1.0, shift]);
                }
            }
        }
        Kind::Tiny => scale_all(examples, 1e-7),
        Kind::Huge => scale_all(examples, 1e7),
        Kind::MixedSizes => {
            for example in examples {
                let size = 10f64.powi(random.below(7) as i32 - 4);
                example.iter_mut().for_each(|entry| *entry *= size);
            }
        }
    }
}

/// Inside, on a face, at a vertex, outside, or far away.
fn target(random: &mut Prng, examples: &[Vec<f64>], dimension: usize) -> Vec<f64> {
    let size = examples.iter().map(|example| dot(example, example)).fold(0.0, f64::max).sqrt();
    let mut target = match random.below(5) {
        0 => {
            let mut shares: Vec<f64> = examples.iter().map(|_| uniform(random)).collect();
            let sum: f64 = shares.iter().sum::<f64>() + uniform(random);
            shares.iter_mut().for_each(|share| *share /= sum);
            combine(examples, &shares)
        }
        1 => {
            let (a, b, share) = (random.pick(examples), random.pick(examples), uniform(random));
            combine(&[a.clone(), b.clone()], &[share, 1.0 - share])
        }
        2 => random.pick(examples).clone(),
        3 => vector(random, dimension),
        _ => {
            let mut far = vector(random, dimension);
            let reach = 10f64.powi(random.below(6) as i32);
            far.iter_mut().for_each(|entry| *entry *= reach * size);
            far
        }
    };
    if target.iter().any(|entry| !entry.is_finite()) {
        target.fill(0.0);
    }
    target
}

fn scale_all(examples: &mut [Vec<f64>], by: f64) {
    examples.iter_mut().flatten().for_each(|entry| *entry *= by);
}

fn combine(vectors: &[Vec<f64>], shares: &[f64]) -> Vec<f64> {
    let mut sum = vec![0.0; vectors[0].len()];
    for (vector, share) in vectors.iter().zip(shares) {
        sum.iter_mut().zip(vector).for_each(|(sum, entry)| *sum += share * entry);
    }
    sum
}

fn vector(random: &mut Prng, dimension: usize) -> Vec<f64> {
    (0..dimension).map(|_| signed(random)).collect()
}

fn uniform(random: &mut Prng) -> f64 {
    (random.bits() >> 11) as f64 / (1u64 << 53) as f64
}

fn signed(random: &mut Prng) -> f64 {
    2.0 * uniform(random) - 1.0
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
