//! Translation, rotation and scale.

use glam::{Affine3A, Mat3A, Quat, Vec3};

/// A local transform: scale, then rotate, then translate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trs {
    /// Applied last; m.
    pub translation: Vec3,
    /// Applied second; unit.
    pub rotation: Quat,
    /// Applied first; 1 leaves the size alone.
    pub scale: Vec3,
}

impl Default for Trs {
    fn default() -> Self {
        Self::IDENTITY
    }
}

/// Shear (the largest difference of an entry of the 3×3 part) below this share of the largest entry is rounding: exporters write matrices whose columns are perpendicular only to
/// about 1e-6. Too small, and clean files are called sheared; too large, and a visible shear (1e-3 is 1 mm in a meter)
/// is dropped.
const SHEAR_TOLERANCE: f32 = 1e-5;

impl Trs {
    /// Changes nothing.
    pub const IDENTITY: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY, scale: Vec3::ONE };

    /// A translation alone.
    pub fn from_translation(translation: Vec3) -> Self {
        Self { translation, ..Self::IDENTITY }
    }

    /// A rotation alone.
    pub fn from_rotation(rotation: Quat) -> Self {
        Self { rotation, ..Self::IDENTITY }
    }

    /// The matrix that does the same.
    pub fn to_affine(self) -> Affine3A {
        Affine3A::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    /// Splits a matrix into translation, rotation and scale. `None` if it is sheared, so that they do not multiply back to it.
    pub fn from_affine(affine: &Affine3A) -> Option<Self> {
        let trs = Self::nearest(affine);
        let difference = trs.to_affine().matrix3 - affine.matrix3;
        let largest = |m: &Mat3A| m.to_cols_array().iter().fold(0.0, |a: f32, b| a.max(b.abs()));
        let shear = largest(&difference) / largest(&affine.matrix3).max(f32::MIN_POSITIVE);
        (shear <= SHEAR_TOLERANCE).then_some(trs)
    }

    /// The transform by a matrix's columns, made unit and perpendicular. A mirrored matrix gets a negative x scale.
    pub fn nearest(affine: &Affine3A) -> Self {
        let columns = affine.matrix3;
        let mirror = if columns.determinant() < 0.0 { -1.0 } else { 1.0 };
        let scale =
            Vec3::new(columns.x_axis.length() * mirror, columns.y_axis.length(), columns.z_axis.length());
        let rotation = rotation_of_columns(&columns, scale);
        Self { translation: affine.translation.into(), rotation, scale }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.translation.is_finite() && self.rotation.is_finite() && self.scale.is_finite()
    }
}

/// The rotation of a matrix with its scale divided out. Columns of no length (a flattened axis) are completed to a frame.
fn rotation_of_columns(columns: &Mat3A, scale: Vec3) -> Quat {
    let unit =
        |axis: glam::Vec3A, length: f32| if length == 0.0 { Vec3::ZERO } else { Vec3::from(axis) / length };
    let (mut x, mut y, mut z) =
        (unit(columns.x_axis, scale.x), unit(columns.y_axis, scale.y), unit(columns.z_axis, scale.z));
    match (x == Vec3::ZERO, y == Vec3::ZERO, z == Vec3::ZERO) {
        (false, false, false) => {}
        (true, false, false) => x = y.cross(z),
        (false, true, false) => y = z.cross(x),
        (false, false, true) => z = x.cross(y),
        (false, true, true) => (y, z) = x.any_orthonormal_pair(),
        (true, false, true) => (z, x) = y.any_orthonormal_pair(),
        (true, true, false) => (x, y) = z.any_orthonormal_pair(),
        (true, true, true) => return Quat::IDENTITY,
    }
    let rotation = Quat::from_mat3(&glam::Mat3::from_cols(x, y, z)).normalize();
    if rotation.is_finite() { rotation } else { Quat::IDENTITY }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rounding of building, multiplying and splitting a matrix in f32.
    const ROUNDING: f32 = 1e-5;

    #[test]
    fn shear_is_refused_and_has_a_nearest_transform() {
        let mut affine = Affine3A::IDENTITY;
        affine.matrix3.y_axis.x = 0.3;
        assert_eq!(Trs::from_affine(&affine), None);
        assert!(Trs::nearest(&affine).is_finite());
    }

    #[test]
    fn flat_and_zero_matrices_have_a_rotation() {
        for scale in
            [Vec3::ZERO, Vec3::new(1.0, 0.0, 2.0), Vec3::new(0.0, 0.0, 3.0), Vec3::new(0.0, 1.0, 1.0)]
        {
            let trs = Trs { translation: Vec3::X, rotation: Quat::from_rotation_y(1.0), scale };
            let back = Trs::from_affine(&trs.to_affine()).expect("a flattened axis does not shear");
            assert!(back.to_affine().abs_diff_eq(trs.to_affine(), ROUNDING), "{scale}: {back:?}");
        }
    }

    proptest! {
        #[test]
        fn splitting_and_joining_gives_the_matrix_back(
            axis in prop::array::uniform3(-1.0f32..1.0), angle in -6.3f32..6.3,
            scale in prop::array::uniform3(prop_oneof![0.01f32..10.0, Just(1.0f32)]), mirrored in any::<bool>(),
            translation in prop::array::uniform3(-100.0f32..100.0),
        ) {
            let axis = Vec3::from(axis).try_normalize().unwrap_or(Vec3::X);
            let mut scale = Vec3::from(scale);
            if mirrored { scale.y = -scale.y; }
            let affine = Affine3A::from_scale_rotation_translation(scale, Quat::from_axis_angle(axis, angle), Vec3::from(translation));
            let back = Trs::from_affine(&affine).expect("made of TRS").to_affine();
            prop_assert!(back.matrix3.abs_diff_eq(affine.matrix3, ROUNDING * scale.abs().max_element()));
            prop_assert_eq!(back.translation, affine.translation);
        }
    }
}
