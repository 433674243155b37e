//! A picture of tetrahedra and the surface in them.

use glam::Vec3;
use sinew_geometry::{Bounds, TetMesh, TriangleMesh};
use sinew_render::{
    Camera, Ground, Image, Material, Object, RenderError, RenderSettings, Renderer, Scene, View,
    contact_sheet, linear_from_rgb8,
};

/// Colors of the whole, of a cut and of the surface.
const OUTSIDE: [u8; 3] = [196, 204, 214];
const CUT: [u8; 3] = [231, 197, 138];
const SURFACE: [u8; 3] = [201, 122, 98];

/// Two pictures side by side, each of this size: the tetrahedra from outside, and those behind a plane across the middle, with the
/// surface in them.
///
/// # Errors
/// The renderer refused.
pub fn cover_sheet(mesh: &TetMesh, surface: &TriangleMesh, size: (u32, u32)) -> Result<Image, RenderError> {
    let center =
        |tet: &[u32; 4]| tet.iter().map(|&corner| mesh.points()[corner as usize]).sum::<Vec3>() / 4.0;
    let bounds = Bounds::of(mesh.points());
    // The broad side is looked at: a figure from the front, an animal from its side.
    let (view, toward_camera) =
        if bounds.size().z > bounds.size().x { (View::Side, Vec3::X) } else { (View::Front, Vec3::Z) };
    let plane = bounds.center().dot(toward_camera);
    let is_behind = |tet: &&[u32; 4]| center(tet).dot(toward_camera) < plane;
    let behind: Vec<[u32; 4]> = mesh.tets().iter().filter(is_behind).copied().collect();
    // Part of a mesh that is right is right.
    let behind = TetMesh::new(mesh.points().to_vec(), behind).unwrap_or_default();
    let whole = drawn(mesh, vec![object(mesh.points(), mesh.boundary(), OUTSIDE, true)], view, size)?;
    let inner = object(&surface.positions, surface.triangles.clone(), SURFACE, false);
    let cut = drawn(mesh, vec![object(behind.points(), behind.boundary(), CUT, true), inner], view, size)?;
    let captions =
        [format!("{} tetrahedra", mesh.tets().len()), "behind the middle, with the surface".to_owned()];
    let [of_whole, of_cut] = captions;
    contact_sheet(&[(whole, of_whole), (cut, of_cut)], 2, None)
}

fn object(positions: &[Vec3], triangles: Vec<[u32; 3]>, color: [u8; 3], wireframe: bool) -> Object {
    let material = Material { base_color: linear_from_rgb8(color).extend(1.0), ..Material::default() };
    if !wireframe {
        return Object::new(positions.to_vec(), triangles, material);
    }
    // Facets, not a smooth skin: every triangle has corners of its own.
    let corners: Vec<Vec3> = triangles.iter().flatten().map(|&corner| positions[corner as usize]).collect();
    let own =
        (0..triangles.len() as u32).map(|triangle| [0, 1, 2].map(|corner| 3 * triangle + corner)).collect();
    Object { wireframe, ..Object::new(corners, own, material) }
}

fn drawn(
    mesh: &TetMesh,
    objects: Vec<Object>,
    view: View,
    (width, height): (u32, u32),
) -> Result<Image, RenderError> {
    let camera = Camera::frame(view, mesh.points().iter().copied(), width as f32 / height as f32);
    let lowest = Bounds::of(mesh.points()).min().y;
    let scene = Scene { objects, ground: Ground::Plane { y: lowest }, ..Scene::default() };
    Renderer::new().render(&scene, &camera, &RenderSettings { width, height, ..RenderSettings::default() })
}
