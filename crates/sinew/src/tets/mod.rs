//! Tetrahedra around characters: made, measured, drawn, read and written.

mod files;
mod sheet;

pub use files::{TetFileError, is_tet_file, read_tets, save_tets};
pub use sheet::cover_sheet;

use crate::PosedCharacter;
use glam::Vec3;
use rayon::prelude::*;
use serde::Serialize;
use sinew_geometry::{Cover, CoverError, CoverSettings, TetMesh, TriangleMesh, cover_with};
use sinew_rig::Character;
use sinew_skin::Method;

/// All mesh instances of a character in rest pose as one surface, vertices in the order of `sinew skin`'s arrays.
pub fn rest_surface(character: &Character) -> TriangleMesh {
    let posed = PosedCharacter::bind(character, Method::Lbs);
    let mut triangles = Vec::new();
    for (instance, of_instance) in posed.bound().instances().iter().zip(posed.instance_triangles()) {
        let first = instance.vertices.start as u32;
        triangles.extend(of_instance.into_iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }
    TriangleMesh { positions: posed.surface().positions.clone(), triangles }
}

/// Covers a surface with tetrahedra, winding numbers on all threads; the result is that of [`sinew_geometry::cover`].
///
/// # Errors
/// Those of [`sinew_geometry::cover`].
pub fn cover_surface(surface: &TriangleMesh, settings: &CoverSettings) -> Result<Cover, CoverError> {
    cover_with(surface, settings, &|field, points| points.par_iter().map(|&point| field.at(point)).collect())
}

/// What tetrahedra are like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TetSummary {
    /// Tetrahedra.
    pub tets: usize,
    /// Their points.
    pub vertices: usize,
    /// Parts without common points.
    pub components: usize,
    /// Least quality, from 0 for flat to 1 for regular.
    pub worst_quality: f64,
    /// Volume of all, cubic metres.
    pub volume: f64,
}

impl TetSummary {
    /// Measures tetrahedra.
    pub fn new(mesh: &TetMesh) -> Self {
        Self {
            tets: mesh.tets().len(),
            vertices: mesh.points().len(),
            components: mesh.component_count(),
            worst_quality: mesh.worst_quality(),
            volume: mesh.volume(),
        }
    }
}

/// How a surface sits in its tetrahedra.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoverSummary {
    /// The lattice's spacing, metres.
    pub spacing: f32,
    /// Vertices of the surface.
    pub surface_vertices: usize,
    /// Triangles of the surface.
    pub surface_triangles: usize,
    /// Volume of the surface by the divergence theorem, cubic metres: where shells overlap, each counts; open ones are closed towards
    /// the origin.
    pub surface_volume: f64,
    /// Vertices that no triangle has; they hang from the nearest tetrahedron.
    pub loose_vertices: usize,
    /// How far the embedded surface at rest is from the surface, metres, at most.
    pub embedding_error: f32,
}

impl CoverSummary {
    /// Measures a cover of this surface.
    pub fn new(surface: &TriangleMesh, cover: &Cover) -> Self {
        let embedded = cover.embedding.apply(cover.mesh.points());
        let distance = |(found, rest): (&Vec3, &Vec3)| found.distance(*rest);
        Self {
            spacing: cover.spacing,
            surface_vertices: surface.positions.len(),
            surface_triangles: surface.triangles.len(),
            surface_volume: surface.volume(),
            loose_vertices: cover.embedding.loose().len(),
            embedding_error: embedded.iter().zip(&surface.positions).map(distance).fold(0.0, f32::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::CoverSize;
    use sinew_rig::samples;

    #[test]
    fn threads_change_nothing() {
        let surface = rest_surface(&samples::limb(16, 24));
        let settings = CoverSettings { size: CoverSize::Count(800), ..CoverSettings::default() };
        let cover = cover_surface(&surface, &settings).unwrap();
        assert_eq!(Ok(&cover), sinew_geometry::cover(&surface, &settings).as_ref());
        let (tets, sits) = (TetSummary::new(&cover.mesh), CoverSummary::new(&surface, &cover));
        assert_eq!(tets.components, 1);
        assert!(tets.volume > sits.surface_volume && sits.surface_volume > 0.0);
        assert!(sits.embedding_error < 1e-6, "{}", sits.embedding_error);
    }
}
