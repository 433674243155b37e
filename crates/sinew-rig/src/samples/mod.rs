//! Characters made in code, for demonstrations and tests: no file, no license, no download.

mod figure;
mod limb;

pub use figure::figure;
pub use limb::limb;
