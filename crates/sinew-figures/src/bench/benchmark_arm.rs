//! Limbs of Sinew's human with muscles; the arm as large as the source's: 11,356 vertices in 20,736 poses of five freedoms.
//!
//! It stands for the arm of \[Mukai15\] Sec. 6.2. The truth is the human of patches, whose flesh folds, twists along bones and swells over muscles.

use anyhow::{Context, Result, anyhow};
use sinew_body::character::CharacterSettings;
use sinew_body::pose::PatchDeformer;
use sinew_helpers::{DriverBinds, ExampleSet, JointRange, Poser, Scope, Turns, joint_ranges, random_shares};
use sinew_rig::{BoneId, BoundSurface, Character, HumanoidBone, guess_humanoid};
use sinew_scene::body::{BodyRequest, MadeBody, make};
use std::sync::Arc;

/// Vertices of the source's arm.
pub const ARM_VERTICES: usize = 11_356;
/// Steps of shoulder (three freedoms), elbow and wrist: 20,736 poses.
pub const ARM_STEPS: [usize; 5] = [8, 8, 6, 9, 6];

/// Begins what is said when there is none.
const LIMB: &str = "cannot make the limb for the benchmark";

/// Tessellations that are tried until the arm has enough vertices.
const TESSELLATIONS: [usize; 6] = [8, 16, 24, 32, 48, 64];

/// A limb of the human.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limb {
    /// The left one: shoulder, elbow and wrist.
    Arm,
    /// The left one: hip, knee and ankle.
    Leg,
}

/// Poses of a limb's five freedoms: three of its root, one of each joint below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LimbPoses {
    /// So many steps of each.
    Grid([usize; 5]),
    /// So many at random, by a seed.
    Random(usize, u64),
}

/// The arm with `vertex_count` vertices in a grid of poses.
///
/// # Errors
/// The human cannot be made, or never has so many vertices.
pub fn benchmark_arm(vertex_count: usize, steps: [usize; 5]) -> Result<ExampleSet> {
    let made = make(&BodyRequest::default())?;
    for tessellation in TESSELLATIONS {
        let human = LimbedHuman::new(&made, tessellation, Limb::Arm)?;
        if human.vertices.len() >= vertex_count {
            let all = &human.vertices;
            let chosen: Vec<u32> = (0..vertex_count).map(|at| all[at * all.len() / vertex_count]).collect();
            return human.examples(&chosen, LimbPoses::Grid(steps));
        }
    }
    Err(anyhow!("an arm of {vertex_count} vertices is finer than bodies can be made").context(LIMB))
}

/// A limb with all its vertices, fingers or toes among them, each patch of the skin cut into `tessellation` by `tessellation` squares; the same skin for all `poses`.
///
/// # Errors
/// The human cannot be made.
pub fn benchmark_limb(limb: Limb, tessellation: usize, poses: &[LimbPoses]) -> Result<Vec<ExampleSet>> {
    let made = make(&BodyRequest::default())?;
    let human = LimbedHuman::new(&made, tessellation, limb)?;
    let vertices = human.vertices_to_the_tip();
    poses.iter().map(|&poses| human.examples(&vertices, poses)).collect()
}

/// The human, with what of it is a limb.
struct LimbedHuman<'a> {
    made: &'a MadeBody,
    tessellation: usize,
    character: Character,
    bound: BoundSurface,
    drivers: DriverBinds,
    /// The bone that carries the limb, and the three of it.
    bones: [BoneId; 4],
    vertices: Vec<u32>,
}

impl<'a> LimbedHuman<'a> {
    fn new(made: &'a MadeBody, tessellation: usize, limb: Limb) -> Result<Self> {
        // One vertex where patches meet: the order of the body's own mesh, which its deformer needs.
        let settings =
            CharacterSettings { steps: tessellation, has_uvs: false, ..CharacterSettings::default() };
        let character = made.body.to_character(&settings);
        let bound = BoundSurface::of(&character);
        let drivers = DriverBinds::all(&character)?;
        let bones = limb_bones(&character, limb)?;
        let vertices = vertices_moved_by(&bound, &drivers, |bone| bones[1..].contains(&bone));
        Ok(Self { made, tessellation, character, bound, drivers, bones, vertices })
    }

    /// With those of fingers or toes, which stay as they rest in hand or foot.
    fn vertices_to_the_tip(&self) -> Vec<u32> {
        let skeleton = self.character.skeleton();
        let is_of_limb = |bone: BoneId| {
            let mut above = Some(bone);
            while let Some(bone) = above.filter(|bone| !self.bones[1..].contains(bone)) {
                above = skeleton.bone(bone).parent;
            }
            above.is_some()
        };
        vertices_moved_by(&self.bound, &self.drivers, is_of_limb)
    }

    fn examples(&self, vertices: &[u32], poses: LimbPoses) -> Result<ExampleSet> {
        let order: Vec<usize> = self.bound.palette().iter().map(|entry| entry.bone.index()).collect();
        let mesh = self.made.body.tessellate(self.tessellation);
        let patches = PatchDeformer::new(self.made.body.clone(), &mesh, &order).context(LIMB)?;
        let place = |bone: &BoneId| self.drivers.bones().iter().position(|other| other == bone);
        let mut scope: Vec<usize> = self.bones.iter().filter_map(place).collect();
        scope.sort_unstable();
        let Self { character, bound, drivers, .. } = self;
        let poser = Poser { character, bound, drivers, deformer: Arc::new(patches) };
        let poses = limb_poses(&self.character, &self.bones, poses);
        Ok(poser.examples(Scope { vertices, drivers: &scope }, &poses))
    }
}

/// The bone that carries the limb, and the three of it.
fn limb_bones(character: &Character, limb: Limb) -> Result<[BoneId; 4]> {
    use HumanoidBone as B;
    let map = guess_humanoid(character);
    let find = |bone: HumanoidBone| {
        map.get(bone).ok_or_else(|| anyhow!("the body has no {}", bone.name()).context(LIMB))
    };
    let [upper, lower, end] = match limb {
        Limb::Arm => [B::LeftUpperArm, B::LeftLowerArm, B::LeftHand],
        Limb::Leg => [B::LeftUpperLeg, B::LeftLowerLeg, B::LeftFoot],
    };
    let upper = find(upper)?;
    let carrier = character.skeleton().bone(upper).parent.unwrap_or(upper);
    Ok([carrier, upper, find(lower)?, find(end)?])
}

/// Vertices that some bones move most.
fn vertices_moved_by(
    bound: &BoundSurface,
    drivers: &DriverBinds,
    is_wanted: impl Fn(BoneId) -> bool,
) -> Vec<u32> {
    let is_moved = |&vertex: &u32| {
        let heaviest = drivers.influences(bound, vertex).max_by(|a, b| a.1.total_cmp(&b.1));
        heaviest.is_some_and(|(driver, _)| is_wanted(drivers.bones()[driver]))
    };
    drivers.vertices().iter().copied().filter(is_moved).collect()
}

fn limb_poses(character: &Character, bones: &[BoneId; 4], poses: LimbPoses) -> Vec<Turns> {
    let map = guess_humanoid(character);
    let mut joints = joint_ranges(character, Some(&map), &bones[1..]);
    // Of the wrist only what bends it.
    joints[2].freedoms.truncate(1);
    let turned = |shares: &[f64]| {
        let mut rest = shares;
        let turn = |joint: &JointRange| {
            let (own, others) = rest.split_at(joint.freedoms.len().min(rest.len()));
            rest = others;
            (joint.bone, joint.rotation(own))
        };
        joints.iter().map(turn).collect()
    };
    let on_grid = |steps: [usize; 5], index: usize| {
        let mut left = index;
        steps.map(|count| {
            let step = left % count;
            left /= count;
            step as f64 / (count.max(2) - 1) as f64
        })
    };
    match poses {
        LimbPoses::Grid(steps) => {
            (0..steps.iter().product()).map(|index| turned(&on_grid(steps, index))).collect()
        }
        LimbPoses::Random(count, seed) => {
            (0..count).map(|index| turned(&random_shares(5, seed, index))).collect()
        }
    }
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

    #[test]
    fn a_leg_is_whole_and_its_poses_differ_by_seed() {
        let sets = benchmark_limb(Limb::Leg, 3, &[LimbPoses::Random(6, 1), LimbPoses::Random(4, 2)]).unwrap();
        let [train, other] = &sets[..] else { panic!("two sets") };
        assert_eq!((train.pose_count(), other.pose_count(), train.driver_names.len()), (6, 4, 4));
        assert_eq!(train.rest_positions, other.rest_positions);
        assert!(train.triangles.len() > train.rest_positions.len(), "a closed tube has twice as many");
        assert_ne!(train.target_positions[0], other.target_positions[0]);
        train.examples().check().unwrap();
    }
}
