//! Fingers, by the lengths of their bones.

use super::super::measure::Measure::*;
use super::proportion::Proportion;
use glam::{DMat3, DVec3};

/// The left hand in its own frame: x along the hand away from the wrist, y out of its back, z towards the thumb; the wrist at 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Hand {
    /// From the wrist's crease to the tip of the middle finger, as measured, m.
    pub length_m: f64,
    /// Across the knuckles, as measured, m.
    pub breadth_m: f64,
    /// Round the knuckles, as measured, m.
    pub girth_m: f64,
    /// Two bays.
    pub thumb: Finger,
    /// Index, middle, ring and little finger; three bays each.
    pub fingers: [Finger; 4],
}

/// A finger, from where it leaves the palm.
#[derive(Clone, Debug, PartialEq)]
pub struct Finger {
    /// Where it leaves the palm; the knuckle is 0.38 of the first bone behind. Hand frame, m.
    pub root_in_hand: DVec3,
    /// Direction at rest, hand frame, unit.
    pub direction_in_hand: DVec3,
    /// Lengths from the root to the next joint and so on to the tip, m.
    pub bays_m: Vec<f64>,
    /// Girths at the root and at each joint, m; the tip is a pole.
    pub girths_m: Vec<f64>,
}

/// For each finger of the template, m: distance of its root along and across the hand and its spread (across per m along); lengths of the
/// first bone, the second, and the third with the soft tip \[Buryanov10\]; girths.
const FINGERS: [[[f64; 3]; 3]; 4] = [
    [[0.118, 0.0325, 0.10], [0.0398, 0.0224, 0.0158 + 0.0038], [0.062, 0.058, 0.051]],
    [[0.121, 0.0108, 0.03], [0.0446, 0.0263, 0.0174 + 0.0040], [0.063, 0.059, 0.052]],
    [[0.116, -0.0108, -0.045], [0.0414, 0.0257, 0.0173 + 0.0040], [0.061, 0.057, 0.050]],
    [[0.106, -0.0318, -0.13], [0.0326, 0.0181, 0.0160 + 0.0037], [0.055, 0.051, 0.045]],
];

/// The share of the first bone that is free of the palm.
const FREE_SHARE: f64 = 0.62;

impl Hand {
    /// Model axes from hand axes in the rest pose, arms 45° down and palms facing down and inwards.
    #[must_use]
    pub fn model_from_hand() -> DMat3 {
        let s = std::f64::consts::FRAC_1_SQRT_2;
        DMat3::from_cols(DVec3::new(s, -s, 0.0), DVec3::new(s, s, 0.0), DVec3::Z)
    }

    pub(super) fn new(body: &Proportion<'_>) -> Self {
        let bone = |template: f64| body.like_rest(template, HandLength, PalmLength);
        let girth = |template: f64| body.like(template, HandGirth);
        let at = |along: f64, above: f64, across: f64| {
            DVec3::new(body.like(along, PalmLength), girth(above), body.like(across, HandBreadth))
        };
        let finger = |[[along, across, spread], [first, second, third], girths]: [[f64; 3]; 3]| Finger {
            root_in_hand: at(along, 0.0, across),
            direction_in_hand: DVec3::new(1.0, 0.0, spread).normalize(),
            bays_m: vec![bone(FREE_SHARE * first), bone(second), bone(third)],
            girths_m: girths.map(girth).to_vec(),
        };
        Self {
            length_m: body.value(HandLength),
            breadth_m: body.value(HandBreadth),
            girth_m: body.value(HandGirth),
            thumb: Finger {
                root_in_hand: at(0.058, -0.012, 0.048),
                direction_in_hand: DVec3::new(0.62, -0.30, 0.70).normalize(),
                bays_m: vec![bone(0.030), bone(0.029)],
                girths_m: vec![girth(0.080), girth(0.067)],
            },
            fingers: FINGERS.map(finger),
        }
    }
}
