//! Muscles: signed angles of joints raise parts of tubes and fills.
//!
//! \[Komatsu88\] section 5.1 moves the free middle point of a patch. On a tube of four patches that leaves a groove where two of them meet, so
//! here the middle row rises around the whole muscle; on fills the middle point does.

use super::joint_ways::tension_over_rest;
use super::ring_turn::even_seams;
use super::{BoneMove, StickFigure};
use crate::Body;
use crate::body::{FillMuscle, TubeMuscle};
use crate::limb::MIDDLE_WEIGHT;
use crate::quadrature::fan_center;
use crate::tube::Tube;
use glam::DVec3;
use sinew_geometry::smooth_step_f64;

/// Weight of the middle row in the middle of its bay.
const ROW_WEIGHT: f64 = 0.375;

/// The muscles that one bone moves.
#[derive(Clone, Debug)]
pub(super) struct BoneMuscles {
    bone: usize,
    /// Bend of the joint in rest from the straight limb, rad.
    straight_rad: f64,
    tubes: Vec<TubeMuscle>,
    fills: Vec<FillMuscle>,
}

impl BoneMuscles {
    /// All bones with muscles.
    pub(super) fn of(body: &Body, figure: &StickFigure) -> Vec<BoneMuscles> {
        let listed = body.motions.iter().enumerate();
        let found =
            listed.filter(|(_, motion)| !motion.muscles.is_empty() || !motion.fill_muscles.is_empty());
        found
            .map(|(bone, motion)| BoneMuscles {
                bone,
                straight_rad: figure.straight_bend(bone),
                tubes: motion.muscles.clone(),
                fills: motion.fill_muscles.clone(),
            })
            .collect()
    }

    /// Raises the muscles on one tube, which must be at rest. Returns whether it changed.
    pub(super) fn swell_tube(
        &self,
        (figure, moves): (&StickFigure, &[BoneMove]),
        index: usize,
        tube: &mut Tube,
    ) -> bool {
        let mut here = self.tubes.iter().filter(|muscle| muscle.tube == index).peekable();
        if here.peek().is_none() {
            return false;
        }
        let joint = figure.joint_of_moves(moves, self.bone);
        let mut is_changed = false;
        for muscle in here {
            let tension = tension_over_rest(&muscle.tension, &joint, self.straight_rad);
            if tension != 0.0 {
                swell(tube, muscle, tension * muscle.height_m);
                is_changed = true;
            }
        }
        is_changed
    }

    /// Raises the muscles on fills, whose patches must be those of the pose.
    pub(super) fn swell_fills(&self, figure: &StickFigure, moves: &[BoneMove], body: &mut Body) {
        let joint = figure.joint_of_moves(moves, self.bone);
        for muscle in &self.fills {
            let tension = tension_over_rest(&muscle.tension, &joint, self.straight_rad);
            if tension != 0.0 {
                let place = body.fills[muscle.fill].first_patch + muscle.place;
                let patch = &mut body.patches[place].patch;
                patch.net[2][2] += tension * muscle.height_m / MIDDLE_WEIGHT * patch.normal(0.5, 0.5);
            }
        }
    }
}

/// Raises the middle row of a bay around one patch, fading to the middles of its neighbors.
fn swell(tube: &mut Tube, muscle: &TubeMuscle, rise_m: f64) {
    let (row, columns) = (4 * muscle.bay + 2, tube.row_len());
    let middle = fan_center(tube.arcs(row));
    // Between the middles of the neighboring patches, four columns away on each side.
    let peak = 4 * muscle.patch + 2;
    for step in 0..7 {
        let column = (peak + columns + step - 3) % columns;
        let fade = 1.0 - smooth_step_f64((step as f64 - 3.0).abs() / 4.0);
        let point = &mut tube.row_mut(row)[column];
        let outward: DVec3 = (*point - middle).normalize_or_zero();
        *point += fade * rise_m / ROW_WEIGHT * outward;
    }
    even_seams(tube.row_mut(row));
}
