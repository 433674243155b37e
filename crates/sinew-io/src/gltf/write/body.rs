//! The design of a body of patches: the extension `SINEW_body`.

use super::Writer;
use crate::gltf::body_keys::{BODY_EXTENSION, DESIGN_KEY, STEPS_KEY, TEMPLATE_KEY};
use serde_json::json;
use sinew_rig::AuthoredBody;

impl Writer {
    /// Writes the extension if it changed; keeps unknown members.
    pub(super) fn update_body(&mut self, before: Option<&AuthoredBody>, body: Option<&AuthoredBody>) {
        if before == body {
            return;
        }
        let entry = body.map(|body| {
            let mut entry = self.document_extension(BODY_EXTENSION);
            entry[TEMPLATE_KEY] = json!(body.template);
            entry[STEPS_KEY] = json!(body.steps);
            entry[DESIGN_KEY] = json!(body.design);
            entry
        });
        self.set_document_extension(BODY_EXTENSION, entry);
    }
}
