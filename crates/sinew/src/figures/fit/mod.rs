//! The figures of \[Mukai15\], rebuilt with numbers on the benchmark's leg: error over helpers and sweeps, its table 1 of degrees and penalties,
//! and error over the number of examples.

mod rows;

pub use rows::{DegreeRow, ExampleRow, HelperRow};

use super::{FiguresError, Writer};
use crate::chart::{COLORS, Chart, Curve};
use crate::fit::{LegPoses, benchmark_leg};
use rows::{degree_rows, example_rows, helper_rows};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct FitFigures {
    /// By number of helpers.
    pub helpers: Vec<HelperRow>,
    /// By degree and penalty, beside the source's table 1.
    pub degrees: Vec<DegreeRow>,
    /// By number of examples.
    pub examples: Vec<ExampleRow>,
    /// Every file.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Writes the figures of helper bones to `folder`. `size`: pixels of a chart. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_fit(
    folder: &Path,
    size: (u32, u32),
    on_progress: &dyn Fn(f32) -> bool,
) -> Result<FitFigures, FiguresError> {
    std::fs::create_dir_all(folder).map_err(|source| FiguresError::Folder { path: folder.into(), source })?;
    let mut writer = Writer { folder, files: Vec::new() };
    let go_on = |share: f32| if on_progress(share) { Ok(()) } else { Err(FiguresError::Interrupted) };
    let leg = benchmark_leg(39, 17, LegPoses::Grid);
    let held_out = benchmark_leg(39, 17, LegPoses::Random(1000, 99));
    go_on(0.02)?;
    let helpers = helper_rows(&leg, &|share| go_on(0.02 + 0.38 * share))?;
    let degrees = degree_rows(&leg, &held_out, &|share| go_on(0.4 + 0.45 * share))?;
    let examples = example_rows(&held_out, &|share| go_on(0.85 + 0.13 * share))?;
    let chart_size = (size.0 * 8 / 5, size.1 * 8 / 5);
    writer.picture("helpers.png", &helper_chart(&helpers).draw(chart_size)?)?;
    writer.picture("convergence.png", &sweep_chart(&helpers).draw(chart_size)?)?;
    writer.picture("examples.png", &example_chart(&examples).draw(chart_size)?)?;
    writer.bytes("helpers.csv", rows::helper_csv(&helpers).as_bytes())?;
    writer.bytes("degrees.md", rows::degree_markdown(&degrees).as_bytes())?;
    writer.bytes("examples.csv", rows::example_csv(&examples).as_bytes())?;
    go_on(1.0)?;
    Ok(FitFigures { helpers, degrees, examples, files: writer.files })
}

fn curve(number: usize, name: &str, points: Vec<[f64; 2]>) -> Curve {
    Curve { name: name.into(), color: COLORS[number % COLORS.len()], points, has_dots: true }
}

fn helper_chart(rows: &[HelperRow]) -> Chart {
    let of = |value: fn(&HelperRow) -> f64| rows.iter().map(|row| [row.helpers as f64, value(row)]).collect();
    Chart {
        title: "Error of the leg by number of helpers".into(),
        x_name: "helpers".into(),
        y_name: "RMS, cm".into(),
        is_log_x: false,
        y_range: [0.0, 3.0],
        curves: vec![
            curve(0, "poses", of(|row| row.rmse)),
            curve(1, "controllers", of(|row| row.rmse_controllers)),
        ],
    }
}

fn sweep_chart(rows: &[HelperRow]) -> Chart {
    let shown = rows.iter().filter(|row| [1, 2, 4, 8].contains(&row.helpers));
    let curves = shown.enumerate().map(|(number, row)| Curve {
        has_dots: false,
        ..curve(
            number,
            &format!("{} helpers", row.helpers),
            row.sweeps.iter().enumerate().map(|(step, rms)| [step as f64, *rms]).collect(),
        )
    });
    Chart {
        title: "Error of the leg over sweeps on all poses".into(),
        x_name: "sweeps".into(),
        y_name: "RMS, cm".into(),
        is_log_x: false,
        y_range: [0.0, 1.0],
        curves: curves.collect(),
    }
}

fn example_chart(rows: &[ExampleRow]) -> Chart {
    let of =
        |value: fn(&ExampleRow) -> f64| rows.iter().map(|row| [row.examples as f64, value(row)]).collect();
    Chart {
        title: "Error of the leg by number of examples, 4 helpers".into(),
        x_name: "examples".into(),
        y_name: "RMS, cm".into(),
        is_log_x: true,
        y_range: [0.0, 1.0],
        curves: vec![
            curve(0, "on the examples", of(|row| row.rmse_controllers)),
            curve(1, "on 1,000 others", of(|row| row.rmse_held_out)),
        ],
    }
}
