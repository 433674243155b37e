//! A solved field.

use super::FiberWarning;
use super::solver::{COMPONENTS, tensor};
use crate::field::parts_of_points;
use glam::{DMat3, DVec3, Vec3};
use sinew_geometry::{TetMesh, symmetric_eigen};

/// Below this share of what a constraint would make it, a tensor's trace says that no constraint reached it.
const UNKNOWN: f64 = 0.5;

/// Below this confidence no direction prevails.
const UNSURE: f32 = 0.05;

/// Directions of fibers. Unit vectors whose largest component is positive, because fibers have no sign.
#[derive(Clone, Debug, PartialEq)]
pub struct FiberField {
    /// One per point of the tetrahedra.
    pub point_directions: Vec<Vec3>,
    /// One per point: from 0 where no direction prevails to 1 where all agree.
    pub point_confidence: Vec<f32>,
    /// One per tetrahedron: of the mean of its corners' tensors.
    pub tet_directions: Vec<Vec3>,
    /// One per tetrahedron, as of points.
    pub tet_confidence: Vec<f32>,
    /// What was settled without asking.
    pub warnings: Vec<FiberWarning>,
}

impl FiberField {
    /// From tensors, component after component.
    pub(super) fn new(mesh: &TetMesh, tensors: &[f64], without_direction: usize) -> Self {
        let points = mesh.points().len();
        let mut tensors: Vec<[f64; COMPONENTS]> = (0..points)
            .map(|point| std::array::from_fn(|component| tensors[component * points + point]))
            .collect();
        let unknown: Vec<u32> =
            (0..points as u32).filter(|&point| trace(&tensors[point as usize]) < UNKNOWN).collect();
        let mut warnings = Vec::new();
        if without_direction > 0 {
            warnings.push(FiberWarning::NoDirection { constraints: without_direction });
        }
        if let Some(&first) = unknown.first() {
            warnings.push(FiberWarning::Undefined { points: unknown.len(), first });
            fill_unknown(mesh, &unknown, &mut tensors);
        }
        let (point_directions, mut point_confidence): (Vec<_>, Vec<_>) =
            tensors.iter().map(principal).unzip();
        let of_tet = |tet: &[u32; 4]| {
            let mean = std::array::from_fn(|component| {
                tet.iter().map(|&corner| tensors[corner as usize][component]).sum::<f64>() / 4.0
            });
            principal(&mean)
        };
        let (tet_directions, mut tet_confidence): (Vec<_>, Vec<_>) = mesh.tets().iter().map(of_tet).unzip();
        let unsure: Vec<usize> = (0..points)
            .filter(|&point| point_confidence[point] < UNSURE && trace(&tensors[point]) >= UNKNOWN)
            .collect();
        let mut is_unknown = vec![false; points];
        unknown.iter().for_each(|&point| is_unknown[point as usize] = true);
        unknown.iter().for_each(|&point| point_confidence[point as usize] = 0.0);
        for (tet, confidence) in mesh.tets().iter().zip(&mut tet_confidence) {
            if tet.iter().all(|&corner| is_unknown[corner as usize]) {
                *confidence = 0.0;
            }
        }
        if let Some(&first) = unsure.first() {
            warnings.push(FiberWarning::Contradiction { points: unsure.len(), first: first as u32 });
        }
        Self { point_directions, point_confidence, tet_directions, tet_confidence, warnings }
    }

    /// Short lines at places on or in the body, each with the direction of its tetrahedron.
    ///
    /// # Panics
    /// If a tetrahedron is not there.
    pub fn segments_at(&self, places: &[Vec3], tets: &[u32], length_m: f32) -> Vec<(Vec3, Vec3)> {
        let of_place = |(&at, &tet): (&Vec3, &u32)| {
            let half =
                self.tet_directions[tet as usize] * (length_m * self.tet_confidence[tet as usize] / 2.0);
            (at - half, at + half)
        };
        places.iter().zip(tets).map(of_place).collect()
    }
}

fn trace(tensor: &[f64; COMPONENTS]) -> f64 {
    tensor[0] + tensor[1] + tensor[2]
}

/// The eigenvector of the largest eigenvalue, and how far it is ahead of the second.
pub(super) fn principal(tensor: &[f64; COMPONENTS]) -> (Vec3, f32) {
    let [xx, yy, zz, yz, xz, xy] = *tensor;
    let symmetric = DMat3::from_cols(DVec3::new(xx, xy, xz), DVec3::new(xy, yy, yz), DVec3::new(xz, yz, zz));
    let (vectors, values) = symmetric_eigen(&symmetric);
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let sum = values.abs().element_sum();
    let ahead = if sum > 0.0 { (values[order[0]] - values[order[1]]) / sum } else { 0.0 };
    let direction = vectors.col(order[0]).normalize_or(DVec3::Y).as_vec3();
    (with_sign(direction), ahead.clamp(0.0, 1.0) as f32)
}

/// Of d and −d, the one whose largest component is positive; of equally large ones the first counts.
fn with_sign(direction: Vec3) -> Vec3 {
    if direction[direction.abs().max_position()] < 0.0 { -direction } else { direction }
}

/// Gives the points of each part of which nothing is known the axis along which the part is longest.
fn fill_unknown(mesh: &TetMesh, unknown: &[u32], tensors: &mut [[f64; COMPONENTS]]) {
    let (part_of_point, parts) = parts_of_points(mesh);
    let mut sums = vec![(DVec3::ZERO, 0.0); parts];
    for &point in unknown {
        let (sum, count) = &mut sums[part_of_point[point as usize]];
        *sum += mesh.points()[point as usize].as_dvec3();
        *count += 1.0;
    }
    let mut spreads = vec![[0.0; COMPONENTS]; parts];
    for &point in unknown {
        let part = part_of_point[point as usize];
        let (sum, count) = sums[part];
        let offset = tensor(mesh.points()[point as usize].as_dvec3() - sum / count);
        spreads[part].iter_mut().zip(offset).for_each(|(spread, offset)| *spread += offset);
    }
    let axes: Vec<[f64; COMPONENTS]> =
        spreads.iter().map(|spread| tensor(principal(spread).0.as_dvec3())).collect();
    for &point in unknown {
        tensors[point as usize] = axes[part_of_point[point as usize]];
    }
}
