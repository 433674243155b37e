//! A body's design from a scan.

use serde::Serialize;
use sinew_body::Template;
use sinew_body::fit::{FitError, FitResult, FitSettings, TargetJoints, TargetMesh, fit};
use sinew_geometry::progress::Progress;
use sinew_io::OutputError;
use sinew_model::write_file;
use sinew_rig::{BoundSurface, Character};
use std::path::{Path, PathBuf};

/// Why a text is no list of vertices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found:?} is not a vertex; list indices from 0, one per line")]
pub struct VertexListError {
    /// The line, from one.
    pub line: usize,
    /// What is there.
    pub found: String,
}

/// A mesh with the design that fits it.
#[derive(Clone, Debug)]
pub struct FittedScan {
    /// The mesh.
    pub target: TargetMesh,
    /// The design, the body it builds, and how near that is.
    pub result: FitResult,
}

/// How near a fitted body is to its mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitOutcome {
    /// The design's file.
    pub output: PathBuf,
    /// Root of the mean squared distance.
    pub rms_m: f64,
    /// Where 95 % of the distances end.
    pub p95_m: f64,
    /// Where it is farthest.
    pub worst: WorstVertex,
}

/// Where a fitted body is farthest from its mesh.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorstVertex {
    /// Of the mesh.
    pub vertex: usize,
    /// Above 0 outside the body.
    pub distance_m: f64,
}

impl FittedScan {
    /// Writes the design, and tells how near it is.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn save(&self, output: &Path) -> Result<FitOutcome, OutputError> {
        write_file(output, self.result.design.clone().without_empty().to_toml().as_bytes())?;
        let residuals = &self.result.residuals;
        let (vertex, distance_m) = residuals.worst;
        Ok(FitOutcome {
            output: output.into(),
            rms_m: residuals.rms_m,
            p95_m: residuals.p95_m,
            worst: WorstVertex { vertex, distance_m },
        })
    }
}

/// Reads a list of vertices: numbers from zero, apart by spaces or lines.
///
/// # Errors
/// Names the first word that is no number.
pub fn read_vertex_list(text: &str) -> Result<Vec<usize>, VertexListError> {
    let words = text
        .lines()
        .enumerate()
        .flat_map(|(line, words)| words.split_whitespace().map(move |word| (line + 1, word)));
    words
        .map(|(line, word)| word.parse().map_err(|_| VertexListError { line, found: word.to_owned() }))
        .collect()
}

/// Finds the design of the human that fits the meshes of a character at rest, all together. `joints`: JSON with positions by name.
/// `excluded`: vertices that do not count, by their place in the character; for an OBJ file of one object and material, in the file.
///
/// # Errors
/// Joints or mesh make no sense, or the caller stops.
pub fn fit_scan(
    scan: &Character,
    joints: &str,
    excluded: &[usize],
    progress: &Progress<'_>,
) -> Result<FittedScan, FitError> {
    let joints = TargetJoints::from_json(joints)?;
    let bound = BoundSurface::of(scan);
    let positions = bound.rest().positions.iter().map(|position| position.as_dvec3()).collect();
    let target = TargetMesh::new(positions, bound.triangles().to_vec(), excluded)?;
    let result = fit(&Template::human(), &target, &joints, &FitSettings::default(), progress)?;
    Ok(FittedScan { target, result })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_vertices_are_read_and_slips_are_found() {
        assert_eq!(read_vertex_list("3\n14 15\n\n9"), Ok(vec![3, 14, 15, 9]));
        let error = read_vertex_list("3\n14\nfifteen").unwrap_err();
        assert_eq!((error.line, error.found.as_str()), (3, "fifteen"));
    }
}
