//! Many shapes as mixtures of few: principal components with a bound on the error of every vertex.

use super::eigen::Symmetric;
use glam::Vec3;
use rayon::prelude::*;

/// How many components are kept.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct BasisSettings {
    /// No vertex may be farther from where it was in any frame, metres.
    pub tolerance_m: f32,
    /// However far, no more components than this. Default 64: engines pay for each of them at every vertex.
    pub most: usize,
}

impl Default for BasisSettings {
    /// A tenth of a millimetre.
    fn default() -> Self {
        Self { tolerance_m: 1e-4, most: 64 }
    }
}

/// Components and how much of each a frame has.
///
/// Invariant: weights are of one length, the number of components; the largest weight of each component over time is 1 or −1.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeBasis {
    /// What each component at weight 1 adds, one per vertex.
    pub shapes: Vec<Vec<Vec3>>,
    /// Per frame, one per component.
    pub weights: Vec<Vec<f32>>,
    /// The farthest that any vertex is from where it was, metres.
    pub worst_m: f32,
    /// The mean square root over vertices and frames, metres.
    pub rms_m: f32,
}

impl ShapeBasis {
    /// The fewest components with which the frames, given as what is added to rest, are within the tolerance.
    ///
    /// # Panics
    /// If frames differ in their number of vertices.
    pub fn fit(frames: &[Vec<Vec3>], settings: &BasisSettings) -> Self {
        let vertex_count = frames.first().map_or(0, Vec::len);
        assert!(frames.iter().all(|frame| frame.len() == vertex_count), "frames of one surface");
        let over_time = gram(frames).leading(settings.most);
        let mut parts: Vec<(Vec<f32>, Vec<Vec3>)> =
            over_time.iter().filter_map(|weights| component(frames, weights)).collect();
        let errors: Vec<Vec<Error>> =
            frames.par_iter().enumerate().map(|(at, frame)| errors_of(at, frame, &parts)).collect();
        let joint = |count: usize| {
            errors.iter().map(|errors| errors[count]).fold(Error::default(), |a, b| Error {
                worst: a.worst.max(b.worst),
                squares: a.squares + b.squares,
            })
        };
        let is_enough = |count: &usize| joint(*count).worst <= settings.tolerance_m;
        let count = (0..parts.len()).find(is_enough).unwrap_or(parts.len());
        parts.truncate(count);
        let left = joint(count);
        let samples = (frames.len() * vertex_count).max(1) as f64;
        Self {
            weights: (0..frames.len())
                .map(|at| parts.iter().map(|(weights, _)| weights[at]).collect())
                .collect(),
            shapes: parts.into_iter().map(|(_, shape)| shape).collect(),
            worst_m: left.worst,
            rms_m: (left.squares / samples).sqrt() as f32,
        }
    }

    /// What should be added to something else that goes with the frames, as normals do: for each component the least-squares answer.
    pub fn companions(&self, frames: &[Vec<Vec3>]) -> Vec<Vec<Vec3>> {
        let of_component = |component: usize| {
            let weight = |at: usize| self.weights[at][component];
            let squares: f32 = (0..frames.len()).map(|at| weight(at) * weight(at)).sum();
            let scale = if squares > 0.0 { 1.0 / squares } else { 0.0 };
            blend(frames, |at| weight(at) * scale)
        };
        (0..self.shapes.len()).into_par_iter().map(of_component).collect()
    }
}

/// Shapes as programs play them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphBasis {
    /// What each morph at weight 1 adds, one per vertex.
    pub shapes: Vec<Vec<Vec3>>,
    /// What goes with them, such as normals; one per shape, or none.
    pub companions: Vec<Vec<Vec3>>,
    /// Per frame, one per morph, from 0 to 1.
    pub weights: Vec<Vec<f32>>,
}

impl ShapeBasis {
    /// The same with weights from 0 to 1 alone: programs such as Blender cut off what is below and above. Components that go both ways begin at
    /// their lowest weight; what that takes from the shape is a morph of its own, which is there in every frame.
    pub fn one_sided(&self, companions: &[Vec<Vec3>]) -> MorphBasis {
        let count = self.shapes.len();
        let range = |component: usize| {
            let weights = self.weights.iter().map(|frame| frame[component]);
            weights.fold((0.0f32, 0.0f32), |(low, high), weight| (low.min(weight), high.max(weight)))
        };
        let ranges: Vec<(f32, f32)> = (0..count).map(range).collect();
        let span = |component: usize| (ranges[component].1 - ranges[component].0).max(f32::MIN_POSITIVE);
        let has_base = ranges.iter().any(|(low, _)| *low < 0.0);
        let grown = |lists: &[Vec<Vec3>]| -> Vec<Vec<Vec3>> {
            if lists.is_empty() {
                return Vec::new();
            }
            let base = has_base.then(|| blend(lists, |component| ranges[component].0));
            let each = lists.iter().enumerate();
            let grown =
                each.map(|(component, list)| list.iter().map(|delta| *delta * span(component)).collect());
            base.into_iter().chain(grown).collect()
        };
        let raised = |frame: &Vec<f32>| {
            let each = frame.iter().enumerate();
            let raised = each.map(|(component, weight)| {
                ((weight - ranges[component].0) / span(component)).clamp(0.0, 1.0)
            });
            has_base.then_some(1.0).into_iter().chain(raised).collect()
        };
        MorphBasis {
            shapes: grown(&self.shapes),
            companions: grown(companions),
            weights: self.weights.iter().map(raised).collect(),
        }
    }
}

/// Σ weight × frame.
fn blend(frames: &[Vec<Vec3>], weight: impl Fn(usize) -> f32) -> Vec<Vec3> {
    let mut sum = vec![Vec3::ZERO; frames.first().map_or(0, Vec::len)];
    for (at, frame) in frames.iter().enumerate() {
        let weight = weight(at);
        sum.iter_mut().zip(frame).for_each(|(sum, delta)| *sum += *delta * weight);
    }
    sum
}

/// A component from its unit weights over time, scaled so that the largest is 1; `None` if there is nothing of it.
fn component(frames: &[Vec<Vec3>], weights: &[f64]) -> Option<(Vec<f32>, Vec<Vec3>)> {
    let largest = weights.iter().fold(0.0f64, |most, weight| most.max(weight.abs()));
    let scaled: Vec<f32> = weights.iter().map(|weight| (weight / largest) as f32).collect();
    let shape = blend(frames, |at| (weights[at] * largest) as f32);
    (largest > 0.0 && shape.iter().any(|delta| *delta != Vec3::ZERO)).then_some((scaled, shape))
}

#[derive(Clone, Copy, Default)]
struct Error {
    worst: f32,
    squares: f64,
}

/// What is left of a frame with none, one, two … components.
fn errors_of(at: usize, frame: &[Vec3], parts: &[(Vec<f32>, Vec<Vec3>)]) -> Vec<Error> {
    let mut left = frame.to_vec();
    let mut errors = vec![error_of(&left)];
    for (weights, shape) in parts {
        left.iter_mut().zip(shape).for_each(|(left, delta)| *left -= *delta * weights[at]);
        errors.push(error_of(&left));
    }
    errors
}

fn error_of(left: &[Vec3]) -> Error {
    let (mut worst, mut squares) = (0.0f32, 0.0f64);
    for delta in left {
        let square = delta.length_squared();
        worst = worst.max(square);
        squares += f64::from(square);
    }
    Error { worst: worst.sqrt(), squares }
}

/// Products of frames with each other.
fn gram(frames: &[Vec<Vec3>]) -> Symmetric {
    let order = frames.len();
    let rows: Vec<Vec<f64>> = (0..order)
        .into_par_iter()
        .map(|row| (0..=row).map(|column| product(&frames[row], &frames[column])).collect())
        .collect();
    let entries = (0..order * order).map(|at| {
        let (row, column) = (at / order, at % order);
        rows[row.max(column)][row.min(column)]
    });
    Symmetric { order, entries: entries.collect() }
}

/// Σ aᵢ · bᵢ: short sums in 32 bits and several lanes, those in 64.
fn product(a: &[Vec3], b: &[Vec3]) -> f64 {
    const LANES: usize = 8;
    let mut sum = 0.0f64;
    for (a, b) in a.chunks(32 * LANES).zip(b.chunks(32 * LANES)) {
        let mut lanes = [0.0f32; LANES];
        for (a, b) in a.chunks(LANES).zip(b.chunks(LANES)) {
            for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
                *lane += a.dot(*b);
            }
        }
        sum += lanes.iter().map(|&lane| f64::from(lane)).sum::<f64>();
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three shapes mixed over 40 frames, the last faint.
    fn frames() -> Vec<Vec<Vec3>> {
        let wave = |a: f32, b: usize| (a * (b as f32 + 1.0)).sin();
        let shape = |seed: f32| {
            (0..300).map(move |at| Vec3::new(wave(seed, at), wave(seed * 1.7, at), wave(seed * 2.3, at)))
        };
        let shapes: Vec<Vec<Vec3>> = [0.37, 0.91, 1.73].map(|seed| shape(seed).collect()).to_vec();
        (0..40)
            .map(|frame| {
                let weights = [wave(0.11, frame), 0.4 * wave(0.29, frame), 0.001 * wave(0.53, frame)];
                (0..300).map(|at| (0..3).map(|k| shapes[k][at] * weights[k]).sum()).collect()
            })
            .collect()
    }

    #[test]
    fn as_many_components_as_the_tolerance_asks_for() {
        let frames = frames();
        for (tolerance_m, expected) in [(10.0, 0), (5e-3, 2), (1e-5, 3)] {
            let basis = ShapeBasis::fit(&frames, &BasisSettings { tolerance_m, most: 16 });
            assert_eq!(basis.shapes.len(), expected, "{tolerance_m}");
            assert!(basis.worst_m <= tolerance_m && basis.rms_m <= basis.worst_m, "{basis:?}");
            let most =
                |component: usize| basis.weights.iter().map(|w| w[component].abs()).fold(0.0, f32::max);
            assert!(
                (0..expected).all(|component| (most(component) - 1.0).abs() < 1e-6),
                "{:?}",
                basis.weights
            );
        }
        let few = ShapeBasis::fit(&frames, &BasisSettings { tolerance_m: 1e-6, most: 1 });
        assert!(few.shapes.len() == 1 && few.worst_m > 1e-2);
    }

    #[test]
    fn companions_are_mixed_by_the_same_weights() {
        let frames = frames();
        let basis = ShapeBasis::fit(&frames, &BasisSettings { tolerance_m: 1e-5, most: 16 });
        let turned: Vec<Vec<Vec3>> =
            frames.iter().map(|frame| frame.iter().map(|delta| delta.zxy() * 2.0).collect()).collect();
        let companions = basis.companions(&turned);
        for (frame, weights) in turned.iter().zip(&basis.weights) {
            for (vertex, expected) in frame.iter().enumerate() {
                let found: Vec3 =
                    companions.iter().zip(weights).map(|(shape, weight)| shape[vertex] * *weight).sum();
                assert!(found.distance(*expected) < 1e-4, "{vertex}: {found} instead of {expected}");
            }
        }
    }

    #[test]
    fn one_sided_weights_give_the_same_shapes() {
        let frames = frames();
        let basis = ShapeBasis::fit(&frames, &BasisSettings { tolerance_m: 1e-5, most: 16 });
        let turned: Vec<Vec<Vec3>> =
            frames.iter().map(|frame| frame.iter().map(|delta| delta.zxy() * 2.0).collect()).collect();
        let morphs = basis.one_sided(&basis.companions(&turned));
        assert_eq!((morphs.shapes.len(), morphs.companions.len()), (4, 4), "three and the base");
        for (at, weights) in morphs.weights.iter().enumerate() {
            assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{weights:?}");
            for vertex in 0..frames[at].len() {
                let mixed = |lists: &[Vec<Vec3>]| -> Vec3 {
                    lists.iter().zip(weights).map(|(shape, weight)| shape[vertex] * *weight).sum()
                };
                assert!(mixed(&morphs.shapes).distance(frames[at][vertex]) < 1e-4);
                assert!(mixed(&morphs.companions).distance(turned[at][vertex]) < 2e-4);
            }
        }
    }

    #[test]
    fn nothing_moves_without_components() {
        let still = ShapeBasis::fit(&vec![vec![Vec3::ZERO; 5]; 7], &BasisSettings::default());
        assert!(still.shapes.is_empty() && still.weights.len() == 7 && still.worst_m == 0.0);
        assert!(ShapeBasis::fit(&[], &BasisSettings::default()).weights.is_empty());
    }

    use glam::Vec3Swizzles;
}
