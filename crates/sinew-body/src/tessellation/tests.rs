//! The fast way against its plain twin.

use super::*;
use crate::testing::Random;

/// Rounding of f32 on patches of unit size a few units from the origin.
const POSITION_M: f32 = 1e-6;
/// Angle of a normal, rad, from derivatives good to 1e-6 of the patch.
const NORMAL: f32 = 1e-4;

#[track_caller]
fn check(patch: &Patch, tessellation: &Tessellation) {
    let mut positions = vec![Vec3::NAN; tessellation.vertex_count()];
    let mut normals = positions.clone();
    tessellation.evaluate_into(patch, &mut positions, &mut normals);
    for i in 0..tessellation.row_count() {
        for j in 0..tessellation.row_len() {
            let (u, w) = tessellation.parameters(i, j);
            let at = tessellation.index(i, j);
            let (position, normal) = (patch.position(u, w).as_vec3(), patch.normal(u, w).as_vec3());
            assert!(
                positions[at].distance(position) < POSITION_M,
                "({u}, {w}): {} {position}",
                positions[at]
            );
            assert!(normals[at].distance(normal) < NORMAL, "({u}, {w}): {} {normal}", normals[at]);
        }
    }
}

#[test]
fn fast_and_plain_agree() {
    let mut random = Random::new(61);
    for (u_segments, w_segments) in [(1, 1), (3, 4), (8, 8), (5, 11)] {
        let tessellation = Tessellation::new(u_segments, w_segments);
        for _ in 0..4 {
            check(&random.gentle(), &tessellation);
            check(&random.gentle_gregory(), &tessellation);
        }
    }
    check(&random.gentle_gregory(), &Tessellation::at(vec![0.0, 0.1, 0.7], vec![0.2, 0.9, 1.0]));
}

#[test]
fn poles_and_folds_have_normals() {
    let mut random = Random::new(62);
    let mut pole = random.gentle();
    let tip = pole.net[2][4];
    pole.net.iter_mut().for_each(|row| row[4] = tip);
    check(&pole, &Tessellation::new(8, 8));
    let mut fold = random.gentle();
    fold.net.iter_mut().for_each(|row| row[3] = row[4]);
    check(&fold, &Tessellation::new(8, 8));
    let point = Patch::bezier([[glam::DVec3::ONE; 5]; 5]);
    check(&point, &Tessellation::new(2, 2));
}

#[test]
fn a_small_patch_far_away_keeps_its_normals() {
    let mut random = Random::new(63);
    let far = random.gentle().map(|point| 0.01 * point + glam::DVec3::new(0.5, 1.5, 0.1));
    check(&far, &Tessellation::new(8, 8));
}

#[test]
fn triangles_face_outward() {
    let mut random = Random::new(64);
    let (patch, tessellation) = (random.gentle(), Tessellation::new(4, 3));
    let mut positions = vec![Vec3::ZERO; tessellation.vertex_count()];
    let mut normals = positions.clone();
    tessellation.evaluate_into(&patch, &mut positions, &mut normals);
    let triangles = tessellation.triangles();
    assert_eq!(triangles.len(), 24);
    for [a, b, c] in triangles.map_to_usize() {
        let face = (positions[b] - positions[a]).cross(positions[c] - positions[a]);
        assert!(face.dot(normals[a]) > 0.0);
    }
}

trait Indices {
    fn map_to_usize(self) -> Vec<[usize; 3]>;
}

impl Indices for Vec<[u32; 3]> {
    fn map_to_usize(self) -> Vec<[usize; 3]> {
        self.into_iter().map(|triangle| triangle.map(|vertex| vertex as usize)).collect()
    }
}
