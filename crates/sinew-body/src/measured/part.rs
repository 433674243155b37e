//! The part of a body at a place, and the place along it.

use crate::body::Body;
use crate::template::Flank;
use glam::DVec3;

/// A part of the body that scales by its own measures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    Head,
    Neck,
    Trunk,
    UpperArm,
    Forearm,
    Thigh,
    Shank,
    Foot,
    /// The hand and its fingers.
    Hand,
}

impl Part {
    /// The part of a bone of the human template.
    pub(super) fn of_bone(bone: &str) -> Self {
        match bone {
            "head" => Self::Head,
            "neck" => Self::Neck,
            "pelvis" | "abdomen" | "chest" | "clavicle" => Self::Trunk,
            "upper_arm" => Self::UpperArm,
            "forearm" => Self::Forearm,
            "thigh" => Self::Thigh,
            "shank" => Self::Shank,
            "foot" | "toes" => Self::Foot,
            _ => Self::Hand,
        }
    }
}

/// A place in the base, as needed for scaling.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Place {
    pub(super) part: Part,
    /// The bone it follows.
    pub(super) bone: usize,
    /// Height above the floor, m.
    pub(super) height_m: f64,
    /// The share of the bone's length that lies before it, 0 to 1.
    pub(super) share: f64,
}

impl Place {
    /// The place of a base's point along one of its bones.
    pub(super) fn new(body: &Body, bone: usize, point: DVec3) -> Self {
        let found = &body.bones[bone];
        let (from, to) = (body.joints[found.from].position, body.joints[found.to].position);
        let way = to - from;
        let share = (point - from).dot(way) / way.length_squared().max(f64::MIN_POSITIVE);
        Self { part: Part::of_bone(&found.name), bone, height_m: point.y, share: share.clamp(0.0, 1.0) }
    }

    /// A place of a part at a height, whatever its bone.
    pub(super) fn at_height(bone: &str, height_m: f64) -> Self {
        Self { part: Part::of_bone(bone), bone: 0, height_m, share: 0.5 }
    }

    /// The place of an offset key's control point: `tube/bay/row/column` or `fill/corner`. `None` for a key that the body lacks.
    pub(super) fn of_key(body: &Body, key: &str) -> Option<Self> {
        let mut words = key.split('/');
        let (first, second) = (words.next()?, words.next()?);
        let fill = body.fills.iter().find(|fill| fill.name == first && fill.flank != Flank::Right);
        if let Some(fill) = fill {
            let count = fill.sides.len();
            let sum: DVec3 =
                (0..count).map(|k| body.patches[fill.first_patch + k].patch.position(0.5, 0.5)).sum();
            return Some(Self::new(body, fill.bone, sum / count as f64));
        }
        let tube = body.tubes.iter().find(|tube| tube.name == first && tube.flank != Flank::Right)?;
        let bay = tube.bays.iter().position(|bay| bay == second)?;
        let row: usize = words.next()?.parse().ok()?;
        let center = |ring: usize| match tube.stations.get(ring) {
            Some(station) => station.ring.frame.center,
            None => tube.tip.as_ref().map_or(tube.stations[bay].ring.frame.center, |tip| tip.tip),
        };
        Some(Self::new(body, tube.bones[bay], center(bay).lerp(center(bay + 1), row as f64 / 4.0)))
    }
}
