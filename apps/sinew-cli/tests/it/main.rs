//! Tests of the command line, as a user runs it: one program, so that one is linked.

mod bench;
mod body;
mod command_line;
mod compare_figures;
mod controllers;
mod elastic;
mod film;
mod fit;
mod flesh;
mod flesh_tune;
mod manners;
mod mmd;
mod motion;
mod patches;
mod rig;
mod slips;
mod tet;
