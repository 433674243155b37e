//! Constraints of bones: following other bones, and IK.
//!
//! A [`crate::Pose`] is the request of a user or a clip for each bone. In a character with logic, bones then follow others ([`Follow`]),
//! chains reach for goals ([`Reach`]) and morphs move bones ([`MorphEffect`]); an evaluator computes the result. Without logic the result
//! is the pose itself.

use crate::BoneId;
use glam::{Quat, Vec3};

/// Constraints of one bone. Default none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneLogic {
    /// Bones are evaluated by level, then in the order of the skeleton.
    pub level: i32,
    /// Evaluated after all other bones, as if physics came between.
    pub is_after_physics: bool,
    /// The only axis of requested rotations, bone space, unit: the whole angle is applied about it. Following, morphs and chains rotate
    /// the bone freely.
    pub axis: Option<Vec3>,
    /// The bone that it follows.
    pub follow: Option<Follow>,
    /// The chain with this bone as its goal.
    pub reach: Option<Reach>,
}

/// A bone that takes a share of another bone's change; in PMX "append" or "grant".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follow {
    /// The bone that is followed.
    pub source: BoneId,
    /// Share of its change; may be negative or above 1.
    pub ratio: f32,
    /// Whether it follows the rotation.
    pub rotates: bool,
    /// Whether it follows the translation.
    pub translates: bool,
    /// Whether the source's whole change in the model is used, instead of its own.
    pub is_local: bool,
}

/// An IK chain that turns until its end reaches the bone that this belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The end of the chain, which should reach the goal.
    pub effector: BoneId,
    /// Number of iterations.
    pub iterations: u32,
    /// Maximum rotation of a link per iteration, rad.
    pub step_rad: f32,
    /// From the effector towards the root.
    pub links: Vec<ReachLink>,
}

/// A bone of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachLink {
    /// The bone that turns.
    pub bone: BoneId,
    /// Minimum and maximum angle about x, y and z, rad.
    pub limits: Option<[Vec3; 2]>,
}

/// Effect of a morph besides moving vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MorphEffect {
    /// Nothing.
    #[default]
    None,
    /// Adds the factor times its own weight to the weights of other morphs of the mesh, by index.
    Group(Vec<(u32, f32)>),
    /// Selects one of other morphs of the mesh, by index: with n of them, `floor((n + 1) · weight)` is 0 for none, 1 for the first.
    Flip(Vec<(u32, f32)>),
    /// Moves and turns bones.
    Bones(Vec<BoneMorph>),
}

/// Change of a bone by a morph at weight 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMorph {
    /// The bone that is moved and turned.
    pub bone: BoneId,
    /// Added to its translation, m.
    pub translation: Vec3,
    /// Its rotation; a share of it at lower weights.
    pub rotation: Quat,
}
