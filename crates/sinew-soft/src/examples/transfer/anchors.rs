//! Where the vertices of a surface lie in tetrahedra.

use super::TransferError;
use glam::DVec3;
use sinew_geometry::{Embedding, TetMesh, TriangleMesh};

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
    ) -> Result<Self, TransferError> {
        check(surface)?;
        if embedding.tets().len() != surface.positions.len() {
            return Err(TransferError::VertexCount {
                posed: embedding.tets().len(),
                rest: surface.positions.len(),
            });
        }
        Ok(Self::new(mesh, surface, embedding))
    }

    /// Any surface in or near the tetrahedra: each vertex in the one that holds it, or hung from the one that it is least outside of.
    /// Where tetrahedra overlap, as in a cover with limbs that nearly touch, use [`Anchors::near_surface`].
    ///
    /// # Errors
    /// Vertices that are not finite, or no tetrahedra.
    pub fn in_tets(mesh: &TetMesh, surface: &TriangleMesh) -> Result<Self, TransferError> {
        check(surface)?;
        let embedding = Embedding::of_points(&surface.positions, mesh)
            .ok_or(TransferError::Empty { vertices: surface.positions.len(), tets: 0 })?;
        Ok(Self::new(mesh, surface, &embedding))
    }

    /// Another surface of the same body, anchored through the one that is embedded: each vertex to the tetrahedron of a corner of the
    /// nearest triangle, the one that it lies deepest in. Looks at every triangle for every vertex: some 0.1 s for 2,000 on 10,000.
    ///
    /// # Errors
    /// Vertices that are not finite, or no triangles to be near to.
    pub fn near_surface(
        mesh: &TetMesh,
        embedded: (&TriangleMesh, &Embedding),
        surface: &TriangleMesh,
    ) -> Result<Self, TransferError> {
        check(surface)?;
        check(embedded.0)?;
        let (own, embedding) = embedded;
        if embedding.tets().len() != own.positions.len() {
            return Err(TransferError::VertexCount {
                posed: embedding.tets().len(),
                rest: own.positions.len(),
            });
        }
        if own.triangles.is_empty() {
            return Err(TransferError::Empty { vertices: surface.positions.len(), tets: 0 });
        }
        let triangles: Vec<Near> = own.triangles.iter().map(|triangle| Near::new(own, triangle)).collect();
        let mut list = Vec::with_capacity(surface.positions.len());
        for (&vertex, share) in surface.positions.iter().zip(shares(surface)) {
            let point = vertex.as_dvec3();
            let nearest = nearest(&triangles, point);
            let homes = own.triangles[nearest].map(|corner| embedding.corners()[corner as usize]);
            let deepest = homes
                .into_iter()
                .filter_map(|corners| Some((corners, weights_in(mesh, corners, point)?)))
                .max_by(|a, b| least(&a.1).total_cmp(&least(&b.1)));
            let (corners, weights) =
                deepest.ok_or(TransferError::Empty { vertices: surface.positions.len(), tets: 0 })?;
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

    /// How far outside its tetrahedron a vertex lies at most, metres.
    pub fn farthest_m(&self) -> f32 {
        self.farthest_m
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Anchor> {
        self.list.iter()
    }
}

fn check(surface: &TriangleMesh) -> Result<(), TransferError> {
    let count = surface.positions.len();
    if let Some(vertex) = surface.positions.iter().position(|place| !place.is_finite()) {
        return Err(TransferError::NotFinite { which: "rest", vertex });
    }
    for (triangle, corners) in surface.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&corner| corner as usize >= count) {
            return Err(TransferError::Triangle { triangle, vertex, count });
        }
    }
    Ok(())
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

/// A triangle to be near to.
struct Near {
    corners: [DVec3; 3],
    low: DVec3,
    high: DVec3,
}

impl Near {
    fn new(surface: &TriangleMesh, triangle: &[u32; 3]) -> Self {
        let corners = triangle.map(|corner| surface.positions[corner as usize].as_dvec3());
        let low = corners.into_iter().fold(DVec3::INFINITY, DVec3::min);
        Self { corners, low, high: corners.into_iter().fold(DVec3::NEG_INFINITY, DVec3::max) }
    }

    fn square_distance(&self, point: DVec3) -> f64 {
        let [a, b, c] = self.corners;
        let normal = (b - a).cross(c - a);
        let sides = [(a, b), (b, c), (c, a)];
        let is_above = sides.iter().all(|(from, to)| (*to - *from).cross(point - *from).dot(normal) >= 0.0);
        if is_above && normal != DVec3::ZERO {
            let height = (point - a).dot(normal);
            return height * height / normal.length_squared();
        }
        let to_side = |(from, to): &(DVec3, DVec3)| {
            let way = *to - *from;
            let share = ((point - *from).dot(way) / way.length_squared().max(1e-300)).clamp(0.0, 1.0);
            point.distance_squared(*from + way * share)
        };
        sides.iter().map(to_side).fold(f64::INFINITY, f64::min)
    }
}

fn nearest(triangles: &[Near], point: DVec3) -> usize {
    let (mut best, mut least) = (0, f64::INFINITY);
    for (at, triangle) in triangles.iter().enumerate() {
        let outside = (triangle.low - point).max(point - triangle.high).max(DVec3::ZERO);
        if outside.length_squared() < least {
            let square = triangle.square_distance(point);
            if square < least {
                (best, least) = (at, square);
            }
        }
    }
    best
}
