//! A bone in one frame: its skinning matrix, and its parts for blending.

use glam::{Affine3A, Mat3A, Quat, Vec3A, Vec4};
use sinew_geometry::polar;

/// A skinning matrix in all forms that methods need.
///
/// With `lin(M) = R P` (polar decomposition): `M v = R (P v) + t`.
#[derive(Clone, Copy, Debug)]
pub struct BoneFrame {
    /// M: posed space from rest space.
    pub posed_from_rest: Affine3A,
    /// R: the rotation in M, determinant +1.
    pub rotation: Quat,
    /// P: scale and shear, symmetric.
    pub stretch: Mat3A,
    /// The dual part of the rigid motion `v ↦ R v + t`: `½ t R` as quaternions.
    pub dual: Quat,
}

impl BoneFrame {
    /// The identity.
    pub const IDENTITY: Self = Self {
        posed_from_rest: Affine3A::IDENTITY,
        rotation: Quat::IDENTITY,
        stretch: Mat3A::IDENTITY,
        dual: Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
    };

    /// Splits a skinning matrix.
    pub fn new(posed_from_rest: &Affine3A) -> Self {
        let split = polar(&posed_from_rest.matrix3);
        Self {
            posed_from_rest: *posed_from_rest,
            rotation: split.rotation,
            stretch: split.stretch,
            dual: dual_part(split.rotation, posed_from_rest.translation),
        }
    }
}

/// `½ t q`, with the translation as a quaternion without real part.
pub(crate) fn dual_part(rotation: Quat, translation: Vec3A) -> Quat {
    let half = translation * 0.5;
    Quat::from_vec4(Vec4::new(half.x, half.y, half.z, 0.0)) * rotation
}
