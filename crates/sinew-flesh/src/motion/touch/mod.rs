//! Flesh that touches itself, the ground and other things.
//!
//! What touches is the skin, not the tetrahedra around it, so that contact is between points of the skin ([`SkinPoint`]), which are
//! carried by the particles of their tetrahedra. In every step points that face each other are found where the *skinned* shape has them,
//! and become barriers of the soft body: planes that flesh may not pass. Nothing about a barrier depends on where flesh is at the moment
//! except how fast it is parted, so that a pose that is frozen has the same barriers in each step, and flesh comes to rest between them.
//!
//! With p and n the places and normals of two points in the skinned shape, i of one part of the body and j of another,
//!
//! - the plane's normal is `n = (nⱼ − nᵢ) / |nⱼ − nᵢ|`, the gap `g = n · (pᵢ − pⱼ)`, and what is left of pᵢ − pⱼ lies beside it;
//! - the rig is not fought: of a skinned gap below 0 as much is left as the flesh of both cannot give way, and all of it where it is
//!   deeper than the depth D that both can give; what overlaps at rest may do so always:
//!   `g* = min(0, g s(D/2, D, −g), g at rest)` with s the smooth step;
//! - a point stands for a disc of radius r that falls back at its edge: `g* − D s(0.6 r, r, beside)`.
//!
//! Each of them goes to nothing where points come into sight or leave it, so that nothing jumps.

mod near_pairs;
mod points;
mod skin_touch;

pub use points::{SkinPoint, choose_skin_points};
pub(super) use skin_touch::{Bodies, SkinTouch, TouchSettings};
