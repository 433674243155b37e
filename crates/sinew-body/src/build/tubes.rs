//! Tubes of a design: plain, with offsets, and made smooth again.
//!
//! The order is that of \[Komatsu88\]: offsets of control points are added to the plain tube (after its step 2), and smoothness is
//! repaired after that (step 4). Offsets therefore survive every change of rings and joints.

use super::Plan;
use crate::Quartic;
use crate::body::{BodyTube, TubeEndName};
use crate::design::given;
use crate::ring::loop_length;
use crate::template::layout::LayoutTube;
use crate::tube::{BayShape, MiddleRing, Pole, Station, Tube};
use glam::{DVec2, DVec3};

/// A tube before offsets, and the lengths of its legs.
#[derive(Clone, Debug)]
pub(crate) struct PlainTube {
    pub(crate) tube: Tube,
    pub(crate) stations: Vec<Station>,
    /// Length of the legs at the start and at the end of each bay.
    pub(crate) legs_m: Vec<[f64; 2]>,
    /// Whether each bay has its own ring in its middle.
    has_middle: Vec<bool>,
    /// Whether each ring must keep its girth.
    has_girth: Vec<bool>,
    /// The plane of the tip: a point and the normal.
    pub(crate) tip: Option<Pole>,
}

/// Mirror images that differ by less differ by rounding, m.
const ROUNDING_M: f64 = 1e-12;

impl PlainTube {
    pub(crate) fn new(plan: &Plan<'_>, layout: &LayoutTube) -> Self {
        let Plan { template, design, figure, rings } = plan;
        let text = &template.text().tubes[layout.text];
        let stations: Vec<Station> = layout.rings.iter().map(|&ring| rings[ring].station.clone()).collect();
        let mut legs_m = Vec::new();
        let mut bays = Vec::new();
        for (bay, name) in text.bays.iter().enumerate() {
            let bone = &figure.bones[layout.bones[bay]];
            let given = given(&design.middles, &format!("{}/{}", text.name, name.name), layout.flank);
            let change = given.unwrap_or_default();
            let growth = 0.5 * (rings[layout.rings[bay]].growth + rings[layout.rings[bay + 1]].growth);
            let ends = &stations[bay..bay + 2];
            let quarter = 0.25 * ends[0].ring.frame.center.distance(ends[1].ring.frame.center);
            let legs =
                [name.start_leg, name.end_leg].map(|leg| leg.map_or(quarter, |leg| bone.stretch * leg));
            let shift = |vector: DVec3| layout.flank.place(vector);
            let listed = name.middle.map(|half| growth * half);
            let default = listed.unwrap_or(0.5 * (ends[0].ring.semi_axes + ends[1].ring.semi_axes));
            let middle = (name.middle.is_some() || given.is_some()).then(|| MiddleRing {
                semi_axes: DVec2::new(
                    change.front.map_or(default.x, |front| 0.5 * front),
                    change.side.map_or(default.y, |side| 0.5 * side),
                ),
                center_offset: match change.shift {
                    Some(given) => bone.direction(shift(given)),
                    None => bone.vector(shift(name.middle_shift)),
                },
            });
            bays.push(BayShape { middle, start_leg_m: Some(legs[0]), end_leg_m: Some(legs[1]) });
            legs_m.push(legs);
        }
        let tip = text.tip.as_ref().map(|tip| {
            let bone = &figure.bones[layout.bones[bays.len()]];
            Pole {
                tip: bone.point(layout.flank.place(tip.at)),
                direction: bone.direction(layout.flank.place(tip.normal)).normalize_or_zero(),
                fullness: tip.fullness.unwrap_or(1.0),
            }
        });
        let last = &stations[stations.len() - 1];
        if let Some(tip) = &tip {
            let leg = match text.tip.as_ref().and_then(|tip| tip.leg) {
                Some(leg) => figure.bones[layout.bones[bays.len()]].stretch * leg,
                None => crate::ring::UnitArc::QUARTER.leg * tip.tip.distance(last.ring.frame.center),
            };
            legs_m.push([leg, leg]);
        }
        let count = layout.patch_count;
        let tube = match (&tip, bays.is_empty()) {
            (None, _) => Tube::from_stations(count, &stations, &bays),
            (Some(tip), true) => Tube::pole_only(count, last, tip),
            (Some(tip), false) => Tube::from_stations(count, &stations, &bays).with_pole(last, tip),
        };
        let mut has_middle: Vec<bool> = bays.iter().map(|bay| bay.middle.is_some()).collect();
        has_middle.push(true);
        let has_girth = layout.rings.iter().map(|&ring| rings[ring].has_girth).collect();
        let mut plain = PlainTube { tube, stations, legs_m, has_middle, has_girth, tip };
        for index in 1..plain.stations.len().saturating_sub(1) {
            if rings[layout.rings[index]].is_passed {
                plain.pass_ring(index);
            }
        }
        plain
    }

    /// Directs the legs at a ring from the previous ring to the next: for each control point the slope of the parabola through the
    /// three rings, over the distances of their centers. Both bays' legs then keep one ratio.
    fn pass_ring(&mut self, index: usize) {
        let center = |index: usize| self.stations[index].ring.frame.center;
        let before_m = center(index).distance(center(index - 1));
        let after_m = center(index + 1).distance(center(index));
        let (end_leg, start_leg) = (self.legs_m[index - 1][1], self.legs_m[index][0]);
        let ring = 4 * index;
        for column in 0..self.tube.row_len() {
            let at = |row: usize| self.tube.row(row)[column];
            let on = at(ring);
            let before = (on - at(ring - 4)) / before_m;
            let after = (at(ring + 4) - on) / after_m;
            let slope = (after_m * before + before_m * after) / (before_m + after_m);
            let legs = [(ring - 1, -end_leg * slope), (ring + 1, start_leg * slope)];
            for (row, leg) in legs {
                let turned = on + leg - self.tube.row(row)[column];
                self.tube.row_mut(row)[column] += turned;
                // The middle of the bay stays if it has a middle ring, else it follows.
                let middle = if row < ring { ring - 2 } else { ring + 2 };
                let share = if self.has_middle[middle / 4] { -4.0 / 6.0 } else { 4.0 / 6.0 };
                self.tube.row_mut(middle)[column] += share * turned;
            }
        }
    }

    /// Adds offsets, one per control point, and repairs the tube. `foot_bay`: where the foot begins, for a leg that stands; `before`: the
    /// tube it continues.
    pub(crate) fn finished(
        mut self,
        offsets: &[DVec3],
        foot_bay: Option<usize>,
        before: Option<&BodyTube>,
    ) -> PlainTube {
        let mut moved: Vec<DVec3> =
            self.tube.points().iter().zip(offsets).map(|(&point, &offset)| point + offset).collect();
        self.tube.points_from_row_mut(0).swap_with_slice(&mut moved);
        // Seams first: joining them changes rings.
        self.join_seams();
        self.keep_girths(offsets);
        // The second round repairs what joining pushed under the ground.
        for _ in 0..2 {
            foot_bay.iter().for_each(|&bay| self.flatten_sole(bay));
            self.repair(before);
        }
        self
    }

    /// The sole: points of the foot that a ring's ellipse puts under the ground lie in the ground's plane, y = 0. This is part of the
    /// foot's own shape, because feet stand at one height and unturned whatever changes above them (see `stand.rs`): it has the same
    /// effect on every figure, and never reaches a leg.
    fn flatten_sole(&mut self, bay: usize) {
        let foot = self.tube.points_from_row_mut(4 * bay + 1);
        foot.iter_mut().for_each(|point| point.y = point.y.max(0.0));
    }

    /// Makes a tube in the middle its own mirror image bit for bit if it is one but for rounding: what is joined to it then is one too.
    pub(crate) fn even_out(&mut self) {
        let len = self.tube.row_len();
        for row in 0..self.tube.row_count() {
            let points = self.tube.row_mut(row);
            for column in 0..len {
                // The first column is on the figure's left.
                let other = (len + len / 2 - column) % len;
                let image = points[other] * DVec3::new(-1.0, 1.0, 1.0);
                if other >= column && points[column].distance(image) < ROUNDING_M {
                    let middle = 0.5 * (points[column] + image);
                    points[column] = middle;
                    points[other] = middle * DVec3::new(-1.0, 1.0, 1.0);
                }
            }
            // Across the middle plane a row runs straight.
            for column in [len / 4, 3 * len / 4] {
                for beside in [column - 1, (column + 1) % len] {
                    let straight = points[column].with_x(points[beside].x);
                    if straight.distance(points[beside]) < ROUNDING_M {
                        points[beside] = straight;
                    }
                }
            }
        }
    }

    /// Gives a share of the bay at an end to the fills beside it: what is left of the tube keeps its surface exactly (fig. 8 of the source).
    pub(crate) fn cut(&mut self, end: TubeEndName, share: f64) {
        let bay = match end {
            TubeEndName::Start => 0,
            TubeEndName::End => self.tube.bay_count() - 1,
        };
        for column in 0..self.tube.row_len() {
            let curve = Quartic(std::array::from_fn(|row| self.tube.row(4 * bay + row)[column]));
            let kept = match end {
                TubeEndName::Start => curve.split(share).1,
                TubeEndName::End => curve.split(1.0 - share).0,
            };
            kept.0
                .iter()
                .enumerate()
                .for_each(|(row, &point)| self.tube.row_mut(4 * bay + row)[column] = point);
        }
        self.legs_m[bay].iter_mut().for_each(|leg| *leg *= 1.0 - share);
        let (row, station) = match end {
            TubeEndName::Start => (0, 0),
            TubeEndName::End => (4 * bay + 4, self.stations.len() - 1),
        };
        let (points, quarter) = (self.tube.row(row), self.tube.row_len() / 4);
        let ring = &mut self.stations[station].ring;
        let [right, up, left, down] = [0, 1, 2, 3].map(|k| points[k * quarter]);
        ring.frame.center = 0.25 * (right + up + left + down);
        ring.semi_axes = 0.5 * DVec2::new(right.distance(left), up.distance(down));
    }

    /// Rings with a given girth keep it: they are scaled about their middle, and the rows beside them follow.
    fn keep_girths(&mut self, offsets: &[DVec3]) {
        for (index, station) in self.stations.iter().enumerate() {
            let (row, row_len) = (4 * index, self.tube.row_len());
            let is_plain = offsets[row * row_len..][..row_len].iter().all(|&offset| offset == DVec3::ZERO);
            if is_plain || !self.has_girth[index] {
                continue;
            }
            let asked = loop_length(station.ring.arcs(self.tube.patch_count()));
            let found = loop_length(self.tube.arcs(row));
            let last_row = (row + 1).min(self.tube.row_count() - 1);
            for column in 0..row_len {
                let from_center = self.tube.row(row)[column] - station.ring.frame.center;
                let move_by = (asked / found - 1.0) * from_center;
                for moved in row.saturating_sub(1)..=last_row {
                    self.tube.row_mut(moved)[column] += move_by;
                }
            }
        }
    }

    fn repair(&mut self, before: Option<&BodyTube>) {
        self.flatten_tip();
        self.join_seams();
        if let Some(before) = before {
            let ratio = self.legs_m[0][0] / before.legs_m[before.legs_m.len() - 1][1];
            self.tube.take_over(&before.tube, ratio);
        }
        self.join_rings();
    }

    /// The row beside the tip must lie in the tip's plane.
    fn flatten_tip(&mut self) {
        let Some(tip) = self.tip else { return };
        let last = self.tube.row_count() - 1;
        self.tube.row_mut(last).fill(tip.tip);
        for point in self.tube.row_mut(last - 1) {
            *point -= (*point - tip.tip).dot(tip.direction) * tip.direction;
        }
    }

    /// Makes the legs on both sides of a seam equal. One ratio for all seams of all tubes, because edges between fills start at them and
    /// need one ratio along their whole length.
    fn join_seams(&mut self) {
        for row in 0..self.tube.row_count() {
            for seam in 0..self.tube.patch_count() {
                self.tube.join_seam_point(row, seam, 1.0);
            }
        }
    }

    /// Joins the legs on both sides of a ring with the plain tube's ratio, which keeps the result linear in the offsets. The rings
    /// themselves stay.
    fn join_rings(&mut self) {
        for bay in 1..self.tube.bay_count() {
            self.tube.join_ring(bay, self.legs_m[bay][0] / self.legs_m[bay - 1][1]);
        }
    }
}
