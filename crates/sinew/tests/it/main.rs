//! Tests of whole pipelines, in figures: one program, so that one is linked.

mod figures_kinks;
mod figures_models;
mod figures_viewers;
mod flesh;
mod flesh_anatomy;
mod helper_rig;
mod pmx_pictures;
