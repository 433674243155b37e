//! Options of `sinew convert`.

use clap::Args;
use std::path::PathBuf;

/// `sinew convert`.
#[derive(Args, Debug)]
#[command(after_help = "\
What a format cannot hold is listed on stderr.

Examples:
  sinew convert fox.gltf fox.glb
  sinew convert hero.vrm hero.glb --max-influences 4
  sinew convert edited.gltf rig.glb --bake-helpers
  sinew convert miku.pmx miku.glb --motion dance.vmd")]
pub(crate) struct Convert {
    /// The model to read: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// The model to write; its extension says how: .glb, .gltf, .vrm, .pmx, .pmd or .obj
    #[arg(value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Add a motion of MMD to the clips; may be repeated. In glTF it is baked: IK and following bones become tracks of joints
    #[arg(long = "motion", value_name = "dance.vmd")]
    pub(crate) motions: Vec<PathBuf>,
    /// Keep at most so many influences a vertex, the heaviest, scaled to sum to 1
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u16).range(1..=64))]
    pub(crate) max_influences: Option<u16>,
    /// Bake helpers into all clips anew: after coefficients of their controllers were edited
    #[arg(long = "bake-helpers")]
    pub(crate) bakes_helpers: bool,
    /// Print what was done and lost as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
