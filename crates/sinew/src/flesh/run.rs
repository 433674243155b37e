//! Flesh that follows a motion.

use super::{FleshRig, FleshRigError};
use crate::PosedCharacter;
use glam::Vec3;
use sinew_flesh::motion::{Drive, FleshState, Stage, Timeline, close_loop, simulate};
use sinew_flesh::muscles::{Contraction, Tensions};
use sinew_rig::{Character, Clip, Pose};
use sinew_skin::SkinSettings;
use sinew_soft::{Collider, ContactSettings};
use std::ops::ControlFlow;

/// What is played, and how it is looked at.
#[derive(Clone, Copy, Debug)]
pub struct FleshMotion<'a> {
    /// The motion.
    pub clip: &'a Clip,
    /// Frames a second.
    pub fps: f64,
    /// Times its own speed.
    pub speed: f64,
    /// Whether it is one of many rounds: flesh then begins as the last round leaves it.
    pub is_loop: bool,
    /// A floor at a height, with its friction.
    pub floor: Option<(f32, f32)>,
}

/// Before the first frame of a loop, flesh goes round so many times.
const WARM_ROUNDS: f64 = 3.0;

/// Shapes of the skin, and what flesh did.
#[derive(Clone, Debug, Default)]
pub struct FleshFrames {
    /// Skin with its follow-through, one a frame, vertices in the order of [`sinew_rig::BoundSurface`], metres.
    pub shapes: Vec<Vec<Vec3>>,
    /// Deviations of the skin from where skinning puts it, one a frame.
    pub deviations: Vec<Vec<Vec3>>,
    /// At the end of the step that each frame lies in.
    pub states: Vec<FleshState>,
    /// What was missing at the end of a loop, metres; it is spread over the frames.
    pub seam_m: f32,
}

/// Called before each frame with its number; `false` stops.
pub type Step<'a> = dyn FnMut(usize) -> bool + 'a;

/// A character with flesh, ready to play motions.
pub struct FleshRun<'a> {
    rig: &'a FleshRig,
    character: &'a Character,
    settings: SkinSettings,
}

impl<'a> FleshRun<'a> {
    /// Skinned as `settings` say, skin and flesh alike.
    pub fn new(character: &'a Character, rig: &'a FleshRig, settings: impl Into<SkinSettings>) -> Self {
        Self { rig, character, settings: settings.into() }
    }

    /// How many frames a motion has.
    pub fn frame_count(motion: &FleshMotion<'_>) -> usize {
        let seconds = motion.clip.duration_secs() / motion.speed;
        let steps = (seconds * motion.fps + 1e-6).floor() as usize;
        // The end of a round is the beginning of the next.
        if motion.is_loop { steps.max(1) } else { steps + 1 }
    }

    /// Plays a motion. `None` if `on_frame` stopped it.
    ///
    /// # Errors
    /// Never for a rig that was made of this character.
    pub fn play(
        &self,
        motion: &FleshMotion<'_>,
        on_frame: &mut Step<'_>,
    ) -> Result<Option<FleshFrames>, FleshRigError> {
        let mut flesh = self.rig.body()?;
        let seconds = motion.clip.duration_secs() / motion.speed;
        let count = Self::frame_count(motion);
        let timeline = Timeline {
            start_secs: 0.0,
            fps: motion.fps,
            count: if motion.is_loop { count + 1 } else { count },
            warm_secs: if motion.is_loop { WARM_ROUNDS * seconds } else { 0.0 },
        };
        let mut scene = Scene::new(self, motion, on_frame);
        simulate(&mut flesh, &timeline, &mut scene);
        let Scene { mut frames, mut particles, is_stopped, .. } = scene;
        if is_stopped {
            return Ok(None);
        }
        if motion.is_loop {
            let after = particles.pop().unwrap_or_default();
            frames.states.pop();
            frames.seam_m = close_loop(&mut particles, &after);
        }
        let mut skin = PosedCharacter::bind(self.character, self.settings.clone());
        let mut pose = Pose::rest(self.character);
        for (frame, deviations) in particles.iter().enumerate() {
            set_pose(&mut pose, self.character, motion, frame as f64 / motion.fps);
            skin.set(&pose);
            let away = self.rig.cover.embedding.apply(deviations);
            let moved = skin.surface().positions.iter().zip(&away).map(|(place, away)| *place + *away);
            frames.shapes.push(moved.collect());
            frames.deviations.push(away);
        }
        Ok(Some(frames))
    }
}

fn set_pose(pose: &mut Pose, character: &Character, motion: &FleshMotion<'_>, time_secs: f64) {
    let duration = motion.clip.duration_secs();
    let time = time_secs * motion.speed;
    let time =
        if motion.is_loop && duration > 0.0 { time.rem_euclid(duration) } else { time.clamp(0.0, duration) };
    pose.set_clip(character, motion.clip, time);
}

struct Scene<'a, 'b> {
    run: &'a FleshRun<'a>,
    motion: &'a FleshMotion<'a>,
    posed: PosedCharacter<'a>,
    pose: Pose,
    /// Of the particles' character, which has no clip of its own but the same bones.
    particle_pose: Pose,
    tensions: Option<Tensions>,
    on_frame: &'a mut Step<'b>,
    particles: Vec<Vec<Vec3>>,
    frames: FleshFrames,
    is_stopped: bool,
}

impl<'a, 'b> Scene<'a, 'b> {
    fn new(run: &'a FleshRun<'a>, motion: &'a FleshMotion<'a>, on_frame: &'a mut Step<'b>) -> Self {
        Self {
            posed: PosedCharacter::bind(&run.rig.particles, run.settings.clone()),
            pose: Pose::rest(run.character),
            particle_pose: Pose::rest(&run.rig.particles),
            tensions: run.rig.drive.as_ref().map(|drive| drive.slack()),
            run,
            motion,
            on_frame,
            particles: Vec::new(),
            frames: FleshFrames::default(),
            is_stopped: false,
        }
    }
}

impl Stage for Scene<'_, '_> {
    fn drive(&mut self, time_secs: f64, drive: &mut Drive) {
        set_pose(&mut self.pose, self.run.character, self.motion, time_secs);
        self.particle_pose.copy_bones(&self.pose);
        self.posed.set(&self.particle_pose);
        drive.shape.clone_from(&self.posed.surface().positions);
        if let (Some(muscles), Some(tensions)) = (&self.run.rig.drive, &self.tensions) {
            drive.contractions.resize(muscles.muscle_count(), Contraction::default());
            muscles.contractions_into(self.posed.model_from_bone(), tensions, &mut drive.contractions);
        }
    }

    fn colliders(&mut self, _from_secs: f64, _to_secs: f64) -> Vec<Collider> {
        let settings = |friction| ContactSettings { friction, ..ContactSettings::default() };
        self.motion
            .floor
            .iter()
            .map(|&(height, friction)| Collider::floor(height, settings(friction)))
            .collect()
    }

    fn take(&mut self, frame: usize, deviations: &[Vec3], state: FleshState) -> ControlFlow<()> {
        if !(self.on_frame)(frame) {
            self.is_stopped = true;
            return ControlFlow::Break(());
        }
        self.particles.push(deviations.to_vec());
        self.frames.states.push(state);
        ControlFlow::Continue(())
    }
}
