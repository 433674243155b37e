//! Tests of soft bodies, from outside: one program, so that one is linked.

mod abuse;
mod abused;
mod contact;
mod follow;
mod graded_and_degenerate;
mod hair_and_cloth;
mod structures;
mod structures_abuse;
