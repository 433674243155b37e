//! Key names of springs in VRM 1.0.

/// Name of the document extension.
pub(super) const SPRING_EXTENSION: &str = "VRMC_springBone";

/// Extension of a collider, for shapes that the first does not have.
pub(super) const EXTENDED_COLLIDER: &str = "VRMC_springBone_extended_collider";

/// The members of the document extension that Sinew knows.
pub(super) const MEMBERS: [&str; 4] = ["specVersion", "colliders", "colliderGroups", "springs"];
