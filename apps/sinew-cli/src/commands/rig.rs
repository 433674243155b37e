//! `sinew rig`.

use super::{open, skin_choice, warnings_json};
use crate::args::Rig;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, Report};
use sinew::model::rigging::{BoxFile, FULL_SDEF, RigReport, RigSettings, SphericalSource};
use std::path::Path;

pub(crate) fn rig(options: &Rig, limits: &Limits, talk: &Talk) -> Result<()> {
    if !matches!(sinew::model::extension_of(&options.output).as_str(), "glb" | "gltf" | "vrm" | "pmx") {
        bail!("{}: only .glb, .gltf, .vrm and .pmx hold a rig", options.output.display());
    }
    let settings = RigSettings {
        spherical: spherical_source(&options.spherical)?,
        is_calibrated: options.is_calibrated,
        choice: skin_choice(&options.skin)?,
        default_method: (sinew::model::extension_of(&options.output) == "pmx").then_some(FULL_SDEF),
    };
    let mut report = Report::default();
    let mut model = open(&options.input, limits, &mut report)?;
    let character = std::mem::take(&mut model.character);
    let (character, told) = sinew::model::rigging::rig(character, &settings)
        .with_context(|| options.input.display().to_string())?;
    model.character = character;
    told.warnings.iter().for_each(|warning| report.warn("", warning.clone()));
    talk.report(&options.input, &report);
    let mut losses = Report::default();
    model.save(&options.output, &mut losses).with_context(|| options.output.display().to_string())?;
    talk.report(&options.output, &losses);
    say(talk, &told);
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let mut json = serde_json::to_value(&told)?;
        json["output"] = options.output.display().to_string().into();
        json["warnings"] = warnings_json(&report);
        json["losses"] = warnings_json(&losses);
        println!("{json:#}");
    }
    Ok(())
}

fn spherical_source(source: &Path) -> Result<SphericalSource> {
    if source == Path::new("auto") {
        return Ok(SphericalSource::Auto);
    }
    let text = std::fs::read_to_string(source).with_context(|| source.display().to_string())?;
    Ok(SphericalSource::Boxes(BoxFile::parse(&text).with_context(|| source.display().to_string())?))
}

fn say(talk: &Talk, told: &RigReport) {
    if let Some(boxes) = &told.boxes {
        talk.say(&format!(
            "boxes: {} vertices follow one bone, {} several, {} are in no box and keep their weights; {} boxes move nothing",
            boxes.rigid_vertices, boxes.soft_vertices, boxes.outside_vertices, boxes.unused_boxes
        ));
    }
    if let Some(change) = &told.calibration {
        let count = change.joints.iter().filter(|joint| joint.is_calibrated).count();
        talk.say(&format!(
            "calibrated {} joints ({} left: their weights do not follow the axis): {} vertices changed, by {:.4} in the mean, {:.4} at most",
            count,
            change.joints.len() - count,
            change.vertices, change.mean_change, change.largest_change
        ));
    }
    talk.say(&format!(
        "{} with {} rules for joints; c, r0 and r1 for {} of {} vertices",
        told.method,
        told.joints.len(),
        told.spherical_vertices,
        told.vertices
    ));
}
