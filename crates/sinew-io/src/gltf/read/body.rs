//! The design of a body of patches: the extension `SINEW_body`.

use super::Reader;
use crate::gltf::Result;
use crate::gltf::body_keys::{BODY_EXTENSION, DESIGN_KEY, STEPS_KEY, TEMPLATE_KEY};
use crate::gltf::json::Cursor;
use sinew_rig::AuthoredBody;

/// A finer surface than this would not fit in memory; its design is damaged.
const MOST_STEPS: usize = 1024;

impl Reader<'_> {
    /// The extension. A damaged one is reported: the mesh is complete without it. Whether its text is a design shows when it is used.
    pub(super) fn body(&mut self) -> Option<AuthoredBody> {
        let extension = self.document.root().extension(BODY_EXTENSION)?;
        let read = body(&extension);
        read.map_err(|error| self.report.warn("", format!("{error}; the body's design is ignored"))).ok()
    }
}

fn body(extension: &Cursor<'_>) -> Result<AuthoredBody> {
    let text = |key: &str| {
        let member = extension.require(key)?;
        member.value.as_str().map(str::to_owned).ok_or_else(|| member.wrong("a text"))
    };
    let template = match extension.get(TEMPLATE_KEY) {
        Some(_) => text(TEMPLATE_KEY)?,
        None => "human".to_owned(),
    };
    let steps = extension.require(STEPS_KEY)?.as_index(MOST_STEPS)? as u32;
    Ok(AuthoredBody { template, design: text(DESIGN_KEY)?, steps })
}
