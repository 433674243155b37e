//! What a scene that was played is written as.

use super::artist::ElasticArtist;
use super::motion_file::recording;
use super::playback::Playback;
use super::scene::ElasticScene;
use crate::{Reading, SceneChoices, SceneError, Written};
use sinew_geometry::progress::Progress;
use sinew_io::{Limits, PendingFile, Report};
use sinew_model::extension_of;
use sinew_picture::{FilmShape, PictureError, PictureFile, video, write_bytes, write_png};
use sinew_play::{BasisSettings, RecordedTake, Targets, write_take};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is played, and to which files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ElasticRequest {
    /// The scene file.
    pub scene: PathBuf,
    /// What goes before the scene file.
    pub choices: SceneChoices,
    /// Whether blends of examples are not looked at.
    pub has_no_check: bool,
    /// Files; a folder stands for a film, a strip, a model in motion and a table, named after the scene.
    pub outputs: Vec<PathBuf>,
    /// How near the motion a model's morph targets are.
    pub basis: BasisSettings,
}

impl ElasticRequest {
    /// Opens the scene and all that it names.
    ///
    /// # Errors
    /// As [`ElasticScene::read`], or examples that do not fit their body.
    pub fn open(&self, limits: &Limits, report: &mut Report) -> Result<Arc<ElasticScene>, SceneError> {
        let (text, mut reading) = Reading::open(&self.scene, limits, report)?;
        let scene = ElasticScene::read(&text, &self.choices, &mut reading)?;
        if !self.has_no_check {
            scene.check_blends(report)?;
        }
        Ok(scene)
    }

    /// Every file that is to be written, checked before the first step; folders are made.
    ///
    /// # Errors
    /// A file that cannot be had.
    pub fn files(&self, scene: &ElasticScene) -> Result<Vec<ElasticOutput>, SceneError> {
        let name = self.scene.file_stem().unwrap_or_default().to_string_lossy();
        let mut files = Vec::new();
        for output in &self.outputs {
            if extension_of(output).is_empty() {
                let failed = |source| PictureError::Folder { path: output.clone(), source };
                std::fs::create_dir_all(output).map_err(failed)?;
                files.extend(files_in(output, &name));
            } else {
                files.push(output.clone());
            }
        }
        files.into_iter().map(|path| ElasticOutput::new(path, scene)).collect()
    }
}

/// A file, and what its name asks for.
pub struct ElasticOutput {
    path: PathBuf,
    kind: Kind,
}

enum Kind {
    Film(PictureFile),
    /// Moments on one sheet.
    Strip,
    /// Vertices in motion, for other programs: .glb, .gltf, .pc2, .usda or .npy.
    Motion,
    /// Weights, speeds and energies of every frame, as comma-separated values.
    Table,
}

impl ElasticOutput {
    /// What a name asks for, and whether it can be had: asked before the first step.
    ///
    /// # Errors
    /// An unknown extension, a folder that is not there, a GIF that would not fit, or no ffmpeg.
    pub fn new(path: PathBuf, scene: &ElasticScene) -> Result<Self, SceneError> {
        drop(PendingFile::create(&path).map_err(PictureError::from)?);
        let kind = match extension_of(&path).as_str() {
            "mp4" | "gif" => {
                let (size, fps, count) = (scene.size(), scene.fps(), scene.frame_count());
                Kind::Film(PictureFile::new(&path, FilmShape { size, fps, count })?)
            }
            "png" => Kind::Strip,
            "glb" | "gltf" | "pc2" | "usda" | "npy" => Kind::Motion,
            "csv" => Kind::Table,
            _ => {
                let known =
                    ".mp4, .gif, .png, .glb, .gltf, .pc2, .usda, .npy, .csv, and folders for several of them";
                return Err(SceneError::Kind { path, known });
            }
        };
        Ok(Self { path, kind })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it, whole or not at all; a model's morph targets are within `basis` of the motion.
    ///
    /// # Errors
    /// A picture that cannot be drawn, a file that cannot be written, or the caller stops.
    pub fn write(
        &self,
        (scene, playback): (&Arc<ElasticScene>, &Arc<Playback>),
        basis: &BasisSettings,
        progress: &Progress<'_>,
    ) -> Result<Written, SceneError> {
        let path = &self.path;
        let mut written = Written { file: path.clone(), morphs: Vec::new() };
        let mut artist = ElasticArtist::new(scene, playback)?;
        match &self.kind {
            Kind::Film(file) => file.write(progress, |frame| artist.draw(frame))?,
            Kind::Strip => write_png(path, &artist.strip(progress)?)?,
            Kind::Motion => {
                progress.step(0, 1)?;
                let name = path.file_stem().unwrap_or_default().to_string_lossy();
                let recording = recording(scene, playback, &name)?;
                let mut take = RecordedTake { recording: &recording, basis: *basis };
                let mut losses = Report::default();
                written.morphs = write_take(&mut take, &Targets::file(path), &mut losses, progress)?;
            }
            Kind::Table => write_bytes(path, table(scene, playback).as_bytes())?,
        }
        Ok(written)
    }
}

/// The files that a folder of outputs holds, named after the scene: a film, a strip, a model in motion and a table.
fn files_in(folder: &Path, name: &str) -> Vec<PathBuf> {
    let film = if video::is_available() { "mp4" } else { "gif" };
    [film, "png", "glb", "csv"].map(|extension| folder.join(format!("{name}.{extension}"))).to_vec()
}

/// One line a frame, body and group.
fn table(scene: &ElasticScene, playback: &Playback) -> String {
    let most = scene.casts().iter().map(|cast| cast.example_names.len()).max().unwrap_or(0);
    let mut text = String::from("time_secs,body,group,most_speed,kinetic_energy");
    for example in 1..=most {
        // Writing to a String cannot fail.
        let _ = write!(text, ",weight_{example}");
    }
    text.push('\n');
    for frame in &playback.frames {
        for (cast, body) in scene.casts().iter().zip(&frame.bodies) {
            let none = [Vec::new()];
            let groups = if body.weights.is_empty() { &none } else { body.weights.as_slice() };
            for (group, weights) in groups.iter().enumerate() {
                let name = cast.name.replace('"', "\"\"");
                let (speed, energy) = (body.most_speed, body.kinetic_energy);
                // Writing to a String cannot fail.
                let _ = write!(text, "{:.5},\"{name}\",{group},{speed:.6},{energy:.6}", frame.time_secs);
                for example in 0..most {
                    let _ = match weights.get(example) {
                        Some(weight) => write!(text, ",{weight:.6}"),
                        None => write!(text, ","),
                    };
                }
                text.push('\n');
            }
        }
    }
    text
}
