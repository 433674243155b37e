//! Errors of scenes and pictures, and the check that finds them.

use thiserror::Error;

use crate::scene::{Object, Scene};

/// Error of making a picture or a texture.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RenderError {
    /// A side is zero or above [`crate::MAX_IMAGE_SIDE`].
    #[error(
        "a picture of {width}×{height} pixels is out of range; use 1 to {} per side",
        crate::MAX_IMAGE_SIDE
    )]
    ImageSize { width: u32, height: u32 },
    #[error("the camera has a value that is not finite")]
    Camera,
    /// A side is zero or above [`crate::Texture::MAX_SIDE`].
    #[error("a texture of {width}×{height} is out of range; use 1 to {} per side", crate::Texture::MAX_SIDE)]
    TextureSize { width: u32, height: u32 },
    /// Width × height × 4 are needed.
    #[error("a texture needs {expected} bytes of RGBA, found {found}")]
    TextureBytes { expected: usize, found: usize },
    #[error("the scene has {} problem(s), the first: {}", .0.len(), .0.first().map_or_else(String::new, ToString::to_string))]
    Scene(Vec<SceneProblem>),
}

/// Error of writing pictures.
#[derive(Debug, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum EncodeError {
    #[error("the PNG encoder failed on a {width}×{height} picture")]
    Png { width: u32, height: u32, source: png::EncodingError },
    #[error("a GIF needs at least one frame")]
    NoFrames,
    #[error("frame {frame} has {found:?} pixels, expected {expected:?} as in the first")]
    FrameSize { frame: usize, expected: (u32, u32), found: (u32, u32) },
    #[error("invalid frame rate {0}; use a number above 0")]
    FrameRate(f32),
    #[error("the GIF encoder failed")]
    Gif(#[from] gif::EncodingError),
}

/// One thing that is wrong with a scene.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SceneProblem {
    #[error(
        "object {object}, triangle {triangle}: vertex {index} is out of range; the object has {vertex_count} vertices"
    )]
    VertexIndex { object: usize, triangle: usize, index: u32, vertex_count: usize },
    #[error("object {object} has {found} {array}, expected none or {expected}")]
    ArrayLength { object: usize, array: &'static str, expected: usize, found: usize },
    #[error(
        "object {object}, group {group}: triangles {first}..{end} are out of range; the object has {triangle_count}"
    )]
    GroupRange { object: usize, group: usize, first: u64, end: u64, triangle_count: usize },
    /// The objects together have more "vertices", "triangles" or "materials" than 32-bit indices reach.
    #[error("the scene has {found} {elements}; the maximum is {limit}")]
    TooLarge { elements: &'static str, found: usize, limit: usize },
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
        assert_eq!(
            message,
            "the scene has 3 problem(s), the first: object 1 has 2 normals, expected none or 3"
        );
    }
}
