//! The scene: objects, materials, floor, background and lights, as plain values.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use crate::Alpha;
use crate::color::linear_from_rgb8;
use crate::colormap::ScalarMap;
use crate::overlay::Overlay;
use crate::texture::Texture;

/// Everything in a picture but the camera. Right-handed, +Y up, in any unit of length.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// Surfaces, in scene space.
    pub objects: Vec<Object>,
    /// The floor.
    pub ground: Ground,
    /// Behind the objects.
    pub background: Background,
    /// The lamps.
    pub lights: Lights,
    /// Lines, bones, points and labels drawn over the picture, in order.
    pub overlays: Vec<Overlay>,
    /// Marks on the floor, to make motion over it visible. Default: none.
    pub floor_marks: Option<FloorMarks>,
    /// Holds light still between pictures that follow each other. Default: none, each picture fits its own objects best.
    pub steady: Option<Steady>,
}

/// A grid of thin lines on the floor, along X and Z through the origin, each pixel the mean of what it covers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FloorMarks {
    /// From line to line, scene units, above 0.
    pub spacing: f32,
    /// Width of a line, scene units.
    pub width: f32,
    /// Share of the floor's light that a line removes, 0 to 1.
    pub strength: f32,
    /// Distance from the eye at which the lines have faded, scene units.
    pub fade: f32,
}

/// Fixed lengths for light, in place of lengths that fit what one picture shows.
///
/// Shadow maps then keep their grain, and lie on a grid that is fixed in the scene: an object at rest has the same shadow in every
/// picture, whatever else and the camera move. Lengths that are not above 0 and finite do not count.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Steady {
    /// Middle of what casts shadows now, scene space.
    pub center: Vec3,
    /// Side of the cube about it that casts shadows, scene units; the same in all pictures.
    pub extent: f32,
    /// Size of one subject, scene units, the same in all pictures: occlusion reaches a share of it.
    pub subject: f32,
}

/// A triangle mesh.
#[derive(Clone, Debug, Default)]
pub struct Object {
    /// One per vertex, scene space. A triangle with a position that is not finite is left out.
    pub positions: Vec<Vec3>,
    /// One per vertex, need not be unit. Empty, or zero at a vertex: normals are computed from the triangles.
    pub normals: Vec<Vec3>,
    /// One per vertex, `(0, 0)` at the top left of the texture; or empty.
    pub uvs: Vec<Vec2>,
    /// One per vertex, linear color and straight alpha, multiplied into the material's; or empty.
    pub vertex_colors: Vec<Vec4>,
    /// Vertex indices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// Materials of runs of triangles. Triangles in no group have the default material; where groups overlap the
    /// later one counts.
    pub groups: Vec<Group>,
    /// Numbers shown in place of the materials' color, with a legend.
    pub scalar_map: Option<ScalarMap>,
    /// Whether triangle edges are drawn on the surface.
    pub wireframe: bool,
}

/// A run of triangles with one material.
#[derive(Clone, Debug)]
pub struct Group {
    /// Index of the first triangle.
    pub first: u32,
    /// Number of triangles.
    pub count: u32,
    /// Their material.
    pub material: Material,
}

/// The look of a surface.
#[derive(Clone, Debug)]
pub struct Material {
    /// Linear color and alpha, multiplied with the texture. Default: light warm gray.
    pub base_color: Vec4,
    /// Color image.
    pub texture: Option<Arc<Texture>>,
    /// Meaning of alpha; blended surfaces are sorted for each pixel, and opaque where alpha is all but full. Default: [`Alpha::Opaque`].
    pub alpha: Alpha,
    /// Whether both sides are visible. Default: true.
    ///
    /// The back of a single-sided surface is not drawn over anything, as glTF asks, so inverted outline hulls work.
    /// But where nothing else covers the background, it is drawn after all, with its normal turned: an open mesh never
    /// shows a hole.
    pub double_sided: bool,
    /// Microfacet roughness, 0.05 mirror-like to 1 matt, clamped. Default: 0.55, like skin or satin paint.
    pub roughness: f32,
    /// Whether the color is shown without lighting. Default: false.
    pub unlit: bool,
}

/// The floor. It takes shadows and has the background's color, so it has no horizon; it never hides an object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Ground {
    /// No floor.
    #[default]
    None,
    /// The horizontal plane at this height, visible only from above.
    Plane {
        /// Height, scene units.
        y: f32,
    },
}

/// The background behind the objects, in linear color.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Background {
    /// One color.
    Solid(Vec3),
    /// From top to bottom of the picture.
    Gradient {
        /// Color of the top row.
        top: Vec3,
        /// Color of the bottom row.
        bottom: Vec3,
    },
}

/// A studio: three lamps, of which the key casts shadows, and soft light from above and from the floor.
///
/// Intensities are what a white surface facing the lamp gives back: 1 is white before the tone curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lights {
    /// The main lamp.
    pub key: Lamp,
    /// Radius of the key lamp as an angle: 0.1 is a softbox. Makes shadows softer with the caster's height.
    pub key_radius_rad: f32,
    /// Softens the key's shadow side; no shadow.
    pub fill: Lamp,
    /// From behind, to set the subject off the background; no shadow.
    pub rim: Lamp,
    /// Light from straight above.
    pub sky: Vec3,
    /// Light from the floor.
    pub floor: Vec3,
    /// Whether the lamps turn with the camera about +Y, so every view is lit from the same side of the picture.
    /// Otherwise azimuth 0 is +Z. Default: true.
    pub follow_camera: bool,
}

/// A lamp at infinity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lamp {
    /// Angle about +Y in radians: 0 is on the camera's side (or +Z), positive to the right of the picture (or +X).
    pub azimuth_rad: f32,
    /// Angle above the horizon in radians.
    pub elevation_rad: f32,
    /// Linear color times intensity.
    pub color: Vec3,
}

impl Object {
    /// A mesh of one material with nothing but positions and triangles.
    pub fn new(positions: Vec<Vec3>, triangles: Vec<[u32; 3]>, material: Material) -> Self {
        let count = u32::try_from(triangles.len()).unwrap_or(u32::MAX);
        Self { positions, triangles, groups: vec![Group { first: 0, count, material }], ..Self::default() }
    }
}

impl Default for Material {
    fn default() -> Self {
        Self {
            base_color: linear_from_rgb8([214, 208, 202]).extend(1.0),
            texture: None,
            alpha: Alpha::Opaque,
            double_sided: true,
            roughness: 0.55,
            unlit: false,
        }
    }
}

impl Default for Background {
    /// A studio backdrop: near white above, light gray below.
    fn default() -> Self {
        Self::Gradient { top: linear_from_rgb8([250, 250, 251]), bottom: linear_from_rgb8([229, 231, 234]) }
    }
}

impl Background {
    /// Linear color at a row, `t` from 0 at the top to 1 at the bottom.
    pub(crate) fn color(&self, t: f32) -> Vec3 {
        match *self {
            Self::Solid(color) => color,
            Self::Gradient { top, bottom } => top.lerp(bottom, t * t * (3.0 - 2.0 * t)),
        }
    }
}

impl Default for Lights {
    fn default() -> Self {
        Self {
            key: Lamp::new(-40.0, 54.0, Vec3::new(1.0, 0.98, 0.95) * 1.08),
            key_radius_rad: 0.09,
            fill: Lamp::new(62.0, 16.0, Vec3::new(0.92, 0.96, 1.0) * 0.13),
            rim: Lamp::new(152.0, 34.0, Vec3::splat(0.45)),
            sky: Vec3::new(0.97, 0.985, 1.0) * 0.40,
            floor: Vec3::new(1.0, 0.985, 0.965) * 0.23,
            follow_camera: true,
        }
    }
}

impl Lamp {
    fn new(azimuth_deg: f32, elevation_deg: f32, color: Vec3) -> Self {
        Self { azimuth_rad: azimuth_deg.to_radians(), elevation_rad: elevation_deg.to_radians(), color }
    }

    /// Unit vector toward the lamp when azimuth 0 is `heading_rad` about +Y.
    pub(crate) fn direction(&self, heading_rad: f32) -> Vec3 {
        let azimuth = self.azimuth_rad + heading_rad;
        let (sin, cos) = azimuth.sin_cos();
        let (rise, run) = self.elevation_rad.sin_cos();
        Vec3::new(run * sin, rise, run * cos)
    }
}
