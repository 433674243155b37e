//! Key names of helper controllers in glTF; see `docs/formats/helper-controllers.md`.

/// Name of the document extension.
pub(super) const CONTROLLER_EXTENSION: &str = "SINEW_helper_controllers";

/// Members of the extension that Sinew writes; others are kept.
pub(super) const MEMBERS: [&str; 6] =
    ["drivers", "monomials", "radial", "helpers", "correctives", "framesPerSecond"];
