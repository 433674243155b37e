//! Controllers of the tube's helpers, and how they run.

use crate::support::{fit, quick, tube::Tube};
use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew_fit::{
    BasisKind, ControllerFit, ControllerSettings, Controllers, HelperFit, HelperMotion, HelperRig,
    HelperSettings, Penalty, Take, controller_errors, fit_controllers, fit_swings, swinging_helpers,
};
use sinew_geometry::{Spring, SpringState};

fn controllers(
    tube: &Tube,
    fit: &HelperFit,
    helpers: &HelperSettings,
    settings: &ControllerSettings,
) -> ControllerFit {
    fit_controllers(&tube.examples(), &tube.changes, fit, helpers, settings).expect("the fit is of this tube")
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
            controller_errors(&others.examples(), &others.changes, &found.weights, &found.controllers);
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
            let (changes, drivers) = (&tube.changes[2 * pose..][..2], &tube.matrices[2 * pose..][..2]);
            let narrow_rotations: Vec<Quat> =
                changes.iter().map(|change| change.rotation.as_quat()).collect();
            let narrow_drivers: Vec<Affine3A> = drivers.iter().map(narrow).collect();
            rig.pose(&narrow_rotations, &narrow_drivers, &mut workspace, &mut posed);
            for (wide, posed) in found.posed_from_rest(changes, drivers).iter().zip(&posed) {
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
    check(&|changed| changed.helpers[0].coefficients.truncate(3), "helper 0, 7 per function, found 3");
    check(&|changed| changed.helpers[0].coefficients[2] = f64::NAN, "coefficient 2");
    check(&|changed| changed.inputs.clear(), "function 1");
}

/// Frames of a tube that is carried about as a whole, with skin that is thrown by it.
fn thrown(places: &[DVec3], fps: f64, truth: &Spring) -> (Tube, Vec<DVec3>) {
    let mut moving = Tube::new(&vec![(0.3, 0.0); places.len()]);
    let mut state = SpringState::at_rest(places[0]);
    let mut pulls = vec![DVec3::ZERO];
    for place in &places[1..] {
        truth.step(&mut state, *place, 1.0 / fps);
        pulls.push(truth.pull(&state, DQuat::IDENTITY));
    }
    let vertex_count = moving.rest.len();
    for (frame, (place, pull)) in places.iter().zip(&pulls).enumerate() {
        for matrix in &mut moving.matrices[2 * frame..][..2] {
            *matrix = DAffine3::from_translation(*place) * *matrix;
        }
        for (target, rest) in
            moving.targets[frame * vertex_count..][..vertex_count].iter_mut().zip(&moving.rest)
        {
            // Round the joint it gives way, towards the ends less and less.
            let softness = 0.01 * (-f64::from(rest.y / 0.25).powi(2)).exp();
            *target += (*place + *pull * softness).as_vec3();
        }
    }
    (moving, pulls)
}

#[test]
fn skin_that_is_thrown_about_is_followed_in_another_motion_too() {
    let tube = Tube::grid();
    let settings = quick(3);
    let helpers = fit(&tube, &settings);
    let found = controllers(&tube, &helpers, &settings, &polynomial(2));
    let truth = Spring { frequency_hz: 5.0, damping: 0.5, limit: 9.0 };
    let fps = 30.0;
    let shaken = |frame: i32| {
        let time = f64::from(frame) / fps;
        DVec3::new((7.0 * time).sin(), (11.0 * time).cos(), 0.4 * (4.0 * time).sin()) * 0.12 * time.min(1.0)
    };
    let places: Vec<DVec3> = (0..90).map(shaken).collect();
    let (moving, _) = thrown(&places, fps, &truth);
    let takes = |count: usize| [Take { frame_count: count, is_loop: false }];
    let fit = |moving: &Tube| {
        fit_swings(
            &moving.examples(),
            &moving.changes,
            &found.weights,
            &found.controllers,
            (&takes(moving.changes.len() / 2), fps),
        )
        .unwrap()
    };
    let swinging = fit(&moving);
    assert_eq!(swinging.swings.len(), found.controllers.helpers.len());
    assert!(swinging.swings.iter().all(|swing| swing.spring.is_valid()), "{:?}", swinging.swings);
    assert!(swinging.rms < 0.65 * swinging.static_rms, "{} of {}", swinging.rms, swinging.static_rms);

    // Another motion, harder and of another kind.
    let hop = |frame: i32| DVec3::Y * 0.5 * (f64::from(frame) / fps * 6.0).sin().max(0.0);
    let places: Vec<DVec3> = (0..60).map(hop).collect();
    let (other, _) = thrown(&places, fps, &truth);
    let helpers = swinging_helpers(
        &other.examples(),
        &other.changes,
        &found.controllers,
        &swinging.swings,
        (&takes(60), fps),
    );
    let still: Vec<DAffine3> = (0..60)
        .flat_map(|frame| {
            found
                .controllers
                .posed_from_rest(&other.changes[2 * frame..][..2], &other.matrices[2 * frame..][..2])
        })
        .collect();
    let rms = |helpers: &[DAffine3]| {
        let count = found.controllers.helpers.len();
        let bones =
            |frame: usize| [&other.matrices[2 * frame..][..2], &helpers[frame * count..][..count]].concat();
        let sum: f64 = (0..60).map(|frame| left_square(&other, &found.weights, frame, &bones(frame))).sum();
        (sum / (60 * other.rest.len()) as f64).sqrt()
    };
    assert!(rms(&helpers) < 0.75 * rms(&still), "{} of {}", rms(&helpers), rms(&still));

    // The rig that runs frame by frame does the same.
    let rig = HelperRig::new(&found.controllers).unwrap();
    let mut swings: Vec<_> = swinging.swings.iter().map(|swing| (*swing, None)).collect();
    let (mut workspace, mut posed) = (rig.workspace(), vec![Affine3A::IDENTITY; rig.helper_count()]);
    for frame in 0..60 {
        let rotations: Vec<Quat> =
            other.changes[2 * frame..][..2].iter().map(|change| change.rotation.as_quat()).collect();
        let drivers: Vec<Affine3A> = other.matrices[2 * frame..][..2].iter().map(narrow).collect();
        rig.pose_swinging((&rotations, &drivers), (&mut swings, 1.0 / fps), &mut workspace, &mut posed);
        for (found, expected) in posed.iter().zip(&helpers[frame * posed.len()..]) {
            assert!(found.abs_diff_eq(narrow(expected), 1e-4), "frame {frame}: {found} {expected}");
        }
    }

    // Skin that follows at once needs no swing.
    let calm = fit(&Tube::new(&[(0.3, 0.0); 30]));
    assert!(calm.rms <= calm.static_rms, "{} {}", calm.rms, calm.static_rms);
    let wrong =
        fit_swings(&moving.examples(), &moving.changes, &found.weights, &found.controllers, (&takes(7), fps));
    assert_eq!(wrong.unwrap_err().to_string(), "expected 90 frames of takes, found 7");
}

/// Σ |Δ|² of a frame.
fn left_square(tube: &Tube, weights: &[f64], frame: usize, bones: &[DAffine3]) -> f64 {
    let targets = &tube.targets[frame * tube.rest.len()..];
    let left = |((row, rest), target): ((&[f64], &Vec3), &Vec3)| {
        let parts = row.iter().zip(bones);
        let place: DVec3 = parts.map(|(weight, bone)| bone.transform_point3(rest.as_dvec3()) * *weight).sum();
        place.distance_squared(target.as_dvec3())
    };
    weights.chunks(bones.len()).zip(&tube.rest).zip(targets).map(left).sum()
}
