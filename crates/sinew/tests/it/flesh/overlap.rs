//! How deep parts of a body are in each other, measured on the posed triangles themselves.

use super::*;
use sinew::geometry::triangle::nearest_shares;

/// Vertices and triangles that are moved by some bones.
pub(crate) struct BodyPart {
    pub(crate) vertices: Vec<usize>,
    triangles: Vec<[u32; 3]>,
}

/// What bones move by at least this much is theirs.
const OWN_WEIGHT: f32 = 0.7;

impl BodyPart {
    pub(crate) fn new(rig: &FleshRig, names: &[&str]) -> Self {
        let bound = &rig.covered.bound;
        let skeleton = rig.character().skeleton();
        let bones: Vec<_> = names.iter().map(|name| skeleton.find(name).expect("a bone")).collect();
        let is_own = |vertex: usize| {
            let (entries, weights) = bound.influences().of(vertex);
            let own = entries
                .iter()
                .zip(weights)
                .filter(|(entry, _)| bones.contains(&bound.palette()[usize::from(**entry)].bone));
            own.map(|(_, weight)| weight).sum::<f32>() > OWN_WEIGHT
        };
        let all = &rig.covered.surface;
        Self {
            vertices: (0..all.positions.len()).filter(|&vertex| is_own(vertex)).collect(),
            triangles: all
                .triangles
                .iter()
                .copied()
                .filter(|corners| corners.iter().all(|&corner| is_own(corner as usize)))
                .collect(),
        }
    }

    /// How deep a place is below the part's skin, metres; 0 outside.
    pub(crate) fn depth_m(&self, positions: &[Vec3], place: Vec3) -> f32 {
        let mut nearest = (f32::INFINITY, 0.0);
        for triangle in &self.triangles {
            let corners = triangle.map(|corner| positions[corner as usize]);
            let shares = nearest_shares(place, corners);
            let found = corners[0] * shares.x + corners[1] * shares.y + corners[2] * shares.z;
            let distance = found.distance(place);
            if distance < nearest.0 {
                let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]).normalize_or_zero();
                // Beside an edge where the part ends nothing is inside.
                let below = (found - place).dot(normal);
                nearest = (distance, if below > 0.7 * distance { distance } else { 0.0 });
            }
        }
        nearest.1
    }

    /// How deep the deepest vertex of another part lies in this, metres, and which it is.
    pub(crate) fn deepest(&self, positions: &[Vec3], other: &Self) -> (f32, usize) {
        let depths =
            other.vertices.iter().map(|&vertex| (self.depth_m(positions, positions[vertex]), vertex));
        depths.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a part has vertices")
    }
}
