//! A whole character with flesh.

use super::*;
use sinew_geometry::CoverSize;
use sinew_rig::{guess_humanoid, samples};
use sinew_skin::Method;

#[test]
fn a_figure_gets_flesh_that_follows_its_motion() {
    let character = samples::figure();
    let map = guess_humanoid(&character);
    let flesh = FleshPreset::Natural.settings();
    let settings = FleshRigSettings { flesh: &flesh, size: CoverSize::Count(1500), paints: &[] };
    let rig = FleshRig::new(&character, Some(&map), &settings).unwrap();
    let clip = &character.clips()[0];
    let motion = FleshMotion { clip, fps: 30.0, speed: 1.0, is_loop: false, floor: None };
    let run = FleshRun::new(&character, &rig, Method::Lbs);
    let frames = run.play(&motion, &mut |_| true).unwrap().expect("nobody stops it");
    assert_eq!(frames.shapes.len(), FleshRun::frame_count(&motion));
    let away = |frame: &Vec<glam::Vec3>| frame.iter().map(|away| away.length()).fold(0.0, f32::max);
    let farthest = frames.deviations.iter().map(away).fold(0.0, f32::max);
    let most = flesh.simulation.max_distance_m as f32;
    assert!(farthest > 1e-4 && farthest <= most + 1e-4, "{farthest} of {most}");
    assert!(frames.shapes.iter().flatten().all(|place| place.is_finite()), "{:?}", rig.notes);
    assert!(run.play(&motion, &mut |frame| frame < 2).unwrap().is_none(), "stopped");
}
