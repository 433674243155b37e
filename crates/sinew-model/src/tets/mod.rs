//! Tetrahedra in files, measured.

#[cfg(feature = "files")]
mod files;

#[cfg(feature = "files")]
pub use files::{is_tet_file, read_tets, save_tets};

use glam::Vec3;
use serde::Serialize;
use sinew_geometry::{Cover, TetMesh, TriangleMesh};

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
