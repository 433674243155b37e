//! Springs in motion.
//!
//! After the spring bone of VRM 1.0 as the library three-vrm computes it, step by step:
//!
//! | here | meaning |
//! |---|---|
//! | x, x′ | tail now and one step before, in the chain's center space |
//! | d, k, g | drag, stiffness, gravity |
//! | a | rest direction of the tail, model space |
//!
//! next = x + (1 − d)(x − x′) + k dt a + g dt; then its distance from the joint is set to the length, and every collider that it is in
//! pushes it out and sets the length again. The joint turns by the shortest arc from a to the new direction.
//!
//! What the length is, [`super::SpringPlay`] says. Drag counts per step, whatever its length: results depend on the rate of steps, which is 60 Hz ([`super::SPRING_FPS`]).

use super::{SpringJoint, SpringPlay, order};
use crate::{BoneId, Character};
use glam::{Affine3A, DAffine3, DQuat, DVec3};
use sinew_geometry::Trs;

/// The springs of one character, with their state.
#[derive(Clone, Debug)]
pub struct SpringRun {
    character: Character,
    /// In the order in which they swing.
    joints: Vec<Joint>,
    /// Of the last step.
    model_from_bone: Vec<DAffine3>,
    parent_from_bone: Vec<DAffine3>,
}

#[derive(Clone, Debug)]
struct Joint {
    settings: SpringJoint,
    center: Option<BoneId>,
    colliders: Vec<usize>,
    /// Parent from bone, at rest.
    rest: DAffine3,
    rest_rotation: DQuat,
    /// The next joint at rest, bone space.
    tail_in_bone: DVec3,
    /// Bones below that do not swing themselves, parents first.
    carried: Vec<BoneId>,
    rotation: DQuat,
    /// Center space, now and one step before.
    tail: DVec3,
    tail_before: DVec3,
    /// Where the next joint is, model space: `tail`, but at the bone's own length.
    end: DVec3,
    /// Whether the length is that to the end of the step before.
    is_measured: bool,
}

impl SpringRun {
    /// Springs that hang as the rest pose has them; [`Self::reset`] puts them into a pose.
    pub fn new(character: &Character) -> Self {
        let skeleton = character.skeleton();
        let rest: Vec<DAffine3> = skeleton.rest_model_from_bone().iter().map(Affine3A::as_daffine3).collect();
        let springs = character.springs();
        let bones: Vec<BoneId> = springs.moved_bones().collect();
        let mut joints = Vec::with_capacity(bones.len());
        for chain in springs.played() {
            let groups = chain.groups.iter().map(|&group| &springs.groups[group as usize]);
            let colliders: Vec<usize> =
                groups.flat_map(|group| group.colliders.iter().map(|&collider| collider as usize)).collect();
            for pair in chain.joints.windows(2) {
                let bone_from_model = rest[pair[0].bone.index()].inverse();
                let tail_in_bone = bone_from_model.transform_point3(rest[pair[1].bone.index()].translation);
                let local = skeleton.bone(pair[0].bone).rest;
                joints.push(Joint {
                    settings: pair[0],
                    center: chain.center,
                    colliders: colliders.clone(),
                    rest: local.to_affine().as_daffine3(),
                    rest_rotation: local.to_trs().rotation.as_dquat(),
                    // A flattened bone has no inverse; its tail is where it is.
                    tail_in_bone: if tail_in_bone.is_finite() { tail_in_bone } else { DVec3::ZERO },
                    carried: carried(character, pair[0].bone, &bones),
                    rotation: local.to_trs().rotation.as_dquat(),
                    tail: DVec3::ZERO,
                    tail_before: DVec3::ZERO,
                    end: DVec3::ZERO,
                    is_measured: springs.play == SpringPlay::ThreeVrm && !pair[1].is_added,
                });
            }
        }
        let colliders: Vec<Vec<usize>> = joints.iter().map(|joint| joint.colliders.clone()).collect();
        let order = order::order(skeleton, springs, &bones, &colliders);
        let joints = order.into_iter().map(|joint| joints[joint].clone()).collect();
        let parent_from_bone = vec![DAffine3::IDENTITY; rest.len()];
        Self { character: character.clone(), joints, model_from_bone: rest, parent_from_bone }
    }

    /// The rotations of all bones that swing, in their parents.
    pub fn rotations(&self) -> impl Iterator<Item = (BoneId, DQuat)> + '_ {
        self.joints.iter().map(|joint| (joint.settings.bone, joint.rotation))
    }

    /// Hangs all springs as they rest, without speed, on a posed character.
    ///
    /// # Panics
    /// If the slice is not one per bone.
    pub fn reset(&mut self, model_from_bone: &[Affine3A]) {
        self.take_pose(model_from_bone);
        for at in 0..self.joints.len() {
            let rest = self.joints[at].rest_rotation;
            self.turn(at, rest);
            let tail = self.model_from_center(at).inverse().transform_point3(self.joints[at].end);
            let joint = &mut self.joints[at];
            (joint.tail, joint.tail_before) = (tail, tail);
        }
    }

    /// One step of `dt_secs` to the next pose: `model_from_bone` as it would be without springs. Returns the length of the farthest way
    /// of a tail, as a share of its bone's length.
    ///
    /// # Panics
    /// If the slice is not one per bone.
    pub fn step(&mut self, model_from_bone: &[Affine3A], dt_secs: f64) -> f64 {
        self.take_pose(model_from_bone);
        (0..self.joints.len()).map(|at| self.step_joint(at, dt_secs)).fold(0.0, f64::max)
    }

    /// Goes on in a pose that is the last one at another place, as at the start of the next round of a clip that travels.
    pub fn go_on_from(&mut self, model_from_bone: &[Affine3A]) {
        let Some(first) = self.joints.first() else { return };
        // No spring carries the first, so only the travel moves it.
        let bone = first.settings.bone.index();
        let travel = model_from_bone[bone].translation.as_dvec3() - self.model_from_bone[bone].translation;
        for joint in self.joints.iter_mut().filter(|joint| joint.center.is_none()) {
            joint.tail += travel;
            joint.tail_before += travel;
        }
        self.joints.iter_mut().for_each(|joint| joint.end += travel);
    }

    fn take_pose(&mut self, model_from_bone: &[Affine3A]) {
        assert_eq!(model_from_bone.len(), self.model_from_bone.len(), "one transform per bone");
        let bones = self.character.skeleton().bones();
        for (index, (bone, given)) in bones.iter().zip(model_from_bone).enumerate() {
            let given = given.as_daffine3();
            self.model_from_bone[index] = given;
            let local = bone
                .parent
                .map_or(given, |parent| model_from_bone[parent.index()].as_daffine3().inverse() * given);
            // The inverse of a flattened parent is not finite.
            let is_finite = local.is_finite();
            self.parent_from_bone[index] =
                if is_finite { local } else { bone.rest.to_affine().as_daffine3() };
        }
    }

    fn step_joint(&mut self, at: usize, dt_secs: f64) -> f64 {
        let parent = self.model_from_parent(at);
        let center = self.model_from_center(at);
        let ended = self.joints[at].end;
        // As it stood, in the new pose: the length depends on that where scale differs along axes.
        self.turn(at, self.joints[at].rotation);
        let joint = &self.joints[at];
        let SpringJoint { bone, stiffness, gravity_power, gravity_dir, drag, .. } = joint.settings;
        let stands = self.model_from_bone[bone.index()];
        let head = stands.translation;
        let length = match joint.is_measured {
            true => head.distance(ended),
            false => stands.transform_vector3(joint.tail_in_bone).length(),
        };
        let axis =
            parent.transform_vector3(joint.rest.transform_vector3(joint.tail_in_bone)).normalize_or_zero();
        let drifted = joint.tail + (joint.tail - joint.tail_before) * (1.0 - f64::from(drag));
        let pulled = center.transform_point3(drifted)
            + axis * (f64::from(stiffness) * dt_secs)
            + gravity_dir.as_dvec3() * (f64::from(gravity_power) * dt_secs);
        let next = head + (pulled - head).normalize_or_zero() * length;
        let next = self.pushed_out(joint, next, head, length);
        let in_center = center.inverse().transform_point3(next);
        let in_rest = (parent * joint.rest).inverse().transform_point3(next);
        let ways = joint.tail_in_bone.try_normalize().zip(in_rest.try_normalize());
        // Bones without length, or flattened, stay as they are.
        let (Some((from, to)), true) = (ways, in_center.is_finite()) else { return 0.0 };
        let joint = &mut self.joints[at];
        let moved = joint.tail.distance(in_center) / length.max(f64::MIN_POSITIVE);
        (joint.tail_before, joint.tail) = (joint.tail, in_center);
        let rotation = (joint.rest_rotation * DQuat::from_rotation_arc(from, to)).normalize();
        self.turn(at, rotation);
        moved
    }

    fn pushed_out(&self, joint: &Joint, mut tail: DVec3, head: DVec3, length: f64) -> DVec3 {
        for &index in &joint.colliders {
            let collider = &self.character.springs().colliders[index];
            let stands = &self.model_from_bone[collider.bone.index()];
            if let Some(hit) = collider.shape.hit(stands, tail, f64::from(joint.settings.hit_radius_m)) {
                let out = tail + hit.way_out * hit.depth_m;
                tail = head + (out - head).normalize_or_zero() * length;
            }
        }
        tail
    }

    fn model_from_parent(&self, at: usize) -> DAffine3 {
        let parent = self.character.skeleton().bone(self.joints[at].settings.bone).parent;
        parent.map_or(DAffine3::IDENTITY, |parent| self.model_from_bone[parent.index()])
    }

    fn model_from_center(&self, at: usize) -> DAffine3 {
        self.joints[at].center.map_or(DAffine3::IDENTITY, |center| self.model_from_bone[center.index()])
    }

    /// Turns a joint in its parent, with all that it carries.
    fn turn(&mut self, at: usize, rotation: DQuat) {
        let parent = self.model_from_parent(at);
        let joint = &mut self.joints[at];
        joint.rotation = rotation;
        let bone = joint.settings.bone.index();
        let asked = Trs::nearest(&self.parent_from_bone[bone].as_affine3a());
        let local = DAffine3::from_scale_rotation_translation(
            asked.scale.as_dvec3(),
            rotation,
            self.parent_from_bone[bone].translation,
        );
        let stands = parent * local;
        joint.end = stands.transform_point3(joint.tail_in_bone);
        self.model_from_bone[bone] = stands;
        for &carried in &self.joints[at].carried {
            let above = self.character.skeleton().bone(carried).parent.expect("it is below the joint");
            self.model_from_bone[carried.index()] =
                self.model_from_bone[above.index()] * self.parent_from_bone[carried.index()];
        }
    }
}

/// Bones below `bone` with none that swings between, parents first.
fn carried(character: &Character, bone: BoneId, swinging: &[BoneId]) -> Vec<BoneId> {
    let skeleton = character.skeleton();
    let mut is_carried = vec![false; skeleton.bone_count()];
    let mut carried = Vec::new();
    for &below in skeleton.parents_first() {
        let is_child = |parent: BoneId| parent == bone || is_carried[parent.index()];
        if skeleton.bone(below).parent.is_some_and(is_child) && !swinging.contains(&below) {
            is_carried[below.index()] = true;
            carried.push(below);
        }
    }
    carried
}
