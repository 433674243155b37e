//! A whole character with flesh.

use super::*;
use crate::anatomy::CoveredCharacter;
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::samples;
use sinew_skin::Method;

#[test]
fn a_figure_gets_flesh_that_follows_its_motion() {
    let character = samples::figure();
    let flesh = FleshPreset::Natural.settings();
    let cover = CoverSettings { size: CoverSize::Count(1500), ..CoverSettings::default() };
    let rig = FleshRig::new(CoveredCharacter::new(&character, &cover).unwrap(), &flesh, &[]).unwrap();
    let clip = &character.clips()[0];
    let motion = FleshMotion { clip, fps: 30.0, speed: 1.0, is_loop: false };
    let run = FleshRun::new(&rig, Method::Lbs);
    let frames = run.play(&motion, &mut |_| true).unwrap().expect("nobody stops it");
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
    assert!(run.play(&motion, &mut |frame| frame < 2).unwrap().is_none(), "stopped");
}
