//! Visible surface points: attributes between a triangle's corners, textures, vertex colors, scalar maps, wireframe.

use glam::{Vec2, Vec3A, Vec4};

use crate::frame::facing;
use crate::hit::TriangleHit;
use crate::mesh::{Draw, Vertex};
use crate::raster::{Fragment, centroid};
use crate::scene::{Material, Object};
use crate::shade::Shader;

/// A visible surface point with its material resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// View units.
    pub(crate) position: Vec3A,
    pub(crate) normal: Vec3A,
    /// Distance along the line of sight.
    pub(crate) depth: f32,
    pub(crate) to_eye: Vec3A,
    pub(crate) color: Vec3A,
    pub(crate) alpha: f32,
    pub(crate) roughness: f32,
    /// Factor on mirrored light.
    pub(crate) sheen: f32,
    pub(crate) unlit: bool,
}

/// A triangle made ready to give surface points. Neighboring pixels mostly share one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facet<'a> {
    shader: Shader<'a>,
    pub(crate) triangle: u32,
    corners: [&'a Vertex; 3],
    hit: TriangleHit,
    draw: &'a Draw,
    material: &'a Material,
    object: &'a Object,
    /// Products of the hit's axes with a pixel's step to the right and up.
    right: AxisSteps,
    up: AxisSteps,
}

#[derive(Clone, Copy, Debug)]
struct AxisSteps {
    u: f32,
    v: f32,
    normal: f32,
}

/// Width of wireframe lines in pixels, their color and how much of the surface they hide.
const WIRE_WIDTH_PX: f32 = 1.0;
const WIRE_COLOR: Vec3A = Vec3A::new(0.028, 0.045, 0.085);
const WIRE_OPACITY: f32 = 0.62;

/// Factor on mirrored light where a scalar map is shown: highlights would change its colors.
const MAPPED_SHEEN: f32 = 0.4;

impl<'a> Facet<'a> {
    pub(crate) fn new(shader: &Shader<'a>, triangle: u32) -> Self {
        let corners = shader.mesh.corners(triangle);
        let hit = TriangleHit::new(shader.lens.eye, corners.map(|corner| corner.position()));
        let draw = shader.mesh.draw(triangle);
        let steps = |direction: Vec3A| {
            let step = direction / shader.lens.focal_px;
            AxisSteps { u: step.dot(hit.u_axis), v: step.dot(hit.v_axis), normal: step.dot(hit.normal) }
        };
        Self {
            shader: *shader,
            triangle,
            corners,
            hit,
            draw,
            material: shader.mesh.material(shader.scene, draw),
            object: &shader.scene.objects[draw.object as usize],
            right: steps(shader.lens.right),
            up: steps(shader.lens.up),
        }
    }

    /// The surface point a fragment of this triangle shows; `x`, `y` is its pixel.
    pub(crate) fn surface(&self, fragment: &Fragment, x: usize, y: usize) -> Surface {
        let (lens, hit, corners) = (self.shader.lens, &self.hit, &self.corners);
        let at = centroid(fragment.mask);
        let ray = lens.ray(x as f32 + at.x, y as f32 + at.y);
        let weights = hit.weights(ray);
        let [a, b, c] = weights;
        let position_u = corners[0].position_u * a + corners[1].position_u * b + corners[2].position_u * c;
        let normal_v = corners[0].normal_v * a + corners[1].normal_v * b + corners[2].normal_v * c;
        let (position, normal) = (Vec3A::from_vec4(position_u), Vec3A::from_vec4(normal_v));
        let normal = normal.try_normalize().unwrap_or_else(|| hit.normal.normalize_or(Vec3A::Y));
        let to_eye = -ray.normalize_or(lens.forward);
        let uv = Vec2::new(position_u.w, normal_v.w);
        let texel = self.base_color(1.0 / ray.dot(hit.normal), uv, weights);
        let is_mapped = self.object.scalar_map.is_some();
        let mut surface = Surface {
            position,
            normal: bent_to_eye(facing(normal, hit.normal, ray), to_eye),
            depth: (position - lens.eye).dot(lens.forward),
            to_eye,
            color: Vec3A::from_vec4(texel),
            alpha: texel.w,
            roughness: self.material.roughness.clamp(0.05, 1.0),
            sheen: if is_mapped { MAPPED_SHEEN } else { 1.0 },
            unlit: self.material.unlit && !is_mapped,
        };
        if self.object.wireframe {
            let share = self.wire_share(x, y);
            surface.color = surface.color.lerp(WIRE_COLOR, share * WIRE_OPACITY);
            surface.sheen *= 1.0 - share;
        }
        surface
    }

    /// Color and alpha from scalar map, material, texture and vertex colors.
    fn base_color(&self, inverse: f32, uv: Vec2, weights: [f32; 3]) -> Vec4 {
        let mesh = self.shader.mesh;
        if let Some(map) = &self.object.scalar_map {
            let indices = mesh.triangles[self.triangle as usize];
            let position = (0..3).map(|i| mesh.scalars[indices[i] as usize] * weights[i]).sum();
            return map.color_map.linear(position).extend(self.material.base_color.w);
        }
        let mut color = self.material.base_color;
        if let Some(texture) = &self.material.texture {
            let [a, b, c] = self.corners.map(Vertex::uv);
            let step = |steps: &AxisSteps| {
                let (du, dv) = weight_steps(steps, inverse, weights[1], weights[2]);
                (b - a) * du + (c - a) * dv
            };
            color *= texture.sample(uv, step(&self.right), step(&self.up));
        }
        if self.draw.has_colors {
            let indices = mesh.triangles[self.triangle as usize];
            color *= (0..3).map(|i| mesh.colors[indices[i] as usize] * weights[i]).sum::<Vec4>();
        }
        let color = color.max(Vec4::ZERO);
        if color.is_finite() { color } else { Vec4::W }
    }

    /// How much of a wireframe line covers the pixel. Measured at the pixel's middle, also outside the triangle, so
    /// that both triangles of an edge agree.
    fn wire_share(&self, x: usize, y: usize) -> f32 {
        let ray = self.shader.lens.ray(x as f32 + 0.5, y as f32 + 0.5);
        let inverse = 1.0 / ray.dot(self.hit.normal);
        let (u, v) = self.hit.raw_weights(ray);
        let (u_right, v_right) = weight_steps(&self.right, inverse, u, v);
        let (u_up, v_up) = weight_steps(&self.up, inverse, u, v);
        let (slope_u, slope_v) = (Vec2::new(u_right, u_up), Vec2::new(v_right, v_up));
        let distance = |weight: f32, slope: Vec2| weight.abs() / slope.length().max(1e-12);
        let nearest =
            distance(u, slope_u).min(distance(v, slope_v)).min(distance(1.0 - u - v, -slope_u - slope_v));
        (WIRE_WIDTH_PX * self.shader.scale * 0.5 + 0.5 - nearest).clamp(0.0, 1.0)
    }
}

/// Change of both weights for one pixel: `du = (dx·U − u dx·N) / d·N` for a ray `d` that moves by `dx`.
fn weight_steps(steps: &AxisSteps, inverse: f32, u: f32, v: f32) -> (f32, f32) {
    ((steps.u - u * steps.normal) * inverse, (steps.v - v * steps.normal) * inverse)
}

/// An interpolated normal can look away from the eye near a silhouette; bend it back until it just does not.
fn bent_to_eye(normal: Vec3A, to_eye: Vec3A) -> Vec3A {
    let toward = normal.dot(to_eye);
    if toward >= 0.0 { normal } else { (normal - to_eye * (toward * 1.001)).normalize_or(to_eye) }
}
