//! Which poses to show: one, or a clip's frames.

use crate::error::lines;
use crate::{PoseFile, TextError};
use sinew_io::Report;
use sinew_mmd::vpd::Vpd;
use sinew_rig::{BoneId, Character, Clip, ClipId, FindError, Pose, with_follow_through};
use std::borrow::Cow;

/// What a user asks to see.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the variants say what the fields are")]
pub enum PoseChoice {
    /// The rest pose.
    #[default]
    Rest,
    /// Changes relative to rest.
    File(PoseFile),
    /// A pose of MMD.
    Vpd(Vpd),
    /// A clip at one time, by name or index; the time is held at the clip's ends.
    ClipAt { clip: String, time_secs: f64 },
    /// All of a clip, by name or index, at so many frames a second.
    Clip { clip: String, fps: f64 },
}

/// Why a choice does not fit a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum PoseChoiceError {
    /// No such clip, or several.
    #[error(transparent)]
    Clip(#[from] FindError),
    /// The pose file does not fit.
    #[error("{}", lines(.0))]
    File(Vec<TextError>),
    /// More frames than any use has.
    #[error("the clip would have {count} frames; the most is {MOST_FRAMES}")]
    TooManyFrames { count: usize },
    /// A rate that makes no frames.
    #[error("invalid frame rate {fps}; use a number above 0, such as 30")]
    BadRate { fps: f64 },
}

/// Ten hours at 30 frames a second; past it a mistake is likelier than a wish.
const MOST_FRAMES: usize = 1_080_000;

/// The poses that a choice means for one character, which it shares.
#[derive(Clone, Debug)]
pub struct Frames {
    character: Character,
    kind: Kind,
    /// Whether chains of bones reach for their goals.
    is_reaching: bool,
    report: Report,
}

#[derive(Clone, Debug)]
enum Kind {
    One(Pose),
    Clip {
        id: ClipId,
        /// The clip with tracks for helpers that swing, where it has none.
        lagging: Option<Clip>,
        fps: f64,
        count: usize,
    },
}

impl Frames {
    /// Resolves a choice against a character.
    ///
    /// # Errors
    /// Names that are not in the character, or too many frames.
    pub fn new(character: &Character, choice: &PoseChoice) -> Result<Self, PoseChoiceError> {
        let mut report = Report::default();
        let kind = match choice {
            PoseChoice::Rest => Kind::One(Pose::rest(character)),
            PoseChoice::File(file) => Kind::One(file.pose(character).map_err(PoseChoiceError::File)?),
            PoseChoice::Vpd(vpd) => {
                let mut pose = Pose::rest(character);
                vpd.apply(character, &mut pose, &mut report);
                Kind::One(pose)
            }
            PoseChoice::ClipAt { clip, time_secs } => {
                let clip = &character.clips()[character.find_clip(clip)?.index()];
                let mut pose = Pose::rest(character);
                let time_secs = time_secs.clamp(0.0, clip.duration_secs());
                pose.set_clip(character, &with_follow_through(character, clip), time_secs);
                Kind::One(pose)
            }
            PoseChoice::Clip { clip, fps } => {
                let id = character.find_clip(clip)?;
                if !(*fps > 0.0 && fps.is_finite()) {
                    return Err(PoseChoiceError::BadRate { fps: *fps });
                }
                let count = character.clips()[id.index()].frame_count(*fps);
                if count > MOST_FRAMES {
                    return Err(PoseChoiceError::TooManyFrames { count });
                }
                let lagging = match with_follow_through(character, &character.clips()[id.index()]) {
                    Cow::Borrowed(_) => None,
                    Cow::Owned(clip) => Some(clip),
                };
                Kind::Clip { id, lagging, fps: *fps, count }
            }
        };
        Ok(Self { character: character.clone(), kind, is_reaching: true, report })
    }

    /// The same poses, with chains of bones that do not reach for their goals: without IK.
    #[must_use]
    pub fn without_reaching(self) -> Self {
        Self { is_reaching: false, ..self }
    }

    /// What of the choice did not fit the character and was left out.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// How many there are; at least one.
    pub fn count(&self) -> usize {
        match &self.kind {
            Kind::One(_) => 1,
            Kind::Clip { count, .. } => *count,
        }
    }

    /// Frames a second, for a whole clip.
    pub fn fps(&self) -> Option<f64> {
        match &self.kind {
            Kind::One(_) => None,
            Kind::Clip { fps, .. } => Some(*fps),
        }
    }

    /// The pose of a frame, written over `pose`.
    ///
    /// # Panics
    /// If `pose` is of another character.
    pub fn pose_into(&self, frame: usize, pose: &mut Pose) {
        match &self.kind {
            Kind::One(one) => pose.clone_from(one),
            Kind::Clip { id, lagging, fps, .. } => {
                let clip = lagging.as_ref().unwrap_or(&self.character.clips()[id.index()]);
                pose.set_clip(&self.character, clip, frame as f64 / fps);
            }
        }
        if !self.is_reaching {
            (0..self.character.skeleton().bone_count())
                .for_each(|bone| pose.set_reaching(BoneId::of(bone), false));
        }
    }
}
