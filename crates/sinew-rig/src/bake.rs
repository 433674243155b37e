//! Bakes the rig's logic into clips, for engines without it.

use crate::{BoneId, Channel, Character, Clip, Evaluator, InstanceId, Pose, Track};
use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Trs;

/// Smaller differences are equal, relative to the model's size for translations: the f32 error of removing the parent's transform.
/// Smaller: bones that stand still get tracks. Larger: slow motions lose their ends.
const SAME: f32 = 2e-6;

/// The character without its logic, its clips baked at `fps`: it plays the same in any engine.
///
/// # Panics
/// If `fps` is not above 0.
pub fn bake(character: &Character, fps: f64) -> Character {
    let clips = character.clips().iter().map(|clip| bake_clip(character, clip, fps)).collect();
    let mut parts = character.clone().without_logic().into_parts();
    parts.clips = clips;
    Character::new(parts).expect("baked tracks name the bones and instances of the character itself")
}

/// The clip as plain tracks, for [`Character::without_logic`]: its bones and morphs then match those of the character with logic at
/// every frame 0, 1/fps, 2/fps … of the clip.
///
/// Tracks are linear. Constant values have one key, or no track if equal to rest; scale tracks exist only for bones with scale.
/// Sheared bones get the nearest translation, rotation and scale, because tracks cannot store shear.
///
/// # Panics
/// If `fps` is not above 0, or the clip does not belong to this character.
pub fn bake_clip(character: &Character, clip: &Clip, fps: f64) -> Clip {
    assert!(fps.is_finite() && fps > 0.0, "invalid frame rate {fps}");
    let frame_count = clip.frame_count(fps);
    let times_secs: Vec<f64> = (0..frame_count).map(|frame| frame as f64 / fps).collect();
    let mut frames = Frames::new(character, frame_count);
    for &time_secs in &times_secs {
        frames.add(clip, time_secs);
    }
    Clip { name: clip.name.clone(), tracks: frames.into_tracks(&times_secs) }
}

/// All frames, as they come in.
struct Frames<'a> {
    character: &'a Character,
    evaluator: Evaluator,
    pose: Pose,
    model_from_bone: Vec<Affine3A>,
    /// One list per bone, one entry per frame.
    locals: Vec<Vec<Trs>>,
    /// One list per instance, one row per frame.
    morph_weights: Vec<Vec<f32>>,
}

impl<'a> Frames<'a> {
    fn new(character: &'a Character, frame_count: usize) -> Self {
        let bone_count = character.skeleton().bone_count();
        Self {
            character,
            evaluator: Evaluator::new(character),
            pose: Pose::rest(character),
            model_from_bone: vec![Affine3A::IDENTITY; bone_count],
            locals: (0..bone_count).map(|_| Vec::with_capacity(frame_count)).collect(),
            morph_weights: vec![Vec::new(); character.instances().len()],
        }
    }

    fn add(&mut self, clip: &Clip, time_secs: f64) {
        self.pose.set_clip(self.character, clip, time_secs);
        self.evaluator.model_from_bone_into(self.character, &self.pose, &mut self.model_from_bone);
        let asked = self.pose.parent_from_bone();
        for (bone, locals) in self.locals.iter_mut().enumerate() {
            let parent = self.character.skeleton().bones()[bone].parent;
            let parent = parent.map_or(Affine3A::IDENTITY, |parent| self.model_from_bone[parent.index()]);
            let local = local_of(&parent, &self.model_from_bone[bone], &asked[bone]);
            let mut trs = Trs::nearest(&local);
            // Some engines interpolate keys without a sign check: keep neighbors in the same hemisphere.
            if locals.last().is_some_and(|before| before.rotation.dot(trs.rotation) < 0.0) {
                trs.rotation = -trs.rotation;
            }
            locals.push(trs);
        }
        let effective = self.evaluator.morph_weights(self.character, &self.pose);
        for (rows, weights) in self.morph_weights.iter_mut().zip(effective) {
            rows.extend_from_slice(weights);
        }
    }

    fn into_tracks(self, times_secs: &[f64]) -> Vec<Track> {
        let bones = self.character.skeleton().bones();
        let size = (self.character.skeleton().rest_model_from_bone().iter())
            .fold(1.0, |size: f32, bone| size.max(bone.translation.length()));
        let mut tracks = Vec::new();
        for (index, (bone, locals)) in bones.iter().zip(&self.locals).enumerate() {
            let (id, rest) = (BoneId::of(index), bone.rest.to_trs());
            let translations = locals.iter().map(|local| local.translation).collect();
            let is_close = |a: &Vec3, b: &Vec3| a.abs_diff_eq(*b, SAME * size);
            tracks.extend(track(times_secs, thinned(translations, &rest.translation, is_close), |values| {
                Channel::Translation(id, values)
            }));
            let rotations = locals.iter().map(|local| local.rotation).collect();
            tracks.extend(track(times_secs, thinned(rotations, &rest.rotation, is_same_turn), |values| {
                Channel::Rotation(id, values)
            }));
            let scales = locals.iter().map(|local| local.scale).collect();
            let is_close =
                |a: &Vec3, b: &Vec3| a.abs_diff_eq(*b, 4.0 * SAME * rest.scale.abs().max_element().max(1.0));
            tracks.extend(track(times_secs, thinned(scales, &rest.scale, is_close), |values| {
                Channel::Scale(id, values)
            }));
        }
        let mut evaluator = self.evaluator;
        let rest = evaluator.morph_weights(self.character, &Pose::rest(self.character));
        for (index, (rows, rest)) in
            self.morph_weights.iter().zip(rest).enumerate().filter(|(_, (_, rest))| !rest.is_empty())
        {
            let rows = rows.chunks(rest.len()).collect();
            tracks.extend(track(times_secs, thinned(rows, &rest.as_slice(), |a, b| a == b), |rows| {
                Channel::MorphWeights(InstanceId::of(index), rows.concat())
            }));
        }
        tracks
    }
}

/// Transform of a bone in its parent.
pub(crate) fn local_of(
    model_from_parent: &Affine3A,
    model_from_bone: &Affine3A,
    asked: &Affine3A,
) -> Affine3A {
    // A bone without logic keeps the requested transform bitwise.
    if *model_from_parent * *asked == *model_from_bone {
        return *asked;
    }
    let local = model_from_parent.inverse() * *model_from_bone;
    // The inverse of a flattened parent is not finite.
    if local.is_finite() { local } else { *asked }
}

/// All values; one if they are equal; none if they equal the rest.
fn thinned<T>(mut values: Vec<T>, rest: &T, is_same: impl Fn(&T, &T) -> bool) -> Vec<T> {
    if values.iter().all(|value| is_same(value, rest)) {
        values.clear();
    } else if values.iter().all(|value| is_same(value, &values[0])) {
        values.truncate(1);
    }
    values
}

fn is_same_turn(a: &Quat, b: &Quat) -> bool {
    a.abs_diff_eq(*b, SAME) || a.abs_diff_eq(-*b, SAME)
}

fn track<T>(times_secs: &[f64], values: Vec<T>, channel: impl FnOnce(Vec<T>) -> Channel) -> Option<Track> {
    let times_secs = times_secs[..values.len()].to_vec();
    let has_keys = !times_secs.is_empty();
    has_keys.then(|| Track::linear(times_secs, channel(values)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoneLogic, Follow, Interpolation, Reach, ReachLink, samples};

    /// Rounding of model matrices taken apart and joined again, m.
    const ROUNDING: f32 = 1e-5;

    fn model_from_bone(character: &Character, clip: &Clip, time_secs: f64) -> Vec<Affine3A> {
        let mut pose = Pose::rest(character);
        pose.set_clip(character, clip, time_secs);
        let mut found = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        pose.model_from_bone_into(character, &mut found);
        found
    }

    /// The limb with a bone that follows its elbow and a goal that its end reaches for in the second half of the clip.
    fn clever_limb() -> Character {
        let mut parts = samples::limb(8, 4).into_parts();
        let extra = |name: &str| crate::Bone { name: name.into(), parent: None, ..parts.bones[0].clone() };
        let extra = [extra("follower"), extra("goal"), extra("idle")];
        parts.bones.extend(extra);
        parts.bone_logic = vec![BoneLogic::default(); 6];
        let follow =
            Follow { source: BoneId(1), ratio: -0.5, rotates: true, translates: false, is_local: false };
        parts.bone_logic[3].follow = Some(follow);
        let links = [1, 0].map(|bone| ReachLink { bone: BoneId(bone), limits: None }).to_vec();
        parts.bone_logic[4].reach = Some(Reach { effector: BoneId(2), iterations: 30, step_rad: 1.0, links });
        let goal = Channel::Translation(BoneId(4), vec![Vec3::new(0.1, 0.2, 0.3), Vec3::new(-0.2, 0.3, 0.1)]);
        let switch = Channel::Reach(BoneId(4), vec![false, true]);
        for (channel, interpolation) in [(goal, Interpolation::Linear), (switch, Interpolation::Step)] {
            parts.clips[0].tracks.push(Track { times_secs: vec![0.0, 1.0], interpolation, channel });
        }
        Character::new(parts).expect("a limb with logic")
    }

    #[test]
    fn a_baked_clip_plays_the_same_without_logic() {
        let character = clever_limb();
        let baked = bake(&character, 10.0);
        assert!(baked.bone_logic().is_empty());
        let (before, after) = (&character.clips()[0], &baked.clips()[0]);
        assert_eq!(after.frame_count(10.0), 21);
        for frame in 0..21 {
            let time_secs = f64::from(frame) / 10.0;
            let expected = model_from_bone(&character, before, time_secs);
            for (bone, found) in model_from_bone(&baked, after, time_secs).iter().enumerate() {
                assert!(found.abs_diff_eq(expected[bone], ROUNDING), "bone {bone} at {time_secs}");
            }
        }
    }

    #[test]
    fn still_bones_have_no_track() {
        let character = clever_limb();
        let clip = bake_clip(&character, &character.clips()[0], 10.0);
        let driven = |bone: u32| {
            let is_of = |track: &&Track| match &track.channel {
                Channel::Translation(id, _) | Channel::Rotation(id, _) | Channel::Scale(id, _) => {
                    *id == BoneId(bone)
                }
                Channel::MorphWeights(..) | Channel::Reach(..) => false,
            };
            clip.tracks.iter().filter(is_of).count()
        };
        // The links and the follower turn; the goal moves; the end of the limb and the idle bone stay in their parents.
        assert_eq!([0, 1, 2, 3, 4, 5].map(driven), [1, 1, 0, 1, 1, 0]);
    }

    #[test]
    fn what_stands_still_away_from_rest_has_one_key() {
        let character = samples::limb(8, 4);
        let turn = Quat::from_rotation_z(0.5);
        let still = Track {
            times_secs: vec![0.0, 1.0],
            interpolation: Interpolation::Linear,
            channel: Channel::Rotation(BoneId(0), vec![turn, turn]),
        };
        let baked = bake_clip(&character, &Clip { name: "still".into(), tracks: vec![still] }, 30.0);
        assert_eq!(baked.tracks.len(), 1);
        assert_eq!(baked.tracks[0].times_secs, [0.0]);
    }
}
