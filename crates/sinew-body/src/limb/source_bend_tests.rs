//! The source's bend against its equations, worked out by hand on a straight round tube.

use super::*;
use crate::ring::{Ring, RingFrame};
use crate::testing::EXACT;
use crate::tube::{BayShape, Station};
use glam::{DQuat, DVec2, DVec3};

const RADIUS: f64 = 0.05;
/// Half of the tube, and a leg of its bays.
const BONE_M: f64 = 0.25;
const LEG_M: f64 = BONE_M / 4.0;
/// Normal jumps of a join that is smooth.
const SMOOTH_DEG: f64 = 1e-6;

/// Two bays along X, bending toward +Z about −Y, on which corners lie.
fn elbow(patch_count: usize) -> (Tube, Joint) {
    let station = |k: usize| {
        let frame = RingFrame::new(DVec3::X * (BONE_M * k as f64), DVec3::X, DVec3::Y);
        Station::straight(Ring::new(frame, DVec2::splat(RADIUS)))
    };
    let stations: Vec<Station> = (0..3).map(station).collect();
    let tube = Tube::from_stations(patch_count, &stations, &[BayShape::default(), BayShape::default()]);
    let center = DVec3::X * BONE_M;
    (tube, Joint { center, axis: DVec3::NEG_Y, bone_before: DVec3::X, bone_beyond: DVec3::X })
}

fn bent(patch_count: usize, deg: f64, roundness: f64) -> (Tube, Tube, Joint) {
    let (rest, joint) = elbow(patch_count);
    let mut tube = rest.clone();
    source_bend(&mut tube, 1, &joint, deg.to_radians(), roundness);
    (rest, tube, joint)
}

/// The ring point and the leg before it by eq. 7 to 10, from the joint; the tube has the source's two patches around.
fn by_hand(rest: &Tube, column: usize, center: DVec3, deg: f64, p: f64) -> (DVec3, DVec3) {
    let offset = |column: usize| rest.row(4)[column] - center;
    let at = offset(column);
    let (t, half) = (deg.min(90.0) / 90.0, 0.5 * deg.min(90.0).to_radians());
    let turned =
        |v: DVec3| DVec3::new(half.cos() * v.x - half.sin() * v.z, v.y, half.sin() * v.x + half.cos() * v.z);
    let leg = turned(DVec3::X * LEG_M);
    if at.z > 1e-9 {
        // Eq. 7: where the inner lines of both bones cross at 90° is (−z, y, z).
        return (DVec3::new(-t * at.z, at.y, at.z), (1.0 - t) * leg);
    }
    // (C): beside the axis the outside mirrors the inside, whose points are (−t z, ±r, z).
    let beside = |z: f64| DVec3::new(t * z, 0.0, -z) - turned(DVec3::new(0.0, 0.0, -z));
    // Both neighbors at the axis have the same depth, so eq. 8 adds the same to all.
    (turned(at) + beside(offset(1).z.abs()), (1.0 - p * t) * leg)
}

#[test]
fn control_points_are_those_of_the_equations() {
    for (deg, p) in [(20.0, 0.0), (45.0, 0.5), (60.0, 1.0), (90.0, 0.3), (120.0, 0.3), (150.0, 0.0)] {
        let (rest, tube, joint) = bent(2, deg, p);
        let further = DQuat::from_axis_angle(DVec3::NEG_Y, 0.5 * f64::to_radians(deg - deg.min(90.0)));
        for column in (0..8).filter(|column| column % 4 != 0) {
            let (on, leg) = by_hand(&rest, column, joint.center, deg, p);
            let expected = [on - leg, on, on + leg].map(|point| joint.center + further * point);
            for (row, expected) in (3..6).zip(expected) {
                let found = tube.row(row)[column];
                assert!(found.distance(expected) < EXACT, "{deg}° {row}/{column}: {found} {expected}");
            }
        }
        for corner in [0, 4] {
            assert!(tube.row(4)[corner].distance(rest.row(4)[corner]) < EXACT, "corners on the axis stay");
        }
    }
}

#[test]
fn the_bone_keeps_its_length_at_every_angle() {
    for deg in [10.0, 45.0, 80.0, 90.0, 110.0, 145.0] {
        let (rest, tube, joint) = bent(4, deg, 0.0);
        let turn = DQuat::from_axis_angle(DVec3::NEG_Y, f64::to_radians(deg));
        for (row, column) in (6..9).flat_map(|row| (0..16).map(move |column| (row, column))) {
            let rigid = joint.center + turn * (rest.row(row)[column] - joint.center);
            assert!(tube.row(row)[column].distance(rigid) < EXACT, "{deg}°: beyond the joint all is rigid");
        }
        assert!((0..3).all(|row| tube.row(row) == rest.row(row)), "before it nothing moves");
    }
}

#[test]
fn joins_stay_smooth_before_the_fold() {
    for count in [2, 4, 6] {
        for (deg, p) in [(-70.0, 0.0), (30.0, 0.5), (60.0, 0.0), (85.0, 0.8)] {
            let (_, tube, _) = bent(count, deg, p);
            assert!(tube.worst_ring(41).jump_deg < SMOOTH_DEG, "{count} {deg}°: {:?}", tube.worst_ring(41));
            assert!(tube.worst_seam(41).jump_deg < SMOOTH_DEG, "{count} {deg}°: {:?}", tube.worst_seam(41));
        }
    }
}

#[test]
fn other_axes_stay_smooth_too() {
    for tilt in [0.01, 0.3, 0.7] {
        let (rest, joint) = elbow(4);
        let joint = Joint { axis: DQuat::from_rotation_x(tilt) * joint.axis, ..joint };
        let mut tube = rest.clone();
        source_bend(&mut tube, 1, &joint, 1.2, 0.0);
        assert!(tube.worst_ring(41).jump_deg < SMOOTH_DEG, "{tilt}: {:?}", tube.worst_ring(41));
        assert!(tube.worst_seam(41).jump_deg < SMOOTH_DEG, "{tilt}: {:?}", tube.worst_seam(41));
    }
}
