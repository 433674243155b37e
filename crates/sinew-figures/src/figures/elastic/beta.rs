//! What β does to a cuboid at rest on the floor: figure 5 of \[Koyama13\] as a curve.

use super::super::FiguresError;
use serde::Serialize;
use sinew_geometry::Bounds;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_picture::chart::{COLORS, Chart, Curve};
use sinew_scene::elastic::{ElasticScene, Playback};
use sinew_scene::{Reading, SceneChoices};
use std::fmt::Write;

/// A cuboid at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BetaRow {
    /// Share of the examples that is kept.
    pub beta: f64,
    /// Weight of the example at rest, before β.
    pub weight: f64,
    /// Height at rest over that of the rest shape.
    pub height: f64,
}

const BETAS: [f64; 10] = [0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.995];

/// Height of the rest shape, metres.
const HEIGHT_M: f32 = 0.8;

/// Plays the cuboid of `beta.toml` for each β until it rests.
pub(super) fn rows() -> Result<Vec<BetaRow>, FiguresError> {
    let mut text = "[scene]\nduration = 10\nfps = 10\nrate = 120\ndamping = 2\nsize = [64, 64]\n".to_owned();
    for (number, beta) in BETAS.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "[[body]]\nmade = \"cuboid\"\nat = [{number}, 0.4, 0]\nyoung = 60000\nbeta = {beta}\n[[body.example]]\n\
             shapes = [{{ shape = \"squash\", amount = 0.75 }}, {{ shape = \"twist\", amount = 100 }}]"
        );
    }
    let (choices, mut report) = (SceneChoices::default(), Report::default());
    let scene = ElasticScene::read(&text, &choices, &mut Reading::here(&mut report))?;
    let playback = Playback::of(&scene, &Progress::none())?;
    let last = &playback.frames[playback.frames.len() - 1];
    let rows = BETAS.iter().zip(&last.bodies).map(|(&beta, body)| BetaRow {
        beta,
        weight: f64::from(body.weights[0][0]),
        height: f64::from(Bounds::of(&body.positions).size().y / HEIGHT_M),
    });
    Ok(rows.collect())
}

pub(super) fn chart(rows: &[BetaRow]) -> Chart {
    let curve = |name: &str, color, of: fn(&BetaRow) -> f64| Curve {
        name: name.into(),
        color,
        points: rows.iter().map(|row| [row.beta, of(row)]).collect(),
        has_dots: true,
    };
    Chart {
        title: "A cuboid at rest on the floor, by β".into(),
        x_name: "β".into(),
        y_name: "weight of the twist, height over rest".into(),
        is_log_x: false,
        y_range: [0.0, 1.0],
        curves: vec![
            curve("height", COLORS[1], |row| row.height),
            curve("weight", COLORS[0], |row| row.weight),
        ],
    }
}

pub(super) fn csv(rows: &[BetaRow]) -> String {
    let mut text = String::from("beta,weight,height\n");
    for row in rows {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{},{:.5},{:.5}", row.beta, row.weight, row.height);
    }
    text
}
