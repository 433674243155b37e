//! Skin over flesh: where skinning puts it, and what flesh adds.

use super::contact_pose::ContactPose;
use super::muscle_pose::MusclePose;
use super::run::set_pose;
use super::{FleshFrames, FleshMotion, FleshRig, FleshRun};
use crate::muscles::Contraction;
use glam::Vec3;
use sinew_rig::{Pose, SeamlessNormals};
use sinew_skin::PosedCharacter;
use std::sync::Arc;

/// The skin of a motion that was played, one frame at a time.
pub struct FleshSkin {
    motion: FleshMotion,
    frames: Arc<FleshFrames>,
    rig: Arc<FleshRig>,
    posed: PosedCharacter,
    pose: Pose,
    smooth: SeamlessNormals,
    muscles: MusclePose,
    contact: ContactPose,
    /// Where bones and muscles put vertices.
    raised: Vec<Vec3>,
    away: Vec<Vec3>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl FleshSkin {
    /// Of frames that a run has played, at the first of them.
    ///
    /// # Panics
    /// If there is no frame.
    pub fn new(run: &FleshRun, motion: &FleshMotion, frames: &Arc<FleshFrames>) -> Self {
        let character = run.rig().character();
        let posed = run.posed_skin();
        let (positions, normals) = (posed.surface().positions.clone(), posed.surface().normals.clone());
        let mut skin = Self {
            smooth: SeamlessNormals::of_character(character, posed.bound()),
            muscles: MusclePose::new(run.rig()),
            contact: ContactPose::new(run),
            raised: positions.clone(),
            away: vec![Vec3::ZERO; positions.len()],
            pose: Pose::rest(character),
            motion: motion.clone(),
            frames: frames.clone(),
            rig: run.rig().clone(),
            posed,
            positions,
            normals,
        };
        skin.set(0);
        skin
    }

    /// How many frames there are.
    pub fn frame_count(&self) -> usize {
        self.frames.deviations.len()
    }

    /// Goes to a frame.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn set(&mut self, frame: usize) {
        self.set_positions(frame);
        let skinned = self.posed.surface();
        // Normals are the rig's, turned as flesh turns the surface: an artist's own shading stays.
        let (before, after) = (self.smooth.at(&skinned.positions), self.smooth.at(&self.positions));
        for (at, normal) in self.normals.iter_mut().enumerate() {
            *normal = (skinned.normals[at] + after[at] - before[at]).normalize_or(skinned.normals[at]);
        }
    }

    /// Goes to a frame and leaves the normals as they were: faster, for those who need none.
    ///
    /// # Panics
    /// If there is no such frame.
    pub fn set_positions(&mut self, frame: usize) {
        let rig = &self.rig;
        set_pose(&mut self.pose, rig.character(), &self.motion, frame as f64 / self.motion.fps);
        self.posed.set(&self.pose);
        let skinned = &self.posed.surface().positions;
        self.raised.copy_from_slice(skinned);
        self.muscles.set(self.posed.model_from_bone());
        self.muscles.raise(&rig.skin_bulge, &self.posed, &mut self.raised);
        rig.follow.apply_into(&self.frames.deviations[frame], &mut self.away);
        self.contact.set(self.posed.model_from_bone());
        self.contact.press_skin(&self.raised, &mut self.away);
        for (vertex, place) in self.positions.iter_mut().enumerate() {
            *place = self.raised[vertex] + self.away[vertex];
            self.away[vertex] = *place - skinned[vertex];
        }
    }

    /// Where all vertices are, in the order of [`sinew_rig::BoundSurface`], scene space, metres.
    pub fn positions(&self) -> &[Vec3] {
        &self.positions
    }

    /// Their normals.
    pub fn normals(&self) -> &[Vec3] {
        &self.normals
    }

    /// How far each vertex is from where skinning alone puts it, metres.
    pub fn deviations(&self) -> &[Vec3] {
        &self.away
    }

    /// How long muscles are in the frame.
    pub fn contractions(&self) -> &[Contraction] {
        &self.muscles.contractions
    }

    /// The pose of the frame.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The character in the pose of the frame, without what flesh adds.
    pub fn posed(&self) -> &PosedCharacter {
        &self.posed
    }
}
