//! A surface that moves smoothly with tetrahedra.

use super::Embedding;
use crate::{Neighbors, TetMesh};
use glam::{DMat4, DVec3, DVec4, Vec3};

/// Where each vertex of a surface takes its motion from, by moving least squares \[Levin98\]: smooth where [`Embedding`] has a crease at
/// every face of a tetrahedron, and as exact for what is linear.
///
/// Only points that hang together with the vertex's tetrahedron count: an arm beside the body takes nothing from it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SmoothEmbedding {
    /// Start of each vertex's points, and the end of the last.
    starts: Vec<u32>,
    points: Vec<u32>,
    weights: Vec<f32>,
}

/// Undetermined slopes are pulled to zero with this share of the weight of evenly spread points.
const LEVEL: f64 = 1e-3;

impl SmoothEmbedding {
    /// Of vertices at rest that are embedded in tetrahedra at rest.
    ///
    /// - `reach`: how far points count, in the unit of the positions. Beyond the neighbors of the tetrahedron's corners none does, so
    ///   that much more than the length of an edge is of no use.
    ///
    /// # Panics
    /// If the embedding is of other vertices or other tetrahedra.
    pub fn new(mesh: &TetMesh, embedding: &Embedding, positions: &[Vec3], reach: f32) -> Self {
        assert_eq!(positions.len(), embedding.corners().len(), "one position for each embedded vertex");
        let neighbors = neighbors(mesh);
        let mut smooth = Self { starts: vec![0], ..Self::default() };
        let mut near = Vec::new();
        for (vertex, position) in positions.iter().enumerate() {
            let corners = embedding.corners()[vertex];
            near.clear();
            near.extend(corners);
            near.extend(corners.iter().flat_map(|&corner| neighbors.of(corner as usize)));
            near.sort_unstable();
            near.dedup();
            let first = smooth.points.len();
            smooth.add(mesh.points(), &near, *position, reach);
            // A vertex out of all reach, such as a loose one, hangs as it did.
            if smooth.points.len() == first {
                smooth.points.extend(corners);
                smooth.weights.extend(embedding.weights()[vertex]);
            }
            smooth.starts.push(smooth.points.len() as u32);
        }
        smooth
    }

    /// Adds the points near a vertex that has any.
    fn add(&mut self, places: &[Vec3], near: &[u32], position: Vec3, reach: f32) {
        let scale = 1.0 / f64::from(reach);
        let away = |point: u32| (places[point as usize].as_dvec3() - position.as_dvec3()) * scale;
        let kernel = |away: DVec3| (1.0 - away.length_squared()).max(0.0).powi(2);
        let (mut moments, mut total) = (DMat4::ZERO, 0.0);
        for &point in near {
            let away = away(point);
            let (weight, row) = (kernel(away), DVec4::new(1.0, away.x, away.y, away.z));
            total += weight;
            moments += DMat4::from_cols(row, row * row.y, row * row.z, row * row.w) * weight;
        }
        if total <= 0.0 {
            return;
        }
        for axis in 1..4 {
            moments.col_mut(axis)[axis] += LEVEL * total;
        }
        // The value at the vertex is the constant of the line that fits best: the first row of the inverse.
        let first = moments.inverse().row(0);
        let weights = near.iter().map(|&point| {
            let away = away(point);
            (point, kernel(away) * first.dot(DVec4::new(1.0, away.x, away.y, away.z)))
        });
        for (point, weight) in weights.filter(|(_, weight)| *weight != 0.0) {
            self.points.push(point);
            self.weights.push(weight as f32);
        }
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Interpolates a value of the points, such as their motion, at the vertices.
    ///
    /// # Panics
    /// If there are fewer points than the tetrahedra have, or not one value per vertex.
    pub fn apply_into(&self, of_points: &[Vec3], of_vertices: &mut [Vec3]) {
        assert_eq!(of_vertices.len(), self.vertex_count(), "one value for each vertex");
        for (vertex, value) in of_vertices.iter_mut().enumerate() {
            let range = self.starts[vertex] as usize..self.starts[vertex + 1] as usize;
            let pairs = self.points[range.clone()].iter().zip(&self.weights[range]);
            *value = pairs.map(|(&point, &weight)| of_points[point as usize] * weight).sum();
        }
    }
}

/// Points joined by edges.
fn neighbors(mesh: &TetMesh) -> Neighbors {
    let edges = |tet: &[u32; 4]| [1, 2, 3].map(|step| [0, 1, 2, 3].map(|at| (tet[at], tet[(at + step) % 4])));
    Neighbors::new(mesh.points().len(), mesh.tets().iter().flat_map(edges).flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CoverSettings, CoverSize, cover, shapes};

    #[test]
    fn linear_motions_are_exact_and_others_have_no_creases() {
        let ball = shapes::sphere(1.0, 96, 48);
        let settings = CoverSettings { size: CoverSize::Count(1500), ..CoverSettings::default() };
        let covered = cover(&ball, &settings).unwrap();
        let smooth =
            SmoothEmbedding::new(&covered.mesh, &covered.embedding, &ball.positions, 1.3 * covered.spacing);
        let mut found = vec![Vec3::ZERO; ball.positions.len()];
        let linear = |place: &Vec3| Vec3::new(place.y + 0.5, 2.0 * place.x - place.z, 1.0);
        let values: Vec<Vec3> = covered.mesh.points().iter().map(linear).collect();
        smooth.apply_into(&values, &mut found);
        let worst = |found: &[Vec3], wanted: &dyn Fn(&Vec3) -> Vec3| {
            let apart = found.iter().zip(&ball.positions).map(|(found, place)| found.distance(wanted(place)));
            apart.fold(0.0, f32::max)
        };
        assert!(worst(&found, &linear) < 5e-3, "{}", worst(&found, &linear));
        // A wave of four spacings: how much neighboring slopes differ along the equator.
        let wave = |place: &Vec3| Vec3::X * (place.z * std::f32::consts::TAU / (4.0 * covered.spacing)).sin();
        let values: Vec<Vec3> = covered.mesh.points().iter().map(wave).collect();
        smooth.apply_into(&values, &mut found);
        let creases = |values: &[Vec3]| {
            let ring: Vec<f32> = (0..96).map(|at| values[23 * 97 + at].x).collect();
            let second = ring.windows(3).map(|w| (w[0] - 2.0 * w[1] + w[2]).abs());
            second.fold(0.0, f32::max)
        };
        let straight = covered.embedding.apply(&values);
        let (rough, fine) = (creases(&straight), creases(&found));
        assert!(fine < 0.7 * rough, "second differences {fine} instead of {rough}");
    }

    #[test]
    fn parts_that_do_not_hang_together_take_nothing_from_each_other() {
        // Two bars, closer than the reach.
        let bar = |x: f32| {
            let mut bar = shapes::sphere(0.1, 24, 12);
            bar.positions
                .iter_mut()
                .for_each(|place| *place = *place * Vec3::new(1.0, 6.0, 1.0) + Vec3::X * x);
            bar
        };
        let (mut both, other) = (bar(0.0), bar(0.21));
        let shift = both.positions.len() as u32;
        both.triangles.extend(other.triangles.iter().map(|corners| corners.map(|corner| corner + shift)));
        both.positions.extend(other.positions);
        let settings = CoverSettings { size: CoverSize::Count(600), ..CoverSettings::default() };
        let covered = cover(&both, &settings).unwrap();
        assert_eq!(covered.mesh.component_count(), 2);
        let mut part_of = vec![0; covered.mesh.points().len()];
        for (tet, part) in covered.mesh.tets().iter().zip(covered.mesh.components()) {
            tet.iter().for_each(|&corner| part_of[corner as usize] = part);
        }
        let smooth =
            SmoothEmbedding::new(&covered.mesh, &covered.embedding, &both.positions, 1.3 * covered.spacing);
        let first = part_of[covered.embedding.corners()[0][0] as usize];
        let values: Vec<Vec3> =
            part_of.iter().map(|&part| if part == first { Vec3::ZERO } else { Vec3::ONE }).collect();
        let mut found = vec![Vec3::ZERO; both.positions.len()];
        smooth.apply_into(&values, &mut found);
        for (vertex, found) in found.iter().enumerate() {
            let wanted = if vertex < shift as usize { Vec3::ZERO } else { Vec3::ONE };
            assert!(found.distance(wanted) < 1e-4, "{vertex}: {found}");
        }
    }
}
