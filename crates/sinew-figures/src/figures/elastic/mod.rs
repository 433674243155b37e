//! The figures of \[Koyama13\], rebuilt with numbers: its scenes as strips, the weights of examples over time, what β does, how far a
//! bar sags for different steps, and how long a step takes.

mod beta;
mod sag;
mod timing;

pub use beta::BetaRow;
pub use sag::SagRow;
pub use timing::TimingRow;

use super::{FiguresError, Writer};
use serde::Serialize;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_picture::chart::{COLORS, Chart, Curve};
use sinew_scene::elastic::{ElasticArtist, ElasticScene, Playback, SCENES};
use sinew_scene::{Reading, SceneChoices};
use std::path::{Path, PathBuf};

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
pub fn write_elastic(
    folder: &Path,
    size: (u32, u32),
    on_progress: &dyn Fn(f32) -> bool,
) -> Result<ElasticFigures, FiguresError> {
    std::fs::create_dir_all(folder).map_err(|source| FiguresError::Folder { path: folder.into(), source })?;
    let mut writer = Writer { folder, files: Vec::new() };
    let go_on = |share: f32| if on_progress(share) { Ok(()) } else { Err(FiguresError::Interrupted) };
    for (number, (name, text)) in SCENES.iter().enumerate() {
        go_on(0.6 * number as f32 / SCENES.len() as f32)?;
        let choices = SceneChoices { size: Some(size), ..SceneChoices::default() };
        let mut report = Report::default();
        let scene = ElasticScene::read(text, &choices, &mut Reading::here(&mut report))?;
        let playback = Playback::of(&scene, &Progress::none())?;
        let strip = ElasticArtist::new(&scene, &playback)?.strip(&Progress::none())?;
        writer.picture(&format!("{name}.png"), &strip)?;
        writer
            .picture(&format!("{name}-weights.png"), &weights(name, &scene, &playback).draw(chart(size))?)?;
    }
    go_on(0.6)?;
    let betas = beta::rows()?;
    writer.picture("beta-curves.png", &beta::chart(&betas).draw(chart(size))?)?;
    go_on(0.7)?;
    let sags = sag::rows();
    writer.picture("sag.png", &sag::chart(&sags).draw(chart(size))?)?;
    go_on(0.85)?;
    let timings = timing::rows()?;
    writer.bytes("timing.md", timing::markdown(&timings).as_bytes())?;
    writer.bytes("sag.csv", sag::csv(&sags).as_bytes())?;
    writer.bytes("beta.csv", beta::csv(&betas).as_bytes())?;
    go_on(1.0)?;
    Ok(ElasticFigures { timings, sags, betas, files: writer.files })
}

fn chart((width, height): (u32, u32)) -> (u32, u32) {
    let longer = |side: u32| (CHART_SHARE * side as f32) as u32;
    (longer(width), longer(height))
}

/// Weights of all examples over time: of each family of bodies, group by group.
fn weights(name: &str, scene: &ElasticScene, playback: &Playback) -> Chart {
    let curves = sinew_scene::elastic::weight_curves(scene, playback);
    let curves = curves.into_iter().enumerate().map(|(number, (name, weights))| Curve {
        name,
        color: COLORS[number % COLORS.len()],
        points: playback
            .frames
            .iter()
            .zip(weights)
            .map(|(frame, w)| [frame.time_secs, f64::from(w)])
            .collect(),
        has_dots: false,
    });
    Chart {
        title: format!("Weights of examples: {name}"),
        x_name: "seconds".into(),
        y_name: "weight before β".into(),
        is_log_x: false,
        y_range: [0.0, 1.0],
        curves: curves.collect(),
    }
}
