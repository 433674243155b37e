//! Rigs from examples: helper bones, the weights of all bones, and controllers that make helpers follow the skeleton.
//!
//! Given poses of a skeleton, its drivers, and the skin that each should give (simulated, sculpted, scanned), the first stage finds helper
//! bones for every example and one set of weights for all; the second finds controllers, so that helpers follow the drivers in any
//! pose. What comes out plays in every engine that blends matrices. After \[Mukai15\], with what measured better.
//!
//! ```
//! use glam::{DAffine3, DQuat, Vec3};
//! use sinew_fit::{
//!     ControllerSettings, Examples, HelperRig, HelperSettings, fit_controllers, fit_helpers,
//! };
//! use sinew_geometry::progress::Progress;
//! use sinew_rig::DriverChange;
//!
//! // A strip of 20 vertices on one driver that turns about z, and a skin that follows by half.
//! let rest: Vec<Vec3> = (0..20).map(|at| Vec3::new((at / 2) as f32 * 0.1, (at % 2) as f32 * 0.1, 0.0)).collect();
//! let angles: Vec<f64> = (0..12).map(|pose| f64::from(pose) * 0.1).collect();
//! let rotations: Vec<DQuat> = angles.iter().map(|angle| DQuat::from_rotation_z(*angle)).collect();
//! let drivers: Vec<DAffine3> = rotations.iter().map(|rotation| DAffine3::from_quat(*rotation)).collect();
//! let half = angles.iter().map(|angle| DQuat::from_rotation_z(angle * 0.5));
//! let targets: Vec<Vec3> =
//!     half.flat_map(|turn| rest.iter().map(move |place| (turn * place.as_dvec3()).as_vec3())).collect();
//! let examples = Examples {
//!     rest_positions: &rest,
//!     triangles: &[],
//!     driver_count: 1,
//!     driver_posed_from_rest: &drivers,
//!     target_positions: &targets,
//! };
//!
//! let settings = HelperSettings { helper_count: 1, ..HelperSettings::default() };
//! let helpers = fit_helpers(&examples, &settings, &Progress::none())?;
//! assert!(helpers.errors.rms < 1e-3);
//! let changes: Vec<DriverChange> = rotations.iter().copied().map(DriverChange::from).collect();
//! let found = fit_controllers(&examples, &changes, &helpers, &settings, &ControllerSettings::default())?;
//! assert!(found.errors.rms < 1e-3);
//! let rig = HelperRig::new(&found.controllers)?;
//! assert_eq!(rig.helper_count(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Examples`] is what goes in: rest positions, skinning matrices of drivers, targets; borrowed, never copied, checked first.
//! - [`fit_helpers`] reports its error while it runs, may be cancelled with the best so far, and [`resume_helpers`] goes on from a stored
//!   [`HelperState`]. [`HelperSettings`] has the number of helpers, what they may do, and the [`WeightRules`]: locks, smoothness,
//!   locality, left and right.
//! - [`fit_controllers`] chooses few functions of the drivers' rotations, or of how far they move, and fits them to the vertices; [`Controllers`] are plain data.
//!   [`controller_errors`] measures them on other poses. [`HelperRig`] runs them.
//! - [`detail_levels`] says which helpers to leave out first, [`fit_swings`] makes helpers lag and swing, [`repose_helpers`] takes helpers
//!   to poses that were not fitted. [`greedy_steps`] is the source's own way, for figures.
//!
//! A helper's skinning matrix is `M = S · D` with its parent's S; as a joint it is a child of the parent that rests at
//! [`HelperFrame::center`] and is posed to `bind⁻¹ · D · translation(center)` in the parent's frame, `bind` being the parent's bind matrix.
//!
//! Results do not depend on the number of threads, bit for bit.

mod append;
mod controllers;
mod dynamics;
mod error;
mod examples;
mod helpers;
mod numeric;

pub use append::{AppendChain, AppendFit, AppendLink, AppendSearch, AppendSettings, AppendStart, Turns};
pub use controllers::{
    BasisKind, ControllerFit, ControllerSettings, Controllers, ControllersError, DriverInput,
    HelperController, HelperFrame, HelperRig, LassoProblem, Penalty, RigWorkspace, controller_errors,
    detect_input, detect_shifts, fit_controllers,
};
pub use dynamics::{SwingFit, Take, fit_swings, swinging_helpers};
pub use error::HelperError;
pub use examples::{Examples, ExamplesError};
pub use helpers::{
    DetailLevel, FitErrors, GreedyProgress, GreedyStep, HelperFit, HelperMotion, HelperSettings, HelperState,
    MIN_SCALE, Mirror, Pivot, SettingsError, Stage, StageError, WeightRules, detail_levels, fit_helpers,
    greedy_steps, repose_helpers, resume_helpers,
};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
