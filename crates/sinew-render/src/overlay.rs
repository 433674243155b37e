//! Drawn over a finished picture: lines, points, labels; bones are in [`crate::bones`].

use glam::{Vec2, Vec3};

use crate::bones::{BoneSegment, draw_bones};
use crate::camera::{Lens, NEAR};
use crate::color::Rgba8;
use crate::draw::Stroke;
use crate::frame::Frame;
use crate::image::Image;
use crate::scene::Scene;
use crate::text::TextStyle;

/// Something drawn over the objects. Points are in scene space; those not finite or behind the camera are left out.
#[derive(Clone, Debug)]
pub enum Overlay {
    /// A skeleton that shines through the body.
    Bones {
        /// The bones, in any order.
        segments: Vec<BoneSegment>,
        /// Thickness as a share of a bone's length; 1 is the usual shape.
        size: f32,
    },
    /// Joined straight lines.
    Polyline {
        /// Corners, scene space.
        points: Vec<Vec3>,
        /// Whether the last point joins the first.
        closed: bool,
        /// Pixels.
        width_px: f32,
        /// Color.
        color: Rgba8,
        /// Whether objects hide it.
        depth: OverlayDepth,
    },
    /// Round dots.
    Points {
        /// Places, scene space.
        points: Vec<Vec3>,
        /// Pixels.
        radius_px: f32,
        /// Color.
        color: Rgba8,
        /// Whether objects hide them.
        depth: OverlayDepth,
    },
    /// A line of text.
    Label {
        /// The text.
        text: String,
        /// Position of its baseline.
        at: LabelAnchor,
        /// Its look.
        style: TextStyle,
    },
}

/// Whether objects hide an overlay.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OverlayDepth {
    /// Always visible.
    #[default]
    XRay,
    /// Hidden behind objects.
    Tested,
}

/// Position of a label.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LabelAnchor {
    /// Pixels from the picture's top-left corner.
    Screen(Vec2),
    /// A point in scene space, and an offset in pixels (right and down).
    Scene {
        /// The point.
        point: Vec3,
        /// The offset.
        offset_px: Vec2,
    },
}

/// Draws a scene's overlays in order.
pub(crate) fn draw_overlays(image: &mut Image, scene: &Scene, lens: &Lens, frame: &Frame) {
    for overlay in &scene.overlays {
        match overlay {
            Overlay::Bones { segments, size } => draw_bones(image, lens, segments, *size),
            Overlay::Polyline { points, closed, width_px, color, depth } => {
                let points: Vec<Vec3> = points.iter().map(|&point| lens.from_scene(point)).collect();
                let last = if *closed && points.len() > 2 { points.last() } else { None };
                let starts = last.into_iter().chain(&points);
                let line = Line { lens, frame, width_px: *width_px, color: *color, depth: *depth };
                for (from, to) in starts.zip(points.iter().skip(usize::from(last.is_none()))) {
                    line.draw(image, *from, *to);
                }
            }
            Overlay::Points { points, radius_px, color, depth } => {
                for &point in points {
                    let Some((pixel, distance)) = lens.project(lens.from_scene(point)) else { continue };
                    let is_hidden = *depth == OverlayDepth::Tested && is_behind(frame, pixel, 1.0 / distance);
                    if !is_hidden && radius_px.is_finite() {
                        image.fill_disc(pixel, radius_px.clamp(0.0, 1000.0), *color);
                    }
                }
            }
            Overlay::Label { text, at, style } => {
                let place = match *at {
                    LabelAnchor::Screen(place) => Some(place),
                    LabelAnchor::Scene { point, offset_px } => {
                        lens.project(lens.from_scene(point)).map(|(pixel, _)| pixel + offset_px)
                    }
                };
                if let Some(place) = place {
                    style.draw(image, text, place.x, place.y);
                }
            }
        }
    }
}

struct Line<'a> {
    lens: &'a Lens,
    frame: &'a Frame,
    width_px: f32,
    color: Rgba8,
    depth: OverlayDepth,
}

impl Line<'_> {
    fn draw(&self, image: &mut Image, from: Vec3, to: Vec3) {
        let ends = clipped(self.lens, from, to)
            .and_then(|(from, to)| Some((self.lens.project(from)?, self.lens.project(to)?)));
        let Some(((from, from_distance), (to, to_distance))) = ends else { return };
        if !self.width_px.is_finite() {
            return;
        }
        let stroke = Stroke { from, to, width: self.width_px.clamp(0.0, 1000.0), color: self.color };
        stroke.draw(image, |x, y, t| {
            // 1/w is linear on the screen.
            let inverse_depth = (1.0 - t) / from_distance + t / to_distance;
            self.depth == OverlayDepth::XRay
                || !is_behind(self.frame, Vec2::new(x as f32, y as f32), inverse_depth)
        });
    }
}

/// Whether the surface in a pixel hides a point at 1/w; lines lying on a surface are seen.
fn is_behind(frame: &Frame, pixel: Vec2, inverse_depth: f32) -> bool {
    frame.depth_at(pixel.x as isize, pixel.y as isize) > inverse_depth * 1.002
}

/// The part of a segment in front of the camera.
pub(crate) fn clipped(lens: &Lens, from: Vec3, to: Vec3) -> Option<(Vec3, Vec3)> {
    let depth = |point: Vec3| lens.camera_from_view(point.into()).z;
    let (a, b) = (depth(from), depth(to));
    let near = NEAR * 2.0;
    if !(from.is_finite() && to.is_finite()) || (a < near && b < near) {
        return None;
    }
    let cut = |outside: Vec3, inside: Vec3, out: f32, within: f32| {
        inside + (outside - inside) * ((within - near) / (within - out))
    };
    Some(match (a < near, b < near) {
        (true, _) => (cut(from, to, a, b), to),
        (_, true) => (from, cut(to, from, b, a)),
        _ => (from, to),
    })
}
