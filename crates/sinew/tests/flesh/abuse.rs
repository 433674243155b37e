//! Motions and characters that nobody should make.
