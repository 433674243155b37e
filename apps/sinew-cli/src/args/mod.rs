//! The command line's one table of commands, and the options that several share. A command's own are in its file of `commands`.

mod options;
pub(crate) mod parse;

pub(crate) use crate::commands::flesh::args::{
    Flesh, FleshAction, FleshInit, FleshPlay, FleshSource, FleshTune,
};
pub(crate) use options::{
    MotionOptions, NameOptions, PoseOptions, SceneOptions, SkinOptions, SpringOptions, SpringRule,
    SubjectOptions, VrmOptions,
};

use crate::commands::{
    bench, body, check, compare, completions, convert, demo, elastic, export, figures, film, fit, inspect,
    motion, render, rig, skin, tet,
};
use clap::{Args, Parser, Subcommand};
use parse::{parse_backend, parse_size};
use sinew::geometry::simd::Backend;
use sinew::io::{Limits, ScaleChoice};

/// Turns a skeleton's motion into believable skin.
///
/// Without a command, `sinew` runs the demo.
#[derive(Debug, Parser)]
#[command(
    name = "sinew",
    version,
    arg_required_else_help = false,
    after_help = "\
Examples:
  sinew                                          run the demo
  sinew inspect fox.glb                          what is in it
  sinew render fox.glb --clip Run --time 0.3 -o fox.png
  sinew skin fox.glb --clip Run -o run.npy       every vertex of every frame
  sinew body --stature 1.72 --weight 68 --sex female -o me.glb
  sinew film scene.toml -o film.mp4
  sinew motion walk --character hero.glb -o walk.glb
  sinew elastic jelly.toml -o jelly.mp4
  sinew flesh hero.glb --clip Run -o run.glb     follow-through on top of the rig
  sinew fit hero.glb --from bezier --helpers 8 -o rig.glb

Exit codes: 0 done, 1 failed, 2 wrong command line, 130 interrupted."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    #[command(flatten)]
    pub(crate) global: Global,
}

/// Options of every command.
#[derive(Args, Debug)]
pub(crate) struct Global {
    /// Number of threads [default: all, or RAYON_NUM_THREADS]
    #[arg(long, global = true, value_name = "N", value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub(crate) threads: Option<usize>,
    /// Maximum memory a file may use, such as 512MiB or 8GiB [default: 4GiB]
    #[arg(long, global = true, value_name = "SIZE", value_parser = parse_size)]
    max_memory: Option<u64>,
    /// Unit of the models that are read: m, cm, in, or a factor to meters; auto recognizes humans in centimeters [default: auto]
    #[arg(long, global = true, value_name = "UNIT|FACTOR")]
    scale: Option<ScaleChoice>,
    /// Print errors only
    #[arg(long = "quiet", short = 'q', global = true, conflicts_with = "is_verbose")]
    pub(crate) is_quiet: bool,
    /// List every warning and name instead of summing them up
    #[arg(long = "verbose", short = 'v', global = true)]
    pub(crate) is_verbose: bool,
    /// Replace the input file even if the output holds less
    #[arg(long = "force", global = true)]
    pub(crate) is_forced: bool,
    /// Instructions to compute with: auto, scalar, avx2, avx512 or neon. Hidden: for tests that compare machines.
    #[arg(long, global = true, hide = true, value_name = "NAME", value_parser = parse_backend)]
    pub(crate) backend: Option<Backend>,
}

impl Global {
    pub(crate) fn limits(&self) -> Limits {
        let limits = self.max_memory.map_or_else(Limits::default, Limits::with_max_memory);
        Limits { scale: self.scale.unwrap_or_default(), ..limits }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show a model's contents
    Inspect(inspect::Inspect),
    /// Convert a model to another format, lossless where the format allows
    Convert(convert::Convert),
    /// Skin a model and write the vertices
    Skin(skin::Skin),
    /// Write parts of a model for other programs
    Export(export::Export),
    /// Render a model
    Render(render::Render),
    /// Write spherical parameters, calibrated weights and methods into a model
    Rig(rig::Rig),
    /// Find and repair problems of an MMD model
    Check(check::Check),
    /// Compare skinning methods on one pose, with measures and differences
    Compare(compare::Compare),
    /// Make a human from measures: a character, a picture or a design
    Body(body::Body),
    /// Film a scene: characters, motions and cameras from a file
    Film(film::Film),
    /// Make a motion for a character: walk, run, jump, key frames, BVH, VMD
    Motion(motion::Motion),
    /// Simulate soft bodies that follow example shapes; write films, animated models, measures
    Elastic(elastic::Elastic),
    /// Add flesh to a character: layers, fibers and muscles that make its skin follow through
    Flesh(Flesh),
    /// Fit helper bones to examples or to any deformer, so the result plays with plain skinning in any engine
    Fit(fit::args::Fit),
    /// Bake one clip of a deformer into helper joints, for any engine
    Bake(fit::args::Bake),
    /// Fill a model with tetrahedra, for soft bodies
    Tet(tet::Tet),
    /// Rebuild the figures of the papers behind Sinew's methods, with numbers
    Figures(figures::Figures),
    /// Measure speed on this machine
    Bench(bench::Bench),
    /// Run the demo: build, pose, render and write characters, with an HTML report
    Demo(demo::Demo),
    /// Print completions for a shell, or write manual pages
    Completions(completions::Completions),
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_table_of_commands_is_consistent() {
        Cli::command().debug_assert();
    }
}
