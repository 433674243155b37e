//! Volumes of surfaces that are closed or can be closed.

use glam::{DVec3, Vec3};
use std::collections::HashMap;

/// Triangles that enclose a volume in any pose: those of a mesh, and fans over its holes.
///
/// Vertices at the same rest position (texture seams) count as one when searching holes. Each hole's edge is joined to the mean of its
/// corners, which moves with them.
#[derive(Clone, Debug, Default)]
pub struct ClosedSurface {
    triangles: Vec<[u32; 3]>,
    /// The directed edges of each hole, in the direction of the neighboring triangles.
    holes: Vec<Vec<[u32; 2]>>,
    edge_count: usize,
}

impl ClosedSurface {
    /// Finds and closes the holes of a mesh.
    ///
    /// # Panics
    /// If a triangle has a vertex out of range.
    pub fn of(rest_positions: &[Vec3], triangles: &[[u32; 3]]) -> Self {
        let mut first_at: HashMap<[u32; 3], u32> = HashMap::new();
        let place = |vertex: u32, first_at: &mut HashMap<[u32; 3], u32>| {
            // Adding zero makes −0 and 0 the same place.
            let key = (rest_positions[vertex as usize] + Vec3::ZERO).to_array().map(f32::to_bits);
            *first_at.entry(key).or_insert(vertex)
        };
        let mut open: Vec<[u32; 2]> = Vec::new();
        let mut balance: HashMap<[u32; 2], i32> = HashMap::new();
        let mut edges: Vec<[u32; 2]> = Vec::new();
        for triangle in triangles {
            let corners = triangle.map(|vertex| place(vertex, &mut first_at));
            for at in 0..3 {
                let (from, to) = (corners[at], corners[(at + 1) % 3]);
                if from != to {
                    *balance.entry([from.min(to), from.max(to)]).or_default() +=
                        if from < to { 1 } else { -1 };
                    edges.push([from, to]);
                }
            }
        }
        for &[from, to] in &edges {
            let left = balance.get_mut(&[from.min(to), from.max(to)]).expect("every edge was counted");
            let sign = if from < to { 1 } else { -1 };
            if *left * sign > 0 {
                *left -= sign;
                open.push([from, to]);
            }
        }
        Self { triangles: triangles.to_vec(), holes: loops(&open), edge_count: edges.len() }
    }

    /// The share of edges at a hole, 0 for a closed mesh. Above a few percent the surface is cloth rather than a body, and its volume is not
    /// meaningful.
    pub fn open_share(&self) -> f64 {
        let open: usize = self.holes.iter().map(Vec::len).sum();
        open as f64 / self.edge_count.max(1) as f64
    }

    /// Number of closed holes.
    pub fn hole_count(&self) -> usize {
        self.holes.len()
    }

    /// The volume that positions enclose, by the divergence theorem; negative if inside out.
    ///
    /// # Panics
    /// If there are fewer positions than the mesh has vertices.
    pub fn volume(&self, positions: &[Vec3]) -> f64 {
        let Some(first) = self.triangles.first() else { return 0.0 };
        // Relative to a point of the surface: a body far from the origin loses no digits.
        let origin = positions[first[0] as usize].as_dvec3();
        let corner = |vertex: u32| positions[vertex as usize].as_dvec3() - origin;
        let signed = |a: DVec3, b: DVec3, c: DVec3| a.dot(b.cross(c)) / 6.0;
        let body: f64 = self.triangles.iter().map(|t| signed(corner(t[0]), corner(t[1]), corner(t[2]))).sum();
        let fans = self.holes.iter().map(|hole| {
            let middle = hole.iter().map(|edge| corner(edge[0])).sum::<DVec3>() / hole.len() as f64;
            hole.iter().map(|edge| signed(corner(edge[1]), corner(edge[0]), middle)).sum::<f64>()
        });
        body + fans.sum::<f64>()
    }

    /// The volume of a posed shape relative to rest; `None` if the rest shape encloses nothing.
    pub fn ratio(&self, rest_positions: &[Vec3], posed_positions: &[Vec3]) -> Option<f64> {
        let rest = self.volume(rest_positions);
        (rest.abs() > 0.0).then(|| self.volume(posed_positions) / rest)
    }
}

/// Divides edges into those that hang together.
fn loops(edges: &[[u32; 2]]) -> Vec<Vec<[u32; 2]>> {
    let mut group_of: HashMap<u32, u32> = HashMap::new();
    fn root(group_of: &mut HashMap<u32, u32>, vertex: u32) -> u32 {
        let mut at = vertex;
        while let Some(&up) = group_of.get(&at).filter(|&&up| up != at) {
            at = up;
        }
        group_of.insert(vertex, at);
        at
    }
    for &[from, to] in edges {
        let (a, b) = (root(&mut group_of, from), root(&mut group_of, to));
        group_of.insert(a.max(b), a.min(b));
        group_of.entry(a.min(b)).or_insert(a.min(b));
    }
    let mut holes: Vec<(u32, Vec<[u32; 2]>)> = Vec::new();
    for &edge in edges {
        let group = root(&mut group_of, edge[0]);
        match holes.iter_mut().find(|(known, _)| *known == group) {
            Some((_, hole)) => hole.push(edge),
            None => holes.push((group, vec![edge])),
        }
    }
    holes.into_iter().map(|(_, hole)| hole).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::shapes;

    /// Relative: f32 positions.
    const TOLERANCE: f64 = 1e-6;

    #[test]
    fn a_box_has_its_volume_wherever_it_is() {
        let shape = shapes::cuboid(Vec3::new(1.0, 2.0, 3.0));
        let closed = ClosedSurface::of(&shape.positions, &shape.triangles);
        assert_eq!((closed.hole_count(), closed.open_share()), (0, 0.0));
        assert!((closed.volume(&shape.positions) / 6.0 - 1.0).abs() < TOLERANCE);
        let moved: Vec<Vec3> = shape.positions.iter().map(|&p| p * 2.0 + Vec3::new(64.0, 0.0, 0.0)).collect();
        let ratio = closed.ratio(&shape.positions, &moved).expect("a body");
        assert!((ratio / 8.0 - 1.0).abs() < TOLERANCE, "{ratio}");
    }

    #[test]
    fn holes_are_closed_one_by_one() {
        let shape = shapes::cylinder(2.0, 0.5, 12, 4);
        // The caps are the triangles that touch a pole.
        let is_pole = |vertex: u32| {
            shape.positions[vertex as usize].truncate().x == 0.0 && shape.positions[vertex as usize].z == 0.0
        };
        let open: Vec<[u32; 3]> =
            shape.triangles.iter().copied().filter(|t| !t.iter().any(|&v| is_pole(v))).collect();
        assert!(open.len() < shape.triangles.len(), "the caps are off");
        let closed = ClosedSurface::of(&shape.positions, &open);
        assert_eq!(closed.hole_count(), 2);
        let expected = shape.volume();
        assert!((closed.volume(&shape.positions) / expected - 1.0).abs() < TOLERANCE);
    }

    #[test]
    fn seams_are_no_holes() {
        let shape = shapes::cuboid(Vec3::ONE);
        // Every triangle with corners of its own.
        let positions: Vec<Vec3> =
            shape.triangles.iter().flatten().map(|&vertex| shape.positions[vertex as usize]).collect();
        let triangles: Vec<[u32; 3]> =
            (0..shape.triangles.len() as u32).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let closed = ClosedSurface::of(&positions, &triangles);
        assert_eq!(closed.hole_count(), 0);
        assert!((closed.volume(&positions) - 1.0).abs() < TOLERANCE);
        assert_eq!(ClosedSurface::of(&[], &[]).ratio(&[], &[]), None);
    }
}
