//! All measures of one joint on a posed surface.

use super::{ClosedSurface, Kink, ProbedJoint, RadiusRange, bulge, radius_range};
use crate::Method;
use glam::Vec3;
use sinew_rig::BoundSurface;

/// Measures of a joint; see the [module](super) for definitions and units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMeasures {
    /// Rotation of the joint from rest, rad.
    pub turn_rad: f64,
    /// Kinks at r0 and r1; `None` for a method without a center curve.
    pub kink: Option<Kink>,
    /// Outward bulge in limb radii; `None` for a method without a center curve.
    pub bulge: Option<f64>,
    /// Volume of the joint's part relative to rest; `None` if the part encloses nothing.
    pub volume: Option<f64>,
    /// Radius of the soft range relative to rest; `None` without a center curve.
    pub radius: Option<RadiusRange>,
    /// Length of the center curve between r0 and r1 relative to rest; `None` without a center curve.
    pub length: Option<f64>,
}

/// A vertex belongs to a joint's part if its two bones have at least this share of its weight: a third bone would add motion that is not
/// the joint's.
const LEAST_PAIR_WEIGHT: f32 = 0.9;

/// Segments of the center curve: at 90° a chord is then within 1e-5 of the range of the curve.
const CURVE_SEGMENTS: usize = 128;

impl JointMeasures {
    /// The mean cross section relative to rest: volume divided by length. A curve that cuts the corner of a bend is shorter and encloses less
    /// without being thinner; this distinguishes the two.
    pub fn section(&self) -> Option<f64> {
        Some(self.volume? / self.length?)
    }

    /// Measures one joint.
    ///
    /// `posed_positions`: one per vertex of `bound`, moved by `method`. The joint's part are the triangles between its two bones with a corner
    /// in the soft range, closed by fans where it is cut off; radii are those of the vertices in the soft range. If the surface intersects
    /// itself, the volume of the fold counts twice.
    ///
    /// # Panics
    /// If there is not one posed position per vertex.
    pub fn of(bound: &BoundSurface, joint: &ProbedJoint, method: Method, posed_positions: &[Vec3]) -> Self {
        let rest_positions = &bound.rest().positions;
        assert_eq!(posed_positions.len(), rest_positions.len(), "one posed position per vertex");
        let probe = &joint.probe;
        // Rest space may have another unit of length than posed space.
        let volume_scale = f64::from(probe.parent.matrix3.determinant().abs());
        let part = Part::of(bound, joint);
        let mut measures = Self { turn_rad: probe.turn_rad(), kink: probe.kink(method), ..Self::default() };
        let closed = ClosedSurface::of(rest_positions, &part.triangles);
        let is_body = !part.triangles.is_empty() && closed.open_share() < MOST_OPEN_SHARE;
        if is_body && volume_scale > 0.0 {
            measures.volume = closed.ratio(rest_positions, posed_positions).map(|ratio| ratio / volume_scale);
        }
        let Some(curve) = probe.center_curve(method, CURVE_SEGMENTS) else { return measures };
        let scale = volume_scale.cbrt();
        let vertices = part.soft.iter().map(|&vertex| (rest_positions[vertex], posed_positions[vertex]));
        measures.radius = radius_range(vertices, &probe.rest_axis(), &curve)
            .map(|range| RadiusRange { least: range.least / scale, greatest: range.greatest / scale });
        let soft = &curve[1..curve.len() - 1];
        let length: f64 = soft.windows(2).map(|ends| ends[0].distance(ends[1])).sum();
        measures.length = (probe.range_length() > 0.0).then(|| length / (probe.range_length() * scale));
        let (head, bones) = probe.posed_wedge();
        measures.bulge =
            part.radius(rest_positions, joint).map(|radius| bulge(&curve, head, bones, radius * scale));
        measures
    }
}

/// A tube cut at both ends has a low share of open edges even with few rows; this excludes cloth and cards.
const MOST_OPEN_SHARE: f64 = 0.25;

/// The part of a surface that a joint moves.
struct Part {
    /// Vertices with nearly all weight on both bones.
    soft: Vec<usize>,
    triangles: Vec<[u32; 3]>,
}

impl Part {
    fn of(bound: &BoundSurface, joint: &ProbedJoint) -> Self {
        let share = |vertex: usize, entry: u16| {
            let (entries, weights) = bound.influences().of(vertex);
            entries
                .iter()
                .zip(weights)
                .filter(|&(&other, _)| other == entry)
                .map(|(_, &weight)| weight)
                .sum::<f32>()
        };
        let shares: Vec<(f32, f32)> = (0..bound.vertex_count())
            .map(|v| (share(v, joint.parent_entry), share(v, joint.child_entry)))
            .collect();
        let is_own = |vertex: usize| shares[vertex].0 + shares[vertex].1 >= LEAST_PAIR_WEIGHT;
        let is_soft = |vertex: usize| is_own(vertex) && shares[vertex].0 > 0.0 && shares[vertex].1 > 0.0;
        let fits = |triangle: &&[u32; 3]| {
            triangle.iter().all(|&v| is_own(v as usize)) && triangle.iter().any(|&v| is_soft(v as usize))
        };
        Self {
            soft: (0..shares.len()).filter(|&vertex| is_soft(vertex)).collect(),
            triangles: bound.triangles().iter().filter(fits).copied().collect(),
        }
    }

    /// The limb's radius, rest space: the mean distance of the soft vertices that are off the axis.
    fn radius(&self, rest_positions: &[Vec3], joint: &ProbedJoint) -> Option<f64> {
        let axis = joint.probe.rest_axis();
        let distances: Vec<f64> = self
            .soft
            .iter()
            .map(|&v| super::polyline::distance(rest_positions[v].as_dvec3(), &axis))
            .collect();
        let thickest = distances.iter().copied().fold(0.0, f64::max);
        let off_axis: Vec<f64> = distances.into_iter().filter(|&d| d > 0.05 * thickest).collect();
        (!off_axis.is_empty()).then(|| off_axis.iter().sum::<f64>() / off_axis.len() as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SkinSettings;
    use crate::measures::joint_probes;
    use glam::Quat;
    use sinew_rig::{Pose, samples};

    /// Shares: f32 positions, and 16 sides for a circle's 6 cm.
    const TOLERANCE: f64 = 1e-4;

    fn measured(method: Method, turn: Quat) -> JointMeasures {
        let character = samples::limb(16, 60);
        let bound = BoundSurface::of(&character);
        let mut pose = Pose::rest(&character);
        pose.turn(character.skeleton().find("lower").expect("a bone"), turn);
        let matrices = bound.posed_from_rest(&character, &pose);
        let settings = SkinSettings::from(method);
        let joint = joint_probes(&character, &bound, &settings, &matrices)[0];
        let skin = crate::bind(&character, &bound, &settings);
        let mut posed = bound.rest().clone();
        skin.deform(&mut skin.workspace(), &matrices, bound.rest(), posed.as_mut());
        JointMeasures::of(&bound, &joint, method, &posed.positions)
    }

    #[test]
    fn rest_measures_one() {
        for method in Method::ALL {
            let measures = measured(method, Quat::IDENTITY);
            assert!((measures.volume.expect("a body") - 1.0).abs() < TOLERANCE, "{method}: {measures:?}");
            if let Some(radius) = measures.radius {
                assert!(
                    (radius.least - 1.0).abs() < TOLERANCE && (radius.greatest - 1.0).abs() < TOLERANCE,
                    "{method}: {radius:?}"
                );
            }
        }
    }

    #[test]
    fn a_twist_pinches_lbs_as_the_cosine_of_half_and_no_other() {
        let twist = Quat::from_rotation_y(2.0);
        // The least radius is where t = 1/2: a ring of the mesh lies there.
        let radius = measured(Method::Lbs, twist).radius.expect("a curve");
        assert!((radius.least - 1.0f64.cos()).abs() < TOLERANCE, "{radius:?}");
        for method in [Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb] {
            let measures = measured(method, twist);
            let radius = measures.radius.expect("a curve");
            assert!(
                (radius.least - 1.0).abs() < TOLERANCE && (radius.greatest - 1.0).abs() < TOLERANCE,
                "{method}: {radius:?}"
            );
            assert!(measures.bulge.expect("a curve") < TOLERANCE, "{method}");
        }
    }
}
