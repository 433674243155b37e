//! Sections through flesh.

use super::CoveredCharacter;
use glam::Vec3;
use sinew_flesh::anatomy::Anatomy;
use sinew_geometry::{TetMesh, TriangleMesh};
use sinew_render::{
    Camera, Image, Material, Object, Overlay, OverlayDepth, RenderError, RenderSettings, Renderer, Rgba8,
    Scene, linear_from_rgb8,
};

/// Colors of layers from the bone outwards: ivory, red, yellow; more layers repeat the last two.
const LAYERS: [[u8; 3]; 3] = [[238, 232, 213], [190, 62, 54], [243, 201, 92]];
const SKIN_LINE: Rgba8 = [40, 40, 46, 255];
const CORE_LINE: Rgba8 = [30, 80, 160, 255];
const HELD_DOT: Rgba8 = [20, 20, 20, 255];
const FREE_DOT: Rgba8 = [255, 255, 255, 255];

/// A plane through a character.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionPlane {
    /// A point of it, model space.
    pub point: Vec3,
    /// Unit, towards the eye.
    pub normal: Vec3,
}

/// What a plane cuts, seen along its normal: layers in color, mixed as the anatomy mixes them; the skin's line in black, bones in blue;
/// points near the plane as dots, black where they are held and white where they move.
///
/// # Errors
/// The renderer refused.
pub fn section_picture(
    covered: &CoveredCharacter<'_>,
    anatomy: &Anatomy,
    plane: SectionPlane,
    (width, height): (u32, u32),
) -> Result<Image, RenderError> {
    let mesh = &covered.cover.mesh;
    let colors: Vec<Vec3> = (0..mesh.points().len()).map(|point| color(anatomy.mix_of(point))).collect();
    let (positions, vertex_colors, triangles) = cut(mesh, &colors, plane);
    let camera = Camera::frame_from(
        plane.normal,
        if plane.normal.y.abs() > 0.9 { Vec3::NEG_Z } else { Vec3::Y },
        positions.iter().copied(),
        width as f32 / height as f32,
    );
    let material = Material { base_color: Vec3::ONE.extend(1.0), unlit: true, ..Material::default() };
    let object = Object {
        vertex_colors: vertex_colors.iter().map(|color| color.extend(1.0)).collect(),
        ..Object::new(positions, triangles, material)
    };
    let mut overlays = skin_lines(&covered.surface, plane);
    overlays.extend(anatomy.cores.iter().map(|core| line(vec![core.start, core.end], 2.0, CORE_LINE)));
    let near = |point: &usize| side(plane, mesh.points()[*point]).abs() < 0.35 * covered.cover.spacing;
    for (is_held, color) in [(true, HELD_DOT), (false, FREE_DOT)] {
        let of_kind =
            (0..mesh.points().len()).filter(|point| anatomy.is_held[*point] == is_held).filter(near);
        let points = of_kind.map(|point| mesh.points()[point]).collect();
        overlays.push(Overlay::Points { points, radius_px: 1.8, color, depth: OverlayDepth::XRay });
    }
    let scene = Scene { objects: vec![object], overlays, ..Scene::default() };
    Renderer::new().render(&scene, &camera, &RenderSettings { width, height, ..RenderSettings::default() })
}

fn color(mix: &[f32]) -> Vec3 {
    let of_layer = |layer: usize| {
        let at = if layer < LAYERS.len() { layer } else { 1 + (layer - 1) % 2 };
        linear_from_rgb8(LAYERS[at])
    };
    mix.iter().enumerate().map(|(layer, share)| of_layer(layer) * *share).sum()
}

fn side(plane: SectionPlane, point: Vec3) -> f32 {
    (point - plane.point).dot(plane.normal)
}

/// The polygons in which a plane meets tetrahedra, with values of their points.
fn cut(mesh: &TetMesh, values: &[Vec3], plane: SectionPlane) -> (Vec<Vec3>, Vec<Vec3>, Vec<[u32; 3]>) {
    let (mut positions, mut colors, mut triangles) = (Vec::new(), Vec::new(), Vec::new());
    for tet in mesh.tets() {
        let sides = tet.map(|corner| side(plane, mesh.points()[corner as usize]));
        let (before, behind): (Vec<usize>, Vec<usize>) = (0..4).partition(|&at| sides[at] >= 0.0);
        // Round the polygon: one corner against three, or two against two.
        let edges: Vec<(usize, usize)> = match (before.as_slice(), behind.as_slice()) {
            ([one], others) | (others, [one]) => others.iter().map(|&other| (*one, other)).collect(),
            ([a, b], [c, d]) => vec![(*a, *c), (*a, *d), (*b, *d), (*b, *c)],
            _ => continue,
        };
        let first = positions.len() as u32;
        for &(from, to) in &edges {
            let share = sides[from] / (sides[from] - sides[to]);
            let (from, to) = (tet[from] as usize, tet[to] as usize);
            positions.push(mesh.points()[from].lerp(mesh.points()[to], share));
            colors.push(values[from].lerp(values[to], share));
        }
        triangles.extend((2..edges.len() as u32).map(|last| [first, first + last - 1, first + last]));
    }
    (positions, colors, triangles)
}

/// Where the plane meets the skin.
fn skin_lines(surface: &TriangleMesh, plane: SectionPlane) -> Vec<Overlay> {
    let crossing = |from: Vec3, to: Vec3| {
        let (a, b) = (side(plane, from), side(plane, to));
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
