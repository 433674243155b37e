//! Helpers that follow other bones.

use crate::support::tube::Tube;
use crate::support::{fit, quick};
use glam::{DAffine3, DQuat, DVec3};
use sinew_fit::{
    AppendChain, AppendFit, AppendLink, AppendSearch, AppendSettings, AppendStart, HelperError, HelperFit,
    HelperSettings, Turns,
};

const AT_REST: [DQuat; 2] = [DQuat::IDENTITY; 2];

fn vectors(tube: &Tube) -> Vec<DVec3> {
    tube.changes.iter().map(|change| change.rotation.to_scaled_axis()).collect()
}

fn append(tube: &Tube, helpers: &HelperFit, settings: &HelperSettings) -> AppendFit {
    let vectors = vectors(tube);
    let turns = Turns { vectors: &vectors, at_rest: &AT_REST, is_followed: &[false, true] };
    let start = AppendStart {
        weights: &helpers.weights,
        posed_from_rest: &helpers.posed_from_rest,
        pairs: &helpers.mirror_pairs,
    };
    let examples = tube.examples();
    let mut search = AppendSearch::new(&examples, start, turns, settings, AppendSettings::default())
        .expect("the tube is fine");
    while search.advance() {}
    search.finish()
}

/// The tube as weights and a chain have it, which a fit that knows only the weights must find.
#[test]
fn a_chain_is_found_again() {
    let mut tube = Tube::grid();
    let truth = AppendChain {
        parent: 0,
        links: vec![
            AppendLink { driver: 1, ratio: 0.8, pivot: DVec3::new(0.0, -0.1, 0.05) },
            AppendLink { driver: 1, ratio: -0.3, pivot: DVec3::new(0.02, 0.15, 0.0) },
        ],
    };
    let vectors = vectors(&tube);
    let turns = Turns { vectors: &vectors, at_rest: &AT_REST, is_followed: &[false, true] };
    let count = tube.rest.len();
    let weights: Vec<f64> = (0..count)
        .flat_map(|at| {
            let up = at as f64 / count as f64;
            [0.5 * (1.0 - up), 0.5 * up, 0.5]
        })
        .collect();
    let mut start = Vec::new();
    for pose in 0..tube.changes.len() / 2 {
        let drivers = tube.matrices[2 * pose..][..2].to_vec();
        let bones = [drivers[0], drivers[1], truth.posed_from_rest(&turns, pose, &drivers)];
        for (at, rest) in tube.rest.iter().enumerate() {
            let parts = bones.iter().zip(&weights[3 * at..]);
            let place: DVec3 =
                parts.map(|(bone, weight)| *weight * bone.transform_point3(rest.as_dvec3())).sum();
            tube.targets[pose * count + at] = place.as_vec3();
        }
        start.push(DAffine3::IDENTITY);
    }
    let settings = quick(1);
    let examples = tube.examples();
    let start = AppendStart { weights: &weights, posed_from_rest: &start, pairs: &[] };
    let mut search = AppendSearch::new(&examples, start, turns, &settings, AppendSettings::default())
        .expect("the tube is fine");
    let mut last = f64::INFINITY;
    while search.advance() {
        assert!(search.rms() <= last, "the error rises from {last} to {}", search.rms());
        last = search.rms();
    }
    let found = search.finish();
    // Pivots are held a little to the middle of their vertices; bones alone are decimeters off.
    assert!(found.errors.rms < 1e-3, "{} off, {:?}", found.errors.rms, found.chains);
    let turn: f64 = found.chains[0].links.iter().map(|link| link.ratio).sum();
    let hangs_on = found.chains[0].parent as f64;
    assert!((turn + hangs_on - 0.5).abs() < 0.02, "{:?} turns otherwise than {truth:?}", found.chains);
}

#[test]
fn followers_come_near_to_free_helpers_and_rest_where_bones_do() {
    let tube = Tube::grid();
    let plain = fit(&tube, &quick(0)).errors.rms;
    let settings = quick(2);
    let helpers = fit(&tube, &settings);
    let found = append(&tube, &helpers, &settings);
    let (free, with) = (helpers.errors.rms, found.errors.rms);
    assert!(
        plain - with > 0.6 * (plain - free),
        "{plain} by bones, {free} by free helpers, {with} by followers"
    );
    for row in found.weights.chunks(4) {
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9 && row.iter().all(|weight| *weight >= 0.0));
    }
    let rest = Turns { vectors: &[DVec3::ZERO; 2], at_rest: &AT_REST, is_followed: &[] };
    for chain in &found.chains {
        assert!((1..=AppendSettings::default().most_links).contains(&chain.links.len()), "{chain:?}");
        assert!(
            chain.posed_from_rest(&rest, 0, &[DAffine3::IDENTITY; 2]).abs_diff_eq(DAffine3::IDENTITY, 1e-12)
        );
    }
}

#[test]
fn a_mirrored_tube_gets_mirrored_chains() {
    let tube = Tube::new(&[0.2, 0.5, 0.9, 1.3, 1.7, 2.1].map(|bend| (bend, 0.0)));
    let mut settings = quick(2);
    settings.rules.mirror = Some(tube.mirror());
    let helpers = fit(&tube, &settings);
    let found = append(&tube, &helpers, &settings);
    for (at, pair) in helpers.mirror_pairs.iter().enumerate() {
        match *pair {
            Some(partner) => assert_eq!(found.chains[partner], found.chains[at].mirrored(|driver| driver)),
            None => assert!(
                found.chains[at].links.iter().all(|link| link.pivot.x == 0.0),
                "{:?}",
                found.chains[at]
            ),
        }
    }
    let mirror = tube.mirror();
    let partner = |helper: usize| helpers.mirror_pairs[helper].unwrap_or(helper);
    let bones = 2 + helpers.helper_count;
    for (vertex, image) in mirror.vertices.iter().enumerate() {
        for bone in 0..bones {
            let other = if bone < 2 { bone } else { 2 + partner(bone - 2) };
            let (own, image) =
                (found.weights[vertex * bones + bone], found.weights[*image as usize * bones + other]);
            assert!((own - image).abs() < 1e-9, "vertex {vertex}: {own} and {image}");
        }
    }
}

#[test]
fn lists_of_the_wrong_length_are_told() {
    let tube = Tube::grid();
    let settings = quick(1);
    let vectors = vectors(&tube);
    let turns = Turns { vectors: &vectors[1..], at_rest: &AT_REST, is_followed: &[false, true] };
    let weights = vec![0.5; 2 * tube.rest.len()];
    let start = AppendStart { weights: &weights, posed_from_rest: &[], pairs: &[] };
    let examples = tube.examples();
    let error = AppendSearch::new(&examples, start, turns, &settings, AppendSettings::default()).err();
    assert!(matches!(error, Some(HelperError::Count { what: "turns", .. })), "{error:?}");
}
