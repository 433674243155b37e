//! One joint between two bones, and the curve of its axis under a method.

use crate::{BoneFrame, JointHead, Method, RestVertex, SoftRange, bezier, cor, dlb, lbs, sbs, sdef};
use glam::{Affine3A, DVec3, Vec3};

/// A joint in one pose.
///
/// All points are in rest space; the two matrices transform them to posed space. The axis runs parent's head → child's head → child's tip; the
/// ends of the soft range are on it.
#[derive(Clone, Copy, Debug)]
pub struct JointProbe {
    /// Start of the parent.
    pub parent_head: Vec3,
    /// b: start of the child.
    pub head: Vec3,
    /// End of the child.
    pub child_tip: Vec3,
    /// r0 and r1.
    pub range: SoftRange,
    /// The parent's skinning matrix, M0.
    pub parent: Affine3A,
    /// The child's skinning matrix, M1.
    pub child: Affine3A,
}

/// The kinks of a joint: angles between bone and center curve, rad, 0 to π.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Kink {
    /// At r0, against the parent.
    pub at_begin_rad: f64,
    /// At r1, against the child.
    pub at_end_rad: f64,
}

impl Kink {
    /// Both in degrees, r0 first.
    pub fn to_degrees(self) -> [f64; 2] {
        [self.at_begin_rad.to_degrees(), self.at_end_rad.to_degrees()]
    }

    /// The larger of the two, radians.
    pub fn largest_rad(self) -> f64 {
        self.at_begin_rad.max(self.at_end_rad)
    }
}

/// Step of the difference quotient, as a share of the soft range. The methods compute in f32, so a point is exact to about 1e-7 of the
/// range: at this step rounding costs 3e-5 rad. The five-point formula's own error is of fourth order, below 1e-6 rad. With a ten times
/// smaller step rounding shows; with a five times larger one the formula's error does.
const DIFFERENCE_STEP: f64 = 0.01;

impl JointProbe {
    /// Length of the soft range along the axis.
    pub fn range_length(&self) -> f64 {
        self.back_length() + self.forth_length()
    }

    fn back_length(&self) -> f64 {
        self.range.begin.as_dvec3().distance(self.head.as_dvec3())
    }

    fn forth_length(&self) -> f64 {
        self.range.end.as_dvec3().distance(self.head.as_dvec3())
    }

    /// Lengths of the soft range on the parent and on the child.
    pub(super) fn reach(&self) -> (f64, f64) {
        (self.back_length(), self.forth_length())
    }

    /// The point of the axis at a share of the soft range: 0 is r0, 1 is r1. Outside the range it follows the bones.
    pub fn axis_point(&self, share: f64) -> DVec3 {
        self.along_axis(share * self.range_length() - self.back_length())
    }

    /// The point of the axis at a distance from the child's head, negative on the parent.
    pub(super) fn along_axis(&self, along: f64) -> DVec3 {
        let direction = if along < 0.0 { self.back_axis() * -1.0 } else { self.forth_axis() };
        self.head.as_dvec3() + direction * along
    }

    /// The place on the axis of the bone that a point is more beside, as a distance from the child's head.
    pub(super) fn place_along(&self, point: DVec3) -> f64 {
        let from_head = point - self.head.as_dvec3();
        let (back, forth) = (from_head.dot(self.back_axis()), from_head.dot(self.forth_axis()));
        if back > forth { -back } else { forth }
    }

    /// Unit, along the parent and along the child in rest.
    pub(super) fn rest_directions(&self) -> [DVec3; 2] {
        [-self.back_axis(), self.forth_axis()]
    }

    /// Unit, from the child's head backwards along the parent; zero where there is no axis.
    fn back_axis(&self) -> DVec3 {
        let head = self.head.as_dvec3();
        let back = self.range.begin.as_dvec3() - head;
        back.try_normalize().or((self.parent_head.as_dvec3() - head).try_normalize()).unwrap_or(DVec3::ZERO)
    }

    /// Unit, from the child's head forwards along the child.
    fn forth_axis(&self) -> DVec3 {
        let head = self.head.as_dvec3();
        let forth = self.range.end.as_dvec3() - head;
        forth.try_normalize().or((self.child_tip.as_dvec3() - head).try_normalize()).unwrap_or(DVec3::ZERO)
    }

    /// Posed position of the axis point at a share of the soft range; the weight of the parent is `1 − share`.
    ///
    /// `None` for delta mush, which moves a vertex by its neighbors and has no center curve. For optimized centers of rotation the point is its
    /// own center, which is right for a limb about its axis.
    pub fn moved(&self, method: Method, share: f64) -> Option<DVec3> {
        // Everything is relative to the joint, in rest and posed: a joint far from the origin loses no digits.
        let posed_head = self.parent.transform_point3(self.head);
        let around_head = |matrix: &Affine3A| Affine3A {
            matrix3: matrix.matrix3,
            translation: (matrix.transform_point3(self.head) - posed_head).into(),
        };
        let (parent, child) = (around_head(&self.parent), around_head(&self.child));
        let position = (self.axis_point(share) - self.head.as_dvec3()).as_vec3();
        // Outside the soft range one bone has all the weight.
        if share <= 0.0 || share >= 1.0 {
            let bone = if share <= 0.0 { parent } else { child };
            return Some(bone.transform_point3(position).as_dvec3() + posed_head.as_dvec3());
        }
        let bones = [BoneFrame::new(&parent), BoneFrame::new(&child)];
        let weights = [(1.0 - share) as f32, share as f32];
        let vertex = RestVertex {
            position,
            joints: &[0, 1],
            weights: &weights,
            center: position,
            anchors: &[self.range.begin - self.head, self.range.end - self.head],
            heads: &[JointHead { rest: Vec3::ZERO, parent: Some(0) }],
        };
        let moved = match method {
            Method::Lbs => lbs::move_vertex(&vertex, &bones),
            Method::Sbs { rotation } => sbs::move_vertex(&vertex, &bones, rotation),
            Method::Sdef { s, rotation } => sdef::move_vertex(&vertex, &bones, s, rotation),
            Method::Bezier { rotation, form } => bezier::move_vertex(&vertex, &bones, rotation, form),
            Method::Dlb => dlb::move_vertex(&vertex, &bones),
            Method::Cor => cor::move_vertex(&vertex, &bones),
            Method::DeltaMush { .. } => return None,
        };
        Some(moved.position.as_dvec3() + posed_head.as_dvec3())
    }

    /// The center curve: the parent's posed axis, `segments` steps through the soft range, the child's posed axis.
    ///
    /// # Panics
    /// If there is no segment.
    pub fn center_curve(&self, method: Method, segments: usize) -> Option<Vec<DVec3>> {
        assert!(segments > 0, "a curve has at least one segment");
        let mut curve = vec![self.parent.transform_point3(self.parent_head).as_dvec3()];
        for step in 0..=segments {
            curve.push(self.moved(method, step as f64 / segments as f64)?);
        }
        curve.push(self.child.transform_point3(self.child_tip).as_dvec3());
        Some(curve)
    }

    /// The kinks of a method; `None` for delta mush.
    ///
    /// # Degenerate input
    /// If the soft range or a bone has no length, the kink there is 0.
    ///
    /// # Accuracy
    /// Within 0.01° for ranges of the size of the numbers they are given in.
    pub fn kink(&self, method: Method) -> Option<Kink> {
        let length = self.range_length();
        if length == 0.0 {
            return self.moved(method, 0.5).map(|_| Kink::default());
        }
        // The points of the difference stay on one side of the corner at b.
        let step_on = |side: f64| DIFFERENCE_STEP.min(side / length / 5.0);
        let begin = self.tangent(method, 0.0, step_on(self.back_length()))?;
        let end = self.tangent(method, 1.0, -step_on(self.forth_length()))?;
        let parent_axis = lin(&self.parent, -self.back_axis());
        let child_axis = lin(&self.child, self.forth_axis());
        Some(Kink { at_begin_rad: angle(parent_axis, begin), at_end_rad: angle(child_axis, end) })
    }

    /// The derivative of the center curve at an end by the one-sided five-point formula.
    fn tangent(&self, method: Method, at: f64, step: f64) -> Option<DVec3> {
        if step == 0.0 {
            return Some(DVec3::ZERO);
        }
        let mut sum = DVec3::ZERO;
        for (index, factor) in [-25.0, 48.0, -36.0, 16.0, -3.0].into_iter().enumerate() {
            sum += self.moved(method, at + index as f64 * step)? * factor;
        }
        Some(sum / (12.0 * step))
    }

    /// Bend of the bones in this pose from rest, rad, 0 to π: the angle of the rotation between the two matrices.
    pub fn turn_rad(&self) -> f64 {
        let (parent, child) = (BoneFrame::new(&self.parent).rotation, BoneFrame::new(&self.child).rotation);
        let between = (parent.conjugate() * child).as_dquat();
        2.0 * between.xyz().length().atan2(between.w.abs())
    }

    /// The posed directions of the two bones away from the joint, and the joint: the wedge for [`bulge`].
    pub fn posed_wedge(&self) -> (DVec3, [DVec3; 2]) {
        let joint = self.parent.transform_point3(self.head).as_dvec3();
        (joint, [lin(&self.parent, self.back_axis()), lin(&self.child, self.forth_axis())])
    }
}

/// The maximum distance of a curve's points from the wedge between two bones at their joint, divided by the limb's radius.
///
/// Points between the bones count as 0: only the outer side of the bend is measured. Distances perpendicular to the plane of the wedge do
/// not count. Bones in one line have no inside: the distance to the bones is measured.
pub fn bulge(curve: &[DVec3], joint: DVec3, bones: [DVec3; 2], radius: f64) -> f64 {
    let [back, forth] = bones.map(|bone| bone.normalize_or_zero());
    let across = back.cross(forth);
    let is_flat = across.length() < 1e-6;
    let mut greatest = 0.0_f64;
    for &point in curve {
        let mut offset = point - joint;
        if !is_flat {
            let normal = across.normalize();
            offset -= normal * offset.dot(normal);
            // offset = α back + β forth.
            let alpha = offset.cross(forth).dot(normal) / across.length();
            let beta = back.cross(offset).dot(normal) / across.length();
            if alpha >= 0.0 && beta >= 0.0 {
                continue;
            }
        }
        let to_half_line = |axis: DVec3| (offset - axis * offset.dot(axis).max(0.0)).length();
        greatest = greatest.max(to_half_line(back).min(to_half_line(forth)));
    }
    greatest / radius
}

pub(super) fn lin(map: &Affine3A, direction: DVec3) -> DVec3 {
    map.transform_vector3(direction.as_vec3()).as_dvec3()
}

/// The angle between two directions; 0 if one has no length.
pub(super) fn angle(a: DVec3, b: DVec3) -> f64 {
    let (sine, cosine) = (a.cross(b).length(), a.dot(b));
    if sine == 0.0 && cosine == 0.0 { 0.0 } else { sine.atan2(cosine) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use std::f64::consts::FRAC_PI_2;

    /// Poses are f32.
    const ROUNDING: f64 = 1e-6;

    /// Bones of length 4 that meet at the origin, `bend` apart in rest; the child turned by 90° about Z.
    fn probe(a: f32, b: f32, bend_rad: f32) -> JointProbe {
        let forth = Quat::from_rotation_z(bend_rad) * Vec3::Y;
        let child = Affine3A::from_rotation_z(std::f32::consts::FRAC_PI_2);
        JointProbe {
            parent_head: Vec3::NEG_Y * 4.0,
            head: Vec3::ZERO,
            child_tip: forth * 4.0,
            range: SoftRange { begin: Vec3::NEG_Y * a, end: forth * b },
            parent: Affine3A::IDENTITY,
            child,
        }
    }

    /// In degrees: the reference's two decimals, and what f32 leaves of the difference.
    const TOLERANCE_DEG: f64 = 0.01;

    #[track_caller]
    fn check(probe: &JointProbe, method: Method, expected: [f64; 2]) {
        let kink = probe.kink(method).expect("no mush").to_degrees();
        let difference = (kink[0] - expected[0]).abs().max((kink[1] - expected[1]).abs());
        assert!(difference < TOLERANCE_DEG, "{method}: {kink:?}, expected {expected:?}");
    }

    #[test]
    fn straight_even_kinks_are_those_of_the_closed_form() {
        // LBS at r0: the tangent is 3/2 e − 1/2 Re.
        let lbs = (1.0f64 / 3.0).atan().to_degrees();
        check(&probe(1.0, 1.0, 0.0), Method::Lbs, [lbs, lbs]);
        check(&probe(1.0, 1.0, 0.0), Method::SDEF, [0.0, 0.0]);
        check(&probe(1.0, 1.0, 0.0), Method::BEZIER, [0.0, 0.0]);
    }

    #[test]
    fn straight_uneven_lbs_kinks_are_those_of_the_closed_form() {
        // With L = a + b: at r0 the tangent is (1 + a/L) e − a/L Re, at r1 (1 + b/L) Re − b/L e.
        let side = |length: f64| (length / (3.0 + length)).atan().to_degrees();
        check(&probe(1.0, 2.0, 0.0), Method::Lbs, [side(1.0), side(2.0)]);
    }

    #[test]
    fn a_rigid_motion_has_no_kink_and_no_bulge() {
        let mut probe = probe(1.0, 2.0, 0.5);
        probe.child =
            Affine3A::from_rotation_translation(Quat::from_rotation_x(1.0), Vec3::new(1.0, 2.0, 3.0));
        probe.parent = probe.child;
        for method in [Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb, Method::Cor] {
            check(&probe, method, [0.0, 0.0]);
            let curve = probe.center_curve(method, 16).expect("no mush");
            let (joint, bones) = probe.posed_wedge();
            assert!(bulge(&curve, joint, bones, 1.0) < 1e-5, "{method}");
        }
        assert!(probe.turn_rad() < ROUNDING);
    }

    #[test]
    fn lbs_bulges_by_its_closed_form() {
        // The curve of 1 : 1 at 90° is t y e + (1−t) y Re with y = 1 − 2t: on the parent's side (y < 0) it lies (1−t) |y| beside the
        // bone, outside. (1−t)(2t−1) is greatest at t = 3/4: 1/8.
        let probe = probe(1.0, 1.0, 0.0);
        let curve = probe.center_curve(Method::Lbs, 64).expect("a curve");
        let (joint, bones) = probe.posed_wedge();
        let measured = bulge(&curve, joint, bones, 0.5);
        assert!((measured - 0.125 / 0.5).abs() < ROUNDING, "{measured}");
        assert!((probe.turn_rad() - FRAC_PI_2).abs() < ROUNDING);
    }

    #[test]
    fn a_joint_without_range_is_defined() {
        let mut probe = probe(0.0, 0.0, 0.0);
        assert_eq!(probe.kink(Method::Lbs), Some(Kink::default()));
        probe.child_tip = Vec3::ZERO;
        probe.parent_head = Vec3::ZERO;
        assert_eq!(probe.kink(Method::BEZIER), Some(Kink::default()));
        assert_eq!(probe.kink(Method::DeltaMush { iterations: 1 }), None);
    }
}
