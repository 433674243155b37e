//! Who is beside whom.

/// The neighbors of each of many, such as vertices along edges; ascending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Neighbors {
    /// `starts[v]..starts[v + 1]` are those of v.
    starts: Vec<u32>,
    neighbors: Vec<u32>,
}

impl Neighbors {
    /// Those of `count` by directed edges; one that comes twice counts once.
    pub fn new(count: usize, mut edges: Vec<(u32, u32)>) -> Self {
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0u32; count + 1];
        edges.iter().for_each(|&(from, _)| starts[from as usize + 1] += 1);
        (0..count).for_each(|at| starts[at + 1] += starts[at]);
        Self { starts, neighbors: edges.into_iter().map(|(_, to)| to).collect() }
    }

    /// Those of `count` vertices along the edges of triangles.
    pub fn of_triangles(count: usize, triangles: &[[u32; 3]]) -> Self {
        let both_ways = |&[a, b, c]: &[u32; 3]| [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)];
        Self::new(count, triangles.iter().flat_map(both_ways).filter(|(a, b)| a != b).collect())
    }

    /// Those of one.
    pub fn of(&self, at: usize) -> &[u32] {
        &self.neighbors[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
