//! Options of `sinew fit`.

use crate::args::parse::{parse_number, parse_rate};
use crate::args::{MotionOptions, NameOptions, SpringOptions};
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `sinew fit`.
#[derive(Args, Debug)]
#[command(group(clap::ArgGroup::new("source").args(["examples", "from"]).required(true)))]
#[command(after_help = "\
Examples come from one of five places:
  --from METHOD        a deformer of Sinew (lbs, sbs, sdef, bezier, dlb, cor, delta_mush), bent joint by joint over the joints' ranges,
                       or over the frames of --clip
  --from patches       the patches of a body that `sinew body` wrote, in the same poses; with modes as in patches:volume=held,bend=source
  --from flesh         a simulation of flesh over the clips of --clip and --motion
  --from body          the patches of Sinew's own human, which bend, twist and bulge at constant volume; without IN
  --examples PATH      shapes that another program made: a folder of .obj, .glb or .npy, each with its pose (.json) beside it, or of poses alone
                       that set shape keys of the model; or shapes of the frames of --clip: such a folder, or a cache (.npy, .pc2, .usda);
                       without IN a folder of arrays (docs/formats/fit.md)

Examples:
  sinew fit hero.glb --from bezier --helpers 12 -o rig.glb
  sinew fit hero.glb --from bezier --joints '*arm*' --joints '*leg*' --helpers 8 --json -o rig.glb
  sinew fit hero.glb --from bezier --helpers 12 --correctives 6 -o rig.glb
  sinew fit hero.glb --from flesh --clip walk --helpers 12 -o rig.glb
  sinew fit --from body --helpers 12 -o human.glb
  sinew fit hero.glb --from bezier --helpers 12 -o hero.pmx             for MMD: helpers follow other bones (append)
  sinew fit hero.glb --from bezier --helpers 12 --vmd -o hero.pmx       and every clip of hero.glb as .vmd with keys of helpers
  sinew fit hero.glb --examples sculpts --helpers 4 --suggest 3 -o rig.glb
  sinew fit --examples leg --helpers 4 --held-out other --json -o leg.json")]
pub(crate) struct Fit {
    /// The model
    #[arg(value_name = "IN")]
    pub(crate) input: Option<PathBuf>,
    /// Examples: a folder or file; see below
    #[arg(long, value_name = "PATH")]
    pub(crate) examples: Option<PathBuf>,
    /// Deformer that makes the examples: a skinning method, patches, flesh, or body
    #[arg(long, value_name = "SOURCE")]
    pub(crate) from: Option<String>,
    /// What to write: .glb, .gltf or .vrm with helper joints in the skin and in every clip, .pmx with helpers that follow other bones, or .json with weights and controllers
    #[arg(short, long, value_name = "OUT", required_unless_present_any = ["is_json", "suggest"])]
    pub(crate) output: Option<PathBuf>,
    /// Clip of the model, for flesh and for shapes of frames; repeatable
    #[arg(long = "clip", value_name = "NAME|INDEX")]
    pub(crate) clips: Vec<String>,
    #[command(flatten)]
    pub(crate) motions: MotionOptions,
    /// Shape keys of --clip that helpers take over; they are 0 in the output; * matches any text; repeatable
    #[arg(long = "keys", value_name = "PATTERN", requires = "clips", conflicts_with = "examples")]
    pub(crate) keys: Vec<String>,
    /// Bones that drive helpers by how far they slide, too, such as a jaw; with --clip or --examples; * matches any text; repeatable
    #[arg(long = "shifts", value_name = "PATTERN")]
    pub(crate) shifts: Vec<String>,
    /// Frames per second
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = parse_rate)]
    pub(crate) fps: f64,
    #[command(flatten)]
    pub(crate) rig: HelperOptions,
    #[command(flatten)]
    pub(crate) samples: SampleOptions,
    /// Held-out folder of arrays: measured, not fitted; with --examples, without IN
    #[arg(long, value_name = "FOLDER", conflicts_with = "input")]
    pub(crate) held_out: Option<PathBuf>,
    /// If interrupted, save the fit here; the same command goes on from it; with --examples, without IN
    #[arg(long, value_name = "STATE.json", conflicts_with = "input", requires = "examples")]
    pub(crate) resume: Option<PathBuf>,
    /// Held-out clip: played and measured, not fitted; with --from; repeatable
    #[arg(long = "held-out-clip", value_name = "NAME|INDEX")]
    pub(crate) held_out_clips: Vec<String>,
    /// Suggest the N poses worth sculpting next; writes each as pose (.json) and shape (.obj) beside OUT, or into the --examples folder
    #[arg(long, value_name = "N", requires = "examples", requires = "input")]
    pub(crate) suggest: Option<usize>,
    #[command(flatten)]
    pub(crate) flesh: FleshOptions,
    /// .pmx: write motions beside it as .vmd, with keys for what helpers cannot do by following: every clip of the model, or those of --clip and --motion, which are fitted to
    #[arg(long = "vmd")]
    pub(crate) writes_motions: bool,
    #[command(flatten)]
    pub(crate) names: NameOptions,
    /// Print errors, sizes and times as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// What helpers may do.
#[derive(Args, Debug)]
pub(crate) struct HelperOptions {
    /// Total helper bones, placed where the skin needs them most; auto = as many per joint as take away enough of the error
    #[arg(long, value_name = "auto|H", default_value = "4", value_parser = parse_helpers)]
    pub(crate) helpers: HelperCount,
    /// Maximum helpers per joint
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100))]
    pub(crate) joint_helpers: usize,
    /// Degree of the controllers' polynomials, 1 to 3
    #[arg(long, value_name = "P", default_value_t = 2, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=3))]
    pub(crate) degree: usize,
    /// poly, or rbf: radial basis functions
    #[arg(long, value_enum, default_value = "poly")]
    pub(crate) controller: ControllerKind,
    /// Number of radial functions; with --controller rbf
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(crate) centers: usize,
    /// No products of rotations of different bones, as in the source paper
    #[arg(long = "within-drivers")]
    pub(crate) is_within_drivers: bool,
    /// L1 penalty per coefficient and pose: auto = cross-validated, or a number; 0 keeps all, 0.0015 about half
    #[arg(long, value_name = "auto|X", default_value = "auto", value_parser = parse_lambda)]
    pub(crate) lambda: Lambda,
    /// Maximum coefficients, instead of --lambda
    #[arg(long, value_name = "N", conflicts_with = "lambda")]
    pub(crate) coefficients: Option<usize>,
    /// Maximum sweeps over all poses
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=100_000))]
    pub(crate) iterations: usize,
    /// Stop when a sweep lowers the error by less than this fraction
    #[arg(long, value_name = "E", default_value = "0.0001", value_parser = parse_number)]
    pub(crate) tolerance: f64,
    /// Maximum influences per vertex, 1 to 8
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=8))]
    pub(crate) max_influences: usize,
    /// Allow uniform scale of helpers
    #[arg(long = "similarity", conflicts_with = "has_fixed_length")]
    pub(crate) is_similarity: bool,
    /// Helpers only rotate, about a point fixed in their parent
    #[arg(long = "fixed-length")]
    pub(crate) has_fixed_length: bool,
    /// Smoothness penalty on weights; useful from 0.1 to 10
    #[arg(long, value_name = "X", default_value = "0", value_parser = parse_number)]
    pub(crate) smooth: f64,
    /// Locality penalty on weights; useful from 0.01 to 0.1
    #[arg(long, value_name = "X", default_value = "0", value_parser = parse_number)]
    pub(crate) local: f64,
    /// Fit one side of x = 0 and mirror it: auto = where the model is symmetric
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto", num_args = 0..=1, default_missing_value = "on", require_equals = true)]
    pub(crate) symmetric: SymmetricKind,
    /// Bones whose weights stay unchanged; * matches any text; repeatable
    #[arg(long = "lock-bones", value_name = "PATTERN")]
    pub(crate) lock_bones: Vec<String>,
    /// Vertices that keep their weights, where paint is above 0.5: r, g, b or a of the vertex colors, or a .npy file with a number per vertex
    #[arg(long = "lock-paint", value_name = "FROM")]
    pub(crate) lock_paint: Option<String>,
    /// Keep only the N most important helpers, and report the error of each level
    #[arg(long, value_name = "N")]
    pub(crate) lod: Option<usize>,
    /// Maximum corrective morphs per mesh, for what helpers cannot reach; driven by the same bones
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(0..=64))]
    pub(crate) correctives: usize,
    /// Number of random starts
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=10_000))]
    pub(crate) starts: usize,
    /// Seed of the search; the same seed gives the same bits
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
}

/// Which poses are taken from a deformer.
#[derive(Args, Debug)]
pub(crate) struct SampleOptions {
    /// Joints to fit, named by the child bone; * matches any text; repeatable [default: all]
    #[arg(long, value_name = "PATTERN")]
    pub(crate) joints: Vec<String>,
    /// How poses sample the ranges of a joint and its neighbors
    #[arg(long, value_enum, default_value = "low")]
    pub(crate) sampling: SamplingKind,
    /// Poses per joint
    #[arg(long = "poses", value_name = "N", default_value_t = 300, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    pub(crate) count: usize,
}

/// How flesh is made.
#[derive(Args, Debug)]
pub(crate) struct FleshOptions {
    /// Approximate number of tetrahedra of the flesh
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u32).range(50..=1_000_000))]
    pub(crate) tets: u32,
    /// subtle, natural, heavy or cartoon
    #[arg(long = "flesh", value_name = "PRESET", default_value = "natural")]
    pub(crate) preset: String,
}

/// What controllers are made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ControllerKind {
    /// Polynomials.
    Poly,
    /// Radial functions.
    Rbf,
}

/// How poses are spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SamplingKind {
    /// Evenly, without a lattice.
    Low,
    /// A lattice with the ends of all ranges.
    Grid,
    /// One by one where the rig so far errs most.
    Adaptive,
}

/// The price of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Lambda {
    /// By poses that are left out.
    Auto,
    /// A pose.
    PerPose(f64),
}

/// Whether both sides are fitted alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SymmetricKind {
    /// Where the model is.
    Auto,
    /// Yes, or fail.
    On,
    /// No.
    Off,
}

/// How many helpers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HelperCount {
    /// By the error.
    Auto,
    /// Altogether.
    Total(usize),
}

fn parse_helpers(text: &str) -> Result<HelperCount, String> {
    match (text, text.parse()) {
        ("auto", _) => Ok(HelperCount::Auto),
        (_, Ok(count)) if count <= 1000 => Ok(HelperCount::Total(count)),
        _ => Err("use auto, or a number from 0 to 1000".to_owned()),
    }
}

fn parse_lambda(text: &str) -> Result<Lambda, String> {
    match text {
        "auto" => Ok(Lambda::Auto),
        _ => match parse_number(text) {
            Ok(number) if number >= 0.0 => Ok(Lambda::PerPose(number)),
            _ => Err("use auto, or a number from 0, such as 0.0015".to_owned()),
        },
    }
}

/// `sinew bake`.
#[derive(Args, Debug)]
#[command(after_help = "\
The short form of `sinew fit` when you only need a motion in an engine: fits helper joints to the clips and bakes them in.

Examples:
  sinew bake hero.glb --from flesh --clip walk -o walk.glb
  sinew bake hero.glb --motion run -o run.glb
  sinew bake man.glb --from patches:volume=held --motion walk -o walk.glb
  sinew bake hero.glb --from bezier --clip dance --helpers 16 -o dance.glb")]
pub(crate) struct Bake {
    /// The model
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// What moves the skin: flesh, patches, or a skinning method
    #[arg(long, value_name = "SOURCE", default_value = "flesh")]
    pub(crate) from: String,
    /// Clip of the model; repeatable
    #[arg(long = "clip", value_name = "NAME|INDEX", required_unless_present = "motions")]
    pub(crate) clips: Vec<String>,
    #[command(flatten)]
    pub(crate) motions: MotionOptions,
    /// Total helper joints
    #[arg(long, value_name = "H", default_value_t = 12, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1000))]
    pub(crate) helpers: usize,
    /// Frames per second
    #[arg(long, value_name = "FPS", default_value = "30", value_parser = parse_rate)]
    pub(crate) fps: f64,
    /// What to write: .glb, .gltf or .vrm, or .pmx with every clip as .vmd beside it
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) names: NameOptions,
    #[command(flatten)]
    pub(crate) springs: SpringOptions,
    /// Print errors, sizes and times as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
