//! The poses that are worth making next.

use super::character::Job;
use super::write_json;
use anyhow::{Context, Result, ensure};
use sinew::helpers::{Poser, Sequence, suggest_poses};
use sinew::skin::PosedCharacter;
use std::path::Path;

/// Names poses, and writes each as a pose and a shape to start from.
pub(super) fn suggest(
    job: &Job<'_>,
    poser: &Poser<'_>,
    sequence: &Sequence,
    count: usize,
    examples: &Path,
) -> Result<serde_json::Value> {
    let regions = job.regions()?;
    let found = suggest_poses(poser, &regions, sequence, job.options.rig.degree, count);
    ensure!(!found.is_empty(), "no joint that is asked for bends skin, so that there is no pose to suggest");
    let folder = match &job.options.output {
        Some(output) => output.parent().unwrap_or(Path::new("")).to_path_buf(),
        None if examples.is_dir() => examples.to_path_buf(),
        None => examples.parent().unwrap_or(Path::new("")).to_path_buf(),
    };
    let character = &job.model.character;
    let mut told = Vec::new();
    let mut posed = PosedCharacter::with_deformer(character, poser.deformer.clone());
    for (at, suggestion) in found.iter().enumerate() {
        let stem = folder.join(format!("suggested-{}", at + 1));
        let bones: serde_json::Map<String, serde_json::Value> = suggestion
            .turns
            .iter()
            .map(|(bone, turn)| {
                let rotation = serde_json::json!({ "rotation": turn.as_quat().to_array() });
                (format!("#{}", bone.index()), rotation)
            })
            .collect();
        let pose_path = stem.with_extension("json");
        write_json(&pose_path, &serde_json::json!({ "bones": bones }))?;
        posed.set(&poser.pose(&suggestion.turns));
        let shape_path = stem.with_extension("obj");
        let mut report = sinew::io::Report::default();
        sinew::model::save_obj(&posed, &shape_path, &mut report)
            .with_context(|| shape_path.display().to_string())?;
        job.say(&format!(
            "make next: {} (doubt {:.2}): {}",
            suggestion.joint, suggestion.doubt, suggestion.words
        ));
        told.push(serde_json::json!({
            "joint": suggestion.joint,
            "pose": pose_path.display().to_string(),
            "shape": shape_path.display().to_string(),
            "doubt": suggestion.doubt,
            "turns": suggestion.words,
        }));
    }
    Ok(told.into())
}
