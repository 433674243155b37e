//! Options of `sinew rig`.

use super::options::SkinOptions;
use clap::Args;
use std::path::PathBuf;

/// `sinew rig`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes c, r0 and r1 of every vertex between bones (_SDEF_C, _SDEF_R0, _SDEF_R1), methods (_SINEW_METHOD) and rules (SINEW_skin) into a
glTF file, or SDEF vertices into a PMX; `sinew skin` and `sinew render` then follow them. Without --method it is what the file
says, else sdef; for a .pmx sdef:s=0.9, which keeps elbows fuller (any s is written into R0 and R1, so that MMD needs not know it).
boxes.toml has a [[box]] for each bone: bone = \"LeftArm\", min = [x,y,z], max = [x,y,z], space = \"bone\" (its rest frame) or \"rest\";
a vertex in one box follows that bone, overlaps make linear weights and soft ranges.

Examples:
  sinew rig fox.glb --spherical auto -o fox-sdef.glb
  sinew rig hero.glb --spherical auto --calibrate --method bezier --joint \"Spine*=dlb\" -o hero-soft.glb
  sinew rig arm.glb --spherical boxes.toml --json -o arm-soft.glb
  sinew rig hero.glb --spherical auto -o hero.pmx      any character as an SDEF model of MMD")]
pub(crate) struct Rig {
    /// The model: .glb, .gltf, .vrm, .pmx or .pmd
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Where c, r0 and r1 come from: auto (skeleton and weights), or a file with a box for each bone, which makes the weights too
    #[arg(long, value_name = "auto|boxes.toml", default_value = "auto")]
    pub(crate) spherical: PathBuf,
    /// Make the weights of each joint a straight line along its axis, and say by how much they changed
    #[arg(long = "calibrate")]
    pub(crate) is_calibrated: bool,
    #[command(flatten)]
    pub(crate) skin: SkinOptions,
    /// The file to write: .glb, .gltf, .vrm or .pmx
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was written as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}
