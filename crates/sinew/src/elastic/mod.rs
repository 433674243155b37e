//! Soft bodies that follow examples.

pub mod made;
