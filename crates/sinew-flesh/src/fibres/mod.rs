//! Which way flesh runs.
