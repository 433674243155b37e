//! What a scene or a picture size can be refused for, and the check that finds it.

use thiserror::Error;

use crate::scene::{Object, Scene};

/// Why a picture, or a texture for it, could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RenderError {
    /// A side is zero or above [`crate::MAX_IMAGE_SIDE`].
    #[error("picture is {width}×{height} pixels; each side must be 1 to {}", crate::MAX_IMAGE_SIDE)]
    ImageSize {
        /// Width asked for, in pixels.
        width: u32,
        /// Height asked for, in pixels.
        height: u32,
    },
    /// A camera field is infinite or not a number.
    #[error("camera has a value that is not finite")]
    Camera,
    /// A side is zero or above [`crate::Texture::MAX_SIDE`].
    #[error("texture is {width}×{height}; each side must be 1 to {}", crate::Texture::MAX_SIDE)]
    TextureSize {
        /// Width asked for, in texels.
        width: u32,
        /// Height asked for, in texels.
        height: u32,
    },
    /// The pixel bytes do not match the size.
    #[error("texture needs {expected} bytes of RGBA, found {found}")]
    TextureBytes {
        /// Width × height × 4.
        expected: usize,
        /// Length of the given slice.
        found: usize,
    },
    /// The scene does not fit together; every problem is listed.
    #[error("scene has {} problem(s), the first: {}", .0.len(), .0.first().map_or_else(String::new, ToString::to_string))]
    Scene(Vec<SceneProblem>),
}

/// Why pictures could not be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The encoder of PNG failed.
    #[error("PNG encoder failed on a {width}×{height} picture")]
    Png {
        /// Width in pixels.
        width: u32,
        /// Height in pixels.
        height: u32,
        /// What the encoder said.
        source: png::EncodingError,
    },
    /// A GIF of no frames.
    #[error("a GIF needs at least one frame")]
    NoFrames,
    /// A frame differs in size from the first.
    #[error("frame {frame} is {found:?} pixels, the first is {expected:?}")]
    FrameSize {
        /// Which frame.
        frame: usize,
        /// Width and height of the first frame.
        expected: (u32, u32),
        /// Width and height of this one.
        found: (u32, u32),
    },
    /// The frame rate is not a positive number.
    #[error("frame rate is {0} per second, it must be above 0")]
    FrameRate(f32),
    /// The encoder of GIF failed.
    #[error("GIF encoder failed")]
    Gif(#[from] gif::EncodingError),
}

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SceneProblem {
    /// A triangle names a vertex that is not there.
    #[error(
        "object {object}, triangle {triangle}: vertex index {index}, but the object has {vertex_count} vertices"
    )]
    VertexIndex {
        /// Which object.
        object: usize,
        /// Which of its triangles.
        triangle: usize,
        /// The index found.
        index: u32,
        /// Number of positions.
        vertex_count: usize,
    },
    /// An optional array is neither empty nor one per vertex.
    #[error("object {object}: {found} {array}, expected none or {expected}")]
    ArrayLength {
        /// Which object.
        object: usize,
        /// Name of the array.
        array: &'static str,
        /// Number of positions.
        expected: usize,
        /// Its length.
        found: usize,
    },
    /// A group reaches past the triangles.
    #[error("object {object}, group {group}: triangles {first}..{end}, but the object has {triangle_count}")]
    GroupRange {
        /// Which object.
        object: usize,
        /// Which of its groups.
        group: usize,
        /// First triangle of the group.
        first: u64,
        /// One past its last triangle.
        end: u64,
        /// Number of triangles.
        triangle_count: usize,
    },
    /// The objects together have more vertices or triangles than 32-bit indices reach.
    #[error("scene has {found} {elements}, at most {limit} can be drawn")]
    TooLarge {
        /// "vertices", "triangles" or "materials".
        elements: &'static str,
        /// How many there are.
        found: usize,
        /// How many there may be.
        limit: usize,
    },
}

impl Scene {
    /// Checks that all indices, array lengths and group ranges fit. Values (not finite, degenerate) are not problems:
    /// each has a defined picture.
    ///
    /// # Errors
    /// Every problem found.
    pub fn validate(&self) -> Result<(), Vec<SceneProblem>> {
        let mut problems = Vec::new();
        for (index, object) in self.objects.iter().enumerate() {
            check_object(index, object, &mut problems);
        }
        let sums: [(&'static str, usize, usize); 3] = [
            ("vertices", self.objects.iter().map(|object| object.positions.len()).sum(), ELEMENT_LIMIT),
            ("triangles", self.objects.iter().map(|object| object.triangles.len()).sum(), ELEMENT_LIMIT),
            ("materials", self.objects.iter().map(|object| object.groups.len() + 1).sum(), GROUP_LIMIT),
        ];
        for (elements, found, limit) in sums {
            if found > limit {
                problems.push(SceneProblem::TooLarge { elements, found, limit });
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }
}

/// Triangle numbers share 32 bits with a few marks.
const ELEMENT_LIMIT: usize = 1 << 30;
const GROUP_LIMIT: usize = 1 << 16;

fn check_object(index: usize, object: &Object, problems: &mut Vec<SceneProblem>) {
    let vertex_count = object.positions.len();
    let arrays = [
        ("normals", object.normals.len()),
        ("uvs", object.uvs.len()),
        ("vertex colors", object.vertex_colors.len()),
        ("scalar values", object.scalar_map.as_ref().map_or(0, |map| map.values.len())),
    ];
    for (array, found) in arrays {
        if found != 0 && found != vertex_count {
            problems.push(SceneProblem::ArrayLength { object: index, array, expected: vertex_count, found });
        }
    }
    for (triangle, corners) in object.triangles.iter().enumerate() {
        if let Some(&bad) = corners.iter().find(|&&corner| corner as usize >= vertex_count) {
            problems.push(SceneProblem::VertexIndex { object: index, triangle, index: bad, vertex_count });
        }
    }
    let triangle_count = object.triangles.len();
    for (group, run) in object.groups.iter().enumerate() {
        let (first, end) = (u64::from(run.first), u64::from(run.first) + u64::from(run.count));
        if end > triangle_count as u64 {
            problems.push(SceneProblem::GroupRange { object: index, group, first, end, triangle_count });
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::scene::{Group, Material};

    #[test]
    fn all_problems_are_named() {
        let mut object = Object::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2], [0, 1, 9]], Material::default());
        object.normals = vec![Vec3::Y; 2];
        object.groups.push(Group { first: 1, count: u32::MAX, material: Material::default() });
        let scene = Scene { objects: vec![Object::default(), object], ..Scene::default() };
        let problems = scene.validate().unwrap_err();
        assert_eq!(
            problems,
            [
                SceneProblem::ArrayLength { object: 1, array: "normals", expected: 3, found: 2 },
                SceneProblem::VertexIndex { object: 1, triangle: 1, index: 9, vertex_count: 3 },
                SceneProblem::GroupRange { object: 1, group: 1, first: 1, end: 1 << 32, triangle_count: 2 },
            ]
        );
        let message = RenderError::Scene(problems).to_string();
        assert_eq!(message, "scene has 3 problem(s), the first: object 1: 2 normals, expected none or 3");
    }
}
