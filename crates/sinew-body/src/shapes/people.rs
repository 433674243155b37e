//! Usual shapes by sex, age and build: sums of the source's bodies with hat functions, which are never negative.

use super::basis::{ShapeBasis, ShapeParameters};

/// What a person's shape is known by before any measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Build {
    /// One for men, zero for women.
    pub male: f64,
    /// Age in years.
    pub years: f64,
    /// From −1, weak, to 1, a bodybuilder; 0 is usual.
    pub muscle: f64,
    /// From −1, starved, over 0, lean, and 1, very heavy, to 2.
    pub fat: f64,
    /// From −1, uncommon proportions, to 1, an ideal of broad shoulders and long legs.
    pub shape: f64,
}

/// Years at which the source's own bodies vary in build.
const GROWN: f64 = 25.0;
const CHILD: f64 = 8.0;
/// Builds of children up to the first age, of grown-ups from the second.
const GROWING: [f64; 2] = [10.0, 16.0];
/// Share of a grown-up's change of build that a child has where the source has no child.
const CHILD_SHARE: f64 = 0.5;
/// Years of the heaviest bodies.
const HEAVIEST: f64 = 45.0;

impl ShapeBasis {
    /// Amounts of the modes for a build.
    #[must_use]
    pub fn usual(&self, build: &Build) -> Vec<f64> {
        let mut amounts = vec![0.0; self.mode_count()];
        for (sex, share) in [(1.0, build.male), (0.0, 1.0 - build.male)] {
            if share > 0.0 {
                self.add_aged(sex, build.years, share, &mut amounts);
                self.add_build(sex, build, share, &mut amounts);
            }
        }
        amounts
    }

    fn find(&self, is: impl Fn(&ShapeParameters) -> bool) -> Option<&[f64]> {
        let found = self.bodies.iter().find(|(parameters, _)| parameters.is_plain && is(parameters));
        found.map(|(_, amounts)| amounts.as_slice())
    }

    /// The usual body of an age, straight between the source's ages.
    fn add_aged(&self, male: f64, years: f64, share: f64, amounts: &mut [f64]) {
        let is_usual = |p: &ShapeParameters| {
            p.is_plain && p.male == male && [p.muscle, p.weight, p.height, p.proportions] == [0.5; 4]
        };
        let mut ages: Vec<f64> =
            self.bodies.iter().filter(|(p, _)| is_usual(p)).map(|(p, _)| p.years).collect();
        ages.sort_by(f64::total_cmp);
        for (place, &age) in ages.iter().enumerate() {
            let weight = hat(&ages, place, years);
            if let Some(found) = self.find(|p| is_usual(p) && p.years == age) {
                add(amounts, found, share * weight);
            }
        }
    }

    fn add_build(&self, male: f64, build: &Build, share: f64, amounts: &mut [f64]) {
        let grown = ((build.years - GROWING[0]) / (GROWING[1] - GROWING[0])).clamp(0.0, 1.0);
        let (muscle, weight) = build.sliders();
        let nodes = [0.0, 0.5, 1.0];
        for (i, m) in nodes.into_iter().enumerate() {
            for (j, w) in nodes.into_iter().enumerate() {
                let part = share * hat(&nodes, i, muscle) * hat(&nodes, j, weight);
                if part == 0.0 || (m, w) == (0.5, 0.5) {
                    continue;
                }
                self.add_change(male, GROWN, [m, w], part * grown, amounts);
                let is_known = self.add_change(male, CHILD, [m, w], part * (1.0 - grown), amounts);
                if !is_known {
                    self.add_change(male, GROWN, [m, w], CHILD_SHARE * part * (1.0 - grown), amounts);
                }
            }
        }
        let more = (weight - 1.0).max(0.0);
        let heavy =
            |w: f64| self.find(|p| p.male == male && p.years == HEAVIEST && p.muscle == 0.0 && p.weight == w);
        if let (true, Some(from), Some(to)) = (more > 0.0, heavy(1.0), heavy(2.0)) {
            add(amounts, to, share * more);
            add(amounts, from, -share * more);
        }
        self.add_proportions(male, build.shape, share, amounts);
    }

    /// Adds the change from the usual body of an age to one with other sliders; `false` if the source has none.
    fn add_change(&self, male: f64, years: f64, [m, w]: [f64; 2], part: f64, amounts: &mut [f64]) -> bool {
        let of = |m: f64, w: f64| {
            self.find(|p| {
                p.male == male
                    && p.years == years
                    && [p.muscle, p.weight, p.height, p.proportions] == [m, w, 0.5, 0.5]
            })
        };
        let (Some(from), Some(to)) = (of(0.5, 0.5), of(m, w)) else { return false };
        add(amounts, to, part);
        add(amounts, from, -part);
        true
    }

    fn add_proportions(&self, male: f64, shape: f64, share: f64, amounts: &mut [f64]) {
        let of = |wanted: f64| {
            self.find(|p| {
                p.male == male
                    && p.years == GROWN
                    && [p.muscle, p.weight, p.height, p.proportions] == [0.5, 0.5, 0.5, wanted]
            })
        };
        let end = if shape < 0.0 { 0.0 } else { 1.0 };
        if let (Some(from), Some(to)) = (of(0.5), of(end)) {
            add(amounts, to, share * shape.abs());
            add(amounts, from, -share * shape.abs());
        }
    }
}

impl Build {
    /// The source's muscle and weight. Weight changes little without a loss of muscle: heavy people have little of it there.
    fn sliders(&self) -> (f64, f64) {
        let (fat, muscle) = (self.fat, self.muscle.clamp(-1.0, 1.0));
        // Who trains keeps muscle under fat.
        let lost = 0.5 * fat.clamp(0.0, 1.0) * (1.0 - muscle.max(0.0)) + 0.25 * (-fat).clamp(0.0, 1.0);
        let m = 0.5 + 0.5 * muscle - lost;
        let w = 0.5 + 0.5 * fat.clamp(-1.0, 1.0) + 0.4 * muscle.max(0.0) + (fat - 1.0).max(0.0);
        let most = if fat > 1.0 { fat } else { 1.0 };
        (m.clamp(0.0, 1.0), w.clamp(0.0, most))
    }
}

fn add(amounts: &mut [f64], from: &[f64], by: f64) {
    amounts.iter_mut().zip(from).for_each(|(amount, value)| *amount += by * value);
}

/// The hat function of a node among ascending ones: one there, zero at its neighbors, constant beyond the ends.
fn hat(nodes: &[f64], place: usize, at: f64) -> f64 {
    let at = at.clamp(nodes[0], nodes[nodes.len() - 1]);
    let (here, mut value) = (nodes[place], 1.0);
    if at < here {
        value = (at - nodes[place - 1]) / (here - nodes[place - 1]);
    } else if at > here {
        value = (nodes[place + 1] - at) / (nodes[place + 1] - here);
    }
    value.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hats_are_never_negative_and_sum_to_one() {
        let nodes = [1.0, 4.0, 8.0, 25.0];
        for k in 0..60 {
            let at = 0.5 * f64::from(k);
            let hats: Vec<f64> = (0..4).map(|place| hat(&nodes, place, at)).collect();
            assert!(hats.iter().all(|&hat| hat >= 0.0) && (hats.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_source_s_bodies_are_met_exactly() {
        let basis = ShapeBasis::human();
        let build = Build { male: 1.0, years: 25.0, muscle: 0.0, fat: 1.0, shape: 0.0 };
        let is_heavy = |p: &ShapeParameters| {
            p.male == 1.0 && p.years == 25.0 && p.muscle == 0.0 && p.weight == 1.0 && p.is_plain
        };
        let (_, heavy) = basis.bodies.iter().find(|(p, _)| is_heavy(p)).unwrap();
        let far = basis.usual(&build).iter().zip(heavy).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(far < 1e-9, "{far}");
    }
}
