//! `sinew compare`.

use super::{frames, open_posed, warnings_json, write_png};
use crate::args::Compare;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, Report};
use sinew::picture::CameraChoice;
use sinew::picture::compare::{CompareSettings, compare as compare_methods};
use sinew::rig::Pose;

pub(crate) fn compare(options: &Compare, limits: &Limits, talk: &Talk) -> Result<()> {
    if sinew::model::extension_of(&options.output) != "png" {
        bail!("{}: a comparison is one picture; write .png", options.output.display());
    }
    if options.camera == Some(CameraChoice::Sheet) {
        bail!("a comparison has one camera for all pictures; use a single view");
    }
    let mut report = Report::default();
    let (model, choice) = open_posed(&options.input, &options.pose, limits, &mut report)?;
    let frames = frames(&model.character, &choice, &options.pose, &options.input, &mut report)?;
    if frames.fps().is_some() {
        bail!("a comparison shows one pose; add --time");
    }
    let mut pose = Pose::rest(&model.character);
    frames.pose_into(0, &mut pose);
    let settings = CompareSettings {
        methods: options.methods.0.clone(),
        camera: options.camera,
        size: options.size,
        focus: options.focus.clone(),
        quality: options.quality.into(),
    };
    let compared = compare_methods(&model.character, &pose, &settings, &mut report)
        .with_context(|| options.input.display().to_string())?;
    talk.report(&options.input, &report);
    write_png(&compared.sheet, &options.output)?;
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let mut told = serde_json::to_value(&compared.numbers)?;
        told["output"] = options.output.display().to_string().into();
        told["warnings"] = warnings_json(&report);
        println!("{told:#}");
    }
    Ok(())
}
