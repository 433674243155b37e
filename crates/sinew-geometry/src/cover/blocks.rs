//! Inside, outside or mixed, by the cube.

use super::Placement;
use super::inside::{MIXED, OUTSIDE, Question, WITHIN};
use super::lattice::Lattice;
use crate::WindingField;
use crate::winding::INSIDE;
use glam::IVec3;

/// Blocks of so many cubes along each edge are asked first where the surface is not near.
const LARGEST_BLOCK: i32 = 16;

/// State of each cube of the box.
pub(super) fn classify(question: &Question<'_>) -> Vec<u32> {
    let lattice = question.lattice;
    let cell_count = lattice.cells.as_u64vec3().element_product() as usize;
    let mut touched = vec![false; cell_count];
    for piece in question.pieces {
        let tet = lattice.tet(piece.tet);
        touched[lattice.cell_index(tet.cell)] = true;
        touched[lattice.cell_index(tet.cell + IVec3::AXES[tet.kind / 4])] = true;
    }
    let (placement, field) = (question.placement, &question.surface.field);
    let mut blocks = Blocks { lattice, placement, field, touched, states: vec![OUTSIDE; cell_count] };
    blocks.classify_all();
    blocks.states
}

/// Cubes that no triangle passes are settled by the block: the winding number is harmonic there, so that a block is all inside or all
/// outside where the number is clearly so at places all over it.
struct Blocks<'a> {
    lattice: &'a Lattice,
    placement: &'a Placement,
    field: &'a WindingField,
    touched: Vec<bool>,
    states: Vec<u32>,
}

impl Blocks<'_> {
    fn classify_all(&mut self) {
        let count = (self.lattice.cells + IVec3::splat(LARGEST_BLOCK - 1)) / LARGEST_BLOCK;
        cells_in(IVec3::ZERO, count).for_each(|block| self.classify(block * LARGEST_BLOCK, LARGEST_BLOCK));
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

pub(super) fn cells_in(low: IVec3, high: IVec3) -> impl Iterator<Item = IVec3> {
    (low.x..high.x).flat_map(move |x| {
        (low.y..high.y).flat_map(move |y| (low.z..high.z).map(move |z| IVec3::new(x, y, z)))
    })
}
