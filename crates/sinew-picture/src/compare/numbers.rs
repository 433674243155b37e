//! What is measured of every method.

use super::{CompareSettings, ComparedSkin};
use crate::PictureError;
use crate::compare::MeasureRow;
use glam::Vec3;
use serde::Serialize;
use sinew_geometry::Bounds;
use sinew_rig::{BoneId, Character, Pose, Surface};
use sinew_skin::PosedCharacter;
use sinew_skin::measures::{ClosedSurface, JointMeasures, JointRings, ProbedJoint, joint_probes};

/// All numbers of a comparison.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparisonNumbers {
    /// Diagonal of the posed model's bounding box by the first method, scene units.
    pub size: f64,
    /// Whether the surface is closed enough for its volume to mean something: the share of edges at holes.
    pub open_edge_share: f64,
    /// The measured joints, most turned first; the focus alone where there is one.
    pub joints: Vec<ComparedJoint>,
    /// One per method, in the order asked for.
    pub methods: Vec<ComparedMethod>,
}

/// A joint that is measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedJoint {
    /// The child bone.
    pub bone: String,
    /// How far it is turned against rest, degrees.
    pub turn_deg: f64,
    /// How far the soft range reaches back from the joint along the parent, scene units.
    pub range_back: f64,
    /// How far it reaches forth along the child, scene units.
    pub range_forth: f64,
    /// Rings that the surface is measured by.
    pub ring_count: usize,
    /// Where the first and the last ring are along the axis, from the joint, scene units: negative on the parent. None without rings.
    pub ring_range: Option<[f64; 2]>,
}

/// A method's numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComparedMethod {
    /// The method, with its parameters.
    pub method: String,
    /// Volume of the whole surface over that in rest; none where the surface is not closed enough.
    pub volume: Option<f64>,
    /// Largest distance of a vertex to where the first method puts it, scene units.
    pub largest_difference: f64,
    /// Mean of these distances over all vertices that differ.
    pub mean_difference: f64,
    /// Measures of each joint of [`ComparisonNumbers::joints`]; the row's model is the bone.
    pub joints: Vec<MeasureRow>,
}

/// Joints measured where there is no focus: what fits in a picture's corner.
const MOST_JOINTS: usize = 4;

/// A joint turned by less is at rest, radians.
const LEAST_TURN_RAD: f64 = 0.05;

/// Up to this share of edges at holes, a body's volume changes by less than a thousandth with the way they are closed.
const MOST_OPEN_SHARE: f64 = 0.05;

/// Vertices nearer than this share of the model's size are where they were: methods that agree round differently.
const ROUNDING: f64 = 1e-6;

/// The joint of the focus, or those turned most.
pub(super) fn chosen_joints(
    posed: &PosedCharacter,
    pose: &Pose,
    settings: &CompareSettings,
) -> Result<Vec<ProbedJoint>, PictureError> {
    let (character, bound) = (posed.character(), posed.bound());
    let matrices = bound.posed_from_rest(character, pose);
    let skin = settings.methods[0].settings(character);
    let mut joints = joint_probes(character, bound, &skin, &matrices);
    joints.sort_by(|a, b| b.probe.turn_rad().total_cmp(&a.probe.turn_rad()));
    // Several meshes bound apart can share a joint: the one with most to show is measured.
    let mut seen: Vec<BoneId> = Vec::new();
    joints.retain(|joint| {
        !seen.contains(&joint.bone) && {
            seen.push(joint.bone);
            true
        }
    });
    if let Some(name) = &settings.focus {
        let bone = character.skeleton().find(name)?;
        let names = joints.iter().take(8).map(|joint| bone_name(character, joint.bone));
        let known = names.collect::<Vec<_>>().join(", ");
        joints.retain(|joint| joint.bone == bone);
        if joints.is_empty() {
            return Err(PictureError::NoJoint { bone: name.clone(), known });
        }
        return Ok(joints);
    }
    joints.retain(|joint| joint.probe.turn_rad() > LEAST_TURN_RAD);
    joints.truncate(MOST_JOINTS);
    Ok(joints)
}

pub(crate) fn bone_name(character: &Character, bone: BoneId) -> String {
    let name = &character.skeleton().bone(bone).name;
    if name.is_empty() { format!("#{bone}") } else { name.clone() }
}

pub(super) fn numbers_of(
    posed: &PosedCharacter,
    rest_positions: &[Vec3],
    joints: &[ProbedJoint],
    shapes: &[Surface],
    methods: &[ComparedSkin],
) -> ComparisonNumbers {
    let (character, bound) = (posed.character(), posed.bound());
    let closed = ClosedSurface::of(rest_positions, bound.triangles());
    let is_closed = closed.open_share() < MOST_OPEN_SHARE;
    let size = f64::from(Bounds::of(&shapes[0].positions).diagonal());
    let rings: Vec<JointRings> = joints.iter().map(|joint| JointRings::of(bound, joint)).collect();
    let of_method = |(shape, method): (&Surface, &ComparedSkin)| {
        let distances = differences(shape, &shapes[0]).into_iter().map(f64::from);
        let differing: Vec<f64> = distances.filter(|&distance| distance > ROUNDING * size).collect();
        let row = |(joint, rings): (&ProbedJoint, &JointRings)| {
            let measures = JointMeasures::of(bound, joint, rings, &shape.positions);
            MeasureRow::new(&bone_name(character, joint.bone), &method.to_string(), &measures)
        };
        ComparedMethod {
            method: method.to_string(),
            volume: if is_closed { closed.ratio(rest_positions, &shape.positions) } else { None },
            largest_difference: differing.iter().copied().fold(0.0, f64::max),
            mean_difference: differing.iter().sum::<f64>() / differing.len().max(1) as f64,
            joints: joints.iter().zip(&rings).map(row).collect(),
        }
    };
    let of_joint = |(joint, rings): (&ProbedJoint, &JointRings)| {
        let probe = &joint.probe;
        let scale = f64::from(probe.parent.matrix3.determinant().abs().cbrt());
        let reach = |end: Vec3| f64::from(end.distance(probe.head)) * scale;
        ComparedJoint {
            bone: bone_name(character, joint.bone),
            turn_deg: probe.turn_rad().to_degrees(),
            range_back: reach(probe.range.begin),
            range_forth: reach(probe.range.end),
            ring_count: rings.count(),
            ring_range: rings.range().map(|range| range.map(|along| along * scale)),
        }
    };
    ComparisonNumbers {
        size,
        open_edge_share: closed.open_share(),
        joints: joints.iter().zip(&rings).map(of_joint).collect(),
        methods: shapes.iter().zip(methods).map(of_method).collect(),
    }
}

/// The distance of every vertex to its place in another shape.
pub(super) fn differences(shape: &Surface, from: &Surface) -> Vec<f32> {
    shape.positions.iter().zip(&from.positions).map(|(a, b)| a.distance(*b)).collect()
}
