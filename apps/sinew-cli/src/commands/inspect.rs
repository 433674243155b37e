//! `sinew inspect`.

use super::open;
use crate::output::{print, print_json};
use anyhow::Result;
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::model::inspect::{BoneSummary, Summary};
use std::fmt::Write;
use std::path::PathBuf;

/// `sinew inspect`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew inspect fox.glb
  sinew inspect fox.glb --json | jq '.clips[].name'")]
pub(crate) struct Inspect {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print everything as JSON, every bone, morph and clip included
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Inspect, limits: &Limits) -> Result<()> {
    let mut report = Report::default();
    let model = open(&options.file, limits, &mut report)?;
    let summary = Summary::of(&model.character, &report);
    if options.is_json {
        print_json(&summary)?;
    } else {
        print(text(&summary).trim_end_matches('\n'));
    }
    Ok(())
}

/// Entries of a list shown before the rest is only counted.
const MOST_SHOWN: usize = 24;

/// The summary as a person reads it.
fn text(summary: &Summary) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{label:<12}{value}");
    };
    if !summary.name.is_empty() {
        line("name", summary.name.clone());
    }
    line("vertices", format!("{} in {} mesh instances", summary.vertices, summary.instances.len()));
    line("triangles", summary.triangles.to_string());
    line("bones", format!("{} (joints of a skin: {})", summary.bones.len(), summary.joints));
    let counts = summary.influence_histogram.iter().enumerate().filter(|&(_, &count)| count > 0);
    let histogram: Vec<String> = counts.map(|(influences, count)| format!("{influences}: {count}")).collect();
    line(
        "influences",
        format!("at most {}; vertices by number: {}", summary.max_influences, histogram.join(", ")),
    );
    line("bone sets", summary.bone_sets.to_string());
    if !summary.methods.is_empty() {
        let counts: Vec<String> =
            summary.methods.iter().map(|(method, count)| format!("{method}: {count}")).collect();
        line("methods", format!("vertices by method: {}", counts.join(", ")));
    }
    if summary.reaches + summary.follows > 0 {
        let (reaches, follows) = (summary.reaches, summary.follows);
        line("logic", format!("chains that reach (IK): {reaches}; bones that follow others: {follows}"));
    }
    if let Some(controllers) = &summary.controllers {
        let names: Vec<String> = controllers.helpers.iter().map(|bone| format!("#{bone}")).collect();
        let swing = if controllers.swings > 0 {
            format!("; {} lag and swing", controllers.swings)
        } else {
            String::new()
        };
        line(
            "controllers",
            format!(
                "helpers {} follow {} bones, correctives: {}; {} coefficients of {} functions{swing}",
                names.join(", "),
                controllers.drivers.len(),
                controllers.correctives,
                controllers.coefficients,
                controllers.functions
            ),
        );
    }
    let (min, max) = (summary.bounds.min, summary.bounds.max);
    let size =
        [max[0] - min[0], max[1] - min[1], max[2] - min[2]].map(|side| format!("{side:.4}")).join(" × ");
    line("bounds", format!("{min:.4?} to {max:.4?}, {size} m"));
    line("materials", format!("{}, images {}", summary.materials.len(), summary.images));
    for mesh in summary.meshes.iter().take(MOST_SHOWN) {
        let what = format!(
            "#{} {:?}: {} vertices, {} triangles in {} groups, {} morphs; {}",
            mesh.index,
            mesh.name,
            mesh.vertices,
            mesh.triangles,
            mesh.groups,
            mesh.morphs,
            mesh.attributes.join(" ")
        );
        line("mesh", what);
    }
    more(&mut line, "mesh", summary.meshes.len());
    for clip in summary.clips.iter().take(MOST_SHOWN) {
        let what = format!(
            "#{} {:?}: {:.3} s, {} tracks, {} keys",
            clip.index, clip.name, clip.duration_secs, clip.tracks, clip.keys
        );
        line("clip", what);
    }
    more(&mut line, "clip", summary.clips.len());
    for morph in summary.morphs.iter().take(MOST_SHOWN) {
        line(
            "morph",
            format!("#{} {:?} of mesh #{}: {} vertices", morph.index, morph.name, morph.mesh, morph.vertices),
        );
    }
    more(&mut line, "morph", summary.morphs.len());
    for warning in &summary.warnings {
        line("warning", warning.clone());
    }
    text.push_str(&skeleton_text(summary));
    text
}

fn more(line: &mut impl FnMut(&str, String), label: &str, count: usize) {
    if count > MOST_SHOWN {
        line(label, format!("and {} more; --json lists all", count - MOST_SHOWN));
    }
}

/// The hierarchy, indented; joints are marked.
fn skeleton_text(summary: &Summary) -> String {
    let mut children = vec![Vec::new(); summary.bones.len()];
    let mut open: Vec<(usize, usize)> = Vec::new();
    for bone in summary.bones.iter().rev() {
        match bone.parent {
            Some(parent) => children[parent].push(bone.index),
            None => open.push((bone.index, 0)),
        }
    }
    let mut text = String::from("skeleton    (* is a joint)\n");
    while let Some((index, depth)) = open.pop() {
        let bone = &summary.bones[index];
        let mark = if bone.is_joint { '*' } else { ' ' };
        // A chain of thousands would run off any screen: past 40 levels the indent stays.
        let indent = 2 * depth.min(40);
        let _ = writeln!(text, "  {mark} {:indent$}#{index} {}{}", "", bone.name, logic_text(bone));
        open.extend(children[index].iter().map(|&child| (child, depth + 1)));
    }
    text
}

/// What a bone does by itself, after its name.
fn logic_text(bone: &BoneSummary) -> String {
    let Some(logic) = &bone.logic else { return String::new() };
    let mut text = String::new();
    if let Some(reach) = &logic.reach {
        let links: Vec<String> = reach.links.iter().map(|link| format!("#{link}")).collect();
        text = format!("; #{} reaches for it, turning {}", reach.effector, links.join(", "));
    }
    if let Some(follow) = &logic.follow {
        let what = match (follow.rotates, follow.translates) {
            (true, true) => "turn and shift",
            (false, true) => "shift",
            _ => "turn",
        };
        text = format!("{text}; follows {} of #{}'s {what}", follow.ratio, follow.bone);
    }
    text
}
