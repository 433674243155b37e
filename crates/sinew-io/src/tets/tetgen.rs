//! TetGen's pair of files: points in `.node`, tetrahedra in `.ele`.

use super::Result;
use super::assemble::{Corners, Points, assemble};
use super::words::Words;
use crate::limits::Budget;
use crate::{Limits, Report};
use sinew_geometry::TetMesh;

/// Reads TetGen's files. Points may have any numbers; attributes and boundary markers are ignored.
///
/// # Errors
/// If either is damaged or exceeds `limits`, or there is no tetrahedron.
pub fn read_tetgen(node: &[u8], ele: &[u8], limits: &Limits, report: &mut Report) -> Result<TetMesh> {
    let mut budget = Budget::new(limits, node.len() + ele.len());
    let points = read_node(node, &mut budget)?;
    let corners = read_ele(ele, &mut budget)?;
    assemble(points, &corners, report)
}

/// "points dimension attributes markers", then "number x y z attributes… marker" for each.
fn read_node(bytes: &[u8], budget: &mut Budget) -> Result<Points> {
    let mut words = Words::new(bytes, ".node ", Some(b'#'));
    let count = words.count("points", 8, 12, budget)?;
    let dimension: u32 = words.number_in_line("3, the number of dimensions")?;
    if dimension != 3 {
        return Err(words.unexpected("3 dimensions", dimension.to_string().as_bytes()));
    }
    words.end_line();
    let mut points = Points::with_capacity(count);
    for _ in 0..count {
        let number: u64 = words.number("a point's number")?;
        let mut parts = [0.0; 3];
        for part in &mut parts {
            *part = words.number_in_line::<f64>("a coordinate")?;
        }
        let point = words.checked_point(parts)?;
        points.add(number, point);
        words.end_line();
    }
    Ok(points)
}

/// "tetrahedra nodes attributes", then "number nodes… attributes…" for each.
fn read_ele(bytes: &[u8], budget: &mut Budget) -> Result<Corners> {
    let mut words = Words::new(bytes, ".ele ", Some(b'#'));
    let count = words.count("tetrahedra", 10, 40, budget)?;
    let nodes: u32 = words.number_in_line("4 or 10, the number of nodes")?;
    if nodes < 4 {
        return Err(words.unexpected("4 or 10 nodes", nodes.to_string().as_bytes()));
    }
    words.end_line();
    let mut corners = Corners { tets: Vec::with_capacity(count), ..Corners::default() };
    for _ in 0..count {
        words.number::<u64>("a tetrahedron's number")?;
        corners.tets.push(words.corners()?);
        words.end_line();
    }
    corners.curved = if nodes > 4 { count } else { 0 };
    Ok(corners)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of double precision at volumes below 1.
    const ROUNDING: f64 = 1e-12;

    const NODE: &str = "# made by hand\n4 3 1 1\n1 0 0 0 0.5 1\n2 1 0 0 0.5 1 # here\n\n3 0 1 0 0.5 0\n4 0 0 1 0.5 0\n# end\n";
    const ELE: &str = "1 4 1\n1 1 2 3 4 7\n";

    fn read(node: &str, ele: &str) -> (Result<TetMesh>, Vec<String>) {
        let mut report = Report::default();
        let mesh = read_tetgen(node.as_bytes(), ele.as_bytes(), &Limits::default(), &mut report);
        (mesh, report.warnings().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn numbers_may_start_anywhere() {
        let (mesh, warnings) = read(NODE, ELE);
        assert!((mesh.unwrap().volume() - 1.0 / 6.0).abs() < ROUNDING);
        assert!(warnings.is_empty(), "{warnings:?}");
        let (from_zero, _) = read("4 3 0 0\n0 0 0 0\n1 1 0 0\n2 0 1 0\n3 0 0 1\n", "1 4 0\n0 0 1 2 3\n");
        assert_eq!(from_zero.unwrap(), read(NODE, ELE).0.unwrap());
        let (doubled, warnings) =
            read(&NODE.replace("4 3 1 1", "5 3 1 1").replace("4 0 0 1", "3 9 9 9\n4 0 0 1"), ELE);
        assert!((doubled.unwrap().volume() - 1.0 / 6.0).abs() < ROUNDING);
        assert_eq!(warnings, ["1 points have the number of an earlier point; the first is used"]);
        let (mixed, _) = read("4 3 0 0\n10 0 0 0\n7 1 0 0\n99 0 1 0\n0 0 0 1\n", "1 4 0\n0 10 7 99 0\n");
        assert_eq!(mixed.unwrap(), read(NODE, ELE).0.unwrap());
    }

    #[test]
    fn wrong_tetrahedra_are_told() {
        let ele = "5 10\n0 1 2 3 4\n1 2 1 3 4\n2 1 1 2 3\n3 1 2 3 9\n4 1 2 3 4\n";
        let (mesh, warnings) = read(NODE, ele);
        assert_eq!(mesh.unwrap().tets().len(), 3);
        assert_eq!(
            warnings,
            [
                "5 tetrahedra have more than four nodes; only their corners are kept",
                "line 4: the tetrahedron uses a point twice; it is left out",
                "line 5: point 9 does not exist; the tetrahedron is left out",
                "1 of 3 tetrahedra were inverted; flipped",
            ]
        );
    }

    #[test]
    fn damage_is_refused_with_its_line() {
        let check = |node: &str, ele: &str, expected: &str| {
            assert_eq!(read(node, ele).0.unwrap_err().to_string(), expected);
        };
        check("", ELE, ".node line 1: expected the number of points, found the end of the file");
        check("4 2 0 0", ELE, ".node line 1: the file declares 4 points, but only 6 bytes follow");
        check("1 2 0 0\n1 0 0 0\n", ELE, ".node line 1: expected 3 dimensions, found \"2\"");
        check("1 3 0 0\n1 0 zero 0\n", ELE, ".node line 2: expected a coordinate, found \"zero\"");
        check("1 3 0 0\n1 0 0\n  0  \n", ELE, ".node line 2: expected a coordinate, found \"\"");
        check(
            "1 3 0 0\n1 0 0 1e99\n",
            ELE,
            ".node line 2: expected three finite single-precision numbers for a point",
        );
        check(
            "99999999999999 3 0 0\n1 0 0 0\n",
            ELE,
            ".node line 1: the file declares 99999999999999 points, but only 15 bytes follow",
        );
        check(NODE, "1 3\n1 1 2 3 4\n", ".ele line 1: expected 4 or 10 nodes, found \"3\"");
        check(NODE, "1 4\n1 1 2 3\n# 4 is missing\n", ".ele line 2: expected a corner, found \"\"");
        check(NODE, "1 4\n1 1 2 3 -4\n", ".ele line 2: expected a corner, found \"-4\"");
        check(NODE, "0 4 0\n", "the file has no valid tetrahedron (4 points)");
    }
}
