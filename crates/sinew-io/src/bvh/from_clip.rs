//! From a clip of a character to BVH.

use super::{Bvh, BvhChannel, BvhJoint};
use crate::Report;
use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, EulerRot};
use sinew_rig::{BoneId, Channel, Character, Clip, Evaluator, Pose, Skeleton};

/// Joints that move by more than this relative to their parent get position channels, m.
const SHIFT_M: f64 = 1e-5;

/// Maximum number of values per file: about 500 MB of text.
const MOST_VALUES: usize = 1 << 26;

const TURNS: [BvhChannel; 3] = [BvhChannel::Rotation(2), BvhChannel::Rotation(0), BvhChannel::Rotation(1)];
const PLACES: [BvhChannel; 3] = [BvhChannel::Position(0), BvhChannel::Position(1), BvhChannel::Position(2)];

impl Bvh {
    /// The motion of a character's joints, `fps` frames per second, in m. Joints rest along the model's axes: a joint's rotation is its
    /// change from rest, whatever axes its bone has; constraints are included. Of several skeletons the largest is written.
    ///
    /// # Panics
    /// If the clip does not belong to this character, or `fps` is not above 0.
    pub fn from_clip(character: &Character, clip: &Clip, fps: f64, report: &mut Report) -> Self {
        assert!(fps > 0.0, "invalid frame rate {fps}");
        let bones = written_bones(character, clip, report);
        let mut wanted = clip.frame_count(fps);
        let most = MOST_VALUES / (6 * bones.len().max(1));
        if wanted > most {
            report.warn("", format!("the motion has {wanted} frames; only {most} are written"));
            wanted = most;
        }
        let rest = frame_of(character, &mut Evaluator::new(character), &Pose::rest(character));
        let parents: Vec<Option<usize>> = bones
            .iter()
            .map(|&bone| {
                let parent = character.skeleton().bone(bone).parent?;
                bones.iter().position(|&other| other == parent)
            })
            .collect();
        let rest_of = |at: usize| &rest[bones[at].index()];
        let offset = |at: usize| {
            let place = rest_of(at).translation;
            parents[at].map_or(place, |parent| place - rest_of(parent).translation)
        };
        let rows = sampled(character, clip, fps, wanted, &bones, &parents, &rest);
        let shifts: Vec<bool> = (0..bones.len())
            .map(|at| {
                parents[at].is_none() || rows.iter().any(|row| row[at].0.distance(offset(at)) > SHIFT_M)
            })
            .collect();
        let names = unique_names(character.skeleton(), &bones);
        let joints = (0..bones.len()).map(|at| BvhJoint {
            name: names[at].clone(),
            parent: parents[at],
            offset: offset(at),
            channels: if shifts[at] { [PLACES, TURNS].concat() } else { TURNS.to_vec() },
            end: Some(end_of(character, bones[at], rest_of(at))),
        });
        let mut values = Vec::new();
        for row in &rows {
            for ((place, turn), &is_shifting) in row.iter().zip(&shifts) {
                if is_shifting {
                    values.extend(place.to_array());
                }
                let (z, x, y) = turn.to_euler(EulerRot::ZXY);
                values.extend([z, x, y].map(f64::to_degrees));
            }
        }
        let mut bvh = Self { joints: joints.collect(), frame_secs: 1.0 / fps, values };
        bvh.unwrap_angles();
        bvh
    }

    /// Makes angles continuous from frame to frame; other programs would otherwise interpolate the long way round.
    fn unwrap_angles(&mut self) {
        let count = self.channel_count();
        let is_turn: Vec<bool> = self
            .joints
            .iter()
            .flat_map(|joint| joint.channels.iter().map(|channel| matches!(channel, BvhChannel::Rotation(_))))
            .collect();
        for at in count..self.values.len() {
            if is_turn[at % count] {
                let before = self.values[at - count];
                self.values[at] -= 360.0 * ((self.values[at] - before) / 360.0).round();
            }
        }
    }
}

/// Joints of binds, bones that move, and all their ancestors; of several trees the largest. Parents come first, each followed by its
/// descendants.
fn written_bones(character: &Character, clip: &Clip, report: &mut Report) -> Vec<BoneId> {
    let skeleton = character.skeleton();
    let mut is_needed = vec![character.binds().is_empty(); skeleton.bone_count()];
    let moved = clip.tracks.iter().filter_map(|track| match track.channel {
        Channel::Translation(bone, _) | Channel::Rotation(bone, _) | Channel::Scale(bone, _) => Some(bone),
        Channel::MorphWeights(..) | Channel::Reach(..) => None,
    });
    for bone in character.joints().into_iter().chain(moved) {
        is_needed[bone.index()] = true;
    }
    for &bone in skeleton.parents_first().iter().rev() {
        if let Some(parent) = skeleton.bone(bone).parent.filter(|_| is_needed[bone.index()]) {
            is_needed[parent.index()] = true;
        }
    }
    let mut trees: Vec<Vec<BoneId>> = Vec::new();
    for &root in skeleton.parents_first().iter().filter(|&&bone| skeleton.bone(bone).parent.is_none()) {
        let mut tree = Vec::new();
        let mut open = vec![root];
        while let Some(bone) = open.pop() {
            if is_needed[bone.index()] {
                tree.push(bone);
                let children: Vec<BoneId> = skeleton.children(bone).collect();
                open.extend(children.into_iter().rev());
            }
        }
        trees.push(tree);
    }
    let largest = trees.into_iter().enumerate().max_by_key(|(at, tree)| (tree.len(), usize::MAX - at));
    let bones = largest.map(|(_, tree)| tree).unwrap_or_default();
    let left_out = is_needed.iter().filter(|&&is_needed| is_needed).count() - bones.len();
    if left_out > 0 {
        let what = format!("{left_out} bones of other skeletons are left out; a BVH file holds one skeleton");
        report.warn("", what);
    }
    if clip.tracks.iter().any(|track| matches!(track.channel, Channel::MorphWeights(..) | Channel::Scale(..)))
    {
        report.warn("", "morphs and scales are left out; BVH does not support them");
    }
    bones
}

fn frame_of(character: &Character, evaluator: &mut Evaluator, pose: &Pose) -> Vec<DAffine3> {
    let mut matrices = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    evaluator.model_from_bone_into(character, pose, &mut matrices);
    matrices.iter().map(Affine3A::as_daffine3).collect()
}

/// Position and rotation of each joint relative to its parent, for each frame.
fn sampled(
    character: &Character,
    clip: &Clip,
    fps: f64,
    frames: usize,
    bones: &[BoneId],
    parents: &[Option<usize>],
    rest: &[DAffine3],
) -> Vec<Vec<(DVec3, DQuat)>> {
    let mut evaluator = Evaluator::new(character);
    let mut pose = Pose::rest(character);
    let back: Vec<DQuat> = bones.iter().map(|bone| rotation_of(&rest[bone.index()]).inverse()).collect();
    let mut rows = Vec::with_capacity(frames);
    for frame in 0..frames {
        pose.set_clip(character, clip, frame as f64 / fps);
        let posed = frame_of(character, &mut evaluator, &pose);
        // Rotation of each joint from rest, along the model's axes.
        let turned: Vec<DQuat> =
            bones.iter().zip(&back).map(|(bone, back)| rotation_of(&posed[bone.index()]) * *back).collect();
        let row = bones.iter().enumerate().map(|(at, bone)| {
            let place = posed[bone.index()].translation;
            match parents[at] {
                Some(parent) => {
                    let into_parent = turned[parent].inverse();
                    let from_parent = place - posed[bones[parent].index()].translation;
                    (into_parent * from_parent, (into_parent * turned[at]).normalize())
                }
                None => (place, turned[at]),
            }
        });
        rows.push(row.collect());
    }
    rows
}

fn end_of(character: &Character, bone: BoneId, rest: &DAffine3) -> DVec3 {
    let tip = character.skeleton().bone(bone).tip_in_bone.unwrap_or_default();
    rest.transform_vector3(tip.as_dvec3())
}

/// Unique names without spaces.
fn unique_names(skeleton: &Skeleton, bones: &[BoneId]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(bones.len());
    for &bone in bones {
        let plain = skeleton
            .bone(bone)
            .name
            .replace(|letter: char| letter.is_whitespace() || "{}".contains(letter), "_");
        let plain = if plain.is_empty() { "joint".to_owned() } else { plain };
        let mut name = plain.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{plain}_{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// The rotation of a matrix without its scale.
fn rotation_of(matrix: &DAffine3) -> DQuat {
    let x = matrix.matrix3.x_axis.normalize_or(DVec3::X);
    let y = matrix.matrix3.y_axis.reject_from_normalized(x).normalize_or(x.any_orthonormal_vector());
    DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize()
}

#[cfg(test)]
mod tests {
    use super::super::BvhScale;
    use super::*;
    use crate::Limits;
    use sinew_rig::samples;

    /// Angles are written to a millionth of a degree and places to a micrometre, down chains of a few joints, in f32 matrices.
    const ROUNDING_M: f64 = 2e-5;

    #[test]
    fn a_written_clip_moves_joints_to_the_same_places() {
        let character = samples::figure();
        for clip in character.clips() {
            let mut report = Report::default();
            let bvh = Bvh::from_clip(&character, clip, 30.0, &mut report);
            let text = bvh.write();
            let again = Bvh::read(text.as_bytes(), &Limits::default(), &mut report).expect("our own BVH");
            let skeleton = again.to_character("again", BvhScale::Guessed, &mut report).expect("a character");
            assert_eq!(again.frame_count(), clip.frame_count(30.0));
            let (mut ours, mut theirs) = (Pose::rest(&character), Pose::rest(&skeleton));
            for frame in 0..again.frame_count() {
                let secs = frame as f64 / 30.0;
                ours.set_clip(&character, clip, secs);
                theirs.set_clip(&skeleton, &skeleton.clips()[0], secs);
                let ours = frame_of(&character, &mut Evaluator::new(&character), &ours);
                let theirs = frame_of(&skeleton, &mut Evaluator::new(&skeleton), &theirs);
                for (index, bone) in skeleton.skeleton().bones().iter().enumerate() {
                    let same = character.skeleton().find(&bone.name).expect("the same names");
                    let far = theirs[index].translation.distance(ours[same.index()].translation);
                    assert!(far < ROUNDING_M, "{:?} {} frame {frame}: {far}", clip.name, bone.name);
                }
            }
        }
    }

    #[test]
    fn names_are_made_unique_and_without_spaces() {
        let mut parts = samples::limb(4, 6).into_parts();
        parts.bones[0].name = "a b".into();
        parts.bones[1].name = "a_b".into();
        let character = Character::new(parts).expect("a limb");
        let bvh = Bvh::from_clip(&character, &character.clips()[0], 24.0, &mut Report::default());
        let names: Vec<&str> = bvh.joints().iter().map(|joint| joint.name.as_str()).collect();
        assert_eq!(names[..2], ["a_b", "a_b_2"]);
    }
}
