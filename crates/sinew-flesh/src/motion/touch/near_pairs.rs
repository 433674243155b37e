//! Pairs of points that are near each other.

use glam::{IVec3, Vec3};

/// Points by cells of a grid, kept from step to step for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct NearPairs {
    cells: Vec<IVec3>,
    /// Where each bucket's points begin, and the end of the last.
    starts: Vec<u32>,
    /// Points in the order of buckets, and of their numbers within one.
    sorted: Vec<u32>,
}

/// Cells share so many buckets, a power of two: a few for each point of a body.
const BUCKETS: usize = 4096;

/// Half of the cells around one; the others see it from the other side.
const AHEAD: [[i32; 3]; 13] = [
    [1, 0, 0],
    [-1, 1, 0],
    [0, 1, 0],
    [1, 1, 0],
    [-1, -1, 1],
    [0, -1, 1],
    [1, -1, 1],
    [-1, 0, 1],
    [0, 0, 1],
    [1, 0, 1],
    [-1, 1, 1],
    [0, 1, 1],
    [1, 1, 1],
];

impl NearPairs {
    /// Tells all pairs of points that are nearer to each other than `reach_m`, each once, in an order that depends on places alone. Points
    /// that are nowhere have no pair.
    pub(super) fn find(
        &mut self,
        places: impl Fn(usize) -> Vec3,
        count: usize,
        reach_m: f32,
        mut tell: impl FnMut(usize, usize),
    ) {
        if !(reach_m > 0.0 && reach_m.is_finite()) {
            return;
        }
        self.sort(&places, count, reach_m);
        let square = reach_m * reach_m;
        for &point in &self.sorted {
            let point = point as usize;
            let (place, cell) = (places(point), self.cells[point]);
            let mut meet = |other: u32| {
                if places(other as usize).distance_squared(place) < square {
                    tell(point, other as usize);
                }
            };
            self.in_cell(cell).filter(|&other| other as usize > point).for_each(&mut meet);
            AHEAD.iter().for_each(|ahead| self.in_cell(cell + IVec3::from_array(*ahead)).for_each(&mut meet));
        }
    }

    fn sort(&mut self, places: &impl Fn(usize) -> Vec3, count: usize, reach_m: f32) {
        self.cells.clear();
        self.cells.extend((0..count).map(|point| (places(point) / reach_m).floor().as_ivec3()));
        self.starts.clear();
        self.starts.resize(BUCKETS + 1, 0);
        self.cells.iter().for_each(|cell| self.starts[bucket(*cell) + 1] += 1);
        for at in 0..BUCKETS {
            self.starts[at + 1] += self.starts[at];
        }
        self.sorted.resize(count, 0);
        // From behind, so that each bucket's end becomes its beginning.
        for point in (0..count).rev() {
            let end = &mut self.starts[bucket(self.cells[point]) + 1];
            *end -= 1;
            self.sorted[*end as usize] = point as u32;
        }
        // Entry k + 1 now holds where bucket k begins.
        self.starts.rotate_left(1);
        self.starts[BUCKETS] = count as u32;
    }

    fn in_cell(&self, cell: IVec3) -> impl Iterator<Item = u32> {
        let bucket = bucket(cell);
        let range = self.starts[bucket] as usize..self.starts[bucket + 1] as usize;
        self.sorted[range].iter().copied().filter(move |&point| self.cells[point as usize] == cell)
    }
}

fn bucket(cell: IVec3) -> usize {
    // Large odd numbers spread neighbours over all buckets.
    let mixed = (cell.x as u32).wrapping_mul(0x9E37_79B1)
        ^ (cell.y as u32).wrapping_mul(0x85EB_CA77)
        ^ (cell.z as u32).wrapping_mul(0xC2B2_AE3D);
    (mixed >> 16) as usize & (BUCKETS - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_near_pairs_are_told_once() {
        // Places without order, some in one cell, some nowhere.
        let mut places: Vec<Vec3> = (0..300u32)
            .map(|at| {
                Vec3::new((at * 37 % 101) as f32, (at * 53 % 97) as f32, (at * 71 % 89) as f32) * 0.01 - 0.4
            })
            .collect();
        places[7] = Vec3::NAN;
        places[8] = places[9];
        let mut found = Vec::new();
        let mut near = NearPairs::default();
        for _ in 0..2 {
            found.clear();
            near.find(|at| places[at], places.len(), 0.11, |a, b| found.push([a.min(b), a.max(b)]));
        }
        found.sort_unstable();
        let all = (0..places.len()).flat_map(|a| (a + 1..places.len()).map(move |b| [a, b]));
        let expected: Vec<[usize; 2]> =
            all.filter(|[a, b]| places[*a].distance_squared(places[*b]) < 0.11 * 0.11).collect();
        assert!(expected.len() > 50 && found == expected, "{} {}", found.len(), expected.len());
    }
}
