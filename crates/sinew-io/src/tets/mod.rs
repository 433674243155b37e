//! Tetrahedra in the formats of TetGen (`.node` and `.ele`), Gmsh (`.msh`) and VTK (`.vtk`).
//!
//! Positions are taken as they are: metres, +Y up. Of second-order tetrahedra the four corners are kept. What is no tetrahedron is left out and
//! reported; so are tetrahedra with a corner that does not exist, or one twice. Those wound the other way round are turned.

mod assemble;
mod error;
mod gmsh;
mod tetgen;
mod vtk;
mod words;
mod write;

pub use error::TetReadError;
pub use gmsh::read_msh;
pub use tetgen::read_tetgen;
pub use vtk::read_vtk;
pub use write::{TetgenText, write_msh, write_tetgen, write_vtk};
