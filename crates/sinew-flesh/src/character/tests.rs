//! A whole character with flesh.

use super::*;
use crate::FleshPreset;
use sinew_geometry::progress::{Progress, Step};
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::{HumanoidBone, Pose, samples};
use sinew_skin::Method;
use std::ops::ControlFlow;
use std::sync::Arc;

#[test]
fn a_figure_gets_flesh_that_follows_its_motion() {
    let character = samples::figure();
    let flesh = FleshPreset::Natural.settings();
    let cover = CoverSettings { size: CoverSize::Count(1500), ..CoverSettings::default() };
    let covered = CoveredCharacter::new(&character, &cover).unwrap();
    let rig = Arc::new(FleshRig::new(covered, &flesh, &[]).unwrap());
    let motion = FleshMotion::new(character.clips()[0].clone(), 30.0);
    let run = FleshRun::new(&rig, Method::Lbs);
    let frames = run.play(&motion, &Progress::none()).unwrap();
    assert_eq!(frames.deviations.len(), FleshRun::frame_count(&motion));
    let mut skin = FleshSkin::new(&run, &motion, &frames);
    let mut farthest = 0.0f32;
    for frame in 0..skin.frame_count() {
        skin.set(frame);
        assert!(skin.positions().iter().all(|place| place.is_finite()), "{:?}", rig.notes);
        assert!(skin.normals().iter().all(|normal| (normal.length() - 1.0).abs() < 1e-4), "{frame}");
        farthest = skin.deviations().iter().map(|away| away.length()).fold(farthest, f32::max);
    }
    let most = flesh.simulation.max_distance_m as f32;
    assert!(farthest > 1e-4 && farthest <= most + 1e-4, "{farthest} of {most}");
    let two =
        |step: &Step<'_>| if step.done < 2 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let stopped = run.play(&motion, &Progress::new(&two));
    assert!(matches!(stopped, Err(FleshRigError::Interrupted(_))), "stopped");
}

#[test]
fn a_bent_elbow_raises_the_biceps_by_the_curve() {
    let character = samples::figure();
    let cover = CoverSettings { size: CoverSize::Count(2500), ..CoverSettings::default() };
    let covered = CoveredCharacter::new(&character, &cover).unwrap();
    let rig = Arc::new(FleshRig::new(covered, &FleshPreset::Natural.settings(), &[]).unwrap());
    let elbow = rig.covered.humanoid.as_ref().and_then(|map| map.get(HumanoidBone::LeftLowerArm)).unwrap();
    let biceps = rig.muscles.find("biceps.left").unwrap();
    let strip = &rig.muscles.muscles()[biceps].strips[0];
    let middle = &strip.sections()[strip.sections().len() / 3];
    // The vertex that lies on the middle of the muscle.
    let top = middle.center + middle.outward * middle.half_thickness_m;
    let surface = &rig.covered.surface.positions;
    let apart = |vertex: &usize| surface[*vertex].distance(top);
    let vertex = (0..surface.len()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
    let mut posed = sinew_skin::PosedCharacter::bind(&character, Method::Lbs);
    let mut muscles = muscle_pose::MusclePose::new(&rig);
    let mut rise_at = |bend_deg: f32| {
        let mut pose = Pose::rest(&character);
        pose.turn(elbow, glam::Quat::from_rotation_x(bend_deg.to_radians()));
        posed.set(&pose);
        muscles.set(posed.model_from_bone());
        let mut away = vec![glam::Vec3::ZERO; surface.len()];
        muscles.raise(&rig.skin_bulge, &posed, &mut away);
        (away[vertex].dot(posed.turn_of(vertex) * middle.outward), muscles.contractions[biceps])
    };
    assert!(rise_at(0.0).0.abs() < 1e-3, "at rest the elbow is as good as straight");
    let (rise, contraction) = rise_at(140.0);
    assert!(contraction.along < 0.8, "{contraction:?}");
    let wanted = 2.0 * middle.half_thickness_m * (contraction.across - 1.0);
    assert!((rise / wanted - 1.0).abs() < 0.25, "{rise} m instead of {wanted}");
}

#[test]
fn a_wall_presses_points_of_the_flesh_and_not_those_at_the_bone() {
    use sinew_soft::{Collider, ContactSettings, Shape};
    let character = samples::figure();
    let cover = CoverSettings { size: CoverSize::Count(3000), ..CoverSettings::default() };
    let covered = CoveredCharacter::new(&character, &cover).unwrap();
    let rig = Arc::new(FleshRig::new(covered, &FleshPreset::Natural.settings(), &[]).unwrap());
    let is_belly = |place: &glam::Vec3| place.x.abs() < 0.1 && (place.y - 1.05).abs() < 0.1;
    let front = rig.covered.surface.positions.iter().filter(|place| is_belly(place)).map(|place| place.z);
    let wall_z = front.fold(f32::NEG_INFINITY, f32::max) - 0.015;
    let shape = Shape::Box { half_m: glam::Vec3::new(0.2, 0.2, 0.2) };
    let center = glam::Vec3::new(0.0, 1.05, wall_z + 0.2);
    let wall = Collider::fixed(shape, center, glam::Quat::IDENTITY, ContactSettings::default());
    let mut contact =
        contact_pose::ContactPose::new(&FleshRun::new(&rig, Method::Lbs).with_colliders(vec![wall]));
    let posed = sinew_skin::PosedCharacter::bind(&rig.particles, Method::Lbs);
    contact.set(posed.model_from_bone());
    let before = posed.surface().positions.clone();
    let mut after = before.clone();
    assert!(contact.press_points(&mut after) > 2, "it touches");
    let way = |point: usize| before[point].z - after[point].z;
    let pressed = (0..before.len()).filter(|&point| is_belly(&before[point]) && before[point].z > 0.0);
    let most = pressed.map(way).fold(0.0, f32::max);
    assert!(most > 0.006 && most <= 0.0151, "{most} m");
    let at_bone = (0..before.len()).filter(|&point| rig.anatomy.depth[point] == 0.0);
    assert!(at_bone.map(way).all(|way| way == 0.0), "what lies at the bone stays");
}

#[test]
fn flesh_goes_to_other_threads() {
    fn is_send<T: Send + 'static>() {}
    is_send::<FleshRig>();
    is_send::<FleshRun>();
    is_send::<FleshSkin>();
    is_send::<FleshPlaces>();
}
