//! Flesh that touches itself, the ground and other things.
//!
//! Contact is a part of the shape that flesh follows, as the bulge of muscles is: a point of the skin whose skinned place lies inside another
//! part of the body, or a collider, is moved out as far as flesh gives way. That depends on the pose and on colliders alone, so that nothing
//! feeds back: a frozen pose is calm, and what flesh adds is motion alone. Vertices of the skin and points of the flesh are moved by the same law
//! ([`Press`]).
//!
//! Other parts are asked for at rest. Every bone B has a [`PartField`], the distance to the skin that it moves; a posed point p lies
//! in B as its image under B's motion taken back, q = B⁻¹ p, lies in the field. With n the way out of B at q, d the depth there beyond that at
//! rest, D_a and D_b how far both sides give way, w_B(q) how much B moves the skin there, and u_B how much it moves the point itself,
//!
//! ```text
//! push of B = ramp(w_B(q)) (1 − s(u_B)) · D_a / (D_a + D_b) · limit(d, D_a + D_b) · B n
//! ```
//!
//! Pushes of several bones are joined so that a trunk of three pushes as one; the other side is pushed by the rest of d in the same way. Every factor is continuous in the pose, and goes to nothing at its end.

mod body_parts;
mod part_field;
mod press;
mod spread;
mod touch_points;

pub use body_parts::{BodyParts, PosedParts};
pub use part_field::{Look, PartField};
pub use press::Press;
pub use spread::PushSpread;
pub use touch_points::{TouchPoints, TouchSkin};
