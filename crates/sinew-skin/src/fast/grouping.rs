//! Groups vertices with the same bones and method once, so that kernels need no gathers.

use glam::Vec3;
use sinew_geometry::simd::BLOCK_LANES;
use sinew_rig::Influences;
use std::ops::Range;

/// Method of a vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VertexKind {
    /// Linear blend skinning.
    Lbs,
    /// Dual quaternion linear blending.
    Dlb,
    /// SBS+ (SDEF) with two bones.
    Sdef {
        /// c: the vertex's projection onto the bones' axis, rest space, m.
        center: Vec3,
        /// D = r0 − r1, in the order of the vertex's two influences, m.
        range: Vec3,
        /// The share of linear blending, 0 to 1; 0.5 in MMD's files.
        s: f32,
    },
}

/// The kernel of a bone set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GroupMethod {
    Lbs,
    Dlb,
    Sdef,
}

/// A method and bones in the method's order: the source of a kernel's constants.
#[derive(Clone, Debug)]
pub(super) struct BoneSet {
    pub(super) method: GroupMethod,
    /// Palette entries, in [`Grouping::bones`].
    pub(super) bones: Range<usize>,
    /// Start of its constants among those of its method.
    pub(super) constants_at: usize,
}

/// Blocks of the same kernel: those of one method and number of bones.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) method: GroupMethod,
    pub(super) bone_count: usize,
    pub(super) blocks: Range<usize>,
}

/// Vertices with the same bone set in blocks, blocks of the same kernel in classes.
///
/// The blocks of a class are ordered by their first vertices, whatever their bone sets. Results in the caller's order are then written to
/// neighboring memory even if bone sets alternate from vertex to vertex.
#[derive(Debug, Default)]
pub(super) struct Grouping {
    pub(super) classes: Vec<Class>,
    pub(super) sets: Vec<BoneSet>,
    /// The bones of all sets.
    pub(super) bones: Vec<u16>,
    /// The bone set of each block.
    pub(super) block_sets: Vec<u32>,
    /// The vertices of each block, ascending; the last of a bone set is repeated to fill its last block.
    pub(super) blocks: Vec<[u32; BLOCK_LANES]>,
    /// Each vertex's bones and weights in the order of its bone set.
    pub(super) ordered: Ordered,
}

/// Each vertex's bones and weights in the order of its method, without duplicates.
///
/// - LBS: ascending.
/// - Dual quaternions: the heaviest bone first (the first of equal ones), because signs are taken relative to it; the others
///   ascending.
/// - SBS+: ascending; `swapped` says whether that reversed the vertex's own order.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    methods: Vec<GroupMethod>,
    starts: Vec<usize>,
    bones: Vec<u16>,
    weights: Vec<f32>,
    swapped: Vec<bool>,
}

impl Ordered {
    fn new(influences: &Influences, kinds: &[VertexKind]) -> Self {
        let mut ordered = Self { starts: vec![0], ..Self::default() };
        let mut merged: Vec<(u16, f32)> = Vec::new();
        for (vertex, kind) in kinds.iter().enumerate() {
            let (joints, weights) = influences.of(vertex);
            merge_into(&mut merged, joints, weights);
            ordered.push(vertex, kind, &mut merged);
        }
        ordered
    }

    fn push(&mut self, vertex: usize, kind: &VertexKind, influences: &mut [(u16, f32)]) {
        let method = match kind {
            // One bone moves a vertex in the same way by every method.
            _ if influences.len() < 2 => GroupMethod::Lbs,
            VertexKind::Lbs => GroupMethod::Lbs,
            VertexKind::Dlb => GroupMethod::Dlb,
            VertexKind::Sdef { .. } => {
                assert_eq!(influences.len(), 2, "vertex {vertex}: SBS+ here takes two bones");
                GroupMethod::Sdef
            }
        };
        let first_bone = influences.first().map(|&(bone, _)| bone);
        let heaviest = heaviest_bone(influences);
        influences
            .sort_unstable_by_key(|&(bone, _)| (method == GroupMethod::Dlb && Some(bone) != heaviest, bone));
        self.methods.push(method);
        self.swapped.push(influences.first().map(|&(bone, _)| bone) != first_bone);
        self.bones.extend(influences.iter().map(|&(bone, _)| bone));
        self.weights.extend(influences.iter().map(|&(_, weight)| weight));
        self.starts.push(self.bones.len());
    }

    fn method(&self, vertex: u32) -> GroupMethod {
        self.methods[vertex as usize]
    }

    fn bones(&self, vertex: u32) -> &[u16] {
        &self.bones[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }

    /// The weights of a vertex in its set's order of bones.
    pub(super) fn weights(&self, vertex: u32) -> &[f32] {
        &self.weights[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }

    /// Whether the first of a vertex's bones is not the first of its influences.
    pub(super) fn is_swapped(&self, vertex: u32) -> bool {
        self.swapped[vertex as usize]
    }
}

/// Influences with weights of the same bone added up, in the order of their first mention.
fn merge_into(merged: &mut Vec<(u16, f32)>, joints: &[u16], weights: &[f32]) {
    merged.clear();
    for (&joint, &weight) in joints.iter().zip(weights) {
        match merged.iter_mut().find(|(bone, _)| *bone == joint) {
            Some((_, sum)) => *sum += weight,
            None => merged.push((joint, weight)),
        }
    }
}

fn heaviest_bone(influences: &[(u16, f32)]) -> Option<u16> {
    let heavier = |best: (u16, f32), next: (u16, f32)| if next.1 > best.1 { next } else { best };
    influences.iter().copied().reduce(heavier).map(|(bone, _)| bone)
}

/// Groups vertices by bone set.
///
/// # Panics
/// If an SBS+ vertex has more than two bones.
pub(super) fn group_vertices(influences: &Influences, kinds: &[VertexKind]) -> Grouping {
    let ordered = Ordered::new(influences, kinds);
    let mut vertices: Vec<u32> = (0..kinds.len() as u32).collect();
    let key = |vertex: u32| (ordered.method(vertex), ordered.bones(vertex).len(), ordered.bones(vertex));
    vertices.sort_by(|&a, &b| key(a).cmp(&key(b)));
    let mut grouping = Grouping::default();
    let mut blocks: Vec<(u32, [u32; BLOCK_LANES])> = Vec::new();
    for same in vertices.chunk_by(|&a, &b| key(a) == key(b)) {
        let set = grouping.add_set(ordered.method(same[0]), ordered.bones(same[0]));
        for filled in same.chunks(BLOCK_LANES) {
            blocks.push((set, std::array::from_fn(|lane| filled[lane.min(filled.len() - 1)])));
        }
    }
    let class_of = |set: u32| (grouping.sets[set as usize].method, grouping.sets[set as usize].bones.len());
    blocks.sort_by_key(|&(set, vertices)| (class_of(set), vertices[0]));
    let mut first_block = 0;
    for same in blocks.chunk_by(|a, b| class_of(a.0) == class_of(b.0)) {
        let (method, bone_count) = class_of(same[0].0);
        let end = first_block + same.len();
        grouping.classes.push(Class { method, bone_count, blocks: first_block..end });
        first_block = end;
    }
    (grouping.block_sets, grouping.blocks) = blocks.into_iter().unzip();
    grouping.ordered = ordered;
    grouping
}

impl Grouping {
    /// Adds a bone set and makes room for its constants after those of the last set of the method.
    fn add_set(&mut self, method: GroupMethod, bones: &[u16]) -> u32 {
        let before = self.sets.last().filter(|set| set.method == method);
        let constants_at = before.map_or(0, |set| set.constants_at + set.constant_count());
        let first_bone = self.bones.len();
        self.bones.extend_from_slice(bones);
        self.sets.push(BoneSet { method, bones: first_bone..self.bones.len(), constants_at });
        (self.sets.len() - 1) as u32
    }
}

impl BoneSet {
    /// Entries among the constants of its method.
    pub(super) fn constant_count(&self) -> usize {
        match self.method {
            GroupMethod::Lbs => self.bones.len().max(1),
            GroupMethod::Dlb => self.bones.len(),
            GroupMethod::Sdef => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::InfluencesBuilder;

    fn influences(vertices: &[&[(u16, f32)]]) -> Influences {
        let mut builder = InfluencesBuilder::with_capacity(vertices.len(), 0);
        for vertex in vertices {
            builder.push(vertex.iter().copied());
        }
        builder.build()
    }

    #[test]
    fn bone_sets_do_not_depend_on_the_order_of_bones() {
        let influences = influences(&[&[(4, 0.3), (2, 0.7)], &[(2, 0.6), (4, 0.4)], &[(4, 0.9), (2, 0.1)]]);
        let by_set = group_vertices(&influences, &[VertexKind::Lbs; 3]);
        assert_eq!((by_set.sets.len(), &by_set.bones[..]), (1, &[2u16, 4][..]));
        assert_eq!(by_set.ordered.weights(0), [0.7, 0.3]);
        assert!(by_set.ordered.is_swapped(0) && !by_set.ordered.is_swapped(1));
        // Dual quaternions: one set for each heaviest bone.
        let by_heaviest = group_vertices(&influences, &[VertexKind::Dlb; 3]);
        assert_eq!((by_heaviest.sets.len(), &by_heaviest.bones[..]), (2, &[2u16, 4, 4, 2][..]));
        assert_eq!(by_heaviest.blocks[1], [2; BLOCK_LANES]);
    }

    #[test]
    fn blocks_of_a_class_follow_their_vertices() {
        // Two bone sets that alternate from vertex to vertex, and a third with another number of bones.
        let alternating = (0..64u16).map(|vertex| vec![(vertex % 2, 0.6), (2 + vertex % 2, 0.4)]);
        let single = (0..3).map(|_| vec![(0, 1.0)]);
        let vertices: Vec<Vec<(u16, f32)>> = alternating.chain(single).collect();
        let vertices: Vec<&[(u16, f32)]> = vertices.iter().map(Vec::as_slice).collect();
        let grouping = group_vertices(&influences(&vertices), &[VertexKind::Lbs; 67]);
        let classes: Vec<_> =
            grouping.classes.iter().map(|class| (class.bone_count, class.blocks.clone())).collect();
        assert_eq!(classes, [(1, 0..1), (2, 1..5)]);
        assert_eq!(grouping.block_sets, [0, 1, 2, 1, 2]);
        assert_eq!(grouping.blocks.iter().map(|block| block[0]).collect::<Vec<_>>(), [64, 0, 1, 32, 33]);
        assert_eq!(grouping.sets.iter().map(|set| set.constants_at).collect::<Vec<_>>(), [0, 1, 3]);
    }

    #[test]
    fn bones_named_twice_count_once_and_single_bones_are_lbs() {
        let influences = influences(&[&[(1, 0.5), (1, 0.5)], &[(1, 1.0)], &[]]);
        let kinds = [
            VertexKind::Sdef { center: Vec3::ZERO, range: Vec3::Y, s: 0.5 },
            VertexKind::Dlb,
            VertexKind::Dlb,
        ];
        let grouping = group_vertices(&influences, &kinds);
        assert!(grouping.sets.iter().all(|set| set.method == GroupMethod::Lbs));
        assert_eq!((grouping.sets.len(), &grouping.bones[..]), (2, &[1u16][..]));
        assert_eq!(grouping.ordered.weights(0), [1.0]);
    }
}
