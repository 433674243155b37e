//! The nearest point of a hull against another program's answer to the same quadratic program.
//!
//! Minimise ½ λᵀQλ − bᵀλ for λ ≥ 0, Σλ = 1, by `Hull::nearest` and by clarabel, an interior-point solver, on hulls of up to twenty
//! examples of all kinds, also such as no artist would mean: the same example twice, mixtures of others, the rest shape, all in one
//! plane, and of sizes that differ by orders of magnitude. Weights need not be unique, so that values and points are compared.

use super::cases::Case;
use super::judge;
use sinew_soft::{Hull, HullScratch};
use sinew_tests::Prng;

/// How many hulls are tried.
const CASES: usize = if cfg!(feature = "slow") { 100_000 } else { 4_000 };

/// Largest lack of the objective against the judge's, as a share of the case's square size: a hundred times what the judge is asked
/// for, because badly scaled cases make it lose as much.
const VALUE_TOLERANCE: f64 = 1e-9;

/// Largest way between the two nearest points, as a share of the case's size. The objective is half the square distance, so that a
/// lack of 1e-9 of it leaves √(2e-9) = 4.5e-5.
const POINT_TOLERANCE: f64 = 5e-5;

/// The judge is sure of its point where no vertex promises more than this share of the case's square size; its weights lie within its own
/// tolerances only, and on hulls that are flat to 1e-5 it sometimes stops early. One case in a thousand may be such.
const JUDGE_SURE: f64 = 1e-9;

/// Largest promise of any vertex, as a share of the case's square size. Products are squares of lengths, and rounded by 1e-16 of
/// themselves: lengths are known to 1e-8, and where examples nearly coincide the point is found to some times that.
const SLOPE_TOLERANCE: f64 = 5e-8;

#[test]
fn no_other_solver_finds_a_nearer_point() {
    let mut random = Prng::new(20_130_614);
    let mut scratch = HullScratch::default();
    let (mut worst_value, mut worst_point, mut worst_slope) = (0.0f64, 0.0f64, 0.0f64);
    let mut unsure_count = 0;
    for number in 0..CASES {
        let case = Case::random(&mut random);
        let hull = Hull::new(case.examples.len(), &case.products());
        let mut weights = vec![0.0; case.examples.len()];
        hull.nearest(&case.with_target(), &mut scratch, &mut weights);
        let sum: f64 = weights.iter().sum();
        let what = || format!("case {number}, {:?}: {weights:?}", case.kind);
        assert!(weights.iter().all(|weight| (0.0..=1.0 + 1e-12).contains(weight)), "{}", what());
        assert!(sum <= 1.0 + 1e-12, "{}", what());

        let judged = judge::weights(&case);
        let value = (case.value(&weights) - case.value(&judged)) / case.square_size();
        let apart = case.distance(&weights, &judged) / case.size();
        let slope = case.best_promise(&weights) / case.square_size();
        worst_value = worst_value.max(value);
        let is_sure = case.best_promise(&judged) < JUDGE_SURE * case.square_size();
        unsure_count += usize::from(!is_sure);
        worst_point = worst_point.max(if is_sure { apart } else { 0.0 });
        worst_slope = worst_slope.max(slope);
        assert!(value < VALUE_TOLERANCE, "{}: worse than {judged:?} by {value:e}", what());
        assert!(apart < POINT_TOLERANCE || !is_sure, "{}: apart from {judged:?} by {apart:e}", what());
        assert!(slope < SLOPE_TOLERANCE, "{}: a vertex promises {slope:e}", what());
    }
    assert!(unsure_count <= CASES / 1000, "the judge failed {unsure_count} times");
    // Told with `--nocapture`, for the page that quotes them.
    eprintln!(
        "{CASES} hulls: value {worst_value:e}, point {worst_point:e}, slope {worst_slope:e}, unsure {unsure_count}"
    );
}
