//! Transforms, bounds, trees of boxes, normals, curves, springs and shapes: the geometry that every other Sinew crate stands on.
//!
//! Conventions are those of `docs/conventions.md`: right-handed, +Y up, metres, column vectors, triangles counter-clockwise from outside.

mod bounds;
mod box_tree;
mod cover;
mod distance;
mod monotone_curve;
mod normals;
mod polar;
pub mod progress;
mod rotation;
pub mod shapes;
#[expect(unsafe_code, reason = "vector instructions")]
pub mod simd;
mod spring;
mod surface_nets;
mod tet_mesh;
mod transform;
pub mod triangle;
mod triangle_mesh;
mod winding;

pub use bounds::Bounds;
pub use box_tree::BoxTree;
pub use cover::{
    Cover, CoverError, CoverSettings, CoverSize, Embedding, EvaluateWinding, SmoothEmbedding, cover,
    cover_with,
};
pub use distance::{RoundCone, ellipsoid_distance, segment_distance, smooth_max, smooth_min};
pub use monotone_curve::{CurveError, MonotoneCurve};
pub use normals::{normal_from_rest, smooth_normals};
pub use polar::{Polar, nearest_rotation, polar, symmetric_eigen};
pub use rotation::slerp;
pub use spring::{Spring, SpringState};
pub use surface_nets::{Grid, surface_nets};
pub use tet_mesh::{TetMesh, TetMeshError};
pub use transform::{DecomposeError, Trs};
pub use triangle_mesh::TriangleMesh;
pub use winding::WindingField;
