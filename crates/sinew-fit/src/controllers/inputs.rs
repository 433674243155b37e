//! What controllers see of the drivers: rotations relative to bind, as few numbers as the joints have freedoms.
//!
//! \[Mukai15\] Sec. 5.2: log-quaternions; one or two numbers for hinges and universal joints, which the source leaves for simplicity.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::log_quaternion;

/// Log-quaternions this close to an axis or plane, in radians of half the angle, lie in it.
const JOINT_TOLERANCE: f64 = 1e-4;

/// What a driver tells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum DriverInput {
    /// Nothing: it never turned, or is not asked.
    None,
    /// One number: the log-quaternion along the axis of a hinge, which has length 1.
    Hinge(DVec3),
    /// Two numbers, along two axes that are unit and square.
    Universal(DVec3, DVec3),
    /// The three numbers of the log-quaternion.
    Ball,
    /// Three numbers, along three axes that are unit and square: a ball in other axes than the bone's own.
    Frame([DVec3; 3]),
}

impl DriverInput {
    /// Numbers it gives.
    pub fn count(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Hinge(_) => 1,
            Self::Universal(..) => 2,
            Self::Ball | Self::Frame(_) => 3,
        }
    }

    /// The axes along which the log-quaternion is taken, as [`sinew_rig::ControllerDriver`] has them.
    pub fn axes(&self) -> Vec<DVec3> {
        match self {
            Self::None => Vec::new(),
            Self::Hinge(axis) => vec![*axis],
            Self::Universal(first, second) => vec![*first, *second],
            Self::Ball => DVec3::AXES.to_vec(),
            Self::Frame(axes) => axes.to_vec(),
        }
    }

    /// Appends its numbers for a rotation relative to bind.
    pub(crate) fn extend(&self, rotation: DQuat, numbers: &mut Vec<f64>) {
        let log = log_quaternion(rotation);
        numbers.extend(self.axes().iter().map(|axis| log.dot(*axis)));
    }
}

/// The fewest numbers that tell all rotations of a driver apart. `rotations`: relative to bind, in any number.
pub fn detect_input(rotations: impl Iterator<Item = DQuat>) -> DriverInput {
    let logs: Vec<DVec3> = rotations.map(log_quaternion).collect();
    let longest = logs.iter().copied().fold(DVec3::ZERO, |a, b| if b.length() > a.length() { b } else { a });
    if longest.length() <= JOINT_TOLERANCE {
        return DriverInput::None;
    }
    let axis = outward(longest.normalize());
    let off = |log: &DVec3| *log - axis * log.dot(axis);
    let widest = logs.iter().map(off).fold(DVec3::ZERO, |a, b| if b.length() > a.length() { b } else { a });
    if widest.length() <= JOINT_TOLERANCE {
        return DriverInput::Hinge(axis);
    }
    let second = outward(widest.normalize());
    let normal = axis.cross(second);
    if logs.iter().all(|log| log.dot(normal).abs() <= JOINT_TOLERANCE) {
        return DriverInput::Universal(axis, second);
    }
    DriverInput::Ball
}

/// Of an axis and its opposite the one whose largest part is positive.
fn outward(axis: DVec3) -> DVec3 {
    let largest = axis.to_array().into_iter().fold(0.0, |a: f64, b| if b.abs() > a.abs() { b } else { a });
    if largest < 0.0 { -axis } else { axis }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_told_by_how_they_turn() {
        let angles = [-0.8, -0.1, 0.0, 0.4, 1.3];
        let about = |axis: DVec3| angles.map(|angle| DQuat::from_axis_angle(axis, angle));
        let still = detect_input([DQuat::IDENTITY; 3].into_iter());
        assert_eq!(still, DriverInput::None);
        let axis = DVec3::new(1.0, 2.0, -3.0).normalize();
        let DriverInput::Hinge(found) = detect_input(about(axis).into_iter()) else { panic!("no hinge") };
        assert!(found.cross(axis).length() < 1e-9, "{found}");
        let plane = angles.iter().flat_map(|a| angles.iter().map(move |b| DVec3::new(*a, *b, 0.0)));
        let universal = detect_input(plane.map(DQuat::from_scaled_axis));
        assert_eq!(universal.count(), 2, "{universal:?}");
        let all = about(DVec3::X).into_iter().chain(about(DVec3::Y)).chain(about(DVec3::Z));
        assert_eq!(detect_input(all), DriverInput::Ball);
    }
}
