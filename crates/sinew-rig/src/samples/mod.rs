//! Characters made in code, for demonstrations and tests: no file, no licence, no download.

mod limb;

pub use limb::limb;
