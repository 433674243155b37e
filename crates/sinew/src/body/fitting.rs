//! A body's design from a scan.

use sinew_body::Template;
use sinew_body::fit::{
    FitError, FitProgress, FitResult, FitSettings, JointsError, TargetJoints, TargetMesh, fit,
};
use sinew_rig::{BoundSurface, Character};

/// Why a scan cannot be fitted.
#[derive(Debug, thiserror::Error)]
pub enum ScanError {
    /// The joints cannot be read.
    #[error(transparent)]
    Joints(#[from] JointsError),
    /// The mesh cannot be fitted.
    #[error(transparent)]
    Fit(#[from] FitError),
}

/// Finds the design of the human that fits the meshes of a character at rest, all together. `joints`: JSON with positions by name.
/// `on_progress` is told after each round; `false` stops.
///
/// # Errors
/// Joints or mesh make no sense, or `on_progress` stops.
pub fn fit_scan(
    scan: &Character,
    joints: &str,
    on_progress: &mut dyn FnMut(FitProgress) -> bool,
) -> Result<FitResult, ScanError> {
    let joints = TargetJoints::from_json(joints)?;
    let bound = BoundSurface::of(scan);
    let positions = bound.rest().positions.iter().map(|position| position.as_dvec3()).collect();
    let target = TargetMesh::new(positions, bound.triangles().to_vec(), &[])?;
    Ok(fit(&Template::human(), &target, &joints, &FitSettings::default(), on_progress)?)
}
