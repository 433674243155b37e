//! Volume of the parts between tubes.
//!
//! Tubes keep their own volume. What lies between them, such as chest and shoulders, is closed by lids on the tubes' ends; its volume is
//! kept by one common push of the fills' centers along their normals, larger where a joint beside the fill has turned further.

use super::BoneMove;
use crate::Body;
use crate::body::{FillSide, TubeEndName};
use crate::quadrature::{PatchRule, area_vector, cone_volume, fan_center};

/// Fills that hang together, and the ends of tubes around them.
#[derive(Clone, Debug)]
pub(super) struct FillRegion {
    fills: Vec<usize>,
    ends: Vec<usize>,
    rest_m3: f64,
}

/// Rule for fills: its error on a body's fills is about 1e-5 of their volume.
fn fill_rule() -> PatchRule {
    PatchRule::tensor(8)
}

/// Largest push of a center, m: a body that would need more is left with another volume.
const MOST_PUSH_M: f64 = 0.05;
/// Steps of the secant method: the volume is nearly linear in the push.
const STEPS: usize = 3;
/// Below this turn nothing has to be kept, rad.
const NO_TURN: f64 = 1e-6;

/// All regions of a body in rest, with the rule for them.
#[derive(Clone, Debug)]
pub(super) struct FillRegions {
    regions: Vec<FillRegion>,
    rule: PatchRule,
}

impl FillRegions {
    pub(super) fn of(body: &Body) -> Self {
        let mut regions: Vec<FillRegion> = Vec::new();
        for fill in 0..body.fills.len() {
            let sides = |fill: usize| body.fills[fill].sides.iter();
            let edges = |fill: usize| {
                sides(fill).filter_map(|side| match side {
                    FillSide::Edge { edge, .. } => Some(*edge),
                    _ => None,
                })
            };
            let touches = |region: &FillRegion| {
                region.fills.iter().any(|&other| edges(other).any(|edge| edges(fill).any(|own| own == edge)))
            };
            let (joined, apart): (Vec<_>, Vec<_>) = regions.into_iter().partition(touches);
            let mut fills: Vec<usize> = joined.into_iter().flat_map(|region| region.fills).collect();
            fills.push(fill);
            regions = apart;
            regions.push(FillRegion { fills, ends: Vec::new(), rest_m3: 0.0 });
        }
        let rule = fill_rule();
        for region in &mut regions {
            let mut ends: Vec<usize> = region.fills.iter().flat_map(|&fill| ends_of(body, fill)).collect();
            ends.sort_unstable();
            ends.dedup();
            region.ends = ends;
            region.rest_m3 = region.volume(body, &rule);
        }
        FillRegions { regions, rule }
    }

    /// Pushes the fills' centers until each region has its volume of rest. Does not allocate.
    pub(super) fn hold(&self, moves: &[BoneMove], body: &mut Body) {
        for region in &self.regions {
            let most = region.fills.iter().map(|&fill| turn_at(body, moves, fill)).fold(0.0, f64::max);
            if most > NO_TURN {
                self.hold_region(region, (moves, most), body);
            }
        }
    }

    fn hold_region(&self, region: &FillRegion, (moves, most): (&[BoneMove], f64), body: &mut Body) {
        let mut pushed = 0.0;
        let mut missing_after = |push: f64, body: &mut Body| {
            for &fill in &region.fills {
                body.fills[fill].shape.height_m += (push - pushed) * turn_at(body, moves, fill) / most;
            }
            pushed = push;
            for &fill in &region.fills {
                // A fill closes in every pose.
                let _ = body.update_fill(fill);
            }
            region.volume(body, &self.rule) - region.rest_m3
        };
        let (mut last, mut push) = (0.0, 0.005);
        let mut missing = missing_after(last, body);
        for _ in 0..STEPS {
            let found = missing_after(push, body);
            let slope = (found - missing) / (push - last);
            if slope == 0.0 || !slope.is_finite() {
                return;
            }
            (last, missing) = (push, found);
            push = (push - found / slope).clamp(-MOST_PUSH_M, MOST_PUSH_M);
            if push == last {
                return;
            }
        }
        missing_after(push, body);
    }
}

impl FillRegion {
    /// With lids on the ends of the tubes around it.
    fn volume(&self, body: &Body, rule: &PatchRule) -> f64 {
        let patches = self.fills.iter().flat_map(|&fill| {
            let fill = &body.fills[fill];
            &body.patches[fill.first_patch..fill.first_patch + fill.sides.len()]
        });
        let fills: f64 = patches.map(|patch| rule.volume(&patch.patch)).sum();
        let lids = self.ends.iter().map(|&end| {
            let end = &body.ends[end];
            let tube = &body.tubes[end.tube].tube;
            let [row, _] = end.end.rows(tube);
            let lid = cone_volume(fan_center(tube.arcs(row)), area_vector(tube.arcs(row)));
            // A tube's rings run counter-clockwise seen along it.
            if end.end == TubeEndName::Start { lid } else { -lid }
        });
        fills + lids.sum::<f64>()
    }
}

fn ends_of(body: &Body, fill: usize) -> impl Iterator<Item = usize> + '_ {
    body.fills[fill].sides.iter().filter_map(|side| match *side {
        FillSide::Arc { end, .. } | FillSide::Double { end, .. } => Some(end),
        FillSide::Edge { .. } => None,
    })
}

/// Largest turn between a fill and the tubes that end there, rad.
fn turn_at(body: &Body, moves: &[BoneMove], fill: usize) -> f64 {
    let own = moves[body.fills[fill].bone].rotation;
    let turns = ends_of(body, fill).map(|end| {
        let end = &body.ends[end];
        let tube = &body.tubes[end.tube];
        let bone = match end.end {
            TubeEndName::Start => tube.bones[0],
            TubeEndName::End => tube.bones[tube.bones.len() - 1],
        };
        own.angle_between(moves[bone].rotation)
    });
    turns.fold(0.0, f64::max)
}
