//! `sinew compare`.

use super::{subject, warnings_json};
use crate::args::{Compare, SkinOptions};
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, Report};
use sinew::picture::compare::{CompareSettings, compare as compare_methods};
use sinew::picture::{CameraChoice, write_png};
use sinew::rig::Pose;

pub(crate) fn compare(options: &Compare, limits: &Limits, talk: &Talk) -> Result<()> {
    if sinew::model::extension_of(&options.output) != "png" {
        bail!("{}: a comparison is one picture; write .png", options.output.display());
    }
    if options.camera == Some(CameraChoice::Sheet) {
        bail!("a comparison has one camera for all pictures; use a single view");
    }
    let mut report = Report::default();
    let skin = SkinOptions::default();
    let subject = subject(&options.input, &options.pose, &skin).open(limits, &mut report)?;
    let (character, frames) = (&subject.model.character, subject.frames());
    if frames.fps().is_some() {
        bail!("a comparison shows one pose; add --time");
    }
    let mut pose = Pose::rest(character);
    frames.pose_into(0, &mut pose);
    let settings = CompareSettings {
        methods: options.methods.0.clone(),
        camera: options.camera,
        size: options.size,
        focus: options.focus.clone(),
        quality: options.quality.into(),
    };
    let compared = compare_methods(character, &pose, &settings, &mut report)
        .with_context(|| options.input.display().to_string())?;
    talk.report(&options.input, &report);
    write_png(&options.output, &compared.sheet)?;
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let mut told = serde_json::to_value(&compared.numbers)?;
        told["output"] = options.output.display().to_string().into();
        told["warnings"] = warnings_json(&report);
        println!("{told:#}");
    }
    Ok(())
}
