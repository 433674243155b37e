//! Muscles by name: where they lie, and how they answer to joints.
