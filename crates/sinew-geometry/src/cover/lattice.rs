//! The body-centered lattice: which tetrahedra it has, their corners, their samples and their neighbors.
//!
//! Lengths are in units of the spacing: cubes of edge 1 with corners at whole numbers. A tetrahedron joins the centers of two cubes
//! that share a face with an edge of that face, so that a cube owns twelve: three faces, four edges each. All are alike, of
//! quality 0.95, and every face lies in a plane x ± y = n, y ± z = n or z ± x = n.
//!
//! Corners are whole numbers in halves of the spacing, samples (every tetrahedron is cut in four along each edge) in eighths. The samples
//! are a body-centered lattice again, all even or all odd, four times finer: a cube owns 128.

use super::blocks::cells_in;
use glam::{DVec3, IVec3};
use std::array::from_fn;

/// Tetrahedra of a cube.
pub(super) const KIND_COUNT: usize = 12;
/// Samples of a tetrahedron, its boundary included.
pub(super) const SAMPLE_COUNT: usize = 35;
/// Samples that a cube owns.
pub(super) const CELL_SAMPLES: usize = 128;
/// A tetrahedron's edges are cut into so many parts.
const ORDER: i32 = 4;

/// One of the twelve ways in which a tetrahedron lies in its cube.
#[derive(Clone, Debug)]
pub(super) struct Kind {
    /// Two centers of cubes, then the ends of an edge; of positive volume. Halves, from the cube's lowest corner.
    pub(super) corners: [IVec3; 4],
    /// Barycentric coordinates: `(n, d)` with share of a corner = n · p + d, p from the cube's lowest corner.
    shares: [(DVec3, f64); 4],
    /// Eighths, from the cube's lowest corner.
    pub(super) samples: [IVec3; SAMPLE_COUNT],
    /// Across the face opposite each corner.
    pub(super) neighbors: [Neighbor; 4],
}

/// The neighbor across a face.
#[derive(Clone, Debug)]
pub(super) struct Neighbor {
    /// From this cube to that which owns the neighbor.
    pub(super) cell: IVec3,
    /// Position of the neighbor in its cube.
    pub(super) kind: usize,
    /// Its corner opposite the face.
    pub(super) opposite: usize,
    /// Corners of the face: here, there.
    pub(super) corners: [[u8; 2]; 3],
    /// Samples of the face: here, there.
    pub(super) samples: [[u8; 2]; 15],
}

/// A tetrahedron of the lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LatticeTet {
    pub(super) cell: IVec3,
    pub(super) kind: usize,
}

/// The lattice over a box of cubes.
#[derive(Clone, Debug)]
pub(super) struct Lattice {
    /// Cubes along each axis.
    pub(super) cells: IVec3,
    pub(super) kinds: Vec<Kind>,
    /// Pairs of neighboring samples.
    pub(super) sample_edges: Vec<[u8; 2]>,
    /// Every other sample of a tetrahedron with a neighbor that is an anchor: a sample at an edge's half or end.
    pub(super) beside_anchors: Vec<BesideAnchor>,
}

/// A sample and a neighbor that is an anchor.
#[derive(Clone, Copy, Debug)]
pub(super) struct BesideAnchor {
    pub(super) sample: u8,
    pub(super) anchor: u8,
}

impl Lattice {
    pub(super) fn new(cells: IVec3) -> Self {
        let mut kinds: Vec<Kind> = (0..KIND_COUNT).map(kind).collect();
        let neighbors: Vec<[Neighbor; 4]> =
            kinds.iter().map(|kind| from_fn(|face| neighbor(&kinds, kind, face))).collect();
        kinds.iter_mut().zip(neighbors).for_each(|(kind, neighbors)| kind.neighbors = neighbors);
        Self { cells, kinds, sample_edges: sample_edges(), beside_anchors: beside_anchors() }
    }

    /// A number for each tetrahedron, that grows along z first, then y, then x.
    pub(super) fn key(&self, tet: LatticeTet) -> u64 {
        self.cell_index(tet.cell) as u64 * KIND_COUNT as u64 + tet.kind as u64
    }

    pub(super) fn tet(&self, key: u64) -> LatticeTet {
        let (cell, kind) = (key / KIND_COUNT as u64, key % KIND_COUNT as u64);
        LatticeTet { cell: self.cell(cell as usize), kind: kind as usize }
    }

    pub(super) fn cell_index(&self, cell: IVec3) -> usize {
        (cell.x as usize * self.cells.y as usize + cell.y as usize) * self.cells.z as usize + cell.z as usize
    }

    pub(super) fn cell(&self, index: usize) -> IVec3 {
        let (ny, nz) = (self.cells.y as usize, self.cells.z as usize);
        IVec3::new((index / nz / ny) as i32, (index / nz % ny) as i32, (index % nz) as i32)
    }

    /// Whether a tetrahedron, its neighbors and all their samples lie within the box.
    pub(super) fn has_room_around(&self, cell: IVec3) -> bool {
        cell.cmpgt(IVec3::ZERO).all() && (cell + IVec3::splat(2)).cmplt(self.cells).all()
    }

    pub(super) fn neighbor(&self, tet: LatticeTet, face: usize) -> LatticeTet {
        let neighbor = &self.kinds[tet.kind].neighbors[face];
        LatticeTet { cell: tet.cell + neighbor.cell, kind: neighbor.kind }
    }

    /// The share of each corner in a point: ≥ 0 inside, sum 1.
    pub(super) fn shares(&self, tet: LatticeTet, point: DVec3) -> [f64; 4] {
        let from_cell = point - tet.cell.as_dvec3();
        self.kinds[tet.kind].shares.map(|(normal, offset)| normal.dot(from_cell) + offset)
    }

    /// Corners in halves of the spacing.
    pub(super) fn corners(&self, tet: LatticeTet) -> [IVec3; 4] {
        self.kinds[tet.kind].corners.map(|corner| tet.cell * 2 + corner)
    }

    /// The tetrahedron that holds a point, and the least share of a corner in it.
    pub(super) fn locate(&self, point: DVec3) -> LatticeTet {
        let cell = point.floor().as_ivec3();
        let least = |tet: LatticeTet| self.shares(tet, point).into_iter().fold(f64::INFINITY, f64::min);
        // The tetrahedra of a cube reach into it and into the next one along their axis.
        let candidates = (0..KIND_COUNT)
            .flat_map(|kind| [cell, cell - IVec3::AXES[kind / 4]].map(|cell| LatticeTet { cell, kind }));
        let best = candidates.map(|tet| (least(tet), tet)).max_by(|a, b| a.0.total_cmp(&b.0));
        best.expect("there are twelve kinds").1
    }
}

/// The shares of each sample in quarters, the same for every tetrahedron.
fn sample_shares() -> [[i32; 4]; SAMPLE_COUNT] {
    let mut shares = [[0; 4]; SAMPLE_COUNT];
    let mut at = 0;
    for a in 0..=ORDER {
        for b in 0..=ORDER - a {
            for c in 0..=ORDER - a - b {
                shares[at] = [a, b, c, ORDER - a - b - c];
                at += 1;
            }
        }
    }
    shares
}

/// Neighbors among the samples: those a quarter of an edge apart, and the one diagonal that cuts the octahedra between small
/// tetrahedra into tetrahedra of the finer lattice.
fn sample_edges() -> Vec<[u8; 2]> {
    let shares = sample_shares();
    let mut edges = Vec::new();
    for (at, from) in shares.iter().enumerate() {
        for (other, to) in shares.iter().enumerate().skip(at + 1) {
            let change: [i32; 4] = from_fn(|corner| to[corner] - from[corner]);
            let moved: i32 = change.iter().map(|part| part.abs()).sum();
            let is_diagonal =
                moved == 4 && change[0].abs() == 1 && change[0] == change[1] && change[2] == change[3];
            if moved == 2 || is_diagonal {
                edges.push([at as u8, other as u8]);
            }
        }
    }
    edges
}

/// For each sample that is not an anchor, all its neighboring anchors.
fn beside_anchors() -> Vec<BesideAnchor> {
    let is_anchor = sample_shares().map(|shares| shares.iter().all(|share| share % 2 == 0));
    let both_ways = sample_edges().into_iter().flat_map(|[a, b]| [[a, b], [b, a]]);
    let pairs = both_ways
        .filter(|&[sample, anchor]| !is_anchor[usize::from(sample)] && is_anchor[usize::from(anchor)]);
    pairs.map(|[sample, anchor]| BesideAnchor { sample, anchor }).collect()
}

fn kind(index: usize) -> Kind {
    let (axis, along_next, side) = (index / 4, (index / 2).is_multiple_of(2), (index % 2) as i32);
    let edge_axis = if along_next { (axis + 1) % 3 } else { (axis + 2) % 3 };
    let (a, b, c) = (IVec3::AXES[axis], IVec3::AXES[edge_axis], IVec3::AXES[3 - axis - edge_axis]);
    let low_end = a * 2 + c * (2 * side);
    let mut corners = [IVec3::ONE, IVec3::ONE + a * 2, low_end, low_end + b * 2];
    if six_volumes(&corners) < 0 {
        corners.swap(2, 3);
    }
    let places = corners.map(|corner| corner.as_dvec3() / 2.0);
    let shares = from_fn(|corner| {
        let [p, q, r] = [1, 2, 3].map(|step| places[(corner + step) % 4]);
        let normal = (q - p).cross(r - p);
        let height = normal.dot(places[corner] - p);
        (normal / height, -normal.dot(p) / height)
    });
    let samples = sample_shares().map(|shares| (0..4).map(|corner| corners[corner] * shares[corner]).sum());
    // Replaced when all kinds are known.
    let unknown =
        Neighbor { cell: IVec3::ZERO, kind: 0, opposite: 0, corners: [[0; 2]; 3], samples: [[0; 2]; 15] };
    Kind { corners, shares, samples, neighbors: from_fn(|_| unknown.clone()) }
}

fn six_volumes(corners: &[IVec3; 4]) -> i32 {
    let [a, b, c, d] = *corners;
    (b - a).dot((c - a).cross(d - a))
}

/// Finds what lies across a face by trying: the neighbor is the one other tetrahedron that has its three corners.
fn neighbor(kinds: &[Kind], here: &Kind, face: usize) -> Neighbor {
    let around = cells_in(IVec3::NEG_ONE, IVec3::splat(2));
    let candidates = around.flat_map(|cell| (0..KIND_COUNT).map(move |kind| (cell, kind)));
    for (cell, kind) in candidates {
        let there = kinds[kind].corners.map(|corner| corner + cell * 2);
        let place = |corner: usize| there.iter().position(|&other| other == here.corners[corner]);
        if place(face).is_some() {
            continue;
        }
        let [p, q, r] = [1, 2, 3].map(|step| (face + step) % 4);
        let (Some(to_p), Some(to_q), Some(to_r)) = (place(p), place(q), place(r)) else { continue };
        let corners = [(p, to_p), (q, to_q), (r, to_r)].map(|(from, to)| [from as u8, to as u8]);
        let on_face = sample_shares().map(|shares| shares[face] == 0);
        let mut shared = (0..SAMPLE_COUNT).filter(|&sample| on_face[sample]).map(|sample| {
            let wanted = here.samples[sample] - cell * 8;
            let there = kinds[kind].samples.iter().position(|&other| other == wanted);
            [sample as u8, there.expect("both tetrahedra cut the face alike") as u8]
        });
        let samples = from_fn(|_| shared.next().expect("a face has fifteen samples"));
        return Neighbor { cell, kind, opposite: 6 - to_p - to_q - to_r, corners, samples };
    }
    unreachable!("tetrahedra of the lattice fill space")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of f64 in lattices of a few cells.
    const ROUNDING: f64 = 1e-12;

    #[test]
    fn neighbours_have_each_other() {
        let lattice = Lattice::new(IVec3::splat(8));
        for kind in 0..KIND_COUNT {
            let tet = LatticeTet { cell: IVec3::splat(3), kind };
            assert_eq!(lattice.tet(lattice.key(tet)), tet);
            assert_eq!(six_volumes(&lattice.corners(tet)), 4, "a twelfth of a cube, in eighths, times six");
            for face in 0..4 {
                let there = lattice.neighbor(tet, face);
                let back = lattice.kinds[kind].neighbors[face].opposite;
                assert_eq!(lattice.neighbor(there, back), tet);
            }
        }
    }

    #[test]
    fn samples_are_those_of_a_finer_lattice() {
        let lattice = Lattice::new(IVec3::splat(8));
        assert_eq!(lattice.sample_edges.len(), 130);
        let mut beside: Vec<u8> = lattice.beside_anchors.iter().map(|pair| pair.sample).collect();
        beside.sort_unstable();
        beside.dedup();
        assert_eq!(beside.len(), 25, "all but ten anchors have one beside them");
        for kind in &lattice.kinds {
            for sample in kind.samples {
                assert!(sample.x % 2 == sample.y % 2 && sample.y % 2 == sample.z % 2, "{sample}");
            }
            for edge in &lattice.sample_edges {
                let step = kind.samples[edge[0] as usize] - kind.samples[edge[1] as usize];
                let squared = step.length_squared();
                assert!(squared == 3 || squared == 4, "{step} is not a step of the lattice");
            }
        }
    }

    #[test]
    fn points_are_found_in_their_tetrahedra() {
        let lattice = Lattice::new(IVec3::splat(8));
        for step in 0..500 {
            let turn = f64::from(step);
            let point =
                DVec3::new(3.0 + (turn * 0.31).sin(), 4.0 + (turn * 0.47).cos(), 3.5 + (turn * 0.73).sin());
            let tet = lattice.locate(point);
            let shares = lattice.shares(tet, point);
            assert!(shares.iter().all(|&share| share > -ROUNDING), "{point} {shares:?}");
            let corners = lattice.corners(tet).map(|corner| corner.as_dvec3() / 2.0);
            let back: DVec3 = (0..4).map(|corner| corners[corner] * shares[corner]).sum();
            assert!(back.distance(point) < ROUNDING, "{point}");
        }
    }
}
