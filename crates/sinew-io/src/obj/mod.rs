//! Wavefront OBJ meshes and their MTL materials.

mod build;
mod lines;
mod mtl;
mod positions;
mod read;
mod write;

#[cfg(feature = "fbx")]
pub(crate) use mtl::linear_from_srgb;
pub use mtl::write_mtl;
pub use positions::read_obj_positions;
pub use read::{ObjReadError, read_obj};
pub use write::{ObjMaterials, ObjPart, ObjWriteError, write_obj};
