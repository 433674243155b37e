//! Spherical blend skinning.
//!
//! `v' = R (v − c) + Σ wᵢ Mᵢ c`, \[Hagihara14\] eq. 4 to 7 in column vectors, with `R` the mean of the bones' rotations times the mean of their
//! stretches: scale and shear are carried, and one bone with all the weight gives exactly LBS.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `c` | `vertex.center` | projection of the vertex onto the axis of its bones |
//! | `R` | `map` | blended rotation and stretch |
//!
//! Departures: \[Hagihara14\] eq. 6 raises the rotation to `t`, but nothing rotates at the parent's end, where t = 1: the exponent is
//! `1 − t`, as given by slerp with weights. Any number of bones, by the geodesic mean.
//! Limits: swells at the outside of strong bends; see `docs/methods/sbs.md`.

use crate::{BoneFrame, MovedVertex, RestVertex, RotationBlend};

/// Moves one vertex.
pub fn move_vertex(vertex: &RestVertex<'_>, bones: &[BoneFrame], blend: RotationBlend) -> MovedVertex {
    vertex.turned_about_center(bones, blend)
}
