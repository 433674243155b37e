//! Flesh in motion to files: models, caches, films and pictures.

use super::{FleshArtist, FleshPicture};
use glam::Vec3;
use serde::Serialize;
use sinew_flesh::{FleshFrames, FleshMotion, FleshRun, FleshSkin};
use sinew_io::{GltfDocument, OutputError, PendingFile, Report};
use sinew_model::{SaveError, extension_of, save_as_gltf};
use sinew_picture::video;
use sinew_picture::video::{FilmShape, VideoError};
use sinew_play::{
    BasisSettings, MorphSummary, OnRigError, Recording, RecordingError, SaveRecordingError, put_on_rig,
};
use sinew_render::{EncodeError, Image, RenderError, contact_sheet};
use sinew_rig::ClipId;
use std::path::{Path, PathBuf};

/// Why flesh in motion cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FleshOutputError {
    /// A name that says no kind of output.
    #[error("cannot write {path:?}; known are .glb, .gltf, .vrm, .pc2, .usda, .npy, .mp4, .gif and .png")]
    Kind {
        /// The output.
        path: PathBuf,
    },
    /// A motion at another speed does not fit the rig's clip.
    #[error("{path:?}: a model's clip has its own speed; --speed goes with films and caches")]
    Speed {
        /// The output.
        path: PathBuf,
    },
    /// Morphs that do not fit.
    #[error(transparent)]
    OnRig(#[from] OnRigError),
    /// A model that cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// Frames that cannot be recorded.
    #[error(transparent)]
    Recording(#[from] RecordingError),
    /// A cache that cannot be written.
    #[error(transparent)]
    Cache(#[from] SaveRecordingError),
    /// A film that cannot be made.
    #[error(transparent)]
    Video(#[from] VideoError),
    /// A picture or film that cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The renderer refused.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A file that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}

/// What an output's name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FleshOutput {
    /// The model with morph targets on top of its rig.
    Model,
    /// Vertices of every frame.
    Cache,
    /// A film.
    Film,
    /// Moments on one sheet.
    Strip,
}

impl FleshOutput {
    /// What a name asks for, and whether it can be had: asked before anything is simulated.
    ///
    /// # Errors
    /// An unknown extension, no ffmpeg, or a GIF that would not fit.
    pub fn of(
        path: &Path,
        motion: &FleshMotion<'_>,
        picture: &FleshPicture,
    ) -> Result<Self, FleshOutputError> {
        match extension_of(path).as_str() {
            "glb" | "gltf" | "vrm" if motion.speed != 1.0 => {
                Err(FleshOutputError::Speed { path: path.into() })
            }
            "glb" | "gltf" | "vrm" => Ok(Self::Model),
            "pc2" | "usda" | "npy" => Ok(Self::Cache),
            "mp4" | "gif" => {
                video::check_film(path, &shape(motion, picture))?;
                Ok(Self::Film)
            }
            "png" => Ok(Self::Strip),
            _ => Err(FleshOutputError::Kind { path: path.into() }),
        }
    }
}

/// What is told of an output.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FleshWritten {
    /// The file.
    pub file: PathBuf,
    /// Morph targets of each mesh, for models.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<MorphSummary>,
}

/// A motion that was played, to be written.
#[derive(Clone, Copy)]
pub struct PlayedFlesh<'a> {
    /// What was played.
    pub run: &'a FleshRun<'a>,
    /// By which motion.
    pub motion: &'a FleshMotion<'a>,
    /// What came of it.
    pub frames: &'a FleshFrames,
    /// Where the motion is among the character's clips.
    pub clip: ClipId,
    /// The file that the character came from, so that nothing of it is lost.
    pub document: Option<&'a GltfDocument>,
}

/// How it is written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FleshWriting {
    /// For films and pictures.
    pub picture: FleshPicture,
    /// For models: how near morph targets are, and how many there may be.
    pub basis: BasisSettings,
}

/// Told how many frames of how many are done; `false` stops.
pub type OnWritten<'a> = dyn FnMut(usize, usize) -> bool + 'a;

/// Pictures of a strip.
const STRIP_CELLS: usize = 8;

impl PlayedFlesh<'_> {
    /// Writes one output, whole or not at all.
    ///
    /// # Errors
    /// A picture that cannot be drawn, a file that cannot be written, or [`FleshOutputError::Interrupted`].
    pub fn write(
        &self,
        path: &Path,
        writing: &FleshWriting,
        report: &mut Report,
        on_written: &mut OnWritten<'_>,
    ) -> Result<FleshWritten, FleshOutputError> {
        let mut written = FleshWritten { file: path.into(), morphs: Vec::new() };
        match FleshOutput::of(path, self.motion, &writing.picture)? {
            FleshOutput::Model => written.morphs = self.write_model(path, writing, report, on_written)?,
            FleshOutput::Cache => {
                let mut recording = self.recording(path)?;
                self.each_shape(on_written, |shape| Ok(recording.push(shape)?))?;
                recording.save(path, &writing.basis, report)?;
            }
            FleshOutput::Film => {
                let shape = shape(self.motion, &writing.picture);
                let mut artist = self.artist(writing, report);
                video::write_film(path, &shape, |frame| {
                    go_on(on_written, frame, shape.count)?;
                    Ok::<Image, FleshOutputError>(artist.draw(frame)?)
                })?;
            }
            FleshOutput::Strip => {
                let mut artist = self.artist(writing, report);
                let (count, last) = (STRIP_CELLS.min(artist.frame_count()), artist.frame_count() - 1);
                let mut cells = Vec::new();
                for cell in 0..count {
                    go_on(on_written, cell, count)?;
                    let frame = cell * last / (count - 1).max(1);
                    cells.push((artist.draw(frame)?, format!("{:.2} s", frame as f64 / self.motion.fps)));
                }
                let sheet = contact_sheet(&cells, count.div_ceil(2).max(1), None)?;
                let mut file = PendingFile::create(path)?;
                file.write_bytes(&sheet.encode_png()?)?;
                file.commit()?;
            }
        }
        Ok(written)
    }

    fn artist(&self, writing: &FleshWriting, report: &mut Report) -> FleshArtist<'_> {
        FleshArtist::new(self.run, self.motion, self.frames, &writing.picture, report)
    }

    fn write_model(
        &self,
        path: &Path,
        writing: &FleshWriting,
        report: &mut Report,
        on_written: &mut OnWritten<'_>,
    ) -> Result<Vec<MorphSummary>, FleshOutputError> {
        let character = self.run.rig().character();
        let mut shapes = Vec::with_capacity(self.frames.deviations.len() + 1);
        self.each_shape(on_written, |shape| {
            shapes.push(shape);
            Ok(())
        })?;
        // A round ends where it began, with a key to say so.
        if self.motion.is_loop {
            shapes.push(self.closing_shape());
        }
        let (fleshed, morphs) = put_on_rig(character, self.clip, self.motion.fps, &shapes, &writing.basis)?;
        save_as_gltf(&fleshed, self.document, path, report)?;
        Ok(morphs)
    }

    /// The first frame's flesh on the last pose of the clip: a motion may end elsewhere than it began.
    fn closing_shape(&self) -> Vec<Vec3> {
        let mut frames = self.frames.clone();
        frames.deviations = vec![frames.deviations[0].clone(); frames.deviations.len() + 1];
        let motion = FleshMotion { is_loop: false, ..*self.motion };
        let mut skin = FleshSkin::new(self.run, &motion, &frames);
        skin.set_positions(frames.deviations.len() - 1);
        skin.positions().to_vec()
    }

    fn recording(&self, path: &Path) -> Result<Recording, RecordingError> {
        let character = self.run.rig().character();
        let instances = self.run.rig().covered.bound.instances().iter();
        let meshes = instances.map(|placed| character.mesh_of(placed.instance).clone()).collect();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let looks = (character.materials().to_vec(), character.images().to_vec());
        Recording::new(&name, meshes, looks, self.motion.fps)
    }

    fn each_shape(
        &self,
        on_written: &mut OnWritten<'_>,
        mut take: impl FnMut(Vec<Vec3>) -> Result<(), FleshOutputError>,
    ) -> Result<(), FleshOutputError> {
        let mut skin = FleshSkin::new(self.run, self.motion, self.frames);
        let count = skin.frame_count();
        for frame in 0..count {
            go_on(on_written, frame, count)?;
            skin.set_positions(frame);
            take(skin.positions().to_vec())?;
        }
        Ok(())
    }
}

fn shape(motion: &FleshMotion<'_>, picture: &FleshPicture) -> FilmShape {
    FilmShape { size: picture.size, fps: motion.fps, count: FleshRun::frame_count(motion) }
}

fn go_on(on_written: &mut OnWritten<'_>, done: usize, total: usize) -> Result<(), FleshOutputError> {
    if on_written(done, total) { Ok(()) } else { Err(FleshOutputError::Interrupted) }
}
