//! Feet at the change of motions: those that stand stay until the later motion lifts them.

use super::Part;
use super::joints::{JointFrame, LegFrame, Placement, Reader};
use crate::humanoid::{Humanoid, Side};
use glam::DVec3;

/// A foot stands if its lowest point is lower than this share of the hips' height …
const LOW: f64 = 0.022;
/// … and slower than this share of it per second.
const SLOW: f64 = 0.2;
/// Farther than this share of the hips' height apart, a foot steps to where the later motion has it.
const FARTHEST_HELD: f64 = 0.35;
/// Time after a landing of the later motion that is kept free of changes, s.
const SETTLED_SECS: f64 = 0.02;

/// Heel and ball on the sole.
fn sole(humanoid: &Humanoid, leg: &LegFrame, side: Side) -> [DVec3; 2] {
    let foot = &humanoid.leg(side).foot;
    let down = -foot.ankle_height_m();
    [foot.reach()[0], foot.ball()].map(|along| leg.ankle + leg.foot * DVec3::new(0.0, down, along))
}

/// Whether a foot stands, from two frames `secs` apart.
pub(super) fn is_standing(humanoid: &Humanoid, frames: [&JointFrame; 2], secs: f64, side: Side) -> bool {
    let [before, after] = frames.map(|frame| sole(humanoid, &frame.legs[side as usize], side));
    let size = humanoid.hip_height_m();
    let low = if after[0].y < after[1].y { 0 } else { 1 };
    let speed = after[low].distance(before[low]) / secs;
    after[low].y < LOW * size && speed < SLOW * size
}

/// A standing foot that stays where the motion before put it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// Moves the later motion's foot to where it stands.
    place: Placement,
    /// When it lets go: a span of the sequence; `None` if the later motion never lifts the foot.
    release: Option<[f64; 2]>,
    /// Height of the step over that span, m, where the later motion does not lift the foot itself.
    lift_m: f64,
}

impl Hold {
    /// For a foot that stands in both motions. `next` is after `from` in the same motion.
    pub(super) fn new(
        reader: &mut Reader<'_>,
        part: (&Part<'_>, f64, &Placement),
        [from, to]: [&JointFrame; 2],
        side: Side,
    ) -> Self {
        let humanoid = reader.humanoid;
        let at = |frame: &JointFrame| {
            let leg = &frame.legs[side as usize];
            let ahead = leg.foot * DVec3::Z;
            (sole(humanoid, leg, side)[1].with_y(0.0), ahead.x.atan2(ahead.z))
        };
        let (theirs, ours) = (at(to), at(from));
        let place = Placement::between(theirs, ours);
        let far = theirs.0.distance(ours.0) / humanoid.hip_height_m();
        if far > FARTHEST_HELD {
            // One foot after the other, within the blend.
            let (start, blend) = (part.0.start_secs, part.0.blend_secs.max(0.7));
            let half = if side == Side::Left { [0.0, 0.5] } else { [0.5, 1.0] };
            return Self { place, release: Some(half.map(|share| start + share * blend)), lift_m: 0.06 };
        }
        Self { place, release: first_swing(reader, part, side), lift_m: 0.0 }
    }

    /// How much of it is left, 0 to 1.
    pub(super) fn share(&self, t: f64) -> f64 {
        self.release.map_or(1.0, |span| super::joints::fading(t, span))
    }

    /// Moves a foot of the later motion.
    pub(super) fn apply(&self, t: f64, leg: &mut LegFrame) {
        let share = self.share(t);
        if share <= 0.0 {
            return;
        }
        let ahead = self.place.turn * DVec3::Z;
        let heading = share * ahead.x.atan2(ahead.z);
        let turn = glam::DQuat::from_rotation_y(heading);
        let moved = leg.ankle.lerp(self.place.point(leg.ankle), share);
        leg.ankle = moved + DVec3::Y * (self.lift_m * 16.0 * (share * (1.0 - share)).powi(2));
        leg.foot = turn * leg.foot;
        leg.thigh = glam::DQuat::from_rotation_y(0.5 * heading) * leg.thigh;
    }
}

/// The first time that a motion lifts a foot and puts it down again; to the end of the motion if it does not come down.
fn first_swing(
    reader: &mut Reader<'_>,
    (part, until, placement): (&Part<'_>, f64, &Placement),
    side: Side,
) -> Option<[f64; 2]> {
    const STEP_SECS: f64 = 1.0 / 60.0;
    let end = until.min(part.start_secs + part.seconds());
    let mut before: Option<JointFrame> = None;
    let mut lifted: Option<f64> = None;
    let mut t = part.start_secs;
    while t <= end {
        let frame = reader.frame(part.clip, part.clip_time(t)).placed(placement);
        if let Some(before) = &before {
            let stands = is_standing(reader.humanoid, [before, &frame], STEP_SECS, side);
            match (lifted, stands) {
                (None, false) => lifted = Some(t),
                (Some(from), true) if t - from > 0.1 => return Some([from, t - SETTLED_SECS]),
                (Some(_), true) => lifted = None,
                _ => {}
            }
        }
        before = Some(frame);
        t += STEP_SECS;
    }
    lifted.map(|from| [from, end.max(from + 0.1)])
}
