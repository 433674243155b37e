//! Plays a film: where every joint and every vertex is at a time. Preview and film both look at this, and at nothing else.

use super::actor::Actor;
use super::digest::Digest;
use glam::{Vec3, Vec3A};
use sinew_geometry::Bounds;
use sinew_rig::{BoneId, Pose};
use sinew_skin::PosedCharacter;
use std::sync::Arc;

/// The characters of a film at one time; one for each thread that draws.
pub struct Player {
    pub(super) cast: Vec<Cast>,
}

/// One character at one time.
pub(super) struct Cast {
    pub(super) actor: Arc<Actor>,
    pub(super) posed: PosedCharacter,
    pose: Pose,
}

impl Player {
    pub(super) fn new(actors: &[Arc<Actor>]) -> Self {
        let cast = |actor: &Arc<Actor>| Cast {
            actor: actor.clone(),
            posed: PosedCharacter::with_deformer(&actor.character, actor.deformer.clone()),
            pose: Pose::rest(&actor.character),
        };
        Self { cast: actors.iter().map(cast).collect() }
    }

    /// Puts all bones where they are at a time.
    pub fn set_bones(&mut self, time_secs: f64) {
        for cast in &mut self.cast {
            cast.actor.pose_into(time_secs, &mut cast.pose);
            cast.posed.set_bones(&cast.pose);
        }
    }

    /// Puts bones and skin where they are at a time.
    pub fn set(&mut self, time_secs: f64) {
        self.set_bones(time_secs);
        for cast in &mut self.cast {
            cast.posed.set(&cast.pose);
        }
    }

    /// The heads of all bones of all characters, in order, scene space, metres.
    pub fn joints(&self) -> impl Iterator<Item = Vec3> + '_ {
        self.cast.iter().flat_map(|cast| {
            let bones = 0..cast.posed.model_from_bone().len();
            bones.map(|bone| cast.head(BoneId::of(bone)))
        })
    }

    /// A number that two frames share only if all their joints are at the same places, to the last bit.
    pub fn joint_digest(&self) -> Digest {
        let mut digest = Digest::default();
        self.joints()
            .for_each(|joint| joint.to_array().iter().for_each(|axis| digest.add(&axis.to_le_bytes())));
        digest
    }

    /// The box of all joints that carry skin.
    pub(super) fn joint_bounds(&self) -> Bounds {
        let all =
            self.cast.iter().flat_map(|cast| cast.actor.flesh.bones.iter().map(|bone| cast.head(*bone)));
        Bounds::of(&all.collect::<Vec<_>>())
    }
}

impl Cast {
    /// A bone's head, scene space.
    pub(super) fn head(&self, bone: BoneId) -> Vec3 {
        self.actor.scene_from_model.transform_point3(self.posed.head(bone))
    }

    /// The middle of the joints that carry skin, or of all bones where none does.
    pub(super) fn middle(&self) -> Vec3 {
        let all: Vec<BoneId>;
        let bones = if self.actor.flesh.bones.is_empty() {
            all = (0..self.posed.model_from_bone().len()).map(BoneId::of).collect();
            &all
        } else {
            &self.actor.flesh.bones
        };
        let sum: Vec3 = bones.iter().map(|bone| self.head(*bone)).sum();
        sum / bones.len().max(1) as f32
    }

    /// Writes a run of posed vertices and normals, scene space.
    pub(super) fn surface_into(
        &self,
        vertices: std::ops::Range<usize>,
        positions: &mut [Vec3],
        normals: &mut [Vec3],
    ) {
        let surface = self.posed.surface();
        let scene_from_model = self.actor.scene_from_model;
        for (to, from) in positions.iter_mut().zip(&surface.positions[vertices.clone()]) {
            *to = scene_from_model.transform_point3(*from);
        }
        // The placement turns and scales evenly, so that normals keep their angles; the renderer makes them unit.
        for (to, from) in normals.iter_mut().zip(&surface.normals[vertices]) {
            *to = (scene_from_model.matrix3 * Vec3A::from(*from)).into();
        }
    }
}
