//! An arm of Sinew's human with muscles, as large as the source's: 11,356 vertices in 20,736 poses of five freedoms.
//!
//! It stands for the arm of \[Mukai15\] Sec. 6.2. The truth is the human of patches, whose flesh folds, twists along bones and swells over muscles.

use super::{Drivers, ExampleSet, FitError, Poser, Scope, Turns, joint_ranges};
use crate::body::{BodyRequest, make};
use sinew_body::character::CharacterSettings;
use sinew_body::pose::PatchDeformer;
use sinew_rig::{BoneId, BoundSurface, Character, HumanoidBone, guess_humanoid};
use std::sync::Arc;

/// Vertices of the source's arm.
pub const ARM_VERTICES: usize = 11_356;
/// Steps of shoulder (three freedoms), elbow and wrist: 20,736 poses.
pub const ARM_STEPS: [usize; 5] = [8, 8, 6, 9, 6];

/// Tessellations that are tried until the arm has enough vertices.
const TESSELLATIONS: [usize; 6] = [8, 16, 24, 32, 48, 64];

/// The arm with `vertex_count` vertices in a grid of poses.
///
/// # Errors
/// The human cannot be made, or never has so many vertices.
pub fn benchmark_arm(vertex_count: usize, steps: [usize; 5]) -> Result<ExampleSet, FitError> {
    let made = make(&BodyRequest::default())?;
    for tessellation in TESSELLATIONS {
        // One vertex where patches meet: the order of the body's own mesh, which its deformer needs.
        let settings =
            CharacterSettings { steps: tessellation, has_uvs: false, ..CharacterSettings::default() };
        let character = made.body.to_character(&settings);
        let bound = BoundSurface::of(&character);
        let drivers = Drivers::of(&character, &bound)?;
        let bones = arm_bones(&character)?;
        let vertices = arm_vertices(&bound, &drivers, &bones);
        if vertices.len() < vertex_count {
            continue;
        }
        let order: Vec<usize> = bound.palette().iter().map(|entry| entry.bone.index()).collect();
        let patches = PatchDeformer::new(&made.body, &made.body.tessellate(tessellation), &order)
            .map_err(|error| FitError::Arm { message: error.to_string() })?;
        let chosen: Vec<u32> =
            (0..vertex_count).map(|at| vertices[at * vertices.len() / vertex_count]).collect();
        let place = |bone: &BoneId| drivers.bones().iter().position(|other| other == bone);
        let mut scope: Vec<usize> = bones.iter().filter_map(place).collect();
        scope.sort_unstable();
        let poser =
            Poser { character: &character, bound: &bound, drivers: &drivers, deformer: Arc::new(patches) };
        let poses = arm_poses(&character, &bones, steps);
        return Ok(poser.examples(Scope { vertices: &chosen, drivers: &scope }, &poses));
    }
    Err(FitError::Arm {
        message: format!("an arm of {vertex_count} vertices is finer than bodies can be made"),
    })
}

/// The bone that carries the arm, upper arm, forearm and hand.
fn arm_bones(character: &Character) -> Result<[BoneId; 4], FitError> {
    let map = guess_humanoid(character);
    let find = |bone: HumanoidBone| {
        map.get(bone).ok_or_else(|| FitError::Arm { message: format!("the body has no {}", bone.name()) })
    };
    let upper = find(HumanoidBone::LeftUpperArm)?;
    let carrier = character.skeleton().bone(upper).parent.unwrap_or(upper);
    Ok([carrier, upper, find(HumanoidBone::LeftLowerArm)?, find(HumanoidBone::LeftHand)?])
}

/// Vertices that upper arm, forearm and hand move most.
fn arm_vertices(bound: &BoundSurface, drivers: &Drivers, bones: &[BoneId; 4]) -> Vec<u32> {
    let is_arm = |&vertex: &u32| {
        let heaviest = drivers.influences(bound, vertex).max_by(|a, b| a.1.total_cmp(&b.1));
        heaviest.is_some_and(|(driver, _)| bones[1..].contains(&drivers.bones()[driver]))
    };
    drivers.vertices().iter().copied().filter(is_arm).collect()
}

fn arm_poses(character: &Character, bones: &[BoneId; 4], steps: [usize; 5]) -> Vec<Turns> {
    let map = guess_humanoid(character);
    let mut joints = joint_ranges(character, Some(&map), &bones[1..]);
    // Of the wrist only what bends it.
    joints[2].freedoms.truncate(1);
    let pose = |index: usize| {
        let mut left = index;
        let mut shares = steps.map(|count| {
            let step = left % count;
            left /= count;
            step as f64 / (count.max(2) - 1) as f64
        });
        let shares: &mut [f64] = &mut shares;
        let mut rest = &*shares;
        let turn = |joint: &super::JointRange| {
            let (own, others) = rest.split_at(joint.freedoms.len().min(rest.len()));
            rest = others;
            (joint.bone, joint.rotation(own))
        };
        joints.iter().map(turn).collect()
    };
    (0..steps.iter().product()).map(pose).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_arm_bends_and_bones_alone_do_not_show_it() {
        let arm = benchmark_arm(400, [2, 2, 1, 2, 1]).unwrap();
        assert_eq!((arm.rest_positions.len(), arm.pose_count(), arm.driver_names.len()), (400, 8, 4));
        arm.examples().check().unwrap();
        let first = arm.examples().targets(0)[0];
        assert!((1..8).any(|pose| arm.examples().targets(pose)[0].distance(first) > 0.01), "it moves");
    }
}
