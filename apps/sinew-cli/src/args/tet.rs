//! Options of `sinew tet`.

use super::parse::parse_length;
use clap::Args;
use std::path::PathBuf;

/// `sinew tet`.
#[derive(Args, Debug)]
#[command(after_help = "\
All meshes of the model in rest pose are one surface. It need not be closed: inside is where the winding number says so.
Limbs that touch or nearly touch stay apart; parts that overlap become one.

Examples:
  sinew tet hero.glb -o hero.msh                 about 5,000 tetrahedra
  sinew tet hero.glb --size 0.04 -o hero.node    edges of about 4 cm; hero.ele is written beside it
  sinew tet hero.glb --count 20000 -o hero.png   a picture, whole and cut open
  sinew tet hero.glb --join 0.005 -o hero.vtk    clothes within 5 mm move with the skin
  sinew tet bunny.vtk -o bunny.msh               another format")]
pub(crate) struct Tet {
    /// The model: .glb, .gltf, .vrm, .pmx, .pmd or .obj; or tetrahedra: .node, .ele, .msh or .vtk
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Spacing of the lattice: the tetrahedra's longest edges
    #[arg(long, value_name = "METRES", conflicts_with = "count", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) size: Option<f64>,
    /// About so many tetrahedra [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Fill gaps up to this wide between different shells, such as a shirt over skin [default: 0]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) join: Option<f64>,
    /// Print what was made as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// .node or .ele (both are written), .msh, .vtk, or .png for a picture
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}
