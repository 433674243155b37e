//! The figures of \[Koyama13\], rebuilt with numbers: its scenes as strips, the weights of examples over time, what β does, how far a
//! bar sags for different steps, and how long a step takes.

mod beta;
mod sag;
mod timing;

pub use beta::BetaRow;
pub use sag::SagRow;
pub use timing::TimingRow;

use super::{OnShare, Size, Writer, chart, curve, go_on};
use anyhow::Result;
use serde::Serialize;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_picture::chart::{Chart, Curve};
use sinew_scene::elastic::{ElasticArtist, ElasticScene, Playback, SCENES};
use sinew_scene::{Reading, SceneChoices};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct ElasticFigures {
    /// How long a step takes, beside the source's.
    pub timings: Vec<TimingRow>,
    /// How far a bar sags.
    pub sags: Vec<SagRow>,
    /// What β does to a cuboid at rest.
    pub betas: Vec<BetaRow>,
    /// Every file.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Pixels of a chart for each pixel of a picture's height.
const CHART_SHARE: f32 = 1.6;

/// Writes the figures of soft bodies to `folder`. `size`: pixels of one picture. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_elastic(folder: &Path, size: Size, on_progress: &OnShare<'_>) -> Result<ElasticFigures> {
    let mut writer = Writer::new(folder)?;
    let go_on = |share: f32| go_on(on_progress, share);
    let longer = |side: u32| (CHART_SHARE * side as f32) as u32;
    let wide = (longer(size.0), longer(size.1));
    for (number, (name, text)) in SCENES.iter().enumerate() {
        go_on(0.6 * number as f32 / SCENES.len() as f32)?;
        let choices = SceneChoices { size: Some(size), ..SceneChoices::default() };
        let (scene, playback) = played(text, &choices)?;
        let strip = ElasticArtist::new(&scene, &playback)?.strip(&Progress::none())?;
        writer.picture(&format!("{name}.png"), &strip)?;
        writer.picture(&format!("{name}-weights.png"), &weights(name, &scene, &playback).draw(wide)?)?;
    }
    go_on(0.6)?;
    let betas = beta::rows()?;
    writer.picture("beta-curves.png", &beta::by_beta(&betas).draw(wide)?)?;
    go_on(0.7)?;
    let sags = sag::rows();
    writer.picture("sag.png", &sag::by_rate(&sags).draw(wide)?)?;
    go_on(0.85)?;
    let timings = timing::rows()?;
    writer.bytes("timing.md", timing::markdown(&timings).as_bytes())?;
    writer.bytes("sag.csv", sag::csv(&sags).as_bytes())?;
    writer.bytes("beta.csv", beta::csv(&betas).as_bytes())?;
    go_on(1.0)?;
    Ok(ElasticFigures { timings, sags, betas, files: writer.files })
}

/// A scene's text, read and played.
fn played(text: &str, choices: &SceneChoices) -> Result<(Arc<ElasticScene>, Arc<Playback>)> {
    let scene = ElasticScene::read(text, choices, &mut Reading::here(&mut Report::default()))?;
    let playback = Playback::of(&scene, &Progress::none())?;
    Ok((scene, playback))
}

/// Weights of all examples over time: of each family of bodies, group by group.
fn weights(name: &str, scene: &ElasticScene, playback: &Playback) -> Chart {
    let curves = sinew_scene::elastic::weight_curves(scene, playback);
    let curves = curves.into_iter().enumerate().map(|(number, (name, weights))| {
        let points = playback.frames.iter().zip(weights).map(|(frame, w)| [frame.time_secs, f64::from(w)]);
        Curve { has_dots: false, ..curve(number, &name, points.collect()) }
    });
    let title = format!("Weights of examples: {name}");
    chart(&title, ["seconds", "weight before β"], [0.0, 1.0], curves.collect())
}
