//! How near the modes come to heads that they were not made from.

use crate::data::Bodies;
use crate::pairing::{GROUPS, Pairing, rms};
use crate::report::Parts;
use glam::{DQuat, DVec3};
use sinew_body::design::HeadChange;
use sinew_body::head::{HeadBasis, HeadBone};
use sinew_geometry::Cholesky;

/// Price of a deviation of a mode beside squared distances, mm².
const PRICE: f64 = 1.0;

/// Fits amounts of all modes, a place and a nod to the heads of the test bodies, and reports the distances by group.
pub(crate) fn report(heads: &HeadBasis, (bodies, pairing, parts): (&Bodies, &Pairing, &Parts)) {
    let [body_count, own_count] = heads.mode_counts();
    let count = body_count + own_count + 1;
    let bone = HeadBone { joint: DVec3::ZERO, turn: DQuat::IDENTITY, length_m: 1.0 };
    let surface = |amounts: &[f64]| -> Vec<DVec3> {
        let (body, face) = amounts.split_at(body_count.min(amounts.len()));
        let (shape, face) = (body.to_vec(), face.to_vec());
        let head = HeadChange { shape, face, stature: Some(1.0), ..HeadChange::default() };
        let patches = heads.net().patches(&heads.slots(&head, &bone));
        pairing.places.iter().map(|place| patches[place.patch].position(place.u, place.w)).collect()
    };
    let mean = surface(&[]);
    let mut columns: Vec<Vec<DVec3>> = (0..count - 1)
        .map(|mode| {
            let mut amounts = vec![0.0; count];
            amounts[mode] = 1.0;
            centered(surface(&amounts).iter().zip(&mean).map(|(at, mean)| *at - *mean).collect())
        })
        .collect();
    let mean = centered(mean);
    columns.push(mean.iter().map(|at| DVec3::X.cross(*at)).collect());
    let mut all: [Vec<f64>; GROUPS.len()] = Default::default();
    let tests = (0..bodies.names.len()).filter(|&body| bodies.is_test[body]);
    for vertices in tests.map(|body| &bodies.vertices[body]) {
        let heights = || vertices[..vertices.len()].iter().map(|at| at.y);
        let stature = heights().fold(f64::MIN, f64::max) - heights().fold(f64::MAX, f64::min);
        let target = centered(pairing.targets(vertices));
        let scale = 1e3 * stature;
        let rest: Vec<DVec3> = target.iter().zip(&mean).map(|(at, mean)| 1e3 * *at - scale * *mean).collect();
        let dot = |a: &[DVec3], b: &[DVec3]| a.iter().zip(b).map(|(a, b)| a.dot(*b)).sum::<f64>();
        let factor = Cholesky::factor(count, |i, j| {
            scale * scale * dot(&columns[i], &columns[j]) + if i == j { PRICE } else { 0.0 }
        });
        let mut amounts: Vec<f64> = columns.iter().map(|column| scale * dot(column, &rest)).collect();
        factor.iter().for_each(|factor| factor.solve(&mut amounts));
        let missed: Vec<f64> = (0..rest.len())
            .map(|k| {
                let found: DVec3 =
                    columns.iter().zip(&amounts).map(|(column, by)| scale * *by * column[k]).sum();
                rest[k].distance(found)
            })
            .collect();
        for (list, part) in all.iter_mut().zip(parts) {
            list.extend(part.iter().map(|&index| missed[index]));
        }
    }
    let figures: Vec<String> =
        all.iter().zip(GROUPS).map(|(list, group)| format!("{group} {:.2}", rms(list))).collect();
    eprintln!("heads that no mode was made from, all {} modes: {} mm", count - 1, figures.join(", "));
}

fn centered(mut all: Vec<DVec3>) -> Vec<DVec3> {
    let middle = all.iter().sum::<DVec3>() / all.len() as f64;
    all.iter_mut().for_each(|at| *at -= middle);
    all
}
