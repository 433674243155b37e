//! Sections through flesh.

use super::{SectionPlane, TetSection};
use glam::Vec3;
use sinew_flesh::CoveredCharacter;
use sinew_flesh::anatomy::Anatomy;
use sinew_geometry::TriangleMesh;
use sinew_render::{
    Camera, Image, Material, Object, Overlay, OverlayDepth, RenderError, RenderSettings, Renderer, Rgba8,
    Scene,
};

const SKIN_LINE: Rgba8 = [40, 40, 46, 255];
const CORE_LINE: Rgba8 = [30, 80, 160, 255];
const HELD_DOT: Rgba8 = [20, 20, 20, 255];
const FREE_DOT: Rgba8 = [255, 255, 255, 255];

/// What a plane cuts, seen along its normal: layers in color, mixed as the anatomy mixes them; the skin's line in black, bones in blue;
/// points near the plane as dots, black where they are held and white where they move.
///
/// # Errors
/// The renderer refused.
pub fn section_picture(
    covered: &CoveredCharacter,
    anatomy: &Anatomy,
    plane: SectionPlane,
    (width, height): (u32, u32),
) -> Result<Image, RenderError> {
    let mesh = &covered.cover.mesh;
    let section = TetSection::new(mesh, plane, None);
    let positions = section.blend(mesh.points());
    let camera = Camera::frame_from(
        plane.normal,
        if plane.normal.y.abs() > 0.9 { Vec3::NEG_Z } else { Vec3::Y },
        positions.iter().copied(),
        width as f32 / height as f32,
    );
    let material = Material { base_color: Vec3::ONE.extend(1.0), unlit: true, ..Material::default() };
    let object = Object {
        vertex_colors: section.layer_colors(anatomy),
        ..Object::new(positions, section.triangles, material)
    };
    let mut overlays = skin_lines(&covered.surface, plane);
    overlays.extend(anatomy.cores.iter().map(|core| line(vec![core.start, core.end], 2.0, CORE_LINE)));
    let near = |point: &usize| plane.height_of(mesh.points()[*point]).abs() < 0.35 * covered.cover.spacing;
    for (is_held, color) in [(true, HELD_DOT), (false, FREE_DOT)] {
        let of_kind =
            (0..mesh.points().len()).filter(|point| anatomy.is_held[*point] == is_held).filter(near);
        let points = of_kind.map(|point| mesh.points()[point]).collect();
        overlays.push(Overlay::Points { points, radius_px: 1.8, color, depth: OverlayDepth::XRay });
    }
    let scene = Scene { objects: vec![object], overlays, ..Scene::default() };
    Renderer::new().render(&scene, &camera, &RenderSettings { width, height, ..RenderSettings::default() })
}

/// Where the plane meets the skin.
fn skin_lines(surface: &TriangleMesh, plane: SectionPlane) -> Vec<Overlay> {
    let crossing = |from: Vec3, to: Vec3| {
        let (a, b) = (plane.height_of(from), plane.height_of(to));
        ((a >= 0.0) != (b >= 0.0)).then(|| from.lerp(to, a / (a - b)))
    };
    let of_triangle = |triangle: &[u32; 3]| {
        let [a, b, c] = triangle.map(|vertex| surface.positions[vertex as usize]);
        let ends: Vec<Vec3> =
            [(a, b), (b, c), (c, a)].iter().filter_map(|&(from, to)| crossing(from, to)).collect();
        (ends.len() == 2).then(|| line(ends, 1.5, SKIN_LINE))
    };
    surface.triangles.iter().filter_map(of_triangle).collect()
}

fn line(points: Vec<Vec3>, width_px: f32, color: Rgba8) -> Overlay {
    Overlay::Polyline { points, closed: false, width_px, color, depth: OverlayDepth::XRay }
}
