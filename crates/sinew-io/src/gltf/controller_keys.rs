//! The names under which a glTF file says how helper bones follow others; `docs/formats/helper-controllers.md` tells what they mean.

/// The extension of the document.
pub(super) const CONTROLLER_EXTENSION: &str = "SINEW_helper_controllers";

/// Members of the extension that Sinew writes; others beside them are kept.
pub(super) const MEMBERS: [&str; 6] =
    ["drivers", "monomials", "radial", "helpers", "correctives", "framesPerSecond"];
