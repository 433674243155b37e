//! Four-legged animals of any rig: legs found by their shape, walk and trot.

mod gait;
mod leg;

pub use gait::{QuadrupedGait, QuadrupedGaitKind, QuadrupedSettings};

use crate::humanoid::moved_with;
use crate::sole::Outline;
use glam::{DAffine3, DQuat, DVec2, DVec3};
use leg::Chain;
use sinew_rig::{BoneId, BoundSurface, Character, Pose};

/// Error of finding the legs of a quadruped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum QuadrupedError {
    #[error("found {found} legs that reach the ground, a quadruped needs 4; +Y must be up")]
    LegCount { found: usize },
    #[error("the legs do not form two pairs, left and right of the body")]
    NotPaired,
    #[error("leg {name:?} has too few bones: at least 3 are needed from the body to the paw")]
    ShortLeg { name: String },
}

/// One leg at rest, model space.
#[derive(Clone, Debug)]
pub(crate) struct PawLeg {
    /// From the body to the paw; the last one is the paw.
    pub(crate) bones: Vec<BoneId>,
    pub(crate) chain: Chain,
    /// Sole of the paw seen from the side, about its joint: ahead and up.
    pub(crate) sole: Outline,
    pub(crate) is_left: bool,
    pub(crate) is_front: bool,
}

/// A character with four legs.
#[derive(Clone, Debug)]
pub struct Quadruped {
    /// Left hind, left front, right hind, right front.
    pub(crate) legs: Vec<PawLeg>,
    /// Level, model space.
    pub(crate) ahead: DVec3,
    pub(crate) ground_y: f64,
    /// Mean height of the legs' upper ends.
    pub(crate) hip_height_m: f64,
    pub(crate) root: BoneId,
    pub(crate) rest: Vec<DAffine3>,
    pub(crate) parents: Vec<Option<BoneId>>,
}

/// Ends of legs are lower than this share of the height of all joints.
const LOW: f64 = 0.22;
/// Legs are farther from the middle than this share of the farthest low joint.
const ASIDE: f64 = 0.3;

impl Quadruped {
    /// Finds the legs of a character: chains of bones left and right of the middle that end near the ground.
    ///
    /// # Errors
    /// If there are not two pairs of them.
    pub fn new(character: &Character) -> Result<Self, QuadrupedError> {
        let skeleton = character.skeleton();
        let mut matrices = vec![glam::Affine3A::IDENTITY; skeleton.bone_count()];
        Pose::rest(character).model_from_bone_into(character, &mut matrices);
        let rest: Vec<DAffine3> = matrices.iter().map(glam::Affine3A::as_daffine3).collect();
        let head = |bone: BoneId| rest[bone.index()].translation;
        let joints = joints_of(character);
        let surface = Vertices::of(character);
        let lowest = surface.positions.iter().map(|point| point.y).fold(f64::INFINITY, f64::min);
        let joint_low = joints.iter().map(|&bone| head(bone).y).fold(f64::INFINITY, f64::min);
        let ground_y = if lowest.is_finite() { lowest } else { joint_low };
        let highest = joints.iter().map(|&bone| head(bone).y).fold(f64::NEG_INFINITY, f64::max);
        let is_low = |bone: BoneId| head(bone).y - ground_y < LOW * (highest - ground_y).max(1e-9);
        let leaves: Vec<BoneId> = joints
            .iter()
            .copied()
            .filter(|&bone| !skeleton.children(bone).any(|child| joints.binary_search(&child).is_ok()))
            .filter(|&bone| is_low(bone))
            .collect();
        let (middle, across) = sides(&leaves, &head);
        let aside = |bone: BoneId| (head(bone) - middle).dot(across);
        let farthest = leaves.iter().map(|&bone| aside(bone).abs()).fold(0.0, f64::max);
        let is_aside = |bone: BoneId| aside(bone).abs() > ASIDE * farthest;
        let mut found: Vec<Vec<BoneId>> = Vec::new();
        for &leaf in leaves.iter().filter(|&&leaf| is_aside(leaf)) {
            let mut chain: Vec<BoneId> = skeleton
                .upwards(leaf)
                .take_while(|&bone| is_aside(bone) && aside(bone) * aside(leaf) > 0.0)
                .collect();
            chain.reverse();
            // Toes of one paw share all bones above them.
            match found.iter_mut().find(|other| other[0] == chain[0]) {
                Some(other) if other.len() < chain.len() => *other = chain,
                Some(_) => {}
                None => found.push(chain),
            }
        }
        if found.len() != 4 {
            return Err(QuadrupedError::LegCount { found: found.len() });
        }
        let ahead = ahead(&found, &joints, &head, across);
        let root = root_of(character, found[0][0]);
        let parents = skeleton.bones().iter().map(|bone| bone.parent).collect();
        let hip_height_m = found.iter().map(|chain| head(chain[0]).y - ground_y).sum::<f64>() / 4.0;
        let mut quadruped = Self { legs: Vec::new(), ahead, ground_y, hip_height_m, root, rest, parents };
        quadruped.set_legs(character, found, &surface, (middle, across))?;
        Ok(quadruped)
    }

    /// Mean height of the upper ends of the legs, m.
    pub fn hip_height_m(&self) -> f64 {
        self.hip_height_m
    }

    fn set_legs(
        &mut self,
        character: &Character,
        found: Vec<Vec<BoneId>>,
        surface: &Vertices,
        (middle, across): (DVec3, DVec3),
    ) -> Result<(), QuadrupedError> {
        let head = |bone: BoneId| self.rest[bone.index()].translation;
        let along = |chain: &Vec<BoneId>| (head(chain[chain.len() - 1]) - middle).dot(self.ahead);
        let mean = found.iter().map(&along).sum::<f64>() / 4.0;
        // The side on the left when looking ahead.
        let left = DVec3::Y.cross(self.ahead);
        let mut legs = Vec::new();
        for bones in found {
            let top = bones[0];
            let name = || character.skeleton().bone(top).name.clone();
            let (bones, paw) = paw_of(bones, &head, self.ground_y, self.hip_height_m);
            if bones.len() < 3 {
                return Err(QuadrupedError::ShortLeg { name: name() });
            }
            let joint = head(paw);
            let seen = |point: DVec3| DVec2::new((point - joint).dot(self.ahead), point.y - joint.y);
            let mut points: Vec<DVec2> =
                surface.following(&moved_with(character, paw)).into_iter().map(seen).collect();
            if points.len() < 4 {
                points = vec![DVec2::new(0.0, self.ground_y - joint.y)];
            }
            let sole = Outline::of(points).ok_or(QuadrupedError::ShortLeg { name: name() })?;
            let chain = Chain::new(bones.iter().map(|&bone| head(bone)).collect(), self.ahead);
            let is_left = ((joint - middle).dot(across) * across).dot(left) > 0.0;
            let is_front = (joint - middle).dot(self.ahead) > mean;
            legs.push(PawLeg { bones, chain, sole, is_left, is_front });
        }
        for (is_left, is_front) in [(true, false), (true, true), (false, false), (false, true)] {
            let mut fitting = legs.iter().filter(|leg| leg.is_left == is_left && leg.is_front == is_front);
            let leg = fitting.next().ok_or(QuadrupedError::NotPaired)?;
            self.legs.push(leg.clone());
        }
        Ok(())
    }
}

/// The middle of the low joints, and the level direction across the body: that of the shortest of the two spans between four of them.
fn sides(leaves: &[BoneId], head: &impl Fn(BoneId) -> DVec3) -> (DVec3, DVec3) {
    let middle = leaves.iter().map(|&bone| head(bone)).sum::<DVec3>() / leaves.len().max(1) as f64;
    let spread =
        |axis: DVec3| leaves.iter().map(|&bone| (head(bone) - middle).dot(axis).abs()).fold(0.0, f64::max);
    // Rigs stand along +Z or +X; animals are longer than wide.
    (middle, if spread(DVec3::X) <= spread(DVec3::Z) { DVec3::X } else { DVec3::Z })
}

/// Along the body, towards the end where the highest joint is: the head.
fn ahead(found: &[Vec<BoneId>], joints: &[BoneId], head: &impl Fn(BoneId) -> DVec3, across: DVec3) -> DVec3 {
    let along = across.cross(DVec3::Y);
    let middle = found.iter().map(|chain| head(chain[0])).sum::<DVec3>() / found.len() as f64;
    let top = joints.iter().map(|&bone| head(bone)).max_by(|a, b| a.y.total_cmp(&b.y)).unwrap_or(middle);
    if (top - middle).dot(along) < 0.0 { -along } else { along }
}

/// Bones that carry skin; all where none does.
fn joints_of(character: &Character) -> Vec<BoneId> {
    let joints = character.joints();
    if joints.is_empty() { (0..character.skeleton().bone_count()).map(BoneId::of).collect() } else { joints }
}

/// The topmost joint above a leg.
fn root_of(character: &Character, bone: BoneId) -> BoneId {
    let joints = joints_of(character);
    let above = character.skeleton().upwards(bone).filter(|bone| joints.binary_search(bone).is_ok());
    above.last().unwrap_or(bone)
}

/// Bones of a leg down to its paw: the first bone that begins near the ground, or the last.
fn paw_of(
    bones: Vec<BoneId>,
    head: &impl Fn(BoneId) -> DVec3,
    ground_y: f64,
    hip_height_m: f64,
) -> (Vec<BoneId>, BoneId) {
    let is_paw = |&bone: &BoneId| head(bone).y - ground_y < 0.16 * hip_height_m;
    let last = bones.iter().position(is_paw).unwrap_or(bones.len() - 1).max(2).min(bones.len() - 1);
    let bones = bones[..=last].to_vec();
    let paw = bones[last];
    (bones, paw)
}

/// Vertices with the bones they follow, model space, rest pose.
struct Vertices {
    positions: Vec<DVec3>,
    bones: Vec<Option<BoneId>>,
}

impl Vertices {
    fn of(character: &Character) -> Self {
        let bound = BoundSurface::of(character);
        let posed_from_rest = bound.posed_from_rest(character, &Pose::rest(character));
        let strongest = |vertex: usize| {
            let pair = bound.influences().pairs(vertex).max_by(|a, b| a.1.total_cmp(&b.1));
            pair.map(|(entry, _)| bound.palette()[usize::from(entry)].bone)
        };
        Self {
            positions: bound.blended(&posed_from_rest).iter().map(|position| position.as_dvec3()).collect(),
            bones: (0..bound.vertex_count()).map(strongest).collect(),
        }
    }

    fn following(&self, bones: &[BoneId]) -> Vec<DVec3> {
        let both = self.positions.iter().zip(&self.bones);
        both.filter(|(_, bone)| bone.is_some_and(|bone| bones.contains(&bone)))
            .map(|(&point, _)| point)
            .collect()
    }
}

impl Quadruped {
    /// The rotation of a bone in its parent, both rotated from rest in model space.
    pub(crate) fn local(&self, bone: BoneId, turn: DQuat, parent_turn: DQuat) -> DQuat {
        let rotation = |matrix: &DAffine3| crate::humanoid::rotation_of(matrix);
        let own = turn * rotation(&self.rest[bone.index()]);
        let parent = self.parents[bone.index()]
            .map_or(DQuat::IDENTITY, |parent| parent_turn * rotation(&self.rest[parent.index()]));
        (parent.inverse() * own).normalize()
    }
}
