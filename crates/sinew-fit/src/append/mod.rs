//! Helpers that follow other bones by shares of their turns: what MMD's append can do in place of controllers.
//!
//! A link turns about a pivot by a share of one driver's turn from rest; the first link hangs on a driver, each other one on the link before it. The
//! pivot is free, so a link also shifts what hangs on it. `chain.rs` evaluates chains, `hanging.rs` finds the best chain for one helper
//! with everything else fixed, `search.rs` alternates that with the weights.

mod chain;
mod hanging;
mod search;

pub use chain::{AppendChain, AppendLink, Turns};
pub use search::{AppendFit, AppendSearch, AppendSettings, AppendStart};
