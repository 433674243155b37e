//! File formats in and out of [`sinew_rig::Character`]. Bytes in, data out; every loss is reported.

mod report;

pub use report::{Report, Warning};
