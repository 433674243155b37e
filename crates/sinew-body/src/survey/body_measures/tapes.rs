//! Required tape readings of the finished body.

use super::super::measure::Measure::*;
use super::super::population::{Population, Sex};
use super::proportion::Proportion;

/// A level where the body was measured, in m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tape {
    /// Above the floor.
    pub height_m: f64,
    /// Round the body.
    pub girth_m: f64,
    /// Side to side.
    pub breadth_m: f64,
    /// Front to back.
    pub depth_m: f64,
}

/// Measures between rings or inside fills, which the builder must solve for; m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TapeLevels {
    /// At the nipples.
    pub chest: Tape,
    /// At the navel, which is a ring as well.
    pub waist: Tape,
    /// Where the buttocks stand out most.
    pub buttock: Tape,
    /// Height at which the thigh's girth is taken, right under the buttock: 0.780 like crotch height.
    pub thigh_height_m: f64,
    /// Round the thigh.
    pub thigh_girth_m: f64,
    /// Round the thigh, right above the kneecap.
    pub lower_thigh_girth_m: f64,
    /// Round the calf at its thickest.
    pub calf_girth_m: f64,
    /// Round the forearm at its thickest, fist clenched.
    pub forearm_girth_m: f64,
    /// Across the shoulder muscles.
    pub bideltoid_breadth_m: f64,
    /// Height of the fold of the armpit.
    pub axilla_height_m: f64,
    /// From the brow to the back of the head.
    pub head_length_m: f64,
    /// Across the head.
    pub head_breadth_m: f64,
    /// From the chin to the root of the nose.
    pub face_length_m: f64,
    /// Across the cheekbones.
    pub face_breadth_m: f64,
    /// Height of the ear hole.
    pub ear_height_m: f64,
    /// From the heel to the longest toe.
    pub foot_length_m: f64,
    /// Across the ball of the foot.
    pub foot_breadth_m: f64,
    /// Across the heel.
    pub heel_breadth_m: f64,
}

/// Height of the thigh's tape for a crotch height: 0.780 m for the average man.
pub(crate) fn thigh_tape_height(crotch_height_m: f64) -> f64 {
    0.780 * crotch_height_m / Population::of(Sex::Male).mean(CrotchHeight)
}

impl TapeLevels {
    pub(super) fn new(body: &Proportion<'_>) -> Self {
        let tape = |[height, girth, breadth, depth]: [_; 4]| Tape {
            height_m: body.value(height),
            girth_m: body.value(girth),
            breadth_m: body.value(breadth),
            depth_m: body.value(depth),
        };
        Self {
            chest: tape([ChestHeight, ChestGirth, ChestBreadth, ChestDepth]),
            waist: tape([WaistHeight, WaistGirth, WaistBreadth, WaistDepth]),
            buttock: tape([ButtockHeight, ButtockGirth, HipBreadth, ButtockDepth]),
            thigh_height_m: thigh_tape_height(body.value(CrotchHeight)),
            thigh_girth_m: body.value(ThighGirth),
            lower_thigh_girth_m: body.value(LowerThighGirth),
            calf_girth_m: body.value(CalfGirth),
            forearm_girth_m: body.value(ForearmGirth),
            bideltoid_breadth_m: body.value(BideltoidBreadth),
            axilla_height_m: body.value(AxillaHeight),
            head_length_m: body.value(HeadLength),
            head_breadth_m: body.value(HeadBreadth),
            face_length_m: body.value(FaceLength),
            face_breadth_m: body.value(FaceBreadth),
            ear_height_m: body.value(Stature) - body.value(TragionToCrown),
            foot_length_m: body.value(FootLength),
            foot_breadth_m: body.value(FootBreadth),
            heel_breadth_m: body.value(HeelBreadth),
        }
    }
}
