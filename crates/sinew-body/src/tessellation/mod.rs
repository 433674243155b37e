//! Fast evaluation.
