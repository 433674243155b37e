//! The skeleton of a body.

use crate::body::{Body, BodyBone};
use glam::{Affine3A, DMat3, DVec3, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{Bone, BoneId, LocalTransform};

/// Bones of the character, in the order of the body's bones.
pub(super) struct SkeletonOfBody {
    pub(super) bones: Vec<Bone>,
    /// Rest, one per bone.
    pub(super) model_from_bone: Vec<Affine3A>,
}

impl SkeletonOfBody {
    pub(super) fn new(body: &Body) -> Self {
        let placed: Vec<Trs> = body.bones.iter().map(|bone| placed(body, bone)).collect();
        let model_from_bone: Vec<Affine3A> = placed.iter().map(|trs| trs.to_affine()).collect();
        let rigged = |(index, bone): (usize, &BodyBone)| {
            let parent = parent_of(body, index);
            let rest = parent.map_or(placed[index], |parent| beside(&placed[parent], &placed[index]));
            Bone {
                name: format!("{}{}", bone.name, bone.flank.suffix()),
                parent: parent.map(BoneId::of),
                rest: LocalTransform::Trs(rest),
                tip_in_bone: Some(Vec3::Y * way(body, bone).length() as f32),
            }
        };
        Self { bones: body.bones.iter().enumerate().map(rigged).collect(), model_from_bone }
    }
}

/// The parent of a bone: the one that starts at the joint before it.
pub(super) fn parent_of(body: &Body, bone: usize) -> Option<usize> {
    let bones = &body.bones;
    let mut joint = bones[bone].from;
    while let Some(before) = body.joints[joint].parent {
        let begins = |found: &BodyBone| found.from == before;
        let leads_here = bones.iter().position(|found| begins(found) && found.to == joint);
        let found = leads_here.or_else(|| bones.iter().position(begins));
        if found.is_some_and(|found| found != bone) {
            return found;
        }
        joint = before;
    }
    None
}

pub(super) fn way(body: &Body, bone: &BodyBone) -> DVec3 {
    body.joints[bone.to].position - body.joints[bone.from].position
}

/// +Y along the bone, +X the bend axis.
fn placed(body: &Body, bone: &BodyBone) -> Trs {
    let y = way(body, bone).normalize_or(DVec3::Y);
    let axis = bone.bend_axis.unwrap_or(DVec3::X);
    let x = axis.reject_from_normalized(y).normalize_or(y.any_orthonormal_vector());
    let turn = DMat3::from_cols(x, y, x.cross(y)).as_mat3();
    Trs {
        translation: body.joints[bone.from].position.as_vec3(),
        rotation: Quat::from_mat3(&turn).normalize(),
        scale: Vec3::ONE,
    }
}

/// A bone's transform relative to another.
fn beside(parent: &Trs, child: &Trs) -> Trs {
    let back = parent.rotation.inverse();
    Trs {
        translation: back * (child.translation - parent.translation),
        rotation: (back * child.rotation).normalize(),
        scale: Vec3::ONE,
    }
}
