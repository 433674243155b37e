//! Transition from one bone of a tube to the next.

use super::figure::{parent_of, way};
use crate::body::{Body, BodyTube};
use glam::DVec3;
use sinew_geometry::smooth_step_f64;

/// A joint along a tube. Places are lengths along the middle of the tube from its first ring, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Transition {
    pub(super) before: usize,
    pub(super) after: usize,
    /// Position of the joint; below zero if it is before the tube, such as a hip.
    at_m: f64,
    /// Reach backward and forward.
    reach_m: [f64; 2],
    joint: DVec3,
    directions: [DVec3; 2],
}

impl Transition {
    /// The share of the second bone: 0 to 1, a half at the joint, without kinks. A cubic Hermite curve on either side, with one slope at
    /// the joint; the slope is below three halves of either side's chord, so the share is monotonic.
    pub(super) fn share_after(&self, along_m: f64) -> f64 {
        let [back, ahead] = self.reach_m;
        let slope = 1.5 / (back + ahead);
        let rising = |way: f64, reach: f64| {
            let t = way.clamp(0.0, 1.0);
            0.5 * smooth_step_f64(t) + slope * reach * t * t * (t - 1.0)
        };
        let from_joint = along_m - self.at_m;
        if from_joint <= 0.0 {
            rising(1.0 + from_joint / back, back)
        } else {
            1.0 - rising(1.0 - from_joint / ahead, ahead)
        }
    }

    /// Reach forward, m.
    pub(super) fn reach_ahead_m(&self) -> f64 {
        self.reach_m[1]
    }

    /// Center and ends of the soft range for a point of the surface: its projection onto the bones' axis, and the soft length of the bays
    /// beside the joint.
    pub(super) fn spherical(&self, point: DVec3) -> sinew_rig::Spherical {
        let [near, far] = self.directions;
        let along = |direction: DVec3| (point - self.joint).dot(direction);
        let (behind, ahead) = (along(near).min(0.0), along(far).max(0.0));
        let center = if ahead > 0.0 && behind == 0.0 { ahead * far } else { behind * near };
        sinew_rig::Spherical {
            center: (self.joint + center).as_vec3(),
            r0: (self.joint - self.reach_m[0] * near).as_vec3(),
            r1: (self.joint + self.reach_m[1] * far).as_vec3(),
        }
    }
}

/// Positions of a tube's rings along its middle, including the tip.
pub(super) fn ring_places(tube: &BodyTube) -> Vec<f64> {
    let tip = tube.tip.iter().map(|tip| tip.tip);
    let centers: Vec<DVec3> =
        tube.stations.iter().map(|station| station.ring.frame.center).chain(tip).collect();
    let mut places = vec![0.0];
    for pair in centers.windows(2) {
        places.push(places[places.len() - 1] + pair[0].distance(pair[1]));
    }
    places
}

/// Minimum reach of a joint into the bays beside it, as a share of their length. The rows next to a ring move with it: a patch turns
/// over its whole length, not only over the ring's thickness. Smaller: a coarse mesh along a forearm would switch bones within one
/// step.
const BAY_SHARE: f64 = 0.4;

/// The joints of a tube, in order. A joint reaches as far as its ring is thick or well into the bays beside it, but never past half-way
/// to the next joint.
pub(super) fn transitions(body: &Body, index: usize) -> Vec<Transition> {
    let tube = &body.tubes[index];
    let places = ring_places(tube);
    let length = places[places.len() - 1];
    let mut found: Vec<(usize, usize, f64, usize)> = Vec::new();
    let first = tube.bones[0];
    match tube.continues {
        Some(before) => {
            let last = body.tubes[before].bones.last().filter(|&&last| last != first);
            found.extend(last.map(|&last| (last, first, 0.0, 0)));
        }
        None => {
            let ring = &body.rings[tube.rings[0]];
            if ring.bone != first {
                found.push((ring.bone, first, 0.0, 0));
            } else if let Some(parent) = parent_of(body, first) {
                // The joint is before the ring, inside the fills.
                let joint = body.joints[body.bones[first].from].position;
                found.push((parent, first, -joint.distance(ring.ring.frame.center), 0));
            }
        }
    }
    for (bay, pair) in tube.bones.windows(2).enumerate() {
        if pair[0] != pair[1] {
            found.push((pair[0], pair[1], places[bay + 1], bay + 1));
        }
    }
    let last = tube.bones[tube.bones.len() - 1];
    let end = tube.stations.len() - 1;
    let head = body.head.as_ref().filter(|head| head.tube == index);
    let goes_on = body.tubes.iter().find(|next| next.continues == Some(index));
    if let Some(next) = goes_on {
        if next.bones[0] != last {
            found.push((last, next.bones[0], length, end));
        }
    } else if let Some(head) = head {
        found.push((last, head.bone, length, end));
    } else if tube.tip.is_none() && body.rings[tube.rings[end]].bone != last {
        found.push((last, body.rings[tube.rings[end]].bone, length, end));
    }
    let radius = |station: usize| 0.5 * tube.stations[station].ring.semi_axes.element_sum();
    let bay_length = |bay: usize| places.get(bay + 1).map_or(0.0, |end| end - places[bay]);
    let spot = |place: usize| found[place].2;
    let own = (0..found.len()).map(|place| {
        let (before, after, at_m, station) = found[place];
        let back = if place > 0 { 0.5 * (at_m - spot(place - 1)) } else { f64::INFINITY };
        let ahead = if place + 1 < found.len() { 0.5 * (spot(place + 1) - at_m) } else { f64::INFINITY };
        // A joint before the tube reaches past the tube's first ring, where fills end.
        let before_tube = (-at_m).max(0.0);
        let is_at_head = head.is_some_and(|head| head.bone == after);
        let into = |bay: Option<usize>| radius(station).max(BAY_SHARE * bay.map_or(0.0, bay_length));
        Transition {
            before,
            after,
            at_m,
            // A head moves as one piece from the end of its collar on.
            reach_m: [
                into(station.checked_sub(1)).min(back),
                match head.filter(|_| is_at_head) {
                    Some(head) => head.reach_m(bay_length(station - 1)),
                    None => (before_tube + into(Some(station))).min(ahead),
                },
            ],
            joint: joint_of(body, after),
            directions: [direction(body, before), direction(body, after)],
        }
    });
    inherited(body, tube).into_iter().chain(own).collect()
}

/// The last joint of the tube that this one continues with the same bone: it may reach into this one.
fn inherited(body: &Body, tube: &BodyTube) -> Option<Transition> {
    let before = tube.continues.filter(|&before| body.tubes[before].bones.last() == Some(&tube.bones[0]))?;
    let last = *transitions(body, before).last()?;
    let length = *ring_places(&body.tubes[before]).last()?;
    (last.after == tube.bones[0]).then_some(Transition { at_m: last.at_m - length, ..last })
}

fn joint_of(body: &Body, bone: usize) -> DVec3 {
    body.joints[body.bones[bone].from].position
}

fn direction(body: &Body, bone: usize) -> DVec3 {
    way(body, &body.bones[bone]).normalize_or(DVec3::Y)
}
