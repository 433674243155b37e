//! Options of `sinew flesh`.

use crate::args::parse::{number_where, parse_length, parse_picture_size, parse_rate};
use crate::args::{SkinOptions, VrmOptions};
use crate::commands::render::Quality;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// `sinew flesh`.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Flesh is made inside the skin, without a step by hand: tetrahedra, layers of bone, muscle and fat, fibres, muscles of a human. Bones move
it; it lags, swings, bulges and settles where the rig has it.

Examples:
  sinew flesh hero.glb --clip Run -o run.glb                  the rig with follow-through as morph targets
  sinew flesh hero.glb --clip Run --loop -o run.mp4           a film
  sinew flesh hero.glb --motion jump --preset heavy -o jump.mp4
  sinew flesh --motion walk -o walk.mp4                       Sinew's own human
  sinew flesh hero.glb --clip Run --show layers -o inside.mp4
  sinew flesh init hero.glb -o flesh.toml                     every value explained, to be edited
  sinew flesh hero.glb --clip Run --config flesh.toml -o run.usda
  sinew flesh tune hero.glb --clip Run --examples shapes.npy -o flesh.toml   settings found from recorded skin
  sinew flesh hero.glb --clip Run --json                      times, volumes and energies"
)]
pub(crate) struct Flesh {
    #[command(subcommand)]
    pub(crate) action: Option<FleshAction>,
    #[command(flatten)]
    pub(crate) play: FleshPlay,
}

/// What else `sinew flesh` does.
#[derive(Debug, Subcommand)]
pub(crate) enum FleshAction {
    /// Write a settings file to edit, with every value explained
    Init(FleshInit),
    /// Find settings that reproduce recorded skin
    Tune(Box<FleshTune>),
}

/// `sinew flesh init`.
#[derive(Args, Debug)]
pub(crate) struct FleshInit {
    /// The model; its bones are listed in the file [default: Sinew's human]
    #[arg(value_name = "IN")]
    pub(crate) input: Option<PathBuf>,
    /// subtle, natural, heavy or cartoon
    #[arg(long, value_name = "NAME", default_value = "natural", value_parser = parse_preset)]
    pub(crate) preset: sinew::flesh::FleshPreset,
    /// The settings: .toml
    #[arg(short, long, value_name = "flesh.toml")]
    pub(crate) output: PathBuf,
}

/// `sinew flesh tune`.
#[derive(Args, Debug)]
#[command(after_help = "\
The motion is played with settings, compared with the recorded skin, and played again with others. Every fifth block of frames is kept from
the search and told apart, so that you see whether settings hold for what they were not made from. Errors are root mean squares over vertices and
frames; 100 % is as far off as flesh that does not move.

Numbers that the recording does not depend on stay near where they began. Flesh starts settled, and so should the recording. Play what was found
with as many tetrahedra as it was found with: coarse ones swing differently.

Ctrl-C ends the search, exits with 130 and writes nothing; with --keep-best it writes the best so far.

Examples:
  sinew flesh tune hero.glb --clip Run --examples run.npy -o flesh.toml
  sinew flesh tune hero.glb --clip Run --loop --fps 60 --examples run.pc2 --preset heavy -o flesh.toml
  sinew flesh tune hero.glb --motion jump --examples jump.npy --config flesh.toml --only stiffness,damping -o better.toml
  sinew flesh tune hero.glb --clip Run --examples run.npy --evaluations 400 --tets 20000 --json -o flesh.toml
  sinew flesh hero.glb --clip Run --config flesh.toml -o run.mp4             look at what was found")]
pub(crate) struct FleshTune {
    #[command(flatten)]
    pub(crate) source: FleshSource,
    /// The recorded skin: frames × vertices × 3, metres, as `sinew flesh … -o shapes.npy` writes them: .npy or .pc2
    #[arg(long, value_name = "shapes.npy")]
    pub(crate) examples: PathBuf,
    /// The recording is one cycle of a loop
    #[arg(long = "loop")]
    pub(crate) is_loop: bool,
    /// Playback speed of the recording, as a factor
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = parse_speed)]
    pub(crate) speed: f64,
    /// What to tune, comma-separated: stiffness, damping, beta, layers (their number), fibers
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "stiffness,damping,beta,layers,fibres"
    )]
    pub(crate) only: Vec<sinew::scene::flesh::tune::TuneTarget>,
    /// Maximum runs of the motion
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub(crate) evaluations: usize,
    /// Approximate number of tetrahedra; use the number you will play with, because others swing differently
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = tet_counts())]
    pub(crate) tets: usize,
    /// Random seed for restarts of the search
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// When interrupted, write the best settings so far
    #[arg(long)]
    pub(crate) keep_best: bool,
    /// The settings: .toml
    #[arg(short, long, value_name = "flesh.toml")]
    pub(crate) output: PathBuf,
    /// Print errors, layers and fibers before and after as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Whose flesh, of what kind.
#[derive(Args, Debug)]
pub(crate) struct FleshSource {
    /// The model: .glb, .gltf, .vrm, .fbx, .pmx or .pmd [default: Sinew's human]
    #[arg(value_name = "IN")]
    pub(crate) input: Option<PathBuf>,
    /// A clip of the model, by name or index [default: its only one]
    #[arg(long, value_name = "NAME|INDEX", conflicts_with = "motion")]
    pub(crate) clip: Option<String>,
    /// walk, run, jump or gait (with --path), made for the model; or a file: .bvh, .vmd, .toml, .json, .vrma, or a model with a clip (.glb, .gltf, .vrm, .fbx; dance.glb#Run chooses one)
    #[arg(long, value_name = "MOTION")]
    pub(crate) motion: Option<PathBuf>,
    /// Points and speeds of a walk, run or gait
    #[arg(long, value_name = "path.toml", requires = "motion")]
    pub(crate) path: Option<PathBuf>,
    /// Settings, as `sinew flesh init` writes them
    #[arg(long, value_name = "flesh.toml", conflicts_with = "preset")]
    pub(crate) config: Option<PathBuf>,
    /// subtle, natural, heavy or cartoon [default: natural]
    #[arg(long, value_name = "NAME", value_parser = parse_preset)]
    pub(crate) preset: Option<sinew::flesh::FleshPreset>,
    /// Values painted on the skin: softness, stiffness, beta or thickness:LAYER = r, g, b or a of the vertex colors, or a .npy with one number a vertex; may be repeated
    #[arg(long, value_name = "WHAT=FROM")]
    pub(crate) paint: Vec<String>,
    /// Frames per second
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = parse_rate)]
    pub(crate) fps: f64,
    #[command(flatten)]
    pub(crate) skin: SkinOptions,
}

/// `sinew flesh` itself.
#[derive(Args, Debug)]
pub(crate) struct FleshPlay {
    #[command(flatten)]
    pub(crate) source: FleshSource,
    /// Approximate number of tetrahedra
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = tet_counts())]
    pub(crate) tets: usize,
    /// Start in the loop's steady state
    #[arg(long = "loop")]
    pub(crate) is_loop: bool,
    /// Playback speed as a factor, for films and caches
    #[arg(long, value_name = "X", default_value = "1", allow_negative_numbers = true, value_parser = parse_speed)]
    pub(crate) speed: f64,
    /// .glb, .gltf or .vrm with morph targets on top of the rig; .pc2, .usda or .npy; .mp4 (needs ffmpeg) or .gif; .png for a strip of moments; may be repeated
    #[arg(short, long, value_name = "OUT", required_unless_present = "is_json")]
    pub(crate) output: Vec<PathBuf>,
    /// Shown in films and pictures, comma-separated: layers (cut open), fibers, muscles
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) show: Vec<sinew::scene::flesh::FleshShow>,
    /// front, side, back, three-quarter, top, or "eye=x,y,z target=x,y,z fov=35"
    #[arg(long, value_name = "CAMERA", default_value = "three-quarter")]
    pub(crate) camera: sinew::picture::CameraChoice,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "720x960", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// standard, or high: ray-traced soft shadows and ambient occlusion
    #[arg(long, value_enum, default_value = "standard")]
    pub(crate) quality: Quality,
    /// Maximum error of morph targets in models, mm
    #[arg(long, value_name = "MM", default_value = "0.5", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) tolerance: f64,
    /// Maximum morph targets per mesh
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=256))]
    pub(crate) morphs: usize,
    #[command(flatten)]
    pub(crate) vrm: VrmOptions,
    /// Print sizes, times, volumes and energies as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

fn tet_counts() -> clap::builder::RangedU64ValueParser<usize> {
    clap::builder::RangedU64ValueParser::new().range(100..=1_000_000)
}

fn parse_preset(text: &str) -> Result<sinew::flesh::FleshPreset, String> {
    sinew::flesh::FleshPreset::find(text).map_err(|error| error.to_string())
}

fn parse_speed(text: &str) -> Result<f64, String> {
    number_where(text, |speed| (1e-3..=1e3).contains(&speed), "use 0.001 to 1000, such as 0.5")
}
