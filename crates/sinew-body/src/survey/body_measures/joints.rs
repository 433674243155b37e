//! The stick figure in its rest pose.

use super::super::measure::Measure::*;
use super::proportion::Proportion;
use glam::DVec3;

/// Joints and ends of the stick figure, rest pose, left side, model space, m.
///
/// Invariant for bodies within the survey: ankle, knee, crotch, hip, waist, chest, shoulder, neck base and crown are in ascending order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joints {
    /// Root of the skeleton.
    pub pelvis: DVec3,
    /// Lower joint of the spine.
    pub waist: DVec3,
    /// Upper joint of the spine.
    pub chest: DVec3,
    /// Between the lowest neck bone and the highest of the back.
    pub neck_base: DVec3,
    /// Where the head turns on the neck.
    pub skull_base: DVec3,
    /// Middle of the head at its largest girth.
    pub head: DVec3,
    /// Top of the head.
    pub crown: DVec3,
    /// Inner end of the collarbone.
    pub clavicle: DVec3,
    /// Shoulder joint.
    pub shoulder: DVec3,
    /// Elbow joint.
    pub elbow: DVec3,
    /// Wrist joint.
    pub wrist: DVec3,
    /// Hip joint.
    pub hip: DVec3,
    /// Where the legs part; no joint.
    pub crotch: DVec3,
    /// Knee joint.
    pub knee: DVec3,
    /// Ankle joint.
    pub ankle: DVec3,
    /// Within the heel.
    pub heel: DVec3,
    /// Joint of the toes.
    pub ball: DVec3,
    /// End of the longest toe.
    pub toe_tip: DVec3,
}

/// Direction of the arms at rest, 45° down.
pub(super) const ARM_DIRECTION: DVec3 =
    DVec3::new(std::f64::consts::FRAC_1_SQRT_2, -std::f64::consts::FRAC_1_SQRT_2, 0.0);

/// Outward slope of thighs and shanks on the way down: 4.1° and 2.4°.
const THIGH_SLOPE: f64 = 0.0305 / 0.430;
const SHANK_SLOPE: f64 = 0.017 / 0.400;

impl Joints {
    pub(super) fn new(body: &Proportion<'_>) -> Self {
        let (stature, waist_height) = (body.value(Stature), body.value(WaistHeight));
        let neck_base = body.between(1.470, SuprasternaleHeight, CervicaleHeight);
        let ear_hole = stature - body.value(TragionToCrown);
        let neck_depth = body.like(-0.012, ChestDepth);
        let [clavicle, shoulder, elbow, wrist] = arm(body, neck_depth);
        let [hip, knee, ankle] = leg(body);
        let [heel, ball, toe_tip] = foot(body, ankle);
        Self {
            // 0.04 m of 0.1365 m above the hip.
            pelvis: middle(hip.y + 0.04 / 0.1365 * (waist_height - hip.y), 0.0),
            waist: middle(waist_height, 0.0),
            chest: middle(body.between(1.235, TenthRibHeight, ChestHeight), 0.0),
            neck_base: middle(neck_base, neck_depth),
            // 0.0900 m of 0.1551 m.
            skull_base: middle(
                neck_base + 0.0900 / 0.1551 * (ear_hole - neck_base),
                body.like(0.008, HeadLength),
            ),
            head: middle(stature - body.like(0.1010, TragionToCrown), body.like(0.018, HeadLength)),
            crown: middle(stature, body.like(0.005, HeadLength)),
            clavicle,
            shoulder,
            elbow,
            wrist,
            hip,
            crotch: middle(body.value(CrotchHeight), body.like(-0.005, ButtockDepth)),
            knee,
            ankle,
            heel,
            ball,
            toe_tip,
        }
    }
}

/// Clavicle, shoulder, elbow and wrist.
fn arm(body: &Proportion<'_>, z: f64) -> [DVec3; 4] {
    let clavicle = DVec3::new(
        body.like(0.020, BiacromialBreadth),
        body.value(SuprasternaleHeight),
        body.like(0.020, ChestDepth),
    );
    let below_acromion = body.like(0.0457, UpperArmLength);
    let shoulder =
        DVec3::new(body.like(0.180, BiacromialBreadth), body.value(AcromialHeight) - below_acromion, z);
    let elbow = shoulder + body.like(0.300, UpperArmLength) * ARM_DIRECTION;
    let wrist = elbow + body.like(0.262, ForearmLength) * ARM_DIRECTION;
    [clavicle, shoulder, elbow, wrist]
}

/// Hip, knee and ankle.
fn leg(body: &Proportion<'_>) -> [DVec3; 3] {
    // Both heights show the length of the leg; the trochanterion alone would put one hip in 12,000 below the crotch.
    let hip_height = body.like_mean(0.920, [TrochanterionHeight, CrotchHeight]);
    let hip = DVec3::new(body.like(0.0875, HipBreadth), hip_height, 0.0);
    let knee_height = body.like(0.490, KneeHeight);
    let knee_out = hip.x + THIGH_SLOPE * (hip.y - knee_height);
    let knee = DVec3::new(knee_out, knee_height, body.like(0.005, KneeHeight));
    let ankle_height = body.like(0.090, MalleolusHeight);
    let ankle_out = knee.x + SHANK_SLOPE * (knee.y - ankle_height);
    let ankle = DVec3::new(ankle_out, ankle_height, body.like(-0.020, FootLength));
    [hip, knee, ankle]
}

/// Heel, ball and toe tip.
fn foot(body: &Proportion<'_>, ankle: DVec3) -> [DVec3; 3] {
    let heel_back = ankle.z - body.like(0.0609, FootLength);
    let heel =
        DVec3::new(ankle.x, body.like(0.010, MalleolusHeight), heel_back + body.like(0.016, FootLength));
    let ball = DVec3::new(
        ankle.x + body.like(0.010, FootBreadth),
        body.like(0.028, BallGirth),
        heel_back + body.value(BallLength),
    );
    let toe_tip = DVec3::new(
        ankle.x + body.like(0.012, FootBreadth),
        body.like(0.022, BallGirth),
        heel_back + body.value(FootLength),
    );
    [heel, ball, toe_tip]
}

/// A point in the middle plane.
fn middle(y: f64, z: f64) -> DVec3 {
    DVec3::new(0.0, y, z)
}
