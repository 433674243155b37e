//! A net of patches joined along lines that run straight through its nodes.
//!
//! A [`Layout`] has nodes, edges and faces as data. Every node is a crossing of two lines. Four-sided faces become biquartic Bézier
//! patches, others fills of Gregory patches. A [`Patchwork`] turns a flat list of free vectors ("slots") into patches; every list gives
//! a surface with one tangent plane along every shared edge, because the legs across a line keep one ratio along it.
//!
//! Patches are linear in the slots and alike in x, y and z, so a fit to points is one linear least-squares problem. Both halves are
//! mirror images: symmetric slots give a surface that is symmetric bit for bit.
//!
//! Departures from \[Komatsu88\], whose bodies are tubes with fills between them: here fills and Bézier patches lie in any order, and
//! an edge may lie between two fills.

mod border;
mod face;
#[cfg(feature = "make-shapes")]
pub mod fit;
mod form;
mod layout;
mod node;
mod seam;
mod slots;
mod topology;
mod whole;

pub use layout::{Dart, Layout, LayoutEdge, LayoutError, LayoutFace, Line, LineUse};
pub use slots::SlotKind;

use crate::body::Topology;
use crate::g1::EdgeGap;
use crate::patch::CORNERS;
use crate::{Edge, GregoryCorners, Patch, Side};
use border::BorderEdge;
use face::PatchForms;
use glam::DVec3;
use node::Node;
use seam::Seam;
use slots::Slots;
use whole::Whole;

/// The patches of a layout as sums of free vectors.
#[derive(Clone, Debug)]
pub struct Patchwork {
    slots: Slots,
    forms: Vec<PatchForms>,
    /// For each face its first patch, then the number of patches.
    first_patches: Vec<usize>,
    /// The slots of the places of nodes: left, middle, right.
    node_slots: Vec<u32>,
    topology: Topology,
    border: Vec<BorderEdge>,
    /// For each edge of the border the patch along it and its side there.
    border_sides: Vec<(usize, Side)>,
    /// Offsets that only patches along the border have.
    border_offsets: Vec<u32>,
    /// Patches that slots of the border change, ascending.
    beside_border: Vec<usize>,
}

impl Patchwork {
    /// # Errors
    /// If faces do not close, if more than two share an edge, if a node inside has not four edges, or if ratios jump.
    pub fn new(layout: &Layout) -> Result<Patchwork, LayoutError> {
        let whole = Whole::new(layout)?;
        let mut slots = Slots::default();
        let nodes: Vec<Node> = (0..whole.listed_nodes())
            .map(|node| Node::new(&whole, node, &mut slots))
            .collect::<Result<_, _>>()?;
        let seams: Vec<Seam> = (0..whole.listed_edges())
            .map(|edge| Seam::new(&whole, &nodes, edge, &mut slots))
            .collect::<Result<_, _>>()?;
        let (mut forms, mut first_patches) = (Vec::new(), vec![0]);
        for face in &layout.faces {
            match face.sides.len() {
                4 => forms.push(face::quad((&face.sides, face.is_split), &seams, &mut slots)),
                _ => forms.extend(face::fill(&face.sides, &seams, &mut slots)),
            }
            first_patches.push(forms.len());
        }
        // Face by face the mirror image of the left half; a fill's patches run the other way from the first on.
        let (count, half) = (layout.faces.len(), forms.len());
        for face in 0..count {
            let (first, end) = (first_patches[face], first_patches[face + 1]);
            let order = std::iter::once(first).chain((first + 1..end).rev());
            let images: Vec<PatchForms> = order.map(|patch| forms[patch].mirrored(&slots.pairs)).collect();
            forms.extend(images);
            first_patches.push(half + end);
        }
        let node_slots = (0..whole.node_count).map(|node| {
            if node < nodes.len() { nodes[node].place } else { nodes[whole.mirrored_node(node)].place + 1 }
        });
        let border = border::of(&whole, &nodes, &seams, &slots.pairs);
        let topology = topology::of(&whole, &first_patches, forms.len());
        let node_slots = node_slots.collect();
        let (border_sides, border_offsets, beside_border) = Default::default();
        let mut net = Patchwork {
            node_slots,
            slots,
            forms,
            first_patches,
            topology,
            border,
            border_sides,
            border_offsets,
            beside_border,
        };
        let uses = net.border.iter().filter_map(|edge| net.topology.wires[edge.wire()].uses.first());
        net.border_sides = uses.map(|found| (found.patch, found.side)).collect();
        net.border_offsets = net.offsets_of_border();
        net.beside_border = net.patches_beside_border();
        Ok(net)
    }

    fn patches_beside_border(&self) -> Vec<usize> {
        let mut is_set = vec![false; self.slot_count()];
        let joined = self.border.iter().flat_map(BorderEdge::slots);
        joined.chain(self.border_offsets.iter().copied()).for_each(|slot| is_set[slot as usize] = true);
        let is_beside = |patch: &usize| {
            let terms = self.forms[*patch].0.iter().flat_map(|form| form.terms());
            terms.into_iter().any(|&(slot, _)| is_set[slot as usize])
        };
        (0..self.patch_count()).filter(is_beside).collect()
    }

    fn offsets_of_border(&self) -> Vec<u32> {
        let mut is_inside = vec![true; self.forms.len()];
        self.border().iter().for_each(|&(patch, _)| is_inside[patch] = false);
        let mut is_free: Vec<bool> =
            self.slots.kinds.iter().map(|kind| !matches!(kind, SlotKind::Place | SlotKind::Leg)).collect();
        for (forms, _) in self.forms.iter().zip(&is_inside).filter(|(_, is_inside)| **is_inside) {
            let terms = forms.0.iter().flat_map(|form| form.terms());
            terms.for_each(|&(slot, _)| is_free[slot as usize] = false);
        }
        (0..self.slot_count() as u32).filter(|&slot| is_free[slot as usize]).collect()
    }

    /// Length of the lists that [`Patchwork::patches`] takes.
    #[must_use]
    pub fn slot_count(&self) -> usize {
        self.slots.kinds.len()
    }

    /// What each slot is.
    #[must_use]
    pub fn slot_kinds(&self) -> &[SlotKind] {
        &self.slots.kinds
    }

    /// The slot with the place of a node: nodes of the left, of the middle, then mirror images of the left.
    #[must_use]
    pub fn node_slot(&self, node: usize) -> usize {
        self.node_slots[node] as usize
    }

    /// Patches of a face, in order of its corners; faces of the left half come first, then their mirror images.
    #[must_use]
    pub fn patches_of(&self, face: usize) -> std::ops::Range<usize> {
        self.first_patches[face]..self.first_patches[face + 1]
    }

    /// The mirror image of a patch; u and w change places.
    #[must_use]
    pub fn mirrored_patch(&self, patch: usize) -> usize {
        let face = self.first_patches.partition_point(|&first| first <= patch) - 1;
        let half = self.face_count() / 2;
        let other = if face < half { face + half } else { face - half };
        let (own, image) = (self.patches_of(face), self.patches_of(other));
        image.start + (own.len() - (patch - own.start)) % own.len()
    }

    /// Faces of both halves.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.first_patches.len() - 1
    }

    /// Patches of both halves.
    #[must_use]
    pub fn patch_count(&self) -> usize {
        self.forms.len()
    }

    /// Edges and corners where patches meet. A wire between two faces has the patches of both.
    #[must_use]
    pub fn topology(&self) -> &Topology {
        &self.topology
    }

    /// The slots of the mirror image.
    ///
    /// # Panics
    /// If the list is too short.
    #[must_use]
    pub fn mirrored(&self, slots: &[DVec3]) -> Vec<DVec3> {
        let image = |&(pair, sign): &(u32, f64)| {
            let DVec3 { x, y, z } = slots[pair as usize];
            DVec3::new(-sign * x, sign * y, sign * z)
        };
        self.slots.pairs.iter().map(image).collect()
    }

    /// Slots that a symmetric surface may choose: those of the left half and the middle plane.
    #[must_use]
    pub fn free_slots(&self) -> Vec<usize> {
        let pairs = self.slots.pairs.iter().enumerate();
        pairs.filter(|(slot, (pair, _))| *slot <= *pair as usize).map(|(slot, _)| slot).collect()
    }

    /// The list of a symmetric surface from its free slots.
    ///
    /// # Panics
    /// If there are fewer vectors than free slots.
    #[must_use]
    pub fn with_mirrored(&self, free: &[DVec3]) -> Vec<DVec3> {
        let mut slots = vec![DVec3::ZERO; self.slot_count()];
        for (place, slot) in self.free_slots().into_iter().enumerate() {
            slots[slot] = free[place];
        }
        let image = self.mirrored(&slots);
        for (slot, &(pair, _)) in self.slots.pairs.iter().enumerate() {
            match (pair as usize).cmp(&slot) {
                std::cmp::Ordering::Less => slots[slot] = image[slot],
                std::cmp::Ordering::Equal => slots[slot] = 0.5 * (slots[slot] + image[slot]),
                std::cmp::Ordering::Greater => {}
            }
        }
        slots
    }

    /// The mean of a list and its mirror image: symmetric bit for bit.
    ///
    /// # Panics
    /// If the list is too short.
    #[must_use]
    pub fn symmetric(&self, slots: &[DVec3]) -> Vec<DVec3> {
        let image = self.mirrored(slots);
        slots.iter().zip(image).map(|(own, image)| 0.5 * (*own + image)).collect()
    }

    /// For each edge of the border the patch along it and its side there, in the order of [`Patchwork::join`].
    #[must_use]
    pub fn border(&self) -> &[(usize, Side)] {
        &self.border_sides
    }

    /// Wires of the topology along the border and whether it runs in their direction, in the order of [`Patchwork::join`].
    pub(crate) fn border_wires(&self) -> impl Iterator<Item = (usize, bool)> {
        self.border.iter().map(|edge| (edge.wire(), edge.is_forward()))
    }

    /// Patches that [`Patchwork::join`] changes, ascending.
    pub(crate) fn beside_border(&self) -> &[usize] {
        &self.beside_border
    }

    /// Sets the slots of the border, so that it is exactly the given edges with legs into the net: those of patches beyond, reflected
    /// and times one positive number. They run with the net on their left, from the middle plane's front on, and meet smoothly: with
    /// opposite legs along the ring, and with one leg across it where two meet. Other offsets of the patches along the border become
    /// zero, because they belong to another border.
    ///
    /// # Panics
    /// If the list is too short.
    pub fn join(&self, edge: impl Fn(usize) -> Edge, slots: &mut [DVec3]) {
        self.border_offsets.iter().for_each(|&slot| slots[slot as usize] = DVec3::ZERO);
        // Neighbors share slots, which the later one sets: from the front backward on both sides, so that a symmetric border gives symmetric
        // slots bit for bit.
        let last = self.border.len().saturating_sub(1);
        let order =
            (0..self.border.len()).map(|place| if place % 2 == 0 { place / 2 } else { last - place / 2 });
        order.for_each(|k| self.border[k].set(&edge(k), slots));
    }

    /// The largest gap and the largest jump of normals across all edges, each compared at `samples` places.
    ///
    /// # Panics
    /// If there are fewer patches than in the net, or fewer than two samples.
    #[must_use]
    pub fn check(&self, patches: &[Patch], samples: usize) -> EdgeGap {
        topology::compare(&self.topology, patches, samples)
    }

    /// The patches of a list of free vectors, in m or any other unit.
    ///
    /// # Panics
    /// If the list is too short.
    #[must_use]
    pub fn patches(&self, slots: &[DVec3]) -> Vec<Patch> {
        (0..self.patch_count()).map(|patch| self.patch(patch, slots)).collect()
    }

    /// One of these patches. Does not allocate.
    ///
    /// # Panics
    /// If the list is too short or there is no such patch.
    #[must_use]
    pub fn patch(&self, patch: usize, slots: &[DVec3]) -> Patch {
        patch_of(&self.forms[patch], slots)
    }
}

fn patch_of(PatchForms(forms): &PatchForms, slots: &[DVec3]) -> Patch {
    let value = |place: usize| {
        let terms = forms[place].terms();
        terms.iter().fold(DVec3::ZERO, |sum, &(slot, by)| sum + by * slots[slot as usize])
    };
    let net = std::array::from_fn(|i| std::array::from_fn(|j| value(face::at(i, j))));
    if forms.len() == 25 {
        return Patch::bezier(net);
    }
    let cross_u = CORNERS.map(|(i, j)| net[i][j]);
    let cross_w = std::array::from_fn(|corner| value(25 + corner));
    Patch::gregory(net, GregoryCorners { cross_u, cross_w })
}

#[cfg(test)]
mod tests;
