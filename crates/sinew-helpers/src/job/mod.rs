//! Whole jobs: a request in, an outcome out.

pub(crate) mod character;
pub(crate) mod exchange;
pub(crate) mod outcome;
pub(crate) mod request;
