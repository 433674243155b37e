//! Vertices of all frames to a file: NumPy arrays, point caches, USD. The one way for characters that play a clip and for recordings.

use glam::Vec3;
use sinew_io::{
    NpyWriter, OutputError, Pc2Header, Pc2Writer, PendingFile, PointsWriteError, ScratchFile, UsdaPart,
    UsdaStage, UsdaWriter,
};
use std::path::Path;

/// Why a cache cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// The file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The points cannot be written.
    #[error(transparent)]
    Points(#[from] PointsWriteError),
}

/// A cache that frames are handed to. Nothing is left behind where it is dropped before [`PointCache::finish`].
pub enum PointCache<'a> {
    /// Frames × vertices × 3.
    Npy(NpyWriter<PendingFile>),
    /// Point cache 2.
    Pc2(Pc2Writer<PendingFile>),
    /// Meshes with their faces, normals and materials.
    Usda(Box<UsdaWriter<'a, PendingFile, ScratchFile>>),
}

impl<'a> PointCache<'a> {
    /// A NumPy file of all frames.
    pub fn npy(path: &Path, frame_count: usize, vertex_count: usize) -> Result<Self, CacheError> {
        Self::npy_shaped(path, &[frame_count, vertex_count, 3])
    }

    /// A NumPy file of any shape whose last side is 3.
    pub fn npy_shaped(path: &Path, shape: &[usize]) -> Result<Self, CacheError> {
        Ok(Self::Npy(NpyWriter::new(PendingFile::create(path)?, shape)?))
    }

    /// A point cache of all frames.
    pub fn pc2(path: &Path, frame_count: usize, vertex_count: usize) -> Result<Self, CacheError> {
        let header = Pc2Header {
            point_count: vertex_count,
            sample_count: frame_count,
            start_frame: 0.0,
            frames_per_sample: 1.0,
        };
        Ok(Self::Pc2(Pc2Writer::new(PendingFile::create(path)?, header)?))
    }

    /// A USD stage of meshes.
    pub fn usda(path: &Path, stage: UsdaStage<'a>, parts: &'a [UsdaPart<'a>]) -> Result<Self, CacheError> {
        let scratch = ScratchFile::beside(path)?;
        let writer = UsdaWriter::new(PendingFile::create(path)?, scratch, stage, parts)?;
        Ok(Self::Usda(Box::new(writer)))
    }

    /// Whether a frame's normals are stored; without, they need not be computed.
    pub fn has_normals(&self) -> bool {
        matches!(self, Self::Usda(_))
    }

    /// The next frame: positions of all vertices, and normals where [`PointCache::has_normals`].
    pub fn push(&mut self, positions: &[Vec3], normals: &[Vec3]) -> Result<(), CacheError> {
        match self {
            Self::Npy(writer) => writer.write_points(positions)?,
            Self::Pc2(writer) => writer.write_sample(positions)?,
            Self::Usda(writer) => writer.write_frame(positions, normals)?,
        }
        Ok(())
    }

    /// Puts the file in its place.
    pub fn finish(self) -> Result<(), CacheError> {
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
                "a.npy" => PointCache::npy(&path, 2, 2).unwrap(),
                _ => PointCache::pc2(&path, 2, 2).unwrap(),
            };
            let mut left = create();
            left.push(&frames[0], &[]).unwrap();
            drop(left);
            assert!(!path.exists(), "{name}");
            let mut cache = create();
            assert!(!cache.has_normals());
            frames.iter().for_each(|frame| cache.push(frame, &[]).unwrap());
            cache.finish().unwrap();
            let bytes = std::fs::read(&path).unwrap();
            let floats: Vec<f32> = bytes[bytes.len() - 48..]
                .chunks(4)
                .map(|four| f32::from_le_bytes(four.try_into().expect("four bytes")))
                .collect();
            assert_eq!(floats, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], "{name}");
        }
        let mut few = PointCache::npy(&folder.path().join("few.npy"), 2, 2).unwrap();
        few.push(&frames[0], &[]).unwrap();
        assert!(matches!(few.finish(), Err(CacheError::Points(_))), "a frame is missing");
    }
}
