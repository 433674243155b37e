//! Warnings where blends of examples turn inside out or cut through themselves.
//!
//! The source notes that blends of examples may intersect themselves, and leaves it to the artist (\[Koyama13\] section 6.4). Here a body is
//! given blends, each example on its own and each pair, and takes the shape in which its regions are content (`rebuild.rs`); then
//! tetrahedra that are inside out and triangles that cut through others are told.
//!
//! Limits: blends of three and more, and different blends in different groups, are not looked at.

mod band;
mod crossings;
mod rebuild;
#[cfg(test)]
mod tests;

use super::transfer::mean_edge;
use super::{ExampleError, ExampleSet, ExampleSettings};
use crate::{RegionMaterial, Regions, Rings};
use crossings::Crossings;
use glam::Vec3;
use rebuild::Rebuilder;
use serde::{Deserialize, Serialize};
use sinew_geometry::{Embedding, TetMesh};

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckSettings {
    /// Into how many parts the way to an example, and from one to another, is cut. Default 4.
    pub samples: u32,
    /// A tetrahedron of less than this share of its rest volume counts as inside out. Default 0.01.
    pub least_volume_share: f32,
}

impl Default for CheckSettings {
    fn default() -> Self {
        Self { samples: 4, least_volume_share: 0.01 }
    }
}

/// What is wrong with a blend.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum BlendFault {
    /// Tetrahedra are inside out. `tet`: the worst. `volume_share`: what is left of its volume.
    Inverted { count: usize, tet: usize, volume_share: f32 },
    /// Triangles of the surface cut through others that are farther away at rest than tetrahedra are long. `count`: how many pairs.
    /// `triangles`: the first pair.
    Crossing { count: usize, triangles: [u32; 2] },
}

/// A blend that goes wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct BlendWarning {
    /// Examples and how much of each; rest has what they leave of 1.
    pub weights: Vec<(usize, f32)>,
    /// What is wrong.
    pub fault: BlendFault,
    /// Where, at rest, meters.
    pub rest_place: Vec3,
}

impl std::fmt::Display for BlendWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, (example, weight)) in self.weights.iter().enumerate() {
            let join = if at == 0 { "" } else { " and " };
            write!(f, "{join}{weight:.2} of example {example}")?;
        }
        let Vec3 { x, y, z } = self.rest_place;
        match self.fault {
            BlendFault::Inverted { count, tet, volume_share } => write!(
                f,
                ": {count} tetrahedra turn inside out, most of all {tet} with {volume_share:.2} of its volume"
            )?,
            BlendFault::Crossing { count, triangles: [a, b] } => {
                write!(f, ": {count} pairs of triangles cut through each other, first {a} and {b}")?;
            }
        }
        write!(f, ", at rest near ({x:.3}, {y:.3}, {z:.3})")
    }
}

/// The skin that must not cut through itself: vertices embedded in the tetrahedra, and its triangles.
type Skin<'a> = (&'a Embedding, &'a [[u32; 3]]);

impl ExampleSet {
    /// Looks for blends of examples that turn inside out or cut through themselves. `shapes` as for [`ExampleSet::bind`]; without a
    /// skin the outer faces of the tetrahedra are looked at, which only makes sense where copies do not overlap at rest.
    ///
    /// # Errors
    /// Shapes that [`ExampleSet::bind`] would refuse.
    pub fn check(
        mesh: &TetMesh,
        shapes: &[Vec<Vec3>],
        skin: Option<Skin<'_>>,
        settings: &CheckSettings,
    ) -> Result<Vec<BlendWarning>, ExampleError> {
        let mut checker = Checker::new(mesh, shapes, skin, settings)?;
        let samples = settings.samples.max(1);
        let shares = |part: u32| part as f32 / samples as f32;
        for example in 0..shapes.len() {
            for part in 1..=samples {
                checker.look(&[(example, shares(part))]);
            }
        }
        for first in 0..shapes.len() {
            for second in first + 1..shapes.len() {
                for part in 1..samples {
                    checker.look(&[(first, 1.0 - shares(part)), (second, shares(part))]);
                }
            }
        }
        Ok(checker.warnings)
    }
}

struct Checker<'a> {
    mesh: &'a TetMesh,
    skin: Option<&'a Embedding>,
    skin_at_rest: Vec<Vec3>,
    crossings: Crossings,
    rebuilder: Rebuilder,
    least_volume_share: f64,
    warnings: Vec<BlendWarning>,
}

impl<'a> Checker<'a> {
    fn new(
        mesh: &'a TetMesh,
        shapes: &[Vec<Vec3>],
        skin: Option<Skin<'a>>,
        settings: &CheckSettings,
    ) -> Result<Self, ExampleError> {
        let mut masses = vec![0.0f32; mesh.points().len()];
        for (tet, corners) in mesh.tets().iter().enumerate() {
            corners.iter().for_each(|&corner| masses[corner as usize] += mesh.tet_volume(tet) as f32);
        }
        let regions =
            Regions::bind(mesh.points(), &masses, &Rings::of_tets(mesh), |_| RegionMaterial::default());
        super::set::check(&regions, shapes, &ExampleSettings::default())?;
        let triangles = skin.map_or_else(|| mesh.boundary(), |(_, triangles)| triangles.to_vec());
        let skin = skin.map(|(embedding, _)| embedding);
        let skin_at_rest = skin.map_or_else(|| mesh.points().to_vec(), |skin| skin.apply(mesh.points()));
        Ok(Self {
            mesh,
            skin,
            crossings: Crossings::new(triangles, &skin_at_rest, mean_edge(mesh)),
            skin_at_rest,
            rebuilder: Rebuilder::new(mesh.points(), &regions, shapes),
            least_volume_share: f64::from(settings.least_volume_share),
            warnings: Vec::new(),
        })
    }

    /// Looks at the shape of a blend.
    fn look(&mut self, weights: &[(usize, f32)]) {
        let points = self.rebuilder.shape(weights);
        self.look_for_inverted(weights, &points);
        let skin = self.skin.map_or_else(|| points.clone(), |skin| skin.apply(&points));
        let pairs = self.crossings.new_pairs(&skin);
        if let Some(&triangles) = pairs.first() {
            let corner = self.crossings.triangles[triangles[0] as usize][0];
            self.warnings.push(BlendWarning {
                weights: weights.to_vec(),
                fault: BlendFault::Crossing { count: pairs.len(), triangles },
                rest_place: self.skin_at_rest[corner as usize],
            });
        }
    }

    fn look_for_inverted(&mut self, weights: &[(usize, f32)], points: &[Vec3]) {
        let six = |points: &[Vec3], tet: &[u32; 4]| {
            let [a, b, c, d] = tet.map(|corner| points[corner as usize].as_dvec3());
            (b - a).dot((c - a).cross(d - a))
        };
        let (mut count, mut worst) = (0, (0, f64::INFINITY));
        for (number, tet) in self.mesh.tets().iter().enumerate() {
            let rest = six(self.mesh.points(), tet);
            // A tetrahedron that is flat at rest cannot be told from one that is inside out.
            if rest <= 0.0 {
                continue;
            }
            let share = six(points, tet) / rest;
            count += usize::from(share < self.least_volume_share);
            if share < worst.1 {
                worst = (number, share);
            }
        }
        if count > 0 {
            let corners = self.mesh.tets()[worst.0].map(|corner| self.mesh.points()[corner as usize]);
            self.warnings.push(BlendWarning {
                weights: weights.to_vec(),
                fault: BlendFault::Inverted { count, tet: worst.0, volume_share: worst.1 as f32 },
                rest_place: corners.iter().sum::<Vec3>() / 4.0,
            });
        }
    }
}
