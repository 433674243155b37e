//! Places on a surface nearest to points.

use crate::Patch;
use crate::fit::surface::SurfaceTriangles;
use glam::DVec3;

/// Squares along a patch's side for finding a place.
const STEPS: usize = 8;
/// Least cosine between a point's normal and that of its place.
const LEAST_COSINE: f64 = 0.3;

/// The place on a surface nearest to each point, of those that face as the point's normal: where two sheets of skin nearly touch, as at the
/// crotch and in the armpit, the nearest place of all may be on the other one.
pub(super) fn nearest_places(patches: &[Patch], points: &[DVec3], normals: &[DVec3]) -> Vec<DVec3> {
    let surface = SurfaceTriangles::new(patches, |_| true, STEPS);
    let place = |(&at, &normal): (&DVec3, &DVec3)| {
        let faces = |triangle: usize| surface.normals[triangle].dot(normal) > LEAST_COSINE;
        let found = surface.tree.nearest(at, f64::INFINITY, faces);
        let Some(found) = found.or_else(|| surface.tree.nearest(at, f64::INFINITY, |_| true)) else {
            return at;
        };
        let (patch, u, w) = surface.parameters(found.triangle, found.weights);
        nearest_on(&patches[patch], at, u, w)
    };
    points.iter().zip(normals).map(place).collect()
}

/// The nearest place of a patch near a place on it: a few Gauss-Newton steps, kept on the patch.
fn nearest_on(patch: &Patch, at: DVec3, mut u: f64, mut w: f64) -> DVec3 {
    for _ in 0..3 {
        let jet = patch.jet(u, w);
        let missed = at - jet.position;
        let (a, b, c) = (jet.du.length_squared(), jet.du.dot(jet.dw), jet.dw.length_squared());
        let determinant = a * c - b * b;
        if determinant <= 1e-12 * a * c {
            break;
        }
        let (p, q) = (jet.du.dot(missed), jet.dw.dot(missed));
        u = (u + (c * p - b * q) / determinant).clamp(0.0, 1.0);
        w = (w + (a * q - b * p) / determinant).clamp(0.0, 1.0);
    }
    patch.position(u, w)
}
