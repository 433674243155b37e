//! Tests of whole pipelines: one program, so that one is linked.

mod flesh;
mod flesh_anatomy;
mod helper_rig;
mod pmx_pictures;
mod settings;
