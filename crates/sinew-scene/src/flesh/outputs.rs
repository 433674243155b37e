//! Flesh in motion to files: models, caches, films and pictures.

use super::{FleshArtist, FleshPicture};
pub use crate::{SceneError as FleshOutputError, Written as FleshWritten};
use glam::Vec3;
use sinew_flesh::{FleshFrames, FleshMotion, FleshRun, FleshSkin};
use sinew_geometry::progress::Progress;
use sinew_io::{GltfDocument, Report};
use sinew_model::{VrmMeta, extension_of, save_as_gltf};
use sinew_picture::{FilmShape, PictureError, PictureFile, strip, strip_frames, write_png};
use sinew_play::{
    BasisSettings, ModelFile, MorphSummary, Take, TakeError, TakeKind, Targets, Topology, all_frames,
    put_on_rig, write_take,
};
use sinew_rig::{ClipId, Mesh, SeamlessNormals};
use std::path::Path;
use std::sync::Arc;

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

const KNOWN: &str = ".glb, .gltf, .vrm, .pc2, .usda, .npy, .mp4, .gif and .png";

impl FleshOutput {
    /// What a name asks for, and whether it can be had: asked before anything is simulated.
    ///
    /// # Errors
    /// An unknown extension, no ffmpeg, or a GIF that would not fit.
    pub fn of(path: &Path, motion: &FleshMotion, picture: &FleshPicture) -> Result<Self, FleshOutputError> {
        match extension_of(path).as_str() {
            "glb" | "gltf" | "vrm" if motion.speed != 1.0 => {
                Err(FleshOutputError::Speed { path: path.into() })
            }
            "glb" | "gltf" | "vrm" => Ok(Self::Model),
            "pc2" | "usda" | "npy" => Ok(Self::Cache),
            "mp4" | "gif" => {
                PictureFile::new(path, shape(motion, picture))?;
                Ok(Self::Film)
            }
            "png" => Ok(Self::Strip),
            _ => Err(FleshOutputError::Kind { path: path.into(), known: KNOWN }),
        }
    }
}

/// A motion that was played, to be written.
#[derive(Clone, Copy)]
pub struct PlayedFlesh<'a> {
    /// What was played.
    pub run: &'a FleshRun,
    /// By which motion.
    pub motion: &'a FleshMotion,
    /// What came of it.
    pub frames: &'a Arc<FleshFrames>,
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
    /// What a `.vrm` says about itself.
    pub vrm: VrmMeta,
}

impl<'a> PlayedFlesh<'a> {
    /// Writes one output, whole or not at all.
    ///
    /// # Errors
    /// A picture that cannot be drawn, a file that cannot be written, or the caller stops.
    pub fn write(
        &self,
        path: &Path,
        writing: &FleshWriting,
        report: &mut Report,
        progress: &Progress<'_>,
    ) -> Result<FleshWritten, FleshOutputError> {
        let mut written = FleshWritten { file: path.into(), morphs: Vec::new() };
        let kind = FleshOutput::of(path, self.motion, &writing.picture)?;
        if let FleshOutput::Model | FleshOutput::Cache = kind {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let mut take = self.take(&name, writing);
            written.morphs = write_take(&mut take, &Targets::file(path), report, progress)?;
            return Ok(written);
        }
        let mut artist = FleshArtist::new(self.run, self.motion, self.frames, &writing.picture, report);
        let draw = |frame: usize| Ok::<_, PictureError>(artist.draw(frame)?);
        if kind == FleshOutput::Film {
            PictureFile::new(path, shape(self.motion, &writing.picture))?.write(progress, draw)?;
        } else {
            let frames = strip_frames(self.frames.deviations.len()).into_iter();
            let moments: Vec<_> = frames.map(|frame| (frame, frame as f64 / self.motion.fps)).collect();
            write_png(path, &strip(&moments, moments.len().div_ceil(2).max(1), progress, draw)?)?;
        }
        Ok(written)
    }

    /// Its frames, as a model within `writing.basis` of its motion.
    pub fn take(&self, name: &str, writing: &FleshWriting) -> FleshTake<'a> {
        let played = *self;
        let meshes: Vec<Mesh> = played.meshes().into_iter().cloned().collect();
        FleshTake {
            played,
            skin: FleshSkin::new(played.run, played.motion, played.frames),
            smooth: SeamlessNormals::of_meshes(&meshes),
            name: name.into(),
            basis: writing.basis,
            vrm: writing.vrm.clone(),
        }
    }

    fn meshes(&self) -> Vec<&'a Mesh> {
        let rig = self.run.rig();
        let instances = rig.covered.bound.instances().iter();
        instances.map(|placed| rig.character().mesh_of(placed.instance)).collect()
    }

    /// The first frame's flesh on the last pose of the clip: a motion may end elsewhere than it began.
    fn closing_shape(&self) -> Vec<Vec3> {
        let mut frames = FleshFrames::clone(self.frames);
        frames.deviations = vec![frames.deviations[0].clone(); frames.deviations.len() + 1];
        let last = frames.deviations.len() - 1;
        let motion = FleshMotion { is_loop: false, ..self.motion.clone() };
        let mut skin = FleshSkin::new(self.run, &motion, &Arc::new(frames));
        skin.set_positions(last);
        skin.positions().to_vec()
    }
}

/// Frames of skin over flesh.
pub struct FleshTake<'a> {
    played: PlayedFlesh<'a>,
    skin: FleshSkin,
    smooth: SeamlessNormals,
    name: String,
    basis: BasisSettings,
    vrm: VrmMeta,
}

impl<'a> Take<'a> for FleshTake<'a> {
    fn kind(&self) -> TakeKind {
        TakeKind { what: "flesh", models: &["glb", "gltf", "vrm"], known: KNOWN, not_finite: "" }
    }

    fn fps(&self) -> Option<f64> {
        Some(self.played.motion.fps)
    }

    fn frame_count(&self) -> usize {
        self.skin.frame_count()
    }

    fn topology(&mut self) -> Topology<'a> {
        let materials = self.played.run.rig().character().materials();
        Topology::new(self.name.clone().into(), self.played.meshes(), materials)
    }

    fn positions(&mut self, frame: usize, positions: &mut Vec<Vec3>) {
        self.skin.set_positions(frame);
        positions.clear();
        positions.extend_from_slice(self.skin.positions());
    }

    fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        self.smooth.at(positions)
    }

    fn write_model(&mut self, file: ModelFile<'_>) -> Result<Vec<MorphSummary>, TakeError> {
        let PlayedFlesh { run, motion, clip, document, .. } = self.played;
        let mut shapes = all_frames(self, file.progress)?;
        // A round ends where it began, with a key to say so.
        if motion.is_loop {
            shapes.push(self.played.closing_shape());
        }
        let (fleshed, morphs) = put_on_rig(run.rig().character(), clip, motion.fps, &shapes, &self.basis)?;
        save_as_gltf(&fleshed, document, (file.path, &self.vrm), file.report)?;
        Ok(morphs)
    }
}

fn shape(motion: &FleshMotion, picture: &FleshPicture) -> FilmShape {
    FilmShape { size: picture.size, fps: motion.fps, count: FleshRun::frame_count(motion) }
}
