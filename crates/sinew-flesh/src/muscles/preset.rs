//! The muscles of a human that show under the skin.
//!
//! Places follow anatomical landmarks. How far a belly shortens or stretches, c(θ), is the way of its tendon over the joint, moment arm times angle,
//! spread over the belly's length. Values are rounded and chosen for what shows under the skin, in the range of such moment arms and fiber lengths
//! as \[Holzbaur05\] has them for the arm and \[Arnold10\] for the leg; they are not fitted to either. Pennate muscles (quadriceps, calf) shorten
//! less than their fibers, because their belly is longer than those.

use super::spec::MuscleSpec;
use sinew_geometry::settings::{Field, Settings, Slot};
use std::sync::LazyLock;

struct Muscles(Vec<MuscleSpec>);

impl Settings for Muscles {
    const FIELDS: &'static [Field<Self>] =
        &[Field::new("muscle", "Muscles.", |it| Slot::Named(&mut it.0, "name"))];
}

static HUMAN: LazyLock<Vec<MuscleSpec>> = LazyLock::new(|| {
    let muscles = sinew_settings::read(include_str!("human.toml"), |_| Muscles(Vec::new()));
    muscles.expect("the file is part of the program, and a test reads it").0
});

/// All of them, from the shoulders down. They fit any humanoid by its bones.
pub fn human_muscles() -> Vec<MuscleSpec> {
    HUMAN.clone()
}
