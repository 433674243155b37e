//! Stage 2: how helpers follow the drivers.

mod fit;
mod frame;
mod inputs;
mod lasso;
mod model;
mod refit;
mod runtime;

pub use fit::{BasisKind, ControllerFit, ControllerSettings, Penalty, controller_errors, fit_controllers};
pub use frame::HelperFrame;
pub use inputs::{DriverInput, detect_input, detect_shifts};
pub use lasso::LassoProblem;
pub use model::{Controllers, ControllersError, HelperController};
pub use runtime::{HelperRig, RigWorkspace};

pub(crate) use frame::ParentPose;
