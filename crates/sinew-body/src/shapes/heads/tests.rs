use super::*;
use crate::g1::EdgeGap;
use crate::g1::compare_edges;
use crate::ring::{Ring, RingFrame};
use crate::shapes::ShapeBasis;
use crate::testing::{GAP_M, JUMP_DEG, Random};
use crate::tube::{BayShape, Station};
use crate::{Edge, Patch, Quartic, Side, Tube};
use glam::DVec2;

const STATURE: f64 = 1.75;
const SKULL: DVec3 = DVec3::new(0.0, 1.55, 0.01);

fn mean() -> Vec<DVec3> {
    HeadBasis::human().slots(&[], &[], SKULL, STATURE)
}

#[track_caller]
fn assert_smooth(net: &Patchwork, patches: &[Patch]) {
    let found = net.check(patches, 9);
    assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{found:?}");
}

#[test]
fn heads_of_all_bodies_are_smooth_and_symmetric() {
    let heads = HeadBasis::human();
    for (_, amounts) in &ShapeBasis::human().bodies {
        let slots = heads.slots(amounts, &[1.0, -1.0], SKULL, STATURE);
        assert_smooth(heads.net(), &heads.net().patches(&slots));
        assert_eq!(heads.net().mirrored(&slots), slots);
    }
}

#[test]
fn the_mean_head_has_the_size_of_a_head() {
    let net = HeadBasis::human().net();
    let patches = net.patches(&mean());
    let points: Vec<DVec3> = patches.iter().map(|patch| patch.position(0.5, 0.5)).collect();
    let widest = points.iter().fold(0.0, |widest: f64, at| widest.max(2.0 * at.x));
    let top = points.iter().fold(f64::MIN, |top, at| top.max(at.y));
    // With ears.
    assert!((0.16..0.22).contains(&widest), "{widest}");
    assert!((0.96..1.04).contains(&(top / STATURE)), "{top}");
}

#[test]
fn moved_in_every_vector_a_head_stays_smooth() {
    let net = HeadBasis::human().net();
    for seed in 1..4 {
        let mut random = Random::new(seed);
        let slots: Vec<DVec3> = mean().iter().map(|slot| *slot + 1e-3 * random.vector()).collect();
        assert_smooth(net, &net.patches(&slots));
    }
}

/// A neck of eight patches up to about the collar's ring, split round.
fn neck() -> Tube {
    let station = |y: f64, z: f64| {
        let frame = RingFrame::new(DVec3::new(0.0, y, z), DVec3::Y, DVec3::Z);
        Station::straight(Ring::new(frame, DVec2::new(0.06, 0.055)))
    };
    let stations = [station(1.40, -0.02), station(1.46, -0.01)];
    Tube::from_stations(8, &stations, &[BayShape::default()]).split_round()
}

#[test]
fn a_head_joins_a_tube() {
    let net = HeadBasis::human().net();
    let neck = neck();
    assert_eq!(net.border_count(), neck.patch_count());
    let mut slots = mean();
    let beyond: Vec<Patch> = (0..neck.patch_count()).map(|k| neck.patch(0, k)).collect();
    let edges: Vec<Edge> = beyond
        .iter()
        .map(|patch| {
            let edge = patch.edge(Side::W1);
            Edge { curve: edge.curve, legs: edge.legs.map(|leg| -0.7 * leg) }
        })
        .collect();
    net.join(&edges, &mut slots);
    let patches = net.patches(&slots);
    assert_smooth(net, &patches);
    let open = net.topology().wires.iter().filter(|wire| wire.uses.len() == 1);
    let mut found = EdgeGap::default();
    let mut count = 0;
    for wire in open {
        let inside = &wire.uses[0];
        let own = (&patches[inside.patch], inside.side);
        let middle = own.0.edge(own.1).curve.at(0.5);
        let apart = |patch: &Patch| Quartic::at(&patch.edge(Side::W1).curve, 0.5).distance(middle);
        let nearest = beyond.iter().min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
        found = found.worst(compare_edges(own, (nearest, Side::W1), 9));
        count += 1;
    }
    assert_eq!(count, 16);
    assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{found:?}");
}
