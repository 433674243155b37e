//! What β does: a soft bar with fibres along it hangs by its upper end.

use super::super::{Size, drawn, line, table};
use anyhow::Result;
use glam::{Vec2, Vec3};
use serde::Serialize;
use sinew_flesh::motion::{Drive, Flesh, FleshParts, MotionSettings};
use sinew_geometry::{Bounds, TetMesh};
use sinew_render::{
    Align, Camera, Ground, Image, LabelAnchor, Material, Object, Overlay, Scene, TextStyle, View,
};

/// A bar that hangs at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FleshBetaRow {
    /// Influence of fibres.
    pub beta: f32,
    /// Length over that at rest.
    pub length: f64,
    /// Area of the middle section over that at rest.
    pub section: f64,
    /// Volume over that at rest.
    pub volume: f64,
}

const BETAS: [f32; 3] = [0.0, 0.5, 1.0];

/// Sides of the bar, metres.
const SIZE_M: Vec3 = Vec3::new(0.1, 0.4, 0.1);
const CELLS: [usize; 3] = [4, 16, 4];

/// Young's modulus over density, m²/s²: of 40 kPa.
const SQUARE_SPEED: f32 = 40.0;

/// Steps until all is still: 8 s.
const STEPS: usize = 960;

/// Bars stand so far apart, metres.
const APART_M: f32 = 0.3;

pub(super) fn figure(size: Size) -> Result<(Vec<FleshBetaRow>, Image)> {
    let mesh = TetMesh::lattice(CELLS, SIZE_M);
    let mut rows = Vec::new();
    let mut objects = Vec::new();
    let mut overlays = Vec::new();
    for (at, beta) in BETAS.into_iter().enumerate() {
        let hung = hang(&mesh, beta)?;
        rows.push(row(&mesh, &hung, beta));
        let aside = Vec3::X * (APART_M * at as f32);
        let places: Vec<Vec3> = hung.iter().map(|place| *place + aside).collect();
        overlays.push(rest_outline(&mesh, aside));
        overlays.extend(labels(&rows[at], aside));
        let skin = Object::new(places, mesh.boundary(), Material::default());
        objects.push(Object { wireframe: true, ..skin });
    }
    let picture = draw(objects, overlays, (3 * size.0, 2 * size.1))?;
    Ok((rows, picture))
}

/// The bar's points when it hangs still.
fn hang(mesh: &TetMesh, beta: f32) -> Result<Vec<Vec3>> {
    let count = mesh.points().len();
    let top = mesh.points().iter().map(|point| point.y).fold(f32::MIN, f32::max);
    let parts = FleshParts {
        masses: vec![1000.0 * mesh.volume() as f32 / count as f32; count],
        square_speeds: vec![SQUARE_SPEED; count],
        dampings: vec![6.0; count],
        reaches: vec![1.0; count],
        backstops: vec![(Vec3::ZERO, 1.0); count],
        is_held: mesh.points().iter().map(|point| point.y > top - 1e-4).collect(),
        fibers: vec![Vec3::Y; count],
        gives: vec![beta; count],
        muscles: vec![Vec::new(); count],
        muscle_count: 0,
        mesh: mesh.clone(),
    };
    let settings = MotionSettings { dt_secs: 1.0 / 120.0, gravity_share: 1.0, ..MotionSettings::default() };
    let mut flesh = Flesh::new(parts, settings)?;
    let drive = Drive { shape: mesh.points().to_vec(), ..Drive::default() };
    for _ in 0..STEPS {
        flesh.step(&drive);
    }
    Ok(flesh.positions().collect())
}

fn row(mesh: &TetMesh, hung: &[Vec3], beta: f32) -> FleshBetaRow {
    fn span(numbers: impl Iterator<Item = f32>) -> f64 {
        let (low, high) = numbers.fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
        f64::from(high) - f64::from(low)
    }
    let length = |places: &[Vec3]| span(places.iter().map(|place| place.y));
    let bounds = Bounds::of(mesh.points());
    let middle_y = 0.5 * (bounds.min().y + bounds.max().y);
    // The points that rest in the middle: width times depth.
    let middle: Vec<usize> =
        (0..hung.len()).filter(|&point| (mesh.points()[point].y - middle_y).abs() < 1e-4).collect();
    let section = |places: &[Vec3]| {
        let side = |axis: usize| span(middle.iter().map(|&point| places[point][axis]));
        side(0) * side(2)
    };
    FleshBetaRow {
        beta,
        length: length(hung) / length(mesh.points()),
        section: section(hung) / section(mesh.points()),
        volume: mesh.volume_at(hung) / mesh.volume(),
    }
}

/// The bar before it hung.
fn rest_outline(mesh: &TetMesh, aside: Vec3) -> Overlay {
    let bounds = Bounds::of(mesh.points());
    let (low, high) = (bounds.min() + aside, bounds.max() + aside);
    let corners = [(low.x, low.y), (high.x, low.y), (high.x, high.y), (low.x, high.y)];
    let corners = corners.map(|(x, y)| Vec3::new(x, y, high.z));
    line(corners.to_vec(), true, 2.0, [46, 118, 196, 255])
}

fn labels(row: &FleshBetaRow, aside: Vec3) -> [Overlay; 2] {
    let style = TextStyle {
        size_px: 24.0,
        color: [52, 58, 66, 255],
        align: Align::Center,
        halo: Some([255, 255, 255, 200]),
    };
    let label = |text: String, offset_px: f32| {
        let at = LabelAnchor::Scene {
            point: aside + Vec3::new(0.5 * SIZE_M.x, SIZE_M.y, 0.5 * SIZE_M.z),
            offset_px: Vec2::new(0.0, offset_px),
        };
        Overlay::Label { text, at, style }
    };
    [
        label(format!("β = {}", row.beta), -64.0),
        label(format!("length × {:.2}, section × {:.2}", row.length, row.section), -28.0),
    ]
}

fn draw(objects: Vec<Object>, overlays: Vec<Overlay>, size: Size) -> Result<Image> {
    let mut framed: Vec<Vec3> = objects.iter().flat_map(|object| object.positions.clone()).collect();
    framed.extend([-0.1, 2.0 * APART_M + 0.2].map(|label| Vec3::new(label, 1.15 * SIZE_M.y, 0.0)));
    let camera = Camera::frame(View::Front, framed, size.0 as f32 / size.1 as f32);
    let scene = Scene { objects, overlays, ground: Ground::None, ..Scene::default() };
    Ok(drawn(&scene, &camera, size)?)
}

pub(super) fn csv(rows: &[FleshBetaRow]) -> String {
    table("beta,length,section,volume", rows, |row| {
        format!("{},{:.5},{:.5},{:.5}", row.beta, row.length, row.section, row.volume)
    })
}
