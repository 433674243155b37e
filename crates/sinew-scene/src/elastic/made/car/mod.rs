//! A small round car.

mod coachwork;
mod examples;
mod fittings;

use super::parts::Shells;
use super::{MadeBody, moved};
use coachwork::coachwork;
use glam::Vec3;
use sinew_geometry::TetMesh;

/// The box of tetrahedra round the car, metres: 4 × 4 × 12 particles, closest along the car,
/// where it folds.
const BOX: Vec3 = Vec3::new(1.9, 1.56, 4.2);
const CELLS: [usize; 3] = [3, 3, 11];

/// A car that stands at y = 0 and faces +Z, 4 m long, in 192 particles; crumpled, folded like an accordion, and as cartoons have it when it
/// brakes and when it leaps forward.
pub fn car() -> MadeBody {
    let tets = moved(&TetMesh::lattice(CELLS, BOX), Vec3::new(-0.5 * BOX.x, -0.02, -0.5 * BOX.z));
    let mut shells = Shells::default();
    coachwork(&mut shells);
    fittings::add(&mut shells);
    MadeBody::new("car", tets, (shells.mesh, shells.colors), examples::examples)
}
