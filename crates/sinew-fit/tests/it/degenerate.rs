//! Input that is wrong or next to nothing.

use crate::support::tube::Tube;
use crate::support::{fit, quick};
use glam::{DQuat, Vec3};
use sinew_fit::{
    BasisKind, ControllerSettings, HelperSettings, Mirror, Penalty, WeightRules, fit_controllers, fit_helpers,
};
use sinew_geometry::progress::Progress;
use sinew_rig::DriverChange;

#[track_caller]
fn refused(tube: &Tube, settings: &HelperSettings, expected: &str) {
    let error = fit_helpers(&tube.examples(), settings, &Progress::none()).expect_err(expected).to_string();
    assert!(error.contains(expected), "{error:?} does not say {expected:?}");
}

#[test]
fn one_pose_and_equal_poses_are_fitted() {
    for angles in [vec![(1.2, 0.3)], vec![(1.2, 0.3); 12], vec![(0.0, 0.0); 3]] {
        let tube = Tube::new(&angles);
        let fit = fit(&tube, &quick(3));
        assert!(fit.errors.rms.is_finite() && fit.weights.iter().all(|weight| weight.is_finite()));
        let alone = crate::support::fit(&tube, &quick(0));
        assert!(fit.errors.rms <= alone.errors.rms + 1e-9, "{} {}", fit.errors.rms, alone.errors.rms);
        let controllers =
            fit_controllers(&tube.examples(), &tube.changes, &fit, &quick(3), &ControllerSettings::default())
                .unwrap();
        assert!(controllers.errors.rms.is_finite(), "{:?}", controllers.errors.rms);
    }
}

#[test]
fn helpers_that_nobody_needs_are_left_out() {
    // At rest the drivers do everything.
    let still = Tube::new(&[(0.0, 0.0), (0.0, 0.0)]);
    let fitted = fit(&still, &quick(3));
    assert!(fitted.errors.rms < 1e-6, "{}", fitted.errors.rms);
    // Fewer vertices than helpers.
    let mut tube = Tube::grid();
    let vertex_count = tube.rest.len();
    tube.rest.truncate(3);
    tube.triangles.clear();
    tube.targets = tube.targets.chunks(vertex_count).flat_map(|shape| shape[..3].to_vec()).collect();
    let fitted = fit(&tube, &quick(8));
    assert_eq!(fitted.helper_count, 0, "each would have an influence on 4 vertices or fewer");
}

#[test]
fn wrong_examples_and_settings_are_refused_with_words() {
    let mut tube = Tube::grid();
    refused(&tube, &HelperSettings { max_influences: 9, ..quick(1) }, "9 influences");
    refused(&tube, &HelperSettings { start_count: 0, ..quick(1) }, "start_count is 0");
    refused(&tube, &HelperSettings { tolerance: f64::NAN, ..quick(1) }, "tolerance NaN");
    refused(&tube, &HelperSettings { max_bytes: 1000, ..quick(1) }, "the limit is 1000");
    let with = |rules: WeightRules| HelperSettings { rules, ..quick(1) };
    let free = WeightRules::default;
    refused(
        &tube,
        &with(WeightRules { locked_vertices: vec![9999], ..free() }),
        "locked vertex 9999 does not exist",
    );
    refused(&tube, &with(WeightRules { locked_vertices: vec![0], ..free() }), "because some are locked");
    let half = vec![0.3; tube.rest.len() * 2];
    refused(&tube, &with(WeightRules { driver_weights: half, ..free() }), "weights of vertex 0");
    let mirror = Some(Mirror { vertices: vec![1; tube.rest.len()], drivers: vec![0, 1] });
    refused(&tube, &with(WeightRules { mirror, ..free() }), "vertex 0 to 1, but not back");
    tube.targets[130] = Vec3::NAN;
    refused(&tube, &quick(1), "vertex 10 in pose 1 is not finite");
    tube.targets.pop();
    refused(&tube, &quick(1), "target positions for 45 poses");
}

#[test]
fn wrong_controllers_are_refused_with_words() {
    let tube = Tube::grid();
    let fitted = fit(&tube, &quick(1));
    let check = |changes: &[DriverChange], settings: ControllerSettings, expected: &str| {
        let error = fit_controllers(&tube.examples(), changes, &fitted, &quick(1), &settings);
        let error = error.expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    };
    let fine = ControllerSettings::default;
    check(&tube.changes[1..], fine(), "driver, found 89");
    let mut bad = tube.changes.clone();
    bad[5] = DQuat::from_xyzw(0.0, 0.0, 0.0, 2.0).into();
    check(&bad, fine(), "driver 1 in pose 2");
    let basis = BasisKind::Polynomial { degree: 4, across_drivers: true };
    check(&tube.changes, ControllerSettings { basis, ..fine() }, "degree 4");
    let penalty = Penalty::PerPose(-1.0);
    check(&tube.changes, ControllerSettings { penalty, ..fine() }, "penalty -1");
}
