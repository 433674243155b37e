//! Fills of random holes against the outer rows they must meet.

use super::*;
use crate::g1::{EdgeGap, compare_edges};
use crate::testing::{EXACT, Random};
use crate::{Quartic, Side};

/// Normals of patches of about unit size, computed in f64: what is left of a smooth join.
const SMOOTH_DEG: f64 = 1e-9;

/// A roughened hole of n sides over a paraboloid, and the patches beyond its sides, one per side.
fn rough_hole(count: usize, random: &mut Random) -> (Vec<HoleSide>, Vec<Patch>) {
    let corners: Vec<DVec3> = (0..count)
        .map(|k| {
            let (sin, cos) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
            DVec3::new(cos, sin, -0.5) + 0.05 * random.vector()
        })
        .collect();
    let edges: Vec<Quartic> = (0..count)
        .map(|k| {
            let mut edge = Quartic::line(corners[k], corners[(k + 1) % count]);
            for point in &mut edge.0[1..4] {
                *point += 0.04 * random.vector() + 0.02 * DVec3::Z;
            }
            edge
        })
        .collect();
    let mut sides = Vec::new();
    let mut outer = Vec::new();
    for k in 0..count {
        let (before, after) = (edges[(k + count - 1) % count], edges[(k + 1) % count]);
        let mut legs = Quartic::line(before.0[3] - before.0[4], after.0[1] - after.0[0]);
        for leg in &mut legs.0[1..4] {
            *leg += 0.04 * random.vector();
        }
        sides.push(HoleSide::Whole { edge: edges[k], legs });
        outer.push(beyond(&edges[k], &legs));
    }
    (sides, outer)
}

/// A patch beyond a side, run backwards along its edge w = 0, so that its outside is the fill's.
fn beyond(edge: &Quartic, legs: &Quartic) -> Patch {
    let (edge, legs) = (edge.reversed(), legs.reversed());
    let net = std::array::from_fn(|i| std::array::from_fn(|j| edge.0[i] - j as f64 * legs.0[i]));
    Patch::bezier(net)
}

fn spokes(patches: &[Patch]) -> EdgeGap {
    let count = patches.len();
    (0..count).fold(EdgeGap::default(), |worst, k| {
        let next = &patches[(k + 1) % count];
        worst.worst(compare_edges((&patches[k], Side::U1), (next, Side::W1), 41))
    })
}

fn border(patches: &[Patch], outer: &[Patch]) -> EdgeGap {
    let count = patches.len();
    (0..count).fold(EdgeGap::default(), |worst, k| {
        let (far, near) = outer[k].split_u(0.5).expect("a Bézier patch");
        let next = &patches[(k + 1) % count];
        let first = compare_edges((&patches[k], Side::W0), (&near, Side::W0), 41);
        let second = compare_edges((next, Side::U0), (&far, Side::W0), 41);
        worst.worst(first).worst(second)
    })
}

#[test]
fn fills_of_three_to_eight_sides_are_smooth() {
    for count in 3..=MAX_SIDES {
        for seed in 0..4 {
            let (sides, outer) = rough_hole(count, &mut Random::new(100 * seed + count as u64));
            let shape =
                FillShape { center_factor: 3.0, height_m: 0.05, spoke_scale: 0.9, ..FillShape::default() };
            let patches = fill_hole(&sides, &shape).expect("a closed hole");
            for (what, found) in [("spokes", spokes(&patches)), ("border", border(&patches, &outer))] {
                assert!(found.gap_m < EXACT, "{count} {what}: {found:?}");
                assert!(found.jump_deg < SMOOTH_DEG, "{count} {what}: {found:?}");
            }
        }
    }
}

#[test]
fn without_the_split_corners_there_are_creases() {
    for count in 3..=MAX_SIDES {
        let (sides, outer) = rough_hole(count, &mut Random::new(count as u64));
        let patches = fill_hole(&sides, &FillShape::default()).expect("a closed hole");
        let plain: Vec<Patch> = patches.iter().map(|patch| Patch::bezier(patch.net)).collect();
        assert!((0.1..10.0).contains(&spokes(&plain).jump_deg), "{count}: {:?}", spokes(&plain));
        assert!(
            (0.1..10.0).contains(&border(&plain, &outer).jump_deg),
            "{count}: {:?}",
            border(&plain, &outer)
        );
    }
}

#[test]
fn raw_spokes_and_no_h_crease() {
    for count in [3, 5, 6, 7, 8] {
        let (sides, _) = rough_hole(count, &mut Random::new(count as u64));
        let halves = hole::halved(&sides).expect("a closed hole");
        let halves = &halves[..count];
        let center = star::center_of(halves, &FillShape::default(), &[]);
        let mut patches = vec![Patch::bezier([[DVec3::ZERO; 5]; 5]); count];
        assemble::assemble(halves, &center, (0.0, &[]), &mut patches);
        let without_h = spokes(&patches).jump_deg;
        assert!((0.3..15.0).contains(&without_h), "{count}: {without_h}");
        // The ways to the middles as they are.
        let mut raw = center;
        for (spoke, side) in raw.spokes.iter_mut().zip(halves) {
            *spoke = 0.25 * (side.curves[0].0[4] - center.position);
        }
        assemble::assemble(halves, &raw, (h_at_center(count), &[]), &mut patches);
        let raw_spokes = spokes(&patches).jump_deg;
        assert!((1.0..40.0).contains(&raw_spokes), "{count}: {raw_spokes}");
    }
}

#[test]
fn stars_are_projected_on_regular_ones() {
    // Eq. 4 on raw spokes: the legs at the center that one h asks for are not there.
    let mut random = Random::new(31);
    for count in [3usize, 5, 6, 8] {
        let mut raw: Vec<DVec3> = (0..count)
            .map(|k| {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / count as f64).sin_cos();
                DVec3::new(cos, sin, 0.0) + 0.2 * random.vector()
            })
            .collect();
        let residual = |spokes: &[DVec3]| {
            let h = crate::g1::h_at_center(count);
            (0..count).fold(0.0, |most, k| {
                let (before, after) = (spokes[(k + count - 1) % count], spokes[(k + 1) % count]);
                f64::max(most, (before + after + h * spokes[k]).length())
            })
        };
        assert!(residual(&raw) > 0.05);
        regular_star(&mut raw);
        assert!(residual(&raw) < EXACT);
        let again = raw.clone();
        regular_star(&mut raw);
        assert!(raw.iter().zip(&again).all(|(a, b)| a.distance(*b) < EXACT), "a projection");
    }
}

#[test]
fn a_double_side_keeps_its_vertex() {
    // Five sides, the first given as its two exact halves: the same surface as the whole one.
    let (mut sides, outer) = rough_hole(5, &mut Random::new(44));
    let whole = fill_hole(&sides, &FillShape::default()).expect("a closed hole");
    let HoleSide::Whole { edge, legs } = sides[0] else { unreachable!("made whole above") };
    let (edges, halves) = (edge.split(0.5), legs.split(0.5));
    sides[0] = HoleSide::Double { edges: [edges.0, edges.1], legs: [halves.0, halves.1] };
    let double = fill_hole(&sides, &FillShape::default()).expect("a closed hole");
    for (a, b) in whole.iter().zip(&double) {
        assert!(a.position(0.3, 0.6).distance(b.position(0.3, 0.6)) < EXACT);
    }
    assert!(border(&double, &outer).jump_deg < SMOOTH_DEG);
}

#[test]
fn free_sides_follow_the_corner_rule() {
    let (sides, _) = rough_hole(6, &mut Random::new(45));
    let free: Vec<HoleSide> = sides
        .iter()
        .map(|side| match side {
            HoleSide::Whole { edge, .. } => HoleSide::Free { edge: *edge, legs: [DVec3::ZERO; 3] },
            other => *other,
        })
        .collect();
    let patches = fill_hole(&free, &FillShape::default()).expect("a closed hole");
    assert!(spokes(&patches).jump_deg < SMOOTH_DEG);
}

#[test]
fn height_lifts_the_center_along_its_normal() {
    let (sides, _) = rough_hole(5, &mut Random::new(46));
    let mut patches = fill_hole(&sides, &FillShape::default()).expect("a closed hole");
    let rest = fill_into(&sides, &FillShape::default(), &mut patches).expect("a closed hole");
    let bent = FillShape { height_m: 0.1, spoke_scale: 0.75, ..FillShape::default() };
    let lifted = fill_into(&sides, &bent, &mut patches).expect("a closed hole");
    assert!(lifted.position.distance(rest.position + 0.1 * rest.normal) < EXACT);
    assert!(lifted.spokes[2].distance(0.75 * rest.spokes[2]) < EXACT);
    assert!(rest.normal.z > 0.9, "counter-clockwise from outside: {}", rest.normal);
    assert!(patches[0].normal(1.0, 1.0).distance(lifted.normal) < 1e-9);
}

#[test]
fn holes_that_cannot_be_filled_say_why() {
    let (mut sides, _) = rough_hole(4, &mut Random::new(47));
    assert_eq!(fill_hole(&sides[..2], &FillShape::default()), Err(FillError::Sides { count: 2 }));
    let HoleSide::Whole { edge, legs } = &mut sides[2] else { unreachable!("made whole above") };
    let (good_edge, good_legs) = (*edge, *legs);
    legs.0[0] += 0.01 * DVec3::X;
    let found = fill_hole(&sides, &FillShape::default());
    assert!(matches!(found, Err(FillError::Corner { side: 2, .. })), "{found:?}");
    let mut edge = good_edge;
    edge.0[0] += 0.01 * DVec3::X;
    sides[2] = HoleSide::Whole { edge, legs: good_legs };
    let found = fill_hole(&sides, &FillShape::default());
    assert!(found.is_err(), "{found:?}");
}
