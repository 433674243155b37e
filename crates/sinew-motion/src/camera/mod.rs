//! Cameras in motion: eye and target as smooth curves of time, a lens, and cuts between cameras.
//!
//! Everything depends only on time and is twice continuously differentiable (C²) within a shot: neither speed nor acceleration jumps, at
//! any frame rate.
//!
//! ```
//! use glam::DVec3;
//! use sinew_motion::camera::{CameraRig, Ends, Lens, Path, Point};
//!
//! // A dolly of two keys is the quintic of least jerk: it starts and ends at rest.
//! let dolly = Path::through(&[(0.0, DVec3::new(4.0, 1.6, 0.0)), (3.0, DVec3::new(0.0, 1.6, 4.0))], Ends::Rest)?;
//! let rig = CameraRig::new(Point::Path(dolly), Point::Fixed(DVec3::Y), Lens::focal_mm(50.0, 24.0)?.steady());
//! let view = rig.view_at(1.5)?;
//! assert!((view.eye - DVec3::new(2.0, 1.6, 2.0)).length() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cuts;
mod error;
mod follow;
mod lens;
mod path;
mod rig;
mod view;

pub use cuts::{Cut, CutList};
pub use error::CameraError;
pub use follow::FollowCurve;
pub use lens::{Lens, LensPath};
pub use path::{CurvePoint, Ends, Path};
pub use rig::{CameraRig, Point};
pub use view::CameraView;
