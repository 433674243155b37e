//! All measures of one joint on a posed surface.

use super::joint_probe::{angle, lin};
use super::rings::Ring;
use super::{ClosedSurface, JointRings, ProbedJoint, bulge};
use glam::{DMat3, DVec3, Vec3};
use sinew_geometry::nearest_rotation;
use sinew_rig::BoundSurface;

/// Measures of a joint; see the [module](super) for definitions and units.
///
/// `None`: the surface around the joint does not have this measure.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointMeasures {
    /// Rotation of the joint from rest, rad.
    pub turn_rad: f64,
    /// Kink where the bones begin to blend, against the parent, rad.
    pub kink_begin_rad: Option<f64>,
    /// Kink where they end to blend, against the child, rad.
    pub kink_end_rad: Option<f64>,
    /// Sharpest turn that the pose adds to the center curve at a ring between these, rad.
    pub sharpest_turn_rad: Option<f64>,
    /// Outward bulge in limb radii.
    pub bulge: Option<f64>,
    /// Volume of the joint's part relative to rest.
    pub volume: Option<f64>,
    /// Mean cross section relative to rest.
    pub section: Option<f64>,
    /// Smallest cross section of a ring relative to rest.
    pub section_least: Option<f64>,
    /// Radius of the rings relative to rest.
    pub radius: Option<RadiusRange>,
    /// Length of the center curve relative to rest.
    pub length: Option<f64>,
}

/// The minimum and maximum radius relative to rest: 1 is neither collapsed nor swollen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RadiusRange {
    /// Below 1: somewhere the limb is thinner than in rest.
    pub least: f64,
    /// Above 1: somewhere it is thicker.
    pub greatest: f64,
}

/// A vertex belongs to a joint's part if its two bones have at least this share of its weight: a third bone would add motion that is not
/// the joint's.
const LEAST_PAIR_WEIGHT: f32 = 0.9;

/// A tube cut at both ends has a low share of open edges even with few rows; this excludes cloth and cards.
const MOST_OPEN_SHARE: f64 = 0.25;

/// Points closer to a ring's center than this share of its greatest radius are ignored.
const LEAST_RADIUS_SHARE: f64 = 0.05;

impl JointMeasures {
    /// The largest turn of the center curve: at both ends and between them, rad; 0 without rings.
    pub fn largest_turn_rad(&self) -> f64 {
        let turns = [self.kink_begin_rad, self.kink_end_rad, self.sharpest_turn_rad];
        turns.into_iter().flatten().fold(0.0, f64::max)
    }

    /// Measures one joint.
    ///
    /// `rings`: those of the joint. `posed_positions`: one per vertex of `bound`, moved by any method in the pose of the joint's matrices. The
    /// joint's part, for the volume, are the triangles between its two bones with a corner in the soft range, closed by fans where it is cut
    /// off. If the surface intersects itself, the volume of the fold counts twice.
    ///
    /// # Panics
    /// If there is not one posed position per vertex.
    pub fn of(
        bound: &BoundSurface,
        joint: &ProbedJoint,
        rings: &JointRings,
        posed_positions: &[Vec3],
    ) -> Self {
        let rest_positions = &bound.rest().positions;
        assert_eq!(posed_positions.len(), rest_positions.len(), "one posed position per vertex");
        let mut measures = Self::of_rings(joint, rings, [rest_positions, posed_positions]);
        let triangles = part(bound, joint);
        let closed = ClosedSurface::of(rest_positions, &triangles);
        let scale = volume_scale(joint);
        if !triangles.is_empty() && closed.open_share() < MOST_OPEN_SHARE && scale > 0.0 {
            measures.volume = closed.ratio(rest_positions, posed_positions).map(|ratio| ratio / scale);
        }
        measures
    }

    /// The same without the volume. `positions`: in rest and posed.
    pub(crate) fn of_rings(joint: &ProbedJoint, rings: &JointRings, positions: [&[Vec3]; 2]) -> Self {
        let mut measures = Self { turn_rad: joint.probe.turn_rad(), ..Self::default() };
        let scale = volume_scale(joint).cbrt();
        if rings.count() >= LEAST_RINGS && scale > 0.0 {
            let centers = positions.map(|positions| rings.centers(positions));
            Curves { joint, rings, positions, centers, scale }.measure(&mut measures);
        }
        measures
    }
}

/// Volumes of posed space from those of rest space, which may have another unit of length.
fn volume_scale(joint: &ProbedJoint) -> f64 {
    f64::from(joint.probe.parent.matrix3.determinant().abs())
}

/// Two gaps have one turn between them.
const LEAST_RINGS: usize = 3;

/// The center curve of a joint in rest and posed.
struct Curves<'a> {
    joint: &'a ProbedJoint,
    rings: &'a JointRings,
    positions: [&'a [Vec3]; 2],
    centers: [Vec<DVec3>; 2],
    /// Lengths of posed space from those of rest space.
    scale: f64,
}

impl Curves<'_> {
    fn measure(&self, measures: &mut JointMeasures) {
        let [rest, posed] = [0, 1].map(|at| chords(&self.centers[at]));
        let last = posed.len() - 1;
        let probe = &self.joint.probe;
        let kink = |bone, at: usize| angle(lin(bone, rest[at]), posed[at]);
        measures.kink_begin_rad = self.rings.has_ends[0].then(|| kink(&probe.parent, 0));
        measures.kink_end_rad = self.rings.has_ends[1].then(|| kink(&probe.child, last));
        let rotations: Vec<DMat3> = (0..self.rings.count()).map(|ring| self.rotation(ring)).collect();
        let added = |ring: usize| {
            let [before, after] = [&rest, &posed].map(|chords| turn(chords[ring - 1], chords[ring]));
            (rotations[ring].transpose() * after - before).length()
        };
        measures.sharpest_turn_rad = (1..posed.len()).map(added).reduce(f64::max);
        let length = |chords: &[DVec3]| chords.iter().map(|chord| chord.length()).sum::<f64>();
        let lengths = [length(&rest), length(&posed)];
        if lengths[0] == 0.0 {
            return;
        }
        measures.length = Some(lengths[1] / (lengths[0] * self.scale));
        if let Some(radius) = self.limb_radius() {
            let (head, bones) = probe.posed_wedge();
            measures.bulge = Some(bulge(&self.axis_images(&rotations), head, bones, radius * self.scale));
        }
        if !self.rings.is_open {
            self.measure_sections(lengths, measures);
        }
    }

    /// What only a limb has that is closed around its axis.
    fn measure_sections(&self, lengths: [f64; 2], measures: &mut JointMeasures) {
        let areas = [0, 1].map(|at| self.areas(at));
        // A row of rings sweeps its mean vector area along the center curve.
        let swept = |at: usize| {
            let gaps = areas[at].windows(2).zip(chords(&self.centers[at]));
            gaps.map(|(pair, chord)| 0.5 * (pair[0] + pair[1]).dot(chord)).sum::<f64>()
        };
        let square = self.scale * self.scale;
        let mean = |at: usize| swept(at) / lengths[at];
        if mean(0) != 0.0 && lengths[1] > 0.0 {
            measures.section = Some(mean(1) / (mean(0) * square));
        }
        let across = |at: usize, ring: usize| areas[at][ring].dot(tangent(&self.centers[at], ring));
        measures.section_least = (0..self.rings.count())
            .filter(|&ring| across(0, ring) != 0.0)
            .map(|ring| across(1, ring) / (across(0, ring) * square))
            .reduce(f64::min);
        let ratios = (0..self.rings.count()).flat_map(|ring| self.radius_ratios(ring));
        measures.radius = ratios.fold(None, |range: Option<RadiusRange>, ratio| {
            let RadiusRange { least, greatest } =
                range.unwrap_or(RadiusRange { least: ratio, greatest: ratio });
            Some(RadiusRange { least: least.min(ratio), greatest: greatest.max(ratio) })
        });
    }

    /// The vector area of every ring: across the plane of a flat one, as long as its area.
    fn areas(&self, at: usize) -> Vec<DVec3> {
        let area = |(ring, center): (&Ring, &DVec3)| {
            let pieces = ring.segments.iter().map(|segment| {
                let [from, to] = segment.ends.map(|end| end.at(self.positions[at]) - *center);
                from.cross(to) * 0.5
            });
            pieces.sum::<DVec3>()
        };
        self.rings.rings.iter().zip(&self.centers[at]).map(area).collect()
    }

    /// Distances of a ring's points from its center, in rest and posed.
    fn radii(&self, ring: usize) -> Vec<[f64; 2]> {
        let ends = self.rings.rings[ring].segments.iter().flat_map(|segment| segment.ends);
        ends.map(|end| [0, 1].map(|at| end.at(self.positions[at]).distance(self.centers[at][ring]))).collect()
    }

    fn radius_ratios(&self, ring: usize) -> Vec<f64> {
        let radii = self.radii(ring);
        let greatest = radii.iter().map(|radii| radii[0]).fold(0.0, f64::max);
        let off_center = radii.iter().filter(|radii| radii[0] > LEAST_RADIUS_SHARE * greatest);
        off_center.map(|radii| radii[1] / (radii[0] * self.scale)).collect()
    }

    /// The limb's radius in rest: the mean distance of ring points from their centers; of an open surface, the mean width of the rings.
    fn limb_radius(&self) -> Option<f64> {
        let of_ring = |ring: usize| {
            let radii = self.radii(ring);
            if self.rings.is_open {
                return radii.iter().map(|radii| radii[0]).fold(0.0, f64::max);
            }
            radii.iter().map(|radii| radii[0]).sum::<f64>() / radii.len() as f64
        };
        let mean = (0..self.rings.count()).map(of_ring).sum::<f64>() / self.rings.count() as f64;
        (mean > 0.0).then_some(mean)
    }

    /// The rotation of a ring from rest that fits its points best, by length.
    fn rotation(&self, ring: usize) -> DMat3 {
        let mut covariance = DMat3::ZERO;
        for segment in &self.rings.rings[ring].segments {
            for end in &segment.ends {
                let [rest, posed] = [0, 1].map(|at| end.at(self.positions[at]) - self.centers[at][ring]);
                let column = |share: f64| posed * (share * segment.rest_length);
                covariance += DMat3::from_cols(column(rest.x), column(rest.y), column(rest.z));
            }
        }
        nearest_rotation(&covariance)
    }

    /// The posed centers without their offset from the axis in rest, which turns with the ring: a limb whose middle lies beside the bones has
    /// no bulge by that.
    fn axis_images(&self, rotations: &[DMat3]) -> Vec<DVec3> {
        let image = |(at, ring): (usize, &Ring)| {
            let offset = self.centers[0][at] - self.joint.probe.along_axis(ring.along);
            self.centers[1][at] - rotations[at] * offset * self.scale
        };
        self.rings.rings.iter().enumerate().map(image).collect()
    }
}

fn chords(centers: &[DVec3]) -> Vec<DVec3> {
    centers.windows(2).map(|ends| ends[1] - ends[0]).collect()
}

/// The rotation from one direction to another as axis times angle.
fn turn(from: DVec3, to: DVec3) -> DVec3 {
    from.cross(to).normalize_or_zero() * angle(from, to)
}

/// Unit, along the curve at a point.
fn tangent(centers: &[DVec3], at: usize) -> DVec3 {
    let next = (at + 1).min(centers.len() - 1);
    (centers[next] - centers[at.saturating_sub(1)]).normalize_or_zero()
}

/// The triangles of a joint's part.
fn part(bound: &BoundSurface, joint: &ProbedJoint) -> Vec<[u32; 3]> {
    let share = |vertex: usize, entry: u16| {
        let own = bound.influences().pairs(vertex).filter(|&(other, _)| other == entry);
        own.map(|(_, weight)| weight).sum::<f32>()
    };
    let shares: Vec<(f32, f32)> = (0..bound.vertex_count())
        .map(|v| (share(v, joint.parent_entry), share(v, joint.child_entry)))
        .collect();
    let is_own = |vertex: usize| shares[vertex].0 + shares[vertex].1 >= LEAST_PAIR_WEIGHT;
    let is_soft = |vertex: usize| is_own(vertex) && shares[vertex].0 > 0.0 && shares[vertex].1 > 0.0;
    let fits = |triangle: &&[u32; 3]| {
        triangle.iter().all(|&v| is_own(v as usize)) && triangle.iter().any(|&v| is_soft(v as usize))
    };
    bound.triangles().iter().filter(fits).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measures::joint_probes;
    use crate::{Method, SkinSettings};
    use glam::Quat;
    use sinew_rig::{Character, InfluencesBuilder, Pose, samples};

    /// Shares: f32 positions, and 16 sides for a circle's 6 cm.
    const TOLERANCE: f64 = 1e-4;

    fn measured_of(character: &Character, method: Method, turn: Quat) -> JointMeasures {
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        pose.turn(character.skeleton().find("lower").expect("a bone"), turn);
        let matrices = bound.posed_from_rest(character, &pose);
        let settings = SkinSettings::from(method);
        let joint = joint_probes(character, &bound, &settings, &matrices)[0];
        let skin = crate::bind(character, &bound, &settings);
        let mut posed = bound.rest().clone();
        skin.deform(&mut skin.workspace(), &matrices, bound.rest(), posed.as_mut());
        JointMeasures::of(&bound, &joint, &JointRings::of(&bound, &joint), &posed.positions)
    }

    fn measured(method: Method, turn: Quat) -> JointMeasures {
        measured_of(&samples::limb(16, 60), method, turn)
    }

    /// The sample's limb with other weights over its 16 cm around the joint: `lower` maps the share of the way to the child's weight.
    fn weighted(rows: u32, lower: impl Fn(f32) -> f32) -> Character {
        let mut parts = samples::limb(16, rows).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            let weight = lower(((position.y - 0.22) / 0.16).clamp(0.0, 1.0));
            influences.push([(0, 1.0 - weight), (1, weight)]);
        }
        mesh.influences = influences.build();
        Character::new(parts).expect("as long as the mesh")
    }

    #[test]
    fn rest_measures_one() {
        for method in Method::ALL {
            let measures = measured(method, Quat::IDENTITY);
            for ratio in [measures.volume, measures.section, measures.section_least, measures.length] {
                assert!((ratio.expect("a limb") - 1.0).abs() < TOLERANCE, "{method}: {measures:?}");
            }
            let radius = measures.radius.expect("a limb");
            assert!(
                (radius.least - 1.0).abs() < TOLERANCE && (radius.greatest - 1.0).abs() < TOLERANCE,
                "{method}: {radius:?}"
            );
            assert!(measures.largest_turn_rad() < TOLERANCE, "{method}: {measures:?}");
            assert!(measures.bulge.expect("a limb") < TOLERANCE, "{method}: {measures:?}");
        }
    }

    #[test]
    fn a_twist_pinches_lbs_as_the_cosine_of_half_and_no_other() {
        let twist = Quat::from_rotation_y(2.0);
        // The least radius is where t = 1/2: a ring of the mesh lies there.
        let measures = measured(Method::Lbs, twist);
        let half = 1.0f64.cos();
        assert!((measures.radius.expect("a limb").least - half).abs() < TOLERANCE, "{measures:?}");
        assert!((measures.section_least.expect("a limb") - half * half).abs() < TOLERANCE, "{measures:?}");
        for method in [Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb] {
            let measures = measured(method, twist);
            let radius = measures.radius.expect("a limb");
            assert!(
                (radius.least - 1.0).abs() < TOLERANCE && (radius.greatest - 1.0).abs() < TOLERANCE,
                "{method}: {radius:?}"
            );
            assert!(measures.bulge.expect("a limb") < TOLERANCE, "{method}");
        }
    }

    /// Degrees: f32 positions of rings a centimeter apart.
    const ANGLE_DEG: f64 = 0.01;

    /// The angle between e and the chord of `point(0)` and `point(1)` of a curve in the plane of the bend, degrees.
    fn chord_deg(from: [f64; 2], to: [f64; 2]) -> f64 {
        (to[1] - from[1]).abs().atan2((to[0] - from[0]).abs()).to_degrees()
    }

    #[test]
    fn kinks_are_those_of_the_vertices_whatever_the_weights() {
        // By LBS a point of the axis at y from the joint is at y (1 − w) e + y w Re; rows are 1 cm apart, the bend is 90°.
        let at = |y: f64, w: f64| [y * (1.0 - w), y * w];
        let smooth = |x: f32| x * x * (3.0 - 2.0 * x);
        let turn = Quat::from_rotation_x(std::f32::consts::FRAC_PI_2);
        let cases: [(&dyn Fn(f32) -> f32, &str); 2] = [(&|x| x, "linear"), (&smooth, "smoothstep")];
        for (weights, name) in cases {
            let measures = measured_of(&weighted(60, weights), Method::Lbs, turn);
            let first = f64::from(weights(1.0 / 16.0));
            let expected = chord_deg(at(-0.08, 0.0), at(-0.07, first));
            for kink in [measures.kink_begin_rad, measures.kink_end_rad] {
                let kink = kink.expect("a limb").to_degrees();
                assert!((kink - expected).abs() < ANGLE_DEG, "{name}: {kink}, expected {expected}");
            }
        }
    }

    #[test]
    fn a_coarse_limb_is_measured_at_its_own_rows() {
        // Rows 4 cm apart: 22 cm is between two of them, and the bones begin to blend at the one before.
        let turn = Quat::from_rotation_x(1.2);
        for method in Method::ALL {
            let measures = measured_of(&samples::limb(12, 15), method, turn);
            assert!(
                measures.kink_begin_rad.is_some() && measures.section.is_some(),
                "{method}: {measures:?}"
            );
            assert!(measures.largest_turn_rad() < 1.2, "{method}: {measures:?}");
        }
    }
}
