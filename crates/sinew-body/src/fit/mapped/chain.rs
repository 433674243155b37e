//! A chain of tubes that ends in a tip, as one surface: its control points as linear expressions of the free ones.
//!
//! Tubes join smoothly if a ring is the mean of the rows beside it, weighted by the ratio of the legs, and a seam the mean of the columns
//! beside it. The points on rings and seams are therefore not free; the rest is.

use super::region::Cut;
use super::spline_fit::Place;
use crate::body::{Body, BodyTube};
use crate::ring::arc_of;
use crate::template::Flank;
use glam::{DVec2, DVec3};
use std::f64::consts::TAU;

/// A control point: a sum of unknowns and a constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Expression {
    /// Unknown, factor, and the factor's sign for x: unknowns are for the left side.
    pub(super) terms: Vec<(usize, f64, f64)>,
    pub(super) constant: DVec3,
}

impl Expression {
    fn constant(at: DVec3) -> Self {
        Expression { terms: Vec::new(), constant: at }
    }

    fn sum(parts: &[(f64, &Expression)]) -> Self {
        let mut sum = Expression::default();
        for (factor, part) in parts {
            sum.constant += *factor * part.constant;
            for &(unknown, by, sign) in &part.terms {
                match sum.terms.iter_mut().find(|term| term.0 == unknown && term.2 == sign) {
                    Some(term) => term.1 += factor * by,
                    None => sum.terms.push((unknown, factor * by, sign)),
                }
            }
        }
        sum
    }
}

/// One tube of the chain.
pub(super) struct Link {
    /// Index of the body's tube.
    pub(super) tube: usize,
    pub(super) patch_count: usize,
    /// Start of each bay along the chain, and the end of the last one.
    pub(super) starts: Vec<f64>,
    /// `[row][column]`.
    pub(super) points: Vec<Vec<Expression>>,
}

pub(super) struct Chain {
    pub(super) links: Vec<Link>,
    pub(super) unknown_count: usize,
    pub(super) cut: Cut,
    pub(super) tip: DVec3,
    /// The first ring as a polyline with equal parameter steps.
    ring: Vec<DVec3>,
}

/// Steps of an arc for finding the nearest place of the first ring.
const RING_STEPS: usize = 16;

impl Chain {
    /// The chain of tubes by name, each continuing the previous one; `None` if they are not such a chain in the middle of the body.
    pub(super) fn new(body: &Body, names: &[String]) -> Option<Self> {
        let find = |name: &String| body.tubes.iter().position(|tube| tube.name == *name);
        let tubes: Vec<usize> = names.iter().map(find).collect::<Option<_>>()?;
        let first = &body.tubes[*tubes.first()?];
        let is_chain = tubes.windows(2).all(|pair| body.tubes[pair[1]].continues == Some(pair[0]));
        let tip = body.tubes[*tubes.last()?].tip?.tip;
        if !is_chain || first.flank != Flank::Middle || first.continues.is_none() {
            return None;
        }
        let frame = first.stations[0].ring.frame;
        let row = first.tube.row(0);
        let step = |k: usize| arc_of(row, k / RING_STEPS).at((k % RING_STEPS) as f64 / RING_STEPS as f64);
        let ring: Vec<DVec3> = (0..RING_STEPS * first.tube.patch_count()).map(step).collect();
        let center = ring.iter().sum::<DVec3>() / ring.len() as f64;
        let cut = Cut { at: center, normal: frame.normal };
        let mut builder = Builder::default();
        let (mut start, mut length, mut leg_before) = (0.0, 1.0, None);
        for &tube in &tubes {
            let found = &body.tubes[tube];
            let ratio = leg_before.map_or(1.0, |leg| found.legs_m[0][0] / leg);
            length *= ratio;
            builder.add(found, tube, start, length, ratio);
            let starts = &builder.links[builder.links.len() - 1].starts;
            start = starts[starts.len() - 1];
            length = start - starts[starts.len() - 2];
            leg_before = found.legs_m.last().map(|legs| legs[1]);
        }
        // Bays of the last tube count as long as its patches are wide: bending then costs the same both ways.
        let unit = builder.links.last().map_or(1.0, |link| link.starts[1] - link.starts[0]);
        builder.links.iter_mut().flat_map(|link| &mut link.starts).for_each(|start| *start /= unit);
        Some(Chain { links: builder.links, unknown_count: builder.unknown_count, cut, tip, ring })
    }

    /// The angle on the disc of a point near the first ring.
    pub(super) fn angle_of(&self, at: DVec3) -> f64 {
        let count = self.ring.len();
        let mut best = (f64::INFINITY, 0.0);
        for k in 0..count {
            let (from, to) = (self.ring[k], self.ring[(k + 1) % count]);
            let way = to - from;
            let t = ((at - from).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            let distance = (from + t * way).distance(at);
            if distance < best.0 {
                best = (distance, k as f64 + t);
            }
        }
        TAU * best.1 / count as f64
    }

    /// The place on the chain for a place on the disc.
    pub(super) fn place_of(&self, at: DVec3, disc: DVec2) -> Place {
        let end = self.links.last().and_then(|link| link.starts.last()).copied().unwrap_or(1.0);
        let turn = disc.to_angle() / TAU;
        Place { at, turn: turn - turn.floor(), along: end * super::disc::along(disc.length().min(1.0)) }
    }
}

#[derive(Default)]
struct Builder {
    links: Vec<Link>,
    unknown_count: usize,
}

impl Builder {
    /// Adds a tube whose first bay starts at `start` of the chain and continues one with legs of `leg_before`.
    fn add(&mut self, tube: &BodyTube, index: usize, start: f64, length: f64, ratio: f64) {
        let patch_count = tube.tube.patch_count();
        let bay_count = tube.tube.bay_count();
        let mut points: Vec<Vec<Expression>> = match self.links.last() {
            None => (0..2)
                .map(|row| tube.tube.row(row).iter().map(|&at| Expression::constant(at)).collect())
                .collect(),
            Some(before) => taken_over(before, ratio),
        };
        let mut starts = vec![start];
        let mut length = length;
        for bay in 0..bay_count {
            starts.push(starts[bay] + length);
            // The first ring of a further bay follows from the rows beside it, below.
            let first = if bay == 0 { 2 } else { 1 };
            for _ in first..4 {
                let row = self.free_row(patch_count);
                points.push(row);
            }
            if bay + 1 < bay_count {
                points.push(Vec::new());
                length *= tube.legs_m[bay + 1][0] / tube.legs_m[bay][1];
            }
        }
        points.push(match tube.tip {
            Some(tip) => vec![Expression::constant(tip.tip); 4 * patch_count],
            None => self.free_row(patch_count),
        });
        for bay in 1..bay_count {
            let ratio = tube.legs_m[bay][0] / tube.legs_m[bay - 1][1];
            let (before, after) = (&points[4 * bay - 1], &points[4 * bay + 1]);
            let ring = before.iter().zip(after).map(|(before, after)| {
                Expression::sum(&[(ratio / (1.0 + ratio), before), (1.0 / (1.0 + ratio), after)])
            });
            points[4 * bay] = ring.collect();
        }
        self.links.push(Link { tube: index, patch_count, starts, points });
    }

    /// A row of new unknowns, equal on both sides; seams between them.
    fn free_row(&mut self, patch_count: usize) -> Vec<Expression> {
        let len = 4 * patch_count;
        let mut row = vec![Expression::default(); len];
        for column in (0..len).filter(|column| column % 4 != 0) {
            let image = mirrored(patch_count, column);
            if image < column {
                let terms =
                    row[image].terms.iter().map(|&(unknown, by, sign)| (unknown, by, -sign)).collect();
                row[column] = Expression { terms, constant: DVec3::ZERO };
            } else {
                row[column].terms.push((self.unknown_count, 1.0, 1.0));
                self.unknown_count += 1;
            }
        }
        for seam in 0..patch_count {
            let (before, after) = (&row[(4 * seam + len - 1) % len], &row[4 * seam + 1]);
            row[4 * seam] = Expression::sum(&[(0.5, before), (0.5, after)]);
        }
        row
    }
}

/// The column that mirrors another in a tube whose first corner is on the left.
pub(super) fn mirrored(patch_count: usize, column: usize) -> usize {
    (6 * patch_count - column) % (4 * patch_count)
}

/// The first two rows of a tube that continues another: the other's last ring and its legs, halved.
fn taken_over(before: &Link, ratio: f64) -> Vec<Vec<Expression>> {
    let last = before.points.len() - 1;
    let (ring, inner) = (&before.points[last], &before.points[last - 1]);
    let leg = |(on, inside)| Expression::sum(&[(1.0 + ratio, on), (-ratio, inside)]);
    let legs: Vec<Expression> = ring.iter().zip(inner).map(leg).collect();
    [ring, &legs].into_iter().map(|row| halved(row, before.patch_count)).collect()
}

/// A row with every arc cut in two, by de Casteljau's weights at one half.
fn halved(row: &[Expression], patch_count: usize) -> Vec<Expression> {
    const FIRST: [[f64; 5]; 4] = [
        [1.0, 0.0, 0.0, 0.0, 0.0],
        [0.5, 0.5, 0.0, 0.0, 0.0],
        [0.25, 0.5, 0.25, 0.0, 0.0],
        [0.125, 0.375, 0.375, 0.125, 0.0],
    ];
    const SECOND: [[f64; 5]; 4] = [
        [0.0625, 0.25, 0.375, 0.25, 0.0625],
        [0.0, 0.125, 0.375, 0.375, 0.125],
        [0.0, 0.0, 0.25, 0.5, 0.25],
        [0.0, 0.0, 0.0, 0.5, 0.5],
    ];
    let mut halves = Vec::new();
    for arc in 0..patch_count {
        for weights in FIRST.iter().chain(&SECOND) {
            let parts = (0..5).map(|i| (weights[i], &row[(4 * arc + i) % row.len()]));
            halves.push(Expression::sum(&parts.filter(|part| part.0 != 0.0).collect::<Vec<_>>()));
        }
    }
    halves
}
