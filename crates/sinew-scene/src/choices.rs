//! What a user says beside a scene file, and what its files are read with.

use crate::SceneError;
use sinew_io::{Limits, Report};
use sinew_render::Quality;
use sinew_rig::SpringPlay;
use std::path::Path;

/// What a user says beside a scene file; it goes before what the file says.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SceneChoices {
    /// Width and height in pixels.
    pub size: Option<(u32, u32)>,
    /// Frames a second.
    pub fps: Option<f64>,
    /// How well it is drawn.
    pub quality: Option<Quality>,
    /// How spring bones are played.
    pub springs: SpringPlay,
}

/// What the files of a scene are read with.
pub struct Reading<'a> {
    /// That of the scene file, to which its paths are relative.
    pub folder: &'a Path,
    /// How large they may be.
    pub limits: Limits,
    /// What reading tells.
    pub report: &'a mut Report,
}

impl<'a> Reading<'a> {
    /// From the current folder, with the usual limits.
    pub fn here(report: &'a mut Report) -> Self {
        Self { folder: Path::new("."), limits: Limits::default(), report }
    }

    /// The text of a scene file, and what the files beside it are read with.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn open(
        path: &'a Path,
        limits: &Limits,
        report: &'a mut Report,
    ) -> Result<(String, Self), SceneError> {
        let text = sinew_model::read_text(path)
            .map_err(|source| SceneError::Unreadable { path: path.into(), source })?;
        let folder = path.parent().unwrap_or(Path::new("."));
        Ok((text, Self { folder, limits: *limits, report }))
    }
}
