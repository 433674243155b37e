//! Tests of flesh in motion: one program, so that one is linked.

mod fibre_pull;
mod motion;
