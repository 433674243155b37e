//! T-pose as rest pose: what VRM and many engines expect.

use super::{Humanoid, HumanoidPose, RestBone};
use glam::{DAffine3, DQuat, DVec3};
use sinew_geometry::Trs;
use sinew_rig::HumanoidBone::{
    LeftFoot, LeftHand, LeftLowerArm, LeftLowerLeg, LeftToes, LeftUpperArm, LeftUpperLeg, RightUpperLeg,
};
use sinew_rig::{
    Bone, BoneId, Channel, Character, CharacterParts, Clip, HumanoidBone, Interpolation, LocalTransform,
    Track,
};

/// The bones that T-pose turns, of the left side.
const TURNED: [HumanoidBone; 7] =
    [LeftUpperArm, LeftLowerArm, LeftHand, LeftUpperLeg, LeftLowerLeg, LeftFoot, LeftToes];

/// Smaller turns and shifts of the whole character are left out, radians and m: rounding of what stands right already.
const RIGHT_ALREADY: f64 = 1e-6;

impl Humanoid {
    /// The largest turn of an upper or lower arm from T-pose at rest, radians; also of the whole character from looking along +Z.
    pub fn arms_off_t_pose(&self) -> f64 {
        let arms = [LeftUpperArm, LeftLowerArm].into_iter().flat_map(|bone| [bone, bone.mirrored()]);
        let ends = [LeftLowerArm, LeftHand].into_iter().flat_map(|bone| [bone, bone.mirrored()]);
        let off = |(from, to): (HumanoidBone, HumanoidBone)| {
            let (from, to) = (self.bone(from)?, self.bone(to)?);
            let way = (to.head - from.head).try_normalize()?;
            Some(way.angle_between(DVec3::X * way.x.signum()))
        };
        let arms = arms.zip(ends).filter_map(off).fold(0.0, f64::max);
        arms.max(self.canonical_from_model.angle_between(DQuat::IDENTITY))
    }

    /// The character with T-pose as its rest pose: arms straight out to the sides, palms down, legs straight down, soles level on the
    /// ground at y = 0, looking along +Z.
    ///
    /// Only rest transforms of bones change. Meshes stay bound as they were, so every pose of bones shows the same skin as before, to
    /// rounding, whatever the skinning method. Clips show the same: bones that a clip does not move get a key where they rested.
    ///
    /// Controllers of helpers count from the rest pose of their drivers: where that changed they are removed, and clips must have been
    /// baked before. The number of removed helpers comes second.
    ///
    /// # Panics
    /// If the character is not the one that this was made from, or has logic of its own.
    pub fn rested_in_t_pose(&self, character: &Character) -> (Character, usize) {
        assert!(!character.has_logic(), "logic counts from the rest pose; bake it first");
        let new = self.t_pose_locals();
        let mut parts = character.clone().into_parts();
        let old: Vec<Bone> = parts.bones.clone();
        for &(bone, local) in &new {
            parts.bones[bone.index()].rest = local.in_place_of(&old[bone.index()].rest);
        }
        let changed = |bone: BoneId| !is_same(&parts.bones[bone.index()].rest, &old[bone.index()].rest);
        let removed = match parts.controllers.drivers.iter().any(|driver| changed(driver.bone)) {
            true => std::mem::take(&mut parts.controllers).helpers.len(),
            false => 0,
        };
        for clip in &mut parts.clips {
            let kept = new.iter().flat_map(|&(bone, local)| local.keys(bone, &old[bone.index()]));
            keep(clip, kept.collect());
        }
        self.put_on_ground(&mut parts);
        let made = Character::new(parts).expect("rests of finite bones, and tracks of bones that exist");
        (made, removed)
    }

    /// Rests in T-pose, in the file's own axes and at its height.
    fn t_pose_locals(&self) -> Vec<(BoneId, NewLocal)> {
        let head = |bone: HumanoidBone| self.bone(bone).map_or(DVec3::ZERO, |bone: &RestBone| bone.head);
        let pelvis = 0.5 * (head(LeftUpperLeg) + head(RightUpperLeg));
        let mut pose = HumanoidPose::neutral(pelvis.with_y(self.hip_height_m() + self.sole_y()));
        TURNED
            .iter()
            .flat_map(|&bone| [bone, bone.mirrored()])
            .for_each(|bone| pose.set(bone, DQuat::IDENTITY));
        let local = self.local_pose(&pose);
        let mut new: Vec<(BoneId, NewLocal)> =
            local.rotations.into_iter().map(|(bone, turn)| (bone, NewLocal::Rotation(turn))).collect();
        if let Some(hips) = self.map.get(HumanoidBone::Hips) {
            new.push((hips, NewLocal::Translation(local.hips)));
        }
        new
    }

    fn sole_y(&self) -> f64 {
        self.legs.iter().map(|leg| leg.foot.sole_y).fold(f64::INFINITY, f64::min)
    }

    /// Turns and lifts everything, also in clips: by the bones that have no parent.
    fn put_on_ground(&self, parts: &mut CharacterParts) {
        let lift = DVec3::Y * -self.sole_y();
        let turn = self.canonical_from_model;
        if turn.angle_between(DQuat::IDENTITY) < RIGHT_ALREADY && lift.length() < RIGHT_ALREADY {
            return;
        }
        let moved = DAffine3::from_rotation_translation(turn, lift);
        for bone in parts.bones.iter_mut().filter(|bone| bone.parent.is_none()) {
            bone.rest = match bone.rest {
                LocalTransform::Trs(trs) => LocalTransform::Trs(Trs {
                    translation: moved.transform_point3(trs.translation.as_dvec3()).as_vec3(),
                    rotation: (turn * trs.rotation.as_dquat()).normalize().as_quat(),
                    ..trs
                }),
                LocalTransform::Matrix(matrix) => {
                    LocalTransform::Matrix((moved * matrix.as_daffine3()).as_affine3a())
                }
            };
        }
        let is_root = |bone: BoneId| parts.bones[bone.index()].parent.is_none();
        for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
            move_track(track, &moved, turn, is_root);
        }
        for joint in parts.springs.chains.iter_mut().flat_map(|chain| &mut chain.joints) {
            joint.gravity_dir = turn.as_quat() * joint.gravity_dir;
        }
    }
}

/// A part of a bone's rest transform.
#[derive(Clone, Copy)]
enum NewLocal {
    Rotation(DQuat),
    Translation(DVec3),
}

impl NewLocal {
    fn in_place_of(self, old: &LocalTransform) -> LocalTransform {
        let trs = old.to_trs();
        let new = match self {
            Self::Rotation(rotation) => Trs { rotation: rotation.normalize().as_quat(), ..trs },
            Self::Translation(translation) => Trs { translation: translation.as_vec3(), ..trs },
        };
        match old {
            LocalTransform::Trs(_) => LocalTransform::Trs(new),
            // What shear there is stays before the rotation.
            LocalTransform::Matrix(matrix) => {
                LocalTransform::Matrix(new.to_affine() * trs.to_affine().inverse() * *matrix)
            }
        }
    }

    /// Keys by which a bone rests in a clip as it did before; a sheared bone has none, because clips do not move it.
    fn keys(self, bone: BoneId, old: &Bone) -> Option<Track> {
        let LocalTransform::Trs(trs) = old.rest else { return None };
        let channel = match self {
            Self::Rotation(_) => Channel::Rotation(bone, vec![trs.rotation]),
            Self::Translation(_) => Channel::Translation(bone, vec![trs.translation]),
        };
        Some(Track::linear(vec![0.0], channel))
    }
}

fn is_same(a: &LocalTransform, b: &LocalTransform) -> bool {
    a.to_affine().abs_diff_eq(b.to_affine(), RIGHT_ALREADY as f32)
}

/// Adds tracks for what the clip does not move.
fn keep(clip: &mut Clip, tracks: Vec<Track>) {
    let is_same_channel = |a: &Channel, b: &Channel| {
        std::mem::discriminant(a) == std::mem::discriminant(b) && a.bone() == b.bone()
    };
    for track in tracks {
        if !clip.tracks.iter().any(|there| is_same_channel(&there.channel, &track.channel)) {
            clip.tracks.push(track);
        }
    }
}

/// Moves the keys of bones without parents. Splines have tangents around each key, which turn but do not shift.
fn move_track(track: &mut Track, moved: &DAffine3, turn: DQuat, is_root: impl Fn(BoneId) -> bool) {
    let is_spline = track.interpolation == Interpolation::CubicSpline;
    let is_key = |index: usize| !is_spline || index % 3 == 1;
    match &mut track.channel {
        Channel::Translation(bone, values) if is_root(*bone) => {
            for (index, value) in values.iter_mut().enumerate() {
                let old = value.as_dvec3();
                let new = if is_key(index) { moved.transform_point3(old) } else { turn * old };
                *value = new.as_vec3();
            }
        }
        Channel::Rotation(bone, values) if is_root(*bone) => {
            values.iter_mut().for_each(|value| *value = (turn * value.as_dquat()).as_quat());
        }
        _ => {}
    }
}
