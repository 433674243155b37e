//! Motions one after the other, and motions over others.
//!
//! A later motion is moved over the ground to where the one before it has come, and starts from that pose and speed: what differs decays
//! over the blend time (`offset.rs`, after \[Bollo18\]). Feet that stand stay where they are until the later motion lifts them (`human.rs`).
//! Layers replace the joints of some bones, with a fade (`layer.rs`).

mod feet;
mod human;
mod joints;
mod layer;
mod offset;
mod plain;

pub(crate) use joints::Reader;
pub use layer::mask;

use crate::humanoid::Humanoid;
use sinew_rig::{BoneId, Character, Clip, HumanoidBone};

/// A motion in a sequence. Times in s of the sequence where not said otherwise.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    /// The motion, of the character.
    pub clip: &'a Clip,
    /// When it starts. It plays until the next part starts, and holds its last pose.
    pub start_secs: f64,
    /// Where in the clip it starts, s of the clip.
    pub from_secs: f64,
    /// Factor on its own speed, above 0.
    pub speed: f64,
    /// Whether it starts again at its end, from the place it has come to.
    pub is_repeating: bool,
    /// Time in which the difference to the motion before decays.
    pub blend_secs: f64,
    /// Whether it goes on where the motion before has come to; otherwise it stays at its own place.
    pub is_placed: bool,
}

impl<'a> Part<'a> {
    /// A motion at its own speed that goes on where the one before ended, with a blend of 0.4 s.
    pub fn new(clip: &'a Clip, start_secs: f64) -> Self {
        Self {
            clip,
            start_secs,
            from_secs: 0.0,
            speed: 1.0,
            is_repeating: false,
            blend_secs: DEFAULT_BLEND_SECS,
            is_placed: true,
        }
    }

    /// Its duration in the sequence, played once.
    pub fn seconds(&self) -> f64 {
        (self.clip.duration_secs() - self.from_secs).max(0.0) / self.speed
    }

    /// The time in the clip.
    fn clip_time(&self, t: f64) -> f64 {
        let time = self.from_secs + (t - self.start_secs).max(0.0) * self.speed;
        time.min(self.clip.duration_secs())
    }
}

/// Default time of a blend, s.
pub const DEFAULT_BLEND_SECS: f64 = 0.4;

/// A motion over the others: it replaces the joints of some bones. Times in s of the sequence where not said otherwise.
#[derive(Clone, Debug)]
pub struct Layer<'a> {
    /// The motion, of the character.
    pub clip: &'a Clip,
    /// When it starts.
    pub start_secs: f64,
    /// Where in the clip it starts, s of the clip.
    pub from_secs: f64,
    /// Factor on its own speed, above 0.
    pub speed: f64,
    /// Whether it starts again at its end.
    pub is_repeating: bool,
    /// When it has faded out; `None`: at its end.
    pub end_secs: Option<f64>,
    /// Time in which it fades in, and out.
    pub fade_secs: f64,
    /// The bones it moves; empty: those that its clip moves. Hips and legs stay with the motion below.
    pub bones: Vec<BoneId>,
}

impl<'a> Layer<'a> {
    /// A motion at its own speed over all bones it moves, with a fade of 0.4 s.
    pub fn new(clip: &'a Clip, start_secs: f64) -> Self {
        Self {
            clip,
            start_secs,
            from_secs: 0.0,
            speed: 1.0,
            is_repeating: false,
            end_secs: None,
            fade_secs: DEFAULT_BLEND_SECS,
            bones: Vec::new(),
        }
    }
}

/// Motions one after the other, with others over them.
#[derive(Clone, Debug)]
pub struct Sequence<'a> {
    /// Of the clip.
    pub name: String,
    /// In order of time.
    pub parts: Vec<Part<'a>>,
    /// A later one goes over an earlier one.
    pub layers: Vec<Layer<'a>>,
    /// Duration.
    pub seconds: f64,
    /// Keys per second.
    pub fps: f64,
}

/// Error of a sequence.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SequenceError {
    #[error("a sequence needs at least one motion")]
    Empty,
    #[error("motion {index} starts at {start} s, before the motion before it; sort motions by time")]
    Order { index: usize, start: f64 },
    #[error("{name} = {value} is out of range; use {low} to {high}")]
    OutOfRange { name: &'static str, value: f64, low: f64, high: f64 },
    #[error("the sequence needs {keys} keys; the maximum is {most}; use fewer seconds")]
    TooLong { keys: f64, most: usize },
    #[error("layers cannot move {bone}; use bones above the hips")]
    LayerBone { bone: String },
    #[error("unknown mask {name:?}; use upper body, arms, left arm, right arm, head, or a bone")]
    UnknownMask { name: String },
}

/// An hour at 120 keys per second.
const MOST_KEYS: usize = 432_001;

/// Makes one clip of a sequence. With the bones of a human, feet stay planted while motions change.
///
/// # Errors
/// If parts are out of order, values out of range, or a layer moves hips or legs.
pub fn sequence(
    character: &Character,
    humanoid: Option<&Humanoid>,
    sequence: &Sequence<'_>,
) -> Result<Clip, SequenceError> {
    check(sequence)?;
    let expanded = Sequence { parts: expanded(&sequence.parts, sequence.seconds), ..sequence.clone() };
    match humanoid {
        Some(humanoid) => human::clip(character, humanoid, &expanded),
        None => Ok(plain::clip(character, &expanded)),
    }
}

fn check(sequence: &Sequence<'_>) -> Result<(), SequenceError> {
    if sequence.parts.is_empty() {
        return Err(SequenceError::Empty);
    }
    let range = |name: &'static str, value: f64, [low, high]: [f64; 2]| match (low..=high).contains(&value) {
        true => Ok(()),
        false => Err(SequenceError::OutOfRange { name, value, low, high }),
    };
    range("fps", sequence.fps, [1.0, 1000.0])?;
    range("seconds", sequence.seconds, [0.0, 1e6])?;
    for part in &sequence.parts {
        range("blend", part.blend_secs, [0.0, 60.0])?;
        range("speed", part.speed, [1e-3, 1e3])?;
        range("from", part.from_secs, [0.0, 1e6])?;
    }
    for layer in &sequence.layers {
        range("fade", layer.fade_secs, [0.0, 60.0])?;
        range("speed", layer.speed, [1e-3, 1e3])?;
        range("from", layer.from_secs, [0.0, 1e6])?;
    }
    let unordered =
        sequence.parts.windows(2).position(|pair| pair[1].start_secs.total_cmp(&pair[0].start_secs).is_lt());
    if let Some(index) = unordered {
        return Err(SequenceError::Order { index: index + 1, start: sequence.parts[index + 1].start_secs });
    }
    let keys = sequence.seconds * sequence.fps;
    if keys > MOST_KEYS as f64 { Err(SequenceError::TooLong { keys, most: MOST_KEYS }) } else { Ok(()) }
}

/// Rounds of repeating parts as parts of their own, until the next part or the end.
fn expanded<'a>(parts: &[Part<'a>], seconds: f64) -> Vec<Part<'a>> {
    let mut all = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        let until = parts.get(at + 1).map_or(seconds, |next| next.start_secs);
        let mut round = part.clone();
        loop {
            let next_secs = round.start_secs + round.seconds();
            let length = round.clip.duration_secs() / round.speed;
            all.push(round.clone());
            if !part.is_repeating || next_secs >= until || length < 1e-3 {
                break;
            }
            // A loop comes round by itself; a short blend removes what is left.
            round.start_secs = next_secs;
            round.from_secs = 0.0;
            round.is_placed = true;
            round.blend_secs = (0.25 * length).min(0.2);
        }
    }
    all
}

/// Whether a human bone is one of the legs or carries them.
fn is_lower(bone: HumanoidBone) -> bool {
    std::iter::successors(Some(bone), |bone| bone.parent())
        .any(|bone| matches!(bone, HumanoidBone::LeftUpperLeg | HumanoidBone::RightUpperLeg))
        || bone == HumanoidBone::Hips
}
