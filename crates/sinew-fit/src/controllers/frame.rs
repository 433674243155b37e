//! A helper's pose relative to its parent, as a few numbers.
//!
//! With S the parent's skinning matrix, a helper's is `M = S · D`: D moves rest space in rest space, so that no bind matrix is needed. D is
//! written as the shift of a rest point, the helper's center, and a log-quaternion; for similarities also the logarithm of the
//! scale. \[Mukai15\] Eq. 8 takes the parent's origin instead of a center; rotations then show as shifts and are harder to learn.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{HELPER_NUMBERS, exp_quaternion, log_quaternion};

use crate::numeric::{left_jacobian, nearest_rotation, skew};

/// Where a helper rests and what it hangs on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct HelperFrame {
    /// Index of the parent driver.
    pub parent: usize,
    /// Origin of the helper's rest frame, rest space.
    pub center: DVec3,
}

/// The parent in one pose.
#[derive(Clone, Copy)]
pub(crate) struct ParentPose {
    pub(crate) rotation: DMat3,
    /// Where the parent takes the helper's center.
    pub(crate) center: DVec3,
}

impl HelperFrame {
    pub(crate) fn parent_pose(&self, drivers: &[DAffine3]) -> ParentPose {
        let matrix = &drivers[self.parent];
        ParentPose {
            rotation: nearest_rotation(matrix.matrix3),
            center: matrix.transform_point3(self.center),
        }
    }

    /// The numbers of a helper's skinning matrix.
    pub(crate) fn numbers(&self, parent: &ParentPose, helper: &DAffine3) -> [f64; HELPER_NUMBERS] {
        let scale = helper.matrix3.determinant().abs().cbrt().max(f64::MIN_POSITIVE);
        let relative = parent.rotation.transpose() * nearest_rotation(helper.matrix3);
        let shift = parent.rotation.transpose() * (helper.transform_point3(self.center) - parent.center);
        let log = log_quaternion(DQuat::from_mat3(&relative).normalize());
        [shift.x, shift.y, shift.z, log.x, log.y, log.z, scale.ln()]
    }

    /// The skinning matrix of numbers.
    pub(crate) fn matrix(&self, parent: &ParentPose, numbers: &[f64]) -> DAffine3 {
        let (shift, log) = parts(numbers);
        let linear = parent.rotation * DMat3::from_quat(exp_quaternion(log)) * numbers[6].exp();
        let center = parent.center + parent.rotation * shift;
        DAffine3 { matrix3: linear, translation: center - linear * self.center }
    }

    /// How the skinning matrix changes with each number.
    pub(crate) fn slopes(&self, parent: &ParentPose, numbers: &[f64]) -> [DAffine3; HELPER_NUMBERS] {
        let (_, log) = parts(numbers);
        let linear = parent.rotation * DMat3::from_quat(exp_quaternion(log)) * numbers[6].exp();
        let about_center = |slope: DMat3| DAffine3 { matrix3: slope, translation: -(slope * self.center) };
        let moved = |axis: usize| DAffine3 { matrix3: DMat3::ZERO, translation: parent.rotation.col(axis) };
        // The rotation vector is twice the log-quaternion.
        let turn = parent.rotation * left_jacobian(log * 2.0) * 2.0;
        let turned = |axis: usize| about_center(skew(turn.col(axis)) * linear);
        [moved(0), moved(1), moved(2), turned(0), turned(1), turned(2), about_center(linear)]
    }
}

fn parts(numbers: &[f64]) -> (DVec3, DVec3) {
    (DVec3::new(numbers[0], numbers[1], numbers[2]), DVec3::new(numbers[3], numbers[4], numbers[5]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDING: f64 = 1e-9;

    fn scene() -> (HelperFrame, ParentPose, [f64; HELPER_NUMBERS]) {
        let frame = HelperFrame { parent: 1, center: DVec3::new(1.0, 2.0, -0.5) };
        let turned = DAffine3::from_rotation_y(0.8) * DAffine3::from_translation(DVec3::new(0.3, 0.1, 2.0));
        let parent = frame.parent_pose(&[DAffine3::IDENTITY, turned]);
        (frame, parent, [0.1, -0.2, 0.3, 0.4, -0.1, 0.2, 0.05])
    }

    #[test]
    fn numbers_and_matrices_are_inverse() {
        let (frame, parent, numbers) = scene();
        let back = frame.numbers(&parent, &frame.matrix(&parent, &numbers));
        assert!(numbers.iter().zip(&back).all(|(a, b)| (a - b).abs() < ROUNDING), "{back:?}");
    }

    #[test]
    fn slopes_are_those_of_the_matrix() {
        let (frame, parent, numbers) = scene();
        let slopes = frame.slopes(&parent, &numbers);
        let step = 1e-6;
        for (at, slope) in slopes.iter().enumerate() {
            let (mut less, mut more) = (numbers, numbers);
            less[at] -= step;
            more[at] += step;
            let (less, more) = (frame.matrix(&parent, &less), frame.matrix(&parent, &more));
            for ((a, b), expected) in
                less.to_cols_array().iter().zip(more.to_cols_array()).zip(slope.to_cols_array())
            {
                assert!(((b - a) / (2.0 * step) - expected).abs() < 1e-7, "number {at}");
            }
        }
    }
}
