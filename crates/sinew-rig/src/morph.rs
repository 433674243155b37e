//! Morph targets: shapes added to the rest shape before it is skinned.

use crate::MorphEffect;
use glam::Vec3;

/// Deltas of a morph at weight 1, for the vertices it moves.
///
/// Invariant (checked by [`crate::Character::new`]): vertices ascend and exist; each list of deltas is empty or one per vertex listed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MorphTarget {
    /// As in the file; may be empty.
    pub name: String,
    /// The moved vertices, ascending.
    pub vertices: Vec<u32>,
    /// Added to positions, rest space, m.
    pub position_deltas: Vec<Vec3>,
    /// Added to normals before normalizing.
    pub normal_deltas: Vec<Vec3>,
    /// Added to the direction of tangents before normalizing.
    pub tangent_deltas: Vec<Vec3>,
    /// Its effect besides moving vertices.
    pub effect: MorphEffect,
}

impl MorphTarget {
    /// A morph from dense lists, each empty or one delta per vertex of the mesh; vertices with zero deltas are left out.
    pub fn from_dense(name: String, positions: &[Vec3], normals: &[Vec3], tangents: &[Vec3]) -> Self {
        let vertex_count = positions.len().max(normals.len()).max(tangents.len());
        let moves =
            |deltas: &[Vec3], vertex: usize| deltas.get(vertex).is_some_and(|&delta| delta != Vec3::ZERO);
        let vertices: Vec<u32> = (0..vertex_count)
            .filter(|&vertex| moves(positions, vertex) || moves(normals, vertex) || moves(tangents, vertex))
            .map(|vertex| vertex as u32)
            .collect();
        let pick = |deltas: &[Vec3]| match deltas {
            [] => Vec::new(),
            _ => vertices.iter().map(|&vertex| deltas[vertex as usize]).collect(),
        };
        let (position_deltas, normal_deltas, tangent_deltas) =
            (pick(positions), pick(normals), pick(tangents));
        Self { name, vertices, position_deltas, normal_deltas, tangent_deltas, effect: MorphEffect::None }
    }

    /// Calls `add` with each vertex moved and `weight` times its delta.
    pub(crate) fn add_to(&self, deltas: &[Vec3], weight: f32, mut add: impl FnMut(usize, Vec3)) {
        for (&vertex, &delta) in self.vertices.iter().zip(deltas) {
            add(vertex as usize, delta * weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dense_lists_become_sparse() {
        let positions = [Vec3::ZERO, Vec3::X, Vec3::ZERO];
        let normals = [Vec3::ZERO, Vec3::ZERO, Vec3::Y];
        let morph = MorphTarget::from_dense("smile".into(), &positions, &normals, &[]);
        assert_eq!(morph.vertices, [1, 2]);
        assert_eq!(morph.position_deltas, [Vec3::X, Vec3::ZERO]);
        assert_eq!(morph.normal_deltas, [Vec3::ZERO, Vec3::Y]);
        assert!(morph.tangent_deltas.is_empty());
    }
}
