//! Tetrahedra as text of each format.

use crate::shortest::Shortest;
use glam::Vec3;
use sinew_geometry::TetMesh;
use std::fmt::Write;

/// The two files of TetGen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TetgenText {
    /// `.node`, points numbered from 0.
    pub node: String,
    /// `.ele`, four points a tetrahedron.
    pub ele: String,
}

/// TetGen's files.
pub fn write_tetgen(mesh: &TetMesh) -> TetgenText {
    let (mut node, mut ele) = (String::new(), String::new());
    // Writing to a String cannot fail, here and below.
    let _ = writeln!(node, "{} 3 0 0", mesh.points().len());
    for (index, point) in mesh.points().iter().enumerate() {
        let _ = writeln!(node, "{index} {}", Place(point));
    }
    let _ = writeln!(ele, "{} 4 0", mesh.tets().len());
    for (index, [a, b, c, d]) in mesh.tets().iter().enumerate() {
        let _ = writeln!(ele, "{index} {a} {b} {c} {d}");
    }
    TetgenText { node, ele }
}

/// Gmsh's format, text of version 2.2, which most programs read.
pub fn write_msh(mesh: &TetMesh) -> String {
    let mut text = String::from("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n");
    let _ = writeln!(text, "{}", mesh.points().len());
    for (index, point) in mesh.points().iter().enumerate() {
        let _ = writeln!(text, "{} {}", index + 1, Place(point));
    }
    let _ = writeln!(text, "$EndNodes\n$Elements\n{}", mesh.tets().len());
    for (index, tet) in mesh.tets().iter().enumerate() {
        let [a, b, c, d] = tet.map(|corner| corner + 1);
        let _ = writeln!(text, "{} 4 2 1 1 {a} {b} {c} {d}", index + 1);
    }
    text.push_str("$EndElements\n");
    text
}

/// VTK's legacy format, text.
pub fn write_vtk(mesh: &TetMesh) -> String {
    let count = mesh.tets().len();
    let mut text = String::from("# vtk DataFile Version 3.0\ntetrahedra\nASCII\nDATASET UNSTRUCTURED_GRID\n");
    let _ = writeln!(text, "POINTS {} float", mesh.points().len());
    for point in mesh.points() {
        let _ = writeln!(text, "{}", Place(point));
    }
    let _ = writeln!(text, "CELLS {count} {}", 5 * count);
    for [a, b, c, d] in mesh.tets() {
        let _ = writeln!(text, "4 {a} {b} {c} {d}");
    }
    let _ = writeln!(text, "CELL_TYPES {count}");
    for _ in 0..count {
        text.push_str("10\n");
    }
    text
}

/// Three numbers, each in its shortest exact form.
struct Place<'a>(&'a Vec3);

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Vec3 { x, y, z } = *self.0;
        write!(f, "{} {} {}", Shortest(x), Shortest(y), Shortest(z))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tets::{read_msh, read_tetgen, read_vtk};
    use crate::{Limits, Report};

    #[test]
    fn every_format_comes_back_the_same() {
        let lattice = TetMesh::lattice([3, 2, 4], Vec3::new(0.1, 1.0 / 3.0, 7e-5));
        let moved: Vec<Vec3> = lattice.points().iter().map(|point| *point - Vec3::splat(0.01)).collect();
        let mesh = TetMesh::new(moved, lattice.tets().to_vec()).unwrap();
        let mut report = Report::default();
        let limits = Limits::default();
        let tetgen = write_tetgen(&mesh);
        let tetgen = read_tetgen(tetgen.node.as_bytes(), tetgen.ele.as_bytes(), &limits, &mut report);
        assert_eq!(tetgen, Ok(mesh.clone()));
        assert_eq!(read_msh(write_msh(&mesh).as_bytes(), &limits, &mut report), Ok(mesh.clone()));
        assert_eq!(read_vtk(write_vtk(&mesh).as_bytes(), &limits, &mut report), Ok(mesh));
        assert!(report.is_empty(), "{report:?}");
    }
}
