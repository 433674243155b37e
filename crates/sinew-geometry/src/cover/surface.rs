//! The surface, made ready: checked, welded, in units of the lattice.

use super::CoverError;
use crate::union_find::UnionFind;
use crate::{Bounds, TriangleMesh, WindingField};
use glam::{DVec3, Vec3};

/// Data independent of the spacing.
pub(super) struct Surface {
    /// One per vertex, model space.
    pub(super) positions: Vec<DVec3>,
    /// As given.
    pub(super) triangles: Vec<[u32; 3]>,
    /// The first vertex at the same place, for each vertex.
    pub(super) welded: Vec<u32>,
    /// The connected part of a vertex, by one of its vertices.
    pub(super) shell: Vec<u32>,
    pub(super) bounds: Bounds,
    pub(super) field: WindingField,
    /// Volume by the divergence theorem, without its sign, and area: what the number of tetrahedra is guessed from.
    pub(super) volume: f64,
    pub(super) area: f64,
}

impl Surface {
    pub(super) fn new(mesh: &TriangleMesh) -> Result<Self, CoverError> {
        let vertex_count = mesh.positions.len();
        if mesh.triangles.is_empty() {
            return Err(CoverError::Empty { vertex_count });
        }
        if let Some(vertex) = mesh.positions.iter().position(|position| !position.is_finite()) {
            return Err(CoverError::NotFinite { vertex });
        }
        let is_past_end =
            |triangle: &[u32; 3]| triangle.iter().any(|&vertex| vertex as usize >= vertex_count);
        if let Some(triangle) = mesh.triangles.iter().position(is_past_end) {
            return Err(CoverError::Corner { triangle, vertex_count });
        }
        let welded = weld(&mesh.positions);
        let mut shells = UnionFind::new(vertex_count);
        for triangle in &mesh.triangles {
            let [a, b, c] = triangle.map(|vertex| welded[vertex as usize]);
            shells.unite(a, b);
            shells.unite(b, c);
        }
        let shell = welded.iter().map(|&vertex| shells.root(vertex)).collect();
        let once = TriangleMesh {
            positions: mesh.positions.clone(),
            triangles: without_copies(&mesh.triangles, &welded),
        };
        let field = WindingField::new(&once);
        if field.ignored() == once.triangles.len() {
            return Err(CoverError::NoArea { triangle_count: mesh.triangles.len() });
        }
        let corner = |vertex: u32| mesh.positions[vertex as usize].as_dvec3();
        let area =
            |t: &[u32; 3]| (corner(t[1]) - corner(t[0])).cross(corner(t[2]) - corner(t[0])).length() / 2.0;
        let used: Vec<Vec3> =
            mesh.triangles.iter().flatten().map(|&vertex| mesh.positions[vertex as usize]).collect();
        Ok(Self {
            positions: mesh.positions.iter().map(|position| position.as_dvec3()).collect(),
            bounds: Bounds::of(&used),
            volume: once.volume().abs(),
            area: once.triangles.iter().map(area).sum(),
            triangles: mesh.triangles.clone(),
            welded,
            shell,
            field,
        })
    }
}

/// The first vertex at the same place, for each vertex: seams of textures and materials are none of the shape.
fn weld(positions: &[Vec3]) -> Vec<u32> {
    // Zero with a sign is zero.
    let bits = |vertex: u32| positions[vertex as usize].to_array().map(|part| (part + 0.0).to_bits());
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.sort_unstable_by_key(|&vertex| (bits(vertex), vertex));
    let mut welded = vec![0; positions.len()];
    let mut first = 0;
    for (at, &vertex) in order.iter().enumerate() {
        if at == 0 || bits(vertex) != bits(first) {
            first = vertex;
        }
        welded[vertex as usize] = first;
    }
    welded
}

/// The triangles without those that have the same three places as an earlier one: a second side drawn over the first, in either
/// direction, is not a second wall, and would cancel the first.
fn without_copies(triangles: &[[u32; 3]], welded: &[u32]) -> Vec<[u32; 3]> {
    let key = |triangle: u32| {
        let mut corners = triangles[triangle as usize].map(|vertex| welded[vertex as usize]);
        corners.sort_unstable();
        corners
    };
    let mut order: Vec<u32> = (0..triangles.len() as u32).collect();
    order.sort_unstable_by_key(|&triangle| (key(triangle), triangle));
    order.dedup_by_key(|triangle| key(*triangle));
    order.sort_unstable();
    order.into_iter().map(|triangle| triangles[triangle as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes;

    /// Corners are f32.
    const ROUNDING: f64 = 1e-6;

    #[test]
    fn places_are_welded_and_shells_counted() {
        let mut mesh = shapes::cuboid(Vec3::ONE);
        // The same box with vertices of its own at the same places, turned inside out: one shell, one wall.
        let mut copy = mesh.clone();
        copy.triangles.iter_mut().for_each(|triangle| triangle.swap(0, 1));
        mesh.append(&copy);
        let mut far = shapes::cuboid(Vec3::ONE);
        far.positions.iter_mut().for_each(|position| position.x += 5.0);
        mesh.append(&far);
        let surface = Surface::new(&mesh).unwrap();
        let mut shells = surface.shell.clone();
        shells.sort_unstable();
        shells.dedup();
        assert_eq!(shells.len(), 2);
        assert!(surface.field.is_inside(DVec3::ZERO), "the copy does not cancel the wall");
        assert!((surface.volume - 2.0).abs() < ROUNDING && (surface.area - 12.0).abs() < ROUNDING);
    }
}
