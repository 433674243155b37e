//! Curves of the figures of helper bones.

use super::super::{chart, curve};
use super::subject::{Subject, SubjectFigures};
use super::{ExampleRow, HelperRow, StepRow};
use sinew_picture::chart::{Chart, Curve};

fn errors(subject: &Subject, title: &str, x_name: &str, curves: Vec<Curve>) -> Chart {
    let points = curves.iter().flat_map(|curve| &curve.points);
    // A little more than the largest value, so that no curve touches the title.
    let y_range = [0.0, 1.06 * points.map(|point| point[1]).fold(0.0, f64::max)];
    chart(title, [x_name, &format!("RMS error, {}", subject.unit)], y_range, curves)
}

/// Error by number of helpers.
pub(super) fn by_helpers(subject: &Subject, rows: &[HelperRow]) -> Chart {
    let of = |value: fn(&HelperRow) -> f64| rows.iter().map(|row| [row.helpers as f64, value(row)]).collect();
    let curves = vec![
        curve(0, "placed freely", of(|row| row.rmse)),
        curve(1, "controllers", of(|row| row.rmse_controllers)),
        curve(3, "other poses", of(|row| row.rmse_held_out)),
    ];
    errors(subject, &format!("Error by helpers, {}", subject.name), "helpers", curves)
}

/// Error over sweeps of the source's way, and where many starts end; \[Mukai15\] Fig. 3.
pub(super) fn by_sweeps(subject: &Subject, figures: &SubjectFigures) -> Chart {
    let mut curves = Vec::new();
    let last = figures.steps.iter().map(|row| row.sweeps.len()).max().unwrap_or(1).max(2) - 1;
    for (number, row) in figures.steps.iter().enumerate() {
        let name = match row.helpers {
            0 => "bones alone".to_owned(),
            1 => "1 helper".to_owned(),
            count => format!("{count} helpers"),
        };
        let mut points: Vec<[f64; 2]> =
            row.sweeps.iter().enumerate().map(|(sweep, rms)| [sweep as f64, *rms]).collect();
        if let [[_, rms]] = points[..] {
            points.push([last as f64, rms]);
        }
        curves.push(Curve { has_dots: false, ..curve(number, &name, points) });
    }
    // Dots without a name: of the color of their curve.
    for (number, row) in figures.steps.iter().enumerate().filter(|(_, row)| row.helpers > 0) {
        let best = figures.helpers.iter().find(|other| other.helpers == row.helpers);
        curves.extend(best.map(|best| curve(number, "", vec![[last as f64, best.rmse]])));
    }
    let x_name = format!("sweeps from one start; dots: best of {} starts", subject.start_count);
    errors(subject, &format!("Error over sweeps, {}", subject.name), &x_name, curves)
}

/// Error by number of examples; \[Mukai15\] Fig. 6.
pub(super) fn by_examples(subject: &Subject, rows: &[ExampleRow]) -> Chart {
    let of =
        |value: fn(&ExampleRow) -> f64| rows.iter().map(|row| [row.examples as f64, value(row)]).collect();
    let curves = vec![
        curve(0, "on the examples", of(|row| row.rmse_controllers)),
        curve(1, &format!("on {} others", subject.held_out.pose_count()), of(|row| row.rmse_held_out)),
    ];
    let title = format!("Error by examples, {}, 4 helpers", subject.name);
    Chart { is_log_x: true, ..errors(subject, &title, "examples", curves) }
}

/// Milliseconds of the source's steps by number of helpers.
pub(super) fn by_steps(subject: &Subject, rows: &[StepRow]) -> Chart {
    let of = |value: fn(&StepRow) -> f64| {
        let rows = rows.iter().filter(|row| row.helpers > 0);
        rows.map(|row| [row.helpers as f64, 1000.0 * value(row)]).collect()
    };
    let curves = vec![
        curve(0, "insertion", of(|row| row.insertion_secs)),
        curve(1, "weights", of(|row| row.weights_secs)),
        curve(3, "transforms", of(|row| row.transforms_secs)),
    ];
    let title = format!("Time of a step, {}", subject.name);
    Chart { y_name: "milliseconds".into(), ..errors(subject, &title, "helpers", curves) }
}
