//! Neighbors of particles.

use sinew_geometry::TetMesh;

/// Lists of lists of particles, end to end. Each list is ascending and without repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rings {
    pub(super) starts: Vec<u32>,
    pub(super) members: Vec<u32>,
}

impl Rings {
    /// From lists of particles.
    pub fn from_lists(lists: impl IntoIterator<Item = Vec<u32>>) -> Self {
        let (mut starts, mut all) = (vec![0], Vec::new());
        for mut list in lists {
            list.sort_unstable();
            list.dedup();
            all.extend(list);
            starts.push(all.len() as u32);
        }
        Self { starts, members: all }
    }

    /// Each particle with those that share a tetrahedron with it.
    pub fn of_tets(mesh: &TetMesh) -> Self {
        Self::of_cells(mesh.points().len(), mesh.tets())
    }

    /// Each of `count` particles with those that share a cube with it: 26 within a solid.
    pub fn of_lattice(count: usize, cells: &[[u32; 8]]) -> Self {
        Self::of_cells(count, cells)
    }

    fn of_cells<const N: usize>(count: usize, cells: &[[u32; N]]) -> Self {
        let mut lists: Vec<Vec<u32>> = (0..count as u32).map(|particle| vec![particle]).collect();
        for cell in cells {
            for &corner in cell {
                lists[corner as usize].extend(cell);
            }
        }
        Self::from_lists(lists)
    }

    /// Each list with the lists of all its members: one ring more.
    #[must_use]
    pub fn widened(&self, by: &Self) -> Self {
        Self::from_lists((0..self.len()).map(|list| {
            self.list(list).iter().flat_map(|&member| by.list(member as usize)).copied().collect()
        }))
    }

    /// How many lists there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Members of all lists together.
    pub fn member_count(&self) -> usize {
        self.members.len()
    }

    /// One list.
    pub fn list(&self, at: usize) -> &[u32] {
        &self.members[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// For each of `count` particles the lists that hold it.
    pub(crate) fn inverted(&self, count: usize) -> Self {
        let mut lists = vec![Vec::new(); count];
        for list in 0..self.len() {
            self.list(list).iter().for_each(|&member| lists[member as usize].push(list as u32));
        }
        Self::from_lists(lists)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_of_a_bar_are_symmetric_and_grow() {
        let mesh = TetMesh::lattice([3, 2, 2], glam::Vec3::ONE);
        let one = Rings::of_tets(&mesh);
        assert_eq!(one, one.inverted(mesh.points().len()));
        let two = one.widened(&one);
        assert!(two.list(0).len() > one.list(0).len());
        assert!(one.list(0).iter().all(|member| two.list(0).contains(member)));
    }
}
