//! The frame's triangles: all objects of a scene in one set of arrays, in view units.

use glam::{Vec2, Vec3A, Vec4};
use rayon::prelude::*;

use crate::Alpha;
use crate::camera::Lens;
use crate::scene::{Material, Object, Scene};

/// One corner of the surface, 32 bytes so that two share a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Vertex {
    /// Position, and texture u in the last place.
    pub(crate) position_u: Vec4,
    /// Normal, and texture v in the last place.
    pub(crate) normal_v: Vec4,
}

impl Vertex {
    #[inline]
    pub(crate) fn position(&self) -> Vec3A {
        Vec3A::from_vec4(self.position_u)
    }

    #[inline]
    pub(crate) fn normal(&self) -> Vec3A {
        Vec3A::from_vec4(self.normal_v)
    }

    #[inline]
    pub(crate) fn uv(&self) -> Vec2 {
        Vec2::new(self.position_u.w, self.normal_v.w)
    }
}

/// Effect of a triangle's fragments on the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Coverage {
    /// Hides what is behind.
    Full,
    /// Hides where alpha reaches the cutoff.
    Masked,
    /// Hides where alpha is all but full, blends elsewhere.
    Blended,
}

/// One material in use: where it is in the scene and what drawing needs to know at once.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub(crate) object: u32,
    /// None for triangles in no group.
    pub(crate) group: Option<u32>,
    pub(crate) coverage: Coverage,
    pub(crate) alpha_cutoff: f32,
    pub(crate) double_sided: bool,
    pub(crate) casts_shadow: bool,
    pub(crate) has_colors: bool,
}

/// Flattened scene, reused from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Mesh {
    pub(crate) vertices: Vec<Vertex>,
    /// One per vertex if any object has colors, else empty.
    pub(crate) colors: Vec<Vec4>,
    /// One per vertex if any object has a scalar map, else empty.
    pub(crate) scalars: Vec<f32>,
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Index into `draws`, one per triangle.
    pub(crate) triangle_draw: Vec<u16>,
    pub(crate) draws: Vec<Draw>,
    pub(crate) default_material: Material,
}

/// Alpha from which a blended surface counts as opaque: it then takes part in shadows and occlusion.
pub(crate) const BLEND_OPAQUE: f32 = 0.98;

/// Farthest coordinate in view units; beyond it products overflow. Triangles that reach farther are left out.
pub(crate) const FARTHEST: f32 = 1e9;

impl Mesh {
    /// Fills the arrays from a valid scene.
    pub(crate) fn fill(&mut self, scene: &Scene, lens: &Lens) {
        self.vertices.clear();
        self.colors.clear();
        self.scalars.clear();
        self.triangles.clear();
        self.triangle_draw.clear();
        self.draws.clear();
        let has_colors = scene.objects.iter().any(|object| !object.vertex_colors.is_empty());
        let has_scalars = scene.objects.iter().any(|object| object.scalar_map.is_some());
        for (index, object) in scene.objects.iter().enumerate() {
            let first_vertex = self.vertices.len();
            self.push_vertices(object, lens);
            if has_colors {
                self.colors.extend_from_slice(&object.vertex_colors);
                self.colors.resize(self.vertices.len(), Vec4::ONE);
            }
            if has_scalars {
                if let Some(map) = &object.scalar_map {
                    self.scalars.extend(map.values.iter().map(|&value| map.position(value)));
                }
                self.scalars.resize(self.vertices.len(), f32::NAN);
            }
            self.push_triangles(index, object, first_vertex);
        }
    }

    /// The material of a draw.
    #[inline]
    pub(crate) fn material<'a>(&'a self, scene: &'a Scene, draw: &Draw) -> &'a Material {
        match draw.group {
            Some(group) => &scene.objects[draw.object as usize].groups[group as usize].material,
            None => &self.default_material,
        }
    }

    /// The draw of a triangle.
    #[inline]
    pub(crate) fn draw(&self, triangle: u32) -> &Draw {
        &self.draws[usize::from(self.triangle_draw[triangle as usize])]
    }

    /// The corners of a triangle.
    #[inline]
    pub(crate) fn corners(&self, triangle: u32) -> [&Vertex; 3] {
        self.triangles[triangle as usize].map(|index| &self.vertices[index as usize])
    }

    /// Whether all corners can be drawn.
    pub(crate) fn is_drawable(&self, triangle: u32) -> bool {
        self.corners(triangle).iter().all(|corner| is_near_enough(corner.position()))
    }

    /// Alpha of a surface point, straight from material, texture and vertex colors.
    pub(crate) fn alpha_at(
        &self,
        scene: &Scene,
        triangle: u32,
        weights: [f32; 3],
        texels_per_pixel: f32,
    ) -> f32 {
        let draw = self.draw(triangle);
        let material = self.material(scene, draw);
        let corners = self.triangles[triangle as usize];
        let mut alpha = material.base_color.w;
        if let Some(texture) = &material.texture {
            let uv = (0..3).map(|i| self.vertices[corners[i] as usize].uv() * weights[i]).sum();
            alpha *= texture.alpha(uv, texels_per_pixel);
        }
        if draw.has_colors {
            alpha *= (0..3).map(|i| self.colors[corners[i] as usize].w * weights[i]).sum::<f32>();
        }
        alpha
    }

    fn push_vertices(&mut self, object: &Object, lens: &Lens) {
        let first = self.vertices.len();
        let uv = |index: usize| object.uvs.get(index).copied().unwrap_or_default();
        let normal = |index: usize| object.normals.get(index).copied().unwrap_or_default();
        self.vertices.par_extend(object.positions.par_iter().enumerate().map(|(index, &position)| {
            let uv = uv(index);
            Vertex {
                position_u: lens.from_scene(position).extend(uv.x),
                normal_v: normal(index).normalize_or_zero().extend(uv.y),
            }
        }));
        let fresh = &mut self.vertices[first..];
        if fresh.iter().any(|vertex| vertex.normal() == Vec3A::ZERO) {
            fill_missing_normals(fresh, &object.triangles);
        }
    }

    fn push_triangles(&mut self, index: usize, object: &Object, first_vertex: usize) {
        let first_vertex = first_vertex as u32;
        let first_triangle = self.triangles.len();
        self.triangles
            .extend(object.triangles.iter().map(|corners| corners.map(|corner| corner + first_vertex)));
        let has_colors = !object.vertex_colors.is_empty();
        let has_color_alpha = object.vertex_colors.iter().any(|color| color.w < 1.0);
        let mut push_draw = |group: Option<u32>, material: &Material| {
            let draw = Draw {
                object: index as u32,
                group,
                coverage: coverage(material, has_color_alpha),
                alpha_cutoff: if let Alpha::Mask(cutoff) = material.alpha { cutoff } else { BLEND_OPAQUE },
                double_sided: material.double_sided,
                casts_shadow: material.alpha != Alpha::Blend || material.base_color.w >= 0.5,
                has_colors,
            };
            self.draws.push(draw);
            (self.draws.len() - 1) as u16
        };
        let plain = push_draw(None, &self.default_material);
        let group_draws: Vec<u16> =
            (0..).zip(&object.groups).map(|(group, run)| push_draw(Some(group), &run.material)).collect();
        self.triangle_draw.resize(self.triangles.len(), plain);
        let own = &mut self.triangle_draw[first_triangle..];
        for (run, draw) in object.groups.iter().zip(group_draws) {
            own[run.first as usize..][..run.count as usize].fill(draw);
        }
    }
}

/// Whether a position can take part in a picture.
#[inline]
pub(crate) fn is_near_enough(position: Vec3A) -> bool {
    position.abs().max_element() < FARTHEST && !position.is_nan()
}

fn coverage(material: &Material, has_color_alpha: bool) -> Coverage {
    let has_texture_alpha = material.texture.as_ref().is_some_and(|texture| !texture.is_opaque());
    let may_be_clear = has_texture_alpha || has_color_alpha;
    match material.alpha {
        Alpha::Opaque => Coverage::Full,
        Alpha::Mask(cutoff) if !may_be_clear && material.base_color.w >= cutoff => Coverage::Full,
        Alpha::Mask(_) => Coverage::Masked,
        Alpha::Blend if !may_be_clear && material.base_color.w >= BLEND_OPAQUE => Coverage::Full,
        Alpha::Blend => Coverage::Blended,
    }
}

/// Area-weighted triangle normals for the vertices that have none. A vertex with no area around it points up.
fn fill_missing_normals(vertices: &mut [Vertex], triangles: &[[u32; 3]]) {
    let mut sums = vec![Vec3A::ZERO; vertices.len()];
    for corners in triangles {
        let [a, b, c] = corners.map(|corner| vertices[corner as usize].position());
        let area = (b - a).cross(c - a);
        if area.is_finite() {
            for &corner in corners {
                sums[corner as usize] += area;
            }
        }
    }
    for (vertex, sum) in vertices.iter_mut().zip(sums) {
        if vertex.normal() == Vec3A::ZERO {
            // Tiny triangles have areas whose square underflows, so scale before normalizing.
            let scale = sum.abs().max_element();
            let normal = if scale > 0.0 { (sum / scale).normalize_or(Vec3A::Y) } else { Vec3A::Y };
            vertex.normal_v = normal.extend(vertex.normal_v.w);
        }
    }
}
