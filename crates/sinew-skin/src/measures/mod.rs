//! Measures of a joint: kink, outward bulge, volume, section and radius, of the surface itself.
//!
//! A surface is cut in rest by planes across the joint's axis into *rings* ([`JointRings`]). A ring is a set of points on edges of the mesh
//! and moves with their vertices, whatever moves those: any method, any weights, a file's own c, r0 and r1, a simulation. The *center curve*
//! is the polyline of the rings' centroids.
//!
//! | measure | definition | unit |
//! |---|---|---|
//! | kink | angle between the center curve in its first gap (at r0; in its last at r1) and the same gap of the rest curve, moved rigidly with the parent (the child) | rad |
//! | sharpest turn | largest turn between neighboring gaps of the center curve that the pose adds: its rotation vector in the frame of the ring between them, less that in rest | rad |
//! | bulge | maximum distance of the center curve from the wedge between the two bones, on the outer side; the offset of rings from the axis in rest is taken off | limb radii |
//! | volume | volume that the joint's part encloses, relative to rest | 1 |
//! | section | volume that the rings sweep, divided by the length of the center curve, relative to rest: 1 if a limb is neither thinner nor thicker | 1 |
//! | least section | smallest area of a ring across the center curve relative to rest | 1 |
//! | radius | minimum and maximum distance of a ring's points from its center relative to rest | 1 |
//!
//! Rings are as far apart as the rows of the mesh, because a surface of triangles turns only there. So a kink is what a script finds that takes
//! the centroids of a tube's rows. On a smooth curve it is not 0, but half of what the curve turns in one gap: 1° where a bend of 90° has 45
//! rows. A kink between two rows is shared by both; the sharpest turn then tells the rest of it.
//!
//! Real limbs are uneven: the centroids of an elbow's rows zigzag by 20° in rest. So turns are those that the pose adds.
//!
//! [`JointProbe`] is the *ideal* joint: the curve of axis points (v = c) under a method with weights linear from r0 to r1. The strips of
//! \[Hagihara14\] fig. 5 to 18 show that curve. [`joint_probes`] finds the joints of a character.

mod joint_measures;
mod joint_probe;
mod probes;
mod rings;
mod slice;
mod volume;

pub use joint_measures::{JointMeasures, RadiusRange};
pub use joint_probe::{JointProbe, Kink, bulge};
pub use probes::{ProbedJoint, joint_probes};
pub use rings::JointRings;
pub use volume::ClosedSurface;
