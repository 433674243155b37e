//! Helpers of a tube that bends and bulges.

use crate::support::tube::Tube;
use crate::support::{fit, quick};
use sinew_fit::{
    HelperMotion, HelperSettings, HelperState, Stage, detail_levels, fit_helpers, repose_helpers,
    resume_helpers,
};
use sinew_geometry::progress::{Progress, Step, one_at_a_time};
use std::ops::ControlFlow;

/// Sums of squares are compared to this relative rounding.
const ROUNDING: f64 = 1e-9;

#[test]
fn helpers_take_most_of_the_error_and_weights_are_weights() {
    let tube = Tube::grid();
    let alone = fit(&tube, &quick(0));
    let mut last = alone.errors.rms;
    for count in [1, 2, 4] {
        let fit = fit(&tube, &quick(count));
        assert!(fit.errors.rms < last, "{count} helpers: {} after {last}", fit.errors.rms);
        last = fit.errors.rms;
        for vertex in 0..tube.rest.len() {
            let influences: Vec<(usize, f64)> = fit.influences(vertex).collect();
            let sum: f64 = influences.iter().map(|entry| entry.1).sum();
            assert!(influences.len() <= 4 && (sum - 1.0).abs() < ROUNDING, "vertex {vertex}: {influences:?}");
        }
        for matrix in &fit.posed_from_rest {
            assert!((matrix.matrix3.determinant() - 1.0).abs() < ROUNDING, "{matrix:?}");
        }
    }
    assert!(last < alone.errors.rms * 0.25, "4 helpers: {last} of {}", alone.errors.rms);
}

#[test]
fn errors_are_those_of_the_skin() {
    let tube = Tube::grid();
    let fit = fit(&tube, &quick(2));
    let (vertex_count, bone_count) = (tube.rest.len(), 4);
    let mut total = 0.0;
    for (pose, targets) in tube.targets.chunks(vertex_count).enumerate() {
        let matrices = [&tube.matrices[pose * 2..][..2], &fit.posed_from_rest[pose * 2..][..2]].concat();
        let mut of_pose = 0.0;
        for (vertex, target) in targets.iter().enumerate() {
            let weights = &fit.weights[vertex * bone_count..][..bone_count];
            let moved = matrices
                .iter()
                .zip(weights)
                .map(|(matrix, weight)| matrix.transform_point3(tube.rest[vertex].as_dvec3()) * *weight);
            of_pose += (moved.sum::<glam::DVec3>() - target.as_dvec3()).length_squared();
        }
        assert!(
            (fit.errors.by_pose[pose] - (of_pose / vertex_count as f64).sqrt()).abs() < ROUNDING,
            "pose {pose}"
        );
        total += of_pose;
    }
    let rms = (total / tube.targets.len() as f64).sqrt();
    assert!((fit.errors.rms - rms).abs() < ROUNDING, "{} {rms}", fit.errors.rms);
    let last = fit.history.last().unwrap();
    assert!((last.rms_error - rms).abs() < 1e-6 * rms, "by sums {}, by vertices {rms}", last.rms_error);
}

#[test]
fn the_objective_never_rises() {
    let tube = Tube::grid();
    for motion in [HelperMotion::Rigid, HelperMotion::Similarity, HelperMotion::FixedLength] {
        let mut settings = HelperSettings { motion, tolerance: 0.0, full_sweeps: 15, ..quick(3) };
        settings.rules.smoothness = 0.5;
        settings.rules.locality = 0.05;
        let fit = fit(&tube, &settings);
        for stage in [Stage::Refine, Stage::Full] {
            let lines: Vec<f64> =
                fit.history.iter().filter(|line| line.stage == stage).map(|line| line.objective).collect();
            assert!(lines.len() > 3, "{motion:?} {stage:?}: {lines:?}");
            let rises = lines.windows(2).filter(|pair| pair[1] > pair[0] * (1.0 + ROUNDING)).count();
            assert_eq!(rises, 0, "{motion:?} {stage:?}: {lines:?}");
        }
    }
}

#[test]
fn a_scale_helps_and_eight_influences_help() {
    let tube = Tube::grid();
    let rigid = fit(&tube, &quick(2)).errors.rms;
    let similar = fit(&tube, &HelperSettings { motion: HelperMotion::Similarity, ..quick(2) });
    assert!(similar.errors.rms < rigid, "{} {rigid}", similar.errors.rms);
    let more = fit(&tube, &HelperSettings { max_influences: 8, ..quick(6) }).errors.rms;
    let fewer = fit(&tube, &HelperSettings { max_influences: 2, ..quick(6) }).errors.rms;
    assert!(more < fewer, "{more} {fewer}");
}

#[test]
fn the_number_of_threads_does_not_change_a_bit() {
    let tube = Tube::grid();
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(&tube, &quick(3)))
    };
    let (one, three) = (with(1), with(3));
    assert_eq!(one.weights, three.weights);
    assert_eq!(one.posed_from_rest, three.posed_from_rest);
    assert_eq!(one.errors, three.errors);
}

#[test]
fn a_cancelled_fit_has_a_result_and_goes_on_to_the_same_end() {
    let tube = Tube::grid();
    let settings = quick(3);
    let whole = fit(&tube, &settings);
    for stop in [1, 2, 4, 8] {
        let mut steps = 0;
        let stopping = one_at_a_time(|_: &Step<'_>| {
            steps += 1;
            if steps == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let part = fit_helpers(&tube.examples(), &settings, &Progress::new(&stopping)).unwrap();
        assert!(
            part.errors.rms.is_finite() && part.posed_from_rest.len() == 45 * part.helper_count,
            "after {stop}"
        );
        let text = serde_json::to_string(&part.state.expect("it was cancelled")).unwrap();
        let state: HelperState = serde_json::from_str(&text).unwrap();
        let end = resume_helpers(&tube.examples(), &settings, state, &Progress::none()).unwrap();
        assert_eq!(end.weights, whole.weights, "after {stop}");
        assert_eq!(end.errors, whole.errors, "after {stop}");
    }
}

#[test]
fn levels_of_detail_lose_the_least_first() {
    let tube = Tube::grid();
    let settings = quick(3);
    let levels = detail_levels(&tube.examples(), &settings, &fit(&tube, &settings)).unwrap();
    assert_eq!(levels.iter().map(|level| level.helpers.len()).collect::<Vec<_>>(), [3, 2, 1, 0]);
    for pair in levels.windows(2) {
        assert!(pair[1].rms_error > pair[0].rms_error, "{levels:?}");
        assert_eq!(pair[0].helpers[..pair[1].helpers.len()], pair[1].helpers, "fewer are the first of more");
    }
}

#[test]
fn helpers_of_a_fit_take_other_poses_without_new_weights() {
    let (train, other) = (Tube::grid(), Tube::new(&[(0.15, 0.1), (0.55, -0.2), (0.9, 0.35)]));
    let settings = quick(2);
    let fit = fit(&train, &settings);
    let start: Vec<_> = (0..3).flat_map(|_| fit.posed_from_rest[..2].to_vec()).collect();
    let (posed, errors) = repose_helpers(&other.examples(), &fit.weights, &start, &settings).unwrap();
    assert_eq!(posed.len(), 6);
    assert!(errors.rms < 2.0 * fit.errors.rms, "{} after {}", errors.rms, fit.errors.rms);
    assert!(repose_helpers(&other.examples(), &fit.weights[1..], &start, &settings).is_err());
    let fewer = fit.with_helpers(&[1]);
    assert_eq!((fewer.helper_count, fewer.posed_from_rest[0]), (1, fit.posed_from_rest[1]));
    let mut rows = fewer.weights.chunks(fewer.driver_count + 1);
    assert!(rows.all(|row| (row.iter().sum::<f64>() - 1.0).abs() < ROUNDING));
}
