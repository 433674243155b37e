//! Muscles by name: where they lie, and how they answer to joints.
//!
//! A [`MuscleSpec`] is written for any human: places along and round limbs, in shares of the limb's length and thickness. [`BodyFrames`] finds the
//! limbs of a character, [`MuscleSet::place`] lays the muscles into its flesh, [`MuscleShares`] says how much of which muscle is at a particle
//! and which way its fibres run, [`MuscleDrive`] how long each muscle is in a pose, and
//! [`MuscleBulge`] where that puts what lies on it.

mod body_frames;
mod bulge;
mod drive;
mod joint_angles;
mod muscle_set;
mod placed_strip;
mod preset;
mod segment;
mod shares;
mod skin_probe;
mod spec;
#[cfg(test)]
mod tests;

pub use body_frames::{BodyFrames, BodyFramesError, SegmentFrame};
pub use bulge::MuscleBulge;
pub use drive::{Contraction, DriveError, DriveSettings, IdleDriver, MuscleDrive, Tensions};
pub use joint_angles::{Joint, JointAngles};
pub use muscle_set::{Muscle, MuscleError, MuscleNote, MuscleSet, UnknownMuscle, problems_of};
pub use placed_strip::{PlacedStrip, Section};
pub use preset::human_muscles;
pub use segment::{Segment, Side};
pub use shares::{FibreConstraint, FleshPoints, MuscleShare, MuscleShares, SharesError};
pub use skin_probe::SkinProbe;
pub use spec::{Driver, MuscleProblem, MuscleSpec, Place, Sides, Strip};
