//! Morph targets, stored sparse: a face has dozens of shapes that move few vertices.

use super::Reader;
use crate::gltf::accessor::{Accessor, SparseElements};
use crate::gltf::json::Cursor;
use crate::gltf::{ReadGltfError, Result};
use glam::Vec3;
use sinew_rig::{MorphEffect, MorphTarget};

/// Deltas of some vertices, ascending.
type Deltas = SparseElements<3>;

/// A morph target under construction.
pub(super) struct MorphBuilder {
    name: String,
    positions: Deltas,
    normals: Deltas,
    tangents: Deltas,
}

impl Reader<'_> {
    /// Adds the target of one primitive whose vertices start at `first`.
    pub(super) fn morph_target(
        &mut self,
        target: &Cursor<'_>,
        first: u32,
        vertex_count: usize,
        out: &mut MorphBuilder,
    ) -> Result<()> {
        for (key, list) in
            [("POSITION", &mut out.positions), ("NORMAL", &mut out.normals), ("TANGENT", &mut out.tangents)]
        {
            let Some(reference) = target.get(key) else { continue };
            let accessor = Accessor::open(self.document, &reference, &mut self.budget)?;
            accessor.expect_components(&[3], "a morph target")?;
            if accessor.count != vertex_count {
                let what = format!("{} elements for {vertex_count} vertices", accessor.count);
                return Err(ReadGltfError::Inconsistent { place: reference.place, what });
            }
            let deltas = match accessor.sparse_floats(&mut self.budget)? {
                Some(deltas) => deltas,
                None => {
                    let dense = accessor.floats::<3>([0.0; 3], &mut self.budget)?;
                    dense.into_iter().enumerate().map(|(vertex, delta)| (vertex as u32, delta)).collect()
                }
            };
            let moving = deltas.into_iter().filter(|&(_, delta)| delta != [0.0; 3]);
            list.extend(moving.map(|(vertex, delta)| (vertex + first, delta)));
        }
        Ok(())
    }
}

impl MorphBuilder {
    pub(super) fn new(name: String) -> Self {
        Self { name, positions: Vec::new(), normals: Vec::new(), tangents: Vec::new() }
    }

    /// The morph over all vertices that any of its lists moves.
    pub(super) fn build(self) -> MorphTarget {
        let lists = [&self.positions, &self.normals, &self.tangents];
        let mut vertices: Vec<u32> = lists.into_iter().flatten().map(|&(vertex, _)| vertex).collect();
        vertices.sort_unstable();
        vertices.dedup();
        let spread = |deltas: &Deltas| {
            if deltas.is_empty() {
                return Vec::new();
            }
            let mut rest = deltas.iter().peekable();
            let take = |&vertex: &u32| {
                rest.next_if(|(at, _)| *at == vertex).map_or(Vec3::ZERO, |&(_, delta)| Vec3::from(delta))
            };
            vertices.iter().map(take).collect()
        };
        let position_deltas = spread(&self.positions);
        let normal_deltas = spread(&self.normals);
        let tangent_deltas = spread(&self.tangents);
        let effect = MorphEffect::None;
        MorphTarget { name: self.name, vertices, position_deltas, normal_deltas, tangent_deltas, effect }
    }
}
