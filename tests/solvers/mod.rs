//! Solvers beside other people's.

mod cases;
mod hull_nearest;
mod judge;
