//! `sinew skin`.

use super::{print_written, say_programs, set_losses};
use crate::args::SubjectOptions;
use crate::talk::Talk;
use anyhow::{Context, Result};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::play::Targets;
use std::path::PathBuf;

/// `sinew skin`.
#[derive(Args, Debug)]
#[command(after_help = "\
The vertices come in the order of the file: mesh instances in node order, primitives in order, in scene space.
For one pose OUT is .npy (V×3), .obj or .glb; for a whole clip .npy (T×V×3), .pc2 or .usda.
Bones in pose.json are named, or addressed by index as \"#12\"; `sinew inspect --json` lists both.

Examples:
  sinew skin fox.glb --clip Run --time 0.3 -o fox.npy --normals
  sinew skin fox.glb --pose pose.json -o posed.glb
  sinew skin fox.glb --method sdef:s=0.3 --joint \"Spine*=dlb\" --pose pose.json -o posed.glb
  sinew skin fox.glb --clip Run --fps 60 -o run.usda")]
pub(crate) struct Skin {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,
    /// Write the normals too, to FILE or beside OUT as NAME.normals.npy (for .npy)
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) normals: Option<Option<PathBuf>>,
    /// Write the bones too, to FILE or beside OUT as NAME.bones.npy (for .npy): B×4×4, for a whole clip T×B×4×4, model from bone, metres
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub(crate) bones: Option<Option<PathBuf>>,
    /// Output file; its extension selects the format
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was written as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Skin, limits: &Limits, talk: &Talk) -> Result<()> {
    talk.keep_input(&options.subject.input, &options.output, "has no bones, morphs or clips")?;
    let (mut report, mut losses) = (Report::default(), Report::default());
    let subject = options.subject.request().open(limits, &mut report);
    talk.report(&options.subject.input, &report);
    let subject = subject?;
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
    let mut json = serde_json::to_value(&done)?;
    set_losses(&mut json, &losses)?;
    let programs = say_programs(&options.output, limits, talk)?;
    print_written(options.is_json, &json, &report, programs)
}
