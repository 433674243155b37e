//! Blend shapes to morphs.
//!
//! A channel may have shapes on the way to its last, each at a weight of its own. They become morphs of their own; at weight w the two
//! shapes beside w share it linearly, as in Maya.

use super::convert::vec3;
use crate::{Budget, MemoryLimitError, Report};
use glam::Vec3;
use sinew_rig::{MorphEffect, MorphTarget};

/// A channel and its shapes.
pub(super) struct MorphChannel {
    /// ufbx's index of the channel, by which clips find it.
    pub(super) element_id: u32,
    /// The weight in the file.
    weight: f64,
    /// The weight at which each shape is whole, ascending.
    targets: Vec<f64>,
}

impl MorphChannel {
    /// Adds the weight of each shape where the channel has the weight `w`.
    pub(super) fn extend_weights(&self, w: f64, weights: &mut Vec<f32>) {
        let share = |at: usize| {
            let target = self.targets[at];
            let before = if at == 0 { 0.0 } else { self.targets[at - 1] };
            let rising = (w - before) / (target - before);
            match self.targets.get(at + 1) {
                Some(after) if w > target => ((after - w) / (after - target)).max(0.0),
                _ if at > 0 => rising.max(0.0),
                // The first one goes on below zero, the last one beyond its target.
                _ => rising,
            }
        };
        weights.extend((0..self.targets.len()).map(|at| finite(share(at)) as f32));
    }

    /// The weights in the file.
    pub(super) fn file_weights(&self, weights: &mut Vec<f32>) {
        self.extend_weights(self.weight, weights);
    }
}

fn finite(value: f64) -> f64 {
    if value.is_finite() { value } else { 0.0 }
}

/// Bytes of a moved vertex: its index and two deltas, and as much again while it is sorted.
const MORPH_BYTES: u64 = 2 * (4 + 12 + 12);

/// The morphs of a mesh, channel by channel. `sources` has the file's vertex of each vertex.
pub(super) fn read(
    mesh: &ufbx::Mesh,
    sources: &[u32],
    budget: &mut Budget,
    report: &mut Report,
) -> Result<(Vec<MorphTarget>, Vec<MorphChannel>), MemoryLimitError> {
    let channels = || mesh.blend_deformers.iter().flat_map(|deformer| deformer.channels.iter());
    if channels().next().is_none() {
        return Ok(Default::default());
    }
    let copies = Copies::new(sources, mesh.num_vertices);
    let (mut morphs, mut read) = (Vec::new(), Vec::new());
    for channel in channels() {
        let mut shapes: Vec<&ufbx::BlendKeyframe> = channel.keyframes.iter().collect();
        shapes.retain(|shape| shape.target_weight > 0.0 && shape.target_weight.is_finite());
        shapes.sort_by(|a, b| a.target_weight.total_cmp(&b.target_weight));
        shapes.dedup_by(|later, first| later.target_weight == first.target_weight);
        let place = format!("shape {:?}", &*channel.element.name);
        let left_out = channel.keyframes.len() - shapes.len();
        if left_out > 0 {
            report.warn(&place, format!("{left_out} shapes have no weight of their own; they are left out"));
        }
        for (at, shape) in shapes.iter().enumerate() {
            budget.take(&place, copies.count_of(&shape.shape), MORPH_BYTES)?;
            morphs.push(morph(name(channel, shape, at + 1 == shapes.len()), &shape.shape, &copies));
        }
        read.push(MorphChannel {
            element_id: channel.element.element_id,
            weight: channel.weight,
            targets: shapes.iter().map(|shape| shape.target_weight).collect(),
        });
    }
    Ok((morphs, read))
}

/// The channel's name; shapes on the way to the last have theirs with the weight in percent.
fn name(channel: &ufbx::BlendChannel, shape: &ufbx::BlendKeyframe, is_last: bool) -> String {
    // Maya prefixes channels with the name of their deformer.
    let name = channel.element.name.rsplit('.').next().unwrap_or_default();
    match is_last {
        true => name.to_owned(),
        false => format!("{name} {}%", (100.0 * shape.target_weight).round()),
    }
}

fn morph(name: String, shape: &ufbx::BlendShape, copies: &Copies) -> MorphTarget {
    let has_normals = shape.normal_offsets.len() == shape.offset_vertices.len();
    let mut moved: Vec<(u32, Vec3, Vec3)> = Vec::new();
    for (at, (&vertex, &offset)) in shape.offset_vertices.iter().zip(&shape.position_offsets).enumerate() {
        let normal = if has_normals { vec3(shape.normal_offsets[at]) } else { Vec3::ZERO };
        let (offset, normal) = (usable(vec3(offset)), usable(normal));
        if offset != Vec3::ZERO || normal != Vec3::ZERO {
            moved.extend(copies.of(vertex).iter().map(|&vertex| (vertex, offset, normal)));
        }
    }
    moved.sort_by_key(|&(vertex, ..)| vertex);
    moved.dedup_by_key(|&mut (vertex, ..)| vertex);
    MorphTarget {
        name,
        vertices: moved.iter().map(|&(vertex, ..)| vertex).collect(),
        position_deltas: moved.iter().map(|&(_, offset, _)| offset).collect(),
        normal_deltas: if has_normals {
            moved.iter().map(|&(.., normal)| normal).collect()
        } else {
            Vec::new()
        },
        tangent_deltas: Vec::new(),
        effect: MorphEffect::None,
    }
}

fn usable(delta: Vec3) -> Vec3 {
    if delta.is_finite() { delta } else { Vec3::ZERO }
}

/// Our vertices of each of the file's: one for each combination with normals, texture coordinates and materials.
struct Copies {
    /// `starts[v]..starts[v + 1]` are those of the file's vertex v.
    starts: Vec<u32>,
    vertices: Vec<u32>,
}

impl Copies {
    fn new(sources: &[u32], source_count: usize) -> Self {
        let mut starts = vec![0u32; source_count + 1];
        for &source in sources {
            starts[source as usize + 1] += 1;
        }
        for at in 0..source_count {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut vertices = vec![0; sources.len()];
        for (vertex, &source) in (0..).zip(sources) {
            let at = &mut next[source as usize];
            vertices[*at as usize] = vertex;
            *at += 1;
        }
        Self { starts, vertices }
    }

    fn of(&self, source: u32) -> &[u32] {
        let bound = |at: usize| self.starts.get(at).map_or(self.vertices.len(), |&start| start as usize);
        &self.vertices[bound(source as usize)..bound(source as usize + 1)]
    }

    /// Vertices that a shape moves.
    fn count_of(&self, shape: &ufbx::BlendShape) -> u64 {
        shape.offset_vertices.iter().map(|&vertex| self.of(vertex).len() as u64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(targets: &[f64], w: f64, expected: &[f32]) {
        let channel = MorphChannel { element_id: 0, weight: 0.0, targets: targets.to_vec() };
        let mut weights = Vec::new();
        channel.extend_weights(w, &mut weights);
        assert_eq!(weights, expected, "at {w}");
    }

    #[test]
    fn shapes_beside_the_weight_share_it() {
        check(&[1.0], 0.25, &[0.25]);
        check(&[1.0], -0.5, &[-0.5]);
        check(&[1.0], 1.5, &[1.5]);
        check(&[0.5, 1.0], 0.25, &[0.5, 0.0]);
        check(&[0.5, 1.0], 0.5, &[1.0, 0.0]);
        check(&[0.5, 1.0], 0.75, &[0.5, 0.5]);
        check(&[0.5, 1.0], 1.0, &[0.0, 1.0]);
        check(&[0.25, 0.5, 1.0], 0.375, &[0.5, 0.5, 0.0]);
        check(&[1.0], f64::NAN, &[0.0]);
    }

    #[test]
    fn copies_of_a_vertex_are_found() {
        let copies = Copies::new(&[2, 0, 2, 1], 4);
        assert_eq!((copies.of(0), copies.of(2), copies.of(3)), (&[1][..], &[0, 2][..], &[][..]));
        assert_eq!(copies.of(99), &[0u32; 0]);
    }
}
