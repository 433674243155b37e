//! Input and output of a method for one vertex.

use crate::{BoneFrame, RotationBlend, mean_rotation};
use glam::{Mat3A, Vec3, Vec3A};

/// A vertex in rest, with its bones.
#[derive(Clone, Copy, Debug)]
pub struct RestVertex<'a> {
    /// Rest position.
    pub position: Vec3,
    /// Its palette entries; at least one.
    pub joints: &'a [u16],
    /// Their weights: positive, sum 1.
    pub weights: &'a [f32],
    /// c: its projection onto the bones' axis, or its optimized center of rotation.
    pub center: Vec3,
    /// rᵢ: start of each bone's soft range, one per joint; empty for methods without it.
    pub anchors: &'a [Vec3],
    /// The joints between its bones, one per pair: (0,1), (0,2) … (1,2) …; empty if `anchors` is.
    pub heads: &'a [JointHead],
}

/// The joint between two bones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointHead {
    /// Position in rest: the child's head or, for bones without a common joint, halfway between them.
    pub rest: Vec3,
    /// The palette entry that carries it: the parent's; `None` for bones without a common joint.
    pub parent: Option<u16>,
}

impl RestVertex<'_> {
    /// `Σ wᵢ Mᵢ point`.
    pub(crate) fn blend_point(&self, point: Vec3, bones: &[BoneFrame]) -> Vec3 {
        let moved = self
            .bones(bones)
            .map(|(bone, weight)| bone.posed_from_rest.transform_point3a(point.into()) * weight);
        moved.fold(Vec3A::ZERO, |sum, moved| sum + moved).into()
    }

    /// `Σ wᵢ Pᵢ`: the blended scale and shear.
    pub(crate) fn blend_stretch(&self, bones: &[BoneFrame]) -> Mat3A {
        self.bones(bones).fold(Mat3A::ZERO, |sum, (bone, weight)| sum + bone.stretch * weight)
    }

    /// The bones' mean rotation with the blended scale and shear.
    pub(crate) fn blend_map(&self, bones: &[BoneFrame], blend: RotationBlend) -> Mat3A {
        let rotation = mean_rotation(self.weights, |i| bones[usize::from(self.joints[i])].rotation, blend);
        Mat3A::from_quat(rotation) * self.blend_stretch(bones)
    }

    /// The vertex turned about its center, which moves as `blend_point` says.
    pub(crate) fn turned_about_center(&self, bones: &[BoneFrame], blend: RotationBlend) -> MovedVertex {
        let map = self.blend_map(bones, blend);
        let turned = map * Vec3A::from(self.position - self.center);
        MovedVertex { position: self.blend_point(self.center, bones) + Vec3::from(turned), map }
    }

    /// m: `Σ wᵢ rᵢ`.
    pub(crate) fn blend_anchors(&self) -> Vec3 {
        let anchors = self.anchors.iter().zip(self.weights);
        anchors.fold(Vec3::ZERO, |sum, (&anchor, &weight)| sum + anchor * weight)
    }

    /// The vertex's bones with their weights.
    pub(crate) fn bones<'b>(&'b self, bones: &'b [BoneFrame]) -> impl Iterator<Item = (&'b BoneFrame, f32)> {
        self.joints.iter().zip(self.weights).map(|(&joint, &weight)| (&bones[usize::from(joint)], weight))
    }
}

/// Result of a method for one vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovedVertex {
    /// Posed position.
    pub position: Vec3,
    /// Rotation, scale and shear of the surface around it: for normals (by its cofactor) and tangents.
    pub map: Mat3A,
}
