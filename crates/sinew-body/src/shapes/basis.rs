//! The data of shapes that ships: the mean, the modes, and the amounts of them in the bodies it was made from.

use super::slots::{Slots, rescale};
use crate::design::{Design, HeadChange};
use crate::template::Template;
use std::sync::LazyLock;

/// Numbers by which the source describes a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ShapeParameters {
    /// One for men, zero for women.
    pub male: f64,
    /// Age in years.
    pub years: f64,
    /// From 0 to 1, 0.5 is usual.
    pub muscle: f64,
    /// From 0 to 1, 0.5 is usual.
    pub weight: f64,
    /// From 0 to 1, 0.5 is usual.
    pub height: f64,
    /// From 0, uncommon, to 1, ideal.
    pub proportions: f64,
    /// Whether the body differs in nothing else from the average.
    pub is_plain: bool,
    /// Stature of the source's body, m.
    pub stature_m: f64,
}

/// A mean list of design numbers, modes of its change, and bodies in them.
#[derive(Clone, Debug)]
pub struct ShapeBasis {
    pub(crate) slots: Slots,
    /// What no mode changes, over the stature.
    reference: Design,
    mean: Vec<f64>,
    /// One after another.
    modes: Vec<f64>,
    mode_count: usize,
    /// The bodies that it was made from.
    pub bodies: Vec<(ShapeParameters, Vec<f64>)>,
}

/// The first bytes of the data.
const MAGIC: &[u8; 8] = b"SNWSHP01";
/// Numbers of a body before its amounts.
const BODY_LEN: usize = 8;

/// Error of reading data of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BasisError {
    /// It is not such data, or it is cut off.
    #[error("not data of shapes, or cut off")]
    Format,
    /// It was made for another template.
    #[error("the shapes were made for another template; make them anew")]
    Template,
}

static HUMAN: LazyLock<ShapeBasis> = LazyLock::new(|| {
    let reference = Design::parse(include_str!("../../designs/person.toml")).expect("a test reads it");
    let template = Template::human();
    ShapeBasis::read(&template, reference, include_bytes!("../../data/shapes.bin")).expect("a test reads it")
});

impl ShapeBasis {
    /// The shapes of people that ship.
    #[must_use]
    pub fn human() -> &'static Self {
        &HUMAN
    }

    /// Reads data of shapes for a template. `reference`: what no mode changes, over the stature.
    ///
    /// # Errors
    /// If the data is damaged or made for another template.
    pub fn read(template: &Template, reference: Design, bytes: &[u8]) -> Result<Self, BasisError> {
        let slots = Slots::of(template);
        let mut reader = Reader { bytes };
        if reader.take(8)? != MAGIC {
            return Err(BasisError::Format);
        }
        let fingerprint = reader.take(8)?;
        if fingerprint != slots.fingerprint().to_le_bytes() {
            return Err(BasisError::Template);
        }
        let [mode_count, body_count] = [reader.count()?, reader.count()?];
        let mean = reader.floats(slots.len)?;
        let mut modes = Vec::with_capacity(mode_count * slots.len);
        for _ in 0..mode_count {
            let step = reader.floats(1)?[0];
            let words = reader.take(2 * slots.len)?.chunks_exact(2);
            modes.extend(words.map(|word| step * f64::from(i16::from_le_bytes([word[0], word[1]]))));
        }
        let mut bodies = Vec::new();
        for _ in 0..body_count {
            let n = reader.floats(BODY_LEN)?;
            let parameters = ShapeParameters {
                male: n[0],
                years: n[1],
                muscle: n[2],
                weight: n[3],
                height: n[4],
                proportions: n[5],
                is_plain: n[6] != 0.0,
                stature_m: n[7],
            };
            bodies.push((parameters, reader.floats(mode_count)?));
        }
        Ok(ShapeBasis { slots, reference, mean, modes, mode_count, bodies })
    }

    /// Writes data of shapes.
    #[must_use]
    #[cfg(feature = "make-shapes")]
    pub fn write(
        template: &Template,
        modes: &super::Modes,
        mode_count: usize,
        parameters: &[ShapeParameters],
    ) -> Vec<u8> {
        let slots = Slots::of(template);
        let mut bytes = MAGIC.to_vec();
        bytes.extend(slots.fingerprint().to_le_bytes());
        bytes.extend((mode_count as u32).to_le_bytes());
        bytes.extend((parameters.len() as u32).to_le_bytes());
        let float = |bytes: &mut Vec<u8>, value: f64| bytes.extend((value as f32).to_le_bytes());
        modes.mean.iter().for_each(|&value| float(&mut bytes, value));
        for mode in &modes.modes[..mode_count] {
            let most = mode.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
            let step = most / f64::from(i16::MAX);
            float(&mut bytes, step);
            for value in mode {
                let word = if step > 0.0 { (value / step).round() as i16 } else { 0 };
                bytes.extend(word.to_le_bytes());
            }
        }
        for (p, amounts) in parameters.iter().zip(&modes.amounts) {
            let plain = f64::from(u8::from(p.is_plain));
            let own = [p.male, p.years, p.muscle, p.weight, p.height, p.proportions, plain, p.stature_m];
            own.iter().chain(&amounts[..mode_count]).for_each(|&value| float(&mut bytes, value));
        }
        bytes
    }

    /// Number of modes.
    #[must_use]
    pub fn mode_count(&self) -> usize {
        self.mode_count
    }

    /// The list with amounts of the modes.
    pub(crate) fn list(&self, amounts: &[f64]) -> Vec<f64> {
        let mut list = self.mean.clone();
        for (mode, &amount) in self.modes.chunks_exact(self.slots.len).zip(amounts) {
            if amount != 0.0 {
                list.iter_mut().zip(mode).for_each(|(value, by)| *value += amount * by);
            }
        }
        list
    }

    /// A design with every number that lists have, to be written again and again.
    pub(crate) fn whole_design(&self) -> Design {
        let mut design = self.reference.clone();
        self.slots.write(&self.mean, &mut design);
        design
    }

    /// Writes the design of a list and a head, both over the stature, at a size, m, over another of these designs.
    pub(crate) fn write_design(&self, (list, head): (&[f64], HeadChange), size_m: f64, design: &mut Design) {
        let offsets = std::mem::take(&mut design.offsets);
        *design =
            Design { offsets, head: HeadChange { stature: Some(1.0), ..head }, ..self.reference.clone() };
        rescale(design, size_m);
        self.slots.write_sized(list, size_m, design);
    }
}

pub(crate) struct Reader<'a> {
    pub(crate) bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], BasisError> {
        let (taken, rest) = self.bytes.split_at_checked(count).ok_or(BasisError::Format)?;
        self.bytes = rest;
        Ok(taken)
    }

    pub(crate) fn count(&mut self) -> Result<usize, BasisError> {
        let word = self.take(4)?;
        Ok(u32::from_le_bytes([word[0], word[1], word[2], word[3]]) as usize)
    }

    pub(crate) fn floats(&mut self, count: usize) -> Result<Vec<f64>, BasisError> {
        let word = |word: &[u8]| f64::from(f32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        Ok(self.take(4 * count)?.chunks_exact(4).map(word).collect())
    }
}
