//! Sections through joints, ends and the middles of bones.

use super::super::measure::Measure::{self, *};
use super::joints::{ARM_DIRECTION, Joints};
use super::proportion::Proportion;
use crate::ring::ellipse_girth;
use glam::{DVec2, DVec3};

/// An elliptic section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Half of its extent along e1, the bend axis (side to side in trunk, head and legs), and along e2, across it; m.
    pub semi_axes_m: [f64; 2],
}

impl Section {
    /// A section with these semi-axes, m.
    #[must_use]
    pub fn new(semi_axes_m: [f64; 2]) -> Self {
        Self { semi_axes_m }
    }

    /// The length of a tape around it, m.
    ///
    /// # Accuracy
    /// Ramanujan's second formula; within a millionth for axes up to 1 to 2.
    #[must_use]
    pub fn girth_m(self) -> f64 {
        ellipse_girth(DVec2::from_array(self.semi_axes_m))
    }

    /// The same form with another girth, m.
    #[must_use]
    pub fn with_girth(self, girth_m: f64) -> Self {
        let scale = girth_m / self.girth_m();
        Self { semi_axes_m: self.semi_axes_m.map(|axis| axis * scale) }
    }

    /// The form with `ratio` times this one's ratio of width along e1 to depth along e2.
    fn widened(self, ratio: f64) -> Self {
        Self { semi_axes_m: [self.semi_axes_m[0] * ratio, self.semi_axes_m[1]] }
    }
}

/// A section and its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// Model space, m.
    pub center: DVec3,
    /// Unit vector across the section, towards the end of the limb; from the waist and the lower chest downwards.
    pub normal: DVec3,
    /// Form and size.
    pub section: Section,
}

/// Sections through joints and ends, rest pose, left side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rings {
    /// Where the neck meets the trunk; its back is higher than its front.
    pub neck_base: Ring,
    /// Where the neck meets the head.
    pub skull_base: Ring,
    /// The head at its largest girth.
    pub head: Ring,
    /// Under the chest; the chest's own girth is above, see [`TapeLevels`](super::TapeLevels).
    pub lower_chest: Ring,
    /// At the navel.
    pub waist: Ring,
    /// Where the arm leaves the trunk.
    pub arm_root: Ring,
    /// Elbow.
    pub elbow: Ring,
    /// Wrist.
    pub wrist: Ring,
    /// Where the leg leaves the trunk, oblique like a leg opening.
    pub thigh_root: Ring,
    /// Knee.
    pub knee: Ring,
    /// Ankle, at its thinnest.
    pub ankle: Ring,
    /// From the heel over the instep.
    pub heel: Ring,
    /// Ball of the foot.
    pub ball: Ring,
}

/// Sections half-way between joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MidSections {
    /// Half-way up the neck.
    pub neck: Section,
    /// Between waist and lower chest.
    pub abdomen: Section,
    /// Half-way down the upper arm, relaxed.
    pub upper_arm: Section,
    /// Half-way down the forearm.
    pub forearm: Section,
    /// Half-way down the thigh.
    pub thigh: Section,
    /// Half-way down the shank.
    pub shank: Section,
    /// From the middle of the shank's bone to the middle of its section, model space, m: the calf lies high and behind.
    pub shank_offset: DVec3,
}

/// Share of the upper arm where its root is.
const ARM_ROOT_WAY: f64 = 0.072 / 0.300;

impl Rings {
    pub(super) fn new(body: &Proportion<'_>, joints: &Joints) -> Self {
        let measured = |axes, measure| Section::new(axes).with_girth(body.value(measure));
        let like = |axes, girth, measure| Section::new(axes).with_girth(body.like(girth, measure));
        let elbow = body.like_mean(0.275, [BicepsGirth, ForearmGirth]);
        let knee = body.like_mean(0.385, [LowerThighGirth, CalfGirth]);
        let thigh = (joints.knee - joints.hip).normalize();
        let thigh_root = DVec3::new(
            body.like(0.103, HipBreadth),
            body.like(0.835, CrotchHeight),
            body.like(-0.008, ButtockDepth),
        );
        // A little outward of the ankle, below and in front of it.
        let heel = DVec3::new(
            joints.ankle.x + body.like(0.002, FootBreadth),
            body.like(0.042, MalleolusHeight),
            joints.ankle.z + body.like(0.018, FootLength),
        );
        Self {
            neck_base: ring(joints.neck_base, (0.0, 0.96, 0.27), measured([0.0708, 0.0675], NeckBaseGirth)),
            skull_base: ring(joints.skull_base, (0.0, 1.0, 0.1), like([0.0620, 0.0653], 0.400, NeckGirth)),
            head: ring(joints.head, (0.0, 1.0, 0.0), head(body)),
            lower_chest: ring(
                joints.chest + DVec3::Z * body.like(0.002, ChestDepth),
                (0.0, -1.0, 0.0),
                lower_chest(body),
            ),
            waist: ring(joints.waist, (0.0, -1.0, 0.0), waist(body)),
            arm_root: ring(
                joints.shoulder.lerp(joints.elbow, ARM_ROOT_WAY),
                ARM_DIRECTION.into(),
                like([0.0611, 0.0582], 0.375, BicepsGirth),
            ),
            elbow: ring(joints.elbow, ARM_DIRECTION.into(), Section::new([0.0426, 0.0449]).with_girth(elbow)),
            wrist: ring(joints.wrist, ARM_DIRECTION.into(), measured([0.0229, 0.0327], WristGirth)),
            thigh_root: ring(thigh_root, (0.56, -0.83, 0.0), like([0.113, 0.107], 0.691, ThighGirth)),
            knee: ring(joints.knee, thigh.into(), Section::new([0.0597, 0.0628]).with_girth(knee)),
            ankle: ring(
                joints.ankle.with_y(body.like(0.110, MalleolusHeight)),
                (0.0, -1.0, 0.05),
                measured([0.0323, 0.0404], AnkleGirth),
            ),
            heel: ring(heel, (0.0, -0.62, 0.78), like([0.036, 0.066], 0.327, HeelAnkleGirth)),
            ball: ring(joints.ball, (0.0, -0.15, 0.99), like([0.048, 0.027], 0.240, BallGirth)),
        }
    }
}

impl MidSections {
    pub(super) fn new(body: &Proportion<'_>) -> Self {
        let like = |axes: [f64; 2], measure| Section::new(axes.map(|axis| body.like(axis, measure)));
        let waist = waist(body).semi_axes_m;
        let thigh = [0.0865, 0.0885].map(|axis| body.like_mean(axis, [ThighGirth, LowerThighGirth]));
        let shank_length = |template| body.like_rest(template, KneeHeight, MalleolusHeight);
        Self {
            neck: Section::new([0.0615, 0.0640]).with_girth(body.value(NeckGirth)),
            abdomen: Section::new([waist[0], waist[1] * 0.126 / 0.1279]),
            upper_arm: like([0.0525, 0.0545], BicepsGirth),
            forearm: like([0.0400, 0.0445], ForearmGirth),
            thigh: Section::new(thigh),
            shank: like([0.059, 0.064], CalfGirth),
            shank_offset: DVec3::new(0.0, shank_length(0.02), body.like(-0.012, CalfGirth)),
        }
    }
}

fn head(body: &Proportion<'_>) -> Section {
    formed([0.0795, 0.1026], body, [HeadBreadth, HeadLength]).with_girth(body.value(HeadGirth))
}

fn lower_chest(body: &Proportion<'_>) -> Section {
    formed([0.1884, 0.1427], body, [ChestBreadth, ChestDepth]).with_girth(body.like(1.045, ChestGirth))
}

fn waist(body: &Proportion<'_>) -> Section {
    formed([0.1700, 0.1279], body, [WaistBreadth, WaistDepth]).with_girth(body.value(WaistGirth))
}

/// The template's form, widened by the person's ratio of breadth to depth relative to the average man's.
fn formed(template: [f64; 2], body: &Proportion<'_>, [breadth, depth]: [Measure; 2]) -> Section {
    Section::new(template).widened(body.ratio(breadth) / body.ratio(depth))
}

fn ring(center: DVec3, normal: (f64, f64, f64), section: Section) -> Ring {
    Ring { center, normal: DVec3::from(normal).normalize(), section }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn girth_of_a_circle_and_of_an_ellipse_from_tables() {
        assert!((Section::new([0.5, 0.5]).girth_m() - std::f64::consts::PI).abs() < 1e-15, "circle");
        // 8 E(m = 3/4), the complete elliptic integral of the second kind, 1.211056027568459.
        let expected = 8.0 * 1.211_056_027_568_459;
        let relative = (Section::new([2.0, 1.0]).girth_m() - expected) / expected;
        assert!(relative.abs() < 1e-6, "{relative}");
    }

    #[test]
    fn a_girth_asked_for_is_met_in_the_same_form() {
        let section = Section::new([0.17, 0.1279]).with_girth(0.8);
        assert!((section.girth_m() - 0.8).abs() < 1e-15, "girth");
        assert!((section.semi_axes_m[0] / section.semi_axes_m[1] - 0.17 / 0.1279).abs() < 1e-15, "form");
    }
}
