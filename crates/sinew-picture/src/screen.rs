//! Flat drawings before a camera: places in pixels as points of the scene.

use glam::{Vec2, Vec3};
use sinew_render::{Align, Camera, LabelAnchor, Overlay, OverlayDepth, Rgba8, TextStyle};

/// A plane before a camera on which a pixel is a point.
pub struct Screen {
    eye: Vec3,
    /// From the eye to the picture's top-left corner, and a pixel to the right and down.
    corner: Vec3,
    right: Vec3,
    down: Vec3,
}

impl Screen {
    /// The plane through what a camera looks at.
    pub fn of(camera: &Camera, (width, height): (u32, u32)) -> Self {
        let toward = camera.target - camera.eye;
        let forward = toward.normalize_or(Vec3::NEG_Z);
        let right = forward.cross(camera.up).normalize_or(Vec3::X);
        let up = right.cross(forward);
        let half_height = toward.length() * (0.5 * camera.vertical_fov_rad).tan();
        let pixel = 2.0 * half_height / height as f32;
        let corner = toward - right * (0.5 * width as f32 * pixel) + up * half_height;
        Self { eye: camera.eye, corner, right: right * pixel, down: -up * pixel }
    }

    /// A camera before which a pixel of an empty picture is a unit.
    pub fn flat_camera((width, height): (u32, u32)) -> Camera {
        let target = Vec3::new(0.5 * width as f32, 0.5 * height as f32, 0.0);
        // From two heights away.
        let eye = target + Vec3::Z * (2.0 * height as f32);
        Camera { eye, target, up: Vec3::Y, vertical_fov_rad: 2.0 * 0.25f32.atan() }
    }

    fn at(&self, pixel: Vec2) -> Vec3 {
        self.eye + self.corner + self.right * pixel.x + self.down * pixel.y
    }

    /// Joined straight lines through pixels.
    pub fn line(&self, pixels: impl IntoIterator<Item = Vec2>, width_px: f32, color: Rgba8) -> Overlay {
        let points = pixels.into_iter().map(|pixel| self.at(pixel)).collect();
        Overlay::Polyline { points, closed: false, width_px, color, depth: OverlayDepth::XRay }
    }

    /// A line of text with its baseline at a pixel.
    pub fn text(text: impl Into<String>, at: Vec2, size_px: f32, color: Rgba8, align: Align) -> Overlay {
        let style = TextStyle { size_px, color, align, halo: Some([255, 255, 255, 200]) };
        Overlay::Label { text: text.into(), at: LabelAnchor::Screen(at), style }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_come_back_to_their_places() {
        let size = (640, 360);
        let camera = Camera {
            eye: Vec3::new(2.0, 3.0, 4.0),
            target: Vec3::new(0.0, 0.5, -1.0),
            up: Vec3::Y,
            vertical_fov_rad: 0.6,
        };
        for camera in [camera, Screen::flat_camera(size)] {
            let screen = Screen::of(&camera, size);
            for pixel in [Vec2::new(0.0, 0.0), Vec2::new(320.0, 180.0), Vec2::new(620.0, 17.0)] {
                let (found, _) = camera.project(screen.at(pixel), size.0, size.1).unwrap();
                assert!(found.distance(pixel) < 0.05, "{pixel} became {found}");
            }
        }
    }
}
