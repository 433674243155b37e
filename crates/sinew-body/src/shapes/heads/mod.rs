//! Heads that go with the shapes: the same amounts move them, and modes of their own vary faces.
//!
//! A head is a list of free vectors of the head's [`Patchwork`], over the stature and from the joint between neck and head.

#[cfg(feature = "make-shapes")]
mod make;
mod neck;

#[cfg(feature = "make-shapes")]
pub use make::HeadModes;

use super::basis::{BasisError, Reader};
use crate::patchwork::{Layout, Patchwork, SlotKind};
use glam::DVec3;
use std::sync::LazyLock;

/// The first bytes of the data.
const MAGIC: &[u8; 8] = b"SNWHED01";

/// The mean head and its modes.
#[derive(Clone, Debug)]
pub struct HeadBasis {
    net: Patchwork,
    mean: Vec<DVec3>,
    /// One for each mode of the shapes.
    by_body: Vec<Vec<DVec3>>,
    /// Those of faces alone; one unit is one standard deviation.
    own: Vec<Vec<DVec3>>,
}

static HUMAN: LazyLock<HeadBasis> = LazyLock::new(|| {
    let net = Patchwork::new(&Layout::head()).expect("a test makes it");
    HeadBasis::read(net, include_bytes!("../../../data/heads.bin")).expect("a test reads it")
});

impl HeadBasis {
    /// The heads that ship.
    #[must_use]
    pub fn human() -> &'static Self {
        &HUMAN
    }

    /// Reads data of heads for a net.
    ///
    /// # Errors
    /// If the data is damaged or made for another net.
    pub fn read(net: Patchwork, bytes: &[u8]) -> Result<Self, BasisError> {
        let mut reader = Reader { bytes };
        if reader.take(8)? != MAGIC {
            return Err(BasisError::Format);
        }
        let [slots, by_body, own] = [reader.count()?, reader.count()?, reader.count()?];
        if slots != net.slot_count() {
            return Err(BasisError::Template);
        }
        let free = net.free_slots();
        let mean = net.with_mirrored(&vectors(&reader.floats(3 * free.len())?));
        let mut modes = Vec::new();
        for _ in 0..by_body + own {
            let step = reader.floats(1)?[0];
            let words = reader.take(6 * free.len())?.chunks_exact(2);
            let values: Vec<f64> =
                words.map(|word| step * f64::from(i16::from_le_bytes([word[0], word[1]]))).collect();
            modes.push(net.with_mirrored(&vectors(&values)));
        }
        let own = modes.split_off(by_body);
        Ok(HeadBasis { net, mean, by_body: modes, own })
    }

    /// The net that all heads have.
    #[must_use]
    pub fn net(&self) -> &Patchwork {
        &self.net
    }

    /// Number of modes of faces alone.
    #[must_use]
    pub fn own_count(&self) -> usize {
        self.own.len()
    }

    /// The free vectors of a head in model space, m. `amounts` are those of the body's modes, `face` those of faces alone; missing ones
    /// are zero. `joint` is the place of the joint between neck and head.
    #[must_use]
    pub fn slots(&self, amounts: &[f64], face: &[f64], joint: DVec3, stature_m: f64) -> Vec<DVec3> {
        let mut slots = self.mean.clone();
        let modes = self.by_body.iter().zip(amounts).chain(self.own.iter().zip(face));
        for (mode, &amount) in modes.filter(|(_, amount)| **amount != 0.0) {
            slots.iter_mut().zip(mode).for_each(|(slot, by)| *slot += amount * *by);
        }
        for (slot, kind) in slots.iter_mut().zip(self.net.slot_kinds()) {
            *slot *= stature_m;
            if *kind == SlotKind::Place {
                *slot += joint;
            }
        }
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

fn vectors(values: &[f64]) -> Vec<DVec3> {
    values.chunks_exact(3).map(DVec3::from_slice).collect()
}

#[cfg(test)]
mod tests;
