//! Examples that were made on another mesh than the body's.
//!
//! An artist deforms a surface; the body is tetrahedra. Each vertex of the surface is anchored to a tetrahedron, and the points of the
//! tetrahedra go where anchored vertices come nearest to the deformed ones:
//!
//! | term | meaning |
//! |---|---|
//! | Σ a \|Σ w x − y\|² / A | anchored vertices lie where the example has them; a: area of a vertex, A: of all |
//! | ℓ⁴ Σ \|Fᵃ − Fᵇ\|² f / (d V) | neighboring tetrahedra deform alike; f: area of their face, d: between their centers, V: volume |
//! | ε ℓ² Σ v \|F − 1\|² / V | what nothing else holds stays as it is |
//!
//! The second is the integral of |∇F|², which is 0 for every affine map: unlike a pull toward rigid motion it does not make examples stiffer
//! than they were drawn, and points that no vertex touches follow smoothly. ℓ is the length below which detail is smoothed out. All is
//! linear, one matrix for x, y and z, solved by conjugate gradients \[Hestenes52\].

mod anchors;
mod sparse;
#[cfg(test)]
mod tests;

pub use anchors::Anchors;

use super::ExampleError;
use glam::{DVec3, Vec3};
use serde::{Deserialize, Serialize};
use sinew_geometry::TetMesh;
use sparse::Sparse;

/// How an example is moved over.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TransferSettings {
    /// Detail shorter than this is smoothed out, as a share of the mean edge of the tetrahedra. Smaller follows the surface more closely
    /// and lets points that few vertices hold swing; larger bends less. Default 0.2: points of a bar eight
    /// cells long, twisted by 1.2 rad, then lie within 1 % of a cell of where they belong.
    pub smooth_share: f32,
}

impl Default for TransferSettings {
    fn default() -> Self {
        Self { smooth_share: 0.2 }
    }
}

/// An example for the points of tetrahedra.
#[derive(Clone, Debug, PartialEq)]
pub struct Transferred {
    /// One place a point, in the space of the deformed surface.
    pub points: Vec<Vec3>,
    /// Root of the mean square distance of anchored vertices from where the example has them, weighted by area, meters.
    pub mean_error_m: f32,
    /// The largest such distance, meters.
    pub largest_error_m: f32,
    /// The vertex that has it.
    pub worst_vertex: usize,
    /// Points in parts of the tetrahedra that no vertex is anchored to; they stay at rest.
    pub untouched_count: usize,
}

/// The weight ε of what holds points that nothing else does.
const KEEP: f64 = 1e-7;

/// Moves an example over to the points of tetrahedra: `anchors` says where the surface's vertices lie in them at rest, `posed` where the
/// example has those vertices.
///
/// # Errors
/// Lists that do not fit, places that are not finite, nothing to anchor to.
pub fn transfer(
    mesh: &TetMesh,
    anchors: &Anchors,
    posed: &[Vec3],
    settings: &TransferSettings,
) -> Result<Transferred, ExampleError> {
    if posed.len() != anchors.len() {
        return Err(ExampleError::VertexCount { posed: posed.len(), rest: anchors.len() });
    }
    if let Some(vertex) = posed.iter().position(|place| !place.is_finite()) {
        return Err(ExampleError::Vertex { which: "deformed", vertex });
    }
    let gradients: Vec<Option<Gradients>> =
        (0..mesh.tets().len()).map(|tet| Gradients::of(mesh, tet)).collect();
    let solid_count = gradients.iter().flatten().count();
    if solid_count == 0 || anchors.is_empty() {
        return Err(ExampleError::NothingToAnchor { vertices: anchors.len(), tets: solid_count });
    }
    let mut entries = Vec::new();
    let length = f64::from(settings.smooth_share.max(1e-3)) * mean_edge(mesh);
    add_smoothness(mesh, &gradients, length, &mut entries);
    let mut right = vec![DVec3::ZERO; mesh.points().len()];
    let rest = |point: u32| mesh.points()[point as usize].as_dvec3();
    for (anchor, place) in anchors.iter().zip(posed) {
        let at_rest: DVec3 = anchor.weighted().map(|(point, weight)| rest(point) * weight).sum();
        for (row, row_weight) in anchor.weighted() {
            right[row as usize] += (place.as_dvec3() - at_rest) * (anchor.share * row_weight);
            for (column, weight) in anchor.weighted() {
                entries.push((row, column, anchor.share * row_weight * weight));
            }
        }
    }
    let moves = Sparse::new(right.len(), entries)
        .solve(&right)
        .map_err(|residual| ExampleError::NotSolved { residual })?;
    let points: Vec<DVec3> = moves.iter().enumerate().map(|(at, by)| rest(at as u32) + *by).collect();
    Ok(Transferred::new(mesh, anchors, posed, &points))
}

impl Transferred {
    fn new(mesh: &TetMesh, anchors: &Anchors, posed: &[Vec3], points: &[DVec3]) -> Self {
        let (mut square, mut shares) = (0.0, 0.0);
        let (mut largest, mut worst_vertex) = (0.0, 0);
        for (vertex, (anchor, place)) in anchors.iter().zip(posed).enumerate() {
            let found: DVec3 = anchor.weighted().map(|(point, weight)| points[point as usize] * weight).sum();
            let apart = found.distance(place.as_dvec3());
            square += anchor.share * apart * apart;
            shares += anchor.share;
            if apart > largest {
                (largest, worst_vertex) = (apart, vertex);
            }
        }
        Self {
            points: points.iter().map(|point| point.as_vec3()).collect(),
            mean_error_m: (square / f64::max(shares, 1e-300)).sqrt() as f32,
            largest_error_m: largest as f32,
            worst_vertex,
            untouched_count: untouched(mesh, anchors),
        }
    }
}

/// Points in parts without an anchor.
fn untouched(mesh: &TetMesh, anchors: &Anchors) -> usize {
    let components = mesh.components();
    let part_count = components.iter().max().map_or(0, |&last| last as usize + 1);
    let mut part_of = vec![usize::MAX; mesh.points().len()];
    for (tet, &part) in mesh.tets().iter().zip(&components) {
        tet.iter().for_each(|&corner| part_of[corner as usize] = part as usize);
    }
    let mut is_touched = vec![false; part_count];
    for (point, weight) in anchors.iter().flat_map(anchors::Anchor::weighted) {
        if weight != 0.0 && part_of[point as usize] < part_count {
            is_touched[part_of[point as usize]] = true;
        }
    }
    part_of.iter().filter(|&&part| part >= part_count || !is_touched[part]).count()
}

/// How the shares of a tetrahedron's corners change with place.
struct Gradients {
    of_corners: [DVec3; 4],
    center: DVec3,
    volume: f64,
}

impl Gradients {
    fn of(mesh: &TetMesh, tet: usize) -> Option<Self> {
        let [a, b, c, d] = mesh.tets()[tet].map(|corner| mesh.points()[corner as usize].as_dvec3());
        let (ab, ac, ad) = (b - a, c - a, d - a);
        let six = ab.dot(ac.cross(ad));
        let last = [ac.cross(ad), ad.cross(ab), ab.cross(ac)].map(|normal| normal / six);
        let of_corners = [-(last[0] + last[1] + last[2]), last[0], last[1], last[2]];
        let is_solid = of_corners.iter().all(|gradient| gradient.is_finite());
        is_solid.then_some(Self { of_corners, center: (a + b + c + d) / 4.0, volume: six / 6.0 })
    }
}

/// Mean length of the edges of tetrahedra, meters; 0 where there are none.
pub(super) fn mean_edge(mesh: &TetMesh) -> f64 {
    let point = |corner: u32| mesh.points()[corner as usize].as_dvec3();
    let of_tet = |tet: &[u32; 4]| {
        (0..6)
            .map(|at| [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)][at])
            .map(|(a, b)| point(tet[a]).distance(point(tet[b])))
            .sum::<f64>()
            / 6.0
    };
    mesh.tets().iter().map(of_tet).sum::<f64>() / mesh.tets().len().max(1) as f64
}

/// The last two terms of the module's table.
fn add_smoothness(
    mesh: &TetMesh,
    gradients: &[Option<Gradients>],
    length: f64,
    entries: &mut Vec<(u32, u32, f64)>,
) {
    let volume: f64 = gradients.iter().flatten().map(|of| of.volume).sum();
    for (tet, of) in mesh.tets().iter().zip(gradients) {
        let Some(of) = of else { continue };
        let keep = KEEP * length.powi(2) * of.volume / volume;
        for (row, a) in tet.iter().zip(&of.of_corners) {
            for (column, b) in tet.iter().zip(&of.of_corners) {
                entries.push((*row, *column, keep * a.dot(*b)));
            }
        }
    }
    for [first, second] in neighbors(mesh) {
        let (Some(a), Some(b)) = (&gradients[first], &gradients[second]) else { continue };
        let (tet_a, tet_b) = (mesh.tets()[first], mesh.tets()[second]);
        let shared = tet_a.map(|corner| tet_b.contains(&corner));
        let opposite = shared.iter().position(|is_shared| !is_shared).unwrap_or(0);
        // The gradient of the corner opposite a face is 1 / its height, three volumes over the face's area.
        let area = 3.0 * a.volume * a.of_corners[opposite].length();
        let distance = a.center.distance(b.center).max(1e-300);
        let weight = length.powi(4) * area / (distance * volume);
        // F^a − F^b = Σ x c over the eight corners, three of them twice.
        let corners: [u32; 8] = std::array::from_fn(|at| if at < 4 { tet_a[at] } else { tet_b[at - 4] });
        let slopes: [DVec3; 8] =
            std::array::from_fn(|at| if at < 4 { a.of_corners[at] } else { -b.of_corners[at - 4] });
        for (row, p) in corners.iter().zip(&slopes) {
            for (column, q) in corners.iter().zip(&slopes) {
                entries.push((*row, *column, weight * p.dot(*q)));
            }
        }
    }
}

/// Pairs of tetrahedra with a common face.
fn neighbors(mesh: &TetMesh) -> Vec<[usize; 2]> {
    let mut faces: Vec<([u32; 3], usize)> = Vec::with_capacity(4 * mesh.tets().len());
    for (tet, corners) in mesh.tets().iter().enumerate() {
        for opposite in 0..4 {
            let mut face = [1, 2, 3].map(|step| corners[(opposite + step) % 4]);
            face.sort_unstable();
            faces.push((face, tet));
        }
    }
    faces.sort_unstable();
    let is_shared = |pair: &&[([u32; 3], usize)]| pair[0].0 == pair[1].0;
    faces.windows(2).filter(is_shared).map(|pair| [pair[0].1, pair[1].1]).collect()
}
