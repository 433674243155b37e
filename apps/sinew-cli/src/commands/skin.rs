//! `sinew skin`.

use super::{frames, open_posed, skin_settings, warnings_json};
use crate::args::Skin;
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::io::{Limits, Report};
use sinew::play::{Targets, export};
use sinew::skin::PosedCharacter;
use std::path::{Path, PathBuf};

pub(crate) fn skin(options: &Skin, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let (model, choice) = open_posed(&options.input, &options.pose, limits, &mut report)?;
    let frames = frames(&model.character, &choice, &options.pose, &options.input, &mut report)?;
    let settings = skin_settings(&options.skin, &model.character, &mut report)?;
    talk.report(&options.input, &report);
    let mut posed = PosedCharacter::bind(&model.character, settings);
    let normals = options
        .normals
        .as_ref()
        .map(|named| named.clone().unwrap_or_else(|| normals_beside(&options.output)));
    let bones = options
        .bones
        .as_ref()
        .map(|named| named.clone().unwrap_or_else(|| options.output.with_extension("bones.npy")));
    let targets = Targets { path: &options.output, normals: normals.as_deref(), bones: bones.as_deref() };
    let bar = talk.progress("skinning", frames.count());
    let mut on_frame = |frame: usize| {
        bar.set_position(frame as u64);
        !interrupt::is_interrupted()
    };
    let losses = export(&model, &mut posed, &frames, &targets, &mut on_frame)
        .with_context(|| options.output.display().to_string())?;
    bar.finish_and_clear();
    talk.report(&options.output, &losses);
    let (vertices, count) = (posed.bound().vertex_count(), frames.count());
    let frame_word = if frames.fps().is_some() { format!("{count} frames of ") } else { String::new() };
    talk.say(&format!("wrote {frame_word}{vertices} vertices to {}", options.output.display()));
    if options.is_json {
        let told = serde_json::json!({
            "output": options.output.display().to_string(),
            "normals": normals.map(|path| path.display().to_string()),
            "bones": bones.map(|path| path.display().to_string()),
            "vertices": vertices,
            "frames": count,
            "fps": frames.fps(),
            "warnings": warnings_json(&report),
        });
        println!("{told:#}");
    }
    Ok(())
}

/// `fox.npy` → `fox.normals.npy`.
fn normals_beside(output: &Path) -> PathBuf {
    output.with_extension("normals.npy")
}
