//! Pairs vertices with places once, on the average, and names groups of vertices for figures.

use crate::data::{Bodies, Failure, Regions, Source};
use glam::DVec3;
use sinew_body::patchwork::Patchwork;
use sinew_body::patchwork::fit::{PatchworkFit, Place, Prices, Relaxation};
use std::collections::{BTreeMap, BTreeSet};

/// Vertices with their places on the net.
pub(crate) struct Pairing {
    pub(crate) vertices: Vec<usize>,
    pub(crate) places: Vec<Place>,
    /// Of each vertex its mirror image in the list; itself in the middle plane.
    mirror: Vec<usize>,
}

impl Pairing {
    pub(crate) fn new(net: &Patchwork, source: &Source, bodies: &Bodies) -> Result<Pairing, Failure> {
        let vertices: Vec<usize> = source.places.iter().map(|place| place.0).collect();
        let index: BTreeMap<usize, usize> = vertices.iter().enumerate().map(|(k, &at)| (at, k)).collect();
        let mirror: Option<Vec<usize>> =
            vertices.iter().map(|&at| index.get(&bodies.mirror[at]).copied()).collect();
        let places = source.places.iter().map(|&(_, face, part, u, w)| {
            let face = source.net_face(face, net.face_count());
            Place { patch: net.patches_of(face).start + part, u, w }
        });
        let places = places.collect();
        Ok(Pairing { vertices, places, mirror: mirror.ok_or("the places are not symmetric")? })
    }

    pub(crate) fn targets(&self, vertices: &[DVec3]) -> Vec<DVec3> {
        self.vertices.iter().map(|&at| vertices[at]).collect()
    }

    /// Moves places toward the average's vertices, `rounds` times, and returns the fit's slots of the last round.
    pub(crate) fn settle(
        &mut self,
        net: &Patchwork,
        weights: &[f64],
        (prices, average): (&Prices, &[DVec3]),
        rounds: usize,
    ) -> Result<Vec<DVec3>, Failure> {
        let targets = self.targets(average);
        let relaxation = Relaxation::new(net);
        let mut slots = PatchworkFit::new(net, (&self.places, weights), prices, &[])?.fit(&targets);
        for round in 0..rounds {
            let patches = net.patches(&net.symmetric(&slots));
            relaxation.step(&patches, &targets, &mut self.places);
            self.mirror_places(net);
            slots = PatchworkFit::new(net, (&self.places, weights), prices, &patches)?.fit(&targets);
            eprintln!("round {round}: {:.3} mm rms", 1e3 * rms(&self.distances(net, &slots, average)));
        }
        Ok(net.symmetric(&slots))
    }

    fn mirror_places(&mut self, net: &Patchwork) {
        let half = net.patch_count() / 2;
        for index in 0..self.places.len() {
            let Place { patch, u, w } = self.places[index];
            if patch < half && self.mirror[index] != index {
                self.places[self.mirror[index]] = Place { patch: net.mirrored_patch(patch), u: w, w: u };
            }
        }
    }

    /// From each vertex to its place, m.
    pub(crate) fn distances(&self, net: &Patchwork, slots: &[DVec3], vertices: &[DVec3]) -> Vec<f64> {
        let patches = net.patches(slots);
        let places = self.places.iter().map(|place| patches[place.patch].position(place.u, place.w));
        places.zip(&self.vertices).map(|(at, &vertex)| at.distance(vertices[vertex])).collect()
    }
}

pub(crate) fn rms(all: &[f64]) -> f64 {
    (all.iter().map(|x| x * x).sum::<f64>() / all.len().max(1) as f64).sqrt()
}

/// What figures are reported for: `face` is all that is visible but the ears.
pub(crate) const GROUPS: [&str; 4] = ["face", "ears", "margins", "contact"];

/// For each group the indices of its vertices in the pairing.
pub(crate) fn groups(pairing: &Pairing, bodies: &Bodies, regions: &Regions) -> [Vec<usize>; 4] {
    let set = |names: &[&str]| -> BTreeSet<usize> {
        names.iter().filter_map(|name| regions.regions.get(*name)).flatten().copied().collect()
    };
    let ring = |name: &str, ring: usize| {
        regions.rings.get(name).and_then(|rings| rings.get(ring)).cloned().unwrap_or_default()
    };
    let ears = set(&["left_ear", "right_ear"]);
    let margins: BTreeSet<usize> =
        ["left_eye", "right_eye"].iter().flat_map(|eye| [8, 9].map(|at| ring(eye, at))).flatten().collect();
    let contact: BTreeSet<usize> = ring("mouth", 7).into_iter().collect();
    let pick = |is_in: &dyn Fn(usize) -> bool| {
        let all = pairing.vertices.iter().enumerate();
        all.filter(|(_, vertex)| is_in(**vertex)).map(|(index, _)| index).collect()
    };
    [
        pick(&|vertex| !bodies.hidden[vertex] && !ears.contains(&vertex)),
        pick(&|vertex| !bodies.hidden[vertex] && ears.contains(&vertex)),
        pick(&|vertex| margins.contains(&vertex)),
        pick(&|vertex| contact.contains(&vertex)),
    ]
}
