//! The human head: a net of patches whose shapes go with those of bodies.
//!
//! A head is a list of free vectors of a [`Patchwork`], over the stature, in the frame of the bone of the head and from its first joint. The
//! amounts that move bodies move heads too, and modes of their own vary faces. `neck.rs` joins a head to the tube of a neck.

#[cfg(feature = "make-shapes")]
mod make;
mod neck;

#[cfg(feature = "make-shapes")]
pub use make::HeadModes;

use crate::Quartic;
use crate::body::WireUse;
use crate::design::HeadChange;
use crate::patchwork::{Layout, LayoutEdge, Patchwork, SlotKind};
use crate::shapes::{BasisError, Reader};
use crate::template::Flank;
use glam::{DQuat, DVec3};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The first bytes of the data.
const MAGIC: &[u8; 8] = b"SNWHED01";

/// The mean head and its modes.
#[derive(Clone, Debug)]
pub struct HeadBasis {
    net: Patchwork,
    patch_names: Vec<(String, Flank)>,
    is_hidden: Vec<bool>,
    inner_wire_lengths: Vec<f64>,
    eye_slots: Vec<usize>,
    ear_slots: Vec<usize>,
    /// Of free slots only, as all modes: the others mirror them.
    mean: Vec<DVec3>,
    /// Height of the mean head's top above the joint.
    top: f64,
    /// One for each mode of the shapes.
    by_body: Vec<Vec<DVec3>>,
    /// Those of faces alone; one unit is one standard deviation.
    own: Vec<Vec<DVec3>>,
}

/// The bone that a head follows.
#[derive(Clone, Copy, Debug)]
pub struct HeadBone {
    /// Its first joint, model space, m.
    pub joint: DVec3,
    /// Its rotation from the template's figure.
    pub turn: DQuat,
    /// Its length, m.
    pub length_m: f64,
}

static HUMAN: LazyLock<HeadBasis> = LazyLock::new(|| {
    let layout = Layout::head();
    HeadBasis::read(&layout, include_bytes!("../../data/heads.bin")).expect("a test reads it")
});

impl HeadBasis {
    /// The heads that ship.
    #[must_use]
    pub fn human() -> &'static Self {
        &HUMAN
    }

    /// Reads data of heads for a layout.
    ///
    /// # Errors
    /// If the data is damaged or made for another layout.
    pub fn read(layout: &Layout, bytes: &[u8]) -> Result<Self, BasisError> {
        let net = Patchwork::new(layout).map_err(|_| BasisError::Template)?;
        let mut reader = Reader { bytes };
        if reader.take(8)? != MAGIC {
            return Err(BasisError::Format);
        }
        let [slots, by_body, own] = [reader.count()?, reader.count()?, reader.count()?];
        if slots != net.slot_count() {
            return Err(BasisError::Template);
        }
        let free = net.free_slots();
        let mean = vectors(&reader.floats(3 * free.len())?);
        let mut modes = Vec::new();
        for _ in 0..by_body + own {
            let step = reader.floats(1)?[0];
            let words = reader.take(6 * free.len())?.chunks_exact(2);
            let values: Vec<f64> =
                words.map(|word| step * f64::from(i16::from_le_bytes([word[0], word[1]]))).collect();
            modes.push(vectors(&values));
        }
        let own = modes.split_off(by_body);
        let places = free.iter().zip(&mean).filter(|(slot, _)| net.slot_kinds()[**slot] == SlotKind::Place);
        let top = places.map(|(_, at)| at.y).fold(0.0, f64::max);
        let patch_names = patch_names(layout, &net);
        let inner_wire_lengths = inner_wire_lengths(&net, &mean);
        let [eye_slots, ear_slots] = ["eye_ring_0", "ear_root"].map(|line| slots_on(layout, &net, line));
        let count = layout.faces.len();
        let is_hidden = (0..2 * count)
            .flat_map(|face| net.patches_of(face).map(move |_| layout.faces[face % count].is_hidden));
        let is_hidden = is_hidden.collect();
        Ok(HeadBasis {
            net,
            patch_names,
            is_hidden,
            inner_wire_lengths,
            eye_slots,
            ear_slots,
            mean,
            top,
            by_body: modes,
            own,
        })
    }

    /// The net that all heads have.
    #[must_use]
    pub fn net(&self) -> &Patchwork {
        &self.net
    }

    /// Part and face of each patch, with the corner where the face is a fill, and its side of the body.
    pub(crate) fn patch_names(&self) -> &[(String, Flank)] {
        &self.patch_names
    }

    /// Lengths of the net's wires on the usual head, over the stature, but those of the border.
    pub(crate) fn inner_wire_lengths(&self) -> impl Iterator<Item = f64> {
        self.inner_wire_lengths.iter().copied()
    }

    /// Whether each patch lies inside mouth, nostril or eye socket.
    pub(crate) fn is_hidden(&self) -> &[bool] {
        &self.is_hidden
    }

    /// Slots of the nodes around the left eye's lids.
    pub(crate) fn eye_slots(&self) -> &[usize] {
        &self.eye_slots
    }

    /// Slots of the nodes around the left ear's root.
    pub(crate) fn ear_slots(&self) -> &[usize] {
        &self.ear_slots
    }

    /// Number of modes that go with bodies, and of those of faces alone.
    #[must_use]
    pub fn mode_counts(&self) -> [usize; 2] {
        [self.by_body.len(), self.own.len()]
    }

    /// The free vectors of a head in model space, m. Without a stature of its own the top of a usual head is at the end of the bone.
    #[must_use]
    pub fn slots(&self, head: &HeadChange, bone: &HeadBone) -> Vec<DVec3> {
        let mut free = self.mean.clone();
        let modes = self.by_body.iter().zip(&head.shape).chain(self.own.iter().zip(&head.face));
        for (mode, &amount) in modes.filter(|(_, amount)| **amount != 0.0) {
            free.iter_mut().zip(mode).for_each(|(slot, by)| *slot += amount * *by);
        }
        let scale = head.stature.unwrap_or(bone.length_m / self.top) * head.size.unwrap_or(DVec3::ONE);
        free.iter_mut().for_each(|slot| *slot = bone.turn * (scale * *slot));
        let mut slots = self.net.with_mirrored(&free);
        let places = slots.iter_mut().zip(self.net.slot_kinds());
        places.filter(|(_, kind)| **kind == SlotKind::Place).for_each(|(slot, _)| *slot += bone.joint);
        slots
    }

    /// The data of modes, for [`HeadBasis::read`].
    #[must_use]
    #[cfg(feature = "make-shapes")]
    pub fn write(net: &Patchwork, modes: &HeadModes) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for count in [net.slot_count(), modes.by_body.len(), modes.own.len()] {
            bytes.extend((count as u32).to_le_bytes());
        }
        let free = net.free_slots();
        let values =
            |list: &[DVec3]| -> Vec<f64> { free.iter().flat_map(|&slot| list[slot].to_array()).collect() };
        let float = |bytes: &mut Vec<u8>, value: f64| bytes.extend((value as f32).to_le_bytes());
        values(&modes.mean).into_iter().for_each(|value| float(&mut bytes, value));
        for mode in modes.by_body.iter().chain(&modes.own) {
            let values = values(mode);
            let step =
                values.iter().fold(0.0, |most: f64, value| most.max(value.abs())) / f64::from(i16::MAX);
            float(&mut bytes, step);
            for value in values {
                let word = if step > 0.0 { (value / step).round() as i16 } else { 0 };
                bytes.extend(word.to_le_bytes());
            }
        }
        bytes
    }
}

fn patch_names(layout: &Layout, net: &Patchwork) -> Vec<(String, Flank)> {
    let count = layout.faces.len();
    let face_names = |face: usize| {
        let flank = if face < count { Flank::Left } else { Flank::Right };
        let (range, name) =
            (net.patches_of(face), format!("{}/{}", layout.faces[face % count].group, face % count));
        let corner = |k: usize| if range.len() > 1 { format!("{name}/{k}") } else { name.clone() };
        // The mirror image of a fill runs the other way from its first patch on.
        let place = |k: usize| if flank == Flank::Left { k } else { (range.len() - k) % range.len() };
        (0..range.len()).map(|k| (corner(place(k)), flank)).collect::<Vec<_>>()
    };
    (0..2 * count).flat_map(face_names).collect()
}

/// Slots of the places of nodes on a line.
fn slots_on(layout: &Layout, net: &Patchwork, name: &str) -> Vec<usize> {
    let is_on = |edge: &&LayoutEdge| edge.lines.iter().any(|found| layout.lines[found.line].name == name);
    let nodes: BTreeSet<usize> = layout.edges.iter().filter(is_on).flat_map(|edge| edge.ends).collect();
    nodes.into_iter().map(|node| net.node_slot(node)).collect()
}

fn inner_wire_lengths(net: &Patchwork, mean: &[DVec3]) -> Vec<f64> {
    let patches = net.patches(&net.with_mirrored(mean));
    let border: Vec<usize> = net.border_wires().map(|(wire, _)| wire).collect();
    let wires = net.topology().wires.iter().enumerate().filter(|(wire, _)| !border.contains(wire));
    let along = |found: &WireUse| {
        let Quartic(points) = patches[found.patch].edge(found.side).curve;
        points.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f64>()
    };
    // A wire between two fills has two halves on each side.
    wires.map(|(_, wire)| 0.5 * wire.uses.iter().map(along).sum::<f64>()).collect()
}

fn vectors(values: &[f64]) -> Vec<DVec3> {
    values.chunks_exact(3).map(DVec3::from_slice).collect()
}

#[cfg(test)]
mod tests;
