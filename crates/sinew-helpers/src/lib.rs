//! Helper bones of characters: examples, fits, controllers, and rigs that play anywhere.

mod fit;
mod rig;

pub use fit::*;
pub use rig::*;
