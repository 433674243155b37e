//! Shapes of a character in files: a folder with one each, or a cache of a whole clip.

use crate::ExampleFileError;
use glam::Vec3;
use sinew_io::{Limits, NpyNumbers, PointsReadError, Report, read_obj_positions, read_pc2, read_usda_points};
use sinew_model::{Model, OpenError, PoseFile, extension_of, read_limited};
use sinew_rig::Pose;
use sinew_skin::{Method, PosedCharacter};
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Shapes, each with its pose where a file says it.
#[derive(Clone, Debug, Default)]
pub struct ShapeFiles {
    /// Where each comes from.
    pub names: Vec<String>,
    /// All vertices of the surface each; `None` for a pose alone, whose shape is what the model shows with its shape keys.
    pub shapes: Vec<Option<Vec<Vec3>>>,
    /// From the pose file beside a shape; one per shape.
    pub poses: Vec<Option<PoseFile>>,
}

/// Reads shapes of `vertex_count` vertices: a folder of `.obj`, `.glb`, `.gltf` (as they show at rest) and `.npy` in the order of their names, a pose
/// file of the same name with `.json` beside each if there is one; poses alone with weights of shape keys; or a cache, `.npy`, `.pc2` or `.usda`.
///
/// # Errors
/// A file that cannot be read, or of another mesh.
pub fn read_shapes(
    path: &Path,
    vertex_count: usize,
    limits: &Limits,
) -> Result<ShapeFiles, ExampleFileError> {
    let mut found = ShapeFiles::default();
    if path.is_dir() {
        let listed = std::fs::read_dir(path).map_err(|error| open_error(path, error.into()))?;
        let mut files: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.sort();
        let is_shape = |file: &&PathBuf| SHAPE_FILES.contains(&extension_of(file).as_str());
        for file in &files {
            let is_alone =
                || !files.iter().filter(is_shape).any(|shape| shape.with_extension("json") == *file);
            let shapes = match extension_of(file).as_str() {
                "json" if is_alone() => vec![None],
                _ if is_shape(&file) => {
                    read_file(file, vertex_count, limits)?.into_iter().map(Some).collect()
                }
                _ => continue,
            };
            let pose = pose_beside(file)?;
            if let (true, Some(pose)) = (shapes[0].is_none(), &pose)
                && pose.morphs.0.is_empty()
            {
                return Err(ExampleFileError::NoShape { path: file.clone() });
            }
            for shape in shapes {
                found.names.push(file.file_stem().unwrap_or_default().to_string_lossy().into_owned());
                found.shapes.push(shape);
                found.poses.push(pose.clone());
            }
        }
    } else {
        let shapes = read_file(path, vertex_count, limits)?;
        found.names = (0..shapes.len()).map(|frame| format!("frame {frame}")).collect();
        found.poses = vec![None; shapes.len()];
        found.shapes = shapes.into_iter().map(Some).collect();
    }
    if found.shapes.is_empty() { Err(ExampleFileError::Empty { path: path.into() }) } else { Ok(found) }
}

/// What is read from a folder.
const SHAPE_FILES: [&str; 4] = ["glb", "gltf", "npy", "obj"];

fn open_error(path: &Path, source: OpenError) -> ExampleFileError {
    ExampleFileError::Open { path: path.into(), source }
}

pub(super) fn points_error(path: &Path) -> impl Fn(PointsReadError) -> ExampleFileError + '_ {
    |source| ExampleFileError::Points { path: path.into(), source }
}

fn pose_beside(file: &Path) -> Result<Option<PoseFile>, ExampleFileError> {
    let path = file.with_extension("json");
    if !path.is_file() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path).map_err(|error| open_error(&path, error.into()))?;
    PoseFile::parse(&text).map(Some).map_err(|source| ExampleFileError::Pose { path, source })
}

/// The shapes of a file, one or many.
fn read_file(path: &Path, expected: usize, limits: &Limits) -> Result<Vec<Vec<Vec3>>, ExampleFileError> {
    let opened = |source| open_error(path, source);
    let one = |points: Vec<Vec3>| (points.len(), points);
    let (found, points) = match extension_of(path).as_str() {
        "obj" => {
            let bytes = read_limited(path, limits.max_memory).map_err(opened)?;
            one(read_obj_positions(&bytes).map_err(points_error(path))?)
        }
        "glb" | "gltf" => {
            let model = Model::open(path, limits, &mut Report::default()).map_err(opened)?;
            let mut posed = PosedCharacter::bind(&model.character, Method::Lbs);
            posed.set(&Pose::rest(&model.character));
            one(posed.surface().positions.clone())
        }
        "npy" => read_npy(path, limits)?,
        "usda" => {
            let bytes = read_limited(path, limits.max_memory).map_err(opened)?;
            let read = read_usda_points(&bytes).map_err(points_error(path))?;
            (read.point_count, read.samples.concat())
        }
        "pc2" => {
            let (file, bytes) = open_limited(path, limits).map_err(opened)?;
            let (header, points) = read_pc2(file, bytes).map_err(points_error(path))?;
            (header.point_count, points)
        }
        extension => return Err(opened(OpenError::UnknownKind { extension: format!(".{extension}") })),
    };
    if found != expected {
        return Err(ExampleFileError::VertexCount { path: path.into(), found, expected });
    }
    Ok(points.chunks(expected.max(1)).map(<[Vec3]>::to_vec).collect())
}

/// A file to be read piece by piece, and its size.
pub(super) fn open_limited(path: &Path, limits: &Limits) -> Result<(BufReader<File>, u64), OpenError> {
    let file = File::open(path)?;
    let (bytes, limit) = (file.metadata()?.len(), limits.max_memory);
    if bytes > limit {
        return Err(OpenError::TooLarge { bytes, limit });
    }
    Ok((BufReader::new(file), bytes))
}

/// All points of an array, and how many a shape has.
fn read_npy(path: &Path, limits: &Limits) -> Result<(usize, Vec<Vec3>), ExampleFileError> {
    let (file, bytes) = open_limited(path, limits).map_err(|source| open_error(path, source))?;
    let mut array = NpyNumbers::new(file, bytes).map_err(points_error(path))?;
    let (count, vertices) = match array.shape()[..] {
        [vertices, 3] => (1, vertices),
        [frames, vertices, 3] => (frames, vertices),
        _ => {
            let (path, found) = (path.into(), array.shape().to_vec());
            let expected = "a shape is [vertices, 3], a cache [frames, vertices, 3]".to_owned();
            return Err(ExampleFileError::Shape { path, found, expected });
        }
    };
    let mut points = Vec::new();
    array.read_points(count * vertices, &mut points).map_err(points_error(path))?;
    Ok((vertices, points))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_caches_are_read_and_other_meshes_refused() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).unwrap();
        write("b.obj", b"v 1 0 0\nv 0 1 0\n");
        write("a.npy", &sinew_io::write_npy(&[2, 3], &[0.0; 6]).unwrap());
        write("b.json", br#"{"bones": {"lower": {"rotation": [0, 0, 0, 1]}}}"#);
        let limits = Limits::default();
        let found = read_shapes(folder.path(), 2, &limits).unwrap();
        assert_eq!(found.names, ["a", "b"]);
        assert!(found.poses[0].is_none() && found.poses[1].is_some());
        assert_eq!(found.shapes[1].as_deref(), Some(&[Vec3::X, Vec3::Y][..]));
        let refused = read_shapes(folder.path(), 3, &limits).unwrap_err().to_string();
        assert!(refused.contains("has 2 vertices, the model has 3"), "{refused}");
        write("cache.npy", &sinew_io::write_npy(&[4, 2, 3], &[0.0; 24]).unwrap());
        assert_eq!(read_shapes(&folder.path().join("cache.npy"), 2, &limits).unwrap().shapes.len(), 4);
        let empty = tempfile::tempdir().unwrap();
        assert!(matches!(read_shapes(empty.path(), 2, &limits), Err(ExampleFileError::Empty { .. })));
    }
}
