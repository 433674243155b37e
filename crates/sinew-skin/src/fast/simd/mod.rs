//! The places that need `unsafe`: threads that write disjoint vertices of one list.

mod scatter;

pub(super) use scatter::{BlockOrder, Scatter};
