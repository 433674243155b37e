//! Options of `sinew body`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// `sinew body`.
#[derive(Args, Debug)]
#[command(after_help = "\
Measures that are given are met, the rest is completed from a survey of people (ANSUR II); what is unusual is told, what cannot be is
refused with a range to use. A design (--spec) is laid over the measures; alone it is built as it is.

Examples:
  sinew body --stature 1.72 --weight 68 --sex female --age 30 --set waist=0.78 -o me.glb
  sinew body --preset athletic -o athlete.png          front, side, back and three-quarter
  sinew body --preset tall --show patches -o tall.glb  Bézier and Gregory patches colored
  sinew body --weight 70 -o me.toml                    the design, to be changed and given with --spec
  sinew body --preset slim --author me -o me.vrm       with VRM's map of human bones
  sinew body --fit scan.obj --joints joints.json --residuals map.png -o me.toml
  sinew body --list measures")]
pub(crate) struct Body {
    /// Height, metres
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) stature: Option<f64>,
    /// Weight, kilograms
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    pub(crate) weight: Option<f64>,
    /// Age, years
    #[arg(long, value_name = "YEARS", allow_negative_numbers = true)]
    pub(crate) age: Option<f64>,
    /// Which half of the survey completes the measures
    #[arg(long, value_enum, default_value = "male")]
    pub(crate) sex: BodySex,
    /// Any measure, in metres: waist=0.78; may be repeated. `--list measures` names all
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// A build to begin with; `--list presets` names all
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// A design whose values are laid over the measured ones
    #[arg(long, value_name = "me.toml")]
    pub(crate) spec: Option<PathBuf>,
    /// A mesh to find the design of, with its --joints; -o is .toml
    #[arg(long, value_name = "scan.obj", requires = "joints", conflicts_with_all = ["stature", "weight", "age", "set", "preset", "spec"])]
    pub(crate) fit: Option<PathBuf>,
    /// Where the joints of the mesh are: {"elbow": [x, y, z], ...}, by the template's names or MakeHuman's
    #[arg(long, value_name = "joints.json", requires = "fit")]
    pub(crate) joints: Option<PathBuf>,
    /// Vertices of the mesh that do not count (ears, toes), numbers from zero, one a line
    #[arg(long, value_name = "vertices.txt", requires = "fit")]
    pub(crate) exclude: Option<PathBuf>,
    /// A picture of the mesh colored by its distance to the fitted body
    #[arg(long, value_name = "map.png", requires = "fit")]
    pub(crate) residuals: Option<PathBuf>,
    /// The author named in a .vrm file; may be repeated
    #[arg(long, value_name = "NAME", default_value = "unknown")]
    pub(crate) author: Vec<String>,
    /// Steps along the edge of a patch, even; fills have half as many
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(4..=64))]
    pub(crate) tessellation: usize,
    /// patches: color Bézier and Gregory patches
    #[arg(long, value_enum)]
    pub(crate) show: Option<BodyShow>,
    /// One vertex where patches meet, without texture coordinates
    #[arg(long = "weld")]
    pub(crate) is_welded: bool,
    /// Print the measures or presets there are
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) list: Option<BodyList>,
    /// .glb, .gltf, .vrm, .obj, .pmx for a model, .png for a picture sheet, .toml for the design
    #[arg(short, long, value_name = "OUT", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Print all measures, asked for, completed and read on the body, as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Women or men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodySex {
    /// 1,986 women.
    Female,
    /// 4,082 men.
    Male,
}

impl From<BodySex> for sinew::body::survey::Sex {
    fn from(sex: BodySex) -> Self {
        match sex {
            BodySex::Female => Self::Female,
            BodySex::Male => Self::Male,
        }
    }
}

/// What is shown on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyShow {
    /// The kinds of patches.
    Patches,
}

/// What `--list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyList {
    /// Names, meaning and the survey's range.
    Measures,
    /// Names and meaning.
    Presets,
}
