use super::*;
use crate::g1::EdgeGap;
use crate::g1::compare_edges;
use crate::ring::{Ring, RingFrame};
use crate::shapes::ShapeBasis;
use crate::testing::{GAP_M, JUMP_DEG, Random};
use crate::tube::{BayShape, Station};
use crate::{Flank, Patch, Side, Template, Tube, build};
use glam::DVec2;

const STATURE: f64 = 1.75;
/// Of the collar's normals from the direction away from the neck.
const LEAST_COSINE: f64 = -0.5;
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

/// Joins a neck and checks the joint and the head.
#[track_caller]
fn check_neck(neck: &Tube, slots: &mut [DVec3]) -> (Tube, Vec<Patch>) {
    let heads = HeadBasis::human();
    let below = heads.join_neck(neck, slots);
    let patches = heads.net().patches(slots);
    assert_smooth(heads.net(), &patches);
    let mut found = EdgeGap::default();
    for (patch, side) in heads.net().border() {
        let middle = patches[patch].edge(side).curve.at(0.5);
        let others = (0..below.patch_count()).map(|k| below.patch(0, k));
        let apart = |patch: &Patch| patch.edge(Side::W1).curve.at(0.5).distance(middle);
        let nearest = others.min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap();
        found = found.worst(compare_edges((&patches[patch], side), (&nearest, Side::W1), 9));
    }
    assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{found:?}");
    (below, patches)
}

#[test]
fn a_head_joins_a_tube() {
    let station = |y: f64, z: f64| {
        let frame = RingFrame::new(DVec3::new(0.0, y, z), DVec3::Y, DVec3::Z);
        Station::straight(Ring::new(frame, DVec2::new(0.06, 0.055)))
    };
    let stations = [station(1.40, -0.02), station(1.54, -0.01)];
    check_neck(&Tube::from_stations(8, &stations, &[BayShape::default()]), &mut mean());
}

#[test]
fn heads_join_the_necks_of_their_bodies() {
    let (basis, heads) = (ShapeBasis::human(), HeadBasis::human());
    for (parameters, amounts) in basis.bodies.iter().step_by(12) {
        let mut design = basis.whole_design();
        basis.write_design(&basis.list(amounts), parameters.stature_m, &mut design);
        let body = build(&Template::human(), &design).unwrap();
        let joint = *design.joints["skull"].on(Flank::Middle).expect("it stands in the middle");
        let mut slots = heads.slots(amounts, &[], joint, parameters.stature_m);
        let neck = body.tubes.iter().find(|tube| tube.name == "neck").unwrap();
        let (below, patches) = check_neck(&neck.tube, &mut slots);
        // The collar leads up: its patches face away from the neck's middle.
        let middle = below.row(0).iter().sum::<DVec3>() / below.row_len() as f64;
        for (patch, _) in heads.net().border() {
            let (at, normal) = (patches[patch].position(0.5, 0.5), patches[patch].normal(0.5, 0.5));
            let out = (at - middle).with_y(0.0);
            // A double chin hangs over the cut.
            assert!(normal.dot(out.normalize()) > LEAST_COSINE, "{at} {normal}");
        }
    }
}
