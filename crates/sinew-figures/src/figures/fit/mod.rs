//! The figures of \[Mukai15\], rebuilt with numbers on the benchmark's leg and on leg and arm of Sinew's human with muscles: error over helpers and
//! sweeps, maps of weights and errors, where helpers are, exaggerated muscles, its table 1 of degrees and penalties, error over the number of examples, seconds of its steps.

mod charts;
mod maps;
mod places;
mod rows;
mod steps;
mod stylized;
mod subject;

pub use rows::{DegreeRow, ExampleRow, HelperRow};
pub use steps::StepRow;
pub use subject::SubjectFigures;

use super::{OnShare, Size, Writer, go_on};
use anyhow::Result;
use rows::{GoOn, degree_rows, example_rows, helper_fits};
use serde::Serialize;
use std::path::{Path, PathBuf};
use subject::{Subject, subjects};

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct FitFigures {
    /// The benchmark's leg, the human's leg, its arm.
    pub subjects: Vec<SubjectFigures>,
    /// The leg with exaggerated muscles, by number of helpers, cm.
    pub stylized: Vec<HelperRow>,
    /// Every file.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Helpers on the maps and in the table, as in the source.
const SHOWN_HELPERS: usize = 4;

/// Writes the figures of helper bones to `folder`. `size`: pixels of a picture. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_fit(folder: &Path, size: Size, on_progress: &OnShare<'_>) -> Result<FitFigures> {
    let mut writer = Writer::new(folder)?;
    let go_on = |share: f32| go_on(on_progress, share);
    go_on(0.0)?;
    let subjects = subjects(&|share| go_on(0.05 * share))?;
    let mut figures = Vec::new();
    let mut begin = 0.05;
    for (subject, part) in subjects.iter().zip([0.55, 0.18, 0.17]) {
        figures.push(write_subject(subject, &mut writer, size, &|share| go_on(begin + part * share))?);
        begin += part;
    }
    let wide = (size.0 * 4 / 5, size.1);
    let leg = stylized::stylized_subject();
    let (stylized, table, image) = stylized::stylized(&leg, wide, &|share| go_on(begin + 0.05 * share))?;
    writer.picture("stylized.png", &image)?;
    writer.bytes("stylized.md", table.as_bytes())?;
    go_on(1.0)?;
    Ok(FitFigures { subjects: figures, stylized, files: writer.files })
}

/// All figures of one subject; its files begin with its key.
fn write_subject(
    subject: &Subject,
    writer: &mut Writer<'_>,
    size: Size,
    go_on: &GoOn<'_>,
) -> Result<SubjectFigures> {
    let counts = &subject.helper_counts;
    let fits = helper_fits(subject, counts, &|share| go_on(0.4 * share))?;
    let at = |helpers: usize| counts.iter().position(|&count| count == helpers).unwrap_or(0);
    let (bare, shown) = (&fits[at(0)], &fits[at(SHOWN_HELPERS)]);
    let mut steps = Vec::new();
    for (done, &helpers) in counts.iter().enumerate() {
        go_on(0.4 + 0.1 * done as f32 / counts.len() as f32)?;
        steps.push(steps::step_row(subject, helpers)?);
    }
    let figures = SubjectFigures {
        key: subject.key.into(),
        unit: subject.unit.into(),
        vertices: subject.examples.rest_positions.len(),
        poses: subject.examples.pose_count(),
        helpers: counts.iter().zip(&fits).map(|(&count, fit)| HelperRow::of(subject, count, fit)).collect(),
        degrees: degree_rows(subject, shown, &|share| go_on(0.5 + 0.25 * share))?,
        examples: example_rows(subject, &|share| go_on(0.75 + 0.2 * share))?,
        steps,
    };
    let key = subject.key;
    let wide = (size.0 * 8 / 5, size.1 * 8 / 5);
    let curves = [
        ("helpers", charts::by_helpers(subject, &figures.helpers)),
        ("convergence", charts::by_sweeps(subject, &figures)),
        ("examples", charts::by_examples(subject, &figures.examples)),
        ("seconds", charts::by_steps(subject, &figures.steps)),
    ];
    for (name, chart) in curves {
        writer.picture(&format!("{key}-{name}.png"), &chart.draw(wide)?)?;
    }
    writer.picture(&format!("{key}-weights.png"), &maps::weight_sheet(subject, shown, size)?)?;
    writer.picture(&format!("{key}-errors.png"), &maps::error_sheet(subject, bare, shown, size)?)?;
    writer.picture(&format!("{key}-places.png"), &places::place_sheet(subject, shown, size)?)?;
    let unit = subject.unit;
    let tables = [
        ("helpers.csv", rows::helper_csv(&figures.helpers, unit)),
        ("examples.csv", rows::example_csv(&figures.examples, unit)),
        ("degrees.md", rows::degree_markdown(&figures.degrees, unit)),
        ("seconds.md", steps::step_markdown(&figures.steps)),
    ];
    for (name, text) in tables {
        writer.bytes(&format!("{key}-{name}"), text.as_bytes())?;
    }
    go_on(1.0)?;
    Ok(figures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{LegPoses, benchmark_leg};
    use sinew_geometry::progress::Interrupted;

    /// A leg of few vertices and poses.
    fn small() -> Subject {
        let leg = |count: usize, seed: u64| benchmark_leg(12, 8, LegPoses::Random(count, seed));
        Subject {
            key: "small",
            name: "a small leg",
            unit: "mm",
            units: 10.0,
            examples: leg(60, 1),
            held_out: leg(30, 2),
            few: vec![leg(40, 3)],
            is_source: true,
            helper_counts: vec![0, 2, SHOWN_HELPERS],
            start_count: 2,
        }
    }

    #[test]
    fn every_figure_is_written_and_more_helpers_miss_less() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer { folder: folder.path(), files: Vec::new() };
        let figures = write_subject(&small(), &mut writer, (120, 100), &|_| Ok(())).unwrap();
        assert_eq!(writer.files.len(), 11);
        assert!(writer.files.iter().all(|file| file.metadata().is_ok_and(|file| file.len() > 60)));
        let errors: Vec<f64> = figures.helpers.iter().map(|row| row.rmse).collect();
        assert!(errors.windows(2).all(|pair| pair[1] < pair[0]), "{errors:?}");
        // In millimetres, though the leg is in centimetres.
        assert!((10.0..60.0).contains(&errors[0]), "{errors:?}");
        for row in &figures.steps {
            assert!(row.sweeps.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-9)), "{:?}", row.sweeps);
            assert_eq!(row.sweeps.len(), if row.helpers == 0 { 1 } else { 21 });
            assert!(row.sweeps[0] <= errors[0] * (1.0 + 1e-6), "{:?} {errors:?}", row.sweeps);
        }
        assert_eq!(figures.degrees.len(), 9);
        assert_eq!(figures.degrees[4].source, Some(1.73));
    }

    #[test]
    fn whoever_is_told_can_stop_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer { folder: folder.path(), files: Vec::new() };
        let stopped = write_subject(&small(), &mut writer, (120, 100), &|share| {
            if share > 0.45 { Err(Interrupted.into()) } else { Ok(()) }
        });
        assert!(stopped.unwrap_err().is::<Interrupted>());
        assert!(writer.files.is_empty());
    }
}
