//! Which samples of the lattice lie inside the surface.

use super::lattice::{CELL_SAMPLES, Lattice};
use super::pieces::Piece;
use super::{EvaluateWinding, Placement};
use crate::WindingField;
use crate::winding::INSIDE;
use glam::{DVec3, IVec3};

/// Inside or outside for every sample of the box.
pub(super) struct Inside {
    cells: IVec3,
    /// [`OUTSIDE`], [`WITHIN`], or [`MIXED`] and on for an entry of `masks`.
    states: Vec<u32>,
    /// A bit for each sample that a cube owns.
    masks: Vec<u128>,
}

const OUTSIDE: u32 = 0;
const WITHIN: u32 = 1;
const MIXED: u32 = 2;

/// Blocks of so many cubes along each edge are asked first where the surface is not near.
const LARGEST_BLOCK: i32 = 16;

impl Inside {
    pub(super) fn new(
        lattice: &Lattice,
        pieces: &[Piece],
        placement: &Placement,
        field: &WindingField,
        evaluate: &EvaluateWinding<'_>,
    ) -> Self {
        let cell_count = lattice.cells.as_u64vec3().element_product() as usize;
        let mut touched = vec![false; cell_count];
        for piece in pieces {
            let tet = lattice.tet(piece.tet);
            touched[lattice.cell_index(tet.cell)] = true;
            touched[lattice.cell_index(tet.cell + IVec3::AXES[tet.kind / 4])] = true;
        }
        let mut blocks =
            Blocks { lattice, placement, field, touched: &touched, states: vec![OUTSIDE; cell_count] };
        blocks.classify_all();
        let mut inside = Self { cells: lattice.cells, states: blocks.states, masks: Vec::new() };
        inside.ask_mixed(lattice, placement, field, evaluate);
        inside
    }

    /// Asks every sample of the cubes that the surface passes, and of those where the winding number changes in the open.
    fn ask_mixed(
        &mut self,
        lattice: &Lattice,
        placement: &Placement,
        field: &WindingField,
        evaluate: &EvaluateWinding<'_>,
    ) {
        // A few thousand samples at a time: enough to share out, and little memory.
        const CELLS_AT_A_TIME: usize = 64;
        let mixed: Vec<usize> = (0..self.states.len()).filter(|&cell| self.states[cell] == MIXED).collect();
        for part in mixed.chunks(CELLS_AT_A_TIME) {
            let samples = part.iter().flat_map(|&cell| {
                let corner = lattice.cell(cell) * 8;
                (0..CELL_SAMPLES).map(move |sample| (corner + sample_in_cell(sample)).as_dvec3() / 8.0)
            });
            let points: Vec<DVec3> = samples.map(|sample| placement.model(sample)).collect();
            let windings = evaluate(field, &points);
            for (&cell, windings) in part.iter().zip(windings.chunks(CELL_SAMPLES)) {
                let bits = windings.iter().enumerate().filter(|(_, winding)| winding.abs() > INSIDE);
                self.states[cell] = MIXED + self.masks.len() as u32;
                self.masks.push(bits.fold(0, |mask, (sample, _)| mask | 1 << sample));
            }
        }
    }

    /// Whether a sample lies inside; in eighths, within the box.
    pub(super) fn holds(&self, sample: IVec3) -> bool {
        let local: IVec3 = sample & 7;
        match self.states[self.index(sample >> 3)] {
            OUTSIDE => false,
            WITHIN => true,
            mixed => {
                let half: IVec3 = local >> 1;
                let bit = (local.x & 1) * 64 + half.x + half.y * 4 + half.z * 16;
                self.masks[(mixed - MIXED) as usize] >> bit & 1 == 1
            }
        }
    }

    /// Whether a tetrahedron that this cube owns may have samples inside.
    pub(super) fn may_hold_any(&self, cell: IVec3) -> bool {
        (0..8).any(|corner| {
            let there = cell + IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
            self.states[self.index(there)] != OUTSIDE
        })
    }

    fn index(&self, cell: IVec3) -> usize {
        (cell.x as usize * self.cells.y as usize + cell.y as usize) * self.cells.z as usize + cell.z as usize
    }
}

/// Where a sample lies in its cube, in eighths: first those of even, then those of odd coordinates.
fn sample_in_cell(sample: usize) -> IVec3 {
    let sample = sample as i32;
    IVec3::new(sample & 3, sample >> 2 & 3, sample >> 4 & 3) * 2 + IVec3::splat(sample >> 6)
}

/// Cubes that no triangle passes are settled by the block: the winding number is harmonic there, so that a block is all inside or all
/// outside where the number is clearly so at places all over it.
struct Blocks<'a> {
    lattice: &'a Lattice,
    placement: &'a Placement,
    field: &'a WindingField,
    touched: &'a [bool],
    states: Vec<u32>,
}

impl Blocks<'_> {
    fn classify_all(&mut self) {
        let count = (self.lattice.cells + IVec3::splat(LARGEST_BLOCK - 1)) / LARGEST_BLOCK;
        for x in 0..count.x {
            for y in 0..count.y {
                for z in 0..count.z {
                    self.classify(IVec3::new(x, y, z) * LARGEST_BLOCK, LARGEST_BLOCK);
                }
            }
        }
    }

    fn classify(&mut self, low: IVec3, size: i32) {
        let high = (low + IVec3::splat(size)).min(self.lattice.cells);
        if low.cmpge(high).any() {
            return;
        }
        let is_touched = cells_in(low, high).any(|cell| self.touched[self.lattice.cell_index(cell)]);
        let state = if is_touched { None } else { self.uniform_state(low, size) };
        match state {
            Some(state) => {
                for cell in cells_in(low, high) {
                    let index = self.lattice.cell_index(cell);
                    self.states[index] = state;
                }
            }
            None if size == 1 => {
                let index = self.lattice.cell_index(low);
                self.states[index] = MIXED;
            }
            None => {
                let half = size / 2;
                for corner in 0..8 {
                    let step = IVec3::new(corner & 1, corner >> 1 & 1, corner >> 2);
                    self.classify(low + step * half, half);
                }
            }
        }
    }

    /// What a block is, asked at 27 places (a cube: at its corners and center); `None` where they do not agree clearly.
    fn uniform_state(&self, low: IVec3, size: i32) -> Option<u32> {
        // Near one half the number may pass it between the places; the larger the block, the more.
        let margin = if size == 1 { 0.1 } else { 0.2 };
        let is_asked = |place: IVec3| {
            size > 1 || (place - IVec3::ONE).abs().element_product() == 1 || place == IVec3::ONE
        };
        let mut common = None;
        for place in cells_in(IVec3::ZERO, IVec3::splat(3)).filter(|&place| is_asked(place)) {
            let point = low.as_dvec3() + place.as_dvec3() * (f64::from(size) / 2.0);
            let winding = self.field.at(self.placement.model(point)).abs();
            let state = if winding > INSIDE { WITHIN } else { OUTSIDE };
            let is_clear = (winding - INSIDE).abs() > margin;
            if !is_clear || common.is_some_and(|common| common != state) {
                return None;
            }
            common = Some(state);
        }
        common
    }
}

fn cells_in(low: IVec3, high: IVec3) -> impl Iterator<Item = IVec3> {
    (low.x..high.x).flat_map(move |x| {
        (low.y..high.y).flat_map(move |y| (low.z..high.z).map(move |z| IVec3::new(x, y, z)))
    })
}
