//! Copies of neighboring tetrahedra that share something on their common face share its corners.

use super::clusters::{Clusters, NO_COPY};
use super::lattice::Lattice;
use super::pieces::Piece;
use crate::union_find::UnionFind;
use glam::IVec3;

/// The tetrahedra, with numbered corners.
pub(super) struct Glued {
    /// Halves of the spacing.
    pub(super) corners: Vec<IVec3>,
    pub(super) tets: Vec<[u32; 4]>,
    /// The tetrahedron that each copy became.
    pub(super) tet_of_copy: Vec<u32>,
}

pub(super) fn glue(lattice: &Lattice, clusters: &Clusters, pieces: &[Piece]) -> Glued {
    let mut sets = UnionFind::new(clusters.tet_of_copy.len() * 4);
    for index in 0..clusters.tets.len() {
        glue_to_neighbors(lattice, clusters, pieces, index, &mut sets);
    }
    numbered(lattice, clusters, &mut sets)
}

fn glue_to_neighbors(
    lattice: &Lattice,
    clusters: &Clusters,
    pieces: &[Piece],
    index: usize,
    sets: &mut UnionFind,
) {
    let key = clusters.tets[index];
    let tet = lattice.tet(key);
    for face in 0..4 {
        let other_key = lattice.key(lattice.neighbor(tet, face));
        // Each pair once.
        if other_key < key {
            continue;
        }
        let Ok(other) = clusters.tets.binary_search(&other_key) else { continue };
        let neighbor = &lattice.kinds[tet.kind].neighbors[face];
        let mut last = (NO_COPY, NO_COPY);
        let mut join = |here: u32, there: u32| {
            if (here, there) == last {
                return;
            }
            last = (here, there);
            for [from, to] in neighbor.corners {
                sets.unite(4 * here + u32::from(from), 4 * there + u32::from(to));
            }
        };
        for [from, to] in neighbor.samples {
            let here = clusters.samples[index][usize::from(from)];
            let there = clusters.samples[other][usize::from(to)];
            if here != NO_COPY && there != NO_COPY {
                join(here, there);
            }
        }
        for (here, there) in common_pieces(clusters, pieces, index, other) {
            let is_touching =
                pieces[here].touches >> face & 1 == 1 || pieces[there].touches >> neighbor.opposite & 1 == 1;
            if is_touching {
                join(clusters.pieces[here], clusters.pieces[there]);
            }
        }
    }
}

/// Pairs of pieces of the same triangle.
fn common_pieces(
    clusters: &Clusters,
    pieces: &[Piece],
    index: usize,
    other: usize,
) -> impl Iterator<Item = (usize, usize)> {
    let range = |index: usize| clusters.first_piece[index] as usize..clusters.first_piece[index + 1] as usize;
    let there = range(other);
    range(index).filter_map(move |here| {
        let wanted = pieces[here].triangle;
        let found = pieces[there.clone()].binary_search_by_key(&wanted, |piece| piece.triangle).ok()?;
        Some((here, there.start + found))
    })
}

/// Numbers corners in the order of the copies; copies with the same four corners become one.
fn numbered(lattice: &Lattice, clusters: &Clusters, sets: &mut UnionFind) -> Glued {
    let mut number_of_root = vec![u32::MAX; clusters.tet_of_copy.len() * 4];
    let mut corners = Vec::new();
    let mut of_copies = Vec::with_capacity(clusters.tet_of_copy.len());
    for (copy, &tet) in clusters.tet_of_copy.iter().enumerate() {
        let places = lattice.corners(lattice.tet(clusters.tets[tet as usize]));
        of_copies.push([0, 1, 2, 3].map(|corner| {
            let number = &mut number_of_root[sets.root((4 * copy + corner) as u32) as usize];
            if *number == u32::MAX {
                *number = corners.len() as u32;
                corners.push(places[corner]);
            }
            *number
        }));
    }
    // Copies of one tetrahedron follow each other, few at a time.
    let mut tets: Vec<[u32; 4]> = Vec::with_capacity(of_copies.len());
    let mut tet_of_copy = Vec::with_capacity(of_copies.len());
    let mut first = 0;
    for (copy, corners) in of_copies.iter().enumerate() {
        if copy == 0 || clusters.tet_of_copy[copy] != clusters.tet_of_copy[copy - 1] {
            first = tets.len();
        }
        let same = tets[first..].iter().position(|other| other == corners);
        tet_of_copy.push((first + same.unwrap_or(tets.len() - first)) as u32);
        if same.is_none() {
            tets.push(*corners);
        }
    }
    Glued { corners, tets, tet_of_copy }
}
