//! Measures of a joint: kink, outward bulge, volume and radius.
//!
//! | measure | definition | unit |
//! |---|---|---|
//! | kink | angle between a bone's axis and the tangent of the center curve, at r0 and at r1, inside the soft range | rad |
//! | bulge | maximum distance of the center curve from the wedge between the two bones, on the outer side | limb radii |
//! | volume | enclosed volume relative to rest | 1 |
//! | section | volume divided by the length of the center curve, relative to rest: 1 if a limb is neither thinner nor thicker | 1 |
//! | radius | minimum and maximum distance from the surface to the center curve relative to rest | 1 |
//!
//! The *center curve* is the image of the axis: every point c of the polyline r0 → b → r1 moves like a vertex at v = c, with t falling linearly
//! along the polyline from 1 at r0 to 0 at r1. It is not only the curve f_B; the strips of \[Hagihara14\] fig. 5 to 18 show the same curve.
//!
//! All measures are plain functions over positions; [`JointProbe`] computes the curve of a joint by the methods' own code, and [`joint_probes`]
//! finds the joints of a character.

mod joint_measures;
mod joint_probe;
mod polyline;
mod probes;
mod volume;

pub use joint_measures::JointMeasures;
pub use joint_probe::{JointProbe, Kink, bulge};
pub use polyline::{RadiusRange, radius_range};
pub use probes::{ProbedJoint, joint_probes};
pub use volume::ClosedSurface;
