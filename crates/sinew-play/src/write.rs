//! The one writer of takes: NumPy arrays, point caches, USD and models.

use crate::take::checked_frame;
use crate::{ModelFile, MorphSummary, Take, TakeError};
use glam::{Affine3A, Mat4, Vec3};
use sinew_geometry::progress::Progress;
use sinew_io::{
    NpyWriter, Pc2Header, Pc2Writer, PendingFile, Report, UsdaPart, UsdaStage, UsdaWriter, scratch_file,
};
use sinew_model::extension_of;
use std::path::Path;

/// Where to write.
#[derive(Clone, Copy, Debug)]
pub struct Targets<'a> {
    /// The file.
    pub path: &'a Path,
    /// A NumPy file for the normals.
    pub normals: Option<&'a Path>,
    /// A NumPy file for the bones: a 4×4 matrix each, model from bone, for columns.
    pub bones: Option<&'a Path>,
}

impl<'a> Targets<'a> {
    /// One file alone.
    pub fn file(path: &'a Path) -> Self {
        Self { path, normals: None, bones: None }
    }

    fn check(&self, extension: &str) -> Result<(), TakeError> {
        let extension = match extension {
            "npy" => return Ok(()),
            other => format!(".{other}"),
        };
        if self.bones.is_some() {
            return Err(TakeError::BonesElsewhere { extension });
        }
        if self.normals.is_some() {
            let has = if extension == ".pc2" { "holds no normals" } else { "has its own normals" };
            return Err(TakeError::NormalsElsewhere { extension, has });
        }
        Ok(())
    }
}

/// Writes all frames of a take in the format of the file's extension: vertices of all frames as .npy, .pc2 or .usda, or a model as the
/// take has it. Tells how the motion was put into morphs, for models. Nothing is left half-written, whatever goes wrong.
///
/// # Errors
/// The format cannot hold what is asked for, the file cannot be written, or the caller stops.
pub fn write_take(
    take: &mut dyn Take<'_>,
    targets: &Targets<'_>,
    report: &mut Report,
    progress: &Progress<'_>,
) -> Result<Vec<MorphSummary>, TakeError> {
    let extension = extension_of(targets.path);
    targets.check(&extension)?;
    if take.frame_count() == 0 {
        return Err(TakeError::Empty);
    }
    let kind = take.kind();
    match (extension.as_str(), take.fps()) {
        ("npy", _) | ("pc2" | "usda", Some(_)) => {
            write_cache(take, targets, progress)?;
            Ok(Vec::new())
        }
        (model, _) if kind.models.contains(&model) => {
            take.write_model(ModelFile { path: targets.path, report, progress })
        }
        (other, _) => {
            let extension = format!(".{other}");
            Err(TakeError::UnknownKind { what: kind.what, extension, known: kind.known })
        }
    }
}

fn write_cache(
    take: &mut dyn Take<'_>,
    targets: &Targets<'_>,
    progress: &Progress<'_>,
) -> Result<(), TakeError> {
    let (count, fps) = (take.frame_count(), take.fps());
    let topology = take.topology();
    let parts = topology.usda_parts();
    // One pose is an array without a side for frames.
    let shape = |sides: &[usize]| match fps {
        Some(_) => [&[count], sides].concat(),
        None => sides.to_vec(),
    };
    let vertices = shape(&[topology.vertex_count(), 3]);
    let mut cache = match (extension_of(targets.path).as_str(), fps) {
        ("pc2", _) => Cache::pc2(targets.path, count, topology.vertex_count())?,
        ("usda", Some(frames_per_second)) => {
            Cache::usda(targets.path, UsdaStage { name: &topology.name, frames_per_second }, &parts)?
        }
        _ => Cache::Npy(npy(targets.path, &vertices)?),
    };
    let mut all_normals = targets.normals.map(|path| npy(path, &vertices)).transpose()?;
    let bones = shape(&[take.bones().len(), 4, 4]);
    let mut all_bones = targets.bones.map(|path| npy(path, &bones)).transpose()?;
    let has_normals = all_normals.is_some() || matches!(cache, Cache::Usda(_));
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for frame in 0..count {
        progress.step(frame, count)?;
        checked_frame(take, frame, &mut positions)?;
        if has_normals {
            normals = take.normals(&positions);
        }
        cache.push(&positions, &normals)?;
        if let Some(writer) = &mut all_normals {
            writer.write_points(&normals)?;
        }
        if let Some(writer) = &mut all_bones {
            take.bones().iter().try_for_each(|bone| writer.write_values(&row_major(bone)))?;
        }
    }
    for writer in [all_bones, all_normals].into_iter().flatten() {
        writer.finish()?.commit()?;
    }
    cache.finish()
}

/// Rows one after another: the transposed matrix, column by column.
fn row_major(bone: &Affine3A) -> [f32; 16] {
    Mat4::from(*bone).transpose().to_cols_array()
}

fn npy(path: &Path, shape: &[usize]) -> Result<NpyWriter<PendingFile>, TakeError> {
    Ok(NpyWriter::new(PendingFile::create(path)?, shape)?)
}

/// A cache that frames are handed to. Nothing is left behind where it is dropped before [`Cache::finish`].
enum Cache<'a> {
    Npy(NpyWriter<PendingFile>),
    Pc2(Pc2Writer<PendingFile>),
    Usda(Box<UsdaWriter<'a, PendingFile, std::fs::File>>),
}

impl<'a> Cache<'a> {
    fn pc2(path: &Path, sample_count: usize, point_count: usize) -> Result<Self, TakeError> {
        let header = Pc2Header { point_count, sample_count, start_frame: 0.0, frames_per_sample: 1.0 };
        Ok(Self::Pc2(Pc2Writer::new(PendingFile::create(path)?, header)?))
    }

    fn usda(path: &Path, stage: UsdaStage<'a>, parts: &'a [UsdaPart<'a>]) -> Result<Self, TakeError> {
        let scratch = scratch_file(path)?;
        Ok(Self::Usda(Box::new(UsdaWriter::new(PendingFile::create(path)?, scratch, stage, parts)?)))
    }

    fn push(&mut self, positions: &[Vec3], normals: &[Vec3]) -> Result<(), TakeError> {
        match self {
            Self::Npy(writer) => writer.write_points(positions)?,
            Self::Pc2(writer) => writer.write_sample(positions)?,
            Self::Usda(writer) => writer.write_frame(positions, normals)?,
        }
        Ok(())
    }

    /// Puts the file in its place.
    fn finish(self) -> Result<(), TakeError> {
        let pending = match self {
            Self::Npy(writer) => writer.finish()?,
            Self::Pc2(writer) => writer.finish()?,
            Self::Usda(writer) => writer.finish()?,
        };
        Ok(pending.commit()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_back_and_a_cache_that_is_not_finished_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let frames = [vec![Vec3::X, Vec3::Y], vec![Vec3::Z, Vec3::ONE]];
        for name in ["a.npy", "a.pc2"] {
            let path = folder.path().join(name);
            let create = || match name {
                "a.npy" => Cache::Npy(npy(&path, &[2, 2, 3]).unwrap()),
                _ => Cache::pc2(&path, 2, 2).unwrap(),
            };
            let mut left = create();
            left.push(&frames[0], &[]).unwrap();
            drop(left);
            assert!(!path.exists(), "{name}");
            let mut cache = create();
            frames.iter().for_each(|frame| cache.push(frame, &[]).unwrap());
            cache.finish().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let floats: Vec<f32> = bytes[bytes.len() - 48..]
                .chunks(4)
                .map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")))
                .collect();
            assert_eq!(floats, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], "{name}");
        }
        let mut few = Cache::Npy(npy(&folder.path().join("few.npy"), &[2, 2, 3]).unwrap());
        few.push(&frames[0], &[]).unwrap();
        assert!(matches!(few.finish(), Err(TakeError::Points(_))), "a frame is missing");
    }
}
