//! Small meshes and scenes for the picture tests.

use glam::{Vec2, Vec3, Vec4};
use sinew_render::{
    Background, Camera, Ground, Image, Material, Object, Quality, RenderSettings, Renderer, Scene,
    linear_from_rgb8,
};

pub(crate) const BACKDROP: [u8; 3] = [238, 240, 243];

/// A sphere of `rings` × 2 `rings` quads.
pub(crate) fn sphere(middle: Vec3, radius: f32, rings: u32) -> Object {
    let around = rings * 2;
    let mut object = Object::default();
    for ring in 0..=rings {
        let polar = ring as f32 / rings as f32 * std::f32::consts::PI;
        for step in 0..=around {
            let azimuth = step as f32 / around as f32 * std::f32::consts::TAU;
            let normal = Vec3::new(polar.sin() * azimuth.sin(), polar.cos(), polar.sin() * azimuth.cos());
            object.positions.push(middle + normal * radius);
            object.normals.push(normal);
            object.uvs.push(Vec2::new(step as f32 / around as f32, ring as f32 / rings as f32));
        }
    }
    for ring in 0..rings {
        for step in 0..around {
            let (a, b) = (ring * (around + 1) + step, (ring + 1) * (around + 1) + step);
            object.triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
        }
    }
    object
}

/// A square facing +Z, two triangles.
pub(crate) fn square(middle: Vec3, half: f32, material: Material) -> Object {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let positions = corners.map(|(x, y)| middle + Vec3::new(x, y, 0.0) * half).to_vec();
    let mut object = Object::new(positions, vec![[0, 1, 2], [0, 2, 3]], material);
    object.uvs = vec![Vec2::new(0.0, 1.0), Vec2::ONE, Vec2::new(1.0, 0.0), Vec2::ZERO];
    object
}

/// A material that shows an 8-bit color as it is.
pub(crate) fn flat(rgb: [u8; 3], alpha: f32) -> Material {
    let base_color: Vec4 = linear_from_rgb8(rgb).extend(alpha);
    Material { base_color, unlit: true, ..Material::default() }
}

/// Objects before a plain backdrop, without a floor.
pub(crate) fn scene(objects: Vec<Object>) -> Scene {
    let background = Background::Solid(linear_from_rgb8(BACKDROP));
    Scene { objects, background, ground: Ground::None, ..Scene::default() }
}

/// A camera on +Z that sees exactly two units of height at the origin.
pub(crate) fn front_camera() -> Camera {
    Camera {
        eye: Vec3::new(0.0, 0.0, 5.0),
        target: Vec3::ZERO,
        up: Vec3::Y,
        vertical_fov_rad: 2.0 * 0.2_f32.atan(),
    }
}

pub(crate) fn render(scene: &Scene, camera: &Camera, size: (u32, u32), quality: Quality) -> Image {
    let settings = RenderSettings { width: size.0, height: size.1, quality };
    Renderer::new().render(scene, camera, &settings).expect("the scene is valid")
}

/// Mean of red, green and blue.
pub(crate) fn lightness(image: &Image, x: u32, y: u32) -> f32 {
    let [r, g, b, _] = image.pixel(x, y).map(f32::from);
    (r + g + b) / 3.0
}
