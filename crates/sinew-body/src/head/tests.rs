use super::*;
use crate::g1::compare_edges;
use crate::ring::{Ring, RingFrame};
use crate::shapes::ShapeBasis;
use crate::testing::{GAP_M, JUMP_DEG, Random, assert_smooth_and_closed};
use crate::tube::{BayShape, Station};
use crate::{Patch, Side, Template, Tube, build};
use glam::DVec2;

const STATURE: f64 = 1.75;
const BONE: HeadBone = HeadBone { joint: DVec3::new(0.0, 1.55, 0.01), turn: DQuat::IDENTITY, length_m: 0.2 };
/// Of the collar's normals from the direction away from the neck.
const LEAST_COSINE: f64 = -0.5;

fn mean() -> Vec<DVec3> {
    let head = HeadChange { stature: Some(STATURE), ..HeadChange::default() };
    HeadBasis::human().slots(&head, &BONE)
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
        let (shape, face) = (amounts.clone(), vec![1.0, -1.0]);
        let head = HeadChange { shape, face, size: Some(DVec3::new(1.1, 0.9, 1.0)), stature: Some(STATURE) };
        let slots = heads.slots(&head, &BONE);
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

#[test]
fn a_head_joins_a_tube() {
    let station = |y: f64, z: f64| {
        let frame = RingFrame::new(DVec3::new(0.0, y, z), DVec3::Y, DVec3::Z);
        Station::straight(Ring::new(frame, DVec2::new(0.06, 0.055)))
    };
    let stations = [station(1.40, -0.02), station(1.54, -0.01)];
    let neck = Tube::from_stations(8, &stations, &[BayShape::default()]);
    let (net, mut slots) = (HeadBasis::human().net(), mean());
    let kept = net.cut_of(&neck, 0, &slots);
    let whole = neck.split_bay(0, kept);
    let mut below = Tube::new(8, 1);
    (0..5).for_each(|row| below.row_mut(row).copy_from_slice(whole.row(row)));
    net.join_tube((&neck, kept), 0, &mut slots);
    let patches = net.patches(&slots);
    assert_smooth(net, &patches);
    let halves = below.split_round();
    for (k, &(patch, side)) in net.border().iter().enumerate() {
        let found = compare_edges((&patches[patch], side), (&halves.patch(0, k), Side::W1), 9);
        assert!(found.gap_m < GAP_M && found.jump_deg < JUMP_DEG, "{k} {found:?}");
    }
}

/// The collar leads up: its patches face away from the neck's middle.
#[test]
fn heads_stand_on_the_necks_of_their_bodies() {
    let (basis, template) = (ShapeBasis::human(), Template::human());
    for (parameters, amounts) in basis.bodies.iter().step_by(12) {
        let mut design = basis.whole_design();
        let head = HeadChange { shape: amounts.clone(), ..HeadChange::default() };
        basis.write_design((&basis.list(amounts), head), parameters.stature_m, &mut design);
        let body = build(&template, &design).unwrap();
        assert_smooth_and_closed(&body, 9);
        let head = body.head.as_ref().unwrap();
        let neck = &body.tubes[head.tube].tube;
        let middle = neck.row(0).iter().sum::<DVec3>() / neck.row_len() as f64;
        for &(patch, _) in head.net.border() {
            let patch = &body.patches[head.first_patch + patch].patch;
            let (at, normal) = (patch.position(0.5, 0.5), patch.normal(0.5, 0.5));
            let out = (at - middle).with_y(0.0);
            // A double chin hangs over the cut.
            assert!(normal.dot(out.normalize()) > LEAST_COSINE, "{at} {normal}");
        }
    }
}
