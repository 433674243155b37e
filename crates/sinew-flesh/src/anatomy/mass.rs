//! How much each point weighs.

use sinew_geometry::TetMesh;

/// Cuts of a tetrahedron's edges for samples: 35 samples, which find a share to a few hundredths.
const CUTS: u32 = 4;

/// A tetrahedron of which no more than this share is inside still has so much: something of the skin lies in it, and a body without
/// mass flies off.
const LEAST_SHARE: f64 = 0.05;

/// What lies inside the skin of each tetrahedron, shared out to its corners; cubic meters. Tetrahedra at the skin reach out of it: counted
/// whole, a human of 5,000 tetrahedra would weigh twice what it does. The skin is where the signed distance of corners is zero between them.
pub(super) fn inner_volumes(mesh: &TetMesh, skin_distance_m: &[f32]) -> Vec<f64> {
    let samples: Vec<[f32; 4]> = (0..=CUTS)
        .flat_map(|a| (0..=CUTS - a).map(move |b| (a, b)))
        .flat_map(|(a, b)| (0..=CUTS - a - b).map(move |c| [a, b, c, CUTS - a - b - c]))
        // Off the faces, so that each stands for as much as any other; the four still sum to 1.
        .map(|cuts| cuts.map(|cut| (cut as f32 + 0.25) / (CUTS + 1) as f32))
        .collect();
    let mut volumes = vec![0.0; mesh.points().len()];
    for (tet, corners) in mesh.tets().iter().enumerate() {
        let distances = corners.map(|corner| skin_distance_m[corner as usize]);
        let is_inside = |weights: &&[f32; 4]| {
            weights.iter().zip(distances).map(|(weight, distance)| weight * distance).sum::<f32>() > 0.0
        };
        let share = samples.iter().filter(is_inside).count() as f64 / samples.len() as f64;
        let quarter = mesh.tet_volume(tet) * share.max(LEAST_SHARE) / 4.0;
        corners.iter().for_each(|&corner| volumes[corner as usize] += quarter);
    }
    volumes
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn a_plane_through_a_box_halves_it() {
        let mesh = TetMesh::lattice([5, 4, 4], Vec3::new(0.5, 0.4, 0.4));
        let distances: Vec<f32> = mesh.points().iter().map(|point| 0.27 - point.x).collect();
        let volume: f64 = inner_volumes(&mesh, &distances).iter().sum();
        // Slabs behind the plane's keep the least share.
        let expected = 0.27 * 0.16 + LEAST_SHARE * 0.2 * 0.16;
        assert!((volume / expected - 1.0).abs() < 0.03, "{volume} {expected}");
    }
}
