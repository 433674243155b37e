//! Examples: from files, from a simulation, or from any deformer of Sinew in poses that are sampled joint by joint.

pub(crate) mod example_set;
pub(crate) mod exchange;
pub(crate) mod exchange_character;
pub(crate) mod flesh_source;
pub(crate) mod joint_range;
pub(crate) mod posing;
pub(crate) mod region;
pub(crate) mod sampling;
pub(crate) mod shape_files;
pub(crate) mod symmetry;
