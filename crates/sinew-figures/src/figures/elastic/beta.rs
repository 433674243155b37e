//! What β does to a cuboid at rest on the floor: figure 5 of \[Koyama13\] as a curve.

use super::super::{chart, curve, table};
use super::played;
use anyhow::Result;
use serde::Serialize;
use sinew_geometry::Bounds;
use sinew_picture::chart::Chart;
use sinew_scene::SceneChoices;
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
pub(super) fn rows() -> Result<Vec<BetaRow>> {
    let mut text = "[scene]\nduration = 10\nfps = 10\nrate = 120\ndamping = 2\nsize = [64, 64]\n".to_owned();
    for (number, beta) in BETAS.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "[[body]]\nmade = \"cuboid\"\nat = [{number}, 0.4, 0]\nyoung = 60000\nbeta = {beta}\n[[body.example]]\n\
             shapes = [{{ shape = \"squash\", amount = 0.75 }}, {{ shape = \"twist\", amount = 100 }}]"
        );
    }
    let (_, playback) = played(&text, &SceneChoices::default())?;
    let last = &playback.frames[playback.frames.len() - 1];
    let rows = BETAS.iter().zip(&last.bodies).map(|(&beta, body)| BetaRow {
        beta,
        weight: f64::from(body.weights[0][0]),
        height: f64::from(Bounds::of(&body.positions).size().y / HEIGHT_M),
    });
    Ok(rows.collect())
}

pub(super) fn by_beta(rows: &[BetaRow]) -> Chart {
    let of = |value: fn(&BetaRow) -> f64| rows.iter().map(|row| [row.beta, value(row)]).collect();
    let curves = vec![curve(1, "height", of(|row| row.height)), curve(0, "weight", of(|row| row.weight))];
    let axes = ["β", "weight of the twist, height over rest"];
    chart("A cuboid at rest on the floor, by β", axes, [0.0, 1.0], curves)
}

pub(super) fn csv(rows: &[BetaRow]) -> String {
    table("beta,weight,height", rows, |row| format!("{},{:.5},{:.5}", row.beta, row.weight, row.height))
}
