//! What controllers see of the drivers: rotations relative to bind, as few numbers as the joints have freedoms; of bones that slide also their ways.
//!
//! \[Mukai15\] Sec. 5.2: log-quaternions; one or two numbers for hinges and universal joints, which the source leaves for simplicity.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use sinew_rig::{DriverChange, log_quaternion};

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
    /// The log-quaternion along up to three axes, then the way from rest along up to three directions.
    Moving {
        /// Axes, unit and square.
        axes: [Option<DVec3>; 3],
        /// Directions, square; their length makes numbers of ways.
        shifts: [Option<DVec3>; 3],
    },
}

/// The largest number that a way gives: as many radians of half an angle are a usual bend.
const LARGEST_SHIFT: f64 = 0.5;
/// Ways this close to a line or plane, as a share of the longest, lie in it.
const SHIFT_TOLERANCE: f64 = 1e-3;

impl DriverInput {
    /// Numbers it gives.
    pub fn count(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Hinge(_) => 1,
            Self::Universal(..) => 2,
            Self::Ball | Self::Frame(_) => 3,
            Self::Moving { axes, shifts } => axes.iter().chain(shifts).flatten().count(),
        }
    }

    /// The directions along which ways are taken, as [`sinew_rig::ControllerDriver`] has them.
    pub fn shifts(&self) -> Vec<DVec3> {
        match self {
            Self::Moving { shifts, .. } => shifts.iter().flatten().copied().collect(),
            _ => Vec::new(),
        }
    }

    /// The same with ways along these directions, at most three.
    #[must_use]
    pub fn with_shifts(&self, shifts: &[DVec3]) -> Self {
        if shifts.is_empty() {
            return *self;
        }
        let axes = self.axes();
        let listed = |list: &[DVec3]| std::array::from_fn(|at| list.get(at).copied());
        Self::Moving { axes: listed(&axes), shifts: listed(shifts) }
    }

    /// The axes along which the log-quaternion is taken, as [`sinew_rig::ControllerDriver`] has them.
    pub fn axes(&self) -> Vec<DVec3> {
        match self {
            Self::None => Vec::new(),
            Self::Hinge(axis) => vec![*axis],
            Self::Universal(first, second) => vec![*first, *second],
            Self::Ball => DVec3::AXES.to_vec(),
            Self::Frame(axes) => axes.to_vec(),
            Self::Moving { axes, .. } => axes.iter().flatten().copied().collect(),
        }
    }

    /// Appends its numbers for what the driver does relative to bind.
    pub(crate) fn extend(&self, change: DriverChange, numbers: &mut Vec<f64>) {
        let log = log_quaternion(change.rotation);
        numbers.extend(self.axes().iter().map(|axis| log.dot(*axis)));
        numbers.extend(self.shifts().iter().map(|direction| change.shift.dot(*direction)));
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

/// The fewest directions that tell all ways of a driver apart, so long that the longest way gives half a radian; none for a driver that never moved. `still`: a
/// length that nobody sees.
pub fn detect_shifts(shifts: impl Iterator<Item = DVec3>, still: f64) -> Vec<DVec3> {
    let mut left: Vec<DVec3> = shifts.collect();
    let longest_of = |list: &[DVec3]| {
        list.iter().copied().fold(DVec3::ZERO, |a, b| if b.length() > a.length() { b } else { a })
    };
    let longest = longest_of(&left).length();
    if longest <= still {
        return Vec::new();
    }
    let mut directions = Vec::new();
    for _ in 0..3 {
        let farthest = longest_of(&left);
        if farthest.length() <= SHIFT_TOLERANCE * longest {
            break;
        }
        let direction = outward(farthest.normalize());
        left.iter_mut().for_each(|shift| *shift -= direction * shift.dot(direction));
        directions.push(direction * (LARGEST_SHIFT / longest));
    }
    directions
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
    fn bones_that_slide_are_told_by_their_ways() {
        let along = DVec3::new(0.0, 0.03, -0.04);
        let shifts = [0.0, 0.4, 1.0].map(|share| along * share);
        let found = detect_shifts(shifts.into_iter(), 1e-6);
        assert_eq!(found.len(), 1);
        assert!((found[0].dot(along).abs() - LARGEST_SHIFT).abs() < 1e-12, "{found:?}");
        let plane = shifts.into_iter().chain([DVec3::X * 0.01]);
        assert_eq!(detect_shifts(plane, 1e-6).len(), 2);
        assert!(detect_shifts(shifts.into_iter(), 0.06).is_empty(), "too little to see");
        let input = DriverInput::Hinge(DVec3::X).with_shifts(&found);
        assert_eq!((input.count(), input.axes().len(), input.shifts().len()), (2, 1, 1));
        let mut numbers = Vec::new();
        let change = DriverChange { rotation: DQuat::from_rotation_x(0.6), shift: along };
        input.extend(change, &mut numbers);
        assert!((numbers[0] - 0.3).abs() < 1e-12 && (numbers[1].abs() - 0.5).abs() < 1e-12, "{numbers:?}");
    }

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
