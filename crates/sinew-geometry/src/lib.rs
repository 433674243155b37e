//! Transforms, bounds, trees of boxes, normals, curves, springs, shapes and small solvers: the geometry that every other Sinew crate stands on.
//!
//! Conventions are those of `docs/conventions.md`: right-handed, +Y up, m, column vectors, triangles counter-clockwise from outside.
//!
//! ```
//! use glam::Vec3;
//! use sinew_geometry::{Bounds, TetMesh};
//!
//! // A bar of 8 × 4 × 4 cubes, cut into tetrahedra.
//! let bar = TetMesh::lattice([8, 4, 4], Vec3::new(0.8, 0.4, 0.4));
//! let bounds = Bounds::of(bar.points());
//! assert!(bounds.size().abs_diff_eq(Vec3::new(0.8, 0.4, 0.4), 1e-6));
//! ```

mod bounds;
mod box_tree;
mod cholesky;
mod cover;
mod distance;
mod lu;
mod monotone_curve;
mod nearest_names;
mod neighbors;
mod normals;
mod polar;
pub mod progress;
mod random;
mod rotation;
pub mod settings;
pub mod shapes;
#[expect(unsafe_code, reason = "vector instructions")]
pub mod simd;
mod smooth_step;
mod spring;
mod surface_nets;
mod tet_mesh;
mod transform;
pub mod triangle;
mod triangle_mesh;
mod union_find;
mod winding;

pub use bounds::Bounds;
pub use box_tree::BoxTree;
pub use cholesky::Cholesky;
pub use cover::{
    Cover, CoverError, CoverSettings, CoverSize, Embedding, EvaluateWinding, SmoothEmbedding, cover,
    cover_with,
};
pub use distance::{RoundCone, ellipsoid_distance, segment_distance, smooth_max, smooth_min};
pub use lu::Lu;
pub use monotone_curve::{CurveError, MonotoneCurve};
pub use nearest_names::{did_you_mean, nearest_names, suggestion};
pub use neighbors::Neighbors;
pub use normals::{normal_from_rest, smooth_normals};
pub use polar::{Polar, nearest_rotation, polar, symmetric_eigen};
pub use random::Random;
pub use rotation::slerp;
pub use smooth_step::{smooth_step, smooth_step_between, smooth_step_f64};
pub use spring::{Spring, SpringState};
pub use surface_nets::{Grid, surface_nets};
pub use tet_mesh::{TetMesh, TetMeshError};
pub use transform::Trs;
pub use triangle_mesh::TriangleMesh;
pub use winding::WindingField;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
