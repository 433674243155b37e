//! Angle limits of IK links.
//!
//! As babylon-mmd's `ikSolver` and MMD: a rotation is split into rotations about three axes in an order that the limits allow, each angle
//! is clamped to its limits, and the rotations are joined again.

use glam::{EulerRot, Mat3, Quat, Vec3};
use std::f32::consts::FRAC_PI_2;

/// The middle angle of three is clamped to ±88°, as in MMD: at 90° the outer two would share an axis.
const MOST_MIDDLE_RAD: f32 = 88.0 * std::f32::consts::PI / 180.0;

/// The angle limits of a link, with derived data.
#[derive(Clone, Copy, Debug)]
pub(super) struct AngleLimits {
    least: Vec3,
    greatest: Vec3,
    /// The only axis it turns about, by index.
    hinge: Option<usize>,
    order: EulerRot,
}

impl AngleLimits {
    /// From the minimum and maximum angle about each axis, rad; swapped if the minimum is above the maximum.
    pub(super) fn new([a, b]: [Vec3; 2]) -> Self {
        let (least, greatest) = (a.min(b), a.max(b));
        let is_free = |axis: usize| least[axis] != 0.0 || greatest[axis] != 0.0;
        let hinge = match [0, 1, 2].map(is_free) {
            [true, false, false] => Some(0),
            [false, true, false] => Some(1),
            [false, false, true] => Some(2),
            _ => None,
        };
        let is_narrow = |axis: usize| -FRAC_PI_2 < least[axis] && greatest[axis] < FRAC_PI_2;
        let order = match (is_narrow(0), is_narrow(1)) {
            (true, _) => EulerRot::YXZ,
            (false, true) => EulerRot::ZYX,
            (false, false) => EulerRot::XZY,
        };
        Self { least, greatest, hinge, order }
    }

    /// Whether it cannot turn at all.
    pub(super) fn is_locked(&self) -> bool {
        self.least == Vec3::ZERO && self.greatest == Vec3::ZERO
    }

    /// The only axis it turns about, by index.
    pub(super) fn hinge(&self) -> Option<usize> {
        self.hinge
    }

    /// The rotation with every angle clamped to its limits.
    pub(super) fn clamp(&self, rotation: Quat) -> Quat {
        self.bring_between(rotation, |angle, least, greatest| angle.max(least).min(greatest))
    }

    /// The rotation with every angle beyond a limit mirrored at it, or clamped if the mirrored one is beyond the other limit.
    ///
    /// This lets a straight knee start to bend in its direction.
    pub(super) fn mirror(&self, rotation: Quat) -> Quat {
        self.bring_between(rotation, |angle, least, greatest| {
            let (above, below) = (2.0 * least - angle, 2.0 * greatest - angle);
            match () {
                () if angle < least && above <= greatest => above,
                () if angle < least => least,
                () if angle > greatest && below >= least => below,
                () if angle > greatest => greatest,
                () => angle,
            }
        })
    }

    fn bring_between(&self, rotation: Quat, bring: impl Fn(f32, f32, f32) -> f32) -> Quat {
        let angles = angles_of(rotation, self.order);
        let [x, y, z] = [0, 1, 2].map(|axis| bring(angles[axis], self.least[axis], self.greatest[axis]));
        let [x, y, z] = [Quat::from_rotation_x(x), Quat::from_rotation_y(y), Quat::from_rotation_z(z)];
        match self.order {
            EulerRot::YXZ => y * x * z,
            EulerRot::ZYX => z * y * x,
            _ => x * z * y,
        }
    }
}

/// The angles about x, y and z whose rotations in this order give the rotation; YXZ is y · x · z, the last applied first.
fn angles_of(rotation: Quat, order: EulerRot) -> Vec3 {
    let columns = Mat3::from_quat(rotation);
    let at = |row: usize, column: usize| columns.col(column)[row];
    let middle = |sine: f32| sine.clamp(-1.0, 1.0).asin().clamp(-MOST_MIDDLE_RAD, MOST_MIDDLE_RAD);
    match order {
        EulerRot::YXZ => Vec3::new(middle(-at(1, 2)), at(0, 2).atan2(at(2, 2)), at(1, 0).atan2(at(1, 1))),
        EulerRot::ZYX => Vec3::new(at(2, 1).atan2(at(2, 2)), middle(-at(2, 0)), at(1, 0).atan2(at(0, 0))),
        _ => Vec3::new(at(2, 1).atan2(at(1, 1)), at(0, 2).atan2(at(0, 0)), middle(-at(0, 1))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Rounding of taking a rotation apart and joining it; arcs of f32 near the poles lose half the digits.
    const ROUNDING: f32 = 1e-5;

    fn limits(least: [f32; 3], greatest: [f32; 3]) -> AngleLimits {
        AngleLimits::new([Vec3::from(least), Vec3::from(greatest)])
    }

    #[test]
    fn a_knee_is_a_hinge_and_mirrors_the_wrong_way() {
        let knee = limits([0.01, 0.0, 0.0], [3.1, 0.0, 0.0]);
        assert_eq!((knee.hinge(), knee.order), (Some(0), EulerRot::ZYX));
        let backwards = Quat::from_rotation_x(-0.5);
        // 2 · 0.01 + 0.5.
        assert!(knee.mirror(backwards).abs_diff_eq(Quat::from_rotation_x(0.52), ROUNDING));
        assert!(knee.clamp(backwards).abs_diff_eq(Quat::from_rotation_x(0.01), ROUNDING));
        let bent = Quat::from_rotation_x(2.0);
        assert!(knee.mirror(bent).abs_diff_eq(bent, ROUNDING));
    }

    #[test]
    fn mirroring_past_the_other_limit_clamps() {
        let narrow = limits([-0.1, -0.1, -0.1], [0.1, 0.1, 0.1]);
        assert!(
            narrow.mirror(Quat::from_rotation_y(0.15)).abs_diff_eq(Quat::from_rotation_y(0.05), ROUNDING)
        );
        assert!(narrow.mirror(Quat::from_rotation_y(0.5)).abs_diff_eq(Quat::from_rotation_y(0.1), ROUNDING));
        assert!(
            narrow.mirror(Quat::from_rotation_z(-0.5)).abs_diff_eq(Quat::from_rotation_z(-0.1), ROUNDING)
        );
    }

    #[test]
    fn swapped_limits_are_put_in_order_and_zeros_lock() {
        let swapped = limits([1.0, 0.0, 0.0], [-2.0, 0.0, 0.0]);
        assert_eq!((swapped.least.x, swapped.greatest.x), (-2.0, 1.0));
        assert!(limits([0.0; 3], [-0.0; 3]).is_locked());
        assert!(!swapped.is_locked());
    }

    #[test]
    fn a_middle_angle_past_88_degrees_is_cut() {
        let wide = limits([-4.0; 3], [4.0; 3]);
        assert_eq!(wide.order, EulerRot::XZY);
        let cut = wide.clamp(Quat::from_rotation_z(FRAC_PI_2));
        assert!(cut.abs_diff_eq(Quat::from_rotation_z(MOST_MIDDLE_RAD), ROUNDING), "{cut}");
    }

    proptest! {
        #[test]
        fn angles_within_limits_stay(angles in prop::array::uniform3(-1.5f32..1.5)) {
            let [x, y, z] = angles;
            let quat = |order| match order {
                EulerRot::YXZ => Quat::from_euler(order, y, x, z),
                EulerRot::ZYX => Quat::from_euler(order, z, y, x),
                _ => Quat::from_euler(order, x, z, y),
            };
            let boxes = [([-1.57; 3], [1.57; 3]), ([-2.0, -1.57, -2.0], [2.0, 1.57, 2.0]), ([-2.0; 3], [2.0; 3])];
            for (least, greatest) in boxes {
                let limits = limits(least, greatest);
                let rotation = quat(limits.order);
                prop_assert!(limits.clamp(rotation).angle_between(rotation) < 2e-3, "{:?}", limits.order);
                prop_assert!(limits.mirror(rotation).angle_between(rotation) < 2e-3, "{:?}", limits.order);
            }
        }

        #[test]
        fn any_rotation_and_limits_give_a_unit_rotation(
            q in prop::array::uniform4(-1.0f32..1.0), a in prop::array::uniform3(-7.0f32..7.0), b in prop::array::uniform3(-7.0f32..7.0),
        ) {
            let rotation = Quat::from_array(q).normalize();
            prop_assume!(rotation.is_finite());
            let limits = limits(a, b);
            prop_assert!((limits.clamp(rotation).length() - 1.0).abs() < ROUNDING);
            prop_assert!((limits.mirror(rotation).length() - 1.0).abs() < ROUNDING);
        }
    }
}
