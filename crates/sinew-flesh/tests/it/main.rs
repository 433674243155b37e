//! Tests of flesh in motion: one program, so that one is linked.

mod fiber_pull;
mod motion;
