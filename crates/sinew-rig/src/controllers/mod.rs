//! Helper bones that follow other bones by formulas.
//!
//! After \[Mukai15\] Sec. 5, as data that any file can store: drivers give a few numbers, a basis makes functions of them, and each
//! helper's pose is a weighted sum of those functions. Helpers keep a skin in shape where bones alone cannot.
//!
//! | symbol | here | meaning |
//! |---|---|---|
//! | q | [`driver_rotation`] | rotation of a driver in its parent, relative to rest, in its own axes |
//! | x | [`ControllerDriver::axes`] | log q along each axis; log of (v, w) is half the angle along v |
//! | | [`ControllerDriver::shifts`] | the way from rest along each direction, after those |
//! | φ | [`ControllerBasis`] | functions of all x; φ₀ = 1 |
//! | y | [`HelperController::terms`] | seven numbers, Σ φ c |
//!
//! The transform of a helper in its parent is `rest · T(y₀₁₂) · R(exp y₃₄₅) · S(exp y₆)`.

mod basis;
mod check;
mod runtime;
mod swing;

pub use basis::ControllerBasis;
pub use runtime::{
    ControllerRun, DriverChange, driver_change, driver_rotation, exp_quaternion, helper_change,
    log_quaternion,
};
pub use swing::Swing;

pub(crate) use check::check;

use crate::{BoneId, MeshId};
use glam::DVec3;

/// Numbers of a helper's pose: translation of its origin along its own axes at rest, log-quaternion, logarithm of its uniform scale.
pub const HELPER_NUMBERS: usize = 7;

/// All controllers of a character. Empty by default.
///
/// Invariant (checked by [`crate::Character::new`]): all bones, inputs, functions and morphs exist, numbers are finite, no driver is below a
/// helper, and every swing comes to rest.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HelperControllers {
    /// The input bones, in the order of their inputs.
    pub drivers: Vec<ControllerDriver>,
    /// The weighted functions.
    pub basis: ControllerBasis,
    /// The controlled bones.
    pub helpers: Vec<HelperController>,
    /// The controlled morphs.
    pub morphs: Vec<MorphController>,
}

/// An input bone.
#[derive(Clone, Debug, PartialEq)]
pub struct ControllerDriver {
    /// Neither a helper nor below one.
    pub bone: BoneId,
    /// Up to three axes in its own frame, each an input: one for a hinge, two for a universal joint, three for a ball.
    pub axes: Vec<DVec3>,
    /// Up to three directions in its own frame at rest, each an input: the dot product with the way that it has moved from rest, in its own unit. For
    /// bones that slide; mostly none.
    pub shifts: Vec<DVec3>,
}

impl ControllerDriver {
    /// A driver that is asked how it turns.
    pub fn turning(bone: BoneId, axes: Vec<DVec3>) -> Self {
        Self { bone, axes, shifts: Vec::new() }
    }

    /// Number of inputs.
    pub fn input_count(&self) -> usize {
        self.axes.len() + self.shifts.len()
    }
}

/// A controlled bone.
#[derive(Clone, Debug, PartialEq)]
pub struct HelperController {
    /// The bone; at rest when all numbers are 0.
    pub bone: BoneId,
    /// Functions of the basis by index, each with its contribution to the [`HELPER_NUMBERS`].
    pub terms: Vec<(u16, [f64; HELPER_NUMBERS])>,
    /// Lag and swing in motions; `None` follows at once.
    pub swing: Option<Swing>,
}

/// A controlled morph: its weight on every instance of its mesh is `max(0, Σ φ c)`. Many programs do not support weights below 0, so a
/// change in both directions takes two morphs.
#[derive(Clone, Debug, PartialEq)]
pub struct MorphController {
    /// The mesh that has the morph.
    pub mesh: MeshId,
    /// Index in the mesh's list.
    pub morph: u32,
    /// Functions of the basis by index, each with its factor.
    pub terms: Vec<(u16, f64)>,
}

impl HelperControllers {
    /// Whether there are no controlled bones and morphs.
    pub fn is_empty(&self) -> bool {
        self.helpers.is_empty() && self.morphs.is_empty()
    }

    /// Number of inputs.
    pub fn input_count(&self) -> usize {
        self.drivers.iter().map(ControllerDriver::input_count).sum()
    }

    /// Number of functions, including the constant.
    pub fn function_count(&self) -> usize {
        self.basis.function_count()
    }

    /// Number of coefficients that are not 0.
    pub fn coefficient_count(&self) -> usize {
        let of_helpers = self.helpers.iter().flat_map(|helper| &helper.terms).flat_map(|(_, row)| row);
        let of_morphs = self.morphs.iter().flat_map(|morph| &morph.terms).map(|(_, factor)| factor);
        of_helpers.chain(of_morphs).filter(|value| **value != 0.0).count()
    }

    /// Whether any helper lags or swings.
    pub fn swings(&self) -> bool {
        self.helpers.iter().any(|helper| helper.swing.is_some())
    }
}
