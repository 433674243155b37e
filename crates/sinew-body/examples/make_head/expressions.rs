//! How well movements of faces are met by the same fit.

use crate::data::{Bodies, Failure};
use crate::heads::Heads;
use crate::npz;
use crate::pairing::{Pairing, rms};
use glam::DVec3;
use sinew_body::patchwork::Patchwork;
use std::collections::BTreeMap;

/// Vertices that a unit moves by less do not count, m.
const MOVES: f64 = 0.5e-3;

/// Units to look at.
const SHOWN: [&str; 4] = ["eyeBlinkLeft", "jawOpen", "mouthSmileLeft", "mouthPucker"];

/// A movement on one subject.
pub(crate) struct Unit {
    pub(crate) subject: String,
    pub(crate) name: String,
    /// What it adds to a head's slots.
    pub(crate) slots: Vec<DVec3>,
}

/// Root mean squares of what moves, for each kind of unit on each subject. Returns those to look at.
pub(crate) fn report(
    path: &str,
    net: &Patchwork,
    (bodies, pairing, heads): (&Bodies, &Pairing, &Heads),
) -> Result<Vec<Unit>, Failure> {
    let arrays = npz::read(path)?;
    let array = |name: &str| arrays.get(name).ok_or_else(|| format!("{path} has no {name}"));
    let (names, kinds) = (array("names")?.texts(), array("kinds")?.texts());
    let index: BTreeMap<usize, usize> =
        array("index")?.numbers().iter().enumerate().map(|(k, &vertex)| (vertex as usize, k)).collect();
    let subjects = array("subjects")?.texts();
    let mut shown = Vec::new();
    let numbers = array("delta_mm")?.numbers();
    let mut found: BTreeMap<&str, Vec<(f64, String)>> = BTreeMap::new();
    for (unit, all) in numbers.chunks_exact(3 * index.len()).enumerate() {
        let (subject, unit) = (unit / names.len(), unit % names.len());
        let delta = |vertex: usize| {
            let k = index.get(&vertex).map(|k| 3 * k);
            k.map_or(DVec3::ZERO, |k| 1e-3 * DVec3::from_slice(&all[k..k + 3]))
        };
        let wanted: Vec<DVec3> = pairing.vertices.iter().map(|&vertex| delta(vertex)).collect();
        let slots = heads.movement(&wanted);
        let patches = net.patches(&slots);
        if SHOWN.contains(&names[unit].as_str()) {
            shown.push(Unit { subject: subjects[subject].clone(), name: names[unit].clone(), slots });
        }
        let missed: Vec<f64> = (0..wanted.len())
            .filter(|&k| wanted[k].length() > MOVES && !bodies.hidden[pairing.vertices[k]])
            .map(|k| {
                let place = &pairing.places[k];
                1e3 * patches[place.patch].position(place.u, place.w).distance(wanted[k])
            })
            .collect();
        if !missed.is_empty() {
            found
                .entry(&kinds[unit])
                .or_default()
                .push((rms(&missed), format!("{}, subject {subject}", names[unit])));
        }
    }
    for (kind, mut all) in found {
        all.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (middle, worst) = (&all[all.len() / 2], &all[all.len() - 1]);
        eprintln!(
            "{} units of {kind}: median {:.3} mm rms of what moves, worst {:.3} mm ({})",
            all.len(),
            middle.0,
            worst.0,
            worst.1
        );
    }
    Ok(shown)
}
