//! Key names of skinning methods in glTF; see `docs/formats/SINEW_skin.md`.

/// Name of the document extension.
pub(super) const SKIN_EXTENSION: &str = "SINEW_skin";

/// The vertex attributes c, r0 and r1.
pub(super) const SPHERICAL_KEYS: [&str; 3] = ["_SDEF_C", "_SDEF_R0", "_SDEF_R1"];

/// The vertex attribute of method codes.
pub(super) const METHOD_KEY: &str = "_SINEW_METHOD";
