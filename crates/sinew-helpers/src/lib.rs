//! Helper bones of characters: examples, fits, controllers, and rigs that play anywhere.
//!
//! [`fit_character`] does a whole job: a [`FitRequest`] says where examples come from and what helpers may do, the [`FitOutcome`] what became of it, and
//! [`FitOutcome::save`] writes it. [`fit_deformer`] takes any deformer in place of a source, [`fit_exchange`] a folder of arrays in place of a model.
//!
//! The steps are there too. [`read_exchange`] and [`read_shapes`] read examples that another program made; [`DriverBinds`] says what a character's bones are
//! to a fit: one rest space for all meshes, skinning matrices and rotations of a pose. [`fit_rig`] takes examples from a deformer: the character is cut into
//! neighborhoods of joints ([`regions`]), each is sampled over the [`joint_ranges`] and fitted alone, and all are joined into one [`FittedRig`].
//! [`put_helpers_on`] takes what [`sinew_fit`] found to a new [`Character`](sinew_rig::Character): helper joints in the skin, weights, controllers, and
//! every clip baked, so that a player that knows nothing of helpers shows them. [`add_correctives`] adds morphs for what bones cannot reach.
//! [`constrain_helpers`] finds what VRM's rotation constraints can do of it. With
//! [`FitRequest::mmd`] helpers become bones that follow others, as MMD plays them. [`scripts`] writes the controllers for other programs.

mod drivers;
mod error;
mod examples;
mod fit;
mod job;
mod output;
pub mod scripts;

pub use drivers::DriverBinds;
pub use error::{ExampleFileError, FitError, RigError};
pub use examples::example_set::ExampleSet;
pub use examples::exchange::{ExchangeFolder, read_exchange};
pub use examples::joint_range::{Freedom, JointRange, joint_ranges};
pub use examples::posing::{Poser, Scope, Turns};
pub use examples::region::{Region, Regions, regions};
pub use examples::sampling::{Sampling, random_shares, shares};
pub use examples::shape_files::{ShapeFiles, read_shapes};
pub use examples::symmetry::Symmetry;
pub use fit::append::{AppendMotion, AppendRefusal, AppendReport, AppendedRig, DriverAxes};
pub use fit::fitted_rig::{FittedPart, FittedRig};
pub use fit::held_out::{HeldOut, held_out_poses};
pub use fit::mirror::find_mirror;
pub use fit::rig_fit::{Judged, RegionReport, RigFit, RigFitSettings, Symmetric, fit_rig};
pub use fit::sequence::{
    BakedSequence, Sequence, SequenceErrors, SequenceSettings, fit_sequences, follow_sequence,
};
pub use fit::set_fit::{CONTROLLERS, SetFit, fit_set};
pub use fit::suggest::{Knowledge, SuggestedPose, Suggestion, suggest_poses};
pub use job::character::{fit_character, fit_deformer};
pub use job::exchange::{ExchangeCorrectives, ExchangeOutcome, HistoryLine, LevelReport, fit_exchange};
pub use job::outcome::{CorrectiveReport, FitOutcome, JudgedJoint, SavedPose, SequenceReport};
pub use job::request::{FitRequest, FitSource, MmdRequest, Suggestions};
pub use output::constraints::{ConstraintLoss, constrain_helpers};
pub use output::correctives::{CorrectiveSettings, CorrectiveSummary, add_correctives};
pub use output::put_fit::put_fit_on;
pub use output::put_on::{FittedHelpers, put_helpers_on};
pub use output::result_file::result_json;

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
