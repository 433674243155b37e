//! What bones do by themselves: follow other bones, and reach for goals.
//!
//! A [`crate::Pose`] is what a user or a clip asks of each bone. Where a character has logic, the bones then follow others
//! ([`Follow`]), chains reach for goals ([`Reach`]) and morphs move bones ([`MorphEffect`]); an evaluator turns the one into the
//! other. Characters without logic stand as their pose says.

use crate::BoneId;
use glam::{Quat, Vec3};

/// What one bone does by itself. The default does nothing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoneLogic {
    /// Bones are evaluated by level, within a level in the order of the skeleton.
    pub level: i32,
    /// Evaluated after all bones that are not, as if physics came between.
    pub is_after_physics: bool,
    /// The only axis that it turns about when it is asked to turn, bone space, unit: the whole angle is put on it. What it follows, what
    /// morphs ask and what chains want turns it freely.
    pub axis: Option<Vec3>,
    /// The bone that it follows.
    pub follow: Option<Follow>,
    /// The chain that reaches for this bone.
    pub reach: Option<Reach>,
}

/// A bone that takes over a share of another bone's change; in PMX "append" or "grant".
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Follow {
    /// The bone that is followed.
    pub source: BoneId,
    /// How much of its change; may be negative or above 1.
    pub ratio: f32,
    /// Whether rotation is taken over.
    pub rotates: bool,
    /// Whether translation is taken over.
    pub translates: bool,
    /// Whether the source's whole change in the model counts, instead of its own.
    pub is_local: bool,
}

/// A chain of bones that turns so that its end reaches the bone that this belongs to.
#[derive(Clone, Debug, PartialEq)]
pub struct Reach {
    /// The chain's end, which is to arrive at the goal.
    pub effector: BoneId,
    /// How often the chain is worked through.
    pub iterations: u32,
    /// The most that a link turns in one iteration, radians.
    pub step_rad: f32,
    /// From the effector towards the root.
    pub links: Vec<ReachLink>,
}

/// A bone of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReachLink {
    /// The bone that turns.
    pub bone: BoneId,
    /// The least and greatest angle about x, y and z, radians.
    pub limits: Option<[Vec3; 2]>,
}

/// What a morph does beside moving vertices.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MorphEffect {
    /// Nothing.
    #[default]
    None,
    /// Adds to the weights of other morphs of the mesh, by index, that much times its own weight.
    Group(Vec<(u32, f32)>),
    /// Shows one of other morphs of the mesh, by index: with n of them, `floor((n + 1) · weight)` is 0 for none, 1 for the first.
    Flip(Vec<(u32, f32)>),
    /// Moves and turns bones.
    Bones(Vec<BoneMorph>),
}

/// How a morph at weight 1 changes a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneMorph {
    /// The bone that is moved and turned.
    pub bone: BoneId,
    /// Added to its translation, metres.
    pub translation: Vec3,
    /// Its turn; a share of it at lower weights.
    pub rotation: Quat,
}
