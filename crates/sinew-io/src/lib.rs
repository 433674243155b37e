//! File formats in and out of [`sinew_rig::Character`]. Bytes in, data out; every loss is reported.

mod folder;
mod gltf;
mod limits;
mod report;

pub use folder::ResourceError;
pub use gltf::{ContainerError, GltfDocument, GltfFiles, ReadGltfError, TooLarge, WriteGltfError};
pub use limits::{Limits, MemoryLimitError};
pub use report::{Report, Warning};
