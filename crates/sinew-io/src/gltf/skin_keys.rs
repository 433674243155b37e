//! The names under which a glTF file says how it is skinned; `docs/formats/SINEW_skin.md` tells what they mean.

/// The extension of the document.
pub(super) const SKIN_EXTENSION: &str = "SINEW_skin";

/// The vertex attributes c, r0 and r1.
pub(super) const SPHERICAL_KEYS: [&str; 3] = ["_SDEF_C", "_SDEF_R0", "_SDEF_R1"];

/// The vertex attribute of method codes.
pub(super) const METHOD_KEY: &str = "_SINEW_METHOD";
