//! Tubes against cylinders and ellipsoids.

use super::*;
use crate::quadrature::PatchRule;
use crate::ring::{LegField, Ring, RingFrame};
use crate::testing::{EXACT, JUMP_DEG, LAST_BIT, ROUNDING, Random};
use glam::DVec2;
use std::f64::consts::PI;

/// Normal jumps of a join that is smooth.
const SMOOTH_DEG: f64 = 1e-9;
/// Area of the best quartic ring over that of the circle.
const RING_AREA: f64 = 1.0 + 1.3e-7;

fn station(height: f64, radius: f64) -> Station {
    Station::straight(Ring::new(RingFrame::new(DVec3::Y * height, DVec3::Y, DVec3::X), DVec2::splat(radius)))
}

fn rough_tube() -> Tube {
    let mut thigh = station(0.0, 0.1);
    thigh.legs = LegField { direction: DVec3::new(0.1, 1.0, 0.0).normalize(), flare: DVec2::new(0.2, -0.1) };
    let shape = |radius: f64, leg: f64| BayShape {
        middle: Some(MiddleRing::new(DVec2::new(radius, 0.9 * radius))),
        start_leg_m: Some(leg),
        end_leg_m: None,
    };
    let mut knee = station(0.4, 0.06);
    knee.legs.flare = DVec2::new(-0.2, 0.1);
    Tube::from_stations(4, &[thigh, knee, station(0.8, 0.04)], &[shape(0.09, 0.08), shape(0.055, 0.15)])
}

#[test]
fn a_cylinder_has_its_volume_and_outside() {
    for patch_count in [2, 3, 4, 5] {
        let tube = Tube::from_stations(
            patch_count,
            &[station(0.0, 0.05), station(0.3, 0.05)],
            &[BayShape::default()],
        );
        let volume = tube.volume(&PatchRule::tensor(6));
        let truth = PI * 0.05 * 0.05 * 0.3;
        let tolerance = [0.0, 0.0, 3e-4, 1e-5, 2e-7, 1e-7][patch_count];
        assert!((volume / truth - 1.0).abs() < tolerance, "{patch_count}: {}", volume / truth);
        let patch = tube.patch(0, 0);
        let (out, normal) = (patch.position(0.3, 0.5), patch.normal(0.3, 0.5));
        assert!(out.with_y(0.0).normalize().dot(normal) > 0.99);
    }
    let tube = Tube::from_stations(4, &[station(0.0, 1.0), station(1.0, 1.0)], &[BayShape::default()]);
    assert!((tube.volume(&PatchRule::tensor(6)) / (PI * RING_AREA) - 1.0).abs() < 1e-8);
}

#[test]
fn the_middle_ring_is_interpolated() {
    let tube = rough_tube();
    let patch = tube.patch(0, 0);
    assert!(patch.position(0.0, 0.5).distance(DVec3::new(0.09, 0.2, 0.0)) < EXACT);
    // e2 = Y × X = −Z.
    assert!(patch.position(1.0, 0.5).distance(DVec3::new(0.0, 0.2, -0.081)) < EXACT);
}

#[test]
fn rings_and_seams_are_smooth_from_the_start() {
    let tube = rough_tube();
    for found in [tube.worst_ring(21), tube.worst_seam(21)] {
        assert!(found.gap_m < LAST_BIT && found.jump_deg < 0.1 * SMOOTH_DEG, "{found:?}");
    }
}

#[test]
fn moved_points_are_joined_again() {
    let mut tube = rough_tube();
    let mut random = Random::new(51);
    for row in 0..tube.row_count() {
        for point in tube.row_mut(row) {
            *point += 0.004 * random.vector();
        }
    }
    assert!(tube.worst_ring(21).jump_deg > 1.0 && tube.worst_seam(21).jump_deg > 1.0);
    let rings_before = tube.row(4).to_vec();
    assert_eq!((tube.join_seams(), tube.join_rings()), (0, 0));
    assert!(tube.worst_ring(21).jump_deg < SMOOTH_DEG, "{:?}", tube.worst_ring(21));
    assert!(tube.worst_seam(21).jump_deg < SMOOTH_DEG, "{:?}", tube.worst_seam(21));
    assert_eq!(tube.row(4)[0], rings_before[0], "corners stay");
}

#[test]
fn a_pole_closes_smoothly() {
    let tip = Pole { tip: DVec3::Y, direction: DVec3::Y, fullness: 1.0 };
    let half = Tube::pole_only(4, &station(0.0, 1.0), &tip);
    let volume = half.volume(&PatchRule::tensor(6));
    assert!((volume / (2.0 * PI / 3.0) - 1.0).abs() < 1e-6, "{}", volume / (2.0 * PI / 3.0));
    for k in 0..4 {
        for u in [0.0, 0.4, 1.0] {
            assert!(half.patch(0, k).normal(u, 1.0).distance(DVec3::Y) < ROUNDING);
        }
    }
    let tube = rough_tube().with_pole(&station(0.8, 0.04), &Pole { tip: DVec3::Y * 0.85, ..tip });
    assert!(tube.worst_ring(21).jump_deg < 0.1 * SMOOTH_DEG);
    assert!(tube.worst_seam(21).jump_deg < JUMP_DEG, "{:?}", tube.worst_seam(21));
}

#[test]
fn a_split_bay_is_the_same_surface() {
    let tube = rough_tube();
    let split = tube.split_bay(0, 0.4);
    assert_eq!(split.bay_count(), 3);
    for w in [0.0, 0.5, 1.0] {
        let whole = tube.patch(0, 1);
        assert!(split.patch(0, 1).position(0.3, w).distance(whole.position(0.3, 0.4 * w)) < LAST_BIT);
        assert!(split.patch(1, 1).position(0.3, w).distance(whole.position(0.3, 0.4 + 0.6 * w)) < LAST_BIT);
        assert_eq!(split.patch(2, 2), tube.patch(1, 2));
    }
}

#[test]
fn patches_halved_round_are_the_same_surface() {
    let tube = rough_tube();
    let split = tube.split_round();
    assert_eq!(split.patch_count(), 8);
    for u in [0.0, 0.3, 1.0] {
        let whole = tube.patch(1, 3);
        assert!(split.patch(1, 6).position(u, 0.7).distance(whole.position(0.5 * u, 0.7)) < LAST_BIT);
        assert!(split.patch(1, 7).position(u, 0.7).distance(whole.position(0.5 + 0.5 * u, 0.7)) < LAST_BIT);
    }
}

#[test]
fn volume_does_not_depend_on_the_place() {
    let mut tube = rough_tube();
    let mut random = Random::new(52);
    for row in 0..tube.row_count() {
        for point in tube.row_mut(row) {
            *point += 0.01 * random.vector();
        }
    }
    // Lids of rings that are not flat count exactly, too.
    let volume = tube.volume(&PatchRule::tensor(6));
    for point in tube.points_from_row_mut(0) {
        *point = glam::DQuat::from_rotation_x(0.7) * *point + DVec3::new(3.0, -2.0, 1.0);
    }
    assert!((tube.volume(&PatchRule::tensor(6)) / volume - 1.0).abs() < 1e-11);
}
