//! Muscles by name: where they lie, and how they answer to joints.
//!
//! A [`MuscleSpec`] is written for any human: places along and round limbs, in shares of the limb's length and thickness. [`BodyFrames`] finds the
//! limbs of a character, [`MuscleSet::place`] lays the muscles into its flesh, [`MuscleShares`] says how much of which muscle is at a particle
//! and which way its fibers run, [`MuscleDrive`] how long each muscle is in a pose, and
//! [`MuscleBulge`] where that puts what lies on it.

mod body_frames;
mod bulge;
mod drive;
mod error;
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

pub use body_frames::{BodyFrames, SegmentFrame};
pub use bulge::MuscleBulge;
pub use drive::{Contraction, DriveSettings, MuscleDrive, Tensions};
pub use error::{MuscleError, MuscleNote};
pub use joint_angles::{Joint, JointAngles};
pub use muscle_set::{Muscle, MuscleSet, problems_of};
pub use placed_strip::{PlacedStrip, Section};
pub use preset::human_muscles;
pub use segment::{Segment, Side};
pub use shares::{FleshPoints, MuscleFiber, MuscleShare, MuscleShares};
pub use skin_probe::SkinProbe;
pub use spec::{Driver, MuscleSpec, Place, Sides, Strip};
