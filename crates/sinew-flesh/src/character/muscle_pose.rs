//! Muscles in a pose, and what they raise.

use super::FleshRig;
use crate::muscles::{Contraction, MuscleBulge, MuscleDrive, Tensions};
use glam::{Affine3A, Vec3};
use sinew_skin::PosedCharacter;
use std::sync::Arc;

/// How long muscles are in a pose.
#[derive(Clone, Debug)]
pub(super) struct MusclePose {
    rig: Arc<FleshRig>,
    /// Of a rig whose muscles are driven.
    tensions: Option<Tensions>,
    pub(super) contractions: Vec<Contraction>,
}

impl MusclePose {
    /// Of a rig at rest.
    pub(super) fn new(rig: &Arc<FleshRig>) -> Self {
        Self {
            rig: rig.clone(),
            tensions: rig.drive.as_ref().map(MuscleDrive::slack),
            contractions: vec![Contraction::default(); rig.muscles.muscles().len()],
        }
    }

    /// Takes a pose.
    pub(super) fn set(&mut self, model_from_bone: &[Affine3A]) {
        if let (Some(drive), Some(tensions)) = (&self.rig.drive, &self.tensions) {
            drive.contractions_into(model_from_bone, tensions, &mut self.contractions);
        }
    }

    /// Adds what muscles do to places that bones have posed.
    pub(super) fn raise(&self, bulge: &MuscleBulge, posed: &PosedCharacter, places: &mut [Vec3]) {
        for (point, way) in bulge.moved(&self.contractions) {
            places[point] += posed.turn_of(point) * way;
        }
    }
}
