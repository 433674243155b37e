//! The figure's motions.
//!
//! Each motion is a function of time, made of eased steps, and is written as keys 1/30 s apart. The legs of each key are solved to keep the
//! feet in their rest position.

use super::skeleton::{ANKLE, HIP, JOINT_COUNT, Joint, KNEE, Side};
use crate::{Channel, Clip, InstanceId, Track};
use glam::{Mat3, Quat, Vec3};
use std::f32::consts::TAU;

/// Keys per second.
const KEY_RATE: f32 = 30.0;
/// Number of keys of each motion in one loop.
const KEY_COUNT: usize = 96;
const DURATION_SECS: f32 = KEY_COUNT as f32 / KEY_RATE;

/// Stands, raises the right arm and waves three times, weight on the left leg, head tilted.
pub(super) fn wave() -> Clip {
    clip("wave", |time_secs| {
        let raise = there_and_back(time_secs, [0.15, 0.8], [2.35, 3.05]);
        let lean = there_and_back(time_secs, [0.05, 0.85], [2.3, 3.15]);
        let tilt = there_and_back(time_secs, [0.3, 1.0], [2.45, 3.15]);
        let swing = there_and_back(time_secs, [0.6, 0.95], [2.15, 2.5]);
        let phase = TAU * (time_secs - 0.65) / 0.56;

        let mut stance = Stance::standing(time_secs);
        stance.hips_offset += Vec3::new(0.028, -0.006, 0.0) * lean;
        stance.turn(Joint::Hips, Quat::from_rotation_z(-0.045 * lean));
        stance.turn(Joint::Spine, Quat::from_rotation_z(0.05 * lean) * Quat::from_rotation_y(-0.05 * lean));
        stance.turn(Joint::Chest, Quat::from_rotation_z(0.05 * lean + 0.012 * swing * phase.sin()));
        stance.turn(Joint::Neck, Quat::from_rotation_z(0.05 * tilt) * Quat::from_rotation_y(-0.08 * tilt));
        stance.turn(Joint::Head, Quat::from_rotation_z(0.13 * tilt) * Quat::from_rotation_y(-0.08 * tilt));
        let side = Side::Right;
        stance.turn(Joint::Shoulder(side), Quat::from_rotation_x(0.2 * raise));
        stance.reach(side, Vec3::new(0.82, -0.24, 0.42), Vec3::new(0.26, 0.88, 0.4), raise);
        // The hand lags the forearm by a sixth of a swing.
        stance.turn(Joint::LowerArm(side), Quat::from_rotation_x(0.36 * swing * phase.sin()));
        stance.turn(Joint::UpperArm(side), Quat::from_rotation_z(-0.05 * swing * phase.sin()));
        stance.turn(Joint::Hand(side), Quat::from_rotation_z(0.3 * swing * (phase - TAU / 6.0).sin()));
        stance
    })
}

/// Stands, squats with the arms stretched forward, and rises again.
pub(super) fn squat() -> Clip {
    clip("squat", |time_secs| {
        let down = there_and_back(time_secs, [0.2, 1.35], [1.65, 2.85]);
        let arms = there_and_back(time_secs, [0.1, 1.2], [1.75, 3.0]);
        let mut stance = Stance::standing(time_secs);
        stance.hips_offset += Vec3::new(0.0, -0.36, -0.17) * down;
        stance.turn(Joint::Hips, Quat::from_rotation_x(0.42 * down));
        stance.turn(Joint::Spine, Quat::from_rotation_x(0.16 * down));
        stance.turn(Joint::Chest, Quat::from_rotation_x(0.02 * down));
        stance.turn(Joint::Neck, Quat::from_rotation_x(-0.16 * down));
        stance.turn(Joint::Head, Quat::from_rotation_x(-0.22 * down));
        for side in Side::BOTH {
            stance.reach(side, Vec3::new(0.26, 0.38, 0.88), Vec3::new(0.02, 0.56, 0.83), arms);
        }
        stance
    })
}

/// Smooth from 0 at `start` to 1 at `end`, without speed or acceleration at either.
fn ease(time: f32, [start, end]: [f32; 2]) -> f32 {
    let t = ((time - start) / (end - start)).clamp(0.0, 1.0);
    t * t * t * (t * (6.0 * t - 15.0) + 10.0)
}

/// 0, then 1 after `there`, then 0 again after `back`.
fn there_and_back(time: f32, there: [f32; 2], back: [f32; 2]) -> f32 {
    ease(time, there) - ease(time, back)
}

/// One key: transforms of all bones.
struct Stance {
    /// From rest, in each bone's own frame.
    turns: [Quat; JOINT_COUNT],
    /// From rest, model space, m.
    hips_offset: Vec3,
    /// Weight of the morph "breathe".
    breath: f32,
}

impl Stance {
    /// At ease: arms by the sides, knees not locked. Breathes once in a clip.
    fn standing(time_secs: f32) -> Self {
        let mut stance = Self {
            turns: [Quat::IDENTITY; JOINT_COUNT],
            // Low enough that the hips can shift over one foot with both on the ground.
            hips_offset: Vec3::new(0.0, -0.008, 0.0),
            breath: 0.5 - 0.5 * (TAU * time_secs / DURATION_SECS).cos(),
        };
        for side in Side::BOTH {
            stance.turn(Joint::UpperArm(side), Quat::from_rotation_z(-0.56 * side.sign()));
            stance.turn(Joint::LowerArm(side), Quat::from_rotation_x(0.22));
            stance.turn(Joint::Hand(side), Quat::from_rotation_x(0.1));
        }
        stance
    }

    /// Rotates a bone in its own frame, after earlier rotations.
    fn turn(&mut self, joint: Joint, turn: Quat) {
        self.turns[joint.id().index()] *= turn;
    }

    /// Turns an arm from how it stands, by `share`, to where upper and lower arm lie along directions in the chest's space,
    /// given for the left.
    fn reach(&mut self, side: Side, upper: Vec3, lower: Vec3, share: f32) {
        let (upper, lower) = (side.place(upper).normalize(), side.place(lower).normalize());
        let across = upper.cross(lower).normalize();
        let frame = |along: Vec3| Quat::from_mat3(&Mat3::from_cols(across, along, across.cross(along)));
        let (upper_arm, lower_arm) = (Joint::UpperArm(side), Joint::LowerArm(side));
        let upper_turn = upper_arm.rest_rotation().inverse() * frame(upper);
        let parent_turn = frame(upper) * upper_arm.rest_rotation().inverse();
        let lower_turn = (parent_turn * lower_arm.rest_rotation()).inverse() * frame(lower);
        for (joint, turn) in [(upper_arm, upper_turn), (lower_arm, lower_turn)] {
            let from = self.turns[joint.id().index()];
            self.turns[joint.id().index()] = from.slerp(turn, share);
        }
    }

    /// Rotation of every bone in its parent, feet on the ground.
    fn local_rotations(&self) -> [Quat; JOINT_COUNT] {
        let mut local = [Quat::IDENTITY; JOINT_COUNT];
        for joint in Joint::all() {
            let parent = joint.parent().map_or(Quat::IDENTITY, Joint::rest_rotation);
            local[joint.id().index()] =
                parent.inverse() * joint.rest_rotation() * self.turns[joint.id().index()];
        }
        for side in Side::BOTH {
            self.plant(side, &mut local);
        }
        local
    }

    /// Position of the hips, model space.
    fn hips_place(&self) -> Vec3 {
        Vec3::from(Joint::Hips.rest().translation) + self.hips_offset
    }

    /// Solves a leg for a foot that stays as in rest: the knee lies where the lengths of thigh and shin put it, on the side it
    /// lies on in rest.
    fn plant(&self, side: Side, local: &mut [Quat; JOINT_COUNT]) {
        let [rest_hip, rest_knee, ankle] = [HIP, KNEE, ANKLE].map(|point| side.place(point));
        let hips = Joint::Hips.rest_rotation() * self.turns[Joint::Hips.id().index()];
        let hip_in_hips = Joint::Hips.rest().inverse().transform_point3(rest_hip);
        let hip = self.hips_place() + hips * hip_in_hips;
        let (thigh, shin) = (rest_hip.distance(rest_knee), rest_knee.distance(ankle));
        let forward = (rest_knee - rest_hip).reject_from(ankle - rest_hip);

        let (down, reach) = (ankle - hip).normalize_and_length();
        let reach = reach.min(thigh + shin);
        // Law of cosines: how far down the line from hip to ankle the knee lies, and how far beside it.
        let along = (thigh * thigh - shin * shin + reach * reach) / (2.0 * reach);
        let beside = (thigh * thigh - along * along).max(0.0).sqrt();
        let knee = hip + down * along + forward.reject_from_normalized(down).normalize() * beside;

        let posed_from_rest = |from: Vec3, to: Vec3, rest_from: Vec3, rest_to: Vec3| {
            let frame = |from: Vec3, to: Vec3, hip: Vec3| {
                let along = (to - from).normalize();
                let across = (ankle - hip).cross(forward).normalize();
                let across = across.reject_from_normalized(along).normalize();
                Quat::from_mat3(&Mat3::from_cols(across, along, across.cross(along)))
            };
            frame(from, to, hip) * frame(rest_from, rest_to, rest_hip).inverse()
        };
        let upper = posed_from_rest(hip, knee, rest_hip, rest_knee) * Joint::UpperLeg(side).rest_rotation();
        let lower = posed_from_rest(knee, ankle, rest_knee, ankle) * Joint::LowerLeg(side).rest_rotation();
        local[Joint::UpperLeg(side).id().index()] = hips.inverse() * upper;
        local[Joint::LowerLeg(side).id().index()] = upper.inverse() * lower;
        local[Joint::Foot(side).id().index()] = lower.inverse() * Joint::Foot(side).rest_rotation();
    }
}

/// Keys of `stance_at` from 0 to the end; the last is the first again.
fn clip(name: &str, stance_at: impl Fn(f32) -> Stance) -> Clip {
    let times_secs: Vec<f64> = (0..=KEY_COUNT).map(|key| key as f64 / f64::from(KEY_RATE)).collect();
    let stances: Vec<Stance> =
        (0..=KEY_COUNT).map(|key| stance_at((key % KEY_COUNT) as f32 / KEY_RATE)).collect();
    let rotations: Vec<_> = stances.iter().map(Stance::local_rotations).collect();
    let track = |channel| Track::linear(times_secs.clone(), channel);
    let mut tracks =
        vec![track(Channel::Translation(Joint::Hips.id(), stances.iter().map(Stance::hips_place).collect()))];
    for joint in Joint::all() {
        let values: Vec<Quat> = rotations.iter().map(|key| key[joint.id().index()]).collect();
        let rest =
            joint.parent().map_or(Quat::IDENTITY, Joint::rest_rotation).inverse() * joint.rest_rotation();
        if values.iter().any(|value| *value != rest) {
            tracks.push(track(Channel::Rotation(joint.id(), values)));
        }
    }
    let breaths = stances.iter().map(|stance| stance.breath).collect();
    tracks.push(track(Channel::MorphWeights(InstanceId(0), breaths)));
    Clip { name: name.into(), tracks }
}
