//! Bodies made in code: tetrahedra, a coloured surface that moves with them, and examples.
//!
//! Those of the scenes of \[Koyama13\], as its text describes them: a cuboid of 225 particles, cylinders with a hollow tube as their skin, a
//! teddy of some 1,280 and a car of 192. All forms are our own.

mod car;
mod cuboid;
mod curves;
mod cylinder;
mod parts;
mod teddy;
#[cfg(test)]
mod tests;
mod tiles;

pub use car::car;
pub use cuboid::cuboid;
pub use cylinder::cylinder;
pub use teddy::teddy;

use glam::{Vec3, Vec4};
use sinew_geometry::{CoverError, Embedding, TetMesh, TriangleMesh};

/// Example shapes by name.
pub type Examples = Vec<(&'static str, Vec<Vec3>)>;

/// A body with its skin and examples, in metres, +Y up.
#[derive(Clone, Debug)]
pub struct MadeBody {
    /// What scenes call it.
    pub name: &'static str,
    /// Its particles are the points.
    pub tets: TetMesh,
    /// What is seen, at rest.
    pub surface: TriangleMesh,
    /// One per vertex of the surface, linear, with alpha.
    pub colors: Vec<Vec4>,
    /// The surface's vertices in the tetrahedra.
    pub embedding: Embedding,
    /// Names and shapes, one place a particle.
    pub examples: Examples,
    /// The group of each particle's region; empty where the whole body is one.
    pub groups: Vec<u16>,
}

/// Names of all bodies that [`made`] knows.
pub const MADE: [&str; 4] = ["cuboid", "cylinder", "teddy", "car"];

/// The body of a name; `None` if there is none.
///
/// # Errors
/// Never for the bodies that are here: their surfaces can be covered.
pub fn made(name: &str) -> Option<Result<MadeBody, CoverError>> {
    match name {
        "cuboid" => Some(Ok(cuboid())),
        "cylinder" => Some(Ok(cylinder(20))),
        "teddy" => Some(teddy()),
        "car" => Some(Ok(car())),
        _ => None,
    }
}

impl MadeBody {
    /// Of a colored surface within tetrahedra, without groups.
    fn new(
        name: &'static str,
        tets: TetMesh,
        (surface, colors): (TriangleMesh, Vec<Vec4>),
        examples: fn(&TetMesh) -> Examples,
    ) -> Self {
        let embedding = Embedding::of_points(&surface.positions, &tets).unwrap_or_default();
        let examples = examples(&tets);
        Self { name, tets, surface, colors, embedding, examples, groups: Vec::new() }
    }

    /// An example's shape by its name.
    pub fn example(&self, name: &str) -> Option<&[Vec3]> {
        self.examples.iter().find(|(known, _)| *known == name).map(|(_, shape)| shape.as_slice())
    }
}

/// Every point where a formula has it.
fn shaped(tets: &TetMesh, formula: impl Fn(Vec3) -> Vec3) -> Vec<Vec3> {
    tets.points().iter().map(|point| formula(*point)).collect()
}

/// A mesh moved by so much.
fn moved(tets: &TetMesh, by: Vec3) -> TetMesh {
    let points = tets.points().iter().map(|point| *point + by).collect();
    // Tetrahedra that were right stay so.
    TetMesh::new(points, tets.tets().to_vec()).unwrap_or_default()
}
