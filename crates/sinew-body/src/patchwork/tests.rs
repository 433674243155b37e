use super::*;
use crate::testing::{GAP_M, JUMP_DEG, Random};
use std::collections::BTreeMap;

/// Places along an edge where both sides are compared.
const SAMPLES: usize = 9;

fn head() -> Patchwork {
    Patchwork::new(&Layout::head()).unwrap()
}

/// Every slot at random: a surface that crosses itself, and yet each edge has one tangent plane.
fn scatter(net: &Patchwork, seed: u64) -> Vec<DVec3> {
    let mut random = Random::new(seed);
    (0..net.slot_count()).map(|_| 0.1 * random.vector()).collect()
}

#[test]
fn the_head_is_a_disc_open_at_the_neck() {
    let net = head();
    let topology = net.topology();
    assert_eq!(topology.euler_characteristic(), 1);
    assert_eq!(topology.open_wire_count(), 16);
    assert_eq!((net.face_count(), net.patch_count()), (450, 590));
    assert!(topology.patch_sides.iter().flatten().all(Option::is_some));
    let uses = topology.wires.iter().flat_map(|wire| [0.25, 0.75].map(|t| wire.uses_at(t).count()));
    assert!(uses.into_iter().all(|count| (1..=2).contains(&count)));
    let mut sides: BTreeMap<usize, usize> = BTreeMap::new();
    (0..net.face_count()).for_each(|face| *sides.entry(net.patches_of(face).len()).or_default() += 1);
    assert_eq!(sides, BTreeMap::from([(1, 402), (3, 28), (5, 16), (6, 4)]));
}

#[test]
fn every_list_of_vectors_gives_one_tangent_plane_along_every_edge() {
    let net = head();
    for seed in 1..4 {
        let found = net.check(&net.patches(&scatter(&net, seed)), SAMPLES);
        assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{found:?}");
    }
}

#[test]
fn symmetric_vectors_give_a_symmetric_surface_bit_for_bit() {
    let net = head();
    let slots = net.symmetric(&scatter(&net, 5));
    assert_eq!(net.mirrored(&slots), slots);
    let patches = net.patches(&slots);
    let half = patches.len() / 2;
    let image = |patch: &Patch| patch.map(|at| DVec3::new(-at.x, at.y, at.z)).transposed();
    for face in 0..net.face_count() / 2 {
        let left = net.patches_of(face);
        let first = left.start + half;
        for (k, patch) in left.clone().enumerate() {
            let other = first + (left.len() - k) % left.len();
            assert_eq!(image(&patches[patch]), patches[other], "face {face}, patch {k}");
        }
    }
}

#[track_caller]
fn fails(text: &str, part: &str) {
    let found = Layout::parse(text).and_then(|layout| Patchwork::new(&layout)).err();
    let message = found.map(|error| error.to_string()).unwrap_or_default();
    assert!(message.contains(part), "{message}");
}

#[test]
fn broken_layouts_say_what_is_wrong() {
    let square = "nodes 4 0\nline a 1\nedge 0 1 a\nedge 1 2 a\nedge 2 3 a\nedge 3 0 a\n";
    fails("nodes 1 x", "line 1: x is not a number");
    fails("nodes 4 0\nedge 0 1 a", "line 2: unknown line a");
    fails("nodes 1 0\nline a 1\nedge 0 1 a", "node 1 is out of range");
    fails("hole 1 2 3", "found hole");
    fails(&format!("{square}face x 1 2 9"), "unknown edge 9");
    fails(&format!("{square}face x 1 2"), "has 2 sides");
    fails(&format!("{square}face x 1 3 2 4"), "does not start where");
    fails(&format!("{square}face x 1 2 3 4\nface y 1 2 3 4"), "two faces on one side");
    fails(&format!("{square}face x 1 2 3 4"), "expected 4, or 3 on the border");
}

#[test]
fn ratios_must_not_jump() {
    let text = include_str!("../../data/head-layout.txt");
    let changed = text.replacen("edge 198 199 mouth_33", "edge 198 199 mouth_36", 1);
    assert_ne!(changed, text);
    fails(&changed, "ratio");
}
