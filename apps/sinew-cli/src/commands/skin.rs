//! `sinew skin`.

use super::{subject, warnings_json};
use crate::args::Skin;
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::play::Targets;

pub(crate) fn skin(options: &Skin, limits: &Limits, talk: &Talk) -> Result<()> {
    let (mut report, mut losses) = (Report::default(), Report::default());
    let subject = subject(&options.input, &options.pose, &options.skin).open(limits, &mut report)?;
    talk.report(&options.input, &report);
    // `fox.npy` → `fox.normals.npy`.
    let beside = |extension: &str| options.output.with_extension(extension);
    let normals = options.normals.clone().map(|named| named.unwrap_or_else(|| beside("normals.npy")));
    let bones = options.bones.clone().map(|named| named.unwrap_or_else(|| beside("bones.npy")));
    let targets = Targets { path: &options.output, normals: normals.as_deref(), bones: bones.as_deref() };
    let done = talk
        .watch("skinning", |progress| subject.write(&targets, &mut losses, progress))
        .with_context(|| options.output.display().to_string())?;
    talk.report(&options.output, &losses);
    let frame_word = if done.fps.is_some() { format!("{} frames of ", done.frames) } else { String::new() };
    talk.say(&format!("wrote {frame_word}{} vertices to {}", done.vertices, options.output.display()));
    if options.is_json {
        let mut json = serde_json::to_value(&done)?;
        json["warnings"] = warnings_json(&report);
        println!("{json:#}");
    }
    Ok(())
}
