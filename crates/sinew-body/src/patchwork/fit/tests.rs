use super::super::Patchwork;
use super::*;
use crate::design::HeadChange;
use crate::head::{HeadBasis, HeadBone};
use glam::{DAffine3, DMat3};

/// Points that a net can meet are met within this, m: what keeps slots without points costs so much.
const MET_M: f64 = 2e-5;

fn head() -> (&'static Patchwork, Vec<Patch>) {
    let heads = HeadBasis::human();
    let head = HeadChange { stature: Some(1.75), ..HeadChange::default() };
    let bone = HeadBone { joint: DVec3::ZERO, turn: glam::DQuat::IDENTITY, length_m: 1.0 };
    let patches = heads.net().patches(&heads.slots(&head, &bone));
    (heads.net(), patches)
}

/// Six by six places on every patch.
fn places(patches: &[Patch]) -> Vec<Place> {
    let at = |k: usize| (0.5 + k as f64) / 6.0;
    (0..patches.len())
        .flat_map(|patch| (0..36).map(move |k| Place { patch, u: at(k % 6), w: at(k / 6) }))
        .collect()
}

fn points(patches: &[Patch], places: &[Place]) -> Vec<DVec3> {
    places.iter().map(|place| patches[place.patch].position(place.u, place.w)).collect()
}

fn farthest(a: &[DVec3], b: &[DVec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max)
}

#[test]
fn points_of_a_head_give_that_head() {
    let (net, patches) = head();
    let places = places(&patches);
    let wanted = points(&patches, &places);
    let none = Prices { third: 0.0, second: 1e-9, plate: 0.0, jump: 0.0, fill: 0.0, ..Prices::default() };
    let fit = PatchworkFit::new(net, (&places, &vec![1.0; places.len()]), &none, &[]).unwrap();
    let found = points(&net.patches(&fit.fit(&wanted)), &places);
    assert!(farthest(&wanted, &found) < MET_M, "{}", farthest(&wanted, &found));
}

#[test]
fn fits_follow_affine_maps() {
    let (net, patches) = head();
    let places = places(&patches);
    let wanted = points(&patches, &places);
    let fit =
        PatchworkFit::new(net, (&places, &vec![1.0; places.len()]), &Prices::default(), &patches).unwrap();
    let matrix = DMat3::from_cols_array(&[0.7, 0.1, 0.0, -0.2, 0.8, 0.05, 0.0, 0.1, 1.2]);
    let map = DAffine3 { matrix3: matrix, translation: DVec3::new(0.1, 0.2, 0.0) };
    let moved: Vec<DVec3> = wanted.iter().map(|at| map.transform_point3(*at)).collect();
    let plain = points(&net.patches(&fit.fit(&wanted)), &places);
    let found = points(&net.patches(&fit.fit(&moved)), &places);
    let expected: Vec<DVec3> = plain.iter().map(|at| map.transform_point3(*at)).collect();
    // What holds slots is not moved along.
    assert!(farthest(&expected, &found) < 1e-6, "{}", farthest(&expected, &found));
}

#[test]
fn relaxed_places_come_nearer() {
    let (net, patches) = head();
    let exact = places(&patches);
    let wanted = points(&patches, &exact);
    let mut moved = exact.clone();
    moved.iter_mut().for_each(|place| (place.u, place.w) = (place.u * 0.9 + 0.04, place.w * 0.9 + 0.06));
    let before = farthest(&points(&patches, &moved), &wanted);
    let relaxation = Relaxation::new(net);
    (0..6).for_each(|_| relaxation.step(&patches, &wanted, &mut moved));
    let missed: f64 = points(&patches, &moved).iter().zip(&wanted).map(|(a, b)| a.distance_squared(*b)).sum();
    let rms = (missed / wanted.len() as f64).sqrt();
    assert!(rms < 0.05 * before, "{rms} of {before}");
}

#[test]
fn a_weight_is_missing() {
    let (net, patches) = head();
    let error = PatchworkFit::new(net, (&places(&patches), &[1.0]), &Prices::default(), &[]).err();
    assert!(matches!(error, Some(PatchworkFitError::Lengths { weights: 1, .. })), "{error:?}");
}
