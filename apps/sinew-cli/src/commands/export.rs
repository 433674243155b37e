//! `sinew export`.

use super::{open, print_outcome};
use crate::talk::Talk;
use anyhow::{Context, Result, anyhow};
use clap::{Args, Subcommand, ValueEnum};
use sinew::helpers::scripts::{ScriptError, ScriptTarget, save_script};
use sinew::io::{Limits, Report};
use std::path::PathBuf;

/// `sinew export`.
#[derive(Args, Debug)]
pub(crate) struct Export {
    #[command(subcommand)]
    pub(crate) what: ExportWhat,
}

/// What is written for other programs.
#[derive(Debug, Subcommand)]
pub(crate) enum ExportWhat {
    /// How helper bones follow the skeleton, as a script for another program
    Controllers(ExportControllers),
}

/// `sinew export controllers`.
#[derive(Args, Debug)]
#[command(after_help = "\
Helpers are in every clip of the model already, so that any player shows them. The script makes them follow new poses and motions too.
Beside it, .reference.json has inputs and outputs in a few poses, to check other implementations by. Blender's drivers are tested in Blender, the scripts for
Unity and Godot on stubs of their types.

Blender: the drivers are simple expressions; they need no Python and work with auto-execution off.
Unity: the class is named after the file, so every character has its own. A frame allocates nothing.
Godot: bones have the names that Godot's importer gives them: mixamorig:Hips is mixamorig_Hips.
In Unity and Godot a missing bone is an error that names it; the script turns itself off.

Examples:
  sinew export controllers rig.glb --for blender -o rig.py
  sinew export controllers rig.glb --for unity -o HeroHelpers.cs
  sinew export controllers rig.glb --for godot -o helpers.gd
  sinew export controllers rig.glb --for json -o rig.json")]
pub(crate) struct ExportControllers {
    /// The model with helpers: .glb, .gltf or .vrm
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The program
    #[arg(long = "for", value_enum, value_name = "PROGRAM")]
    pub(crate) program: Program,
    /// Print what was written as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// .py, .cs, .gd or .json; its name is that of Unity's class
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

/// Programs that scripts are written for.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Program {
    /// Drivers, made by a Python script
    Blender,
    /// A C# component
    Unity,
    /// A GDScript modifier of a skeleton
    Godot,
    /// The numbers alone
    Json,
}

impl From<Program> for ScriptTarget {
    fn from(program: Program) -> Self {
        match program {
            Program::Blender => Self::Blender,
            Program::Unity => Self::Unity,
            Program::Godot => Self::Godot,
            Program::Json => Self::Json,
        }
    }
}

pub(crate) fn run(options: &Export, limits: &Limits, talk: &Talk) -> Result<()> {
    match &options.what {
        ExportWhat::Controllers(options) => controllers(options, limits, talk),
    }
}

fn controllers(options: &ExportControllers, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let model = open(&options.input, limits, &mut report)?;
    talk.report(&options.input, &report);
    let saved = save_script(&model.character, options.program.into(), &options.output);
    // What is wrong with the model is said of the model.
    let place = match &saved {
        Err(ScriptError::NoControllers | ScriptError::Name { .. }) => &options.input,
        _ => &options.output,
    };
    let saved = saved.map_err(with_options).with_context(|| place.display().to_string())?;
    talk.say(&format!("wrote {}", saved.outputs.join(" and ")));
    if let Some(class) =
        saved.class.as_deref().filter(|class| options.output.file_stem() != Some(class.as_ref()))
    {
        talk.say(&format!("the class is {class}; Unity finds it only in a file {class}.cs"));
    }
    print_outcome(options.is_json, &saved, &report)
}

/// The error with the command and options that help.
fn with_options(error: ScriptError) -> anyhow::Error {
    let hint = match &error {
        ScriptError::NoControllers => "; sinew fit makes some",
        _ => return error.into(),
    };
    anyhow!("{error}{hint}")
}
