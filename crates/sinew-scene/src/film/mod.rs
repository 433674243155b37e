//! Films: characters in motion before cameras in motion, drawn frame by frame.
//!
//! [`SceneFile`] is what a person writes; [`Film::read`] reads the files that it names, checks every frame's camera and knows then
//! where every joint is at every time ([`Player`]). An [`Artist`] on a [`FilmSet`] draws a frame, shaded or as lines, from the same
//! [`Player`], so that a preview moves exactly as the film does. [`shoot`] draws what is missing in a [`FrameStore`], which survives an interruption, and
//! [`finish`] puts frames together. A [`FilmJob`] does all of it for a [`FilmRequest`].
//!
//! A frame depends on the film and its number alone: neither on other frames nor on the number of threads.

mod actor;
mod artist;
mod character_text;
mod check;
mod digest;
mod job;
mod made_motion;
mod motion_source;
mod open;
mod player;
mod scene_file;
mod shoot;
mod store;
#[cfg(test)]
mod tests;

pub use crate::scene_text::{CameraText, FollowText, GroundKind, GroundText, LightText, PointText};
pub use artist::{Artist, FilmSet, Style};
pub use character_text::{BodyText, CharacterText, OriginText, SkinText};
pub use digest::Digest;
pub use job::{FilmJob, FilmOutcome, FilmRequest, FilmStart, finish};
pub use made_motion::MadeMotion;
pub use motion_source::{MotionError, MotionSource, MotionText};
pub use open::Film;
pub use player::Player;
pub use scene_file::{CutText, SceneFile};
pub use shoot::shoot;
pub use store::{Found, FrameStore};
