//! Stage 1: where helpers are in every example, and the weights of all bones.

mod fit;
mod measure;
mod motion;
mod relax;
mod rules;
mod seeds;
mod settings;
mod state;
mod sweep;
mod transfer;
mod view;
mod weights;

pub use fit::{HelperError, HelperFit, fit_helpers, resume_helpers};
pub use measure::FitErrors;
pub use motion::{HelperMotion, MIN_SCALE, Pivot};
pub use settings::{HelperSettings, Mirror, SettingsError, WeightRules};
pub use state::{HelperState, Progress, Stage, StageError};
