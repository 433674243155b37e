//! Figures of fitted heads.

use crate::data::{Bodies, Failure, Source};
use crate::heads::Heads;
use crate::pairing::{GROUPS, Pairing, rms};
use glam::DVec3;
use sinew_body::Patch;
use sinew_body::patchwork::Patchwork;
use sinew_body::patchwork::fit::{PatchworkFit, Prices};

/// The subjects of the data's expressions.
const SUBJECTS: [&str; 3] = ["male-25", "female-25", "male-8"];

/// Vertices of each group, as indices of the pairing.
pub(crate) type Parts = [Vec<usize>; GROUPS.len()];

/// Root mean squares of all bodies by group, from each vertex to its own place.
pub(crate) fn all_bodies(
    net: &Patchwork,
    (bodies, pairing, parts): (&Bodies, &Pairing, &Parts),
    fit: impl Fn(usize) -> Vec<DVec3>,
) {
    let mut all: [Vec<(f64, usize)>; GROUPS.len()] = Default::default();
    let (mut gap, mut jump) = (0.0_f64, 0.0_f64);
    for (body, vertices) in bodies.vertices.iter().enumerate() {
        let slots = fit(body);
        let found = net.check(&net.patches(&slots), 9);
        (gap, jump) = (gap.max(found.gap_m), jump.max(found.jump_deg));
        let distances = pairing.distances(net, &slots, vertices);
        for (list, part) in all.iter_mut().zip(parts) {
            let own: Vec<f64> = part.iter().map(|&index| 1e3 * distances[index]).collect();
            list.push((rms(&own), body));
        }
    }
    for (list, name) in all.iter_mut().zip(GROUPS) {
        let three = SUBJECTS.map(|wanted| {
            let found = list.iter().find(|(_, body)| bodies.names[*body] == wanted);
            found.map_or(f64::NAN, |(value, _)| *value)
        });
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (worst, body) = list[list.len() - 1];
        eprintln!(
            "{name:8}: man {:.3}, woman {:.3}, boy {:.3}; of {} bodies median {:.3}, worst {worst:.3} mm ({})",
            three[0],
            three[1],
            three[2],
            list.len(),
            list[list.len() / 2].0,
            bodies.names[body]
        );
    }
    eprintln!("largest gap {gap:.1e} m, largest jump {jump:.1e}°");
}

/// Heads made of modes, by group: the mean of squares over all of them.
pub(crate) fn modes(
    net: &Patchwork,
    (bodies, pairing, parts): (&Bodies, &Pairing, &Parts),
    count: usize,
    heads: Vec<(usize, Vec<DVec3>)>,
) {
    let distances: Vec<Vec<f64>> =
        heads.iter().map(|(body, slots)| pairing.distances(net, slots, &bodies.vertices[*body])).collect();
    let figures: Vec<String> = parts
        .iter()
        .zip(GROUPS)
        .map(|(part, group)| {
            let all: Vec<f64> =
                distances.iter().flat_map(|own| part.iter().map(|&index| 1e3 * own[index])).collect();
            format!("{group} {:.2}", rms(&all))
        })
        .collect();
    eprintln!("body's modes and {count} of faces, {} heads: {} mm", heads.len(), figures.join(", "));
}

/// Fits without every tenth vertex and reports how far those are.
pub(crate) fn left_out(
    net: &Patchwork,
    (bodies, pairing, parts): (&Bodies, &Pairing, &Parts),
    (average, weights): (&[DVec3], &[f64]),
    (prices, reference): (&Prices, &[Patch]),
) -> Result<(), Failure> {
    let is_left_out = |index: usize| (index * 7919 + 13) % 1009 < 101;
    let kept = |(index, weight): (usize, &f64)| if is_left_out(index) { 0.0 } else { *weight };
    let weights: Vec<f64> = weights.iter().enumerate().map(kept).collect();
    let all = PatchworkFit::new(net, (&pairing.places, &weights), prices, reference)?;
    let mean = all.fit(&pairing.targets(average));
    let heads = Heads::new(net, pairing, mean, (average, &weights), prices)?;
    for name in SUBJECTS {
        let Some(body) = bodies.find(name) else { continue };
        let slots = heads.fit(net, &pairing.targets(&bodies.vertices[body]));
        let distances = pairing.distances(net, &slots, &bodies.vertices[body]);
        let figures: Vec<String> = parts
            .iter()
            .zip(GROUPS)
            .map(|(part, group)| {
                let own: Vec<f64> =
                    part.iter().filter(|&&at| is_left_out(at)).map(|&at| 1e3 * distances[at]).collect();
                format!("{group} {:.3}", rms(&own))
            })
            .collect();
        eprintln!("left out, {name}: {} mm", figures.join(", "));
    }
    Ok(())
}

/// Faces where a normal turns by more than a right angle from the face's mean: folds, or rolled rims.
pub(crate) fn turned_faces(net: &Patchwork, source: &Source, patches: &[Patch]) {
    for face in 0..source.faces.len() / 2 {
        let normal =
            |patch: usize, k: u32| patches[patch].normal(f64::from(k % 11) / 10.0, f64::from(k / 11) / 10.0);
        let normals: Vec<DVec3> =
            net.patches_of(face).flat_map(|patch| (0..121).map(move |k| normal(patch, k))).collect();
        let mean = normals.iter().sum::<DVec3>().normalize_or_zero();
        let least = normals.iter().map(|normal| normal.dot(mean)).fold(1.0, f64::min);
        if least < 0.0 {
            let data = &source.faces[face];
            let kind = if data.is_hidden { ", hidden" } else { "" };
            eprintln!(
                "face {face} turns to a cosine of {least:.2}: {}, {} sides{kind}",
                data.group,
                data.edges.len()
            );
        }
    }
}
