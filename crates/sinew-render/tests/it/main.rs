//! Tests of pictures of small scenes: one program, so that one is linked.

mod degenerate;
mod determinism;
mod pictures;
mod shapes;
mod steady;
