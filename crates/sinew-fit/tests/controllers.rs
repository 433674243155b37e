//! Controllers of the tube's helpers, and how they run.

#[expect(dead_code, reason = "shared with other tests")]
mod support;

use glam::{Affine3A, DAffine3, Quat, Vec3};
use sinew_fit::{
    BasisKind, ControllerFit, ControllerSettings, Controllers, HelperFit, HelperMotion, HelperRig,
    HelperSettings, Penalty, controller_errors, fit_controllers, fit_dynamics,
};
use support::{fit, quick, tube::Tube};

fn controllers(
    tube: &Tube,
    fit: &HelperFit,
    helpers: &HelperSettings,
    settings: &ControllerSettings,
) -> ControllerFit {
    fit_controllers(&tube.examples(), &tube.rotations, fit, helpers, settings)
        .expect("the fit is of this tube")
}

fn polynomial(degree: usize) -> ControllerSettings {
    let basis = BasisKind::Polynomial { degree, across_drivers: true };
    ControllerSettings { basis, penalty: Penalty::PerPose(0.0), ..ControllerSettings::default() }
}

#[test]
fn controllers_beat_drivers_alone_also_on_other_poses_and_refitting_helps() {
    let tube = Tube::grid();
    let others = Tube::new(&[(0.1, 0.2), (0.6, -0.4), (1.1, 0.5), (1.6, 0.0), (1.45, -0.5)]);
    let alone = fit(&tube, &quick(0)).errors.rms;
    let settings = quick(3);
    let helpers = fit(&tube, &settings);
    let mut last = f64::INFINITY;
    for degree in 1..=3 {
        let found = controllers(&tube, &helpers, &settings, &polynomial(degree));
        assert!(found.errors.rms < found.regression_rms, "degree {degree}");
        assert!(found.errors.rms < last, "degree {degree}: {} after {last}", found.errors.rms);
        last = found.errors.rms;
        let held_out =
            controller_errors(&others.examples(), &others.rotations, &found.weights, &found.controllers);
        assert!(held_out.rms < 0.6 * alone, "degree {degree}: {} of {alone}", held_out.rms);
    }
}

#[test]
fn a_penalty_takes_coefficients_out_and_auto_finds_one() {
    let tube = Tube::grid();
    let settings = quick(2);
    let helpers = fit(&tube, &settings);
    let count = |penalty: Penalty| {
        let found = controllers(&tube, &helpers, &settings, &ControllerSettings { penalty, ..polynomial(3) });
        (found.controllers.coefficient_count(), found.errors.rms)
    };
    let (all, _) = count(Penalty::PerPose(0.0));
    let (few, _) = count(Penalty::PerPose(0.01));
    assert!(few < all, "{few} of {all}");
    let (auto, rms) = count(Penalty::Auto);
    assert!(auto <= all && rms.is_finite(), "{auto} of {all}");
}

#[test]
fn radial_controllers_get_better_with_centers() {
    let tube = Tube::grid();
    let settings = quick(2);
    let helpers = fit(&tube, &settings);
    let rms = |centers: usize| {
        let basis = BasisKind::Radial { centers };
        controllers(&tube, &helpers, &settings, &ControllerSettings { basis, ..polynomial(1) }).errors.rms
    };
    let (few, more) = (rms(2), rms(12));
    assert!(more < few, "{more} {few}");
}

fn narrow(matrix: &DAffine3) -> Affine3A {
    Affine3A::from_mat3_translation(matrix.matrix3.as_mat3(), matrix.translation.as_vec3())
}

#[test]
fn the_rig_runs_what_was_fitted() {
    let tube = Tube::grid();
    for motion in [HelperMotion::Rigid, HelperMotion::Similarity] {
        let settings = HelperSettings { motion, ..quick(3) };
        let helpers = fit(&tube, &settings);
        let found = controllers(&tube, &helpers, &settings, &polynomial(2)).controllers;
        let text = serde_json::to_string(&found).unwrap();
        let found: Controllers = serde_json::from_str(&text).unwrap();
        let rig = HelperRig::new(&found).unwrap();
        let mut workspace = rig.workspace();
        let mut posed = vec![Affine3A::IDENTITY; rig.helper_count()];
        for pose in 0..45 {
            let (rotations, drivers) = (&tube.rotations[2 * pose..][..2], &tube.matrices[2 * pose..][..2]);
            let narrow_rotations: Vec<Quat> = rotations.iter().map(|rotation| rotation.as_quat()).collect();
            let narrow_drivers: Vec<Affine3A> = drivers.iter().map(narrow).collect();
            rig.pose(&narrow_rotations, &narrow_drivers, &mut workspace, &mut posed);
            for (wide, posed) in found.posed_from_rest(rotations, drivers).iter().zip(&posed) {
                // 32 bits; coefficients of a fit to few poses are large and cancel, which costs three digits.
                assert!(narrow(wide).abs_diff_eq(*posed, 5e-4), "pose {pose}: {wide:?} {posed:?}");
            }
        }
        assert!((0..rig.helper_count()).all(|helper| rig.helper_bytes(helper) <= 1536));
    }
}

#[test]
fn damaged_controllers_are_refused() {
    let tube = Tube::grid();
    let settings = quick(1);
    let helpers = fit(&tube, &settings);
    let found = controllers(&tube, &helpers, &settings, &polynomial(1)).controllers;
    let check = |change: &dyn Fn(&mut Controllers), expected: &str| {
        let mut changed = found.clone();
        change(&mut changed);
        let error = HelperRig::new(&changed).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    };
    check(&|changed| changed.helpers[0].frame.parent = 7, "driver 7");
    check(&|changed| changed.helpers[0].coefficients.truncate(3), "3 coefficients");
    check(&|changed| changed.helpers[0].coefficients[2] = f64::NAN, "coefficient 2");
    check(&|changed| changed.inputs.clear(), "function 1");
}

#[test]
fn flesh_that_lags_is_followed_by_a_stable_filter() {
    let tube = Tube::grid();
    let settings = quick(3);
    let helpers = fit(&tube, &settings);
    let found = controllers(&tube, &helpers, &settings, &polynomial(2));
    // The skin of an angle that lags behind the joint's, swinging.
    let angle = |frame: i32| 0.8 * (1.0 - (f64::from(frame.max(0)) * 0.2).cos());
    let mut lagging = (0.0, 0.0);
    let (mut said, mut felt) = (Vec::new(), Vec::new());
    for frame in 0..120 {
        let next = 1.4 * lagging.0 - 0.6 * lagging.1 + 0.2 * angle(frame);
        lagging = (next, lagging.0);
        said.push((angle(frame), 0.0));
        felt.push((0.9 * angle(frame) + 0.1 * next, 0.0));
    }
    let mut moving = Tube::new(&said);
    moving.targets = Tube::new(&felt).targets;
    let dynamic =
        fit_dynamics(&moving.examples(), &moving.rotations, &found.weights, &found.controllers, &settings)
            .unwrap();
    assert!(dynamic.filters.iter().all(|filter| filter.spectral_radius() < 1.0), "{:?}", dynamic.filters);
    assert!(dynamic.errors.rms < dynamic.static_rms, "{} {}", dynamic.errors.rms, dynamic.static_rms);

    // The rig with these filters does what was measured: its last frames lie as near.
    let rig = HelperRig::new(&found.controllers).unwrap();
    let mut followers: Vec<_> = dynamic.filters.iter().map(|filter| (*filter, None)).collect();
    let (mut workspace, mut posed) = (rig.workspace(), vec![Affine3A::IDENTITY; rig.helper_count()]);
    let bone_count = 2 + rig.helper_count();
    for frame in 0..120 {
        let rotations: Vec<Quat> =
            moving.rotations[2 * frame..][..2].iter().map(|rotation| rotation.as_quat()).collect();
        let drivers: Vec<Affine3A> = moving.matrices[2 * frame..][..2].iter().map(narrow).collect();
        rig.pose_following((&rotations, &drivers), &mut followers, &mut workspace, &mut posed);
        let bones = [&drivers[..], &posed[..]].concat();
        let mut sum = 0.0;
        for (vertex, place) in moving.rest.iter().enumerate() {
            let weights = &found.weights[vertex * bone_count..][..bone_count];
            let moved = bones
                .iter()
                .zip(weights)
                .map(|(bone, weight)| bone.transform_point3(*place) * *weight as f32);
            let target = moving.targets[frame * moving.rest.len() + vertex];
            sum += f64::from(moved.sum::<Vec3>().distance_squared(target));
        }
        let rms = (sum / moving.rest.len() as f64).sqrt();
        assert!((rms - dynamic.errors.by_pose[frame]).abs() < 1e-5, "frame {frame}: {rms}");
    }
}
