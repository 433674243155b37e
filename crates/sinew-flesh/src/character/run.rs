//! Flesh that follows a motion.

use super::contact_pose::ContactPose;
use super::muscle_pose::MusclePose;
use super::{FleshRig, FleshRigError};
use crate::motion::{Drive, FleshState, Stage, Timeline, close_loop, simulate};
use glam::Vec3;
use sinew_geometry::progress::{Interrupted, Progress};
use sinew_rig::{Channel, Character, Clip, Deformer, Pose};
use sinew_skin::{PosedCharacter, SkinSettings};
use sinew_soft::{Collider, ContactSettings};
use std::ops::ControlFlow;
use std::sync::Arc;

/// What is played, and how it is looked at.
#[derive(Clone, Debug)]
pub struct FleshMotion {
    /// The motion.
    pub clip: Arc<Clip>,
    /// Frames a second.
    pub fps: f64,
    /// Times its own speed.
    pub speed: f64,
    /// Whether it is one of many rounds: flesh then begins as the last round leaves it.
    pub is_loop: bool,
}

impl FleshMotion {
    /// A motion once, at its own speed.
    pub fn new(clip: impl Into<Arc<Clip>>, fps: f64) -> Self {
        Self { clip: clip.into(), fps, speed: 1.0, is_loop: false }
    }
}

/// Before the first frame of a loop, flesh goes round so many times.
const WARM_ROUNDS: f64 = 3.0;

/// What flesh did, frame by frame.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FleshFrames {
    /// Deviations of all particles from where skinning puts them, one list a frame.
    pub deviations: Vec<Vec<Vec3>>,
    /// At the end of the step that each frame lies in.
    pub states: Vec<FleshState>,
    /// What was missing at the end of a loop, metres; it is spread over the frames.
    pub seam_m: f32,
}

/// A character with flesh, ready to play motions.
#[derive(Clone)]
pub struct FleshRun {
    rig: Arc<FleshRig>,
    settings: SkinSettings,
    skin: Option<Arc<dyn Deformer>>,
    colliders: Vec<Collider>,
}

/// Why a motion cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FleshMotionError {
    /// A rate or a speed that is none. `what`: frames a second, or the speed.
    #[error("the motion's {what} is {value}; use a number above 0")]
    Rate { what: &'static str, value: f64 },
    /// A key that is no number. `clip`: the clip's name. `track`: place among its tracks.
    #[error("track {track} of the clip {clip:?} has a key with a time or value that is not finite")]
    Key { clip: String, track: usize },
    /// A bone of another character. `clip`: the clip's name. `track`: place among its tracks. `bone`: the bone's number.
    /// `bone_count`: bones of the character.
    #[error("track {track} of the clip {clip:?} moves bone {bone}, but the character has {bone_count}")]
    Bone { clip: String, track: usize, bone: usize, bone_count: usize },
}

impl FleshRun {
    /// Skinned as `settings` say, skin and flesh alike.
    pub fn new(rig: &Arc<FleshRig>, settings: impl Into<SkinSettings>) -> Self {
        Self { rig: rig.clone(), settings: settings.into(), skin: None, colliders: Vec::new() }
    }

    /// The same with skin that something else deforms, such as a body's own patches; what flesh adds is the same.
    ///
    /// # Panics
    /// If the deformer is of another surface.
    #[must_use]
    pub fn with_skin(self, skin: impl Into<Option<Arc<dyn Deformer>>>) -> Self {
        let (skin, vertices) = (skin.into(), self.rig.covered.bound.vertex_count());
        let is_of_it = skin.as_ref().is_none_or(|skin| skin.vertex_count() == vertices);
        assert!(is_of_it, "a deformer of the character's {vertices} vertices");
        Self { skin, ..self }
    }

    /// The character's skin before flesh adds to it.
    pub(super) fn posed_skin(&self) -> PosedCharacter {
        match &self.skin {
            Some(skin) => PosedCharacter::with_deformer(self.rig.character(), skin.clone()),
            None => PosedCharacter::bind(self.rig.character(), self.settings.clone()),
        }
    }

    /// With things that stand in the way, in scene space, beside the ground of the settings. Flesh is pressed in by them as far as it gives
    /// way; the rig goes where its motion says.
    pub fn with_colliders(mut self, colliders: Vec<Collider>) -> Self {
        self.colliders = colliders;
        self
    }

    /// All that stands in the way: the ground of the settings and what was given.
    pub(super) fn colliders(&self) -> Vec<Collider> {
        let contact = &self.rig.contact;
        let floor = Collider::floor(contact.ground_height_m as f32, ContactSettings::default());
        contact.ground.then_some(floor).into_iter().chain(self.colliders.iter().cloned()).collect()
    }

    /// What it plays.
    pub fn rig(&self) -> &Arc<FleshRig> {
        &self.rig
    }

    /// How skin and flesh are skinned.
    pub fn settings(&self) -> &SkinSettings {
        &self.settings
    }

    /// How many frames a motion has.
    pub fn frame_count(motion: &FleshMotion) -> usize {
        let seconds = motion.clip.duration_secs() / motion.speed;
        let steps = (seconds * motion.fps + 1e-6).floor() as usize;
        // The end of a round is the beginning of the next.
        if motion.is_loop { steps.max(1) } else { steps + 1 }
    }

    /// How many frames are simulated for it, with those before the first.
    pub fn simulated_frame_count(motion: &FleshMotion) -> usize {
        let count = Self::frame_count(motion);
        if motion.is_loop { count + (WARM_ROUNDS * count as f64) as usize } else { count }
    }

    /// Plays a motion; a step of progress is a frame.
    ///
    /// # Errors
    /// [`FleshRigError::Motion`] for a clip of another character, keys that are no numbers, a rate or speed that is not above 0;
    /// [`FleshRigError::Interrupted`].
    pub fn play(
        &self,
        motion: &FleshMotion,
        progress: &Progress<'_>,
    ) -> Result<Arc<FleshFrames>, FleshRigError> {
        check(motion, self.rig.character().skeleton().bone_count())?;
        let mut flesh = self.rig.body()?;
        let seconds = motion.clip.duration_secs() / motion.speed;
        let count = Self::frame_count(motion);
        let timeline = Timeline {
            start_secs: 0.0,
            fps: motion.fps,
            count: if motion.is_loop { count + 1 } else { count },
            warm_secs: if motion.is_loop { WARM_ROUNDS * seconds } else { 0.0 },
        };
        let mut scene = Scene::new(self, motion, progress);
        simulate(&mut flesh, &timeline, &mut scene);
        let Scene { mut frames, reported, .. } = scene;
        reported?;
        if motion.is_loop {
            let after = frames.deviations.pop().unwrap_or_default();
            frames.states.pop();
            frames.seam_m = close_loop(&mut frames.deviations, &after);
        }
        Ok(Arc::new(frames))
    }
}

fn check(motion: &FleshMotion, bone_count: usize) -> Result<(), FleshMotionError> {
    for (what, value) in [("frame rate", motion.fps), ("speed", motion.speed)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(FleshMotionError::Rate { what, value });
        }
    }
    for (track, of_clip) in motion.clip.tracks.iter().enumerate() {
        let clip = || motion.clip.name.clone();
        let (bone, is_finite) = match &of_clip.channel {
            Channel::Translation(bone, values) | Channel::Scale(bone, values) => {
                (Some(bone), values.iter().all(|value| value.is_finite()))
            }
            Channel::Rotation(bone, values) => (Some(bone), values.iter().all(|value| value.is_finite())),
            Channel::MorphWeights(_, values) => (None, values.iter().all(|value| value.is_finite())),
            Channel::Reach(bone, _) => (Some(bone), true),
        };
        if !(is_finite && of_clip.times_secs.iter().all(|time| time.is_finite())) {
            return Err(FleshMotionError::Key { clip: clip(), track });
        }
        if let Some(bone) = bone.map(|bone| bone.index()).filter(|bone| *bone >= bone_count) {
            return Err(FleshMotionError::Bone { clip: clip(), track, bone, bone_count });
        }
    }
    Ok(())
}

/// The pose of a motion at a time of its frames.
pub(super) fn set_pose(pose: &mut Pose, character: &Character, motion: &FleshMotion, time_secs: f64) {
    let duration = motion.clip.duration_secs();
    let time = time_secs * motion.speed;
    let time =
        if motion.is_loop && duration > 0.0 { time.rem_euclid(duration) } else { time.clamp(0.0, duration) };
    pose.set_clip(character, &motion.clip, time);
}

struct Scene<'a> {
    run: &'a FleshRun,
    motion: &'a FleshMotion,
    posed: PosedCharacter,
    pose: Pose,
    /// Of the particles' character, which has no clip of its own but the same bones.
    particle_pose: Pose,
    muscles: MusclePose,
    contact: ContactPose,
    progress: &'a Progress<'a>,
    frames: FleshFrames,
    reported: Result<(), Interrupted>,
}

impl<'a> Scene<'a> {
    fn new(run: &'a FleshRun, motion: &'a FleshMotion, progress: &'a Progress<'a>) -> Self {
        Self {
            posed: PosedCharacter::bind(&run.rig.particles, run.settings.clone()),
            pose: Pose::rest(run.rig.character()),
            particle_pose: Pose::rest(&run.rig.particles),
            muscles: MusclePose::new(&run.rig),
            contact: ContactPose::new(run),
            run,
            motion,
            progress,
            frames: FleshFrames::default(),
            reported: Ok(()),
        }
    }
}

impl Stage for Scene<'_> {
    fn drive(&mut self, time_secs: f64, drive: &mut Drive) {
        set_pose(&mut self.pose, self.run.rig.character(), self.motion, time_secs);
        self.particle_pose.copy_bones(&self.pose);
        self.posed.set(&self.particle_pose);
        drive.shape.clone_from(&self.posed.surface().positions);
        self.muscles.set(self.posed.model_from_bone());
        self.muscles.raise(&self.run.rig.bulge, &self.posed, &mut drive.shape);
        self.contact.set(self.posed.model_from_bone());
        drive.touch_count = self.contact.press_points(&mut drive.shape);
    }

    fn take(&mut self, frame: usize, deviations: &[Vec3], state: FleshState) -> ControlFlow<()> {
        self.reported = self.progress.step(frame, FleshRun::frame_count(self.motion));
        if self.reported.is_err() {
            return ControlFlow::Break(());
        }
        self.frames.deviations.push(deviations.to_vec());
        self.frames.states.push(state);
        ControlFlow::Continue(())
    }
}
