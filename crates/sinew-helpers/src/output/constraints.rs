//! Helpers as rotation constraints of VRM 1.0 (`VRMC_node_constraint`), for players that know no controllers.
//!
//! A rotation constraint turns a node by a share w of another's turn δ from rest: `rest · slerp(1, δ, w)`, δ taken in the axes of both nodes. A
//! controller can do more: it shifts, and mixes the turns of several bones. For each helper the bone and the share that come nearest over sample poses
//! are found; where that is no help against standing still, there is no constraint.
//!
//! δ counts in the axes of both nodes, so that a helper with a constraint rests in the axes of the bone that it follows. Bind matrices,
//! controllers and clips are turned along with it, and show the same as before.

use super::convert::rounded;
use crate::drivers::turn_of;
use glam::{Affine3A, DAffine3, DMat3, DMat4, DQuat, DVec3, DVec4, Quat};
use serde::Serialize;
use sinew_model::RotationConstraint;
use sinew_rig::{
    BoneId, BoundSurface, Channel, Character, CharacterParts, ControllerRun, Evaluator, HELPER_NUMBERS,
    InvalidCharacter, LocalTransform, Pose, helper_change,
};

/// What a helper is with a constraint in place of its controller.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConstraintLoss {
    /// Name of the helper.
    pub helper: String,
    /// The bone that it follows; none where no constraint is any help, so that it moves in baked clips alone.
    pub source: Option<String>,
    /// The share of that bone's turn.
    pub weight: f64,
    /// RMS distance of the helper's vertices from where the controller has them, metres.
    pub rms: f64,
    /// The same for a helper that stands still.
    pub rms_still: f64,
}

/// A constraint must leave at most this share of what a helper that stands still is off; otherwise it is more likely to disturb than to help.
const WORTH_IT: f64 = 0.7;
/// Shares that are tried before the best is refined.
const SHARES: usize = 20;
/// Steps of refinement; each takes a third off the interval.
const REFINEMENTS: usize = 12;

/// The character with helpers turned into the axes of the bones that they follow best, those constraints, and what each helper loses by them; measured over
/// `poses` of this character.
///
/// # Errors
/// Never for a character whose helpers have joints.
pub fn constrain_helpers(
    character: &Character,
    poses: &[Pose],
) -> Result<(Character, Vec<RotationConstraint>, Vec<ConstraintLoss>), InvalidCharacter> {
    let samples = Samples::of(character, poses);
    let rest: Vec<DQuat> = character.skeleton().rest_model_from_bone().iter().map(rotation_of).collect();
    let mut parts = character.clone().into_parts();
    let (mut constraints, mut losses) = (Vec::new(), Vec::new());
    for (at, controller) in character.controllers().helpers.iter().enumerate() {
        let points = Points::of(character, controller.bone);
        let still = points.rms(samples.changes[at].iter().map(|change| (*change, DQuat::IDENTITY)));
        let best = (0..character.controllers().drivers.len())
            .map(|driver| {
                let source = character.controllers().drivers[driver].bone;
                // Rest axes of the source as the helper sees them.
                let axes = rest[controller.bone.index()].inverse() * rest[source.index()];
                let (weight, rms) = best_share(&points, &samples.changes[at], &samples.turns[driver], axes);
                (source, axes, weight, rms)
            })
            .min_by(|a, b| a.3.total_cmp(&b.3));
        let found = best.filter(|(.., weight, rms)| *weight > 0.0 && *rms <= WORTH_IT * still);
        let name = |bone: BoneId| character.skeleton().bone(bone).name.clone();
        losses.push(ConstraintLoss {
            helper: name(controller.bone),
            source: found.map(|(source, ..)| name(source)),
            weight: found.map_or(0.0, |(_, _, weight, _)| weight),
            rms: found.map_or(still, |(.., rms)| rms),
            rms_still: still,
        });
        if let Some((source, axes, weight, _)) = found {
            turn_helper(&mut parts, at, axes);
            constraints.push(RotationConstraint { helper: controller.bone, source, weight: weight as f32 });
        }
    }
    Ok((Character::new(parts)?, constraints, losses))
}

/// What controllers say in sample poses.
struct Samples {
    /// By driver, one per pose: the turn from rest in the driver's own axes.
    turns: Vec<Vec<DQuat>>,
    /// By helper, one per pose: what the controller does in the helper's frame at rest.
    changes: Vec<Vec<DAffine3>>,
}

impl Samples {
    fn of(character: &Character, poses: &[Pose]) -> Self {
        let controllers = character.controllers();
        let mut run = ControllerRun::new(controllers);
        let mut evaluator = Evaluator::new(character);
        let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        let mut samples = Self {
            turns: vec![Vec::new(); controllers.drivers.len()],
            changes: vec![Vec::new(); controllers.helpers.len()],
        };
        for pose in poses {
            evaluator.model_from_bone_into(character, pose, &mut model_from_bone);
            for (driver, list) in controllers.drivers.iter().zip(&mut samples.turns) {
                list.push(turn_of(character, driver.bone, &model_from_bone));
            }
            let turns = samples.turns.iter().map(|list| list[list.len() - 1]);
            run.run(controllers, turns);
            for (numbers, list) in run.numbers().iter().zip(&mut samples.changes) {
                list.push(helper_change(numbers).as_daffine3());
            }
        }
        samples
    }
}

/// The vertices of a helper, as sums: Σ s² p pᵀ over its vertices p = (x, y, z, 1) in its frame at rest, s being weight times scale.
struct Points {
    squares: DMat4,
    count: usize,
}

impl Points {
    fn of(character: &Character, helper: BoneId) -> Self {
        let bound = BoundSurface::of(character);
        let stands = character.skeleton().rest_model_from_bone()[helper.index()];
        let scale = f64::from(stands.matrix3.x_axis.length());
        let mut points = Self { squares: DMat4::ZERO, count: 0 };
        for (vertex, place) in bound.rest().positions.iter().enumerate() {
            let (entries, weights) = bound.influences().of(vertex);
            for (&entry, &weight) in entries.iter().zip(weights) {
                let entry = &bound.palette()[usize::from(entry)];
                if entry.bone == helper && weight > 0.0 {
                    let own: DVec3 = entry.bone_from_rest.transform_point3(*place).as_dvec3();
                    let point = own.extend(1.0) * (f64::from(weight) * scale);
                    let column = |factor: f64| point * factor;
                    points.squares +=
                        DMat4::from_cols(column(point.x), column(point.y), column(point.z), column(point.w));
                    points.count += 1;
                }
            }
        }
        points
    }

    /// RMS distance between changes of a helper's frame and turns of it.
    fn rms(&self, pairs: impl ExactSizeIterator<Item = (DAffine3, DQuat)>) -> f64 {
        let count = (pairs.len() * self.count).max(1) as f64;
        let square = |(change, turn): (DAffine3, DQuat)| {
            // |A p|² summed over all points is the trace of A (Σ p pᵀ) Aᵀ.
            let linear = (change.matrix3 - DMat3::from_quat(turn)).transpose();
            let rows = [
                linear.x_axis.extend(change.translation.x),
                linear.y_axis.extend(change.translation.y),
                linear.z_axis.extend(change.translation.z),
            ];
            rows.iter().map(|row: &DVec4| row.dot(self.squares * *row)).sum::<f64>()
        };
        (pairs.map(square).sum::<f64>() / count).max(0.0).sqrt()
    }
}

/// The share of a bone's turn that is nearest to a controller, and how near.
fn best_share(points: &Points, changes: &[DAffine3], turns: &[DQuat], axes: DQuat) -> (f64, f64) {
    let rms = |share: f64| {
        let turned = |turn: &DQuat| axes * DQuat::IDENTITY.slerp(*turn, share) * axes.inverse();
        points.rms(changes.iter().zip(turns).map(|(change, turn)| (*change, turned(turn))))
    };
    let of_step = |step: usize| (step as f64 / SHARES as f64, rms(step as f64 / SHARES as f64));
    let coarse = (0..=SHARES).map(of_step).min_by(|a, b| a.1.total_cmp(&b.1));
    let Some((mut best, mut least)) = coarse else { return (0.0, f64::INFINITY) };
    let step = 1.0 / SHARES as f64;
    let (mut from, mut to) = ((best - step).max(0.0), (best + step).min(1.0));
    for _ in 0..REFINEMENTS {
        let (low, high) = (from + (to - from) / 3.0, to - (to - from) / 3.0);
        let (at_low, at_high) = (rms(low), rms(high));
        (from, to) = if at_low < at_high { (from, high) } else { (low, to) };
        let nearer = if at_low < at_high { (low, at_low) } else { (high, at_high) };
        if nearer.1 < least {
            (best, least) = nearer;
        }
    }
    // Four digits are more than any controller is right to.
    ((best * 1e4).round() / 1e4, least)
}

/// Turns the frame of a helper: `local · axes` shows the same where its bind is `axes⁻¹ · bind`.
fn turn_helper(parts: &mut CharacterParts, helper: usize, axes: DQuat) {
    let bone = parts.controllers.helpers[helper].bone;
    let turn: Quat = axes.as_quat();
    let mut rest = parts.bones[bone.index()].rest.to_trs();
    rest.rotation = (rest.rotation * turn).normalize();
    parts.bones[bone.index()].rest = LocalTransform::Trs(rest);
    for bind in &mut parts.binds {
        let joints = bind.joints.iter().zip(&mut bind.joint_from_rest);
        joints
            .filter(|(joint, _)| **joint == bone)
            .for_each(|(_, matrix)| *matrix = Affine3A::from_quat(turn.inverse()) * *matrix);
    }
    let turn_back = |numbers: &mut [f64; HELPER_NUMBERS]| {
        for first in [0, 3] {
            let vector = axes.inverse() * DVec3::from_slice(&numbers[first..]);
            numbers[first..first + 3].copy_from_slice(&vector.to_array().map(rounded));
        }
    };
    parts.controllers.helpers[helper].terms.iter_mut().for_each(|(_, row)| turn_back(row));
    if let Some(swing) = &mut parts.controllers.helpers[helper].swing {
        // Pulls are in these axes, too.
        let old = *swing;
        for (axis, row) in swing.gains.iter_mut().enumerate() {
            *row = old.add(&[0.0; HELPER_NUMBERS], axes * DVec3::AXES[axis]);
            turn_back(row);
            row[HELPER_NUMBERS - 1] = rounded(row[HELPER_NUMBERS - 1]);
        }
    }
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Channel::Rotation(keyed, rotations) = &mut track.channel
            && *keyed == bone
        {
            rotations.iter_mut().for_each(|rotation| *rotation *= turn);
        }
    }
}

fn rotation_of(matrix: &Affine3A) -> DQuat {
    LocalTransform::Matrix(*matrix).to_trs().rotation.as_dquat().normalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use sinew_geometry::Spring;
    use sinew_rig::{
        Bone, ControllerBasis, ControllerDriver, HelperController, HelperControllers, Swing, samples,
    };
    use sinew_skin::Method;
    use sinew_skin::PosedCharacter;

    /// A limb whose lower half hangs on a helper at the elbow that turns by `share` of the bend about x; in axes of its own.
    fn limb(share: f64) -> Character {
        let mut parts = samples::limb(8, 12).into_parts();
        let lower = parts.bones.iter().position(|bone| bone.name == "lower").unwrap();
        let helper = BoneId::of(parts.bones.len());
        let axes = Affine3A::from_rotation_z(0.6) * Affine3A::from_rotation_y(0.3);
        let rest = parts.bones[lower].rest.to_affine() * axes;
        let parent = parts.bones[lower].parent;
        let name = "helper_1".to_owned();
        let rest = LocalTransform::Matrix(rest);
        let rest = LocalTransform::Trs(rest.to_trs());
        parts.bones.push(Bone { name, parent, rest, tip_in_bone: None });
        for bind in &mut parts.binds {
            let at = bind.joints.iter().position(|joint| joint.index() == lower).unwrap();
            bind.joints[at] = helper;
            bind.joint_from_rest[at] = axes.inverse() * bind.joint_from_rest[at];
        }
        // log-quaternions are half angles: the input is φ / 2, the turn shares · φ about x of the driver.
        let log = rotation_of(&axes).inverse() * DVec3::X * share;
        parts.controllers = HelperControllers {
            drivers: vec![ControllerDriver::turning(BoneId::of(lower), vec![DVec3::X])],
            basis: ControllerBasis::Monomials(vec![vec![0]]),
            helpers: vec![HelperController {
                bone: helper,
                terms: vec![(1, [0.0, 0.0, 0.0, log.x, log.y, log.z, 0.0])],
                swing: Some(Swing {
                    spring: Spring { frequency_hz: 4.0, damping: 0.5, limit: 8.0 },
                    gains: [
                        [1e-2, 0.0, 2e-2, 0.0, 0.1, 0.0, 0.0],
                        [0.0, 3e-2, 0.0, 0.2, 0.0, 0.0, 0.0],
                        [0.0, 1e-2, 1e-2, 0.0, 0.0, 0.3, 0.0],
                    ],
                }),
            }],
            ..HelperControllers::default()
        };
        Character::new(parts).unwrap()
    }

    fn poses(character: &Character) -> Vec<Pose> {
        let lower = character.skeleton().find("lower").unwrap();
        let pose = |at: i32| {
            let mut pose = Pose::rest(character);
            pose.turn(lower, Quat::from_rotation_x(0.25 * at as f32));
            pose
        };
        (-3..8).map(pose).collect()
    }

    #[test]
    fn a_share_of_one_turn_is_found_and_the_character_shows_the_same() {
        let before = limb(0.4);
        let poses = poses(&before);
        let (after, constraints, losses) = constrain_helpers(&before, &poses).unwrap();
        assert_eq!((constraints.len(), losses[0].source.as_deref()), (1, Some("lower")));
        assert!((constraints[0].weight - 0.4).abs() < 1e-3, "{constraints:?}");
        assert!(losses[0].rms < 1e-4 * losses[0].rms_still, "{losses:?}");
        // The helper's axes are those of the bone that it follows.
        let stands = after.skeleton().rest_model_from_bone();
        let [helper, source] =
            [constraints[0].helper, constraints[0].source].map(|bone| stands[bone.index()]);
        assert!(helper.matrix3.abs_diff_eq(source.matrix3, 1e-5));
        let shape = |character: &Character, pose: &Pose| -> Vec<Vec3> {
            let mut posed = PosedCharacter::bind(character, Method::Lbs);
            posed.set(pose);
            posed.surface().positions.clone()
        };
        // A pose holds the rest of the character that it was made for.
        for (pose, same) in poses.iter().zip(super::tests::poses(&after)) {
            let (was, is) = (shape(&before, pose), shape(&after, &same));
            let most = was.iter().zip(&is).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(most < 1e-5, "turned, it shows the same, but for {most}");
        }
        // So does its swing: a pull that is the same in the scene moves it the same way there.
        let swung = |character: &Character| {
            let turn =
                rotation_of(&character.skeleton().rest_model_from_bone()[constraints[0].helper.index()]);
            let swing = character.controllers().helpers[0].swing.expect("it swings");
            let numbers = swing.add(&[0.0; 7], turn.inverse() * DVec3::new(1.0, 2.0, -3.0));
            [0, 3].map(|first| turn * DVec3::new(numbers[first], numbers[first + 1], numbers[first + 2]))
        };
        let (was, is) = (swung(&before), swung(&after));
        assert!(was.iter().zip(&is).all(|(a, b)| a.abs_diff_eq(*b, 1e-6)), "{was:?} {is:?}");
    }

    #[test]
    fn a_helper_that_goes_the_other_way_gets_no_constraint() {
        let character = limb(-0.5);
        let (after, constraints, losses) = constrain_helpers(&character, &poses(&character)).unwrap();
        assert!(constraints.is_empty() && losses[0].source.is_none(), "{losses:?}");
        assert!((losses[0].rms - losses[0].rms_still).abs() < 1e-12 && losses[0].rms > 0.01, "{losses:?}");
        assert_eq!(after, character);
    }
}
