//! Bodies from measures: a survey of people completes those that are not given.
//!
//! The input is stature, weight, age and any tape measures. [`complete`] keeps them and adds the others as the average of people with these
//! measures. Impossible values are rejected with a range to use; values outside the survey are reported; none is changed.
//!
//! The survey is ANSUR II \[Gordon14\]: soldiers of 17 to 58 years. It has no children, no old people, and no very thin or heavy ones.
//!
//! ```
//! use sinew_body::survey::{complete, Measure, Sex};
//!
//! let given = [(Measure::find("height")?, 1.80), (Measure::find("waist")?, 0.85)];
//! let man = complete(Sex::Male, &given).expect("a body that can be");
//! assert!((0.85..0.9).contains(&man.value(Measure::CrotchHeight)));
//! # Ok::<(), sinew_body::survey::UnknownName>(())
//! ```

mod complete;
mod condition;
mod contradiction;
mod measure;
mod normal;
mod population;
mod preset;
mod refusal;
mod report;
#[cfg(test)]
mod tests;

pub use complete::{Completed, Estimate, complete};
pub use condition::Expected;
pub use measure::{Measure, Unit, UnknownName};
pub use population::{Population, SURVEYED_AGES, Sex};
pub use preset::{PRESETS, Preset, PresetBuild, PresetValue};
pub use refusal::{MeasureError, Reason};
pub use report::{GivenValue, Note, SURVEYED_BODY_MASS_INDEX, SurveyReport};
