//! Tests of gaits and jumps of stick humans: one program, so that one is linked.

mod gaits;
mod jumps;
mod quadrupeds;
mod root_motion;
mod sequences;
mod support;
mod t_pose;
