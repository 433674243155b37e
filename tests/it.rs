//! Tests that span crates and measure neither memory nor time: one program, so that one is linked.

mod corpora;
mod solvers;
