//! A bone's change from rest, and shares of it.

use glam::{Affine3A, Mat3A, Quat, Vec3};
use sinew_geometry::{Trs, slerp};

/// A bone's change from rest: the parent's frame for the translation, the bone's own rest frame for the rotation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    /// Added to the rest translation, m.
    pub(super) translation: Vec3,
    /// On the right of the rest rotation; unit.
    pub(super) rotation: Quat,
}

impl Change {
    /// As at rest.
    pub(super) const NONE: Self = Self { translation: Vec3::ZERO, rotation: Quat::IDENTITY };
}

/// Where a bone rests.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rest {
    translation: Vec3,
    rotation: Quat,
    /// Of the whole model.
    pub(super) position_in_model: Vec3,
    /// Of the whole model.
    pub(super) model_rotation: Quat,
}

impl Rest {
    pub(super) fn new(parent_from_bone: &Affine3A, model_from_bone: &Affine3A) -> Self {
        Self {
            translation: parent_from_bone.translation.into(),
            rotation: rotation_of(parent_from_bone),
            position_in_model: model_from_bone.translation.into(),
            model_rotation: rotation_of(model_from_bone),
        }
    }

    /// The rotation in the parent.
    pub(super) fn rotation(&self) -> Quat {
        self.rotation
    }

    /// Splits how a bone stands into its change from rest, and the scale and shear that stay in its own frame.
    pub(super) fn split(&self, parent_from_bone: &Affine3A) -> (Change, Mat3A) {
        let rotation = rotation_of(parent_from_bone);
        let change = Change {
            translation: Vec3::from(parent_from_bone.translation) - self.translation,
            rotation: self.rotation.conjugate() * rotation,
        };
        (change, Mat3A::from_quat(rotation.conjugate()) * parent_from_bone.matrix3)
    }

    /// The opposite of [`Self::split`].
    pub(super) fn join(&self, change: &Change, scale_and_shear: &Mat3A) -> Affine3A {
        Affine3A {
            matrix3: Mat3A::from_quat(self.rotation * change.rotation) * *scale_and_shear,
            translation: (self.translation + change.translation).into(),
        }
    }
}

/// The rotation of a matrix without scale and shear; always unit.
pub(super) fn rotation_of(affine: &Affine3A) -> Quat {
    Trs::nearest(affine).rotation
}

/// A share of a rotation, along the shorter arc; below 0 in reverse, above 1 further.
pub(super) fn share_of_turn(turn: Quat, share: f32) -> Quat {
    slerp(Quat::IDENTITY, turn, share)
}

/// A rotation about `axis` by the whole angle of `turn`, in the nearer direction; as MMD does with motions of such bones.
pub(super) fn put_on_axis(turn: Quat, axis: Vec3) -> Quat {
    let vector = turn.xyz();
    let half_angle = vector.length().atan2(turn.w);
    let sense = if vector.dot(axis) < 0.0 { -1.0 } else { 1.0 };
    let (sine, cosine) = half_angle.sin_cos();
    Quat::from_vec4((axis * (sense * sine)).extend(cosine))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of splitting and joining a matrix in f32.
    const ROUNDING: f32 = 1e-6;

    #[test]
    fn shares_of_a_turn_go_back_and_beyond() {
        let turn = Quat::from_rotation_y(0.6);
        for (share, angle) in [(0.5, 0.3), (-1.0, -0.6), (2.5, 1.5), (0.0, 0.0), (1.0, 0.6)] {
            let expected = Quat::from_rotation_y(angle);
            assert!(share_of_turn(turn, share).abs_diff_eq(expected, ROUNDING), "{share}");
            assert!(share_of_turn(-turn, share).abs_diff_eq(expected, ROUNDING), "{share}, the other sign");
        }
        assert_eq!(share_of_turn(Quat::IDENTITY, -3.0), Quat::IDENTITY);
    }

    #[test]
    fn the_whole_angle_is_put_on_an_axis() {
        let turn = Quat::from_axis_angle(Vec3::new(-0.6, 0.8, 0.0), 0.9);
        assert!(put_on_axis(turn, Vec3::Y).abs_diff_eq(Quat::from_rotation_y(0.9), ROUNDING));
        assert!(put_on_axis(turn, Vec3::X).abs_diff_eq(Quat::from_rotation_x(-0.9), ROUNDING));
        assert_eq!(put_on_axis(Quat::IDENTITY, Vec3::Z), Quat::IDENTITY);
    }

    #[test]
    fn a_change_is_relative_to_rest() {
        let rest = Affine3A::from_rotation_translation(Quat::from_rotation_z(1.0), Vec3::Y);
        let stands = rest * Affine3A::from_rotation_translation(Quat::from_rotation_x(0.4), Vec3::ZERO);
        let (change, scale_and_shear) = Rest::new(&rest, &rest).split(&stands);
        assert!(change.rotation.abs_diff_eq(Quat::from_rotation_x(0.4), ROUNDING), "{change:?}");
        assert_eq!(change.translation, Vec3::ZERO);
        assert!(scale_and_shear.abs_diff_eq(Mat3A::IDENTITY, ROUNDING));
    }

    #[test]
    fn mirrored_and_sheared_bones_survive_splitting_and_joining() {
        let mut rest = Affine3A::from_scale_rotation_translation(
            Vec3::new(1.0, -2.0, 0.5),
            Quat::from_rotation_y(2.0),
            Vec3::X,
        );
        let place = Rest::new(&rest, &rest);
        let (change, _) = place.split(&rest);
        assert!(change.rotation.abs_diff_eq(Quat::IDENTITY, ROUNDING), "rest changes nothing: {change:?}");
        rest.matrix3.x_axis.y += 0.3;
        let (change, scale_and_shear) = place.split(&rest);
        assert!(place.join(&change, &scale_and_shear).abs_diff_eq(rest, 4.0 * ROUNDING));
    }
}
