//! The figure's shape: lofts, round cones and ellipsoids with soft seams.
//!
//! Proportions are those of the drawing schools' figure of seven and a half heads, 1.75 m tall, between the sexes. Every function takes a
//! point of the left half; the right half is the mirror image.

use super::loft::{Loft, section};
use super::skeleton::{ANKLE, ARM_M, BALL, ELBOW_BACK_M, HIP, KNEE, SHOULDER, arm_direction, back_of_hand};
use glam::Vec3;
use sinew_geometry::{RoundCone, ellipsoid_distance, smooth_max, smooth_min};

/// Parts farther than this are bounded instead of evaluated, m. Larger than every seam's width, so it changes no surface.
const FAR_M: f32 = 0.1;
/// Widths of the seams between trunk and arms, legs and head, m: too small shows the parts, too large fills armpits, crotch
/// and throat. Chosen by eye, from all sides.
const ARM_SEAM_M: f32 = 0.08;
const LEG_SEAM_M: f32 = 0.07;
const HEAD_SEAM_M: f32 = 0.04;
/// Width of the seam between the thighs, m: small, to part them right below the crotch.
const THIGH_SEAM_M: f32 = 0.02;

/// The figure as a signed distance field.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    torso: Loft,
    arm: Loft,
    palm: Loft,
    fingers: Vec<RoundCone>,
    thumb: Vec<RoundCone>,
    leg: Loft,
    foot: Loft,
}

impl Shape {
    pub(super) fn new() -> Self {
        let [fingers, thumb] = [fingers(), thumb()];
        Self { torso: torso(), arm: arm(), palm: palm(), fingers, thumb, leg: leg(), foot: foot() }
    }

    /// Signed distance to the skin, to first order; mirror-symmetric to the bit.
    pub(super) fn distance(&self, point: Vec3) -> f32 {
        let near = Vec3::new(point.x.abs(), point.y, point.z);
        let trunk = self.trunk_distance(near);
        let head = head_distance(near);
        let arm = self.arm_distance(near);
        let legs = smooth_min(self.leg_distance(near), self.leg_distance(mirrored(near)), THIGH_SEAM_M);
        let body = smooth_min(trunk, legs, LEG_SEAM_M);
        let body = smooth_min(body, head, HEAD_SEAM_M);
        smooth_min(body, arm, ARM_SEAM_M)
    }

    /// Pelvis to neck, without limbs and head; `point` on the left.
    pub(super) fn trunk_distance(&self, point: Vec3) -> f32 {
        let bound = self.torso.lower_bound(point);
        if bound > FAR_M {
            return bound;
        }
        let both =
            |part: &dyn Fn(Vec3) -> f32, seam: f32| smooth_min(part(point), part(mirrored(point)), seam);
        let trunk = self.torso.distance(point);
        let trunk = smooth_min(trunk, both(&|p| TRAPEZIUS.distance(p), 0.03), 0.06);
        let trunk = smooth_min(trunk, both(&|p| COLLAR.distance(p), 0.03), 0.06);
        let trunk = smooth_min(trunk, both(&|p| SHOULDER_BLADE.distance(p), 0.03), 0.05);
        let trunk = smooth_min(trunk, both(&|p| ellipsoid_at(p, BREAST), 0.04), 0.05);
        let trunk = smooth_min(trunk, both(&|p| ellipsoid_at(p, SEAT), 0.025), 0.05);
        smooth_min(trunk, NECK.distance(point), 0.06)
    }

    /// The left arm with its hand.
    pub(super) fn arm_distance(&self, point: Vec3) -> f32 {
        let bound = self.arm.lower_bound(point).min(self.hand_bound(point));
        if bound > FAR_M {
            return bound;
        }
        let arm = self.arm.distance(point);
        if self.hand_bound(point) > FAR_M {
            return arm;
        }
        smooth_min(arm, self.hand_distance(point), 0.02)
    }

    /// The left leg with its foot.
    pub(super) fn leg_distance(&self, point: Vec3) -> f32 {
        let (leg_bound, foot_bound) = (self.leg.lower_bound(point), self.foot.lower_bound(point));
        if leg_bound.min(foot_bound) > FAR_M {
            return leg_bound.min(foot_bound);
        }
        let leg = self.leg.distance(point);
        if foot_bound > FAR_M {
            return leg;
        }
        // The sole is flat: cut at the ground, with a soft edge.
        smooth_max(smooth_min(leg, self.foot.distance(point), 0.035), -point.y, 0.012)
    }

    fn hand_bound(&self, point: Vec3) -> f32 {
        let center = SHOULDER + arm_direction() * (ARM_M + 0.09);
        point.distance(center) - 0.14
    }

    fn hand_distance(&self, point: Vec3) -> f32 {
        let chain = |cones: &[RoundCone]| {
            cones
                .iter()
                .map(|cone| cone.distance(point))
                .reduce(|a, b| smooth_min(a, b, 0.006))
                .unwrap_or(FAR_M)
        };
        let palm = self.palm.distance(point);
        let palm = smooth_min(palm, chain(&self.thumb), 0.022);
        self.fingers.chunks(2).fold(palm, |hand, finger| smooth_min(hand, chain(finger), 0.008))
    }
}

/// An ellipsoid: center and semi-axes along x, y, z; m.
type Ellipsoid = (Vec3, Vec3);

fn ellipsoid_at(point: Vec3, (center, semi_axes): Ellipsoid) -> f32 {
    ellipsoid_distance(point - center, semi_axes)
}

fn mirrored(point: Vec3) -> Vec3 {
    Vec3::new(-point.x, point.y, point.z)
}

const fn cone(start: Vec3, end: Vec3, start_radius: f32, end_radius: f32) -> RoundCone {
    RoundCone { start, end, start_radius, end_radius }
}

const NECK: RoundCone = cone(Vec3::new(0.0, 1.45, -0.016), Vec3::new(0.0, 1.58, 0.002), 0.059, 0.05);
/// From neck to shoulder.
const TRAPEZIUS: RoundCone =
    cone(Vec3::new(0.02, 1.474, -0.028), Vec3::new(0.16, 1.428, -0.014), 0.034, 0.036);
/// From the breast bone to the shoulder, below the collar bone.
const COLLAR: RoundCone = cone(Vec3::new(0.05, 1.368, 0.026), Vec3::new(0.165, 1.395, -0.004), 0.05, 0.045);
const SHOULDER_BLADE: RoundCone =
    cone(Vec3::new(0.07, 1.35, -0.06), Vec3::new(0.165, 1.395, -0.022), 0.05, 0.045);
const BREAST: Ellipsoid = (Vec3::new(0.068, 1.325, 0.045), Vec3::new(0.078, 0.07, 0.046));
const SEAT: Ellipsoid = (Vec3::new(0.07, 0.885, -0.054), Vec3::new(0.074, 0.082, 0.07));

/// Crotch to the pit of the neck. Sections at heights above the ground.
fn torso() -> Loft {
    let sections = vec![
        section(0.90, 0.143, 0.095, 0.0, -0.008),
        section(0.95, 0.146, 0.098, 0.0, -0.006),
        section(1.00, 0.140, 0.096, 0.0, -0.001),
        section(1.06, 0.129, 0.090, 0.0, 0.003),
        section(1.11, 0.125, 0.087, 0.0, 0.004),
        section(1.16, 0.129, 0.090, 0.0, 0.002),
        section(1.23, 0.143, 0.101, 0.0, -0.003),
        section(1.30, 0.154, 0.106, 0.0, -0.009),
        section(1.355, 0.154, 0.098, 0.0, -0.015),
    ];
    Loft::new(Vec3::ZERO, Vec3::Y, Vec3::Z, sections, [0.1, 0.105]).with_exponent(2.25)
}

/// Shoulder to wrist along the arm. Side is away from the back of the hand, front is forward.
fn arm() -> Loft {
    let back = -ELBOW_BACK_M;
    let sections = vec![
        section(0.0, 0.052, 0.053, -0.006, 0.0),
        section(0.05, 0.0535, 0.055, -0.008, 0.0),
        section(0.11, 0.0455, 0.048, -0.004, -0.001),
        section(0.17, 0.0405, 0.0445, 0.0, -0.003),
        section(0.23, 0.0355, 0.039, 0.0, 0.7 * back),
        section(0.285, 0.0330, 0.0355, 0.0, back),
        section(0.33, 0.0365, 0.0385, 0.0, 0.8 * back),
        section(0.38, 0.0345, 0.037, 0.0, 0.6 * back),
        section(0.45, 0.0265, 0.030, 0.0, 0.3 * back),
        section(0.51, 0.0205, 0.0255, 0.0, 0.0),
        section(ARM_M + 0.01, 0.0185, 0.026, 0.0, 0.0),
    ];
    Loft::new(SHOULDER, arm_direction(), Vec3::Z, sections, [0.05, 0.02])
}

/// A point of the left hand: m from the wrist to the finger tips, to the thumb, and out of the back of the hand.
fn in_hand(along: f32, to_thumb: f32, out: f32) -> Vec3 {
    SHOULDER + arm_direction() * (ARM_M + along) + Vec3::Z * to_thumb + back_of_hand() * out
}

fn palm() -> Loft {
    let sections = vec![
        section(0.0, 0.0165, 0.025, 0.0, 0.001),
        section(0.03, 0.0165, 0.033, 0.0, 0.002),
        section(0.06, 0.0155, 0.0385, 0.0, 0.001),
        section(0.085, 0.0135, 0.0385, 0.0, 0.0),
    ];
    Loft::new(in_hand(0.0, 0.0, 0.0), arm_direction(), Vec3::Z, sections, [0.02, 0.012]).with_exponent(2.4)
}

/// Four fingers of two cones each, index finger first, slightly spread and curled.
fn fingers() -> Vec<RoundCone> {
    // Root to the thumb side, spread of the tip beyond it, length; m.
    let table =
        [(0.029, 0.0105, 0.074), (0.0098, 0.003, 0.083), (-0.0098, -0.0045, 0.077), (-0.0285, -0.013, 0.06)];
    table
        .into_iter()
        .flat_map(|(root, spread, length)| {
            let knuckle = in_hand(0.085 - 0.1 * f32::abs(root), root, 0.0);
            let middle = in_hand(0.085 + 0.52 * length, root + 0.55 * spread, -0.002);
            let tip = in_hand(0.085 + 0.93 * length, root + spread, -0.011);
            [cone(knuckle, middle, 0.0105, 0.0088), cone(middle, tip, 0.0088, 0.0072)]
        })
        .collect()
}

fn thumb() -> Vec<RoundCone> {
    let [root, knuckle, joint, tip] = [
        in_hand(0.018, 0.016, -0.008),
        in_hand(0.05, 0.042, -0.014),
        in_hand(0.078, 0.058, -0.017),
        in_hand(0.1, 0.065, -0.018),
    ];
    vec![
        cone(root, knuckle, 0.015, 0.0125),
        cone(knuckle, joint, 0.0125, 0.0105),
        cone(joint, tip, 0.0105, 0.0085),
    ]
}

/// Hip to ankle along the leg. Side is inward, front is forward.
fn leg() -> Loft {
    let length = HIP.distance(ANKLE);
    // Where the knee lies in front of the straight line from hip to ankle.
    let knee_at = (KNEE - HIP).dot((ANKLE - HIP) / length);
    let sections = vec![
        section(0.0, 0.078, 0.084, 0.0, 0.0),
        section(0.09, 0.0775, 0.084, 0.0, 0.004),
        section(0.18, 0.0700, 0.079, 0.0, 0.012),
        section(0.28, 0.0580, 0.066, 0.001, 0.021),
        section(0.36, 0.0495, 0.0555, 0.002, 0.025),
        section(knee_at, 0.0465, 0.0525, 0.002, 0.025),
        section(knee_at + 0.06, 0.0465, 0.0500, 0.0, 0.013),
        section(knee_at + 0.13, 0.0505, 0.0540, -0.003, -0.002),
        section(knee_at + 0.19, 0.0465, 0.0500, -0.002, -0.005),
        section(knee_at + 0.27, 0.0345, 0.0380, 0.0, -0.002),
        section(knee_at + 0.34, 0.0285, 0.0335, 0.0, -0.002),
        section(length, 0.0285, 0.0345, 0.0, -0.002),
    ];
    Loft::new(HIP, ANKLE - HIP, Vec3::Z, sections, [0.13, 0.03])
}

/// Heel to toes. Side is outward, front is up.
fn foot() -> Loft {
    let heel = Vec3::new(ANKLE.x, 0.0, -0.062);
    let toes = Vec3::new(BALL.x, 0.0, BALL.z);
    let sections = vec![
        section(0.0, 0.026, 0.034, 0.0, 0.026),
        section(0.04, 0.031, 0.043, 0.0, 0.034),
        section(0.09, 0.034, 0.040, 0.0, 0.034),
        section(0.14, 0.040, 0.030, 0.0, 0.026),
        section(0.18, 0.043, 0.024, 0.0, 0.018),
        section(0.21, 0.039, 0.020, -0.002, 0.015),
    ];
    Loft::new(heel, toes - heel, Vec3::Y, sections, [0.024, 0.03]).with_exponent(2.3)
}

const CRANIUM: Ellipsoid = (Vec3::new(0.0, 1.654, -0.012), Vec3::new(0.076, 0.096, 0.094));
const FACE: Ellipsoid = (Vec3::new(0.0, 1.61, 0.028), Vec3::new(0.062, 0.085, 0.064));
const CHIN: RoundCone = cone(Vec3::new(0.0, 1.58, 0.02), Vec3::new(0.0, 1.549, 0.056), 0.053, 0.031);
const NOSE: RoundCone = cone(Vec3::new(0.0, 1.668, 0.079), Vec3::new(0.0, 1.612, 0.0905), 0.006, 0.008);

/// Cut out, softly.
const EYE: Ellipsoid = (Vec3::new(0.035, 1.648, 0.108), Vec3::new(0.03, 0.02, 0.024));

/// The head, `point` on the left.
fn head_distance(point: Vec3) -> f32 {
    let bound = point.distance(Vec3::new(0.0, 1.63, 0.0)) - 0.15;
    if bound > FAR_M {
        return bound;
    }
    let head = smooth_min(ellipsoid_at(point, CRANIUM), ellipsoid_at(point, FACE), 0.05);
    let head = smooth_min(head, CHIN.distance(point), 0.03);
    let eyes = smooth_min(ellipsoid_at(point, EYE), ellipsoid_at(mirrored(point), EYE), 0.02);
    let head = smooth_max(head, -eyes, 0.045);
    smooth_min(head, NOSE.distance(point), 0.035)
}
