//! Skinning methods: ways to move a character's vertices by its bones.
//!
//! One module per method; [`Skin`] mixes them in one model. A method is bound once to a [`sinew_rig::BoundSurface`] and then deforms frames
//! without errors and without allocating.
//!
//! ```
//! use sinew_rig::{samples, BoundSurface, Pose};
//! use sinew_skin::{Method, SkinSettings};
//!
//! let character = samples::limb(16, 24);
//! let bound = BoundSurface::of(&character);
//! let skin = sinew_skin::bind(&character, &bound, &SkinSettings::from(Method::BEZIER));
//! let mut workspace = skin.workspace();
//! let mut posed = bound.rest().clone();
//! let rest_pose = bound.posed_from_rest(&character, &Pose::rest(&character));
//! skin.deform(&mut workspace, &rest_pose, bound.rest(), posed.as_mut());
//! // Identity matrices give the rest shape, to rounding.
//! assert!(posed.positions[0].abs_diff_eq(bound.rest().positions[0], 1e-6));
//! ```

mod anchors;
mod author;
mod authored;
mod axis;
pub mod bezier;
mod bezier_forms;
mod blocks;
mod bone_frame;
mod box_anchors;
mod calibrate;
pub mod cor;
mod delta_mush;
pub mod dlb;
pub mod fast;
mod fast_skin;
pub mod folded;
pub mod lbs;
pub mod measures;
mod method;
mod mix;
mod mmd_fit;
mod mmd_fits;
mod mmd_form;
mod morph_centers;
mod optimize;
mod palette_joints;
mod posed;
mod rotation_mean;
mod sample_poses;
pub mod sbs;
pub mod sdef;
mod settings;
mod skin;
mod smoothest;
mod vertex;

pub use anchors::SoftRange;
pub use author::{spherical_parameters, vertex_method_codes};
pub use authored::AuthoredProblem;
pub use bezier_forms::bezier_joints;
pub use bone_frame::BoneFrame;
pub use box_anchors::{BoneBox, BoxCoverage, BoxSpace, bind_by_boxes};
pub use calibrate::{CalibratedJoint, WeightChange, calibrate_weights};
pub use delta_mush::DeltaMush;
pub use fast_skin::FastSkin;
pub use folded::{Folded, FoldedTerm};
pub use method::{BezierForm, DEFAULT_MUSH_ITERATIONS, DEFAULT_S, Method, MethodError};
pub use mmd_fits::{FormErrors, MmdFits};
pub use mmd_form::{MmdLosses, with_mmd_form};
pub use morph_centers::MorphCenters;
pub use optimize::{BendLoss, JointLoss, OptimizedJoint, optimize_joints};
pub use posed::PosedCharacter;
pub use rotation_mean::{RotationBlend, mean_rotation};
pub use settings::{JointRange, JointRule, SkinSettings, VertexMethods, matches};
pub use skin::{Skin, bind};
pub use smoothest::{SmoothestMethod, smoothest_methods};
pub use vertex::{JointHead, MovedVertex, RestVertex};

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
