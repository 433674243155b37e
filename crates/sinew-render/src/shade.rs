//! Light on surfaces: three lamps, light from sky and floor, a soft sheen, and the floor itself.

use std::f32::consts::PI;

use glam::{Vec3, Vec3A, Vec4};

use crate::camera::Lens;
use crate::color::tone_map;
use crate::mesh::Mesh;
use crate::scene::{Lights, Scene};
use crate::surface::Surface;

/// Shares of light that arrive: from the key lamp and from the surroundings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Reach {
    pub(crate) key: f32,
    pub(crate) sky: f32,
}

/// The lamps with directions for one camera.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Studio {
    pub(crate) key: Vec3A,
    fill: Vec3A,
    rim: Vec3A,
    key_color: Vec3A,
    fill_color: Vec3A,
    rim_color: Vec3A,
    sky: Vec3A,
    floor: Vec3A,
    key_radius_rad: f32,
    /// Share of the floor's light that is the key's.
    key_on_floor: f32,
}

/// Turns fragments into colors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shader<'a> {
    pub(crate) scene: &'a Scene,
    pub(crate) mesh: &'a Mesh,
    pub(crate) lens: &'a Lens,
    pub(crate) studio: &'a Studio,
    /// Pixels of the frame along a side of a pixel of the finished picture.
    pub(crate) scale: f32,
}

/// Reflectance of skin, cloth, plastic and paint seen straight on.
const F0: f32 = 0.04;

/// Light left in the deepest floor shadow: a studio floor lights itself.
const FLOOR_LEAST: f32 = 0.10;

impl Studio {
    pub(crate) fn new(lights: &Lights, lens: &Lens) -> Self {
        let back = -lens.forward;
        // Seen from straight above the heading comes from the picture's downward direction.
        let flat = if back.x.hypot(back.z) > 0.05 { back } else { -lens.up };
        let heading = if lights.follow_camera { flat.x.atan2(flat.z) } else { 0.0 };
        let key = lights.key.direction(heading);
        let luminance = |color: Vec3| color.dot(Vec3::new(0.2126, 0.7152, 0.0722)).max(0.0);
        let (from_key, from_sky) = (luminance(lights.key.color) * key.y.max(0.0), luminance(lights.sky));
        Self {
            key: key.into(),
            fill: lights.fill.direction(heading).into(),
            rim: lights.rim.direction(heading).into(),
            key_color: lights.key.color.into(),
            fill_color: lights.fill.color.into(),
            rim_color: lights.rim.color.into(),
            sky: lights.sky.into(),
            floor: lights.floor.into(),
            key_radius_rad: lights.key_radius_rad.clamp(0.0, 1.0),
            key_on_floor: from_key / (from_key + from_sky).max(1e-6),
        }
    }

    /// Factor on the background's color where the floor receives a share of its light.
    pub(crate) fn floor_factor(&self, reach: Reach) -> Vec3A {
        let share = self.key_on_floor * reach.key + (1.0 - self.key_on_floor) * reach.sky;
        let factor = FLOOR_LEAST + (1.0 - FLOOR_LEAST) * share;
        // Shadows are lit by the sky alone, a little cooler than the key.
        Vec3A::new(factor, factor + 0.006 * (1.0 - factor), factor + 0.022 * (1.0 - factor))
    }

    /// Light given off toward the eye.
    fn shade(&self, surface: &Surface, reach: Reach, floor_open: f32) -> Vec3A {
        let normal = surface.normal;
        let to_eye = surface.to_eye;
        let n_dot_v = normal.dot(to_eye).max(0.05);
        let key = self.key_color * (normal.dot(self.key).max(0.0) * reach.key);
        // Lamps without shadows still must not shine into hollows.
        let open = 0.35 + 0.65 * reach.sky;
        let fill = self.fill_color * (normal.dot(self.fill).max(0.0) * open);
        let toward_rim = normal.dot(self.rim);
        let rim = self.rim_color * (toward_rim.max(0.0) * open);
        let floor = self.floor * floor_open;
        let upward = normal.y * 0.5 + 0.5;
        let around = floor.lerp(self.sky, upward);
        let ambient = around * many_bounces(reach.sky, surface.color);
        let diffuse = surface.color * (key + fill + rim + ambient);

        let alpha = surface.roughness * surface.roughness;
        let mirrored = 2.0 * normal.dot(to_eye) * normal - to_eye;
        let reflected = floor.lerp(self.sky, mirrored.y * 0.5 + 0.5);
        let mut specular = reflected * (environment_share(surface.roughness, n_dot_v) * reach.sky);
        // The lamp's width blurs the highlight as roughness does.
        specular += key * (ggx(normal, to_eye, self.key, alpha + 0.5 * self.key_radius_rad) * PI);
        if toward_rim > 0.0 {
            specular += rim * (ggx(normal, to_eye, self.rim, alpha + 0.15) * PI);
        }
        diffuse + specular * surface.sheen
    }
}

impl Shader<'_> {
    /// Tone-mapped linear color of a surface point. `floor_open` is the share of light the floor below gives.
    pub(crate) fn color(&self, surface: &Surface, reach: Reach, floor_open: f32) -> Vec3A {
        if surface.unlit {
            return surface.color;
        }
        let color = tone_map(self.studio.shade(surface, reach, floor_open));
        if color.is_finite() { color } else { Vec3A::ZERO }
    }
}

/// Light found in a hollow after several bounces, by surface color: a fit by Jimenez and others (2016). White hollows stay bright.
fn many_bounces(open: f32, color: Vec3A) -> Vec3A {
    let a = 2.0404 * color - 0.3324;
    let b = -4.7951 * color + 0.6417;
    let c = 2.7552 * color + 0.6903;
    Vec3A::splat(open).max(((open * a + b) * open + c) * open)
}

/// Microfacet reflection of a lamp, per unit of light on the surface: GGX with the visibility term of Karis' fit.
fn ggx(normal: Vec3A, to_eye: Vec3A, to_lamp: Vec3A, alpha: f32) -> f32 {
    let half = (to_eye + to_lamp).normalize_or(normal);
    let n_dot_h = normal.dot(half).max(0.0);
    let l_dot_h = to_lamp.dot(half).max(0.1);
    let alpha_squared = (alpha * alpha).clamp(1e-4, 1.0);
    let spread = n_dot_h * n_dot_h * (alpha_squared - 1.0) + 1.0;
    let distribution = alpha_squared / (PI * spread * spread);
    let visibility = 0.25 / (l_dot_h * l_dot_h * (alpha + 0.5));
    let grazing = 1.0 - l_dot_h;
    let squared = grazing * grazing;
    let fresnel = F0 + (1.0 - F0) * squared * squared * grazing;
    distribution * visibility * fresnel
}

/// Share of the surroundings that a rough surface mirrors, after Karis' fit for mobile graphics; its power of two is
/// replaced by a sixth power that is as near to the integral and needs no library call.
fn environment_share(roughness: f32, n_dot_v: f32) -> f32 {
    let r = Vec4::new(-1.0, -0.0275, -0.572, 0.022) * roughness + Vec4::new(1.0, 0.0425, 1.04, -0.04);
    let squared = (1.0 - n_dot_v) * (1.0 - n_dot_v);
    let bend = (r.x * r.x).min(squared * squared * squared) * r.x + r.y;
    (-1.04 * bend + r.z) * F0 + 1.04 * bend + r.w
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_white_and_black_surfaces_keep_their_light() {
        for color in [Vec3A::ZERO, Vec3A::splat(0.5), Vec3A::ONE] {
            assert!((many_bounces(1.0, color) - 1.0).abs().max_element() < 0.01, "{color}");
        }
        assert!(many_bounces(0.3, Vec3A::ONE).x > many_bounces(0.3, Vec3A::ZERO).x);
    }

    #[test]
    fn highlight_peaks_at_the_mirror_direction() {
        let lamp = Vec3A::new(0.6, 0.8, 0.0);
        let mirror = ggx(Vec3A::Y, Vec3A::new(-0.6, 0.8, 0.0), lamp, 0.2);
        assert!(mirror > 4.0 * ggx(Vec3A::Y, Vec3A::Y, lamp, 0.2));
        assert!(ggx(Vec3A::Y, -lamp, lamp, 0.0).is_finite());
    }

    #[test]
    fn lit_floor_has_the_background_color() {
        let lens = Lens::new(
            &crate::Camera { eye: Vec3::Z, target: Vec3::ZERO, up: Vec3::Y, vertical_fov_rad: 0.5 },
            8,
            8,
        )
        .unwrap();
        let studio = Studio::new(&Lights::default(), &lens);
        assert!((studio.floor_factor(Reach { key: 1.0, sky: 1.0 }) - 1.0).abs().max_element() < 1e-6);
        assert!(studio.floor_factor(Reach { key: 0.0, sky: 0.0 }).max_element() < 0.15);
    }
}
