//! `sinew convert`.

use super::print_outcome;
use crate::args::{MotionOptions, NameOptions, SpringRule};
use crate::talk::Talk;
use anyhow::{Result, bail};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::model::{ConvertRequest, convert};
use std::path::PathBuf;

/// `sinew convert`.
#[derive(Args, Debug)]
#[command(after_help = "\
What a format cannot hold is listed on stderr.

Examples:
  sinew convert fox.gltf fox.glb
  sinew convert hero.vrm hero.glb --max-influences 4
  sinew convert edited.gltf rig.glb --bake-helpers
  sinew convert miku.pmx miku.glb --motion dance.vmd
  sinew convert hero.glb hero.vrm --vrm-author Me         an avatar in T-pose
  sinew convert hero.vrm walk.glb --motion walk --bake-springs
  sinew convert hero.glb hero.pmx                         a human with MMD's standard bones")]
pub(crate) struct Convert {
    /// The model to read: .glb, .gltf, .vrm, .fbx, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The model to write; its extension says how: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) motions: MotionOptions,
    /// Maximum influences per vertex; keeps the heaviest, rescaled to sum to 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) max_influences: Option<u16>,
    /// Bake helper bones into all clips again, after an edit of their controllers
    #[arg(long = "bake-helpers")]
    pub(crate) bakes_helpers: bool,
    /// Bake spring bones of VRM into all clips, for programs that do not play springs: as vrm (the specification) or three-vrm has them swing
    #[arg(long = "bake-springs", value_enum, value_name = "RULE", num_args = 0..=1, require_equals = true, default_missing_value = "vrm", hide_possible_values = true)]
    pub(crate) baked_springs: Option<SpringRule>,
    #[command(flatten)]
    pub(crate) names: NameOptions,
    /// Print the result and all losses as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Convert, limits: &Limits, talk: &Talk) -> Result<()> {
    let request = ConvertRequest {
        input: options.input.clone(),
        output: options.output.clone(),
        motions: options.motions.choices()?,
        max_influences: options.max_influences.map(usize::from),
        bakes_helpers: options.bakes_helpers,
        replaces_input: talk.is_forced,
        baked_springs: options.baked_springs.map(Into::into),
        save: options.names.settings(),
    };
    if !options.input.exists() && options.output.is_file() {
        let (input, output) = (options.input.display(), options.output.display());
        bail!("{input} does not exist, but {output} does; the file to read comes first");
    }
    let mut report = Report::default();
    let done = convert(&request, limits, &mut report);
    talk.report(&options.input, &report);
    let done = done?;
    if let Some(cut) = done.influence_cut {
        talk.say(&format!(
            "cut to {} influences: {} vertices changed, {} influences dropped, at most {:.1} % of a vertex's weight",
            options.max_influences.unwrap_or_default(),
            cut.changed_vertices,
            cut.dropped_influences,
            100.0 * cut.largest_dropped_weight
        ));
    }
    talk.report(&options.output, &done.losses);
    talk.wrote(&options.output);
    print_outcome(options.is_json, &done, &report)
}
