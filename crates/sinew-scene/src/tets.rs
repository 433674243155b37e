//! Tetrahedra from models and files, to files and pictures.

use serde::Serialize;
use sinew_flesh::{cover_surface, rest_surface};
use sinew_geometry::{CoverSettings, TriangleMesh};
use sinew_io::{Limits, Report};
use sinew_model::tets::{CoverSummary, TetSummary, is_tet_file, read_tets, save_tets};
use sinew_model::{JobError, Model, extension_of};
use sinew_picture::{cover_sheet, write_png};
use std::path::PathBuf;
use std::time::Instant;

/// What to fill with tetrahedra, or to write in another format.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TetRequest {
    /// A model, or tetrahedra.
    pub input: PathBuf,
    /// Tetrahedra, or a picture.
    pub output: PathBuf,
    /// How a model is filled.
    pub cover: CoverSettings,
}

/// What was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TetOutcome {
    /// The file.
    pub output: PathBuf,
    /// The tetrahedra.
    pub mesh: TetSummary,
    /// How a model's surface sits in them.
    pub cover: Option<CoverSummary>,
    /// How long it took to read or make them.
    pub seconds: f64,
}

/// Pixels of each of the two pictures of a sheet.
const PICTURE_SIZE: (u32, u32) = (900, 1100);

/// Fills a model with tetrahedra, or reads some, and writes them; `report` is what reading tells.
///
/// # Errors
/// A file that cannot be used. Nothing is written then, and what was there before stays.
pub fn fill(request: &TetRequest, limits: &Limits, report: &mut Report) -> Result<TetOutcome, JobError> {
    let TetRequest { input, output, cover } = request;
    let is_picture = extension_of(output) == "png";
    if !is_picture && !is_tet_file(output) {
        return Err(JobError::NoTets { path: output.clone() });
    }
    let start = Instant::now();
    let (mesh, surface, sits) = if is_tet_file(input) {
        let mesh = read_tets(input, limits, report).map_err(JobError::at(input))?;
        (mesh, TriangleMesh::default(), None)
    } else {
        let model = Model::open(input, limits, report).map_err(JobError::at(input))?;
        let surface = rest_surface(&model.character);
        let cover = cover_surface(&surface, cover).map_err(JobError::at(input))?;
        let sits = CoverSummary::new(&surface, &cover);
        (cover.mesh, surface, Some(sits))
    };
    let seconds = start.elapsed().as_secs_f64();
    if is_picture {
        let sheet = cover_sheet(&mesh, &surface, PICTURE_SIZE).map_err(JobError::at(output))?;
        write_png(output, &sheet).map_err(JobError::at(output))?;
    } else {
        save_tets(&mesh, output).map_err(JobError::Save)?;
    }
    Ok(TetOutcome { output: output.clone(), mesh: TetSummary::new(&mesh), cover: sits, seconds })
}
