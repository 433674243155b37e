//! Where flesh is.

use super::contact_pose::ContactPose;
use super::muscle_pose::MusclePose;
use super::{FleshFrames, FleshRig, FleshRun};
use glam::Vec3;
use sinew_rig::Pose;
use sinew_skin::PosedCharacter;
use std::sync::Arc;

/// Where the points of the tetrahedra are in each frame.
pub struct FleshPlaces {
    posed: PosedCharacter,
    pose: Pose,
    frames: Arc<FleshFrames>,
    rig: Arc<FleshRig>,
    muscles: MusclePose,
    contact: ContactPose,
    now: Vec<Vec3>,
}

impl FleshPlaces {
    /// Of the frames of a run.
    pub fn new(run: &FleshRun, frames: &Arc<FleshFrames>) -> Self {
        let particles = &run.rig().particles;
        let posed = PosedCharacter::bind(particles, run.settings().clone());
        Self {
            now: posed.surface().positions.clone(),
            pose: Pose::rest(particles),
            rig: run.rig().clone(),
            muscles: MusclePose::new(run.rig()),
            contact: ContactPose::new(run),
            posed,
            frames: frames.clone(),
        }
    }

    /// Goes to a frame in which the character is posed as given.
    pub fn set(&mut self, frame: usize, pose: &Pose) {
        self.pose.copy_bones(pose);
        self.posed.set(&self.pose);
        self.now.copy_from_slice(&self.posed.surface().positions);
        self.muscles.set(self.posed.model_from_bone());
        self.muscles.raise(&self.rig.bulge, &self.posed, &mut self.now);
        self.contact.set(self.posed.model_from_bone());
        self.contact.press_points(&mut self.now);
        self.now.iter_mut().zip(&self.frames.deviations[frame]).for_each(|(now, away)| *now += *away);
    }

    /// Of the frame that was set last.
    pub fn now(&self) -> &[Vec3] {
        &self.now
    }

    /// Where skinning alone puts them.
    pub fn skinned(&self) -> &[Vec3] {
        &self.posed.surface().positions
    }
}
