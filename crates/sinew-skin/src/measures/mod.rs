//! Figures for what pictures of a joint only show: kink, outward bulge, volume and radius.
//!
//! | measure | definition | unit |
//! |---|---|---|
//! | kink | angle between a bone's axis and the tangent of the center curve, at r0 and at r1, inside the soft range | radians |
//! | bulge | greatest distance of the center curve from the wedge between the two bones, on the outer side | limb radii |
//! | volume | enclosed volume over that in rest | 1 |
//! | section | volume over the length of the center curve, over that in rest: 1 where a limb is no thinner and no thicker | 1 |
//! | radius | least and greatest distance from the surface to the center curve over that in rest | 1 |
//!
//! The *center curve* is the image of the axis: every point c of the polyline r0 → b → r1 is moved as a vertex at v = c would be, with
//! t falling linearly along the polyline from 1 at r0 to 0 at r1. It is not the curve f_B alone; the strips of \[Hagihara14\] fig. 5 to 18
//! show the same curve.
//!
//! All measures are plain functions over positions; [`JointProbe`] makes the curve of a joint by the methods' own code, and
//! [`joint_probes`] finds the joints of a character.

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
