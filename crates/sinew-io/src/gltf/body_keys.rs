//! Key names of bodies of patches in glTF; see `docs/formats/SINEW_body.md`.

/// Name of the document extension.
pub(super) const BODY_EXTENSION: &str = "SINEW_body";

/// The members that Sinew writes: layout, design and tessellation.
pub(super) const TEMPLATE_KEY: &str = "template";
pub(super) const DESIGN_KEY: &str = "design";
pub(super) const STEPS_KEY: &str = "steps";
