//! Human characters: the bones for hips, hands and others.

mod bone;
mod guess;
mod map;
mod names;

pub use bone::HumanoidBone;
pub use guess::guess_humanoid;
pub use map::{HumanoidMap, HumanoidMapError};
