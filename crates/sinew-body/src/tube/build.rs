//! Tubes from rings.

use super::Tube;
use crate::ring::{LegField, Ring, RingFrame, UnitArc, unit_ring};
use glam::{DVec2, DVec3};

/// A ring between two bays, and the directions of both there.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// Where the bays meet.
    pub ring: Ring,
    /// The legs' directions, shared by both bays to join them smoothly.
    pub legs: LegField,
}

impl Station {
    /// A ring that both bays leave along its normal.
    pub fn straight(ring: Ring) -> Self {
        let legs = LegField::straight(ring.frame.normal);
        Station { ring, legs }
    }
}

/// The ring that a bay passes through in its middle.
#[derive(Clone, Debug, PartialEq)]
pub struct MiddleRing {
    /// Semi-axes along the mean axes of the rings at both ends, m.
    pub semi_axes: DVec2,
    /// From the middle of both centers, model space, m.
    pub center_offset: DVec3,
}

impl MiddleRing {
    /// A plain ellipse about the bone.
    pub fn new(semi_axes: DVec2) -> Self {
        MiddleRing { semi_axes, center_offset: DVec3::ZERO }
    }
}

/// The shape between two stations.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BayShape {
    /// The ring at the middle of the bay; without it the bay is as smooth as its ends allow.
    pub middle: Option<MiddleRing>,
    /// Length of the legs at the start, m; default a quarter of the centers' distance.
    pub start_leg_m: Option<f64>,
    /// Length of the legs at the end, m; default a quarter of the centers' distance.
    pub end_leg_m: Option<f64>,
}

/// A closed end: the tip of a finger, the crown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pole {
    /// The outermost point, model space, m.
    pub tip: DVec3,
    /// The outward normal there.
    pub direction: DVec3,
    /// Width of the tip: one is an ellipsoid, more is blunter.
    pub fullness: f64,
}

impl Tube {
    /// The tube through stations, with one bay between each two.
    ///
    /// # Panics
    /// Unless there is one bay less than stations, and at least one.
    pub fn from_stations(patch_count: usize, stations: &[Station], bays: &[BayShape]) -> Tube {
        assert_eq!(stations.len(), bays.len() + 1, "a bay lies between two stations");
        let mut tube = Tube::new(patch_count, bays.len());
        for (bay, (shape, ends)) in bays.iter().zip(stations.windows(2)).enumerate() {
            tube.place_bay(bay, shape, &ends[0], &ends[1]);
        }
        tube
    }

    /// The tube with one more bay that closes its end at a pole. `last`: the station where the tube ended.
    pub fn with_pole(&self, last: &Station, pole: &Pole) -> Tube {
        let mut closed = Tube::new(self.patch_count, self.bay_count() + 1);
        closed.points[..self.points.len()].copy_from_slice(&self.points);
        closed.place_pole(self.bay_count(), last, pole);
        closed
    }

    /// A tube of one bay that closes at once.
    pub fn pole_only(patch_count: usize, first: &Station, pole: &Pole) -> Tube {
        let mut tube = Tube::new(patch_count, 1);
        tube.row_mut(0).copy_from_slice(&first.ring.control_points(patch_count));
        tube.place_pole(0, first, pole);
        tube
    }

    fn place_bay(&mut self, bay: usize, shape: &BayShape, start: &Station, end: &Station) {
        let patch_count = self.patch_count;
        let quarter = 0.25 * start.ring.frame.center.distance(end.ring.frame.center);
        let (start_leg, end_leg) = (shape.start_leg_m.unwrap_or(quarter), shape.end_leg_m.unwrap_or(quarter));
        let first = start.ring.control_points(patch_count);
        let last = end.ring.control_points(patch_count);
        let start_legs = start.legs.unit_legs(&start.ring.frame, patch_count);
        let end_legs = end.legs.unit_legs(&end.ring.frame, patch_count);
        let middle = shape.middle.as_ref().map(|middle| middle_points(middle, start, end, patch_count));
        for column in 0..4 * patch_count {
            let (q0, q4) = (first[column], last[column]);
            let (q1, q3) = (q0 + start_leg * start_legs[column], q4 - end_leg * end_legs[column]);
            let q2 = match &middle {
                // S(½) = (Q0 + 4 Q1 + 6 Q2 + 4 Q3 + Q4) / 16 is the wanted point.
                Some(middle) => (16.0 * middle[column] - q0 - 4.0 * q1 - 4.0 * q3 - q4) / 6.0,
                None => (4.0 * q1 - q0 + 4.0 * q3 - q4) / 6.0,
            };
            self.set_column(bay, column, [q0, q1, q2, q3, q4]);
        }
    }

    /// Rows that are scaled copies of the last ring lie in planes and are images of one curve, which gives the tip one tangent plane.
    fn place_pole(&mut self, bay: usize, last: &Station, pole: &Pole) {
        let patch_count = self.patch_count;
        let center = last.ring.frame.center;
        let long = pole.tip.distance(center);
        let tip_frame = RingFrame::new(pole.tip, pole.direction, last.ring.frame.e1);
        let legs = last.legs.unit_legs(&last.ring.frame, patch_count);
        let ring = last.ring.control_points(patch_count);
        // The profile from ring to tip is the quarter ellipse's.
        let UnitArc { leg, .. } = UnitArc::QUARTER;
        let middle = UnitArc::QUARTER.control_points()[2].x;
        for (column, unit) in unit_ring(patch_count).into_iter().enumerate() {
            let out = pole.fullness * tip_frame.vector((unit * last.ring.semi_axes).extend(0.0));
            let rows = [
                ring[column],
                ring[column] + leg * long * legs[column],
                center.lerp(pole.tip, middle) + middle * out,
                pole.tip + leg * out,
                pole.tip,
            ];
            self.set_column(bay, column, rows);
        }
    }

    pub(super) fn set_column(&mut self, bay: usize, column: usize, points: [DVec3; 5]) {
        for (row, point) in points.into_iter().enumerate() {
            self.row_mut(4 * bay + row)[column] = point;
        }
    }
}

fn middle_points(middle: &MiddleRing, start: &Station, end: &Station, patch_count: usize) -> Vec<DVec3> {
    let (from, to) = (&start.ring.frame, &end.ring.frame);
    let e1 = (from.e1 + to.e1).normalize_or(from.e1);
    let e2 = (from.e2 + to.e2).normalize_or(from.e2);
    let center = from.center.midpoint(to.center) + middle.center_offset;
    let point = |unit: DVec2| center + unit.x * middle.semi_axes.x * e1 + unit.y * middle.semi_axes.y * e2;
    unit_ring(patch_count).into_iter().map(point).collect()
}
