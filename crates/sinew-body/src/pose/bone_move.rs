//! Rigid motions.

use glam::{Affine3A, DMat3, DQuat, DVec3};

/// A rigid motion of model space: of everything fixed to a bone in rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMove {
    /// Rotation about the origin, unit.
    pub rotation: DQuat,
    /// Added after the rotation, m.
    pub shift: DVec3,
}

impl BoneMove {
    /// The identity.
    pub const NONE: BoneMove = BoneMove { rotation: DQuat::IDENTITY, shift: DVec3::ZERO };

    /// A rotation that keeps one point in place.
    pub fn about(center: DVec3, rotation: DQuat) -> Self {
        BoneMove { rotation, shift: center - rotation * center }
    }

    /// A rotation that moves one point to another.
    pub(super) fn taking(from: DVec3, to: DVec3, rotation: DQuat) -> Self {
        BoneMove { rotation, shift: to - rotation * from }
    }

    /// The rigid part of a matrix. A singular matrix, with axes of no length or in one plane, keeps directions.
    pub fn from_affine(matrix: &Affine3A) -> Self {
        let x = matrix.matrix3.x_axis.as_dvec3().normalize_or_zero();
        let y = matrix.matrix3.y_axis.as_dvec3().reject_from(x).normalize_or_zero();
        let z = x.cross(y);
        let is_frame = z.length_squared() > 0.5 && z.is_finite();
        let rotation =
            if is_frame { DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize() } else { DQuat::IDENTITY };
        let shift = matrix.translation.as_dvec3();
        BoneMove { rotation, shift: if shift.is_finite() { shift } else { DVec3::ZERO } }
    }

    /// Where a point goes.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * point + self.shift
    }

    /// The motion back.
    pub(super) fn inverse(&self) -> Self {
        let rotation = self.rotation.inverse();
        BoneMove { rotation, shift: -(rotation * self.shift) }
    }

    /// First another motion, then this one.
    pub fn after(&self, first: &BoneMove) -> Self {
        BoneMove { rotation: (self.rotation * first.rotation).normalize(), shift: self.point(first.shift) }
    }

    /// Moves all points of a list.
    pub(super) fn apply(&self, points: &mut [DVec3]) {
        let rotation = DMat3::from_quat(self.rotation);
        for point in points {
            *point = rotation * *point + self.shift;
        }
    }
}
