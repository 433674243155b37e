//! Options of `sinew inspect`.

use clap::Args;
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
