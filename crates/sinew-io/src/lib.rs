//! File formats in and out of [`sinew_rig::Character`]. Bytes in, data out; every loss is reported.
//!
//! ```
//! use sinew_io::{GltfDocument, Report};
//! use sinew_rig::samples;
//!
//! let limb = samples::limb(16, 24);
//! let mut report = Report::default();
//! let document = GltfDocument::from_character(&limb, &mut report);
//! let glb = document.to_glb()?;
//! assert!(glb.starts_with(b"glTF"));
//! let again = document.to_character(&mut report)?;
//! assert_eq!(again.skeleton().bone_count(), limb.skeleton().bone_count());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod bvh;
#[cfg(test)]
mod damage;
#[cfg(feature = "fbx")]
mod fbx;
mod float_bytes;
mod folder;
mod gltf;
mod image;
mod limits;
mod npy;
mod npy_numbers;
mod obj;
#[cfg(feature = "files")]
mod output;
mod pc2;
mod points;
mod report;
mod shortest;
mod tets;
mod tips;
mod usda;
mod usda_points;

#[cfg(feature = "fbx")]
pub use fbx::{FbxResources, ReadFbxError, read_fbx};
#[cfg(feature = "files")]
pub use folder::FolderError;
pub use folder::{Folder, FoundFile, ResourceError, ResourceProblem};
pub use gltf::{Decompressed, GltfDocument, GltfFiles, ReadGltfError, Resources, WriteGltfError};
pub use image::{DecodedImage, ImageError, ImageLimits, decode_image, encode_png, image_mime_type};
pub use limits::{Budget, Limits, MemoryLimitError, ScaleChoice, UnknownScale};
pub use npy::{NpyArray, NpyWriter, read_npy_f32, write_npy};
pub use npy_numbers::NpyNumbers;
pub use obj::{
    ObjMaterials, ObjPart, ObjReadError, ObjWriteError, read_obj, read_obj_positions, write_mtl, write_obj,
};
#[cfg(feature = "files")]
pub use output::{OutputError, OutputSet, PendingFile, ScratchFolder, is_same_file, scratch_file};
pub use pc2::{Pc2Header, Pc2Writer, read_pc2};
pub use points::{PointsReadError, PointsWriteError};
pub use report::{Loss, Report, Warning, WarningGroup, serialize_losses};
pub use tets::{
    TetReadError, TetgenText, read_msh, read_tetgen, read_vtk, write_msh, write_tetgen, write_vtk,
};
pub use usda::{UsdaPart, UsdaStage, UsdaWriter};
pub use usda_points::{UsdaPoints, read_usda_points};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
