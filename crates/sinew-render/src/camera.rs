//! Cameras, standard views and automatic framing.

use glam::{DVec3, Vec2, Vec3, Vec3A};
use sinew_geometry::Bounds;

/// A perspective camera in scene space. Near and far are chosen by the renderer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position of the camera, scene units.
    pub eye: Vec3,
    /// The point in the middle of the picture. If it equals `eye`, the camera looks along −Z.
    pub target: Vec3,
    /// Roughly up; need not be perpendicular. If it is zero or along the line of sight, +Y or −Z takes its place.
    pub up: Vec3,
    /// Full vertical angle of view in radians, held within 0.01 to 3.0 when drawing.
    pub vertical_fov_rad: f32,
}

/// A standard view of a subject that faces +Z.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// From +Z, a little above: the face.
    Front,
    /// From +X: the subject's left side, its face toward the left edge of the picture.
    Side,
    /// From −Z.
    Back,
    /// From the front, 35° round to the subject's left and 14° above.
    #[default]
    ThreeQuarter,
    /// From straight above, the face toward the bottom edge of the picture.
    Top,
}

impl View {
    /// Unit vector from the subject toward the camera.
    pub fn direction(self) -> Vec3 {
        let (azimuth_deg, elevation_deg): (f32, f32) = match self {
            Self::Front => (0.0, 6.0),
            Self::Side => (90.0, 6.0),
            Self::Back => (180.0, 6.0),
            Self::ThreeQuarter => (35.0, 14.0),
            Self::Top => (0.0, 90.0),
        };
        let (azimuth, elevation) = (azimuth_deg.to_radians(), elevation_deg.to_radians());
        Vec3::new(elevation.cos() * azimuth.sin(), elevation.sin(), elevation.cos() * azimuth.cos())
    }
}

impl Camera {
    /// Vertical angle of view of [`Camera::frame`], 26°: long enough that limbs toward the camera do not swell.
    pub const FRAME_FOV_RAD: f32 = 0.454;

    /// The camera that shows all finite points from a standard view, as large as fits with a margin.
    ///
    /// `aspect` is width over height. Without points it shows the unit box; a single point is given a radius of a
    /// hundredth of its distance to the origin, at least 0.001.
    pub fn frame(view: View, points: impl IntoIterator<Item = Vec3>, aspect: f32) -> Self {
        let up = if view == View::Top { Vec3::NEG_Z } else { Vec3::Y };
        Self::frame_from(view.direction(), up, points, aspect)
    }

    /// As [`Camera::frame`], from any direction. `toward_camera` points from the subject to the camera.
    pub fn frame_from(
        toward_camera: Vec3,
        up: Vec3,
        points: impl IntoIterator<Item = Vec3>,
        aspect: f32,
    ) -> Self {
        let aspect = if aspect.is_finite() { aspect.clamp(0.01, 100.0) } else { 1.0 };
        let axes = Axes::looking(-toward_camera, up);
        let half_height = (Self::FRAME_FOV_RAD * 0.5).tan() * FRAME_FILL;
        let slope = [f64::from(half_height * aspect), f64::from(half_height)];
        // A point at (x, y, z) in camera axes (z toward the camera) is inside when |x − cx| ≤ (D − z) s, that is
        //   x + z s − D s ≤ cx ≤ x − z s + D s   for all points, so
        //   D = (max(x + z s) − min(x − z s)) / 2 s   and   cx is the middle; y likewise.
        let mut points: Vec<Vec3> = points.into_iter().filter(|point| point.is_finite()).collect();
        if points.is_empty() {
            points.extend(Bounds::of(&[Vec3::splat(-0.5), Vec3::splat(0.5)]).corners());
        }
        let (mut high, mut low) = ([f64::MIN; 2], [f64::MAX; 2]);
        let (mut nearest, mut farthest) = (f64::MIN, f64::MAX);
        for point in points.iter().map(|point| point.as_dvec3()) {
            let across = [point.dot(axes.right.as_dvec3()), point.dot(axes.up.as_dvec3())];
            let toward = -point.dot(axes.forward.as_dvec3());
            for axis in 0..2 {
                high[axis] = high[axis].max(across[axis] + toward * slope[axis]);
                low[axis] = low[axis].min(across[axis] - toward * slope[axis]);
            }
            nearest = nearest.max(toward);
            farthest = farthest.min(toward);
        }
        let center = [(high[0] + low[0]) / 2.0, (high[1] + low[1]) / 2.0];
        let distance = |axis: usize| (high[axis] - low[axis]) / (2.0 * slope[axis]);
        let mut eye_depth = distance(0).max(distance(1));
        let from_origin = center[0].hypot(center[1]).max(nearest.abs());
        if eye_depth - nearest <= from_origin * 1e-6 {
            eye_depth = nearest + (from_origin * 0.01).max(0.001) / slope[1];
        }
        let at = |toward: f64| -> Vec3 {
            let point: DVec3 = axes.right.as_dvec3() * center[0] + axes.up.as_dvec3() * center[1]
                - axes.forward.as_dvec3() * toward;
            point.as_vec3()
        };
        Self {
            eye: at(eye_depth),
            target: at((nearest + farthest) / 2.0),
            up,
            vertical_fov_rad: Self::FRAME_FOV_RAD,
        }
    }

    /// Position of a point in a picture of the given size: pixels from the top-left corner, and the distance along
    /// the line of sight. None behind the camera or where a value is not finite.
    pub fn project(&self, point: Vec3, width: u32, height: u32) -> Option<(Vec2, f32)> {
        let lens = Lens::new(self, width, height)?;
        let (pixel, depth) = lens.project(lens.from_scene(point))?;
        Some((pixel, depth * lens.scene_per_unit))
    }
}

/// Share of the picture's height or width that a framed subject fills.
const FRAME_FILL: f32 = 0.86;

#[derive(Clone, Copy, Debug)]
struct Axes {
    right: Vec3,
    up: Vec3,
    forward: Vec3,
}

impl Axes {
    fn looking(forward: Vec3, up: Vec3) -> Self {
        let forward = forward.normalize_or(Vec3::NEG_Z);
        let right = [up, Vec3::Y, Vec3::NEG_Z]
            .into_iter()
            .map(|up| forward.cross(up.normalize_or_zero()))
            .find(|right| right.length_squared() > 1e-8)
            .map_or(Vec3::X, Vec3::normalize);
        Self { right, up: right.cross(forward), forward }
    }
}

/// A camera made ready for one picture.
///
/// It works in view units: the origin is the camera's target and one unit is the distance from eye to target, with the
/// axes of the scene. Models of any size then meet the same numbers, and constants can be shares of that distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lens {
    pub(crate) eye: Vec3A,
    pub(crate) right: Vec3A,
    pub(crate) up: Vec3A,
    pub(crate) forward: Vec3A,
    /// Pixels per unit of slope.
    pub(crate) focal_px: f32,
    pub(crate) center_px: Vec2,
    /// Scene units in one view unit.
    pub(crate) scene_per_unit: f32,
    /// The camera's target, scene space.
    pub(crate) origin: DVec3,
    pub(crate) unit_per_scene: f64,
}

impl Lens {
    /// None where the camera holds a value that is not finite.
    pub(crate) fn new(camera: &Camera, width: u32, height: u32) -> Option<Self> {
        let is_finite = camera.eye.is_finite()
            && camera.target.is_finite()
            && camera.up.is_finite()
            && camera.vertical_fov_rad.is_finite();
        if !is_finite {
            return None;
        }
        let sight = camera.target.as_dvec3() - camera.eye.as_dvec3();
        let length = sight.length();
        let (origin, distance, forward) = if length > 0.0 {
            (camera.target.as_dvec3(), length, (sight / length).as_vec3())
        } else {
            (camera.eye.as_dvec3() + DVec3::NEG_Z, 1.0, Vec3::NEG_Z)
        };
        let axes = Axes::looking(forward, camera.up);
        let center_px = Vec2::new(width as f32, height as f32) * 0.5;
        Some(Self {
            eye: (-axes.forward).into(),
            right: axes.right.into(),
            up: axes.up.into(),
            forward: axes.forward.into(),
            focal_px: center_px.y / (camera.vertical_fov_rad.clamp(0.01, 3.0) * 0.5).tan(),
            center_px,
            scene_per_unit: distance as f32,
            origin,
            unit_per_scene: 1.0 / distance,
        })
    }

    /// The same view in a picture of `scale` times the size.
    pub(crate) fn enlarged(self, scale: u32) -> Self {
        let scale = scale as f32;
        Self { focal_px: self.focal_px * scale, center_px: self.center_px * scale, ..self }
    }

    /// View-unit position of a scene point.
    #[expect(clippy::wrong_self_convention, reason = "target_from_source naming of transforms")]
    pub(crate) fn from_scene(&self, point: Vec3) -> Vec3 {
        ((point.as_dvec3() - self.origin) * self.unit_per_scene).as_vec3()
    }

    /// Camera coordinates: right, up, and distance along the line of sight.
    #[inline]
    pub(crate) fn camera_from_view(&self, point: Vec3A) -> Vec3 {
        let offset = point - self.eye;
        Vec3::new(offset.dot(self.right), offset.dot(self.up), offset.dot(self.forward))
    }

    /// Pixel position and depth of a view-unit point in front of the camera.
    pub(crate) fn project(&self, point: Vec3) -> Option<(Vec2, f32)> {
        let camera = self.camera_from_view(point.into());
        let pixel = self.center_px + Vec2::new(camera.x, -camera.y) * (self.focal_px / camera.z);
        (camera.z > NEAR && pixel.is_finite()).then_some((pixel, camera.z))
    }

    /// Direction through a pixel position, scaled so that its share along the line of sight is 1.
    #[inline]
    pub(crate) fn ray(&self, x: f32, y: f32) -> Vec3A {
        let inverse = 1.0 / self.focal_px;
        self.forward + self.right * ((x - self.center_px.x) * inverse)
            - self.up * ((y - self.center_px.y) * inverse)
    }
}

/// Nearest visible distance in view units. Depth is kept as 1/w, which loses no precision toward the eye, so this only
/// needs to keep the division tame.
pub(crate) const NEAR: f32 = 1e-3;

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u32, u32) = (200, 100);

    #[track_caller]
    fn check(camera: &Camera, point: Vec3, expected: Vec2) {
        let (pixel, _) = camera.project(point, SIZE.0, SIZE.1).unwrap();
        assert!((pixel - expected).length() < 1e-3, "{point} at {pixel}, expected {expected}");
    }

    #[test]
    fn known_points_land_on_known_pixels() {
        let camera = Camera {
            eye: Vec3::new(0.0, 0.0, 5.0),
            target: Vec3::ZERO,
            up: Vec3::Y,
            vertical_fov_rad: 2.0 * 0.2_f32.atan(),
        };
        // At distance 5 the picture is 2 high and 4 wide, so one unit is 50 pixels.
        check(&camera, Vec3::ZERO, Vec2::new(100.0, 50.0));
        check(&camera, Vec3::new(2.0, 1.0, 0.0), Vec2::new(200.0, 0.0));
        check(&camera, Vec3::new(-1.0, -0.5, 0.0), Vec2::new(50.0, 75.0));
        check(&camera, Vec3::new(0.5, 0.0, 2.5), Vec2::new(150.0, 50.0));
        assert!(camera.project(Vec3::new(0.0, 0.0, 6.0), 200, 100).is_none());
    }

    #[test]
    fn framing_touches_the_margin_on_one_axis_at_any_size() {
        for scale in [1e-3_f32, 1.0, 1e3, 1e12] {
            for view in [View::Front, View::Side, View::Back, View::ThreeQuarter, View::Top] {
                let bounds = Bounds::of(&[Vec3::new(-0.4, 0.0, -0.2), Vec3::new(0.5, 1.8, 0.3)]);
                let points = bounds.corners().map(|corner| corner * scale);
                let camera = Camera::frame(view, points, 2.0);
                let pixels = points.map(|point| camera.project(point, 2000, 1000).unwrap().0);
                let reach = pixels
                    .iter()
                    .map(|pixel| ((*pixel - Vec2::new(1000.0, 500.0)) / Vec2::new(1000.0, 500.0)).abs())
                    .fold(0.0_f32, |reach, pixel| reach.max(pixel.max_element()));
                assert!((reach - FRAME_FILL).abs() < 0.01, "{view:?} at {scale}: reach {reach}");
            }
        }
    }

    #[test]
    fn front_shows_the_subjects_left_on_the_right() {
        let camera = Camera::frame(View::Front, [Vec3::NEG_ONE, Vec3::ONE], 1.0);
        assert!(camera.project(Vec3::X, 100, 100).unwrap().0.x > 50.0);
        let camera = Camera::frame(View::Side, [Vec3::NEG_ONE, Vec3::ONE], 1.0);
        assert!(camera.project(Vec3::Z, 100, 100).unwrap().0.x < 50.0);
    }

    #[test]
    fn degenerate_cameras_are_defined() {
        let same = Camera { eye: Vec3::ONE, target: Vec3::ONE, up: Vec3::ZERO, vertical_fov_rad: 0.0 };
        check(&same, Vec3::new(1.0, 1.0, -4.0), Vec2::new(100.0, 50.0));
        for points in [vec![], vec![Vec3::NAN], vec![Vec3::ZERO], vec![Vec3::splat(7.0)]] {
            let camera = Camera::frame(View::Front, points, f32::NAN);
            assert!(camera.eye.is_finite() && (camera.eye - camera.target).length() > 0.0, "{camera:?}");
        }
    }
}
