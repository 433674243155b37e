//! Pictures of fibres.

use glam::Vec3;
use sinew_flesh::CoveredCharacter;
use sinew_flesh::fibers::FiberField;
use sinew_geometry::smooth_normals;
use sinew_render::{
    Camera, Ground, Image, Material, Object, Overlay, OverlayDepth, RenderError, RenderSettings, Renderer,
    Rgba8, Scene, View,
};

/// Lines are this many spacings long, and lie this many before the skin, so that it does not swallow them.
const LENGTH_SPACINGS: f32 = 0.9;
const LIFT_SPACINGS: f32 = 0.03;

/// Dark red, as flesh is in anatomists' plates.
const FIBRE: Rgba8 = [150, 24, 30, 255];

/// The fibres at the skin as short lines over the body. Of vertices closer together than half a spacing, one has a line.
///
/// # Errors
/// The renderer refused.
pub fn fibre_picture(
    covered: &CoveredCharacter,
    field: &FiberField,
    view: View,
    (width, height): (u32, u32),
) -> Result<Image, RenderError> {
    let (surface, spacing) = (&covered.surface, covered.cover.spacing);
    let normals = smooth_normals(&surface.positions, &surface.triangles);
    let chosen = sparse_vertices(&surface.positions, 0.5 * spacing);
    let places: Vec<Vec3> = chosen
        .iter()
        .map(|&vertex| surface.positions[vertex] + normals[vertex] * (LIFT_SPACINGS * spacing))
        .collect();
    let tets: Vec<u32> = chosen.iter().map(|&vertex| covered.cover.embedding.tets()[vertex]).collect();
    let overlays = field
        .segments_at(&places, &tets, LENGTH_SPACINGS * spacing)
        .into_iter()
        .map(|(from, to)| Overlay::Polyline {
            points: vec![from, to],
            closed: false,
            width_px: 1.6,
            color: FIBRE,
            depth: OverlayDepth::Tested,
        })
        .collect();
    let object = Object::new(surface.positions.clone(), surface.triangles.clone(), Material::default());
    let camera = Camera::frame(view, surface.positions.iter().copied(), width as f32 / height as f32);
    let scene = Scene { objects: vec![object], overlays, ground: Ground::None, ..Scene::default() };
    Renderer::new().render(&scene, &camera, &RenderSettings { width, height, ..RenderSettings::default() })
}

/// One vertex of each cell of a grid, the first.
pub fn sparse_vertices(positions: &[Vec3], cell: f32) -> Vec<usize> {
    let mut cells: Vec<([i32; 3], usize)> = positions
        .iter()
        .enumerate()
        .map(|(vertex, position)| ((*position / cell).floor().as_ivec3().to_array(), vertex))
        .collect();
    cells.sort_unstable();
    cells.dedup_by_key(|(cell, _)| *cell);
    let mut chosen: Vec<usize> = cells.into_iter().map(|(_, vertex)| vertex).collect();
    chosen.sort_unstable();
    chosen
}
