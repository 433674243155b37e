//! The scene file: what is filmed, as a person writes it. Every key is described in `docs/formats/scene.md`.

use super::camera_text::{CameraText, camera};
use super::character_text::{CharacterText, character};
use super::text::{SceneError, Source, Table};
use crate::picture::BackgroundChoice;
use sinew_render::{MAX_IMAGE_SIDE, Quality};

/// A whole scene file, read and checked as far as it can be without the files that it names.
#[derive(Clone, Debug)]
pub struct SceneFile {
    /// Width and height in pixels. Default 1280 × 720.
    pub size: (u32, u32),
    /// Frames a second. Default 30.
    pub fps: f64,
    /// Seconds; none means as long as the longest motion.
    pub duration_secs: Option<f64>,
    /// How well it is drawn. Default standard.
    pub quality: Quality,
    /// What lies behind. Default the studio.
    pub background: BackgroundChoice,
    /// The floor.
    pub ground: GroundText,
    /// The main lamp.
    pub light: LightText,
    /// Who plays.
    pub characters: Vec<CharacterText>,
    /// Who films.
    pub cameras: Vec<CameraText>,
    /// When which camera is on.
    pub cuts: Vec<CutText>,
}

/// `[ground]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundText {
    /// What is seen of it. Default a grid.
    pub kind: GroundKind,
    /// Its height, metres. Default 0.
    pub height_m: f64,
    /// From line to line, metres. Default 1.
    pub spacing_m: f64,
}

/// What is seen of a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundKind {
    /// Shadows and faint lines.
    Grid,
    /// Shadows alone.
    Plain,
    /// There is none.
    None,
}

/// `[light]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightText {
    /// Degrees about +Y: 0 shines from +Z, 90 from +X. Default −40.
    pub azimuth_deg: f64,
    /// Degrees above the horizon, 5 to 90. Default 54.
    pub elevation_deg: f64,
    /// Times the usual. Default 1.
    pub strength: f64,
    /// Radius of the lamp as an angle, degrees. Default 5.
    pub softness_deg: f64,
}

/// `[[cut]]`.
#[derive(Clone, Debug, PartialEq)]
pub struct CutText {
    /// When, seconds.
    pub time_secs: f64,
    /// The camera's name.
    pub camera: String,
    /// The line of the cut.
    pub line: usize,
}

impl SceneFile {
    /// Reads the text of a scene file.
    ///
    /// # Errors
    /// The first thing that means nothing, with its line and what to use.
    pub fn parse(text: &str) -> Result<Self, SceneError> {
        let file = Source::read(text, scene)?;
        if file.characters.is_empty() {
            let message = "there is no [[character]]; a film needs at least one".into();
            return Err(SceneError { line: 1, place: String::new(), message });
        }
        Ok(file)
    }
}

fn scene(top: &mut Table<'_>) -> Result<SceneFile, SceneError> {
    let mut file = SceneFile {
        size: (1280, 720),
        fps: 30.0,
        duration_secs: None,
        quality: Quality::Standard,
        background: BackgroundChoice::Studio,
        ground: GroundText { kind: GroundKind::Grid, height_m: 0.0, spacing_m: 1.0 },
        light: LightText { azimuth_deg: -40.0, elevation_deg: 54.0, strength: 1.0, softness_deg: 5.0 },
        characters: Vec::new(),
        cameras: Vec::new(),
        cuts: Vec::new(),
    };
    if let Some(value) = top.get("film") {
        film(value.table()?, &mut file)?;
    }
    if let Some(value) = top.get("ground") {
        ground(value.table()?, &mut file.ground)?;
    }
    if let Some(value) = top.get("light") {
        light(value.table()?, &mut file.light)?;
    }
    for (index, table) in top.tables("character")?.into_iter().enumerate() {
        file.characters.push(character(table, index)?);
    }
    for (index, table) in top.tables("camera")?.into_iter().enumerate() {
        file.cameras.push(camera(table, index)?);
    }
    for table in top.tables("cut")? {
        file.cuts.push(cut(table)?);
    }
    refuse_twice(
        top,
        file.characters.iter().map(|character| (&character.name, character.line)),
        "character",
    )?;
    refuse_twice(top, file.cameras.iter().map(|camera| (&camera.name, camera.line)), "camera")?;
    Ok(file)
}

fn refuse_twice<'a>(
    top: &Table<'_>,
    names: impl Iterator<Item = (&'a String, usize)>,
    kind: &str,
) -> Result<(), SceneError> {
    let mut seen = std::collections::BTreeSet::new();
    for (name, line) in names {
        if !seen.insert(name) {
            let message = format!("two {kind}s are named {name:?}; give one another name");
            return Err(SceneError { line, ..top.error(message) });
        }
    }
    Ok(())
}

fn film(mut table: Table<'_>, file: &mut SceneFile) -> Result<(), SceneError> {
    if let Some(value) = table.get("size") {
        let sides = value.numbers::<2>()?;
        let is_side = |side: &f64| side.fract() == 0.0 && (1.0..=f64::from(MAX_IMAGE_SIDE)).contains(side);
        if !sides.iter().all(is_side) {
            return Err(value.error(format_args!("use two whole numbers from 1 to {MAX_IMAGE_SIDE}")));
        }
        file.size = (sides[0] as u32, sides[1] as u32);
    }
    if let Some(value) = table.get("fps") {
        file.fps = value.number_in(0.1..=1000.0)?;
    }
    if let Some(value) = table.get("duration") {
        let duration = value.number()?;
        if duration <= 0.0 {
            let hint = "leave it out for the longest motion's length, or use seconds above 0";
            return Err(value.error(format_args!("a film of {duration} s has no frames; {hint}")));
        }
        file.duration_secs = Some(duration);
    }
    if let Some(value) = table.get("quality") {
        file.quality = value.word(&[("standard", Quality::Standard), ("high", Quality::High)])?;
    }
    if let Some(value) = table.get("background") {
        file.background = value.parsed()?;
    }
    table.finish()
}

fn ground(mut table: Table<'_>, ground: &mut GroundText) -> Result<(), SceneError> {
    if let Some(value) = table.get("kind") {
        let kinds = [("grid", GroundKind::Grid), ("plain", GroundKind::Plain), ("none", GroundKind::None)];
        ground.kind = value.word(&kinds)?;
    }
    if let Some(value) = table.get("height") {
        ground.height_m = value.number_in(-1e5..=1e5)?;
    }
    if let Some(value) = table.get("spacing") {
        ground.spacing_m = value.number_in(0.01..=1e4)?;
    }
    table.finish()
}

fn light(mut table: Table<'_>, light: &mut LightText) -> Result<(), SceneError> {
    if let Some(value) = table.get("azimuth") {
        light.azimuth_deg = value.number_in(-360.0..=360.0)?;
    }
    if let Some(value) = table.get("elevation") {
        light.elevation_deg = value.number_in(5.0..=90.0)?;
    }
    if let Some(value) = table.get("strength") {
        light.strength = value.number_in(0.0..=10.0)?;
    }
    if let Some(value) = table.get("softness") {
        light.softness_deg = value.number_in(0.0..=30.0)?;
    }
    table.finish()
}

fn cut(mut table: Table<'_>) -> Result<CutText, SceneError> {
    let time = table.need("time")?;
    let time_secs = time.number_in(0.0..=1e6)?;
    let camera = table.need("camera")?.text()?.to_owned();
    let line = time.error("").line;
    table.finish()?;
    Ok(CutText { time_secs, camera, line })
}
