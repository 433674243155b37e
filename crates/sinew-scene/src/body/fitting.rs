//! A body's design from a scan.

use sinew_body::Template;
use sinew_body::fit::{FitError, FitProgress, FitResult, FitSettings, TargetJoints, TargetMesh, fit};
use sinew_rig::{BoundSurface, Character};

/// Why a text is no list of vertices.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {found:?} is no vertex; list vertices from zero, one a line")]
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

/// The most rounds that a fit takes.
#[must_use]
pub fn fit_round_count() -> usize {
    let settings = FitSettings::default();
    settings.coarse_rounds + settings.fine_rounds
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
/// `on_progress` is told after each round; `false` stops.
///
/// # Errors
/// Joints or mesh make no sense, or `on_progress` stops.
pub fn fit_scan(
    scan: &Character,
    joints: &str,
    excluded: &[usize],
    on_progress: &mut dyn FnMut(FitProgress) -> bool,
) -> Result<FittedScan, FitError> {
    let joints = TargetJoints::from_json(joints)?;
    let bound = BoundSurface::of(scan);
    let positions = bound.rest().positions.iter().map(|position| position.as_dvec3()).collect();
    let target = TargetMesh::new(positions, bound.triangles().to_vec(), excluded)?;
    let result = fit(&Template::human(), &target, &joints, &FitSettings::default(), on_progress)?;
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
