//! What the account of the patches claims, on random nets.

use super::*;
use crate::testing::Random;
use glam::{DAffine3, DQuat};

/// Rounding of sums of 25 products of about one.
const ROUNDING: f64 = 1e-13;
/// Central differences with a step of 1e-6 in f64.
const DIFFERENCE: f64 = 2e-8;

fn patches(seed: u64) -> [Patch; 2] {
    let mut random = Random::new(seed);
    [random.bezier(), random.gregory()]
}

#[test]
fn derivatives_are_differences() {
    let step = 1e-6;
    let mut random = Random::new(1);
    for patch in patches(2) {
        for _ in 0..200 {
            let (u, w) = (random.between(0.02, 0.98), random.between(0.02, 0.98));
            let jet = patch.jet(u, w);
            let du = (patch.position(u + step, w) - patch.position(u - step, w)) / (2.0 * step);
            let dw = (patch.position(u, w + step) - patch.position(u, w - step)) / (2.0 * step);
            assert!(jet.du.distance(du) < DIFFERENCE && jet.dw.distance(dw) < DIFFERENCE);
        }
    }
}

#[test]
fn second_derivatives_are_differences() {
    let step = 1e-6;
    let [patch, gregory] = patches(3);
    for (u, w) in [(0.2, 0.7), (0.5, 0.5), (0.9, 0.1)] {
        let second = patch.second_derivatives(u, w).expect("a Bézier patch");
        let (left, right) = (patch.jet(u - step, w), patch.jet(u + step, w));
        let (below, above) = (patch.jet(u, w - step), patch.jet(u, w + step));
        assert!(second.duu.distance((right.du - left.du) / (2.0 * step)) < 10.0 * DIFFERENCE);
        assert!(second.duw.distance((right.dw - left.dw) / (2.0 * step)) < 10.0 * DIFFERENCE);
        assert!(second.dww.distance((above.dw - below.dw) / (2.0 * step)) < 10.0 * DIFFERENCE);
    }
    assert_eq!(gregory.second_derivatives(0.5, 0.5), None);
}

#[test]
fn each_edge_sees_its_own_version() {
    let [_, gregory] = patches(4);
    let corners = gregory.corners.expect("a Gregory patch");
    let with = |points: [DVec3; 4]| {
        let mut net = gregory.net;
        for (point, (i, j)) in points.into_iter().zip(CORNERS) {
            net[i][j] = point;
        }
        Patch::bezier(net)
    };
    let (by_u, by_w) = (with(corners.cross_u), with(corners.cross_w));
    let mut largest_swapped = 0.0f64;
    for step in 0..=100 {
        let t = f64::from(step) / 100.0;
        for end in [0.0, 1.0] {
            assert!(gregory.jet(end, t).du.distance(by_u.jet(end, t).du) < ROUNDING);
            assert!(gregory.jet(t, end).dw.distance(by_w.jet(t, end).dw) < ROUNDING);
            largest_swapped = largest_swapped.max(gregory.jet(end, t).du.distance(by_w.jet(end, t).du));
        }
    }
    // The opposite reading of eq. 3 is wrong by the size of the net.
    assert!(largest_swapped > 0.5, "{largest_swapped}");
}

#[test]
fn corners_are_reached_linearly() {
    let [_, patch] = patches(5);
    let corner = patch.jet(0.0, 0.0);
    assert!(corner.du.distance(4.0 * (patch.net[1][0] - patch.net[0][0])) < ROUNDING);
    for radius in [1e-2, 1e-4, 1e-6] {
        for step in 0..=6 {
            let (sin, cos) = (f64::from(step) * std::f64::consts::FRAC_PI_2 / 6.0).sin_cos();
            let near = patch.jet(radius * cos, radius * sin);
            assert!(near.du.distance(corner.du) < 200.0 * radius);
            assert!(near.dw.distance(corner.dw) < 200.0 * radius);
        }
    }
    for (u, w) in [(1e-200, 3e-200), (1e-310, 0.0), (1.0, 1.0), (0.0, 1.0)] {
        let jet = patch.jet(u, w);
        assert!(jet.position.is_finite() && jet.du.is_finite() && jet.dw.is_finite(), "{u} {w}");
    }
}

#[test]
fn a_collapsed_edge_has_the_normal_of_its_limit() {
    let mut random = Random::new(6);
    for side in Side::ALL {
        let mut patch = random.bezier();
        let point = random.vector();
        for k in 0..5 {
            let (i, j) = match side {
                Side::U0 => (0, k),
                Side::U1 => (4, k),
                Side::W0 => (k, 0),
                Side::W1 => (k, 4),
            };
            patch.net[i][j] = point;
        }
        let (u, w) = side.parameters(0.37);
        let limit = patch.normal(u, w);
        for (distance, most) in [(1e-3, 0.1), (1e-5, 1e-3)] {
            let inside = |x: f64| x + (1.0 - 2.0 * x) * distance;
            let (near_u, near_w) = if side.fixes_u() { (inside(u), w) } else { (u, inside(w)) };
            let normal = patch.normal(near_u, near_w);
            assert!(normal.distance(limit) < most, "{side:?}: {normal} {limit}");
        }
    }
}

#[test]
fn flat_and_folded_patches_have_unit_normals() {
    let mut random = Random::new(7);
    let point = Patch::bezier([[DVec3::ONE; 5]; 5]);
    assert_eq!(point.normal(0.3, 0.3), DVec3::Y);
    // Rows 3 and 4 coincide: the inside of a sharp bend.
    let mut folded = random.gentle();
    for row in &mut folded.net {
        row[3] = row[4];
    }
    let normal = folded.normal(0.5, 1.0);
    assert!(normal.z > 0.5 && (normal.length() - 1.0).abs() < ROUNDING, "{normal}");
}

#[test]
fn parts_are_the_whole() {
    let [patch, gregory] = patches(8);
    let (low, high) = patch.split_u(0.3).expect("a Bézier patch");
    let (near, far) = patch.split_w(0.6).expect("a Bézier patch");
    for (u, w) in [(0.0, 0.0), (0.4, 0.7), (1.0, 0.5)] {
        assert!(low.position(u, w).distance(patch.position(0.3 * u, w)) < ROUNDING);
        assert!(high.position(u, w).distance(patch.position(0.3 + 0.7 * u, w)) < ROUNDING);
        assert!(near.position(u, w).distance(patch.position(u, 0.6 * w)) < ROUNDING);
        assert!(far.position(u, w).distance(patch.position(u, 0.6 + 0.4 * w)) < ROUNDING);
    }
    assert_eq!(gregory.split_u(0.5), None);
}

#[test]
fn turning_over_keeps_the_surface() {
    for patch in patches(9) {
        for (u, w) in [(0.1, 0.8), (0.45, 0.5), (0.9, 0.05)] {
            let at = patch.position(u, w);
            assert!(patch.transposed().position(w, u).distance(at) < ROUNDING);
            assert!(patch.reversed_u().position(1.0 - u, w).distance(at) < ROUNDING);
            assert!(patch.reversed_w().position(u, 1.0 - w).distance(at) < ROUNDING);
            let mirror = |v: DVec3| DVec3::new(-v.x, v.y, v.z);
            let mirrored = patch.mirrored();
            assert!(mirrored.position(1.0 - u, w).distance(mirror(at)) < ROUNDING);
            assert!(mirrored.normal(1.0 - u, w).distance(mirror(patch.normal(u, w))) < 1e-10);
            let map = DAffine3::from_rotation_translation(DQuat::from_rotation_x(1.0), DVec3::ONE);
            let moved = patch.transformed(&map).position(u, w);
            assert!(moved.distance(map.transform_point3(at)) < ROUNDING);
        }
        assert_eq!(patch.transposed().transposed(), patch);
        assert_eq!(patch.mirrored().mirrored(), patch);
    }
}

#[test]
fn edges_carry_their_cross_derivatives() {
    for patch in patches(10) {
        for side in Side::ALL {
            let edge = patch.edge(side);
            for t in [0.0, 0.3, 1.0] {
                let (u, w) = side.parameters(t);
                let jet = patch.jet(u, w);
                let inward = match side {
                    Side::U0 => jet.du,
                    Side::U1 => -jet.du,
                    Side::W0 => jet.dw,
                    Side::W1 => -jet.dw,
                };
                assert!(edge.curve.at(t).distance(jet.position) < ROUNDING);
                assert!((4.0 * edge.legs.at(t)).distance(inward) < ROUNDING);
            }
            // Setting what is there changes nothing; setting a Gregory edge leaves the other edges alone.
            let mut same = patch;
            same.set_inner_legs(side, &edge.legs);
            assert!(same.position(0.4, 0.3).distance(patch.position(0.4, 0.3)) < ROUNDING);
            let mut changed = patch.to_gregory();
            changed.set_inner_legs(side, &edge.legs.map(|leg| 2.0 * leg));
            for other in Side::ALL.into_iter().filter(|&other| other != side) {
                let (u, w) = other.parameters(0.2);
                let (before, after) = (patch.jet(u, w), changed.jet(u, w));
                let (before, after) =
                    if other.fixes_u() { (before.du, after.du) } else { (before.dw, after.dw) };
                let touches = other.fixes_u() == side.fixes_u();
                assert!(touches || before.distance(after) < ROUNDING, "{side:?} {other:?}");
            }
        }
    }
}

#[test]
fn positions_are_those_of_jets_to_the_bit() {
    let mut random = Random::new(12);
    for patch in [random.bezier(), random.gregory()] {
        for place in 0..81 {
            let (u, w) = (f64::from(place % 9) / 8.0, f64::from(place / 9) / 8.0);
            assert_eq!(patch.position(u, w), patch.jet(u, w).position, "{u} {w}");
        }
    }
}
