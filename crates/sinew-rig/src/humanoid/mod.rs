//! Humans among characters: which bone is the hips, which the left hand.

mod bone;
mod guess;
mod map;
mod names;

pub use bone::HumanoidBone;
pub use guess::guess_humanoid;
pub use map::{HumanoidMap, HumanoidMapError};
