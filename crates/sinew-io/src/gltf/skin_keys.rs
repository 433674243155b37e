//! Key names of skinning methods in glTF; see `docs/formats/SINEW_skin.md`.

/// Name of the document extension.
pub(super) const SKIN_EXTENSION: &str = "SINEW_skin";

/// The vertex attributes c, r0 and r1.
pub(super) const SPHERICAL_KEYS: [&str; 3] = ["_SDEF_C", "_SDEF_R0", "_SDEF_R1"];

/// The vertex attribute of method codes: a vector as the others are. Blender's importer fails on attributes of several widths in one
/// mesh, depending on its hash seed.
pub(super) const METHOD_KEY: &str = "_SINEW_VERTEX";

/// The same as a scalar, as versions before wrote it; read, and replaced when a file is written.
pub(super) const SCALAR_METHOD_KEY: &str = "_SINEW_METHOD";
