//! Helper bones of characters, from examples or from any deformer of Sinew.
//!
//! [`read_exchange`] reads examples that another program made. [`fit_rig`] takes them from a deformer: the character is cut into
//! neighborhoods of joints ([`regions`]), each is sampled over the [`joint_ranges`] and fitted alone, and all are joined into one
//! [`FittedRig`].

mod corrected;
mod drivers;
mod error;
mod example_set;
mod exchange;
mod exchange_character;
mod fitted_rig;
mod flesh_source;
mod held_out;
mod joint_range;
mod mirror;
mod output;
mod posing;
mod region;
mod result_file;
mod rig_fit;
mod sampling;
mod sequence;
mod set_fit;
mod shape_files;
mod suggest;

#[cfg(test)]
mod tests;

pub use corrected::{
    Corrected, CorrectedFit, CorrectiveExamples, corrective_examples, put_corrected_fit_on, rms_in_poses,
    rms_of_sequence,
};
pub use drivers::{Drivers, DriversError};
pub use error::FitError;
pub use example_set::ExampleSet;
pub use exchange::{ExchangeError, ExchangeFolder, read_exchange};
pub use exchange_character::{exchange_character, exchange_sequence};
pub use fitted_rig::{FittedPart, FittedRig, JoinError};
pub use flesh_source::FleshSource;
pub use held_out::{HeldOut, held_out_poses};
pub use joint_range::{Freedom, JointRange, joint_ranges};
pub use mirror::{MirrorError, find_mirror};
pub use output::put_fit_on;
pub use posing::{Poser, Scope, Turns};
pub use region::{Region, join_mirrored, regions};
pub use result_file::{ResultNames, controllers_json, result_json};
pub use rig_fit::{RegionReport, RigFit, RigFitSettings, fit_rig};
pub use sampling::{Sampling, random_shares, shares};
pub use sequence::{
    BakedSequence, Sequence, SequenceErrors, SequenceSettings, fit_sequences, follow_sequence,
};
pub use set_fit::{SetFit, fit_set};
pub use shape_files::{ShapeFiles, ShapesError, read_shapes};
pub use suggest::{Knowledge, SuggestedPose, Suggestion, describe, suggest_poses};
