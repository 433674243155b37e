//! Checks that the surface is closed and smooth.

use super::Body;
use serde::{Deserialize, Serialize};

/// Result of [`Body::check`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BodyCheck {
    /// Largest distance between patches that share an edge, m.
    pub gap_m: f64,
    /// Largest angle between their normals, °.
    pub jump_deg: f64,
    /// The two patches with that angle.
    pub worst_pair: Option<(usize, usize)>,
    /// Number of edges without a patch on each side.
    pub open_wire_count: usize,
    /// Corners − edges + patches; 2 if closed.
    pub euler_characteristic: i64,
}

impl Body {
    /// Compares both sides of every shared edge at `samples` places each.
    pub fn check(&self, samples: usize) -> BodyCheck {
        let mut found = BodyCheck {
            open_wire_count: self.topology.open_wire_count(),
            euler_characteristic: self.topology.euler_characteristic(),
            ..BodyCheck::default()
        };
        for wire in &self.topology.wires {
            for sample in 0..samples {
                // Inside the edge, because normals at tips are not unique.
                let t = (sample as f64 + 0.5) / samples as f64;
                let mut sides = wire.uses_at(t).filter_map(|side| {
                    let (u, w) = side.side.parameters(side.parameter_at(t)?);
                    let patch = &self.patches[side.patch].patch;
                    Some((side.patch, patch.position(u, w), patch.normal(u, w)))
                });
                let (Some(first), Some(second)) = (sides.next(), sides.next()) else { continue };
                found.gap_m = found.gap_m.max(first.1.distance(second.1));
                // atan2 keeps small angles; acos loses them.
                let jump = first.2.cross(second.2).length().atan2(first.2.dot(second.2)).to_degrees();
                if jump > found.jump_deg || jump.is_nan() {
                    found.jump_deg = jump;
                    found.worst_pair = Some((first.0, second.0));
                }
            }
        }
        found
    }
}
