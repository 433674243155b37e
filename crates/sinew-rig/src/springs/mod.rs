//! Chains of bones that swing by themselves, such as hair, tails and skirts: the spring bones of VRM.
//!
//! A joint is a pendulum whose tail is the next joint of its chain. Each step its tail goes on by its own inertia, is drawn towards its
//! rest direction and along gravity, is put back to its length, and is pushed out of colliders ([`SpringRun`]).

mod check;
mod collide;
mod order;
mod play;
mod run;

pub use play::{SPRING_FPS, bake_springs, spring_tracks};
pub use run::SpringRun;

pub(crate) use check::check;
pub(crate) use play::with_springs;

use crate::BoneId;
use glam::Vec3;

/// All chains of a character that swing. Empty by default.
///
/// Invariant (checked by [`crate::Character::new`]): bones, colliders and groups exist, numbers are finite, each joint is below the one
/// before it, and no bone is moved by two chains.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Springs {
    /// The chains.
    pub chains: Vec<SpringChain>,
    /// Shapes that tails stay out of.
    pub colliders: Vec<SpringCollider>,
    /// Lists of colliders, which chains name.
    pub groups: Vec<ColliderGroup>,
    /// How they are played here; no file says it.
    pub play: SpringPlay,
}

/// How springs are played. Default: as the specification of VRM says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpringPlay {
    /// As the specification: bones keep their length.
    #[default]
    Vrm,
    /// As three-vrm 3.5.5 in a page that draws every step: in each step a bone is as long as it is from where it stands now to where its
    /// tail was when the step before ended.
    ThreeVrm,
    /// Not at all: clips alone move their bones.
    Off,
}

impl Springs {
    /// Whether nothing swings.
    pub fn is_empty(&self) -> bool {
        self.chains.is_empty() && self.colliders.is_empty() && self.groups.is_empty()
    }

    /// The bones that swing: all joints but the last of each chain, which is only a tail. None if springs are off.
    pub fn moved_bones(&self) -> impl Iterator<Item = BoneId> + '_ {
        self.played().iter().flat_map(|chain| chain.moved().iter().map(|joint| joint.bone))
    }

    fn played(&self) -> &[SpringChain] {
        if self.play == SpringPlay::Off { &[] } else { &self.chains }
    }
}

/// A chain of joints, from its root to its end.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SpringChain {
    /// As in the file; may be empty.
    pub name: String,
    /// Each below the one before it. The last does not swing: it is the tail of the one before.
    pub joints: Vec<SpringJoint>,
    /// Indices of groups whose colliders hit this chain.
    pub groups: Vec<u32>,
    /// The bone whose motion does not count as motion; `None` for the world.
    pub center: Option<BoneId>,
}

impl SpringChain {
    /// The joints that swing.
    pub fn moved(&self) -> &[SpringJoint] {
        self.joints.split_last().map_or(&[], |(_, moved)| moved)
    }
}

/// A joint of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringJoint {
    /// The bone.
    pub bone: BoneId,
    /// Radius of its tail against colliders, m.
    pub hit_radius_m: f32,
    /// Pull towards the rest direction, m/s; 1 in most files.
    pub stiffness: f32,
    /// Pull along gravity, m/s.
    pub gravity_power: f32,
    /// Direction of gravity, unit, model space.
    pub gravity_dir: Vec3,
    /// Share of the speed that is lost in each step of 1/60 s, 0 to 1.
    pub drag: f32,
    /// Whether the file has no bone here, only an end: [`SpringPlay::ThreeVrm`] measures nothing to it.
    pub is_added: bool,
}

impl SpringJoint {
    /// A joint with the settings that VRM 1.0 has as defaults.
    pub fn new(bone: BoneId) -> Self {
        Self {
            bone,
            hit_radius_m: 0.0,
            stiffness: 1.0,
            gravity_power: 0.0,
            gravity_dir: Vec3::NEG_Y,
            drag: 0.5,
            is_added: false,
        }
    }
}

/// A list of colliders.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ColliderGroup {
    /// As in the file; may be empty.
    pub name: String,
    /// Indices of colliders.
    pub colliders: Vec<u32>,
}

/// A shape on a bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringCollider {
    /// The bone that carries it.
    pub bone: BoneId,
    /// The shape, bone space. Radii are not scaled with the bone.
    pub shape: ColliderShape,
}

/// Shapes of colliders; points in bone space, m.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what the fields are")]
pub enum ColliderShape {
    /// A ball; tails stay outside, or inside.
    Sphere { offset: Vec3, radius: f32, is_inside: bool },
    /// A ball that is swept from `offset` to `tail`.
    Capsule { offset: Vec3, tail: Vec3, radius: f32, is_inside: bool },
    /// All behind the plane through `offset`; tails stay on the side of the normal.
    Plane { offset: Vec3, normal: Vec3 },
}

#[cfg(test)]
mod tests;
