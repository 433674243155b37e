//! Tetrahedra around any surface, with the surface embedded in them.
//!
//! A lattice of tetrahedra is laid over the surface, after \[Molino03\], and those are kept that hold a part of the inside or of the
//! surface itself. Where parts that do not belong together lie in one tetrahedron (an arm and the trunk, two fingers), it is
//! there once for each: virtual nodes after \[Molino04\], one copy for each connected part as in \[Nesme09\].
//! The winding number defines the inside, so the surface may have holes, many shells and overlaps.
//!
//! 1. `pieces`: the surface is cut by the lattice.
//! 2. `inside`: samples, each tetrahedron's edge cut in four, are asked for their winding number.
//! 3. `clusters`, `links`: in each tetrahedron, samples and pieces that are connected within it. Each cluster is a copy.
//! 4. `glue`: copies of neighbors that share a sample or a piece on their face share its corners.
//!
//! Departures: the sources split elements along a crack or by the voxels of a solid; here samples, pieces of the surface and straight
//! ways between them that stay inside decide, so that the surface need be neither closed nor consistently oriented.
//! Limits: tetrahedra are all of one size and follow the surface in steps of about half of it; a gap that ends inside a
//! tetrahedron ends at its border. See `docs/methods/tets.md` for pictures and measures.

mod blocks;
mod clusters;
mod embed_points;
mod embedding;
mod error;
mod glue;
mod inside;
mod lattice;
mod links;
mod pieces;
mod segment;
mod size;
mod smooth_embedding;
mod surface;
#[cfg(test)]
mod tests;

pub use embedding::Embedding;
pub use error::CoverError;
pub use smooth_embedding::SmoothEmbedding;

use crate::{TetMesh, TriangleMesh, WindingField};
use clusters::{Clusters, Scene};
use glam::{DVec3, IVec3, Vec3};
use glue::Glued;
use inside::{Inside, Question};
use lattice::Lattice;
use pieces::Pieces;
use surface::Surface;

/// Resolution of a cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CoverSize {
    /// The edge of the lattice's cubes, in the surface's unit of length. Tetrahedra have edges of 1 and 0.87 of it.
    Spacing(f32),
    /// About so many tetrahedra: within 6 % where the surface allows it. The spacing is found by trying.
    Count(usize),
}

/// Settings of a cover.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoverSettings {
    /// Resolution. Default: 5,000 tetrahedra, which a soft body runs in a fraction of a frame.
    pub size: CoverSize,
    /// Gaps up to this wide between different shells (a shirt over skin, lashes before an eye) are filled, so that they move
    /// together; the surface's unit of length, ≥ 0. Gaps within one shell, as between arm and trunk, are never filled. Default: 0.
    pub join_m: f32,
    /// More tetrahedra than this are refused. Default: two million, under 1 GB on the way.
    pub most_tets: usize,
}

impl Default for CoverSettings {
    fn default() -> Self {
        Self { size: CoverSize::Count(5_000), join_m: 0.0, most_tets: 2_000_000 }
    }
}

/// Tetrahedra and the surface in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Cover {
    /// The tetrahedra, all alike, each of a twelfth of the spacing's cube.
    pub mesh: TetMesh,
    /// The surface's vertices in them.
    pub embedding: Embedding,
    /// The spacing that was given or found.
    pub spacing: f32,
}

/// Winding numbers at many points: a place to share the work out over threads. The answers must be those of [`WindingField::at`].
pub type EvaluateWinding<'a> = dyn Fn(&WindingField, &[DVec3]) -> Vec<f64> + 'a;

/// Covers a surface with tetrahedra, on the caller's thread.
///
/// ```
/// use sinew_geometry::{CoverSettings, CoverSize, cover, shapes};
///
/// let ball = shapes::sphere(0.5, 32, 16);
/// let cover = cover(&ball, &CoverSettings { size: CoverSize::Spacing(0.2), ..Default::default() })?;
/// assert!(cover.mesh.volume() > ball.volume());
/// let same = cover.embedding.apply(cover.mesh.points());
/// assert!(same.iter().zip(&ball.positions).all(|(a, b)| a.distance(*b) < 1e-6));
/// # Ok::<(), sinew_geometry::CoverError>(())
/// ```
///
/// # Errors
/// If the surface has no triangles, no area or a vertex that is not finite, or the size is invalid or makes too many tetrahedra.
///
/// # Degenerate input
/// Triangles without area are covered like others but enclose nothing. A triangle with the same places as an earlier one, turned or
/// not, is the same wall. Sheets are covered on both sides.
pub fn cover(surface: &TriangleMesh, settings: &CoverSettings) -> Result<Cover, CoverError> {
    cover_with(surface, settings, &|field, points| points.iter().map(|&point| field.at(point)).collect())
}

/// [`cover`] with winding numbers, most of the work, found by `evaluate`.
///
/// # Errors
/// Those of [`cover`].
pub fn cover_with(
    surface: &TriangleMesh,
    settings: &CoverSettings,
    evaluate: &EvaluateWinding<'_>,
) -> Result<Cover, CoverError> {
    let surface = Surface::new(surface)?;
    let join = f64::from(settings.join_m);
    if !(join >= 0.0 && join.is_finite()) {
        return Err(CoverError::Join { join_m: settings.join_m });
    }
    let job = Job { surface: &surface, join, most_tets: settings.most_tets, evaluate };
    match settings.size {
        CoverSize::Spacing(spacing) => job.run(spacing),
        CoverSize::Count(count) => size::run(&job, count),
    }
}

/// A surface and what to make of it, but for the spacing.
struct Job<'a> {
    surface: &'a Surface,
    join: f64,
    most_tets: usize,
    evaluate: &'a EvaluateWinding<'a>,
}

/// Position of the lattice in model space.
struct Placement {
    origin: DVec3,
    spacing: f64,
}

impl Placement {
    fn model(&self, point: DVec3) -> DVec3 {
        self.origin + point * self.spacing
    }

    fn lattice(&self, point: DVec3) -> DVec3 {
        (point - self.origin) / self.spacing
    }
}

/// The box of the lattice may have at most so many cubes: 4 bytes each.
const MOST_CELLS: f64 = (1u64 << 26) as f64;

impl Job<'_> {
    fn run(&self, spacing: f32) -> Result<Cover, CoverError> {
        if !(spacing > 0.0 && spacing.is_finite()) {
            return Err(CoverError::Spacing { spacing });
        }
        let (lattice, placement) = self.placed(spacing)?;
        let too_many = || CoverError::TooMany { spacing, most_tets: self.most_tets };
        let points: Vec<DVec3> =
            self.surface.positions.iter().map(|&place| placement.lattice(place)).collect();
        // Fine triangles have several pieces in each tetrahedron, coarse ones one.
        let most_pieces = self.most_tets.saturating_mul(4).saturating_add(self.surface.triangles.len() * 64);
        let pieces = pieces::cut(self.surface, &points, &lattice, most_pieces).ok_or_else(too_many)?;
        let question = Question {
            lattice: &lattice,
            surface: self.surface,
            points: &points,
            pieces: &pieces.list,
            placement: &placement,
            evaluate: self.evaluate,
        };
        let inside = Inside::new(&question);
        let scene = Scene {
            surface: self.surface,
            points: &points,
            lattice: &lattice,
            inside: &inside,
            placement: &placement,
            join: self.join / placement.spacing,
        };
        let clusters = clusters::find(&scene, &pieces.list, self.most_tets).ok_or_else(too_many)?;
        let glued = glue::glue(&lattice, &clusters, &pieces.list);
        let place = |corner: &IVec3| placement.model(corner.as_dvec3() / 2.0).as_vec3();
        let corners: Vec<Vec3> = glued.corners.iter().map(place).collect();
        let embedding = embed(&scene, &clusters, &glued, &pieces);
        let mesh = TetMesh::new(corners, glued.tets).map_err(|_| CoverError::TooFar { spacing })?;
        Ok(Cover { mesh, embedding, spacing })
    }

    /// The lattice over the surface's box with two cubes of margin. It is mirrored in the box's middle along x, so that a
    /// symmetric character gets symmetric tetrahedra; along y and z it is off the middle, so that flat sides do not fall on samples.
    fn placed(&self, spacing: f32) -> Result<(Lattice, Placement), CoverError> {
        let spacing_f64 = f64::from(spacing);
        let bounds = &self.surface.bounds;
        let (min, max) = (bounds.min().as_dvec3(), bounds.max().as_dvec3());
        let cells = ((max - min) / spacing_f64).ceil() + DVec3::splat(5.0);
        let cell_count = cells.element_product();
        if cell_count > MOST_CELLS {
            return Err(CoverError::TooFine { spacing, cell_count });
        }
        // If the spacing is lost in the rounding of coordinates, tetrahedra would collapse.
        let largest = min.abs().max(max.abs()).max_element();
        if spacing_f64 < largest * LEAST_SPACING {
            return Err(CoverError::TooFine { spacing, cell_count });
        }
        let off_middle = DVec3::new(0.0, 0.137, 0.071);
        let origin = (min + max) / 2.0 - (cells / 2.0 - off_middle) * spacing_f64;
        Ok((Lattice::new(cells.as_ivec3()), Placement { origin, spacing: spacing_f64 }))
    }
}

/// The minimum spacing as a share of the largest coordinate: half of it, the finest step between corners, is then 80 steps of an f32.
const LEAST_SPACING: f64 = 1e-5;

/// Position of each vertex: in the copy of its triangle's piece.
fn embed(scene: &Scene<'_>, clusters: &Clusters, glued: &Glued, pieces: &Pieces) -> Embedding {
    let mut embedding = Embedding::default();
    for (vertex, (home, &point)) in pieces.homes.iter().zip(scene.points).enumerate() {
        let home = home.and_then(|(tet, triangle)| {
            let wanted = (tet, triangle);
            let piece =
                pieces.list.binary_search_by_key(&wanted, |piece| (piece.tet, piece.triangle)).ok()?;
            Some((tet, glued.tet_of_copy[clusters.pieces[piece] as usize]))
        });
        let (lattice_tet, tet) = home.unwrap_or_else(|| {
            embedding.loose.push(vertex as u32);
            nearest(scene, clusters, glued, point)
        });
        let shares = scene.lattice.shares(scene.lattice.tet(lattice_tet), point);
        embedding.tets.push(tet);
        embedding.corners.push(glued.tets[tet as usize]);
        embedding.weights.push(shares.map(|share| share as f32));
    }
    embedding
}

/// The tetrahedron whose center is nearest to a point.
fn nearest(scene: &Scene<'_>, clusters: &Clusters, glued: &Glued, point: DVec3) -> (u64, u32) {
    let distance = |&(_, &tet): &(usize, &u32)| {
        let corners = scene.lattice.corners(scene.lattice.tet(clusters.tets[tet as usize]));
        (corners.iter().copied().sum::<IVec3>().as_dvec3() / 8.0).distance_squared(point)
    };
    let copies = clusters.tet_of_copy.iter().enumerate();
    let nearest = copies.min_by(|a, b| distance(a).total_cmp(&distance(b)));
    let (copy, &tet) = nearest.expect("a surface has a triangle, and a triangle has a piece");
    (clusters.tets[tet as usize], glued.tet_of_copy[copy])
}
