//! From BVH to a skeleton with a clip.

use super::{Bvh, BvhChannel};
use crate::Report;
use glam::{DQuat, DVec3, Quat};
use sinew_geometry::Trs;
use sinew_rig::{
    Bone, BoneId, Channel, Character, CharacterParts, Clip, Interpolation, InvalidCharacter, LocalTransform,
    Track,
};

/// Length of a unit; BVH files do not store it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum BvhScale {
    /// From the skeleton's size: m, cm or inches if that gives a human size, else scaled to 1.7 m.
    #[default]
    Guessed,
    /// Meters per unit.
    Metres(f64),
}

/// A joint has jumped if it turns by more than this between the first two frames, and so many times more than between the next two.
const JUMP_DEG: f64 = 15.0;
const JUMP_RATIO: f64 = 6.0;

impl Bvh {
    /// The skeleton without a surface, with the motion as its only clip, named `name`. Guessed units are reported.
    ///
    /// # Errors
    /// If numbers exceed the range of 32 bits.
    pub fn to_character(
        &self,
        name: &str,
        scale: BvhScale,
        report: &mut Report,
    ) -> Result<Character, InvalidCharacter> {
        let scale = match scale {
            BvhScale::Metres(metres) => metres,
            BvhScale::Guessed => self.guessed_scale(report),
        };
        let bones = self.joints.iter().map(|joint| Bone {
            name: joint.name.clone(),
            parent: joint.parent.map(BoneId::of),
            rest: LocalTransform::Trs(Trs::from_translation((joint.offset * scale).as_vec3())),
            tip_in_bone: joint.end.map(|end| (end * scale).as_vec3()),
        });
        Character::new(CharacterParts {
            name: name.into(),
            bones: bones.collect(),
            clips: vec![Clip { name: name.into(), tracks: self.tracks(scale, self.first_frame(report)) }],
            ..CharacterParts::default()
        })
    }

    /// Many files start with one frame of a rest pose that is not part of the motion: joints jump from it to the next.
    fn first_frame(&self, report: &mut Report) -> usize {
        let jump_deg = |frame: usize| {
            let channels = self.joints.iter().flat_map(|joint| &joint.channels);
            let values = self.frame(frame).iter().zip(self.frame(frame + 1));
            let turns =
                channels.zip(values).filter(|(channel, _)| matches!(channel, BvhChannel::Rotation(_)));
            turns.map(|(_, (from, to))| (to - from).abs()).fold(0.0, f64::max)
        };
        if self.frame_count() < 3 || jump_deg(0) < JUMP_DEG || jump_deg(0) < JUMP_RATIO * jump_deg(1) {
            return 0;
        }
        let told = format!(
            "the first frame is a rest pose (joints jump by {:.0}° after it); it is left out",
            jump_deg(0)
        );
        report.warn("MOTION", told);
        1
    }

    fn tracks(&self, scale: f64, skipped: usize) -> Vec<Track> {
        if self.frame_count() == 0 {
            return Vec::new();
        }
        let frames = skipped..self.frame_count();
        let times_secs: Vec<f64> = (0..frames.len()).map(|frame| frame as f64 * self.frame_secs).collect();
        let track = |channel: Channel| Track {
            times_secs: times_secs.clone(),
            interpolation: Interpolation::Linear,
            channel,
        };
        let mut tracks = Vec::new();
        let mut first = 0;
        for (index, joint) in self.joints.iter().enumerate() {
            let bone = BoneId::of(index);
            let values = |frame: usize| &self.frame(frame)[first..first + joint.channels.len()];
            let is_position = |channel: &BvhChannel| matches!(channel, BvhChannel::Position(_));
            if joint.channels.iter().any(is_position) {
                let places = frames
                    .clone()
                    .map(|frame| (place(joint.offset, &joint.channels, values(frame)) * scale).as_vec3());
                tracks.push(track(Channel::Translation(bone, places.collect())));
            }
            if joint.channels.iter().any(|channel| !is_position(channel)) {
                let mut turns: Vec<Quat> = Vec::with_capacity(frames.len());
                for frame in frames.clone() {
                    let turn = turn(&joint.channels, values(frame)).as_quat();
                    let is_far = turns.last().is_some_and(|last| last.dot(turn) < 0.0);
                    turns.push(if is_far { -turn } else { turn });
                }
                tracks.push(track(Channel::Rotation(bone, turns)));
            }
            first += joint.channels.len();
        }
        tracks
    }

    /// Meters per unit.
    fn guessed_scale(&self, report: &mut Report) -> f64 {
        let mut places: Vec<DVec3> = Vec::with_capacity(self.joints.len());
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for joint in &self.joints {
            let place = joint.parent.map_or(DVec3::ZERO, |parent| places[parent]) + joint.offset;
            places.push(place);
            for point in [place, place + joint.end.unwrap_or_default()] {
                (low, high) = (low.min(point), high.max(point));
            }
        }
        let size = (high - low).max_element();
        let scale = match size {
            size if (0.8..2.6).contains(&size) => return 1.0,
            size if (80.0..260.0).contains(&size) => 0.01,
            size if (48.0..80.0).contains(&size) => 0.0254,
            size if size > 1e-6 => 1.7 / size,
            _ => 1.0,
        };
        let what = format!("the skeleton is {size:.2} units large; assuming 1 unit = {scale:.4} m");
        report.warn("HIERARCHY", what);
        scale
    }
}

fn place(offset: DVec3, channels: &[BvhChannel], values: &[f64]) -> DVec3 {
    let mut place = offset;
    for (channel, &value) in channels.iter().zip(values) {
        if let BvhChannel::Position(axis) = channel {
            place[*axis] = value;
        }
    }
    place
}

/// Rotations multiply in the order of channels: `Z Y X` is Rz·Ry·Rx.
fn turn(channels: &[BvhChannel], values: &[f64]) -> DQuat {
    let axes = [DVec3::X, DVec3::Y, DVec3::Z];
    channels.iter().zip(values).fold(DQuat::IDENTITY, |turn, (channel, value)| match channel {
        BvhChannel::Rotation(axis) => turn * DQuat::from_axis_angle(axes[*axis], value.to_radians()),
        BvhChannel::Position(_) => turn,
    })
}
