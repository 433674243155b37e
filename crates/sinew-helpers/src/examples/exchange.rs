//! Examples as a folder of NumPy arrays: the plain exchange format of `docs/formats/fit.md`.

use super::shape_files::{open_limited, points_error};
use crate::{ExampleFileError, ExampleSet};
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};
use sinew_io::{Limits, NpyNumbers};
use sinew_rig::DriverChange;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Examples of a folder, with the skeleton that they are of.
#[derive(Clone, Debug)]
pub struct ExchangeFolder {
    /// The examples.
    pub set: ExampleSet,
    /// Of each bone.
    pub parents: Vec<Option<usize>>,
    /// World from bone at rest, of each bone.
    pub rest_world: Vec<DAffine3>,
}

/// Reads a folder of examples. Lengths are the folder's own.
///
/// # Errors
/// A file is missing, damaged, larger than `limits` allow, or does not match the others.
pub fn read_exchange(folder: &Path, limits: &Limits) -> Result<ExchangeFolder, ExampleFileError> {
    let reader = Reader { folder, limits };
    let rest_positions = reader.points("rest", &[None, Some(3)])?;
    let vertex_count = rest_positions.len();
    let parents = reader.parents()?;
    let bone_count = parents.len();
    let rest_world = reader.matrices("bone_rest_world", &[Some(bone_count), Some(4), Some(4)])?;
    let bone_from_rest: Vec<DAffine3> = rest_world.iter().map(DAffine3::inverse).collect();
    if let Some(bone) = bone_from_rest.iter().position(|matrix| !matrix.is_finite()) {
        return Err(ExampleFileError::Singular { path: reader.path("bone_rest_world"), bone });
    }
    let world = reader.matrices("bone_world", &[None, Some(bone_count), Some(4), Some(4)])?;
    let pose_count = world.len() / bone_count.max(1);
    let relative = |(at, matrix): (usize, &DAffine3)| *matrix * bone_from_rest[at % bone_count];
    let driver_posed_from_rest = world.iter().enumerate().map(relative).collect();
    let local = |frames: &[DAffine3], bone: usize| {
        parents[bone].map_or(frames[bone], |parent: usize| frames[parent].inverse() * frames[bone])
    };
    let rest_from_parent: Vec<DAffine3> =
        (0..bone_count).map(|bone| local(&rest_world, bone).inverse()).collect();
    let shift = |(at, _): (usize, &DAffine3)| {
        let (pose, bone) = (at / bone_count, at % bone_count);
        (rest_from_parent[bone] * local(&world[pose * bone_count..][..bone_count], bone)).translation
    };
    let shifts = world.iter().enumerate().map(shift);
    let rotations = reader.rotations(pose_count, bone_count)?;
    let driver_changes =
        rotations.into_iter().zip(shifts).map(|(rotation, shift)| DriverChange { rotation, shift }).collect();
    let set = ExampleSet {
        rest_positions,
        triangles: reader.triangles(vertex_count)?,
        driver_names: (0..bone_count).map(|bone| format!("bone_{bone}")).collect(),
        driver_posed_from_rest,
        driver_changes,
        target_positions: reader.points("verts", &[Some(pose_count), Some(vertex_count), Some(3)])?,
    };
    Ok(ExchangeFolder { set, parents, rest_world })
}

struct Reader<'a> {
    folder: &'a Path,
    limits: &'a Limits,
}

impl Reader<'_> {
    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.npy"))
    }

    /// Opens an array and checks its shape; `None` is any length.
    fn open(
        &self,
        name: &str,
        axes: &[Option<usize>],
    ) -> Result<NpyNumbers<BufReader<File>>, ExampleFileError> {
        let path = self.path(name);
        let (file, bytes) = open_limited(&path, self.limits)
            .map_err(|source| ExampleFileError::Folder { path: path.clone(), source })?;
        let array = NpyNumbers::new(file, bytes).map_err(points_error(&path))?;
        let found = array.shape();
        let fits = found.len() == axes.len()
            && found.iter().zip(axes).all(|(found, axis)| axis.is_none_or(|axis| axis == *found));
        if !fits {
            let axis = |axis: &Option<usize>| axis.map_or_else(|| "any".to_owned(), |axis| axis.to_string());
            let expected = format!("[{}] is needed", axes.iter().map(axis).collect::<Vec<_>>().join(", "));
            return Err(ExampleFileError::Shape { path, found: found.to_vec(), expected });
        }
        Ok(array)
    }

    fn numbers(&self, name: &str, axes: &[Option<usize>]) -> Result<Vec<f64>, ExampleFileError> {
        self.open(name, axes)?.read_all().map_err(points_error(&self.path(name)))
    }

    fn points(&self, name: &str, axes: &[Option<usize>]) -> Result<Vec<Vec3>, ExampleFileError> {
        let mut array = self.open(name, axes)?;
        let count = array.shape().iter().product::<usize>() / 3;
        let mut points = Vec::new();
        array.read_points(count, &mut points).map_err(points_error(&self.path(name)))?;
        Ok(points)
    }

    /// Affine matrices for columns, row by row.
    fn matrices(&self, name: &str, axes: &[Option<usize>]) -> Result<Vec<DAffine3>, ExampleFileError> {
        let numbers = self.numbers(name, axes)?;
        let affine = |m: &[f64]| {
            let row = |at: usize| DVec3::new(m[4 * at], m[4 * at + 1], m[4 * at + 2]);
            let matrix3 = DMat3::from_cols(row(0), row(1), row(2)).transpose();
            DAffine3 { matrix3, translation: DVec3::new(m[3], m[7], m[11]) }
        };
        Ok(numbers.chunks_exact(16).map(affine).collect())
    }

    fn rotations(&self, pose_count: usize, bone_count: usize) -> Result<Vec<DQuat>, ExampleFileError> {
        let axes = [Some(pose_count), Some(bone_count), Some(4)];
        let numbers = self.numbers("bone_local_quat", &axes)?;
        Ok(numbers.chunks_exact(4).map(|q| DQuat::from_xyzw(q[1], q[2], q[3], q[0])).collect())
    }

    fn triangles(&self, vertex_count: usize) -> Result<Vec<[u32; 3]>, ExampleFileError> {
        let expected = format!("there are vertices 0 to {}", vertex_count.saturating_sub(1));
        let is_vertex = |_, value: f64| value >= 0.0 && value < vertex_count as f64 && value.fract() == 0.0;
        let numbers = self.checked("faces", &[None, Some(3)], expected, is_vertex)?;
        Ok(numbers.chunks_exact(3).map(|t| [t[0] as u32, t[1] as u32, t[2] as u32]).collect())
    }

    fn parents(&self) -> Result<Vec<Option<usize>>, ExampleFileError> {
        let expected = "a parent is a bone that comes before, or -1".to_owned();
        let is_parent = |at: usize, value: f64| {
            value == -1.0 || (value >= 0.0 && value < at as f64 && value.fract() == 0.0)
        };
        let numbers = self.checked("parents", &[None], expected, is_parent)?;
        Ok(numbers.iter().map(|&value| (value >= 0.0).then_some(value as usize)).collect())
    }

    /// Numbers that are all good at their places.
    fn checked(
        &self,
        name: &str,
        axes: &[Option<usize>],
        expected: String,
        is_good: impl Fn(usize, f64) -> bool,
    ) -> Result<Vec<f64>, ExampleFileError> {
        let numbers = self.numbers(name, axes)?;
        match numbers.iter().enumerate().find(|&(at, &value)| !is_good(at, value)) {
            Some((at, &value)) => Err(ExampleFileError::Value { path: self.path(name), at, value, expected }),
            None => Ok(numbers),
        }
    }
}
