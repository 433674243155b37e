//! `sinew tet`.

use super::{open, warnings_json};
use crate::args::Tet;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::flesh::{cover_surface, rest_surface};
use sinew::geometry::{CoverSettings, CoverSize, TetMesh, TriangleMesh};
use sinew::io::{Limits, Report};
use sinew::model::tets::{CoverSummary, TetSummary, is_tet_file, read_tets, save_tets};
use sinew::picture::cover_sheet;
use std::time::Instant;

/// Pixels of each of the two pictures of a sheet.
const PICTURE_SIZE: (u32, u32) = (900, 1100);

pub(crate) fn tet(options: &Tet, limits: &Limits, talk: &Talk) -> Result<()> {
    let place = || options.input.display().to_string();
    let is_picture = sinew::model::extension_of(&options.output) == "png";
    if !is_picture && !is_tet_file(&options.output) {
        bail!("{}: known are .node, .ele, .msh, .vtk and .png", options.output.display());
    }
    let mut report = Report::default();
    let start = Instant::now();
    let (mesh, surface, sits) = if is_tet_file(&options.input) {
        let is_sized = options.size.is_some() || options.count.is_some() || options.join.is_some();
        if is_sized {
            bail!("{}: its tetrahedra are given; --size, --count and --join are for surfaces", place());
        }
        (read_tets(&options.input, limits, &mut report).with_context(place)?, TriangleMesh::default(), None)
    } else {
        let model = open(&options.input, limits, &mut report)?;
        let surface = rest_surface(&model.character);
        let cover = cover_surface(&surface, &settings(options)).with_context(place)?;
        let sits = CoverSummary::new(&surface, &cover);
        (cover.mesh, surface, Some(sits))
    };
    let seconds = start.elapsed().as_secs_f64();
    talk.report(&options.input, &report);
    if is_picture {
        let sheet = cover_sheet(&mesh, &surface, PICTURE_SIZE)?;
        sinew::picture::write_png(&options.output, &sheet)?;
    } else {
        save_tets(&mesh, &options.output)?;
    }
    tell(options, &mesh, sits.as_ref(), seconds, &report);
    talk.say(&format!("wrote {}", options.output.display()));
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

fn tell(options: &Tet, mesh: &TetMesh, sits: Option<&CoverSummary>, seconds: f64, report: &Report) {
    let summary = TetSummary::new(mesh);
    if options.is_json {
        let told = serde_json::json!({
            "output": options.output.display().to_string(),
            "mesh": summary,
            "cover": sits,
            "seconds": seconds,
            "warnings": warnings_json(report),
        });
        println!("{told:#}");
        return;
    }
    println!(
        "{} tetrahedra, {} vertices, components: {}",
        summary.tets, summary.vertices, summary.components
    );
    println!("worst quality {:.3} (1 is regular)", summary.worst_quality);
    match sits {
        Some(sits) => {
            println!("volume {:.6} m³ around a surface of {:.6} m³", summary.volume, sits.surface_volume);
            println!(
                "spacing {:.5} m; {} of {} surface vertices have no triangle; the rest is embedded within {:.1e} m",
                sits.spacing, sits.loose_vertices, sits.surface_vertices, sits.embedding_error
            );
        }
        None => println!("volume {:.6} m³", summary.volume),
    }
    println!("{seconds:.2} s");
}
