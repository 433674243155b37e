//! Poses that bend and twist every joint: samples of what a skin meets.

use crate::BoneFrame;
use crate::axis::Axis;
use crate::palette_joints::PaletteJoints;
use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Random;
use sinew_rig::{BoundSurface, Character, HumanoidBone, guess_humanoid};

/// Share of poses in which a joint rests: most poses of people move few joints far.
const REST_SHARE: f32 = 0.5;

/// Of a skeleton's size, how far a bone may be from the mirror image of another.
const MIRROR_TOLERANCE: f32 = 0.01;

/// Farthest turns of a joint, degrees.
#[derive(Clone, Copy)]
struct Reach {
    /// The bone's tip moves to the front, +Z; to the back; any other way.
    front: f32,
    back: f32,
    side: f32,
    twist: f32,
}

/// After the ranges that clinicians use, from a stance with arms stretched out or hanging. Bones that are no human's go 60° every way.
fn reach(human: Option<HumanoidBone>) -> Reach {
    use HumanoidBone as B;
    let Some(human) = human else { return Reach { front: 60.0, back: 60.0, side: 60.0, twist: 30.0 } };
    let [front, back, side, twist] = match human {
        B::Hips | B::LeftEye | B::RightEye | B::Jaw => [10.0; 4],
        B::Spine | B::Chest | B::UpperChest => [30.0, 15.0, 20.0, 25.0],
        B::Neck | B::Head => [30.0, 30.0, 20.0, 40.0],
        B::LeftUpperLeg | B::RightUpperLeg => [100.0, 30.0, 40.0, 30.0],
        B::LeftLowerLeg | B::RightLowerLeg => [10.0, 130.0, 10.0, 20.0],
        B::LeftFoot | B::RightFoot | B::LeftToes | B::RightToes => [15.0, 15.0, 40.0, 20.0],
        B::LeftShoulder | B::RightShoulder => [20.0, 15.0, 20.0, 5.0],
        B::LeftUpperArm | B::RightUpperArm => [90.0, 30.0, 70.0, 60.0],
        B::LeftLowerArm | B::RightLowerArm => [140.0, 10.0, 30.0, 45.0],
        B::LeftHand | B::RightHand => [25.0, 25.0, 65.0, 60.0],
        // Fingers.
        _ => [20.0, 20.0, 85.0, 10.0],
    };
    Reach { front, back, side, twist }
}

/// Frames of the palette in `pairs` pairs of poses. A joint that does not rest is bent about any axis across its bone, and twisted. The second
/// pose of a pair is the first mirrored left to right, so that both sides of a symmetric character meet the same.
pub(crate) fn sample_poses(
    character: &Character,
    bound: &BoundSurface,
    joints: &PaletteJoints,
    pairs: usize,
    seed: u64,
) -> Vec<Vec<BoneFrame>> {
    let mut random = Random::new(seed);
    let humans = guess_humanoid(character);
    let reaches: Vec<Reach> =
        bound.palette().iter().map(|entry| reach(humans.humanoid_bone(entry.bone))).collect();
    let images = mirror_images(joints, reaches.len());
    let mut poses = Vec::with_capacity(2 * pairs);
    for _ in 0..pairs {
        let turn = |(entry, reach)| turn(joints, entry as u16, reach, &mut random);
        let turns: Vec<Quat> = reaches.iter().enumerate().map(turn).collect();
        let mirrored: Vec<Quat> = images.iter().map(|&image| mirrored(turns[image])).collect();
        poses.extend([turns, mirrored].map(|turns| frames(joints, &turns)));
    }
    poses
}

fn turn(joints: &PaletteJoints, entry: u16, reach: &Reach, random: &mut Random) -> Quat {
    // Always as many numbers, so that a joint's turns do not depend on those before it.
    let [rests, direction, bend, twist] = [(); 4].map(|()| random.range(0.0, 1.0));
    let Some(parent) = joints.bone(entry).parent.filter(|_| rests > REST_SHARE) else {
        return Quat::IDENTITY;
    };
    let along = Axis::of(joints, parent, entry).forth.try_normalize().unwrap_or(Vec3::Y);
    let across =
        Quat::from_axis_angle(along, direction * std::f32::consts::TAU) * along.any_orthonormal_vector();
    // Where the tip goes.
    let towards = across.cross(along);
    let depth = towards.z * if towards.z > 0.0 { reach.front } else { reach.back };
    let most_bend = depth.hypot((1.0 - towards.z * towards.z).max(0.0).sqrt() * reach.side);
    Quat::from_axis_angle(across, (bend * most_bend).to_radians())
        * Quat::from_axis_angle(along, ((2.0 * twist - 1.0) * reach.twist).to_radians())
}

/// The entry whose bone is each one's mirror image at x = 0; itself without one.
fn mirror_images(joints: &PaletteJoints, palette_len: usize) -> Vec<usize> {
    let bone = |entry: usize| joints.bone(entry as u16);
    let size = (0..palette_len).map(|entry| bone(entry).head.abs().max_element()).fold(0.0, f32::max);
    let image = |entry: usize| {
        let mirrored = |point: Vec3| Vec3::new(-point.x, point.y, point.z);
        let (head, tip) = (mirrored(bone(entry).head), mirrored(bone(entry).tip));
        let distance = |other: &usize| bone(*other).head.distance(head) + bone(*other).tip.distance(tip);
        let nearest = (0..palette_len).min_by(|a, b| distance(a).total_cmp(&distance(b)));
        nearest.filter(|other| distance(other) <= MIRROR_TOLERANCE * size).unwrap_or(entry)
    };
    (0..palette_len).map(image).collect()
}

fn mirrored(turn: Quat) -> Quat {
    Quat::from_xyzw(turn.x, -turn.y, -turn.z, turn.w)
}

fn frames(joints: &PaletteJoints, turns: &[Quat]) -> Vec<BoneFrame> {
    let mut places: Vec<Option<Affine3A>> = vec![None; turns.len()];
    (0..turns.len()).map(|entry| BoneFrame::new(&place(joints, turns, &mut places, entry))).collect()
}

/// The skinning matrix of an entry: it turns about its head, carried by its parent, which may come later.
fn place(joints: &PaletteJoints, turns: &[Quat], places: &mut [Option<Affine3A>], entry: usize) -> Affine3A {
    if let Some(known) = places[entry] {
        return known;
    }
    let bone = joints.bone(entry as u16);
    let carried = bone.parent.map_or(Affine3A::IDENTITY, |at| place(joints, turns, places, at.into()));
    let own = Affine3A::from_translation(bone.head)
        * Affine3A::from_quat(turns[entry])
        * Affine3A::from_translation(-bone.head);
    *places[entry].insert(carried * own)
}
