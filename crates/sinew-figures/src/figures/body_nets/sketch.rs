//! Surfaces with lines, dots and words over them.

use super::super::{Size, drawn, line};
use anyhow::Result;
use glam::{DVec3, Vec2, Vec3, Vec4};
use sinew_body::{Body, Flank, Patch};
use sinew_render::{
    Alpha, Camera, Image, LabelAnchor, Material, Object, Overlay, OverlayDepth, Rgba8, Scene, TextStyle,
};

pub(super) const INK: Rgba8 = [30, 34, 40, 255];
pub(super) const GRAY: Rgba8 = [140, 146, 154, 255];
pub(super) const RED: Rgba8 = [200, 40, 40, 255];
pub(super) const GREEN: Rgba8 = [30, 135, 60, 255];
pub(super) const BLUE: Rgba8 = [40, 80, 200, 255];
const PAPER: Rgba8 = [255, 255, 255, 255];

/// Linear colors of surfaces: skin, fills, and patches beside each other.
pub(super) const SKIN: [f32; 3] = [0.75, 0.48, 0.36];
pub(super) const FILL: [f32; 3] = [0.20, 0.34, 0.66];
pub(super) const SIX: [[f32; 3]; 6] = [
    [0.20, 0.34, 0.66],
    [0.75, 0.48, 0.20],
    [0.22, 0.52, 0.30],
    [0.62, 0.24, 0.24],
    [0.44, 0.30, 0.58],
    [0.24, 0.52, 0.56],
];

/// Steps along the edge of a drawn patch.
const STEPS: u32 = 12;

/// A picture in the making.
#[derive(Default)]
pub(super) struct Sketch {
    scene: Scene,
    /// What the camera has to show.
    shown: Vec<Vec3>,
}

impl Sketch {
    /// A patch; `alpha` below one lets the net shine through from behind.
    pub(super) fn patch(&mut self, patch: &Patch, color: [f32; 3], alpha: f32) {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        let at = |step: u32| f64::from(step) / f64::from(STEPS);
        for place in 0..(STEPS + 1) * (STEPS + 1) {
            let (u, w) = (at(place % (STEPS + 1)), at(place / (STEPS + 1)));
            positions.push(patch.position(u, w).as_vec3());
            normals.push(patch.normal(u, w).as_vec3());
        }
        let mut triangles = Vec::new();
        for square in 0..STEPS * STEPS {
            let corner = square / STEPS * (STEPS + 1) + square % STEPS;
            let [a, b, c, d] = [corner, corner + 1, corner + STEPS + 2, corner + STEPS + 1];
            triangles.extend([[a, b, c], [a, c, d]]);
        }
        self.shown.extend(&positions);
        let [r, g, b] = color;
        let material = Material {
            base_color: Vec4::new(r, g, b, alpha),
            alpha: if alpha < 1.0 { Alpha::Blend } else { Alpha::Opaque },
            ..Material::default()
        };
        self.scene.objects.push(Object { normals, ..Object::new(positions, triangles, material) });
    }

    /// The four edges of a patch, hidden by what lies before them.
    pub(super) fn border(&mut self, patch: &Patch, color: Rgba8, width_px: f32) {
        let at = |step: u32| f64::from(step) / f64::from(STEPS);
        for side in 0..4 {
            let point = |step: u32| match side {
                0 => patch.position(at(step), 0.0),
                1 => patch.position(at(step), 1.0),
                2 => patch.position(0.0, at(step)),
                _ => patch.position(1.0, at(step)),
            };
            let points = (0..=STEPS).map(|step| point(step).as_vec3()).collect();
            let depth = OverlayDepth::Tested;
            self.scene.overlays.push(Overlay::Polyline { points, closed: false, width_px, color, depth });
        }
    }

    /// The control net of a patch, with a dot for each point.
    pub(super) fn net(&mut self, patch: &Patch, color: Rgba8) {
        for i in 0..5 {
            self.path(&patch.net[i], color, 1.5);
            self.path(&std::array::from_fn::<DVec3, 5, _>(|j| patch.net[j][i]), color, 1.5);
        }
        let points: Vec<DVec3> = patch.net.iter().flatten().copied().collect();
        self.dots(&points, color, 4.0);
    }

    /// Joined lines that shine through.
    pub(super) fn path(&mut self, points: &[DVec3], color: Rgba8, width_px: f32) {
        let points: Vec<Vec3> = points.iter().map(|point| point.as_vec3()).collect();
        self.shown.extend(&points);
        self.scene.overlays.push(line(points, false, width_px, color));
    }

    /// A closed line with dots at its corners.
    pub(super) fn ring(&mut self, points: &[DVec3], color: Rgba8, width_px: f32) {
        let closed: Vec<DVec3> = points.iter().chain(points.first()).copied().collect();
        self.path(&closed, color, width_px);
        self.dots(points, color, 1.0 + 1.2 * width_px);
    }

    pub(super) fn dots(&mut self, points: &[DVec3], color: Rgba8, radius_px: f32) {
        let points: Vec<Vec3> = points.iter().map(|point| point.as_vec3()).collect();
        self.shown.extend(&points);
        self.scene.overlays.push(Overlay::Points { points, radius_px, color, depth: OverlayDepth::XRay });
    }

    pub(super) fn label(&mut self, text: &str, point: DVec3, color: Rgba8) {
        let at = LabelAnchor::Scene { point: point.as_vec3(), offset_px: Vec2::new(7.0, -5.0) };
        let style = TextStyle { size_px: 17.0, color, halo: Some(PAPER), ..TextStyle::default() };
        self.scene.overlays.push(Overlay::Label { text: text.into(), at, style });
    }

    /// Draws it, seen from a direction.
    pub(super) fn drawn(self, toward_camera: DVec3, size: Size) -> Result<Image> {
        let aspect = size.0 as f32 / size.1 as f32;
        let camera = Camera::frame_from(toward_camera.as_vec3(), Vec3::Y, self.shown, aspect);
        Ok(drawn(&self.scene, &camera, size)?)
    }
}

/// The index of a tube of the left side or the middle.
pub(super) fn tube_named(body: &Body, name: &str) -> Option<usize> {
    body.tubes.iter().position(|tube| tube.name == name && tube.flank != Flank::Right)
}

/// The patches of a fill of the left side or the middle, with its index.
pub(super) fn fill_named<'a>(body: &'a Body, name: &str) -> Option<(usize, Vec<&'a Patch>)> {
    let index = body.fills.iter().position(|fill| fill.name == name && fill.flank != Flank::Right)?;
    let fill = &body.fills[index];
    let patches = body.patches[fill.first_patch..fill.first_patch + fill.sides.len()].iter();
    Some((index, patches.map(|patch| &patch.patch).collect()))
}

/// The mean outward normal of patches.
pub(super) fn outward(patches: &[&Patch]) -> DVec3 {
    patches.iter().map(|patch| patch.normal(0.5, 0.5)).sum::<DVec3>().normalize_or(DVec3::Z)
}
