//! Figures of flesh: what lies inside the body, which way its fibres run, what β does, an elbow that is bent, and a jump.

mod beta;
mod elbow;
mod framework;
mod jump;

pub use beta::FleshBetaRow;
pub use elbow::ElbowRow;
pub use jump::JumpRow;

use super::{OnShare, Size, Writer, go_on};
use anyhow::Result;
use serde::Serialize;
use sinew_body::character::Look;
use sinew_flesh::{CoveredCharacter, FleshRig, FleshSettings};
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_rig::Character;
use sinew_scene::body::{BodyRequest, make};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What was written.
#[derive(Clone, Debug, Serialize)]
pub struct FleshFigures {
    /// A bar that hangs, by β.
    pub betas: Vec<FleshBetaRow>,
    /// The upper arm of an elbow that is bent.
    pub elbow: Vec<ElbowRow>,
    /// How far parts of the body swing in a jump.
    pub jump: Vec<JumpRow>,
    /// Every file.
    #[serde(skip)]
    pub files: Vec<PathBuf>,
}

/// Steps along the edges of the body's patches.
const STEPS: usize = 6;

/// Tetrahedra of the body.
const TETS: usize = 10_000;

/// Writes the figures of flesh to `folder`. `size`: pixels of one picture. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_flesh(folder: &Path, size: Size, on_progress: &OnShare<'_>) -> Result<FleshFigures> {
    let mut writer = Writer::new(folder)?;
    let go_on = |share: f32| go_on(on_progress, share);
    go_on(0.0)?;
    let human = make(&BodyRequest::default())?.patched(STEPS, Look::Skin)?;
    let rig = rig(&human.character, &FleshSettings::default())?;
    go_on(0.1)?;
    writer.picture("framework.png", &framework::sheet(&rig, size)?)?;
    writer.picture("fibres.png", &framework::fibres(&rig, size)?)?;
    go_on(0.25)?;
    let (betas, picture) = beta::figure(size)?;
    writer.picture("beta.png", &picture)?;
    writer.bytes("beta.csv", beta::csv(&betas).as_bytes())?;
    go_on(0.4)?;
    let (elbow, picture) = elbow::figure(&human, size)?;
    writer.picture("elbow.png", &picture)?;
    writer.bytes("elbow.csv", elbow::csv(&elbow).as_bytes())?;
    go_on(0.65)?;
    let (jump, strip, curves) = jump::figure(&human, size)?;
    writer.picture("jump.png", &strip)?;
    writer.picture("jump-curves.png", &curves)?;
    go_on(1.0)?;
    Ok(FleshFigures { betas, elbow, jump, files: writer.files })
}

fn rig(character: &Character, settings: &FleshSettings) -> Result<Arc<FleshRig>> {
    let cover = CoverSettings { size: CoverSize::Count(TETS), ..CoverSettings::default() };
    Ok(Arc::new(FleshRig::new(CoveredCharacter::new(character, &cover)?, settings, &[])?))
}
