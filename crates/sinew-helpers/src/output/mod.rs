//! From a fit to a character that plays anywhere, with correctives and constraints, and to files.

pub(crate) mod append;
pub(crate) mod constraints;
mod convert;
pub(crate) mod corrected;
pub(crate) mod correctives;
pub(crate) mod mmd;
pub(crate) mod put_fit;
pub(crate) mod put_on;
pub(crate) mod result_file;
