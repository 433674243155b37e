//! Connected parts inside one tetrahedron of the lattice: each cluster becomes a copy of it.

use super::Placement;
use super::inside::Inside;
use super::lattice::{Lattice, LatticeTet, SAMPLE_COUNT};
use super::links;
use super::pieces::Piece;
use super::segment::{crossing, intervals};
use super::surface::Surface;
use crate::union_find::UnionFind;
use crate::winding::INSIDE;
use glam::DVec3;

/// All tetrahedra that hold something, with their clusters numbered through: a cluster is a copy of its tetrahedron.
#[derive(Default)]
pub(super) struct Clusters {
    /// Sorted.
    pub(super) tets: Vec<u64>,
    /// The copy that each sample belongs to, or [`NO_COPY`].
    pub(super) samples: Vec<[u32; SAMPLE_COUNT]>,
    /// First piece of each tetrahedron, and the end.
    pub(super) first_piece: Vec<u32>,
    /// The copy that each piece belongs to.
    pub(super) pieces: Vec<u32>,
    /// The tetrahedron of each copy, as an index.
    pub(super) tet_of_copy: Vec<u32>,
}

pub(super) const NO_COPY: u32 = u32::MAX;

/// The surroundings that clusters are found in.
pub(super) struct Scene<'a> {
    pub(super) surface: &'a Surface,
    pub(super) points: &'a [DVec3],
    pub(super) lattice: &'a Lattice,
    pub(super) inside: &'a Inside,
    pub(super) placement: &'a Placement,
    /// Maximum width of closed gaps between different shells, in units of the lattice.
    pub(super) join: f64,
}

/// Finds the clusters of all tetrahedra; `None` where there would be more than `most`.
pub(super) fn find(scene: &Scene<'_>, pieces: &[Piece], most: usize) -> Option<Clusters> {
    let tets = occupied(scene, pieces);
    let mut clusters = Clusters {
        samples: Vec::with_capacity(tets.len()),
        first_piece: vec![0],
        pieces: Vec::with_capacity(pieces.len()),
        ..Clusters::default()
    };
    let mut first = 0;
    for (index, &key) in tets.iter().enumerate() {
        let end = first + pieces[first..].iter().take_while(|piece| piece.tet == key).count();
        let mut local = Local::new(scene, scene.lattice.tet(key), &pieces[first..end]);
        local.connect();
        local.store(index as u32, &mut clusters);
        clusters.first_piece.push(end as u32);
        first = end;
        if clusters.tet_of_copy.len() > most {
            return None;
        }
    }
    clusters.tets = tets;
    Some(clusters)
}

/// Tetrahedra with a sample inside or a piece of the surface.
fn occupied(scene: &Scene<'_>, pieces: &[Piece]) -> Vec<u64> {
    let lattice = scene.lattice;
    let mut keys: Vec<u64> = pieces.iter().map(|piece| piece.tet).collect();
    keys.dedup();
    let cell_count = lattice.cells.as_u64vec3().element_product() as usize;
    for cell in (0..cell_count).map(|index| lattice.cell(index)) {
        if !lattice.has_room_around(cell) || !scene.inside.may_hold_any(cell) {
            continue;
        }
        for (kind, of_kind) in lattice.kinds.iter().enumerate() {
            if of_kind.samples.iter().any(|&sample| scene.inside.holds(cell * 8 + sample)) {
                keys.push(lattice.key(LatticeTet { cell, kind }));
            }
        }
    }
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// One tetrahedron: its samples are nodes 0 to 34, its pieces those after.
pub(super) struct Local<'a> {
    pub(super) scene: &'a Scene<'a>,
    tet: LatticeTet,
    is_inside: [bool; SAMPLE_COUNT],
    pub(super) pieces: &'a [Piece],
    /// Corners of the pieces' triangles.
    triangles: Vec<[DVec3; 3]>,
    pub(super) sets: UnionFind,
}

impl<'a> Local<'a> {
    fn new(scene: &'a Scene<'a>, tet: LatticeTet, pieces: &'a [Piece]) -> Self {
        let samples = &scene.lattice.kinds[tet.kind].samples;
        let has_room = scene.lattice.has_room_around(tet.cell);
        let is_inside = samples.map(|sample| has_room && scene.inside.holds(tet.cell * 8 + sample));
        let corners = |piece: &Piece| {
            scene.surface.triangles[piece.triangle as usize].map(|vertex| scene.points[vertex as usize])
        };
        let triangles = pieces.iter().map(corners).collect();
        Self { scene, tet, is_inside, pieces, triangles, sets: UnionFind::new(SAMPLE_COUNT + pieces.len()) }
    }

    fn connect(&mut self) {
        let edges = self.inside_edges();
        let crossed = self.crossed_edges(&edges);
        for (edge, _) in edges.iter().zip(&crossed).filter(|(_, is_crossed)| !**is_crossed) {
            self.sets.unite(u32::from(edge[0]), u32::from(edge[1]));
        }
        if self.pieces.is_empty() {
            return;
        }
        self.connect_along_surface();
        for (edge, _) in edges.iter().zip(&crossed).filter(|(_, is_crossed)| **is_crossed) {
            let [a, b] = edge.map(u32::from);
            if self.sets.root(a) != self.sets.root(b) && self.sees(a, b) {
                self.sets.unite(a, b);
            }
        }
        links::connect(self);
    }

    fn inside_edges(&self) -> Vec<[u8; 2]> {
        let is_inside = |sample: u8| self.is_inside[usize::from(sample)];
        let edges = self.scene.lattice.sample_edges.iter();
        edges.copied().filter(|[a, b]| is_inside(*a) && is_inside(*b)).collect()
    }

    /// For each edge between inside samples, whether a triangle crosses it.
    fn crossed_edges(&self, edges: &[[u8; 2]]) -> Vec<bool> {
        let mut crossed = vec![false; edges.len()];
        let places: [DVec3; SAMPLE_COUNT] = std::array::from_fn(|sample| self.place(sample as u32));
        for triangle in &self.triangles {
            let [a, b, c] = *triangle;
            let normal = (b - a).cross(c - a);
            let is_above = places.map(|place| normal.dot(place - a) >= 0.0);
            for (edge, is_crossed) in edges.iter().zip(&mut crossed) {
                let [from, to] = edge.map(usize::from);
                if is_above[from] != is_above[to] && !*is_crossed {
                    *is_crossed = crossing(places[from], places[to], triangle).is_some();
                }
            }
        }
        crossed
    }

    /// Joins pieces whose triangles share an edge that passes the tetrahedron.
    fn connect_along_surface(&mut self) {
        let surface = self.scene.surface;
        let mut sides: Vec<([u32; 2], u32)> = Vec::with_capacity(3 * self.pieces.len());
        for (index, piece) in self.pieces.iter().enumerate() {
            let corners =
                surface.triangles[piece.triangle as usize].map(|vertex| surface.welded[vertex as usize]);
            for side in 0..3 {
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                sides.push(([a.min(b), a.max(b)], (SAMPLE_COUNT + index) as u32));
            }
        }
        sides.sort_unstable();
        for pair in sides.windows(2) {
            let ([(edge, a), (other_edge, b)], sets) = ([pair[0], pair[1]], &mut self.sets);
            let is_apart = edge == other_edge && sets.root(a) != sets.root(b);
            if is_apart && passes(self.scene, self.tet, edge.map(|vertex| self.scene.points[vertex as usize]))
            {
                sets.unite(a, b);
            }
        }
    }

    /// Position of a node, in units of the lattice.
    pub(super) fn place(&self, node: u32) -> DVec3 {
        match (node as usize).checked_sub(SAMPLE_COUNT) {
            Some(piece) => self.pieces[piece].center,
            None => {
                let sample = self.scene.lattice.kinds[self.tet.kind].samples[node as usize];
                (self.tet.cell * 8 + sample).as_dvec3() / 8.0
            }
        }
    }

    /// Samples that are inside, and all pieces.
    pub(super) fn nodes(&self) -> impl Iterator<Item = u32> + use<'_> {
        let samples = (0..SAMPLE_COUNT as u32).filter(|&sample| self.is_inside[sample as usize]);
        samples.chain((0..self.pieces.len() as u32).map(|piece| SAMPLE_COUNT as u32 + piece))
    }

    /// Whether the straight way between two nodes stays inside, or leaves it between different shells for no more than they may be
    /// joined over. Both lie in this tetrahedron, so that only its own pieces can be in the way.
    pub(super) fn sees(&self, a: u32, b: u32) -> bool {
        let (start, end) = (self.place(a), self.place(b));
        let own = |node: u32| (node as usize).checked_sub(SAMPLE_COUNT);
        let (own_a, own_b) = (own(a), own(b));
        let others = self.triangles.iter().enumerate();
        let others = others.filter(|(index, _)| Some(*index) != own_a && Some(*index) != own_b);
        let mut crossings: Vec<f64> =
            others.filter_map(|(_, triangle)| crossing(start, end, triangle)).collect();
        let mut left = if self.are_joinable(own_a, own_b) { self.scene.join } else { 0.0 };
        let mut parts: Vec<(DVec3, f64)> = intervals(start, end, &mut crossings).collect();
        // A part that begins or ends at a sample is inside as that is: nothing lies between.
        if own_b.is_none() {
            parts.pop();
        }
        if own_a.is_none() && !parts.is_empty() {
            parts.remove(0);
        }
        parts.into_iter().all(|(middle, length)| {
            let winding = self.scene.surface.field.at(self.scene.placement.model(middle));
            if winding.abs() <= INSIDE {
                left -= length;
            }
            winding.abs() > INSIDE || left >= 0.0 && self.scene.join > 0.0
        })
    }

    fn are_joinable(&self, a: Option<usize>, b: Option<usize>) -> bool {
        let shell = |piece: Option<usize>| {
            let triangle = self.pieces[piece?].triangle as usize;
            Some(self.scene.surface.shell[self.scene.surface.triangles[triangle][0] as usize])
        };
        shell(a) != shell(b)
    }

    /// Numbers the clusters in the order of their first nodes.
    fn store(&mut self, tet: u32, clusters: &mut Clusters) {
        let mut copy_of_root = vec![NO_COPY; SAMPLE_COUNT + self.pieces.len()];
        let mut samples = [NO_COPY; SAMPLE_COUNT];
        let nodes: Vec<u32> = self.nodes().collect();
        for node in nodes {
            let root = self.sets.root(node) as usize;
            if copy_of_root[root] == NO_COPY {
                copy_of_root[root] = clusters.tet_of_copy.len() as u32;
                clusters.tet_of_copy.push(tet);
            }
            match samples.get_mut(node as usize) {
                Some(sample) => *sample = copy_of_root[root],
                None => clusters.pieces.push(copy_of_root[root]),
            }
        }
        clusters.samples.push(samples);
    }
}

/// Whether a segment passes a tetrahedron.
fn passes(scene: &Scene<'_>, tet: LatticeTet, ends: [DVec3; 2]) -> bool {
    let [start, end] = ends.map(|end| scene.lattice.shares(tet, end));
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for (&a, &b) in start.iter().zip(&end) {
        if a < 0.0 && b < 0.0 {
            return false;
        }
        if a < 0.0 {
            from = from.max(a / (a - b));
        } else if b < 0.0 {
            to = to.min(a / (a - b));
        }
    }
    // Rounding of the shares is far below this; a way that only grazes the tetrahedron counts.
    from <= to + 1e-9
}
