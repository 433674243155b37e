//! People drawn by the statistics of growth charts and surveys.

use super::growth::{Percentiles, people_of};
use super::people::Build;
use super::solve::Wanted;
use crate::head::HeadBasis;
use crate::survey::{Measure, Sex};
use sinew_geometry::Random;

/// Ages that are drawn, years.
pub const RANDOM_AGES: [f64; 2] = [2.0, 80.0];
/// Body mass indexes that the shapes cover; those of children are within.
const MASS_INDEXES: [f64; 2] = [13.5, 48.0];
/// Deviations of the 5th and 95th percentile.
const TAIL: f64 = 1.645;

/// A random person, optionally of a sex or age: stature and weight by the tables of that age, build and proportions beside them.
#[must_use]
pub fn random_person(random: &mut Random, sex: Option<Sex>, years: Option<f64>) -> (Sex, Wanted) {
    let [is_male, age] = [uniform(random), uniform(random)];
    let sex = sex.unwrap_or(if is_male < 0.5 { Sex::Male } else { Sex::Female });
    let years = years.unwrap_or(RANDOM_AGES[0] + (RANDOM_AGES[1] - RANDOM_AGES[0]) * age);
    let (stature, index) = people_of(sex, years);
    let stature_m = stature[1] + (stature[2] - stature[0]) / (2.0 * TAIL) * normal(random);
    let index = skewed(index, normal(random)).clamp(MASS_INDEXES[0], MASS_INDEXES[1]);
    let build = Build {
        male: f64::from(u8::from(sex == Sex::Male)),
        years,
        muscle: (0.3 * normal(random)).clamp(-0.6, 0.8),
        fat: 0.2,
        shape: (0.4 * normal(random)).clamp(-0.8, 0.8),
    };
    // The first modes are age, sex and fat, which are drawn already.
    let modes = (6..16).map(|mode| (mode, 0.2 * normal(random))).collect();
    let given = vec![(Measure::Stature, stature_m), (Measure::Weight, index * stature_m * stature_m)];
    let [_, faces] = HeadBasis::human().mode_counts();
    let face = (0..faces).map(|_| 0.8 * normal(random)).collect();
    (sex, Wanted { build, stature_m, given, wished: Vec::new(), modes, face })
}

/// A value with these percentiles: each side has its own deviation, as logarithms.
fn skewed(p: Percentiles, deviations: f64) -> f64 {
    let far = if deviations < 0.0 { p[0] } else { p[2] };
    p[1] * (deviations.abs().min(2.5) / TAIL * (far / p[1]).ln()).exp()
}

fn uniform(random: &mut Random) -> f64 {
    random.unit()
}

/// The sum of twelve uniform numbers is nearly normal, and never absurd.
fn normal(random: &mut Random) -> f64 {
    (0..12).map(|_| uniform(random)).sum::<f64>() - 6.0
}
