//! The muscles of a human that show under the skin.
//!
//! Places follow anatomical landmarks. How far a belly shortens or stretches, c(θ), is the way of its tendon over the joint, moment arm times angle,
//! spread over the belly's length. Values are rounded and chosen for what shows under the skin, in the range of such moment arms and fiber lengths
//! as \[Holzbaur05\] has them for the arm and \[Arnold10\] for the leg; they are not fitted to either. Pennate muscles (quadriceps, calf) shorten
//! less than their fibers, because their belly is longer than those.

mod arm;
mod leg;
mod trunk;

use super::joint_angles::Joint;
use super::segment::Segment;
use super::spec::{Driver, MuscleSpec, Place, Strip};

/// A path as places: along, angle, depth.
type Way<'a> = &'a [(Segment, f64, f64, f64)];

fn strip(way: Way<'_>, width: f64, thickness: f64, belly: [f64; 2]) -> Strip {
    let path = way.iter().map(|&(segment, along, angle, depth)| Place::new(segment, along, angle, depth));
    Strip { path: path.collect(), width, thickness, belly }
}

fn muscle(name: &str, strips: Vec<Strip>, drivers: &[(Joint, &[[f64; 2]])]) -> MuscleSpec {
    let drivers = drivers.iter().map(|&(joint, curve)| Driver { joint, curve: curve.to_vec() });
    MuscleSpec { name: name.to_owned(), strips, drivers: drivers.collect(), ..MuscleSpec::default() }
}

/// All of them, from the shoulders down. They fit any humanoid by its bones.
pub fn human_muscles() -> Vec<MuscleSpec> {
    [arm::muscles(), trunk::muscles(), leg::muscles()].concat()
}
