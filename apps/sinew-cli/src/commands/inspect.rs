//! `sinew inspect`.

use super::open;
use crate::output::{print, print_json};
use crate::talk::Talk;
use anyhow::Result;
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::model::FileSummary;
use sinew::model::inspect::{BoneSummary, ControllersSummary, Summary};
use std::fmt::Write;
use std::path::PathBuf;

/// `sinew inspect`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew inspect fox.glb
  sinew inspect fox.glb --json | jq '.clips[].name'")]
pub(crate) struct Inspect {
    /// The model: .glb, .gltf, .vrm, .fbx, .pmx, .pmd, .obj or .bvh
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Print everything as JSON, every bone, morph and clip included
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Inspect, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let model = open(&options.file, limits, &mut report)?;
    let summary = Summary::of_model(&model, &report);
    if options.is_json {
        print_json(&summary)?;
    } else {
        print(text(&summary, talk.is_verbose).trim_end_matches('\n'));
    }
    Ok(())
}

/// Entries of a list shown before the rest is only counted.
const MOST_SHOWN: usize = 24;

/// The summary as a person reads it.
fn text(summary: &Summary, is_verbose: bool) -> String {
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
        line("controllers", controllers_text(controllers));
    }
    if let Some(body) = &summary.body {
        let (template, steps, bytes) = (&body.template, body.steps, body.design_bytes);
        line(
            "body",
            format!("{template}, {steps} steps a patch, design of {bytes} bytes; --method patches moves it"),
        );
    }
    let (min, max) = (summary.bounds.min, summary.bounds.max);
    let size =
        [max[0] - min[0], max[1] - min[1], max[2] - min[2]].map(|side| format!("{side:.4}")).join(" × ");
    line("bounds", format!("{min:.4?} to {max:.4?}, {size} m"));
    line("units", summary.units.clone());
    line(
        "materials",
        format!("{}{}, images {}", summary.materials.len(), kinds_text(summary), summary.images),
    );
    for done in &summary.compression {
        let (stored, decoded) = (done.stored_bytes, done.decoded_bytes);
        line(
            "compressed",
            format!("{}: {} {}, {stored} to {decoded} bytes", done.extension, done.count, done.unit),
        );
    }
    if let Some(file) = &summary.file {
        file_lines(file, is_verbose).into_iter().for_each(|(label, value)| line(label, value));
    }
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

/// How many helpers follow what.
fn controllers_text(controllers: &ControllersSummary) -> String {
    let names: Vec<String> = controllers.helpers.iter().map(|bone| format!("#{bone}")).collect();
    let swing = match controllers.swings {
        0 => String::new(),
        count => format!("; {count} lag and swing"),
    };
    format!(
        "helpers {} follow {} bones, correctives: {}; {} coefficients of {} functions{swing}",
        names.join(", "),
        controllers.drivers.len(),
        controllers.correctives,
        controllers.coefficients,
        controllers.functions
    )
}

/// Names that are shown of a kind of things.
const MOST_NAMES: usize = 6;

/// How many materials of each kind there are.
fn kinds_text(summary: &Summary) -> String {
    let kinds = summary.file.iter().flat_map(|file| &file.material_kinds);
    let kinds: Vec<String> = kinds.map(|(kind, names)| format!("{kind}: {}", names.len())).collect();
    if kinds.is_empty() { String::new() } else { format!(" ({})", kinds.join(", ")) }
}

/// What only the file has.
fn file_lines(file: &FileSummary, is_verbose: bool) -> Vec<(&'static str, String)> {
    let version = file.vrm_version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
    let mut lines = vec![
        ("format", format!("{}{version}", file.format)),
        ("height", format!("{:.4} {}", file.height, file.unit)),
    ];
    let human = &file.humanoid;
    if human.bones.is_empty() || (human.origin == "guessed" && human.missing.len() > human.bones.len()) {
        lines.push(("human", "no bones of a human were found".to_owned()));
    } else {
        let origin = if human.origin == "file" { "from the file" } else { "guessed by names" };
        let missing = match human.missing.is_empty() {
            true => String::new(),
            false => format!("; missing: {}", human.missing.join(", ")),
        };
        lines.push(("human", format!("{} bones, {origin}{missing}", human.bones.len())));
        let pairs: Vec<String> = human.bones.iter().map(|(name, bone)| format!("{name} = {bone}")).collect();
        let most = if is_verbose { pairs.len() } else { 0 };
        pairs.into_iter().take(most).for_each(|pair| lines.push(("human", pair)));
    }
    for content in &file.contents {
        let most = if is_verbose { usize::MAX } else { MOST_NAMES };
        let named: Vec<&str> =
            content.names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        let shown: Vec<String> = named.iter().take(most).map(|name| format!("{name:?}")).collect();
        let more = match named.len().saturating_sub(most) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let names = if shown.is_empty() { String::new() } else { format!(": {}{more}", shown.join(", ")) };
        lines.push(("has", format!("{} {}{names}", content.names.len(), content.kind.name())));
    }
    lines
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
