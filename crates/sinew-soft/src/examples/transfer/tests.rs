//! Surfaces deformed by formulas, moved over to coarse tetrahedra.

use super::*;
use glam::Quat;
use sinew_geometry::{CoverSettings, CoverSize, Embedding, TriangleMesh, cover, shapes};

const SIZE: Vec3 = Vec3::new(0.8, 0.4, 0.4);

fn twisted(point: Vec3) -> Vec3 {
    let middle = Vec3::new(0.0, 0.5 * SIZE.y, 0.5 * SIZE.z);
    Quat::from_rotation_x(1.2 * point.x / SIZE.x) * (point - middle) + middle
}

fn bent(point: Vec3) -> Vec3 {
    let (turn, radius) = (1.0 * point.x / SIZE.x, SIZE.x / 1.0);
    Vec3::new((radius - point.y) * turn.sin(), radius - (radius - point.y) * turn.cos(), point.z)
}

fn stretched(point: Vec3) -> Vec3 {
    Vec3::new(1.7 * point.x + 0.2 * point.y, 0.8 * point.y, 0.9 * point.z + 2.0)
}

/// A fine box with smooth sides, well inside the tetrahedra: `inset` of its size on each side.
fn box_surface(inset: f32) -> TriangleMesh {
    let mesh = TetMesh::lattice([32, 16, 16], SIZE);
    let used: Vec<[u32; 3]> = mesh.boundary();
    let mut number = vec![u32::MAX; mesh.points().len()];
    let mut surface = TriangleMesh::default();
    for triangle in used {
        let own = triangle.map(|corner| {
            if number[corner as usize] == u32::MAX {
                number[corner as usize] = surface.positions.len() as u32;
                let point = mesh.points()[corner as usize];
                surface.positions.push((point - 0.5 * SIZE) * (1.0 - inset) + 0.5 * SIZE);
            }
            number[corner as usize]
        });
        surface.triangles.push(own);
    }
    surface
}

/// Largest and root mean square distance of the points from where the formula has them.
fn errors(mesh: &TetMesh, found: &[Vec3], deform: impl Fn(Vec3) -> Vec3) -> (f32, f32) {
    let apart = || mesh.points().iter().zip(found).map(|(rest, found)| deform(*rest).distance(*found));
    let square: f32 = apart().map(|apart| apart * apart).sum();
    (apart().fold(0.0, f32::max), (square / found.len() as f32).sqrt())
}

#[test]
fn affine_examples_are_moved_over_exactly() {
    let mesh = TetMesh::lattice([8, 4, 4], SIZE);
    let surface = box_surface(0.0);
    let posed: Vec<Vec3> = surface.positions.iter().map(|point| stretched(*point)).collect();
    let anchors = Anchors::in_tets(&mesh, &surface).unwrap();
    let moved = transfer(&mesh, &anchors, &posed, &TransferSettings::default()).unwrap();
    let (largest, _) = errors(&mesh, &moved.points, stretched);
    // The weak term that holds the rest bends by its share.
    assert!(largest < 1e-5, "{largest}");
    assert!(moved.largest_error_m < 1e-5 && moved.untouched_count == 0);
}

#[test]
fn twists_and_bends_of_a_fine_surface_are_moved_over_to_coarse_tetrahedra() {
    let mesh = TetMesh::lattice([8, 4, 4], SIZE);
    for (name, deform) in [("twist", twisted as fn(Vec3) -> Vec3), ("bend", bent)] {
        for inset in [0.0, 0.1] {
            let surface = box_surface(inset);
            let posed: Vec<Vec3> = surface.positions.iter().map(|point| deform(*point)).collect();
            let anchors = Anchors::in_tets(&mesh, &surface).unwrap();
            let moved = transfer(&mesh, &anchors, &posed, &TransferSettings::default()).unwrap();
            let (largest, mean) = errors(&mesh, &moved.points, deform);
            eprintln!(
                "{name}, inset {inset}: points {largest} m, mean {mean} m; told {:?}",
                moved.mean_error_m
            );
            // Cells are 0.1 m; a chord of the bend alone lies 1.6 mm inside its arc. Corners of the inset case lie 4 cm outside the surface.
            let (most, most_mean) = if inset == 0.0 { (0.003, 0.001) } else { (0.016, 0.004) };
            assert!(largest < most && mean < most_mean, "{name} {inset}: {largest} {mean}");
            assert!(moved.mean_error_m < 0.002 && moved.largest_error_m < 0.008, "{name} {inset}: {moved:?}");
        }
    }
}

#[test]
fn a_coarser_copy_that_is_merely_near_moves_a_cover() {
    let place = |point: Vec3| Vec3::new(point.y + 0.4, point.x + 0.2, point.z + 0.2);
    let tube = |mut mesh: TriangleMesh| {
        mesh.positions.iter_mut().for_each(|point| *point = place(*point));
        mesh.triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
        mesh
    };
    let own = tube(shapes::capsule(0.5, 0.15, 48, 24, 8));
    let settings = CoverSettings { size: CoverSize::Spacing(0.08), ..CoverSettings::default() };
    let cover = cover(&own, &settings).unwrap();
    // Another mesh of nearly the same shape, some millimeters outside and inside.
    let near = tube(shapes::capsule(0.49, 0.153, 17, 9, 4));
    let posed: Vec<Vec3> = near.positions.iter().map(|point| bent(*point)).collect();
    let anchors = Anchors::near_surface(&cover.mesh, (&own, &cover.embedding), &near).unwrap();
    let moved = transfer(&cover.mesh, &anchors, &posed, &TransferSettings::default()).unwrap();
    let skin = cover.embedding.apply(&moved.points);
    let apart = own.positions.iter().zip(&skin).map(|(rest, found)| bent(*rest).distance(*found));
    let largest = apart.fold(0.0, f32::max);
    eprintln!("near: {largest} m, told {} m, {} m outside", moved.largest_error_m, anchors.farthest_m());
    assert!(largest < 0.01, "{largest}");
}

#[test]
fn what_does_not_fit_is_refused_and_parts_without_vertices_are_reported() {
    let mesh = TetMesh::lattice([2, 2, 2], SIZE);
    let surface = box_surface(0.0);
    let anchors = Anchors::in_tets(&mesh, &surface).unwrap();
    let few = transfer(&mesh, &anchors, &surface.positions[1..], &TransferSettings::default());
    assert!(matches!(few, Err(ExampleError::VertexCount { .. })), "{few:?}");
    let mut broken = surface.positions.clone();
    broken[7].x = f32::NAN;
    let broken = transfer(&mesh, &anchors, &broken, &TransferSettings::default());
    assert_eq!(broken, Err(ExampleError::Vertex { which: "deformed", vertex: 7 }));
    let flat =
        TetMesh::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y], vec![[0, 1, 2, 3]]).unwrap();
    assert!(matches!(Anchors::in_tets(&flat, &surface), Err(ExampleError::NothingToAnchor { .. })));

    // A second box far away, with no vertex in it.
    let (mut points, mut tets) = (mesh.points().to_vec(), mesh.tets().to_vec());
    points.extend(mesh.points().iter().map(|point| *point + Vec3::X * 9.0));
    tets.extend(mesh.tets().iter().map(|tet| tet.map(|corner| corner + mesh.points().len() as u32)));
    let two = TetMesh::new(points, tets).unwrap();
    let anchors = Anchors::in_tets(&two, &surface).unwrap();
    let posed: Vec<Vec3> = surface.positions.iter().map(|point| *point + Vec3::Y).collect();
    let moved = transfer(&two, &anchors, &posed, &TransferSettings::default()).unwrap();
    assert_eq!(moved.untouched_count, mesh.points().len());
    assert!(moved.points[0].distance(mesh.points()[0] + Vec3::Y) < 1e-4);
    assert_eq!(moved.points[30], two.points()[30]);
    let embedding = Embedding::of_points(&surface.positions, &mesh).unwrap();
    assert!(Anchors::embedded(&mesh, &embedding, &surface).is_ok());
}
