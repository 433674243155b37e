//! Tetrahedra of TetGen (`.node` and `.ele`), Gmsh (`.msh`) and VTK (`.vtk`).
//!
//! Positions are read unchanged: m, +Y up. Of second-order tetrahedra the four corners are kept. Other elements are left out and
//! reported, as are tetrahedra with a missing or repeated corner. Inverted tetrahedra are flipped.

mod assemble;
mod error;
mod gmsh;
mod tetgen;
mod vtk;
mod words;
mod write;

use error::Result;
pub use error::TetReadError;
pub use gmsh::read_msh;
pub use tetgen::read_tetgen;
pub use vtk::read_vtk;
pub use write::{TetgenText, write_msh, write_tetgen, write_vtk};
