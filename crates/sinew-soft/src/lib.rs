//! Soft bodies by shape matching, with examples that they may follow.
//!
//! A body is a cloud of particles in overlapping regions. Each region has a rest shape; in every step it finds the rotation that brings
//! that shape nearest to where its particles are, and pulls them there. Example shapes widen what a region is content with: it then
//! takes the mixture of rest and examples that is nearest to its present stretch \[Koyama13\].
//!
//! ```
//! use glam::Vec3;
//! use sinew_geometry::TetMesh;
//! use sinew_soft::{Collider, ContactSettings, RegionMaterial, Regions, Rings, SoftBody, StepSettings};
//!
//! let bar = TetMesh::lattice([8, 4, 4], Vec3::new(0.8, 0.4, 0.4));
//! let masses = vec![0.5; bar.points().len()];
//! let regions = Regions::bind(bar.points(), &masses, &Rings::of_tets(&bar), |_| RegionMaterial::default());
//! let mut body = SoftBody::new(bar.points(), &masses, vec![(regions, None)]);
//! let floor = [Collider::floor(-0.2, ContactSettings::default())];
//! for _ in 0..60 {
//!     body.step(&StepSettings::default(), &floor);
//! }
//! assert!(body.positions().all(|place| place.y > -0.201));
//! ```
//!
//! Stiffness is physical: a material has a Young's modulus, and a bar sags as the theory of beams says, however fine its regions, however
//! long the step and however few the iterations. Both passes of an iteration only gather, so that results do not depend on the number
//! of threads.
//!
//! Besides solids of tetrahedra there are [`Chain`]s (hair), [`Sheet`]s (cloth) and [`Lattice`]s of cubes.

mod body;
mod contact;
mod examples;
mod kernel;
mod level;
pub mod measure;
mod oriented;
mod regions;
mod structures;
#[cfg(test)]
mod tests;
mod threads;
mod world;

pub use body::{Drag, Grip, Integration, Momentum, SoftBody, StepSettings};
pub use contact::{Collider, ContactSettings, Shape, Touch};
pub use contact::{ContactError, MeshShape, Skin};
pub use examples::{Anchors, TransferSettings, Transferred, transfer};
pub use examples::{BlendFault, BlendWarning, CheckSettings};
pub use examples::{Drive, Driver, Drivers, Measure, Part, Place};
pub use examples::{ExampleError, ExampleSet, ExampleSettings, Grouping, WeightRule};
pub use examples::{Hull, HullScratch, nearest_by_sorting, source_rule};
pub use level::FiberAnswer;
pub use regions::{RegionMaterial, Regions, Rings};
pub use structures::{Chain, ChainMaterial, Lattice, Sheet, SheetMaterial, Strand, StructureError};
pub use world::{Between, World};

/// The first triangle with a corner that is not there, and the corner.
fn missing_corner(triangles: &[[u32; 3]], count: usize) -> Option<(usize, u32)> {
    let missing = |corners: &[u32; 3]| corners.iter().copied().find(|&corner| corner as usize >= count);
    triangles.iter().enumerate().find_map(|(triangle, corners)| Some((triangle, missing(corners)?)))
}

/// The examples of the README, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
