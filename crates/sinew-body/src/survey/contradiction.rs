//! Measures that are parts of others, independent of statistics.

use super::condition::deviations_from_mean;
use super::measure::Measure::{self, *};
use super::population::Population;
use super::refusal::{MeasureError, Reason, range_to_use};

/// A part, a factor, and a whole: `times · part < whole`.
///
/// Heights follow the order of the body. A tape is longer than twice the breadth and depth it goes around, because it goes there and back.
/// No girth exceeds the stature; a wider body exceeds the range of a template's rings. Pairs within five standard deviations of each other
/// are left out: there are people with the crotch as high as the trochanterion.
const PARTS: [(Measure, f64, Measure); 28] = [
    (MalleolusHeight, 1.0, KneeHeight),
    (KneeHeight, 1.0, CrotchHeight),
    (KneecapHeight, 1.0, CrotchHeight),
    (ButtockHeight, 1.0, WaistHeight),
    (TrochanterionHeight, 1.0, WaistHeight),
    (WaistHeight, 1.0, ChestHeight),
    (TenthRibHeight, 1.0, ChestHeight),
    (ChestHeight, 1.0, SuprasternaleHeight),
    (AxillaHeight, 1.0, AcromialHeight),
    (SuprasternaleHeight, 1.0, CervicaleHeight),
    (CervicaleHeight, 1.0, Stature),
    (SittingHeight, 1.0, Stature),
    (WaistGirth, 1.0, Stature),
    (ChestGirth, 1.0, Stature),
    (ButtockGirth, 1.0, Stature),
    (ChestBreadth, 2.0, ChestGirth),
    (ChestDepth, 2.0, ChestGirth),
    (WaistBreadth, 2.0, WaistGirth),
    (WaistDepth, 2.0, WaistGirth),
    (HipBreadth, 2.0, ButtockGirth),
    (ButtockDepth, 2.0, ButtockGirth),
    (HeadLength, 2.0, HeadGirth),
    (HeadBreadth, 2.0, HeadGirth),
    (HandBreadth, 2.0, HandGirth),
    (FootBreadth, 2.0, BallGirth),
    (PalmLength, 1.0, HandLength),
    (BallLength, 1.0, FootLength),
    (LowerThighGirth, 1.0, ThighGirth),
];

/// Contradictions among given values, one error for each value that causes one: of two, the one farther from the mean.
pub(super) fn check(
    population: &Population,
    given: &[(Measure, f64)],
    value_of: impl Fn(Measure) -> f64,
) -> Vec<MeasureError> {
    let mut errors: Vec<MeasureError> = Vec::new();
    for (part, times, whole) in PARTS {
        let [part_value, whole_value] = [value_of(part), value_of(whole)];
        // Completed values of unusual people contradict each other: the survey's lines end.
        let is_given = |measure: Measure| given.iter().any(|(found, _)| *found == measure);
        if times * part_value < whole_value || !(is_given(part) && is_given(whole)) {
            continue;
        }
        let of_pair = given.iter().filter(|(measure, _)| *measure == part || *measure == whole);
        let Some((measure, value)) = farthest(population, of_pair) else { continue };
        let reason = if measure == part {
            Reason::TooLarge { whole, whole_value, times }
        } else {
            Reason::TooSmall { part, part_value, times }
        };
        if errors.iter().all(|error| error.measure != measure) {
            let range = range_to_use(population, given, measure);
            errors.push(MeasureError { measure, value, reason, range });
        }
    }
    errors
}

/// The value farthest from the mean, in standard deviations.
pub(super) fn farthest<'a>(
    population: &Population,
    given: impl Iterator<Item = &'a (Measure, f64)>,
) -> Option<(Measure, f64)> {
    let distance =
        |&(measure, value): &(Measure, f64)| deviations_from_mean(population, measure, value).abs();
    given.copied().max_by(|a, b| distance(a).total_cmp(&distance(b)))
}

#[cfg(test)]
mod tests {
    use super::super::population::Sex;
    use super::*;

    #[test]
    fn both_means_are_sound() {
        for sex in [Sex::Female, Sex::Male] {
            let population = Population::of(sex);
            for (part, times, whole) in PARTS {
                assert!(times * population.mean(part) < population.mean(whole), "{part} {whole}");
            }
        }
    }
}
