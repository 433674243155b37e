//! Sequences of humans: joints decay, feet stay planted, legs reach them.

use super::feet::{Hold, is_standing};
use super::joints::{JointFrame, LegFrame, Placement, Reader};
use super::layer::{Cover, covers};
use super::offset::{Offset, SPEED_SECS};
use super::plain::extra_tracks;
use super::{Part, Sequence, SequenceError};
use crate::bake::{BakeSettings, bake};
use crate::curve::{ramp, smoothstep};
use crate::gait::{PelvisFrame, reachable_height};
use crate::humanoid::{Humanoid, Side};
use crate::leg_reach::reach;
use glam::{DQuat, DVec3};
use sinew_rig::{Character, Clip};

/// Makes the clip.
pub(super) fn clip(
    character: &Character,
    humanoid: &Humanoid,
    sequence: &Sequence<'_>,
) -> Result<Clip, SequenceError> {
    let mut reader = Reader::new(character, humanoid);
    let mut joined = Joined { parts: Vec::new() };
    for (at, part) in sequence.parts.iter().enumerate() {
        let until = sequence.parts.get(at + 1).map_or(sequence.seconds, |next| next.start_secs);
        joined.push(&mut reader, part, until);
    }
    let covers = covers(character, humanoid, &sequence.layers)?;
    let settings = BakeSettings { fps: sequence.fps, is_in_place: false };
    let mut clip = bake(humanoid, &sequence.name, sequence.seconds, &settings, |t| {
        let mut frame = joined.frame(&mut reader, t);
        covers.iter().for_each(|cover: &Cover<'_, '_>| cover.apply(&mut reader, t, &mut frame));
        frame.to_pose(humanoid)
    });
    clip.tracks.extend(extra_tracks(character, Some(humanoid), sequence));
    Ok(clip)
}

/// Parts that are placed one after the other.
struct Joined<'a, 'b> {
    parts: Vec<JoinedPart<'a, 'b>>,
}

struct JoinedPart<'a, 'b> {
    part: &'b Part<'a>,
    placement: Placement,
    offsets: Offsets,
    holds: [Option<Hold>; 2],
}

/// Differences to the part before at its start.
#[derive(Default)]
struct Offsets {
    pelvis: Offset,
    hips: Offset,
    locals: Vec<Option<Offset>>,
    /// Ankle, thigh, foot and toes of both legs.
    legs: [[Offset; 4]; 2],
    ground: Offset,
    heading: Offset,
}

impl<'a, 'b> Joined<'a, 'b> {
    fn push(&mut self, reader: &mut Reader<'_>, part: &'b Part<'a>, until: f64) {
        let none = [None, None];
        if self.parts.is_empty() {
            let placement = Placement::NONE;
            self.parts.push(JoinedPart { part, placement, offsets: Offsets::default(), holds: none });
            return;
        }
        let s = part.start_secs;
        let from = [s - SPEED_SECS, s].map(|t| self.frame(reader, t));
        let own = [s, s + SPEED_SECS].map(|t| reader.frame(part.clip, part.clip_time(t)));
        let standing = |frames: &[JointFrame; 2], side: Side| {
            is_standing(reader.humanoid, [&frames[0], &frames[1]], SPEED_SECS, side)
        };
        let stands = Side::BOTH.map(|side| standing(&from, side) && standing(&own, side));
        let is_standing = stands == [true; 2];
        let placement = match part.is_placed {
            true => Placement::between(own[0].place(is_standing), from[1].place(is_standing)),
            false => Placement::NONE,
        };
        let to = own.map(|frame| frame.placed(&placement));
        let mut held = to.clone();
        let mut holds = none;
        // Who walks on while a foot stands for a moment must not be kept back by it.
        for side in Side::BOTH.into_iter().filter(|&side| stands[side as usize] && part.blend_secs > 0.0) {
            let hold = Hold::new(reader, (part, until, &placement), [&from[1], &to[0]], side);
            held.iter_mut().for_each(|frame| hold.apply(s, &mut frame.legs[side as usize]));
            holds[side as usize] = Some(hold);
        }
        let offsets = Offsets::between(&from, &held);
        self.parts.push(JoinedPart { part, placement, offsets, holds });
    }

    /// The human at a time of the sequence.
    fn frame(&self, reader: &mut Reader<'_>, t: f64) -> JointFrame {
        let at = self.parts.iter().rposition(|joined| joined.part.start_secs <= t).unwrap_or(0);
        self.parts[at].frame(reader, t)
    }
}

impl Offsets {
    fn between(from: &[JointFrame; 2], to: &[JointFrame; 2]) -> Self {
        let places = |of: fn(&JointFrame) -> DVec3| {
            Offset::of_places([of(&from[0]), of(&from[1])], [of(&to[0]), of(&to[1])])
        };
        let local = |at: usize| {
            let [a, b] = [from, to].map(|frames| [frames[0].locals[at], frames[1].locals[at]]);
            Some(Offset::of_turns([a[0]?, a[1]?], [b[0]?, b[1]?]))
        };
        let leg = |side: usize| {
            let turns = |of: fn(&LegFrame) -> DQuat| {
                let [a, b] = [from, to].map(|frames| [of(&frames[0].legs[side]), of(&frames[1].legs[side])]);
                Offset::of_turns(a, b)
            };
            let [a, b] = [from, to].map(|frames| [frames[0].legs[side].ankle, frames[1].legs[side].ankle]);
            [Offset::of_places(a, b), turns(|leg| leg.thigh), turns(|leg| leg.foot), turns(|leg| leg.toes)]
        };
        let heading = |frame: &JointFrame| DQuat::from_rotation_y(frame.ground.heading_rad);
        Self {
            pelvis: places(|frame| frame.pelvis),
            hips: Offset::of_turns([from[0].hips, from[1].hips], [to[0].hips, to[1].hips]),
            locals: (0..to[0].locals.len()).map(local).collect(),
            legs: [leg(0), leg(1)],
            ground: places(|frame| frame.ground.place),
            heading: Offset::of_turns(
                [heading(&from[0]), heading(&from[1])],
                [heading(&to[0]), heading(&to[1])],
            ),
        }
    }
}

impl JoinedPart<'_, '_> {
    fn frame(&self, reader: &mut Reader<'_>, t: f64) -> JointFrame {
        let own = reader.frame(self.part.clip, self.part.clip_time(t)).placed(&self.placement);
        let (since, blend) = (t - self.part.start_secs, self.part.blend_secs);
        let is_blending = since < blend && !self.offsets.locals.is_empty();
        let is_held = self.holds.iter().flatten().any(|hold| hold.share(t) > 0.0);
        if !is_blending && !is_held {
            return own;
        }
        let mut frame = own.clone();
        for (leg, hold) in frame.legs.iter_mut().zip(&self.holds) {
            hold.iter().for_each(|hold| hold.apply(t, leg));
        }
        if is_blending {
            self.offsets.add(since, blend, &mut frame);
        }
        let held = self.holds.iter().flatten().map(|hold| hold.share(t)).fold(0.0, f64::max);
        let settled = ramp(since, 0.0, blend.max(1e-6)) * held;
        lower_to_reach(reader.humanoid, &mut frame, settled);
        if is_blending {
            self.keep_above_ground(reader.humanoid, &mut frame, since / blend);
        }
        reach_feet(reader.humanoid, &own, &mut frame);
        frame
    }

    /// A foot on its way between two motions is not in the ground.
    fn keep_above_ground(&self, humanoid: &Humanoid, frame: &mut JointFrame, share: f64) {
        // Sets in and out, so that what the motions themselves do at both ends stays.
        let weight = smoothstep(6.0 * share) * smoothstep(6.0 * (1.0 - share));
        for (side, leg) in Side::BOTH.into_iter().zip(&mut frame.legs) {
            let pitch_of = |turn: DQuat| (turn * DVec3::Z).y.clamp(-1.0, 1.0).asin();
            let (pitch, toes) = (pitch_of(leg.foot), pitch_of(leg.foot * leg.toes));
            let foot = &humanoid.leg(side).foot;
            let lowest = foot.ankle(pitch, toes).y.max(foot.ankle(pitch, pitch).y);
            let short = (lowest - leg.ankle.y).max(0.0);
            leg.ankle.y += weight * short * smoothstep(short / 0.004);
        }
    }
}

impl Offsets {
    fn add(&self, since: f64, blend: f64, frame: &mut JointFrame) {
        let turn = |offset: &Offset, of: DQuat| (offset.turn_at(since, blend) * of).normalize();
        frame.pelvis += self.pelvis.at(since, blend);
        frame.hips = turn(&self.hips, frame.hips);
        for (local, offset) in frame.locals.iter_mut().zip(&self.locals) {
            if let (Some(local), Some(offset)) = (local, offset) {
                *local = turn(offset, *local);
            }
        }
        for (leg, [ankle, thigh, foot, toes]) in frame.legs.iter_mut().zip(&self.legs) {
            leg.ankle += ankle.at(since, blend);
            leg.thigh = turn(thigh, leg.thigh);
            leg.foot = turn(foot, leg.foot);
            leg.toes = turn(toes, leg.toes);
        }
        frame.ground.place += self.ground.at(since, blend);
        frame.ground.heading_rad += self.heading.at(since, blend).y;
    }
}

/// Usable share of a leg's length: that of standing.
const REACH_SHARE: f64 = 0.9985;

/// Lowers a pelvis from which legs do not reach feet that are held; `share`: how much of that.
fn lower_to_reach(humanoid: &Humanoid, frame: &mut JointFrame, share: f64) {
    if share <= 0.0 {
        return;
    }
    let stands = PelvisFrame {
        place: frame.pelvis.with_y(0.0),
        turn: frame.hips,
        activity: 0.0,
        reach_share: REACH_SHARE,
        softness: 0.004,
    };
    let ankles = [frame.legs[0].ankle, frame.legs[1].ankle];
    let height = reachable_height(humanoid, &stands, &ankles, frame.pelvis.y);
    frame.pelvis.y += share * (height - frame.pelvis.y);
}

/// Turns the legs of `own` so that they reach the feet of `frame`: by what the closed form changes, so that legs that are no pure hinges
/// stay as they are where nothing changes.
fn reach_feet(humanoid: &Humanoid, own: &JointFrame, frame: &mut JointFrame) {
    for side in Side::BOTH {
        let leg = humanoid.leg(side);
        let solved = |frame: &JointFrame, thigh: DQuat| {
            let now = &frame.legs[side as usize];
            reach(leg, frame.pelvis + frame.hips * leg.hip_from_pelvis, now.ankle, thigh * DVec3::Z)
        };
        let was = &own.legs[side as usize];
        let hint = frame.legs[side as usize].thigh;
        let (before, after) = (solved(own, was.thigh), solved(frame, hint));
        let now = &mut frame.legs[side as usize];
        now.thigh = (after.thigh * before.thigh.inverse() * was.thigh).normalize();
        now.shank = (after.shank * before.shank.inverse() * was.shank).normalize();
    }
}
