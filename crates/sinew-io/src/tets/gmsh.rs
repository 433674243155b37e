//! Gmsh `.msh` files, text of versions 2 and 4.1.

use super::assemble::{Corners, Points, assemble};
use super::words::Words;
use super::{Result, TetReadError};
use crate::limits::Budget;
use crate::{Limits, Report};
use sinew_geometry::TetMesh;

/// Gmsh codes of the tetrahedra with 4, 10, 20, 35 and 56 nodes; the corners always come first.
const TETRAHEDRA: [u32; 5] = [4, 11, 29, 30, 31];

/// Reads a Gmsh file: text of version 2.0 to 2.2 or 4.1. Sections other than `$Nodes` and `$Elements` are ignored.
///
/// # Errors
/// If the file is damaged, binary, of another version, exceeds `limits`, or has no tetrahedron.
pub fn read_msh(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<TetMesh> {
    let mut words = Words::new(bytes, "", None);
    let mut budget = Budget::new(limits, bytes.len());
    let (mut points, mut corners) = (Points::default(), Corners::default());
    let mut version = None;
    while let Some(word) = words.next_word() {
        match (word, version) {
            (b"$MeshFormat", _) => version = Some(read_version(&mut words)?),
            (b"$Nodes", Some(Version::Two)) => read_nodes_two(&mut words, &mut points, &mut budget)?,
            (b"$Nodes", Some(Version::Four)) => read_nodes_four(&mut words, &mut points, &mut budget)?,
            (b"$Elements", Some(Version::Two)) => read_elements_two(&mut words, &mut corners, &mut budget)?,
            (b"$Elements", Some(Version::Four)) => read_elements_four(&mut words, &mut corners, &mut budget)?,
            (_, None) => {
                return Err(words.unexpected("$MeshFormat, as Gmsh files have since version 2", word));
            }
            (section, _) if section.starts_with(b"$") && !section.starts_with(b"$End") => {
                skip(&mut words, section)
            }
            _ => {
                words.end_line();
            }
        }
    }
    assemble(points, &corners, report)
}

#[derive(Clone, Copy)]
enum Version {
    Two,
    Four,
}

fn read_version(words: &mut Words<'_>) -> Result<Version> {
    let version: f64 = words.number("the version of the format")?;
    let (line, is_binary) = (words.line, words.number::<u32>("0 for text")? != 0);
    let unsupported = |what: String| Err(TetReadError::Unsupported { line, what });
    if is_binary {
        return unsupported("the file is binary; save it as text (in Gmsh: Mesh.Binary = 0)".into());
    }
    words.end_line();
    match version {
        2.0..3.0 => Ok(Version::Two),
        4.1..5.0 => Ok(Version::Four),
        _ => unsupported(format!("format version {version} is not supported; save it as 2.2 or 4.1")),
    }
}

/// Skips a section, to its end or the file's.
fn skip(words: &mut Words<'_>, section: &[u8]) {
    let name = &section[1..];
    words.end_line();
    while words.bytes_left() > 0 {
        if words.rest_of_line().strip_prefix(b"$End") == Some(name) {
            return;
        }
    }
}

/// "nodes", then "number x y z" for each.
fn read_nodes_two(words: &mut Words<'_>, points: &mut Points, budget: &mut Budget) -> Result<()> {
    let count = words.count("nodes", 8, 32, budget)?;
    for _ in 0..count {
        let number = words.number("a node's number")?;
        let point = words.point()?;
        points.add(number, point);
    }
    Ok(())
}

/// "blocks nodes least greatest", then for each block "dimension entity parametric nodes", the numbers, and "x y z" for each.
fn read_nodes_four(words: &mut Words<'_>, points: &mut Points, budget: &mut Budget) -> Result<()> {
    let block_count: u64 = words.number("the number of node blocks")?;
    words.end_line();
    for _ in 0..block_count {
        let dimension: u32 = words.number("a block's dimension")?;
        words.number::<i64>("a block's entity")?;
        let is_parametric = words.number::<u32>("whether a block is parametric")? != 0;
        let count = words.count("nodes", 8, 40, budget)?;
        let mut numbers: Vec<u64> = Vec::with_capacity(count);
        for _ in 0..count {
            numbers.push(words.number("a node's number")?);
        }
        for number in numbers {
            let point = words.point()?;
            points.add(number, point);
            for _ in 0..if is_parametric { dimension.min(3) } else { 0 } {
                words.number::<f64>("a parameter")?;
            }
        }
    }
    Ok(())
}

/// "elements", then "number kind tags tag… nodes…" for each, a line each.
fn read_elements_two(words: &mut Words<'_>, corners: &mut Corners, budget: &mut Budget) -> Result<()> {
    let count = words.count("elements", 6, 40, budget)?;
    for _ in 0..count {
        words.number::<u64>("an element's number")?;
        let kind: u32 = words.number_in_line("an element's kind")?;
        let tag_count: u32 = words.number_in_line("the number of tags")?;
        for _ in 0..tag_count {
            words.number_in_line::<i64>("a tag")?;
        }
        read_element(words, kind, corners)?;
    }
    Ok(())
}

/// "blocks elements least greatest", then for each block "dimension entity kind elements", and "number nodes…" for each.
fn read_elements_four(words: &mut Words<'_>, corners: &mut Corners, budget: &mut Budget) -> Result<()> {
    let block_count: u64 = words.number("the number of element blocks")?;
    words.end_line();
    for _ in 0..block_count {
        words.number::<u32>("a block's dimension")?;
        words.number::<i64>("a block's entity")?;
        let kind: u32 = words.number("the kind of a block's elements")?;
        let count = words.count("elements", 4, 40, budget)?;
        for _ in 0..count {
            words.number::<u64>("an element's number")?;
            read_element(words, kind, corners)?;
        }
    }
    Ok(())
}

/// The nodes of an element, to the end of its line.
fn read_element(words: &mut Words<'_>, kind: u32, corners: &mut Corners) -> Result<()> {
    if TETRAHEDRA.contains(&kind) {
        corners.tets.push(words.corners()?);
        corners.curved += usize::from(kind != TETRAHEDRA[0]);
    } else {
        corners.add_other(1, words.line);
    }
    words.end_line();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of double precision at volumes below 1.
    const ROUNDING: f64 = 1e-12;

    const TWO: &str = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"$Nodes\"\n$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Elements\n2\n1 2 2 0 1 1 2 3\n2 4 2 0 1 1 2 3 4\n$EndElements\n";
    const FOUR: &str = "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 1\n$EndEntities\n$Nodes\n2 4 1 9\n2 1 1 1\n9\n0 0 0 0.5 0.5\n3 1 0 3\n2\n3\n4\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n$Elements\n2 2 1 2\n2 1 2 1\n1 9 2 3\n3 1 4 1\n2 9 2 3 4\n$EndElements\n";

    fn read(text: &str) -> (Result<TetMesh>, Vec<String>) {
        let mut report = Report::default();
        let mesh = read_msh(text.as_bytes(), &Limits::default(), &mut report);
        (mesh, report.warnings().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn both_versions_are_read() {
        let (two, warnings) = read(TWO);
        assert_eq!(warnings, ["line 17: 1 elements are not tetrahedra; left out"]);
        assert!((two.clone().unwrap().volume() - 1.0 / 6.0).abs() < ROUNDING);
        let (four, warnings) = read(FOUR);
        assert_eq!(warnings, ["line 23: 1 elements are not tetrahedra; left out"]);
        assert_eq!(two, four);
        assert_eq!(read(&TWO.replace('\n', "\r\n")).0, four);
    }

    #[test]
    fn damage_is_refused_with_its_line() {
        let check = |text: &str, expected: &str| assert_eq!(read(text).0.unwrap_err().to_string(), expected);
        check("", "the file has no valid tetrahedron (0 points)");
        check("v 0 0 0\n", "line 1: expected $MeshFormat, as Gmsh files have since version 2, found \"v\"");
        check(
            &TWO.replace("2.2 0 8", "2.2 1 8"),
            "line 2: the file is binary; save it as text (in Gmsh: Mesh.Binary = 0)",
        );
        check(
            &TWO.replace("2.2 0", "4.0 0"),
            "line 2: format version 4 is not supported; save it as 2.2 or 4.1",
        );
        check(
            &TWO.replace("\n4\n1 0", "\n4000\n1 0"),
            "line 9: the file declares 4000 nodes, but only 102 bytes follow",
        );
        check(&TWO.replace("1 2 3 4\n$End", "1 2 3\n$End"), "line 18: expected a corner, found \"\"");
        check(
            &FOUR.replace("\n1 0 0\n", "\n1 nan 0\n"),
            "line 16: expected three finite single-precision numbers for a point",
        );
        check(
            &FOUR[..FOUR.find("0 1 0").unwrap() + 2],
            "line 12: the file declares 3 nodes, but only 15 bytes follow",
        );
    }
}
