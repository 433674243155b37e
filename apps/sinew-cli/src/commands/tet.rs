//! `sinew tet`.

use super::print_outcome;
use crate::args::parse::parse_length;
use crate::output::print;
use crate::talk::Talk;
use anyhow::{Result, bail};
use clap::Args;
use sinew::geometry::{CoverSettings, CoverSize};
use sinew::io::{Limits, Report};
use sinew::model::tets::is_tet_file;
use sinew::scene::tets::{TetOutcome, TetRequest, fill};
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
    /// The model: .glb, .gltf, .vrm, .fbx, .pmx, .pmd or .obj; or tetrahedra: .node, .ele, .msh or .vtk
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Lattice spacing: the longest edge of a tetrahedron, m
    #[arg(long, value_name = "METRES", conflicts_with = "count", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) size: Option<f64>,
    /// Approximate number of tetrahedra [default: 5000]
    #[arg(long, value_name = "N")]
    pub(crate) count: Option<usize>,
    /// Fill gaps between shells up to this width, such as a shirt over skin [default: 0]
    #[arg(long, value_name = "METRES", allow_negative_numbers = true, value_parser = parse_length)]
    pub(crate) join: Option<f64>,
    /// Print what was made as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
    /// .node or .ele (both are written), .msh, .vtk, or .png for a picture
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

pub(crate) fn run(options: &Tet, limits: &Limits, talk: &Talk) -> Result<()> {
    let is_sized = options.size.is_some() || options.count.is_some() || options.join.is_some();
    let request =
        TetRequest { input: options.input.clone(), output: options.output.clone(), cover: settings(options) };
    if is_sized && is_tet_file(&request.input) {
        let place = request.input.display();
        bail!("{place}: its tetrahedra are given; --size, --count and --join are for surfaces");
    }
    let mut report = Report::default();
    let done = fill(&request, limits, &mut report);
    talk.report(&options.input, &report);
    let done = done?;
    if !options.is_json {
        tell(&done);
    }
    print_outcome(options.is_json, &done, &report)?;
    talk.wrote(&options.output);
    Ok(())
}

fn settings(options: &Tet) -> CoverSettings {
    let default = CoverSettings::default();
    let size = match (options.size, options.count) {
        (Some(size), _) => CoverSize::Spacing(size as f32),
        (None, Some(count)) => CoverSize::Count(count),
        (None, None) => default.size,
    };
    CoverSettings { size, join_m: options.join.unwrap_or_default() as f32, ..default }
}

fn tell(done: &TetOutcome) {
    let TetOutcome { mesh, cover, seconds, .. } = done;
    print(format_args!(
        "{} tetrahedra, {} vertices, components: {}",
        mesh.tets, mesh.vertices, mesh.components
    ));
    print(format_args!("worst quality {:.3} (1 is regular)", mesh.worst_quality));
    match cover {
        Some(cover) => {
            print(format_args!(
                "volume {:.6} m³ around a surface of {:.6} m³",
                mesh.volume, cover.surface_volume
            ));
            print(format_args!(
                "spacing {:.5} m; {} of {} surface vertices have no triangle; the rest is embedded within {:.1e} m",
                cover.spacing, cover.loose_vertices, cover.surface_vertices, cover.embedding_error
            ));
        }
        None => print(format_args!("volume {:.6} m³", mesh.volume)),
    }
    print(format_args!("{seconds:.2} s"));
}
