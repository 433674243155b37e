//! Where the vertices of a surface lie in tetrahedra.

use super::ExampleError;
use crate::missing_corner;
use glam::{DVec3, Vec3};
use sinew_geometry::triangle::nearest_shares;
use sinew_geometry::{Bounds, BoxTree, Embedding, TetMesh, TriangleMesh};

/// One vertex of a surface in a tetrahedron.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Anchor {
    corners: [u32; 4],
    weights: [f64; 4],
    /// How much it counts; those of all sum to about 1.
    pub(super) share: f64,
}

impl Anchor {
    pub(super) fn weighted(&self) -> impl Iterator<Item = (u32, f64)> + use<> {
        self.corners.into_iter().zip(self.weights)
    }
}

/// The vertices of a surface at rest, each in a tetrahedron; outside all of them, weights are negative.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchors {
    list: Vec<Anchor>,
    farthest_m: f32,
}

impl Anchors {
    /// A surface that is embedded in the tetrahedra already, and of which the example is a deformed copy.
    ///
    /// # Errors
    /// Vertices that are not finite, or an embedding of another surface.
    pub fn embedded(
        mesh: &TetMesh,
        embedding: &Embedding,
        surface: &TriangleMesh,
    ) -> Result<Self, ExampleError> {
        check_embedded(surface, embedding)?;
        Ok(Self::new(mesh, surface, embedding))
    }

    /// Any surface in or near the tetrahedra: each vertex in the one that holds it, or hung from the one that it is least outside of.
    /// Where tetrahedra overlap, as in a cover with limbs that nearly touch, use [`Anchors::near_surface`].
    ///
    /// # Errors
    /// Vertices that are not finite, or no tetrahedra.
    pub fn in_tets(mesh: &TetMesh, surface: &TriangleMesh) -> Result<Self, ExampleError> {
        check(surface)?;
        let embedding = Embedding::of_points(&surface.positions, mesh)
            .ok_or(ExampleError::NothingToAnchor { vertices: surface.positions.len(), tets: 0 })?;
        Ok(Self::new(mesh, surface, &embedding))
    }

    /// Another surface of the same body, anchored through the one that is embedded: each vertex to the tetrahedron of a corner of the
    /// nearest triangle, the one that it lies deepest in.
    ///
    /// # Errors
    /// Vertices that are not finite, or no triangles to be near to.
    pub fn near_surface(
        mesh: &TetMesh,
        (own, embedding): (&TriangleMesh, &Embedding),
        surface: &TriangleMesh,
    ) -> Result<Self, ExampleError> {
        check(surface)?;
        check_embedded(own, embedding)?;
        if own.triangles.is_empty() {
            return Err(ExampleError::NothingToAnchor { vertices: surface.positions.len(), tets: 0 });
        }
        let triangles = Triangles::new(own);
        let mut list = Vec::with_capacity(surface.positions.len());
        for (&vertex, share) in surface.positions.iter().zip(shares(surface)) {
            let point = vertex.as_dvec3();
            let homes =
                own.triangles[triangles.nearest(vertex)].map(|corner| embedding.corners()[corner as usize]);
            let deepest = homes
                .into_iter()
                .filter_map(|corners| Some((corners, weights_in(mesh, corners, point)?)))
                .max_by(|a, b| least(&a.1).total_cmp(&least(&b.1)));
            let (corners, weights) = deepest
                .ok_or(ExampleError::NothingToAnchor { vertices: surface.positions.len(), tets: 0 })?;
            list.push(Anchor { corners, weights, share });
        }
        Ok(Self::from_list(mesh, surface, list))
    }

    fn new(mesh: &TetMesh, surface: &TriangleMesh, embedding: &Embedding) -> Self {
        let homes = embedding.corners().iter().zip(embedding.weights());
        let list = homes.zip(shares(surface)).map(|((corners, weights), share)| Anchor {
            corners: *corners,
            weights: weights.map(f64::from),
            share,
        });
        let list = list.collect();
        Self::from_list(mesh, surface, list)
    }

    fn from_list(mesh: &TetMesh, surface: &TriangleMesh, mut list: Vec<Anchor>) -> Self {
        let mut farthest = 0.0f64;
        for (anchor, vertex) in list.iter_mut().zip(&surface.positions) {
            // Far outside, a small turn of the tetrahedron moves the vertex far: it must not rule.
            let square: f64 = anchor.weights.iter().map(|weight| weight * weight).sum();
            anchor.share /= square.max(1.0);
            let inside = anchor.weights.map(|weight| weight.max(0.0));
            let sum: f64 = inside.iter().sum();
            let nearest: DVec3 = anchor
                .corners
                .iter()
                .zip(inside)
                .map(|(&corner, weight)| mesh.points()[corner as usize].as_dvec3() * (weight / sum))
                .sum();
            if anchor.weights.iter().any(|&weight| weight < -1e-4) {
                farthest = farthest.max(nearest.distance(vertex.as_dvec3()));
            }
        }
        Self { list, farthest_m: farthest as f32 }
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How far outside its tetrahedron a vertex lies at most, meters.
    pub fn farthest_m(&self) -> f32 {
        self.farthest_m
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Anchor> {
        self.list.iter()
    }
}

fn check(surface: &TriangleMesh) -> Result<(), ExampleError> {
    let count = surface.positions.len();
    if let Some(vertex) = surface.positions.iter().position(|place| !place.is_finite()) {
        return Err(ExampleError::Vertex { which: "rest", vertex });
    }
    match missing_corner(&surface.triangles, count) {
        Some((triangle, vertex)) => Err(ExampleError::Triangle { triangle, vertex, count }),
        None => Ok(()),
    }
}

fn check_embedded(surface: &TriangleMesh, embedding: &Embedding) -> Result<(), ExampleError> {
    check(surface)?;
    let (posed, rest) = (embedding.tets().len(), surface.positions.len());
    if posed == rest { Ok(()) } else { Err(ExampleError::VertexCount { posed, rest }) }
}

/// Each vertex's share of the area: a third of each of its triangles. All the same where there is no area.
fn shares(surface: &TriangleMesh) -> Vec<f64> {
    let mut shares = vec![0.0; surface.positions.len()];
    let mut total = 0.0;
    for triangle in &surface.triangles {
        let [a, b, c] = triangle.map(|corner| surface.positions[corner as usize].as_dvec3());
        let area = 0.5 * (b - a).cross(c - a).length();
        total += area;
        triangle.iter().for_each(|&corner| shares[corner as usize] += area / 3.0);
    }
    if total > 0.0 {
        shares.iter_mut().for_each(|share| *share /= total);
    } else {
        let count = shares.len().max(1) as f64;
        shares.fill(1.0 / count);
    }
    shares
}

fn least(weights: &[f64; 4]) -> f64 {
    weights.iter().copied().fold(f64::INFINITY, f64::min)
}

fn weights_in(mesh: &TetMesh, corners: [u32; 4], point: DVec3) -> Option<[f64; 4]> {
    let [a, b, c, d] = corners.map(|corner| mesh.points()[corner as usize].as_dvec3());
    let (ab, ac, ad, ap) = (b - a, c - a, d - a, point - a);
    let six = ab.dot(ac.cross(ad));
    let last = [ap.dot(ac.cross(ad)), ap.dot(ad.cross(ab)), ap.dot(ab.cross(ac))].map(|part| part / six);
    let weights = [1.0 - last[0] - last[1] - last[2], last[0], last[1], last[2]];
    weights.iter().all(|weight| weight.is_finite()).then_some(weights)
}

/// The triangles of a surface, ready to be asked for the nearest.
struct Triangles<'a> {
    surface: &'a TriangleMesh,
    tree: BoxTree,
}

impl<'a> Triangles<'a> {
    fn new(surface: &'a TriangleMesh) -> Self {
        let boxes: Vec<Bounds> = (0..surface.triangles.len() as u32)
            .map(|triangle| Bounds::around(corners(surface, triangle)))
            .collect();
        Self { surface, tree: BoxTree::new(&boxes) }
    }

    fn nearest(&self, point: Vec3) -> usize {
        let mut best = 0;
        self.tree.nearest(point, f32::INFINITY, |triangle, least| {
            let [a, b, c] = corners(self.surface, triangle);
            let shares = nearest_shares(point, [a, b, c]);
            let square = point.distance_squared(a * shares.x + b * shares.y + c * shares.z);
            if square < least {
                best = triangle as usize;
            }
            square.min(least)
        });
        best
    }
}

fn corners(surface: &TriangleMesh, triangle: u32) -> [Vec3; 3] {
    surface.triangles[triangle as usize].map(|corner| surface.positions[corner as usize])
}
