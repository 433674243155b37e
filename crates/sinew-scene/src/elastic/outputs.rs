//! What a scene that was played is written as.

use super::artist::ElasticArtist;
use super::error::ElasticError;
use super::motion_file::recording;
use super::playback::Playback;
use super::scene::ElasticScene;
use serde::Serialize;
use sinew_io::{PendingFile, Report};
use sinew_model::extension_of;
use sinew_picture::video;
use sinew_picture::video::FilmShape;
use sinew_play::{BasisSettings, MorphSummary};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// What an output's name asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// H.264, by ffmpeg, or an animated GIF.
    Film,
    /// Moments on one sheet.
    Strip,
    /// Vertices in motion, for other programs: .glb, .gltf, .pc2, .usda or .npy.
    Motion,
    /// Weights, speeds and energies of every frame, as comma-separated values.
    Table,
}

/// Told how many pictures of how many are done; `false` stops.
pub type OnDrawn<'a> = dyn FnMut(usize, usize) -> bool + 'a;

impl OutputKind {
    /// What a name asks for, and whether it can be had: asked before the first step.
    ///
    /// # Errors
    /// An unknown extension, a GIF that would not fit, or no ffmpeg.
    pub fn of(path: &Path, scene: &ElasticScene) -> Result<Self, ElasticError> {
        match extension_of(path).as_str() {
            "mp4" | "gif" => {
                video::check_film(path, &shape(scene))?;
                Ok(Self::Film)
            }
            "png" => Ok(Self::Strip),
            "glb" | "gltf" | "pc2" | "usda" | "npy" => Ok(Self::Motion),
            "csv" => Ok(Self::Table),
            _ => Err(ElasticError::Kind { path: path.into() }),
        }
    }

    /// Pictures that are drawn for it.
    pub fn picture_count(self, scene: &ElasticScene, artist: &ElasticArtist<'_>) -> usize {
        match self {
            Self::Film => scene.frame_count(),
            Self::Strip => artist.strip_times().len(),
            Self::Motion | Self::Table => 0,
        }
    }
}

/// The files that a folder of outputs holds, named after the scene: a film, a strip, a model in motion and a table.
pub fn files_in(folder: &Path, name: &str) -> Vec<PathBuf> {
    let film = if video::is_available() { "mp4" } else { "gif" };
    [film, "png", "glb", "csv"].map(|extension| folder.join(format!("{name}.{extension}"))).to_vec()
}

/// What is told of an output: for glTF, how far the morph targets are from the motion.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Written {
    /// The file.
    pub file: PathBuf,
    /// Morph targets of each mesh, for glTF.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub morphs: Vec<MorphSummary>,
}

/// Writes one output, whole or not at all; glTF's morph targets are within `basis` of the motion.
///
/// # Errors
/// A picture that cannot be drawn, a file that cannot be written, or [`ElasticError::Interrupted`].
pub fn write(
    kind: OutputKind,
    (scene, playback): (&ElasticScene, &Playback),
    path: &Path,
    basis: &BasisSettings,
    on_drawn: &mut OnDrawn<'_>,
) -> Result<Written, ElasticError> {
    let mut written = Written { file: path.into(), morphs: Vec::new() };
    let mut artist = ElasticArtist::new(scene, playback)?;
    let total = kind.picture_count(scene, &artist);
    match kind {
        OutputKind::Film => video::write_film(path, &shape(scene), |frame| {
            go_on(on_drawn, frame, total)?;
            artist.draw(frame)
        })?,
        OutputKind::Strip => {
            let sheet = artist.strip(&mut |done| on_drawn(done, total))?;
            write_bytes(path, &sheet.encode_png()?)?;
        }
        OutputKind::Motion => {
            go_on(on_drawn, 0, 1)?;
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let recording = recording(scene, playback, &name)?;
            go_on(on_drawn, 0, 1)?;
            written.morphs = recording.save(path, basis, &mut Report::default())?.morphs;
        }
        OutputKind::Table => write_bytes(path, table(scene, playback).as_bytes())?,
    }
    Ok(written)
}

fn shape(scene: &ElasticScene) -> FilmShape {
    FilmShape { size: scene.size(), fps: scene.fps(), count: scene.frame_count() }
}

fn go_on(on_drawn: &mut OnDrawn<'_>, done: usize, total: usize) -> Result<(), ElasticError> {
    if on_drawn(done, total) { Ok(()) } else { Err(ElasticError::Interrupted) }
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), ElasticError> {
    let mut file = PendingFile::create(path)?;
    file.write_bytes(bytes)?;
    Ok(file.commit()?)
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
