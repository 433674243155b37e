//! What flesh in a whole character must do, in figures.

mod abuse;
mod calm;
mod elbow;
mod overlap;
mod press;
mod rates;
mod touch;

use glam::{Affine3A, Quat, Vec3};
use sinew::flesh::{
    CoveredCharacter, FleshFrames, FleshMotion, FleshPreset, FleshRig, FleshRun, FleshSettings,
};
use sinew::geometry::progress::Progress;
use sinew::geometry::{Bounds, CoverSettings, CoverSize};
use sinew::rig::{Channel, Character, Clip, Interpolation, Pose, Track};
use sinew::skin::Method;
use std::sync::Arc;

/// The preset that people get.
fn natural() -> FleshSettings {
    FleshPreset::Natural.settings()
}

/// A character's flesh of about so many tetrahedra.
fn rig_of(character: &Character, flesh: &FleshSettings, tets: usize) -> Arc<FleshRig> {
    let size = CoverSize::Count(tets);
    let covered = CoveredCharacter::new(character, &CoverSettings { size, ..CoverSettings::default() });
    Arc::new(FleshRig::new(covered.expect("a body"), flesh, &[]).expect("settings that fit"))
}

fn once(clip: &Clip, fps: f64) -> FleshMotion {
    FleshMotion::new(clip.clone(), fps)
}

fn play(rig: &Arc<FleshRig>, motion: &FleshMotion) -> Arc<FleshFrames> {
    let run = FleshRun::new(rig, Method::Lbs);
    run.play(motion, &Progress::none()).expect("a motion of this character")
}

fn size_m(rig: &FleshRig) -> f32 {
    Bounds::of(&rig.covered.surface.positions).size().length()
}

/// The farthest that flesh is from where the rig has it, over the skin, metres.
fn farthest_m(rig: &FleshRig, deviations: &[Vec3]) -> f32 {
    let skin = rig.covered.cover.embedding.apply(deviations);
    skin.iter().map(|away| away.length()).fold(0.0, f32::max)
}

/// A clip in which bones turn, by model space axes at rest, from rest at the first time to the whole turn at the second, and stay so.
fn turned(character: &Character, turns: &[(&str, Quat)], [from, to, end]: [f64; 3]) -> Clip {
    let skeleton = character.skeleton();
    let mut rest = vec![Affine3A::IDENTITY; skeleton.bone_count()];
    let pose = Pose::rest(character);
    pose.model_from_bone_into(character, &mut rest);
    let of_bone = |(name, turn): &(&str, Quat)| {
        let bone = skeleton.find(name).expect("a bone of the figure");
        let upright = Quat::from_mat3a(&rest[bone.index()].matrix3);
        let local = Quat::from_mat3a(&pose.parent_from_bone()[bone.index()].matrix3);
        let turned = local * (upright.inverse() * *turn * upright);
        Track {
            times_secs: vec![from, to],
            interpolation: Interpolation::Linear,
            channel: Channel::Rotation(bone, vec![local.normalize(), turned.normalize()]),
        }
    };
    // Held to the end by a track that moves nothing: between two equal keys, rotations would still be rounded differently.
    let root = skeleton.find("Root").expect("a root");
    let places = vec![Vec3::from(rest[root.index()].translation); 2];
    let channel = Channel::Translation(root, places);
    let hold = Track { times_secs: vec![0.0, end], interpolation: Interpolation::Step, channel };
    Clip { name: "turned".into(), tracks: turns.iter().map(of_bone).chain([hold]).collect() }
}
