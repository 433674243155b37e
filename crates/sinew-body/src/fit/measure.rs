//! Distances of a body from a target.

use super::TargetMesh;
use super::surface::SurfaceTriangles;
use crate::Patch;
use crate::body::Body;
use serde::{Deserialize, Serialize};

/// Squares along a patch's side for measuring: chords stay within 0.05 mm on a torso.
const STEPS: usize = 8;

/// Distances from a target's vertices to a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Residuals {
    /// Signed distance of each target vertex to the surface, m; positive where the target is outside. Excluded vertices too.
    pub signed_m: Vec<f64>,
    /// Root mean square over vertices that count, m.
    pub rms_m: f64,
    /// 95th percentile of the distance over vertices that count, m.
    pub p95_m: f64,
    /// The farthest vertex that counts, with its distance.
    pub worst: (usize, f64),
}

impl Residuals {
    /// Measures a body against a target.
    pub fn of(body: &Body, target: &TargetMesh) -> Self {
        let patches: Vec<Patch> = body.patches.iter().map(|patch| patch.patch).collect();
        let signed_m = signed_distances(&patches, target.positions());
        let counted = || signed_m.iter().zip(target.is_excluded()).enumerate().filter(|(_, (_, out))| !**out);
        let mut sizes: Vec<f64> = counted().map(|(_, (distance, _))| distance.abs()).collect();
        let mean = sizes.iter().map(|size| size * size).sum::<f64>() / sizes.len() as f64;
        let mut worst = (0, 0.0f64);
        for (vertex, (&distance, _)) in counted() {
            if distance.abs() > worst.1.abs() {
                worst = (vertex, distance);
            }
        }
        sizes.sort_by(f64::total_cmp);
        let place = (0.95 * (sizes.len() - 1) as f64).round() as usize;
        Residuals { rms_m: mean.sqrt(), p95_m: sizes[place], worst, signed_m }
    }
}

/// The signed distance of each point to a surface, m; positive outside.
pub(super) fn signed_distances(patches: &[Patch], points: &[glam::DVec3]) -> Vec<f64> {
    let surface = SurfaceTriangles::new(patches, |_| true, STEPS);
    let signed = |&at: &glam::DVec3| {
        let Some(found) = surface.tree.nearest(at, f64::INFINITY, |_| true) else { return 0.0 };
        let (patch, u, w) = surface.parameters(found.triangle, found.weights);
        let on_surface = patches[patch].position(u, w);
        let side = patches[patch].normal(u, w).dot(at - on_surface);
        found.distance.min(at.distance(on_surface)).copysign(side)
    };
    points.iter().map(signed).collect()
}
