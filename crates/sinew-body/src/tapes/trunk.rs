//! Measures of the trunk.

use super::skin::{Plane, extent, range, tape_round};
use super::{HowRead, Levels, Reading, Tailor, at_plane, plain};
use crate::bernstein::quartic;
use crate::body::BodyPatch;
use crate::survey::Measure::{self, *};
use crate::template::Flank;
use glam::DVec3;

/// Points this near to x = 0 are in the middle plane, m: patches meet there.
pub(super) const MIDDLE_M: f64 = 1e-6;
/// Where the nipples may be, as shares of the way from the chest's joint to the neck's.
const CHEST_SHARES: [f64; 2] = [0.0, 0.45];
/// Where the buttocks stand out, from below the hip joint to above it, as shares of its height.
const BUTTOCK_SHARES: [f64; 2] = [0.86, 1.06];
/// Height of the thigh's tape, as a share of the crotch's: right under the buttock, 0.780 m high on the survey's average man.
const THIGH_SHARE: f64 = 0.922;
/// Levels that the widest part of the hips is sought at, from the tape's level, m.
const HIP_REACH_M: f64 = 0.06;
const HIP_LEVELS: usize = 13;
/// Levels tried where chest and buttocks stand out, and what counts as equally far out, m.
const OUT_LEVELS: usize = 61;
const FLAT_M: f64 = 1e-3;
/// Steps along the seam between the legs.
const SEAM_STEPS: usize = 16;
/// What a caliper that presses to the bone reads of the skin's extent: the survey's mean over that of the average man and woman.
const CHEST_PRESSED: f64 = 0.82;
const HIP_PRESSED: f64 = 0.885;
const BUTTOCK_PRESSED: f64 = 0.907;
/// Places on each arc of a ring.
const RING_STEPS: usize = 32;

fn is_torso(patch: &BodyPatch) -> bool {
    patch.group == "torso"
}

fn is_hip(patch: &BodyPatch) -> bool {
    patch.group == "torso" || patch.group == "leg"
}

/// Control points of a patch's four edges.
pub(super) fn edges_of(patch: &BodyPatch) -> [[DVec3; 5]; 4] {
    let net = &patch.patch.net;
    [net[0], net[4], net.map(|row| row[0]), net.map(|row| row[4])]
}

pub(super) fn along(edge: &[DVec3; 5], t: f64) -> DVec3 {
    quartic(t).iter().zip(edge).map(|(weight, point)| *weight * *point).sum()
}

impl Tailor<'_> {
    pub(super) fn levels(&self) -> Option<Levels> {
        let [hip, chest, neck] = ["hip", "chest", "neck"].map(|name| self.joint(name));
        let (hip, chest, neck) = (hip?.y, chest?.y, neck?.y);
        let between = |low: f64, high: f64, way: DVec3, counts: fn(&BodyPatch) -> bool| {
            self.standing_out([low, high], way, counts)
        };
        let [low, high] = CHEST_SHARES.map(|share| chest + share * (neck - chest));
        let [least, most] = BUTTOCK_SHARES.map(|share| share * hip);
        Some(Levels {
            chest_m: between(low, high, DVec3::Z, is_torso)?,
            waist_m: self.joint("waist")?.y,
            buttock_m: between(least, most, DVec3::NEG_Z, is_hip)?,
            thigh_m: THIGH_SHARE * self.crotch()?,
        })
    }

    /// The height between two others where cuts reach farthest in a direction: the mean of all that come near, the nearer the more, because a
    /// chest is flat there.
    fn standing_out(&self, [low, high]: [f64; 2], way: DVec3, counts: fn(&BodyPatch) -> bool) -> Option<f64> {
        let height = |k: usize| low + (high - low) * k as f64 / (OUT_LEVELS - 1) as f64;
        let heights: Vec<f64> = (0..OUT_LEVELS).map(height).collect();
        let reaches = self.skin.reaches(&heights, way, counts);
        let found: Vec<(f64, f64)> =
            heights.into_iter().zip(reaches).filter_map(|(height, out)| Some((height, out?))).collect();
        let most = found.iter().map(|&(_, out)| out).reduce(f64::max)?;
        let near = |out: f64| (FLAT_M - (most - out)).max(0.0);
        let sum: f64 = found.iter().map(|&(_, out)| near(out)).sum();
        Some(found.iter().map(|&(height, out)| near(out) * height).sum::<f64>() / sum)
    }

    /// Height of the lowest place of the trunk's seam in the middle plane, m. Only whole edges count: a thigh may cross that plane.
    pub(super) fn crotch(&self) -> Option<f64> {
        let edges = self.skin.body.patches.iter().filter(|patch| is_torso(patch)).flat_map(edges_of);
        let middle = edges.filter(|edge| edge.iter().all(|point| point.x.abs() < MIDDLE_M));
        let places =
            middle.flat_map(|edge| (0..=SEAM_STEPS).map(move |k| along(&edge, k as f64 / SEAM_STEPS as f64)));
        range(places, DVec3::Y).map(|range| range[0] - self.ground)
    }

    pub(super) fn trunk(&self, levels: &Levels, found: &mut Vec<Reading>) {
        for (girth, breadth, depth, height) in [
            (ChestGirth, Some(ChestBreadth), ChestDepth, levels.chest_m),
            (WaistGirth, Some(WaistBreadth), WaistDepth, levels.waist_m),
            (ButtockGirth, None, ButtockDepth, levels.buttock_m),
        ] {
            if self.wants(&[girth, depth]) || breadth.is_some_and(|breadth| self.wants(&[breadth])) {
                self.add_level(girth, breadth, depth, height, found);
            }
        }
        if self.wants(&[HipBreadth]) {
            found.extend(self.hip_breadth(levels.buttock_m));
        }
        found.extend(self.crotch().map(|height| plain(CrotchHeight, HowRead::Height, height)));
        if self.wants(&[ChestHeight, ButtockHeight])
            && let Some(own) = self.levels()
        {
            found.push(plain(ChestHeight, HowRead::Height, own.chest_m - self.ground));
            found.push(plain(ButtockHeight, HowRead::Height, own.buttock_m - self.ground));
        }
        found.extend(self.axilla());
    }

    /// The lowest place of the ring where the arm begins.
    fn axilla(&self) -> Option<Reading> {
        let body = self.skin.body;
        let ring = body.rings.iter().find(|ring| ring.name == "arm_root" && ring.flank != Flank::Right)?;
        let arcs = body.tubes[ring.tube].tube.arcs(ring.row);
        let places = arcs.flat_map(|arc| (0..RING_STEPS).map(move |k| arc.at(k as f64 / RING_STEPS as f64)));
        let point = places.min_by(|a, b| a.y.total_cmp(&b.y))?;
        let reading = plain(AxillaHeight, HowRead::Height, point.y - self.ground);
        Some(Reading { point: Some(point), ..reading })
    }

    /// Tape and calipers at a level. Above the armpit the tape passes under the arms: parts farther out count at the armpit.
    fn add_level(
        &self,
        girth: Measure,
        breadth: Option<Measure>,
        depth: Measure,
        height: f64,
        found: &mut Vec<Reading>,
    ) {
        let plane = Plane::level(height);
        // Hips may be cut into two legs; of the chest, what hangs into the arms below the armpit does not count.
        let mut cut = match girth {
            ButtockGirth => self.skin.cut(&plane, is_hip),
            _ => self.skin.nearest_loop(&plane, is_torso),
        };
        let within = self.armpit(height);
        let most = within.unwrap_or(f64::INFINITY);
        cut.iter_mut().for_each(|place| place.x = place.x.clamp(-most, most));
        let mut add = |measure, how, value: Option<f64>| {
            let reading = value.map(|value| at_plane(measure, how, value, &plane));
            found.extend(reading.map(|reading| Reading { within_m: within, ..reading }));
        };
        add(girth, HowRead::Tape, tape_round(&cut, DVec3::Y));
        let pressed = |measure: Measure, extent: Option<f64>| {
            let share = match measure {
                ChestBreadth => CHEST_PRESSED,
                ButtockDepth => BUTTOCK_PRESSED,
                _ => 1.0,
            };
            extent.map(|extent| share * extent)
        };
        add(depth, HowRead::Caliper, pressed(depth, extent(cut.iter().copied(), DVec3::Z)));
        if let Some(breadth) = breadth {
            add(breadth, HowRead::Caliper, pressed(breadth, extent(cut.iter().copied(), DVec3::X)));
        }
    }

    /// Half of the breadth between the armpits, for levels above them.
    fn armpit(&self, height: f64) -> Option<f64> {
        let lowest = self.ring_points("arm_root")?.iter().min_by(|a, b| a.y.total_cmp(&b.y))?;
        (lowest.y < height).then_some(lowest.x.abs())
    }

    /// The greatest breadth near the hips' tape.
    fn hip_breadth(&self, height: f64) -> Option<Reading> {
        let step = |k: usize| height + HIP_REACH_M * (2.0 * k as f64 / (HIP_LEVELS - 1) as f64 - 1.0);
        let levels = (0..HIP_LEVELS).map(|k| Plane::level(step(k)));
        let widths =
            levels.filter_map(|plane| Some((extent(self.skin.cut(&plane, is_hip), DVec3::X)?, plane)));
        let (width, plane) = widths.max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(at_plane(HipBreadth, HowRead::Caliper, HIP_PRESSED * width, &plane))
    }
}
