//! Flesh inside rigged characters: what lies between bones and skin, which way it runs, and what it does when joints bend.

pub mod anatomy;
pub mod config;
pub mod contact;
pub mod fibers;
mod field;
pub mod motion;
pub mod muscles;

pub use field::FieldError;
