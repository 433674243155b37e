//! Bending and twisting tubes.
