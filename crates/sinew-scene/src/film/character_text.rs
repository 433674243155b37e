//! `[[character]]` of a scene file.

use super::motion_source::{LayerText, MotionText, layer, motion};
use crate::scene_text::{Spot, Table, TextError, Value, name_of};
use glam::DVec3;
use sinew_body::character::Look;
use sinew_body::survey::{Measure, Sex};
use sinew_model::SkinChoice;
use sinew_play::patches::PatchModes;
use sinew_skin::{JointRule, Method};
use std::path::PathBuf;

/// One who plays.
#[derive(Clone, Debug)]
pub struct CharacterText {
    /// By which cameras find it. Default `character 1`, `character 2` …
    pub name: String,
    /// The line it begins at.
    pub line: usize,
    /// Where it comes from.
    pub origin: OriginText,
    /// Where it stands, metres.
    pub at: DVec3,
    /// Degrees about +Y; 0 faces +Z, 90 faces +X.
    pub turn_deg: f64,
    /// Times its size.
    pub scale: f64,
    /// How its skin moves.
    pub skin: SkinText,
    /// What it does, in the order of time.
    pub motions: Vec<MotionText>,
    /// Motions over them; a later one goes over an earlier one.
    pub layers: Vec<LayerText>,
}

/// Where a character comes from.
#[derive(Clone, Debug)]
pub enum OriginText {
    /// A file, relative to the scene file.
    File(PathBuf),
    /// Sinew's own human.
    Body(BodyText),
}

/// `body = { … }`.
#[derive(Clone, Debug)]
pub struct BodyText {
    /// Which half of the survey completes the measures. Default male.
    pub sex: Option<Sex>,
    /// Measures that it has.
    pub given: Vec<(Measure, f64)>,
    /// A build to begin with.
    pub preset: Option<String>,
    /// A design whose values are laid over the measured ones, relative to the scene file.
    pub spec: Option<PathBuf>,
    /// Steps along the edge of a patch.
    pub tessellation: usize,
    /// What the surface looks like.
    pub look: Look,
}

/// How skin moves.
#[derive(Clone, Debug, PartialEq)]
pub enum SkinText {
    /// By a skinning method, the file's own if none is named.
    Skinning(SkinChoice),
    /// By the patches of Sinew's human, or of the body that the file carries.
    Patches(PatchModes),
}

impl CharacterText {
    /// What it is called in messages.
    pub(super) fn place(&self) -> String {
        format!("character {:?}", self.name)
    }
}

pub(super) fn character(table: &mut Table<'_>, index: usize) -> Result<CharacterText, TextError> {
    let line = table.spot().line;
    let name = name_of(table, "character", index)?;
    let origin = match (table.get("file"), table.get("body")) {
        (Some(file), None) => OriginText::File(file.text()?.into()),
        (None, Some(value)) => OriginText::Body(value.read(body)?),
        (None, None) => {
            return Err(
                table.error("choose a character: file = \"hero.glb\", or body = { sex = \"female\" }")
            );
        }
        (Some(_), Some(value)) => return Err(value.error("it has a file already; remove one of the two")),
    };
    let at = table.get("at").map_or(Ok(DVec3::ZERO), |value| value.vector())?;
    let turn_deg = table.get("turn").map_or(Ok(0.0), |value| value.number_in(-3600.0..=3600.0))?;
    let scale = table.get("scale").map_or(Ok(1.0), |value| value.number_in(1e-4..=1e4))?;
    let skin = skin(table, matches!(origin, OriginText::Body(_)))?;
    let motions = table.list("motion", motion)?;
    for pair in motions.windows(2) {
        let starts = pair[1].start_secs.zip(pair[0].start_secs);
        if starts.is_some_and(|(later, earlier)| later <= earlier) {
            let message = "motions must start one after the other; give each a later `start`";
            let spot = Spot { line: pair[1].line, column: 1 };
            return Err(spot.error(format!("character {name:?}"), message));
        }
    }
    let layers = table.list("layer", layer)?;
    if let Some(layer) = layers.first().filter(|_| motions.is_empty()) {
        let spot = Spot { line: layer.motion.line, column: 1 };
        return Err(spot.error(format!("character {name:?}"), "a layer needs a motion below it"));
    }
    Ok(CharacterText { name, line, origin, at, turn_deg, scale, skin, motions, layers })
}

fn skin(table: &mut Table<'_>, is_body: bool) -> Result<SkinText, TextError> {
    let joints = match table.get("joints") {
        Some(value) => {
            value.table()?.all().map(|(pattern, value)| rule(pattern, &value)).collect::<Result<_, _>>()?
        }
        None => Vec::new(),
    };
    match table.get("method") {
        Some(value) if PatchModes::are_named(value.text()?) => {
            if !joints.is_empty() {
                return Err(value.error("patches move the whole body; remove `joints`"));
            }
            Ok(SkinText::Patches(value.parsed()?))
        }
        Some(value) => {
            let method = Some(value.parsed::<Method>()?);
            Ok(SkinText::Skinning(SkinChoice { method, joints, ..SkinChoice::default() }))
        }
        None if is_body && joints.is_empty() => Ok(SkinText::Patches(PatchModes::default())),
        None => Ok(SkinText::Skinning(SkinChoice { joints, ..SkinChoice::default() })),
    }
}

fn rule(pattern: &str, value: &Value<'_>) -> Result<JointRule, TextError> {
    JointRule::new(pattern, value.parsed::<Method>()?).map_err(|error| value.error(error))
}

fn body(table: &mut Table<'_>) -> Result<BodyText, TextError> {
    let sexes = [("female", Sex::Female), ("male", Sex::Male)];
    let sex = table.get("sex").map(|value| value.word(&sexes)).transpose()?;
    let mut given = Vec::new();
    for (key, measure) in [("stature", Measure::Stature), ("weight", Measure::Weight), ("age", Measure::Age)]
    {
        if let Some(value) = table.get(key) {
            given.push((measure, value.number()?));
        }
    }
    if let Some(value) = table.get("set") {
        for (name, value) in value.table()?.all() {
            let measure = Measure::find(name).map_err(|error| value.error(error))?;
            given.push((measure, value.number()?));
        }
    }
    let preset = table.get("preset").map(|value| value.text().map(str::to_owned)).transpose()?;
    let spec = table.get("spec").map(|value| value.text().map(PathBuf::from)).transpose()?;
    let tessellation =
        table.get("tessellation").map_or(Ok(8.0), |value| value.number_in(4.0..=64.0))? as usize;
    let looks = [("skin", Look::Skin), ("patches", Look::Patches)];
    let look = table.get("look").map_or(Ok(Look::Skin), |value| value.word(&looks))?;
    Ok(BodyText { sex, given, preset, spec, tessellation, look })
}
