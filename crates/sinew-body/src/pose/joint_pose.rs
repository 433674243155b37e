//! The angles of a joint.
//!
//! The rule: a rotation R of a bone relative to its parent is R = T S at a hinge, with the twist T about the parent bone, and R = S T at a
//! ball, with the twist about its own bone. S is the rest, a rotation about an axis perpendicular to the twist's. Such a pair exists for
//! every R, and is unique unless S is half a turn: with R as quaternion (v, w), T has the vector part (v·t) t and the real part w,
//! normalized. S as a rotation vector is perpendicular to t; its part along the bend axis is the bend, the other the sideways turn.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Angles of a joint, rad; zero in rest. The same numbers on both sides of the body are mirror images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointPose {
    /// Rotation about the joint's axis.
    pub bend_rad: f64,
    /// Rotation about the bone before the joint, or at a ball about the bone itself; right-handed on the left and in the middle.
    pub twist_rad: f64,
    /// Rotation perpendicular to bend and twist: away from the body where arms and legs start. Zero at a pure hinge.
    pub aside_rad: f64,
}

/// The axes of a joint in rest, in the space of the bone before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointFrame {
    /// Whether it twists about the bone itself.
    pub is_ball: bool,
    /// Unit axis of the twist.
    pub twist_axis: DVec3,
    /// Unit axis of the bend, perpendicular to the twist's.
    pub bend_axis: DVec3,
    /// Unit axis of the sideways turn, perpendicular to both.
    pub aside_axis: DVec3,
}

/// A rotation split into its twist about an axis and its swing, as a rotation vector perpendicular to that axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SplitTurn {
    pub(super) twist_rad: f64,
    pub(super) swing: DVec3,
}

impl SplitTurn {
    pub(super) const NONE: SplitTurn = SplitTurn { twist_rad: 0.0, swing: DVec3::ZERO };

    /// Twist last: R = T S.
    pub(super) fn twist_last(turn: DQuat, axis: DVec3) -> Self {
        let (twist_rad, twist) = twist_of(turn, axis);
        SplitTurn { twist_rad, swing: rotation_vector(twist.inverse() * turn) }
    }

    /// Twist first: R = S T.
    pub(super) fn twist_first(turn: DQuat, axis: DVec3) -> Self {
        let (twist_rad, twist) = twist_of(turn, axis);
        SplitTurn { twist_rad, swing: rotation_vector(turn * twist.inverse()) }
    }
}

/// Below this length of (v·t, w) the swing is half a turn and the twist arbitrary: it is set to zero.
const HALF_TURN: f64 = 1e-12;

fn twist_of(turn: DQuat, axis: DVec3) -> (f64, DQuat) {
    let along = turn.xyz().dot(axis);
    // The sign of a quaternion is arbitrary: the twist is in −π…π.
    let (along, real) = if turn.w < 0.0 { (-along, -turn.w) } else { (along, turn.w) };
    if along.hypot(real) < HALF_TURN {
        return (0.0, DQuat::IDENTITY);
    }
    let angle = 2.0 * along.atan2(real);
    (angle, DQuat::from_axis_angle(axis, angle))
}

/// The axis of a turn times its angle, which is at most π.
fn rotation_vector(turn: DQuat) -> DVec3 {
    let (vector, real) = if turn.w < 0.0 { (-turn.xyz(), -turn.w) } else { (turn.xyz(), turn.w) };
    let length = vector.length();
    if length == 0.0 { DVec3::ZERO } else { 2.0 * length.atan2(real) / length * vector }
}

impl JointPose {
    /// Only a bend.
    pub fn bent(bend_rad: f64) -> Self {
        JointPose { bend_rad, ..JointPose::default() }
    }

    /// Only a twist.
    pub fn twisted(twist_rad: f64) -> Self {
        JointPose { twist_rad, ..JointPose::default() }
    }

    /// The angles of a turn.
    pub fn from_turn(frame: &JointFrame, turn: DQuat) -> Self {
        let split = if frame.is_ball {
            SplitTurn::twist_first(turn, frame.twist_axis)
        } else {
            SplitTurn::twist_last(turn, frame.twist_axis)
        };
        JointPose {
            bend_rad: split.swing.dot(frame.bend_axis),
            twist_rad: split.twist_rad,
            aside_rad: split.swing.dot(frame.aside_axis),
        }
    }

    /// The rotation of the bone relative to its parent.
    pub fn turn(&self, frame: &JointFrame) -> DQuat {
        let swing =
            DQuat::from_scaled_axis(self.bend_rad * frame.bend_axis + self.aside_rad * frame.aside_axis);
        let twist = DQuat::from_axis_angle(frame.twist_axis, self.twist_rad);
        if frame.is_ball { swing * twist } else { twist * swing }
    }

    /// The nearest angles that a bone's motion allows.
    pub fn limited(&self, motion: &crate::body::BodyMotion) -> Self {
        JointPose {
            bend_rad: motion.bend.limited(self.bend_rad),
            twist_rad: motion.twist.limited(self.twist_rad),
            aside_rad: motion.aside.limited(self.aside_rad),
        }
    }
}
