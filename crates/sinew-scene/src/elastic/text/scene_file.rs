//! The file as a whole, and its `[scene]`, `[contact]`, `[show]` and `[strip]`.

use super::body_text::{BodyText, body, whole};
use super::collider_text::{ColliderText, collider, contact};
use super::handle_text::{HandleText, handle};
use crate::scene_text::{
    CameraText, GroundKind, GroundText, LightText, Source, Spot, Table, TextError, Value, camera,
    picture_size, quality, refuse_twice,
};
use glam::DVec3;
use sinew_picture::BackgroundChoice;
use sinew_render::Quality;
use sinew_soft::ContactSettings;

/// A whole scene file, read and checked as far as it can be without the files that it names.
#[derive(Clone, Debug)]
pub struct ElasticFile {
    /// Seconds. Default 4.
    pub duration_secs: f64,
    /// Frames a second. Default 30.
    pub fps: f64,
    /// Steps a second: a whole number of them in each frame. Default 60.
    pub rate: f64,
    /// Iterations a step. Default 20.
    pub iterations: u32,
    /// m/s². Default 9.81 downwards.
    pub gravity: DVec3,
    /// Rate at which all motion dies out, 1/s. Default 0.5.
    pub damping: f64,
    /// For what is scattered. Default 0.
    pub seed: u64,
    /// Width and height in pixels. Default 1280 × 720.
    pub size: (u32, u32),
    /// How well it is drawn. Default standard.
    pub quality: Quality,
    /// What lies behind. Default the studio.
    pub background: BackgroundChoice,
    /// The floor.
    pub ground: GroundText,
    /// How the floor answers to touch; none is no floor.
    pub ground_contact: Option<ContactSettings>,
    /// The main lamp.
    pub light: LightText,
    /// Who films; none sees everything from a fixed place.
    pub camera: Option<CameraText>,
    /// The bodies.
    pub bodies: Vec<BodyText>,
    /// What they run into.
    pub colliders: Vec<ColliderText>,
    /// What leads them.
    pub handles: Vec<HandleText>,
    /// What they do to each other.
    pub between: BetweenText,
    /// What is drawn over the picture.
    pub show: ShowText,
    /// The strip of moments.
    pub strip: StripText,
}

/// `[contact]`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BetweenText {
    /// Whether bodies touch each other. Default true where there is a `[contact]`, false where there is none.
    pub is_between: bool,
    /// Whether a body touches itself. Default false.
    pub is_self: bool,
    /// How they answer.
    pub contact: ContactSettings,
}

/// `[show]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShowText {
    /// How weights of examples are drawn. Default not at all.
    pub weights: WeightsShown,
    /// Whether handles are drawn. Default true.
    pub has_handles: bool,
    /// Whether the time is. Default false.
    pub has_time: bool,
}

/// How weights of examples are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WeightsShown {
    /// Not at all.
    #[default]
    None,
    /// As bars.
    Bars,
    /// As curves over time.
    Graph,
}

/// `[strip]`: moments on one sheet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StripText {
    /// When, seconds; empty is eight that are evenly spaced.
    pub times_secs: Vec<f64>,
    /// Pictures in a row; none is as many as look well.
    pub columns: Option<usize>,
    /// Pixels of one picture; none is a part of the scene's size.
    pub size: Option<(u32, u32)>,
}

impl ElasticFile {
    /// Reads the text of a scene file.
    ///
    /// # Errors
    /// The first thing that means nothing, with its line, its column and what to use.
    pub fn parse(text: &str) -> Result<Self, TextError> {
        let file = Source::read_all(text, scene)?;
        if file.bodies.is_empty() {
            let start = Spot { line: 1, column: 1 };
            return Err(start.error(String::new(), "no [[body]]; a scene needs at least one"));
        }
        Ok(file)
    }
}

fn scene(top: &mut Table<'_>) -> Result<ElasticFile, TextError> {
    let mut file = ElasticFile {
        duration_secs: 4.0,
        fps: 30.0,
        rate: 60.0,
        iterations: 20,
        gravity: DVec3::new(0.0, -9.81, 0.0),
        damping: 0.5,
        seed: 0,
        size: (1280, 720),
        quality: Quality::Standard,
        background: BackgroundChoice::Studio,
        ground: GroundText::default(),
        ground_contact: Some(ContactSettings::default()),
        light: LightText::default(),
        camera: None,
        bodies: Vec::new(),
        colliders: Vec::new(),
        handles: Vec::new(),
        between: BetweenText::default(),
        show: ShowText { has_handles: true, ..ShowText::default() },
        strip: StripText::default(),
    };
    section(top, "scene", &mut file, settings)?;
    section(top, "ground", &mut file, ground)?;
    top.set("light", &mut file.light, |value| value.read(LightText::read))?;
    file.camera = top.get("camera").map(|value| value.read(|table| camera(table, 0))).transpose()?;
    file.bodies = top.list("body", body)?;
    file.colliders = top.list("collider", collider)?;
    file.handles = top.list("handle", handle)?;
    section(top, "contact", &mut file, between)?;
    section(top, "show", &mut file, show)?;
    section(top, "strip", &mut file, strip)?;
    refuse_twice(file.bodies.iter().map(|body| (&body.name, body.spot.line)), "body")?;
    Ok(file)
}

fn section(
    top: &mut Table<'_>,
    key: &'static str,
    file: &mut ElasticFile,
    read: impl FnOnce(&mut Table<'_>, &mut ElasticFile) -> Result<(), TextError>,
) -> Result<(), TextError> {
    top.get(key).map_or(Ok(()), |value| value.read(|table| read(table, file)))
}

fn settings(table: &mut Table<'_>, file: &mut ElasticFile) -> Result<(), TextError> {
    table.set("duration", &mut file.duration_secs, |value| value.number_in(0.001..=36000.0))?;
    table.set("fps", &mut file.fps, |value| value.number_in(0.1..=1000.0))?;
    table.set("damping", &mut file.damping, |value| value.number_in(0.0..=1e4))?;
    if let Some(value) = table.get("rate") {
        file.rate = value.number_in(0.1..=1e5)?;
        let in_frame = file.rate / file.fps;
        if in_frame < 1.0 || (in_frame - in_frame.round()).abs() > 1e-6 {
            let message = format_args!(
                "{} steps per second is not a multiple of {} fps; use a multiple of `fps`",
                file.rate, file.fps
            );
            return Err(value.error(message));
        }
    } else {
        file.rate = file.fps * (60.0 / file.fps).ceil().max(1.0);
    }
    table.set("iterations", &mut file.iterations, |value| Ok(whole(value, 1.0..=1000.0)? as u32))?;
    if let Some(value) = table.get("gravity") {
        file.gravity =
            if value.is_number() { DVec3::Y * -value.number_in(-1e5..=1e5)? } else { value.vector()? };
    }
    table.set("seed", &mut file.seed, |value| Ok(whole(value, 0.0..=9e15)? as u64))?;
    table.set("size", &mut file.size, picture_size)?;
    table.set("quality", &mut file.quality, quality)?;
    table.set("background", &mut file.background, Value::parsed)
}

/// The floor is drawn and stood upon; one that is not drawn is not there.
fn ground(table: &mut Table<'_>, file: &mut ElasticFile) -> Result<(), TextError> {
    file.ground = GroundText::read(table)?;
    let settings = contact(table)?;
    file.ground_contact = (file.ground.kind != GroundKind::None).then_some(settings);
    Ok(())
}

fn between(table: &mut Table<'_>, file: &mut ElasticFile) -> Result<(), TextError> {
    let between = &mut file.between;
    between.contact = contact(table)?;
    between.is_between = table.get("between").map_or(Ok(true), |value| value.boolean())?;
    if let Some(value) = table.get("self") {
        between.is_self = value.boolean()?;
        if between.is_self && !between.is_between {
            return Err(value.error("self-contact includes contact between bodies; remove `between`"));
        }
    }
    Ok(())
}

fn show(table: &mut Table<'_>, file: &mut ElasticFile) -> Result<(), TextError> {
    let kinds = [("none", WeightsShown::None), ("bars", WeightsShown::Bars), ("graph", WeightsShown::Graph)];
    table.set("weights", &mut file.show.weights, |value| value.word(&kinds))?;
    table.set("handles", &mut file.show.has_handles, Value::boolean)?;
    table.set("time", &mut file.show.has_time, Value::boolean)
}

fn strip(table: &mut Table<'_>, file: &mut ElasticFile) -> Result<(), TextError> {
    if let Some(times) = table.get("times") {
        for time in times.array()? {
            file.strip.times_secs.push(time.number_in(0.0..=file.duration_secs)?);
        }
        if file.strip.times_secs.is_empty() {
            return Err(times.error("expected at least one time"));
        }
    }
    file.strip.columns = table.get("columns").map(|value| whole(&value, 1.0..=100.0)).transpose()?;
    file.strip.size = table.get("size").map(|value| picture_size(&value)).transpose()?;
    Ok(())
}
