//! Skin over flesh: where skinning puts it, and what flesh adds.

use super::muscle_pose::MusclePose;
use super::run::set_pose;
use super::{FleshFrames, FleshMotion, FleshRig, FleshRun};
use crate::PosedCharacter;
use crate::moving::SeamlessNormals;
use glam::Vec3;
use sinew_flesh::muscles::Contraction;
use sinew_rig::Pose;
use sinew_soft::Collider;

/// The skin of a motion that was played, one frame at a time.
pub struct FleshSkin<'a> {
    motion: &'a FleshMotion<'a>,
    frames: &'a FleshFrames,
    run: &'a FleshRun<'a>,
    posed: PosedCharacter<'a>,
    pose: Pose,
    smooth: SeamlessNormals,
    muscles: MusclePose<'a>,
    colliders: Vec<Collider>,
    /// How far each vertex gives way to what it touches, metres.
    yields_m: Vec<f32>,
    away: Vec<Vec3>,
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl<'a> FleshSkin<'a> {
    /// Of frames that a run has played, at the first of them.
    ///
    /// # Panics
    /// If there is no frame.
    pub fn new(run: &'a FleshRun<'a>, motion: &'a FleshMotion<'a>, frames: &'a FleshFrames) -> Self {
        let character = run.rig().character();
        let posed = run.posed_skin();
        let (positions, normals) = (posed.surface().positions.clone(), posed.surface().normals.clone());
        let mut skin = Self {
            smooth: SeamlessNormals::of_character(character, posed.bound()),
            muscles: MusclePose::new(run.rig()),
            colliders: run.colliders(),
            yields_m: yields(run.rig()),
            away: vec![Vec3::ZERO; positions.len()],
            pose: Pose::rest(character),
            motion,
            frames,
            run,
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
        let rig = self.run.rig();
        set_pose(&mut self.pose, rig.character(), self.motion, frame as f64 / self.motion.fps);
        self.posed.set(&self.pose);
        rig.follow.apply_into(&self.frames.deviations[frame], &mut self.away);
        self.muscles.set(self.posed.model_from_bone());
        self.muscles.raise(&rig.skin_bulge, &self.posed, &mut self.away);
        let skinned = self.posed.surface().positions.iter().zip(&self.away);
        self.positions.iter_mut().zip(skinned).for_each(|(place, (skinned, away))| *place = *skinned + *away);
        self.keep_out();
    }

    /// Points of the flesh are too far apart to show the edge of what presses them: the skin itself lies on it, as far as it gives way.
    fn keep_out(&mut self) {
        for collider in &self.colliders {
            for (vertex, place) in
                self.positions.iter_mut().enumerate().filter(|(at, _)| self.yields_m[*at] > 0.0)
            {
                let touch = collider.touch(*place);
                if touch.distance_m < 0.0 {
                    let out = touch.normal * (-touch.distance_m).min(self.yields_m[vertex]);
                    *place += out;
                    self.away[vertex] += out;
                }
            }
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
        self.muscles.contractions()
    }

    /// The pose of the frame.
    pub fn pose(&self) -> &Pose {
        &self.pose
    }

    /// The character in the pose of the frame, without what flesh adds.
    pub fn posed(&self) -> &PosedCharacter<'a> {
        &self.posed
    }
}

/// How far vertices of a rig give way, metres: as far as the flesh under them goes inwards.
fn yields(rig: &FleshRig<'_>) -> Vec<f32> {
    let parts = rig.parts();
    let of_point = |point: usize| {
        if parts.is_held[point] { 0.0 } else { parts.reaches[point].min(parts.backstops[point].1) }
    };
    let points: Vec<Vec3> = (0..parts.masses.len()).map(|point| Vec3::splat(of_point(point))).collect();
    rig.covered.cover.embedding.apply(&points).iter().map(|depth| depth.x.max(0.0)).collect()
}
