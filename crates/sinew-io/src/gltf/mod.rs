//! glTF 2.0 and the formats on top of it (VRM).
//!
//! A file is kept as a [`GltfDocument`], the raw JSON and its buffers, beside the typed [`sinew_rig::Character`]. Writing starts from
//! the document and changes only what differs in the character. Everything Sinew does not know is written back unchanged.

mod accessor;
mod body_keys;
mod compressed;
mod container;
mod controller_keys;
mod document;
mod error;
mod humanoid;
mod images;
mod json;
mod json_memory;
mod read;
mod skin_keys;
mod spring_keys;
mod vrm0;
mod write;

pub use compressed::Decompressed;
pub use document::{GltfDocument, GltfFiles, Resources};
pub use error::ReadGltfError;
pub(crate) use error::Result;
pub use write::WriteGltfError;
