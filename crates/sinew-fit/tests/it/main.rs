//! Tests of helper fits and controllers, from outside: one program, so that one is linked.

mod append;
mod controllers;
mod degenerate;
mod helpers;
mod lasso_reference;
mod rules;
mod support;
