//! A fitted rig on its character, ready to be written.

use crate::{BakedSequence, DriverBinds, FittedHelpers, FittedRig, RigError, put_helpers_on};
use glam::{Affine3A, DAffine3, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_model::HelperOutput;
use sinew_rig::{BoneId, BoundSurface, Channel, Character, Clip, Evaluator, LocalTransform, Pose, Track};

/// The character with helper joints, weights and controllers, all clips baked; clips of `baked` as they were simulated, at `fps` frames
/// a second.
///
/// # Errors
/// The rig is not of this character.
pub fn put_fit_on(
    character: &Character,
    drivers: &DriverBinds,
    rig: &FittedRig,
    baked: &[BakedSequence],
    fps: f64,
) -> Result<Character, RigError> {
    let made = put_rig_on(character, drivers, rig, fps)?;
    bake_sequences(character, made, (drivers, rig), baked, fps)
}

/// The character with helper joints, weights and controllers, which move helpers in all clips.
pub(super) fn put_rig_on(
    character: &Character,
    drivers: &DriverBinds,
    rig: &FittedRig,
    fps: f64,
) -> Result<Character, RigError> {
    let bound = BoundSurface::of(character);
    let bone_count = rig.driver_count + rig.helper_count();
    let mut weights = vec![0.0; bound.vertex_count() * bone_count];
    for (row, &vertex) in rig.weights.chunks(bone_count.max(1)).zip(&rig.vertices) {
        weights[vertex as usize * bone_count..][..bone_count].copy_from_slice(row);
    }
    let (controllers, swings) = (&rig.controllers, &rig.swings);
    let fitted = FittedHelpers { drivers, weights: &weights, controllers, swings };
    put_helpers_on(character, &fitted, &HelperOutput { fps, ..HelperOutput::default() })
}

/// The character with helpers in clips of `baked` as they were simulated. `before`: as it was without helpers.
pub(super) fn bake_sequences(
    before: &Character,
    made: Character,
    (drivers, rig): (&DriverBinds, &FittedRig),
    baked: &[BakedSequence],
    fps: f64,
) -> Result<Character, RigError> {
    if baked.iter().all(|sequence| sequence.helpers.is_empty()) {
        return Ok(made);
    }
    let first = before.skeleton().bone_count();
    let mut parts = made.into_parts();
    for sequence in baked.iter().filter(|sequence| !sequence.helpers.is_empty()) {
        let Some(clip) = parts.clips.iter_mut().find(|clip| clip.name == sequence.name) else { continue };
        bake(before, drivers, rig, sequence, (first, fps), clip);
    }
    Ok(Character::new(parts)?)
}

/// Times of frames; one more where they are one round of a loop, which ends as it begins.
pub(super) fn frame_times(frame_count: usize, fps: f64, duration_secs: f64) -> Vec<f64> {
    let end_secs = frame_count as f64 / fps;
    let is_round = end_secs <= duration_secs + 0.5 / fps && frame_count > 1;
    (0..frame_count + usize::from(is_round)).map(|frame| frame as f64 / fps).collect()
}

/// Replaces the tracks of all helpers in a clip.
fn bake(
    character: &Character,
    drivers: &DriverBinds,
    rig: &FittedRig,
    sequence: &BakedSequence,
    (first, fps): (usize, f64),
    clip: &mut Clip,
) {
    let is_helper = |bone: BoneId| bone.index() >= first && bone.index() < first + rig.helper_count();
    clip.tracks.retain(|track| !track.channel.bone().is_some_and(is_helper));
    let mut locals = locals(character, drivers, rig, sequence, clip, fps);
    let times_secs = frame_times(locals.len(), fps, clip.duration_secs());
    if times_secs.len() > locals.len() {
        locals.push(locals[0].clone());
    }
    for helper in 0..rig.helper_count() {
        let bone = BoneId::of(first + helper);
        let of = |frame: &Vec<Trs>| frame[helper];
        let translations: Vec<Vec3> = locals.iter().map(|frame| of(frame).translation).collect();
        let mut rotations: Vec<Quat> = locals.iter().map(|frame| of(frame).rotation).collect();
        // The shorter way from key to key.
        for at in 1..rotations.len() {
            if rotations[at].dot(rotations[at - 1]) < 0.0 {
                rotations[at] = -rotations[at];
            }
        }
        let scales: Vec<Vec3> = locals.iter().map(|frame| of(frame).scale).collect();
        let is_scaled = scales.iter().any(|scale| !scale.abs_diff_eq(scales[0], 1e-5));
        let mut channels = vec![Channel::Translation(bone, translations), Channel::Rotation(bone, rotations)];
        if is_scaled {
            channels.push(Channel::Scale(bone, scales));
        }
        let track = |channel| Track::linear(times_secs.clone(), channel);
        clip.tracks.extend(channels.into_iter().map(track));
    }
}

/// Where helpers stand in their parents: frame by frame, in each frame one per helper. `clip`: of the other bones alone.
fn locals(
    character: &Character,
    drivers: &DriverBinds,
    rig: &FittedRig,
    sequence: &BakedSequence,
    clip: &Clip,
    fps: f64,
) -> Vec<Vec<Trs>> {
    let mut evaluator = Evaluator::new(character);
    let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    let mut pose = Pose::rest(character);
    let mut frames = Vec::new();
    for (frame, matrices) in sequence.helpers.chunks(rig.helper_count()).enumerate() {
        pose.set_clip(character, clip, frame as f64 / fps);
        evaluator.model_from_bone_into(character, &pose, &mut model_from_bone);
        let local = |(helper, matrix): (usize, &DAffine3)| {
            let frame = &rig.controllers.helpers[helper].frame;
            let parent = drivers.bones()[frame.parent];
            let stands = *matrix * DAffine3::from_translation(frame.center);
            let local = model_from_bone[parent.index()].inverse() * stands.as_affine3a();
            LocalTransform::Matrix(local).to_trs()
        };
        frames.push(matrices.iter().enumerate().map(local).collect());
    }
    frames
}
