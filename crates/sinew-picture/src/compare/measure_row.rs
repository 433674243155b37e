//! Measures of joints as rows of a table.

use serde::Serialize;
use sinew_skin::measures::JointMeasures;
use sinew_skin::{Method, RotationBlend};
use std::fmt::Write;

/// One model by one method.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasureRow {
    /// The model's key.
    pub model: String,
    /// The method, with its parameters.
    pub method: String,
    /// Kink where the bones begin to blend, degrees.
    pub kink_r0_deg: Option<f64>,
    /// Kink where they end to blend, degrees.
    pub kink_r1_deg: Option<f64>,
    /// Sharpest turn between neighboring rings inside, degrees.
    pub turn_deg: Option<f64>,
    /// Limb radii.
    pub bulge: Option<f64>,
    /// Over rest.
    pub volume: Option<f64>,
    /// Over rest.
    pub section: Option<f64>,
    /// Smallest section of a ring over rest.
    pub section_least: Option<f64>,
    /// Over rest.
    pub radius_least: Option<f64>,
    /// Over rest.
    pub radius_greatest: Option<f64>,
}

impl MeasureRow {
    /// The row of a model by a method of that name.
    pub fn new(model: &str, method: &str, measures: &JointMeasures) -> Self {
        Self {
            model: model.to_owned(),
            method: method.to_owned(),
            kink_r0_deg: measures.kink_begin_rad.map(f64::to_degrees),
            kink_r1_deg: measures.kink_end_rad.map(f64::to_degrees),
            turn_deg: measures.sharpest_turn_rad.map(f64::to_degrees),
            bulge: measures.bulge,
            volume: measures.volume,
            section: measures.section,
            section_least: measures.section_least,
            radius_least: measures.radius.map(|radius| radius.least),
            radius_greatest: measures.radius.map(|radius| radius.greatest),
        }
    }

    /// The measures in one short line, for a picture's caption.
    pub fn caption(&self) -> String {
        let mut parts = Vec::new();
        if let (Some(begin), Some(end)) = (self.kink_r0_deg, self.kink_r1_deg) {
            parts.push(format!("kink {begin:.1}° / {end:.1}°"));
        }
        if let Some(turn) = self.turn_deg {
            parts.push(format!("turn {turn:.1}°"));
        }
        if let Some(bulge) = self.bulge {
            parts.push(format!("bulge {bulge:.2}"));
        }
        if let Some(volume) = self.volume {
            parts.push(format!("volume {volume:.2}"));
        }
        if let (Some(least), Some(greatest)) = (self.radius_least, self.radius_greatest) {
            parts.push(format!("radius {least:.2}–{greatest:.2}"));
        }
        parts.join(" · ")
    }

    fn values(&self) -> [(Option<f64>, usize); 9] {
        [
            (self.kink_r0_deg, 1),
            (self.kink_r1_deg, 1),
            (self.turn_deg, 1),
            (self.bulge, 3),
            (self.volume, 3),
            (self.section, 3),
            (self.section_least, 3),
            (self.radius_least, 3),
            (self.radius_greatest, 3),
        ]
    }
}

const HEADER: [&str; 11] = [
    "model",
    "method",
    "kink r0 (°)",
    "kink r1 (°)",
    "turn (°)",
    "bulge (radii)",
    "volume",
    "section",
    "least section",
    "least radius",
    "greatest radius",
];

/// Comma-separated values with a header; an empty field is a measure that the model does not have.
pub fn csv(rows: &[MeasureRow]) -> String {
    let mut text = String::from(
        "model,method,kink_r0_deg,kink_r1_deg,turn_deg,bulge,volume,section,section_least,radius_least,radius_greatest\n",
    );
    for row in rows {
        let values =
            row.values().map(|(value, _)| value.map(|value| format!("{value:.5}")).unwrap_or_default());
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{},{},{}", row.model, row.method, values.join(","));
    }
    text
}

/// The same as a Markdown table.
pub fn markdown(rows: &[MeasureRow]) -> String {
    let mut text = format!("| {} |\n|{}\n", HEADER.join(" | "), "---|".repeat(HEADER.len()));
    for row in rows {
        // Without the sign of a zero that rounding leaves.
        let shown =
            |value: f64, places: usize| format!("{:.places$}", if value.abs() < 1e-9 { 0.0 } else { value });
        let values =
            row.values().map(|(value, places)| value.map_or("–".to_owned(), |value| shown(value, places)));
        let _ = writeln!(text, "| {} | {} | {} |", row.model, row.method, values.join(" | "));
    }
    text
}

/// What a reader of the source calls a method.
pub fn title_of(method: Method) -> String {
    match method {
        Method::Lbs => "LBS".into(),
        Method::Sbs { .. } => "SBS".into(),
        Method::Sdef { rotation: RotationBlend::Nlerp, .. } => "SBS+, nlerp".into(),
        Method::Sdef { s: 0.5, .. } => "SBS+".into(),
        Method::Sdef { s, .. } => format!("SBS+, s = {s}"),
        Method::Bezier { .. } => "Bézier".into(),
        Method::Dlb => "DLB".into(),
        Method::Cor => "CoR".into(),
        Method::DeltaMush { iterations } => format!("delta mush, {iterations}×"),
    }
}
