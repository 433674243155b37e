//! The scene file: what is filmed, as a person writes it. Every key is described in `docs/formats/scene.md`.

use super::character_text::{CharacterText, character};
use crate::scene_text::{
    CameraText, GroundText, LightText, Source, Spot, Table, TextError, Value, camera, picture_size, quality,
    refuse_twice,
};
use sinew_picture::BackgroundChoice;
use sinew_render::Quality;

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
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let file = Source::read_all(text, scene)?;
        if file.characters.is_empty() {
            let start = Spot { line: 1, column: 1 };
            return Err(start.error(String::new(), "no [[character]]; a film needs at least one"));
        }
        Ok(file)
    }
}

fn scene(top: &mut Table<'_>) -> Result<SceneFile, TextError> {
    let mut file = SceneFile {
        size: (1280, 720),
        fps: 30.0,
        duration_secs: None,
        quality: Quality::Standard,
        background: BackgroundChoice::Studio,
        ground: GroundText::default(),
        light: LightText::default(),
        characters: Vec::new(),
        cameras: Vec::new(),
        cuts: Vec::new(),
    };
    top.get("film").map_or(Ok(()), |value| value.read(|table| film(table, &mut file)))?;
    top.set("ground", &mut file.ground, |value| value.read(GroundText::read))?;
    top.set("light", &mut file.light, |value| value.read(LightText::read))?;
    file.characters = top.list("character", character)?;
    file.cameras = top.list("camera", camera)?;
    file.cuts = top.list("cut", cut)?;
    refuse_twice(file.characters.iter().map(|character| (&character.name, character.line)), "character")?;
    refuse_twice(file.cameras.iter().map(|camera| (&camera.name, camera.line)), "camera")?;
    Ok(file)
}

fn film(table: &mut Table<'_>, file: &mut SceneFile) -> Result<(), TextError> {
    table.set("size", &mut file.size, picture_size)?;
    table.set("fps", &mut file.fps, |value| value.number_in(0.1..=1000.0))?;
    if let Some(value) = table.get("duration") {
        let duration = value.number()?;
        if duration <= 0.0 {
            let hint = "leave it out for the longest motion's length, or use seconds above 0";
            return Err(value.error(format_args!("a film of {duration} s has no frames; {hint}")));
        }
        file.duration_secs = Some(duration);
    }
    table.set("quality", &mut file.quality, quality)?;
    table.set("background", &mut file.background, Value::parsed)
}

fn cut(table: &mut Table<'_>, _: usize) -> Result<CutText, TextError> {
    let time = table.need("time")?;
    let time_secs = time.number_in(0.0..=1e6)?;
    let camera = table.need("camera")?.text()?.to_owned();
    Ok(CutText { time_secs, camera, line: time.spot().line })
}
