//! Stage 1: where helpers are in every example, and the weights of all bones.

mod fit;
mod greedy;
mod importance;
mod measure;
mod motion;
mod relax;
mod repose;
mod rules;
mod seeds;
mod settings;
mod state;
mod sweep;
mod transfer;
mod view;
mod weights;

pub use fit::{HelperFit, fit_helpers, resume_helpers};
pub use greedy::{GreedyProgress, GreedyStep, greedy_steps};
pub use importance::{DetailLevel, detail_levels};
pub use measure::FitErrors;
pub use motion::{HelperMotion, MIN_SCALE, Pivot};
pub use repose::repose_helpers;
pub use settings::{HelperSettings, Mirror, SettingsError, WeightRules};
pub use state::{HelperState, Stage, StageError};

pub(crate) use measure::measure;
pub(crate) use motion::{Rows, linear_part, outer};
pub(crate) use relax::{FEW_NODES, MANY_NODES, Relaxation};
pub(crate) use rules::check;
pub(crate) use sweep::{Loads, Solution, left_over, rows_of};
pub(crate) use view::{View, row_of, rows_from};
