//! MMD files, put together byte by byte without `sinew-io`, and the means to damage them.

mod builder;
mod damage;
mod pmd_file;
mod pmx_file;

pub use builder::MmdFile;
pub use damage::{MMD_DAMAGES, MmdDamage, damaged_mmd};
pub use pmd_file::{PmdShape, pmd_file, pmd_files};
pub use pmx_file::{PmxShape, pmx_file, pmx_files};
