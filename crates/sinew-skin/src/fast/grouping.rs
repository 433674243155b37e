//! Groups vertices with the same bones and method once, so that kernels need no gathers.

use crate::{Folded, FoldedTerm, RotationBlend};
use sinew_geometry::simd::BLOCK_LANES;
use sinew_rig::Influences;
use std::ops::Range;

/// Method of a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VertexKind {
    /// Linear blend skinning.
    Lbs,
    /// Dual quaternion linear blending.
    Dlb,
    /// All others, by the terms of [`Folded`](crate::Folded) and this blend of rotations.
    Folded(RotationBlend),
}

/// The kernel of a bone set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum GroupMethod {
    Lbs,
    Dlb,
    /// Folded form, by a kernel of its own for two bones.
    Folded {
        blend: RotationBlend,
        /// Whether linear blending has a share.
        is_mixed: bool,
    },
}

/// A method and bones in the method's order: the source of a kernel's constants.
#[derive(Clone, Debug)]
pub(super) struct BoneSet {
    pub(super) method: GroupMethod,
    /// Palette entries, in [`Grouping::bones`].
    pub(super) bones: Range<usize>,
    /// Start of its constants among those of its table.
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
/// - Folded form: ascending for two bones, else as dual quaternions.
#[derive(Debug, Default)]
pub(super) struct Ordered {
    methods: Vec<GroupMethod>,
    starts: Vec<usize>,
    bones: Vec<u16>,
    weights: Vec<f32>,
    /// One per bone, of vertices in folded form.
    terms: Vec<FoldedTerm>,
}

impl Ordered {
    fn new(influences: &Influences, kinds: &[VertexKind], folded: &Folded) -> Self {
        let mut ordered = Self { starts: vec![0], ..Self::default() };
        let mut merged: Vec<Influence> = Vec::new();
        for (vertex, kind) in kinds.iter().enumerate() {
            let (terms, linear) = match kind {
                VertexKind::Folded(_) => folded.of(vertex),
                VertexKind::Lbs | VertexKind::Dlb => (&[][..], 0.0),
            };
            merge_into(&mut merged, influences.pairs(vertex), terms);
            ordered.push(kind, linear > 0.0, &mut merged);
        }
        ordered
    }

    fn push(&mut self, kind: &VertexKind, is_mixed: bool, influences: &mut [Influence]) {
        let method = match *kind {
            // One bone moves a vertex in the same way by every method.
            _ if influences.len() < 2 => GroupMethod::Lbs,
            VertexKind::Lbs => GroupMethod::Lbs,
            VertexKind::Dlb => GroupMethod::Dlb,
            VertexKind::Folded(blend) => GroupMethod::Folded { blend, is_mixed },
        };
        let by_heaviest = method.puts_heaviest_first(influences.len());
        let heaviest = heaviest_bone(influences);
        influences.sort_unstable_by_key(|&(bone, ..)| (by_heaviest && Some(bone) != heaviest, bone));
        self.methods.push(method);
        self.bones.extend(influences.iter().map(|&(bone, ..)| bone));
        self.weights.extend(influences.iter().map(|&(_, weight, _)| weight));
        self.terms.extend(influences.iter().map(|&(.., term)| term));
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

    /// The terms of a vertex in its set's order of bones.
    pub(super) fn terms(&self, vertex: u32) -> &[FoldedTerm] {
        &self.terms[self.starts[vertex as usize]..self.starts[vertex as usize + 1]]
    }
}

/// Constants that kernels use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Table {
    /// Linear blending.
    Matrices,
    /// Dual quaternions.
    Motions,
    /// Folded form of two bones.
    Pairs,
    /// Folded form of more.
    Turns,
}

impl GroupMethod {
    pub(super) fn table(self, bone_count: usize) -> Table {
        match self {
            Self::Lbs => Table::Matrices,
            Self::Dlb => Table::Motions,
            Self::Folded { .. } if bone_count == 2 => Table::Pairs,
            Self::Folded { .. } => Table::Turns,
        }
    }

    /// Signs of quaternions are then constants of the bone set. The kernel for two bones needs none.
    fn puts_heaviest_first(self, bone_count: usize) -> bool {
        match self {
            Self::Lbs => false,
            Self::Dlb => true,
            Self::Folded { .. } => bone_count > 2,
        }
    }
}

/// Bone, weight and term.
type Influence = (u16, f32, FoldedTerm);

/// Influences with those of the same bone added up, in the order of their first mention.
fn merge_into(
    merged: &mut Vec<Influence>,
    influences: impl Iterator<Item = (u16, f32)>,
    terms: &[FoldedTerm],
) {
    merged.clear();
    for (at, (joint, weight)) in influences.enumerate() {
        let term = terms.get(at).copied().unwrap_or_default();
        match merged.iter_mut().find(|(bone, ..)| *bone == joint) {
            Some((_, sum, terms)) => {
                *sum += weight;
                terms.place += term.place;
                terms.follow += term.follow;
            }
            None => merged.push((joint, weight, term)),
        }
    }
}

fn heaviest_bone(influences: &[Influence]) -> Option<u16> {
    let heavier = |best: Influence, next: Influence| if next.1 > best.1 { next } else { best };
    influences.iter().copied().reduce(heavier).map(|(bone, ..)| bone)
}

/// Groups vertices by bone set.
pub(super) fn group_vertices(influences: &Influences, kinds: &[VertexKind], folded: &Folded) -> Grouping {
    let ordered = Ordered::new(influences, kinds, folded);
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
    /// Adds a bone set and makes room for its constants after those of the last set of the same table.
    fn add_set(&mut self, method: GroupMethod, bones: &[u16]) -> u32 {
        let table = method.table(bones.len());
        let before = self.sets.iter().rev().find(|set| set.table() == table);
        let constants_at = before.map_or(0, |set| set.constants_at + set.constant_count());
        let first_bone = self.bones.len();
        self.bones.extend_from_slice(bones);
        self.sets.push(BoneSet { method, bones: first_bone..self.bones.len(), constants_at });
        (self.sets.len() - 1) as u32
    }
}

impl BoneSet {
    pub(super) fn table(&self) -> Table {
        self.method.table(self.bones.len())
    }

    /// Entries among the constants of its table.
    pub(super) fn constant_count(&self) -> usize {
        match self.table() {
            Table::Matrices => self.bones.len().max(1),
            Table::Motions | Table::Turns => self.bones.len(),
            Table::Pairs => 1,
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
        let by_set = group_vertices(&influences, &[VertexKind::Lbs; 3], &Folded::default());
        assert_eq!((by_set.sets.len(), &by_set.bones[..]), (1, &[2u16, 4][..]));
        assert_eq!(by_set.ordered.weights(0), [0.7, 0.3]);
        // Dual quaternions: one set for each heaviest bone.
        let by_heaviest = group_vertices(&influences, &[VertexKind::Dlb; 3], &Folded::default());
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
        let grouping = group_vertices(&influences(&vertices), &[VertexKind::Lbs; 67], &Folded::default());
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
        let kinds = [VertexKind::Folded(RotationBlend::Slerp), VertexKind::Dlb, VertexKind::Dlb];
        let mut folded = Folded::default();
        folded.push_sdef([0.5; 2], glam::Vec3::ZERO, glam::Vec3::Y, 0.5);
        let grouping = group_vertices(&influences, &kinds, &folded);
        assert!(grouping.sets.iter().all(|set| set.method == GroupMethod::Lbs));
        assert_eq!((grouping.sets.len(), &grouping.bones[..]), (2, &[1u16][..]));
        assert_eq!(grouping.ordered.weights(0), [1.0]);
    }
}
