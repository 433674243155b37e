//! The PMX version that a model needs.

use super::types::{Pmx, PmxMorphKind, PmxWeight, material_flags};

/// Material flags new in 2.1.
const NEW_MATERIAL_FLAGS: u8 = material_flags::VERTEX_COLOR | material_flags::POINTS | material_flags::LINES;

impl Pmx {
    /// A feature of the model that needs version 2.1; `None` if 2.0 is enough, the only version that MMD itself reads.
    pub fn needs_2_1(&self) -> Option<&'static str> {
        let has_new_morph =
            || self.morphs.iter().any(|m| matches!(m.kind, PmxMorphKind::Flip(_) | PmxMorphKind::Impulse(_)));
        let has_qdef = || self.vertices.iter().any(|vertex| matches!(vertex.weight, PmxWeight::Qdef { .. }));
        if self.soft_bodies.as_ref().is_some_and(|bodies| !bodies.is_empty()) {
            Some("soft bodies")
        } else if self.joints.iter().any(|joint| joint.kind != 0) {
            Some("joints of a kind other than 0")
        } else if self.materials.iter().any(|material| material.flags & NEW_MATERIAL_FLAGS != 0) {
            Some("materials with vertex colors, points or lines")
        } else if has_new_morph() {
            Some("flip or impulse morphs")
        } else if has_qdef() {
            Some("QDEF weights")
        } else {
            None
        }
    }
}
