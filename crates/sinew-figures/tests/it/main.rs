//! Tests of the sources' figures: one program, so that one is linked.

mod kinks;
mod models;
mod viewers;
