//! Volume of the parts between tubes.
//!
//! Tubes keep their own volume, but for what passes through the rings at their ends as these turn. What lies between them, such as chest
//! and shoulders, is closed by lids on the tubes' ends; its volume, less what passed into the tubes, is kept by one common push of the fills'
//! centers and of the edges between them along their normals, larger where a joint beside the fill has turned further. Centers alone
//! make a cone of each fill.

use super::BoneMove;
use crate::Body;
use crate::body::{FillSide, TubeEndName};
use crate::quadrature::{PatchRule, area_vector, cone_volume, fan_center};
use glam::DVec3;

/// Fills that hang together, and the ends of tubes around them.
#[derive(Clone, Debug)]
pub(super) struct FillRegion {
    fills: Vec<usize>,
    edges: Vec<usize>,
    ends: Vec<usize>,
    rest_m3: f64,
}

/// Rule for fills: its error on a body's fills is about 1e-5 of their volume.
fn fill_rule() -> PatchRule {
    PatchRule::tensor(8)
}

/// Largest push of a center, m: a body that would need more is left with another volume.
const MOST_PUSH_M: f64 = 0.05;
/// Weight of an edge's middle control point in the middle of the edge.
const EDGE_WEIGHT: f64 = 0.375;
/// Push of the middles of edges over that of the centers. At zero each fill rises alone, and a sitting body's buttocks become cones. The
/// only other value tried; it was looked at on the sitting and squatting man and woman.
const EDGE_SHARE: f64 = 0.6;
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
            let touches = |region: &FillRegion| {
                region.fills.iter().any(|&other| {
                    edges_of(body, other).any(|edge| edges_of(body, fill).any(|own| own == edge))
                })
            };
            let (joined, apart): (Vec<_>, Vec<_>) = regions.into_iter().partition(touches);
            let mut fills: Vec<usize> = joined.into_iter().flat_map(|region| region.fills).collect();
            fills.push(fill);
            regions = apart;
            regions.push(FillRegion { fills, edges: Vec::new(), ends: Vec::new(), rest_m3: 0.0 });
        }
        let rule = fill_rule();
        for region in &mut regions {
            let mut ends: Vec<usize> = region.fills.iter().flat_map(|&fill| ends_of(body, fill)).collect();
            ends.sort_unstable();
            ends.dedup();
            region.ends = ends;
            let mut edges: Vec<usize> = region.fills.iter().flat_map(|&fill| edges_of(body, fill)).collect();
            edges.sort_unstable();
            edges.dedup();
            region.edges = edges;
            region.rest_m3 = region.volume(body, &rule);
        }
        FillRegions { regions, rule }
    }

    /// Pushes fills and edges until each region has its volume of rest, less what passed into the tubes around it. `passed_m3`: through the
    /// start and end of each tube. `ways`: room for a direction per edge. Does not allocate.
    pub(super) fn hold(
        &self,
        (moves, passed_m3): (&[BoneMove], &[[f64; 2]]),
        ways: &mut [DVec3],
        body: &mut Body,
    ) {
        ways.fill(DVec3::ZERO);
        for region in &self.regions {
            let most = region.fills.iter().map(|&fill| turn_at(body, moves, fill)).fold(0.0, f64::max);
            if most > NO_TURN {
                let passed = region.ends.iter().map(|&end| {
                    let end = &body.ends[end];
                    passed_m3[end.tube][usize::from(end.end == TubeEndName::End)]
                });
                let wanted_m3 = region.rest_m3 - passed.sum::<f64>();
                region.edge_ways((moves, most), body, ways);
                self.hold_region(region, (moves, most), (ways, wanted_m3), body);
            }
        }
    }

    fn hold_region(
        &self,
        region: &FillRegion,
        (moves, most): (&[BoneMove], f64),
        (ways, wanted_m3): (&[DVec3], f64),
        body: &mut Body,
    ) {
        let mut pushed = 0.0;
        let mut missing_after = |push: f64, body: &mut Body| {
            let by = push - pushed;
            pushed = push;
            for &fill in &region.fills {
                body.fills[fill].shape.height_m += by * turn_at(body, moves, fill) / most;
            }
            for &edge in &region.edges {
                body.edges[edge].bulge += by * EDGE_SHARE / EDGE_WEIGHT * ways[edge];
            }
            body.update_edges();
            for &fill in &region.fills {
                // A fill closes in every pose.
                let _ = body.update_fill(fill);
            }
            region.volume(body, &self.rule) - wanted_m3
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
    /// Where the middles of its edges are pushed: along the normal, as far as the fill beside it that has turned further.
    fn edge_ways(&self, (moves, most): (&[BoneMove], f64), body: &Body, ways: &mut [DVec3]) {
        for &index in &self.fills {
            let fill = &body.fills[index];
            let share = turn_at(body, moves, index) / most;
            for (k, side) in fill.sides.iter().enumerate() {
                // Patch k of a fill has the middle of side k at (1, 0).
                if let FillSide::Edge { edge, .. } = *side
                    && ways[edge].length() < share
                {
                    ways[edge] = share * body.patches[fill.first_patch + k].patch.normal(1.0, 0.0);
                }
            }
        }
    }

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

fn edges_of(body: &Body, fill: usize) -> impl Iterator<Item = usize> + '_ {
    body.fills[fill].sides.iter().filter_map(|side| match *side {
        FillSide::Edge { edge, .. } => Some(edge),
        _ => None,
    })
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
