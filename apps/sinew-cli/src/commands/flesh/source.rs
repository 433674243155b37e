//! Whose flesh: the model with its motion, the settings, what is painted.

use crate::args::FleshSource;
use crate::commands::{motion_choice, open, skin_settings};
use crate::talk::Talk;
use anyhow::{Context, Result, anyhow, bail};
use sinew::body::character::Look;
use sinew::flesh::anatomy::{Paint, PaintTarget};
use sinew::flesh::config::read as flesh_from_toml;
use sinew::flesh::{CoveredCharacter, FleshMotion, FleshPreset, FleshSettings};
use sinew::geometry::{CoverSettings, CoverSize};
use sinew::io::{Limits, Report, read_npy_f32};
use sinew::model::Model;
use sinew::model::motion::humanoid_map;
use sinew::rig::{BoundSurface, Character, ClipId, Deformer, HumanoidMap};
use sinew::scene::body::{BodyRequest, make};
use sinew::skin::SkinSettings;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where a model came from, for words about it.
pub(super) fn place(input: Option<&PathBuf>) -> &Path {
    input.map_or(Path::new("Sinew's body"), PathBuf::as_path)
}

/// Steps along the edges of the patches of Sinew's own human.
const HUMAN_STEPS: usize = 6;

/// Who gets flesh, and of what kind: all that options say before anything is made.
pub(super) struct Prepared {
    /// Who.
    pub(super) subject: Subject,
    /// What kind.
    pub(super) settings: FleshSettings,
    /// How bones move skin and flesh.
    pub(super) skinning: SkinSettings,
    /// What could not be followed in the files.
    pub(super) report: Report,
    map: HumanoidMap,
}

/// Reads all that options name, and tells what could not be followed.
pub(super) fn prepare(options: &FleshSource, limits: &Limits, talk: &Talk) -> Result<Prepared> {
    let mut report = Report::default();
    let subject = subject(options, limits, &mut report)?;
    let settings = settings(options)?;
    let skinning = skin_settings(&options.skin, &subject.model.character, &mut report)?;
    let (map, _) = humanoid_map(&subject.model, &mut report);
    talk.report(place(options.input.as_ref()), &report);
    Ok(Prepared { subject, settings, skinning, report, map })
}

impl Prepared {
    /// The character with about so many tetrahedra round it.
    pub(super) fn covered(&self, options: &FleshSource, tets: usize) -> Result<CoveredCharacter<'_>> {
        let cover = CoverSettings { size: CoverSize::Count(tets), ..CoverSettings::default() };
        let mut covered = CoveredCharacter::new(&self.subject.model.character, &cover)
            .with_context(|| place(options.input.as_ref()).display().to_string())?;
        covered.humanoid = Some(self.map.clone()).filter(|map| map.missing().is_empty());
        Ok(covered)
    }

    /// The motion at a speed, once or as one of many rounds.
    pub(super) fn motion(&self, fps: f64, speed: f64, is_loop: bool) -> FleshMotion<'_> {
        let clip = &self.subject.model.character.clips()[self.subject.clip.index()];
        FleshMotion { clip, fps, speed, is_loop }
    }
}

/// Who gets flesh.
pub(super) struct Subject {
    /// The model, with its motion.
    pub(super) model: Model,
    /// Which of its clips that is.
    pub(super) clip: ClipId,
    /// Sinew's own human is skinned by its patches, unless a method is asked for.
    pub(super) skin: Option<Arc<dyn Deformer>>,
}

/// The model with the motion that the options name.
fn subject(options: &FleshSource, limits: &Limits, report: &mut Report) -> Result<Subject> {
    let at = || place(options.input.as_ref()).display().to_string();
    let (mut model, skin) = match &options.input {
        Some(path) => (open(path, limits, report)?, None),
        None => {
            let body = make(&BodyRequest::default())?.patched(HUMAN_STEPS, Look::Skin)?;
            let is_plain = options.skin.method.is_none() && options.skin.file.is_none();
            (Model::new(body.character), is_plain.then_some(body.deformer))
        }
    };
    let clip = match (&options.motion, &options.clip) {
        (Some(motion), _) => {
            let motion = motion_choice(motion, options.path.as_deref())?;
            model.add_motion(&motion, limits, report).with_context(at)?
        }
        (None, Some(clip)) => clip.clone(),
        (None, None) => match model.character.clips() {
            [only] => only.name.clone(),
            clips => bail!("{}: {}", at(), which_clip(clips.iter().map(|clip| clip.name.as_str()))),
        },
    };
    let clip = model.character.find_clip(&clip).with_context(at)?;
    Ok(Subject { model, clip, skin })
}

/// What to do where nothing says which motion is meant.
fn which_clip<'a>(names: impl ExactSizeIterator<Item = &'a str>) -> String {
    const MOST_NAMED: usize = 30;
    if names.len() == 0 {
        return "it has no clip; use --motion walk, run, jump or a file".to_owned();
    }
    let count = names.len();
    let named: Vec<&str> = names.take(MOST_NAMED).collect();
    let more = if count > MOST_NAMED { format!(" and {} more", count - MOST_NAMED) } else { String::new() };
    format!(
        "which motion? Use --motion walk, run, jump or a file, or --clip with one of {}{more}",
        named.join(", ")
    )
}

/// The settings that the options name.
fn settings(options: &FleshSource) -> Result<FleshSettings> {
    match &options.config {
        Some(path) => {
            let place = || path.display().to_string();
            let text = std::fs::read_to_string(path).with_context(place)?;
            flesh_from_toml(&text).with_context(place)
        }
        None => Ok(options.preset.unwrap_or(FleshPreset::Natural).settings()),
    }
}

/// What is painted on the skin.
pub(super) fn paints(
    options: &FleshSource,
    character: &Character,
    settings: &FleshSettings,
    limits: &Limits,
) -> Result<Vec<Paint>> {
    options
        .paint
        .iter()
        .map(|text| paint(text, character, settings, limits).with_context(|| format!("--paint {text}")))
        .collect()
}

fn paint(text: &str, character: &Character, settings: &FleshSettings, limits: &Limits) -> Result<Paint> {
    let (what, from) = text.split_once('=').ok_or_else(|| anyhow!("use WHAT=FROM, such as softness=r"))?;
    let target = match (what, what.strip_prefix("thickness:")) {
        ("softness", _) => PaintTarget::Softness,
        ("stiffness", _) => PaintTarget::Stiffness,
        ("beta", _) => PaintTarget::Beta,
        (_, Some(layer)) => {
            let names: Vec<&str> = settings.layers.iter().map(|layer| layer.name.as_str()).collect();
            let found = names.iter().position(|name| *name == layer);
            let unknown = || anyhow!("there is no layer {layer:?}; layers are {}", names.join(", "));
            PaintTarget::Thickness(found.ok_or_else(unknown)?)
        }
        _ => bail!("{what:?} cannot be painted; use softness, stiffness, beta or thickness:LAYER"),
    };
    let values = match ["r", "g", "b", "a"].iter().position(|channel| *channel == from) {
        Some(channel) => from_colors(character, channel)?,
        None => from_file(Path::new(from), BoundSurface::of(character).vertex_count(), limits)?,
    };
    Ok(Paint { target, values })
}

/// A channel of the vertex colors; vertices without colors are not painted.
fn from_colors(character: &Character, channel: usize) -> Result<Vec<f32>> {
    let bound = BoundSurface::of(character);
    let mut values = vec![f32::NAN; bound.vertex_count()];
    for placed in bound.instances() {
        let colors = &character.mesh_of(placed.instance).colors;
        let painted = values[placed.vertices.clone()].iter_mut().zip(colors);
        painted.for_each(|(value, color)| *value = color[channel]);
    }
    anyhow::ensure!(values.iter().any(|value| value.is_finite()), "the model has no vertex colors");
    Ok(values)
}

fn from_file(path: &Path, vertices: usize, limits: &Limits) -> Result<Vec<f32>> {
    anyhow::ensure!(
        sinew::model::extension_of(path) == "npy",
        "{}: use r, g, b or a for vertex colors, or a .npy file",
        path.display()
    );
    let place = || path.display().to_string();
    let bytes = sinew::model::read_limited(path, limits.max_memory).with_context(place)?;
    let array = read_npy_f32(&bytes).with_context(place)?;
    anyhow::ensure!(
        array.values.len() == vertices,
        "{}: {} numbers, the skin has {vertices} vertices",
        path.display(),
        array.values.len()
    );
    Ok(array.values)
}
