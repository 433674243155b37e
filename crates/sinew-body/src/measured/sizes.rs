//! Sizes of parts relative to the base.

use super::knobs::{Knob, Knobs};
use super::part::{Part, Place};
use crate::survey::Measure::*;
use crate::survey::{Completed, Measure};
use glam::{DMat3, DVec2, DVec3};
use sinew_geometry::smooth_step_f64;

/// A person compared with the base's.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes<'a> {
    pub(super) person: &'a Completed,
    pub(super) base: &'a Completed,
    pub(super) knobs: Knobs,
}

/// Number of measured rings.
pub(super) const RING_COUNT: usize = 5;

/// Rings with a measured girth, whatever the rest. The larynx, where the neck is measured, is just below the ring of the throat. The
/// waist is not such a ring: a tape does not follow the skin into the hollow of the back.
pub(super) const MEASURED_RINGS: [(&str, Measure); RING_COUNT] = [
    ("neck_base", NeckBaseGirth),
    ("throat", NeckGirth),
    ("head", HeadGirth),
    ("wrist", WristGirth),
    ("ankle", AnkleGirth),
];

/// Index of the head among them.
const HEAD_RING: usize = 2;

/// Share of the neck's growth in the jaw, and the share of the head's length over which it fades.
const NECK_IN_HEAD: f64 = 0.35;
const HEAD_SHARE: f64 = 0.3;

/// Shares of bones where limbs are measured: the biceps, the thick of the forearm, the thigh's tape, the calf.
const BICEPS_SHARE: f64 = 0.55;
const FOREARM_SHARE: f64 = 0.29;
const THIGH_SHARE: f64 = 0.33;
const CALF_SHARE: f64 = 0.33;

impl Sizes<'_> {
    /// The person's measure divided by the base's.
    pub(super) fn ratio(&self, measure: Measure) -> f64 {
        self.person.value(measure) / self.base.value(measure)
    }

    fn pair(&self, breadth: Measure, depth: Measure) -> DVec2 {
        DVec2::new(self.ratio(breadth), self.ratio(depth))
    }

    fn soft_unless_asked(&self, measure: Measure) -> f64 {
        if self.person.estimate(measure).is_given { 1.0 } else { 1.0 + self.knobs[Knob::Soft] }
    }

    /// The girth to build a measured ring with, by its index in [`MEASURED_RINGS`], m.
    pub(super) fn measured_girth(&self, place: usize) -> f64 {
        self.person.value(MEASURED_RINGS[place].1) * (1.0 + self.knobs.rings[place])
    }

    /// Factors on breadth and depth at a place.
    pub(super) fn at(&self, place: &Place) -> DVec2 {
        match place.part {
            Part::Head => {
                // As a whole, to keep the face; only near the neck it follows the neck a little.
                let neck = NECK_IN_HEAD * (1.0 - smooth_step_f64(place.share / HEAD_SHARE));
                DVec2::splat(self.head() + neck * (self.ratio(NeckGirth) - self.head()))
            }
            Part::Neck => {
                let (base, neck) = (self.ratio(NeckBaseGirth), self.ratio(NeckGirth));
                let top = neck + 0.5 * (self.head() - neck);
                DVec2::splat(if place.share < 0.5 {
                    base + (neck - base) * smooth_step_f64(2.0 * place.share)
                } else {
                    neck + (top - neck) * smooth_step_f64(2.0 * place.share - 1.0)
                })
            }
            Part::Trunk => self.trunk_at(place.height_m),
            Part::UpperArm => {
                let (biceps, chest) = (self.soft(BicepsGirth), self.trunk_at(f64::INFINITY));
                let root = 0.5 * (biceps + 0.5 * chest.element_sum());
                DVec2::splat(along(place.share, [root, biceps, self.elbow()], BICEPS_SHARE))
            }
            Part::Forearm => {
                let ends = [self.elbow(), self.soft(ForearmGirth), self.ratio(WristGirth)];
                DVec2::splat(along(place.share, ends, FOREARM_SHARE))
            }
            Part::Thigh => {
                // Where the leg leaves the trunk the hips' size applies: the thigh's growth fades into the trunk's.
                let (thigh, hips) = (self.thigh(), self.hips());
                let of = |hips: f64| along(place.share, [hips, thigh, self.knee()], THIGH_SHARE);
                DVec2::new(of(hips.x), of(hips.y))
            }
            Part::Shank => {
                let calf = self.soft(CalfGirth) * (1.0 + self.knobs[Knob::Calf]);
                let ends = [self.knee(), calf, self.ratio(AnkleGirth)];
                DVec2::splat(along(place.share, ends, CALF_SHARE))
            }
            Part::Foot => self.pair(FootBreadth, BallGirth),
            Part::Hand => DVec2::splat(self.ratio(HandGirth)),
        }
    }

    /// The head's size relative to the base's.
    pub(super) fn head(&self) -> f64 {
        self.ratio(HeadGirth) * (1.0 + self.knobs.rings[HEAD_RING])
    }

    /// Whether a ring of [`MEASURED_RINGS`] has its measure's girth. The head's size is that of its ring; the throat's ring is where neck and
    /// head meet, and has the girth of neither unless that was given.
    pub(super) fn is_measured(&self, place: usize) -> bool {
        MEASURED_RINGS[place].1 != NeckGirth || self.person.estimate(NeckGirth).is_given
    }

    fn soft(&self, measure: Measure) -> f64 {
        self.ratio(measure) * self.soft_unless_asked(measure)
    }

    /// Factors on the trunk where the legs start.
    pub(super) fn hips(&self) -> DVec2 {
        self.trunk_at(0.0)
    }

    fn thigh(&self) -> f64 {
        self.soft(ThighGirth) * (1.0 + self.knobs[Knob::Thigh])
    }

    /// At joints the bone is close to the skin: they are half as soft.
    fn bony(&self, measures: [Measure; 2]) -> f64 {
        0.5 * (self.ratio(measures[0]) + self.ratio(measures[1])) * (1.0 + self.knobs[Knob::Soft]).sqrt()
    }

    fn elbow(&self) -> f64 {
        self.bony([BicepsGirth, ForearmGirth])
    }

    fn knee(&self) -> f64 {
        self.bony([LowerThighGirth, CalfGirth])
    }

    /// The trunk at a height of the base: as measured at chest, waist and hips, interpolated between them, and softer there.
    fn trunk_at(&self, height_m: f64) -> DVec2 {
        let levels = [
            (ButtockHeight, self.pair(HipBreadth, ButtockDepth) * (1.0 + self.knobs[Knob::Hips])),
            (WaistHeight, self.pair(WaistBreadth, WaistDepth) * (1.0 + self.knobs[Knob::Waist])),
            (ChestHeight, self.pair(ChestBreadth, ChestDepth) * (1.0 + self.knobs[Knob::Chest])),
        ];
        let height = |level: usize| self.base.value(levels[level].0);
        if height_m <= height(0) {
            return levels[0].1;
        }
        if height_m >= height(2) {
            return levels[2].1;
        }
        let below = usize::from(height_m > height(1));
        let way = (height_m - height(below)) / (height(below + 1) - height(below));
        // Without a kink at the levels, which would be a crease in the skin.
        let softness = 1.0 + self.knobs[Knob::Soft] * (4.0 * way * (1.0 - way)).powi(2);
        let slope = middle_slope(levels.map(|level| level.1), [height(0), height(1), height(2)]);
        let slopes = [DVec2::ZERO, slope, DVec2::ZERO];
        let span = height(below + 1) - height(below);
        hermite(way, [levels[below].1, levels[below + 1].1], [slopes[below], slopes[below + 1]], span)
            * softness
    }

    /// The hand's own map of a vector from the wrist: along it, out of its back, and across. `model_from_hand`: those axes in the base.
    pub(super) fn in_hand(&self, model_from_hand: &DMat3, from_wrist: DVec3) -> DVec3 {
        let factors = DVec3::new(self.ratio(HandLength), self.ratio(HandGirth), self.ratio(HandBreadth));
        *model_from_hand * (factors * (model_from_hand.transpose() * from_wrist))
    }
}

/// The slope at the middle of three levels, after Fritsch and Carlson: zero at an extremum, else limited by their neighbors, which keeps
/// values between levels between theirs.
fn middle_slope(values: [DVec2; 3], heights: [f64; 3]) -> DVec2 {
    let slope = |component: fn(DVec2) -> f64| {
        let rise = |low: usize| {
            (component(values[low + 1]) - component(values[low])) / (heights[low + 1] - heights[low])
        };
        let (below, above) = (rise(0), rise(1));
        if below * above <= 0.0 { 0.0 } else { 2.0 * below * above / (below + above) }
    };
    DVec2::new(slope(|value| value.x), slope(|value| value.y))
}

/// Cubic between two values with slopes, over a span.
fn hermite(way: f64, values: [DVec2; 2], slopes: [DVec2; 2], span: f64) -> DVec2 {
    let (t, rest) = (way, 1.0 - way);
    values[0] * (rest * rest * (1.0 + 2.0 * t))
        + values[1] * (t * t * (1.0 + 2.0 * rest))
        + slopes[0] * (span * t * rest * rest)
        - slopes[1] * (span * t * t * rest)
}

/// From the first value at a bone's start over the second at `middle` to the third at its end.
fn along(share: f64, [start, center, end]: [f64; 3], middle: f64) -> f64 {
    if share <= middle {
        start + (center - start) * share / middle
    } else {
        center + (end - center) * (share - middle) / (1.0 - middle)
    }
}
