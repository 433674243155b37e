//! Samples of the lattice inside the surface.
//!
//! A winding number costs microseconds and there are 128 samples to a cube, so that few are asked: where no triangle is near, whole blocks
//! by a few places; elsewhere the anchors, one sample in eight. From an anchor whose number is all but whole, a neighbor's follows by counting the
//! triangles between them, each of which changes it by one. What is left, near open borders mostly, is asked one by one.

use super::blocks;
use super::lattice::{CELL_SAMPLES, Lattice, LatticeTet, SAMPLE_COUNT};
use super::pieces::Piece;
use super::segment::crossing;
use super::surface::Surface;
use super::{EvaluateWinding, Placement};
use crate::winding::INSIDE;
use glam::{DVec3, IVec3};

/// Inside or outside for every sample of the box.
pub(super) struct Inside {
    cells: IVec3,
    /// [`OUTSIDE`], [`WITHIN`], or [`MIXED`] and on for an entry of `mixed`.
    states: Vec<u32>,
    mixed: Vec<MixedCell>,
}

/// A cube that the surface passes, or in which the winding number changes in the open.
#[derive(Clone)]
struct MixedCell {
    /// A bit for each sample that the cube owns.
    inside: u128,
    known: u128,
    /// Winding numbers of its anchors.
    anchors: [f32; ANCHORS],
}

pub(super) const OUTSIDE: u32 = 0;
pub(super) const WITHIN: u32 = 1;
pub(super) const MIXED: u32 = 2;

/// Anchors that a cube owns: those of the lattice that is half as fine.
const ANCHORS: usize = 16;
/// A winding number that is so near to a whole one is not near an open border.
const CLEAR: f64 = 0.1;
/// Triangles met so near to each other, as a share of the way, may be two that share an edge, met once.
const SAME: f64 = 1e-6;

/// Data for testing samples.
pub(super) struct Question<'a> {
    pub(super) lattice: &'a Lattice,
    pub(super) surface: &'a Surface,
    pub(super) points: &'a [DVec3],
    pub(super) pieces: &'a [Piece],
    pub(super) placement: &'a Placement,
    pub(super) evaluate: &'a EvaluateWinding<'a>,
}

impl Inside {
    pub(super) fn new(question: &Question<'_>) -> Self {
        let lattice = question.lattice;
        let states = blocks::classify(question);
        let mut inside = Self { cells: lattice.cells, states, mixed: Vec::new() };
        let mixed_cells: Vec<usize> =
            (0..inside.states.len()).filter(|&cell| inside.states[cell] == MIXED).collect();
        inside.ask_anchors(question, &mixed_cells);
        inside.count_from_anchors(question);
        inside.ask_rest(question, &mixed_cells);
        inside
    }

    fn ask_anchors(&mut self, question: &Question<'_>, mixed_cells: &[usize]) {
        let samples: Vec<IVec3> = mixed_cells
            .iter()
            .flat_map(|&cell| {
                (0..ANCHORS).map(move |anchor| question.lattice.cell(cell) * 8 + anchor_in_cell(anchor))
            })
            .collect();
        let windings = question.ask(&samples);
        for (&cell, windings) in mixed_cells.iter().zip(windings.chunks(ANCHORS)) {
            self.states[cell] = MIXED + self.mixed.len() as u32;
            let mut mixed = MixedCell { inside: 0, known: 0, anchors: [0.0; ANCHORS] };
            for (anchor, &winding) in windings.iter().enumerate() {
                mixed.anchors[anchor] = winding as f32;
                mixed.set(sample_bit(anchor_in_cell(anchor)), winding.abs() > INSIDE);
            }
            self.mixed.push(mixed);
        }
    }

    /// Settles what follows from the anchors.
    fn count_from_anchors(&mut self, question: &Question<'_>) {
        let lattice = question.lattice;
        let mut first = 0;
        for cell in (0..self.states.len()).map(|index| lattice.cell(index)) {
            if !lattice.has_room_around(cell) || !self.is_near_mixed(cell) {
                continue;
            }
            for kind in 0..lattice.kinds.len() {
                let tet = LatticeTet { cell, kind };
                let key = lattice.key(tet);
                first += question.pieces[first..].iter().take_while(|piece| piece.tet < key).count();
                let count = question.pieces[first..].iter().take_while(|piece| piece.tet == key).count();
                self.count_in_tet(question, tet, &question.pieces[first..first + count]);
                first += count;
            }
        }
    }

    fn count_in_tet(&mut self, question: &Question<'_>, tet: LatticeTet, pieces: &[Piece]) {
        let samples = question.lattice.kinds[tet.kind].samples.map(|sample| tet.cell * 8 + sample);
        let triangles: Vec<Triangle> =
            pieces.iter().map(|piece| Triangle::new(question, piece, &samples)).collect();
        for pair in &question.lattice.beside_anchors {
            let (sample, anchor) = (usize::from(pair.sample), usize::from(pair.anchor));
            let Some(mixed) = self.mixed_of(samples[sample]) else { continue };
            let bit = sample_bit(samples[sample] & 7);
            if self.mixed[mixed].known >> bit & 1 == 1 {
                continue;
            }
            let Some(winding) = self.clear_winding(samples[anchor]) else { continue };
            let way = Way { from: anchor, to: sample, samples: &samples };
            if let Some(change) = change_along(&way, &triangles) {
                self.mixed[mixed].set(bit, (winding + f64::from(change)).abs() > INSIDE);
            }
        }
    }

    /// Asks what is still unknown.
    fn ask_rest(&mut self, question: &Question<'_>, mixed_cells: &[usize]) {
        let mut unknown: Vec<(usize, usize)> = Vec::new();
        for (mixed, cell) in self.mixed.iter().enumerate() {
            unknown
                .extend((0..CELL_SAMPLES).filter(|bit| cell.known >> bit & 1 == 0).map(|bit| (mixed, bit)));
        }
        let corner = |mixed: usize| question.lattice.cell(mixed_cells[mixed]) * 8;
        let samples: Vec<IVec3> =
            unknown.iter().map(|&(mixed, bit)| corner(mixed) + sample_in_cell(bit)).collect();
        for ((mixed, bit), winding) in unknown.into_iter().zip(question.ask(&samples)) {
            self.mixed[mixed].set(bit, winding.abs() > INSIDE);
        }
    }

    /// Whether a sample lies inside; in eighths, within the box.
    pub(super) fn holds(&self, sample: IVec3) -> bool {
        match self.states[self.index(sample >> 3)] {
            OUTSIDE => false,
            WITHIN => true,
            mixed => self.mixed[(mixed - MIXED) as usize].inside >> sample_bit(sample & 7) & 1 == 1,
        }
    }

    /// Whether a tetrahedron that this cube owns may have samples inside.
    pub(super) fn may_hold_any(&self, cell: IVec3) -> bool {
        self.around(cell).any(|state| state != OUTSIDE)
    }

    fn is_near_mixed(&self, cell: IVec3) -> bool {
        self.around(cell).any(|state| state >= MIXED)
    }

    /// States of the cubes that a cube's tetrahedra have samples in.
    fn around(&self, cell: IVec3) -> impl Iterator<Item = u32> {
        (0..8).map(move |corner| {
            self.states[self.index(cell + IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2))]
        })
    }

    fn mixed_of(&self, sample: IVec3) -> Option<usize> {
        self.states[self.index(sample >> 3)].checked_sub(MIXED).map(|mixed| mixed as usize)
    }

    /// An anchor's winding number, if it is all but whole.
    fn clear_winding(&self, anchor: IVec3) -> Option<f64> {
        let Some(mixed) = self.mixed_of(anchor) else {
            return Some(if self.holds(anchor) { 1.0 } else { 0.0 });
        };
        let place: IVec3 = (anchor & 7) >> 1;
        let index = (place.x & 1) * 8 + (place.x >> 1) + (place.y >> 1) * 2 + (place.z >> 1) * 4;
        let winding = f64::from(self.mixed[mixed].anchors[index as usize]);
        ((winding - winding.round()).abs() < CLEAR).then_some(winding.round())
    }

    fn index(&self, cell: IVec3) -> usize {
        (cell.x as usize * self.cells.y as usize + cell.y as usize) * self.cells.z as usize + cell.z as usize
    }
}

impl MixedCell {
    fn set(&mut self, bit: usize, is_inside: bool) {
        self.known |= 1 << bit;
        self.inside = self.inside & !(1 << bit) | u128::from(is_inside) << bit;
    }
}

impl Question<'_> {
    /// Winding numbers of samples.
    fn ask(&self, samples: &[IVec3]) -> Vec<f64> {
        // A few thousand at a time: enough to share out, and little memory.
        const AT_A_TIME: usize = 1 << 13;
        let place = |sample: &IVec3| self.placement.model(sample.as_dvec3() / 8.0);
        let ask = |part: &[IVec3]| {
            (self.evaluate)(&self.surface.field, &part.iter().map(place).collect::<Vec<_>>())
        };
        samples.chunks(AT_A_TIME).flat_map(ask).collect()
    }
}

/// A triangle in a tetrahedron, with the side that each sample lies on.
struct Triangle {
    corners: [DVec3; 3],
    is_above: [bool; SAMPLE_COUNT],
}

impl Triangle {
    fn new(question: &Question<'_>, piece: &Piece, samples: &[IVec3; SAMPLE_COUNT]) -> Self {
        let corners = question.surface.triangles[piece.triangle as usize]
            .map(|vertex| question.points[vertex as usize]);
        let [a, b, c] = corners;
        let normal = (b - a).cross(c - a);
        Self { corners, is_above: samples.map(|sample| normal.dot(sample.as_dvec3() / 8.0 - a) >= 0.0) }
    }
}

/// A straight way between two samples of a tetrahedron.
struct Way<'a> {
    from: usize,
    to: usize,
    samples: &'a [IVec3; SAMPLE_COUNT],
}

/// By how much the winding number changes along a way, by the triangles that it meets; none where it meets two at one place.
fn change_along(way: &Way<'_>, triangles: &[Triangle]) -> Option<i32> {
    let mut change = 0;
    let mut met: Vec<f64> = Vec::new();
    for triangle in
        triangles.iter().filter(|triangle| triangle.is_above[way.from] != triangle.is_above[way.to])
    {
        let [start, end] = [way.from, way.to].map(|sample| way.samples[sample].as_dvec3() / 8.0);
        let Some(at) = crossing(start, end, &triangle.corners) else { continue };
        if !(SAME..=1.0 - SAME).contains(&at) || met.iter().any(|other| (other - at).abs() < SAME) {
            return None;
        }
        met.push(at);
        // Towards the front is out.
        change += if triangle.is_above[way.to] { -1 } else { 1 };
    }
    Some(change)
}

/// Position of a sample in its cube, in eighths: first those of even, then those of odd coordinates.
fn sample_in_cell(sample: usize) -> IVec3 {
    let sample = sample as i32;
    IVec3::new(sample & 3, sample >> 2 & 3, sample >> 4 & 3) * 2 + IVec3::splat(sample >> 6)
}

/// The place of a sample in its cube among the bits, from where it lies in eighths.
fn sample_bit(local: IVec3) -> usize {
    let half: IVec3 = local >> 1;
    ((local.x & 1) * 64 + half.x + half.y * 4 + half.z * 16) as usize
}

/// Position of an anchor in its cube, in eighths.
fn anchor_in_cell(anchor: usize) -> IVec3 {
    let anchor = anchor as i32;
    IVec3::new(anchor & 1, anchor >> 1 & 1, anchor >> 2 & 1) * 4 + IVec3::splat(2 * (anchor >> 3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_and_anchors_have_their_places() {
        for sample in 0..CELL_SAMPLES {
            assert_eq!(sample_bit(sample_in_cell(sample)), sample);
        }
        let lattice = Lattice::new(IVec3::splat(4));
        for pair in &lattice.beside_anchors {
            for kind in &lattice.kinds {
                let anchor = kind.samples[usize::from(pair.anchor)] & 7;
                assert!((0..ANCHORS).any(|place| anchor_in_cell(place) == anchor), "{anchor}");
            }
        }
    }
}
