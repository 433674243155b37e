//! VTK's legacy `.vtk` files, text and binary, versions up to 5.1.

use super::assemble::{Corners, Points, assemble};
use super::words::Words;
use super::{Result, TetReadError};
use crate::float_bytes::Number;
use crate::limits::Budget;
use crate::{Limits, Report};
use sinew_geometry::TetMesh;

/// VTK codes of the tetrahedra with 4 and 10 nodes and of any order; the corners always come first.
const TETRAHEDRA: [u64; 3] = [10, 24, 71];

/// Reads a legacy VTK file with an unstructured grid, text or binary. Data of points and cells is ignored.
///
/// # Errors
/// If the file is damaged, contains another kind of data, exceeds `limits`, or has no tetrahedron.
pub fn read_vtk(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<TetMesh> {
    let mut words = Words::new(bytes, "", None);
    let mut budget = Budget::new(limits, bytes.len());
    let mut reader = Reader { is_binary: read_header(&mut words)?, ..Reader::default() };
    while let Some(word) = words.next_word() {
        match word.to_ascii_uppercase().as_slice() {
            b"POINTS" => reader.read_points(&mut words, &mut budget)?,
            b"CELLS" => reader.read_cells(&mut words, &mut budget)?,
            b"CELL_TYPES" => reader.read_kinds(&mut words, &mut budget)?,
            b"POINT_DATA" | b"CELL_DATA" => {
                report.warn(format_args!("line {}", words.line), "data of points and cells is ignored");
                break;
            }
            _ => {
                words.end_line();
            }
        }
    }
    let corners = reader.corners(words.line)?;
    assemble(reader.points, &corners, report)
}

/// Returns whether the file is binary.
fn read_header(words: &mut Words<'_>) -> Result<bool> {
    let first = words.rest_of_line();
    if !first.to_ascii_lowercase().starts_with(b"# vtk datafile") {
        return Err(words.unexpected("\"# vtk DataFile Version\" in the first line", first));
    }
    // The second line is a title.
    words.rest_of_line();
    let is_binary = match words.next_word().unwrap_or_default().to_ascii_uppercase().as_slice() {
        b"ASCII" => false,
        b"BINARY" => true,
        other => return Err(words.unexpected("ASCII or BINARY", other)),
    };
    let dataset = words.next_word().unwrap_or_default();
    let kind = words.next_word().unwrap_or_default();
    if !dataset.eq_ignore_ascii_case(b"DATASET") || !kind.eq_ignore_ascii_case(b"UNSTRUCTURED_GRID") {
        return Err(words.unexpected("DATASET UNSTRUCTURED_GRID", &[dataset, b" ", kind].concat()));
    }
    words.end_line();
    Ok(is_binary)
}

#[derive(Default)]
struct Reader {
    is_binary: bool,
    points: Points,
    /// Start of each cell in `nodes`, and the end.
    offsets: Vec<u64>,
    nodes: Vec<u64>,
    kinds: Vec<u64>,
    cells_line: usize,
}

fn number_named(words: &Words<'_>, name: &[u8]) -> Result<Number> {
    match name.to_ascii_lowercase().as_slice() {
        b"float" => Ok(Number::F32),
        b"double" => Ok(Number::F64),
        b"int" | b"unsigned_int" | b"vtktypeint32" | b"vtktypeuint32" => Ok(Number::I32),
        b"long" | b"unsigned_long" | b"vtkidtype" | b"vtktypeint64" | b"vtktypeuint64" => Ok(Number::I64),
        _ => Err(words.unexpected("float, double, int, vtktypeint32 or vtktypeint64", name)),
    }
}

impl Reader {
    fn read_points(&mut self, words: &mut Words<'_>, budget: &mut Budget) -> Result<()> {
        let count = words.count("points", 3, 40, budget)?;
        let name = words.next_in_line().unwrap_or_default();
        let scalar = number_named(words, name)?;
        words.end_line();
        let line = words.line;
        let values = self.values(words, scalar, count as u64 * 3, "coordinates")?;
        for (number, parts) in values.chunks_exact(3).enumerate() {
            // In a text file with one point per line this is the point's line.
            let line = line + if self.is_binary { 0 } else { number };
            let point = words.checked_point([parts[0], parts[1], parts[2]]);
            let point = point.map_err(|_| TetReadError::NotFinite { file: "", line })?;
            self.points.add(number as u64, point);
        }
        Ok(())
    }

    /// Until version 4 "cells numbers" and, for each cell, how many nodes and the nodes; from version 5 "offsets nodes", and two arrays.
    fn read_cells(&mut self, words: &mut Words<'_>, budget: &mut Budget) -> Result<()> {
        self.cells_line = words.line;
        let count = words.count("cells", 2, 16, budget)?;
        let size = words.count("numbers of cells", 2, 16, budget)?;
        words.end_line();
        let mut ahead = words.clone();
        if ahead.next_in_line().is_some_and(|word| word.eq_ignore_ascii_case(b"OFFSETS")) {
            words.next_word();
            self.offsets = self.array(words, count as u64)?;
            words.next_word();
            self.nodes = self.array(words, size as u64)?;
            return Ok(());
        }
        let values = self.values(words, Number::I32, size as u64, "numbers of cells")?;
        self.offsets = vec![0];
        let mut at = 0;
        for _ in 0..count {
            let nodes = values.get(at).copied().unwrap_or(-1.0);
            let end = at + 1 + if nodes >= 0.0 && nodes < size as f64 { nodes as usize } else { size };
            let Some(nodes) = values.get(at + 1..end) else {
                return Err(TetReadError::Unexpected {
                    file: "",
                    line: self.cells_line,
                    expected: format!("{count} cells in {size} numbers"),
                    found: format!("a cell that exceeds them after {} cells", self.offsets.len() - 1),
                });
            };
            self.nodes.extend(nodes.iter().map(|&node| index(node)));
            self.offsets.push(self.nodes.len() as u64);
            at = end;
        }
        Ok(())
    }

    fn read_kinds(&mut self, words: &mut Words<'_>, budget: &mut Budget) -> Result<()> {
        let count = words.count("cell types", 2, 16, budget)?;
        words.end_line();
        let values = self.values(words, Number::I32, count as u64, "cell types")?;
        self.kinds = values.into_iter().map(index).collect();
        Ok(())
    }

    /// "kind" after the name, then the numbers.
    fn array(&self, words: &mut Words<'_>, count: u64) -> Result<Vec<u64>> {
        let name = words.next_in_line().unwrap_or_default();
        let scalar = number_named(words, name)?;
        words.end_line();
        Ok(self.values(words, scalar, count, "numbers of cells")?.into_iter().map(index).collect())
    }

    /// `count` numbers, as text or bytes.
    fn values(
        &self,
        words: &mut Words<'_>,
        scalar: Number,
        count: u64,
        what: &'static str,
    ) -> Result<Vec<f64>> {
        if !self.is_binary {
            // A digit and a space, but for the last.
            words.check_count(what, count.saturating_sub(1), 2)?;
            return (0..count).map(|_| words.number("a number")).collect();
        }
        words.check_count(what, count, scalar.size() as u64)?;
        let raw = words.raw(count as usize * scalar.size()).unwrap_or_default();
        // Binary files are big-endian.
        let little =
            |bytes: &[u8]| -> [u8; 8] { std::array::from_fn(|at| *bytes.iter().nth_back(at).unwrap_or(&0)) };
        Ok(raw.chunks_exact(scalar.size()).map(|bytes| scalar.value(&little(bytes))).collect())
    }

    fn corners(&self, end_line: usize) -> Result<Corners> {
        let cell_count = self.offsets.len().saturating_sub(1);
        if self.kinds.len() != cell_count {
            return Err(TetReadError::Unexpected {
                file: "",
                line: if self.cells_line > 0 { self.cells_line } else { end_line },
                expected: format!("one CELL_TYPES entry per cell, {cell_count}"),
                found: self.kinds.len().to_string(),
            });
        }
        let mut corners = Corners::default();
        let is_text = !self.is_binary;
        for (cell, (ends, &kind)) in self.offsets.windows(2).zip(&self.kinds).enumerate() {
            // The cell's line, if each cell has its own line, as in all known writers.
            let line = self.cells_line + if is_text { cell + 1 } else { 0 };
            let nodes = usize::try_from(ends[0]).ok().zip(usize::try_from(ends[1]).ok());
            let nodes = nodes.and_then(|(start, end)| self.nodes.get(start..end)).unwrap_or_default();
            match nodes {
                [a, b, c, d, rest @ ..] if TETRAHEDRA.contains(&kind) => {
                    corners.tets.push(([*a, *b, *c, *d], line));
                    corners.curved += usize::from(!rest.is_empty());
                }
                _ => corners.add_other(1, line),
            }
        }
        Ok(corners)
    }
}

/// A non-negative whole number; any other becomes a number that no point has.
fn index(value: f64) -> u64 {
    if value >= 0.0 && value.fract() == 0.0 { value as u64 } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of double precision at volumes below 1.
    const ROUNDING: f64 = 1e-12;

    const THREE: &str = "# vtk DataFile Version 3.0\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 double\n0 0 0 1 0 0\n0 1 0\n0 0 1\nMETADATA\nINFORMATION 0\n\nCELLS 2 9\n4 0 1 2 3\n3 0 1 2\nCELL_TYPES 2\n10\n5\nPOINT_DATA 4\nSCALARS x float\n";
    const FIVE: &str = "# vtk DataFile Version 5.1\na title\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n0 0 0 1 0 0 0 1 0\n0 0 1\nCELLS 3 7\nOFFSETS vtktypeint64\n0 4 7\nCONNECTIVITY vtktypeint64\n0 1 2 3\n0 1 2\nCELL_TYPES 2\n10\n5\n";

    fn read(bytes: &[u8]) -> (Result<TetMesh>, Vec<String>) {
        let mut report = Report::default();
        let mesh = read_vtk(bytes, &Limits::default(), &mut report);
        (mesh, report.warnings().iter().map(ToString::to_string).collect())
    }

    /// The same as [`FIVE`], in bytes.
    fn binary(is_five: bool) -> Vec<u8> {
        let mut bytes =
            b"# vtk DataFile Version 5.1\na title\nBINARY\nDATASET UNSTRUCTURED_GRID\nPOINTS 4 float\n"
                .to_vec();
        for part in [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0f32] {
            bytes.extend(part.to_be_bytes());
        }
        if is_five {
            bytes.extend(b"\nCELLS 3 7\nOFFSETS vtktypeint64\n");
            [0i64, 4, 7].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
            bytes.extend(b"\nCONNECTIVITY vtktypeint64\n");
            [0i64, 1, 2, 3, 0, 1, 2].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        } else {
            bytes.extend(b"\nCELLS 2 9\n");
            [4i32, 0, 1, 2, 3, 3, 0, 1, 2].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        }
        bytes.extend(b"\nCELL_TYPES 2\n");
        [10i32, 5].iter().for_each(|number| bytes.extend(number.to_be_bytes()));
        bytes
    }

    #[test]
    fn old_and_new_text_and_bytes_are_the_same() {
        let (three, warnings) = read(THREE.as_bytes());
        assert!((three.clone().unwrap().volume() - 1.0 / 6.0).abs() < ROUNDING);
        assert_eq!(
            warnings,
            [
                "line 18: data of points and cells is ignored",
                "line 14: 1 elements are not tetrahedra; left out"
            ]
        );
        assert_eq!(read(FIVE.as_bytes()).0, three);
        assert_eq!(read(&binary(false)).0, three);
        assert_eq!(read(&binary(true)).0, three);
    }

    #[test]
    fn damage_is_refused_with_its_line() {
        let check = |text: &str, expected: &str| {
            assert_eq!(read(text.as_bytes()).0.unwrap_err().to_string(), expected)
        };
        check("", "line 1: expected \"# vtk DataFile Version\" in the first line, found \"\"");
        check(
            &THREE.replace("UNSTRUCTURED_GRID", "POLYDATA"),
            "line 4: expected DATASET UNSTRUCTURED_GRID, found \"DATASET POLYDATA\"",
        );
        check(&THREE.replace("ASCII", "XML"), "line 3: expected ASCII or BINARY, found \"XML\"");
        check(
            &THREE.replace("POINTS 4", "POINTS 4000000"),
            "line 5: the file declares 4000000 points, but only 131 bytes follow",
        );
        check(&THREE.replace("0 1 0\n", "0 one 0\n"), "line 7: expected a number, found \"one\"");
        check(
            &THREE.replace("4 0 1 2 3", "40 0 1 2 3"),
            "line 12: expected 2 cells in 9 numbers, found \"a cell that exceeds them after 0 cells\"",
        );
        check(
            &THREE.replace("CELL_TYPES 2\n10\n5", "CELL_TYPES 1\n10"),
            "line 12: expected one CELL_TYPES entry per cell, 2, found \"1\"",
        );
        check(
            &THREE[..THREE.find("CELL_TYPES").unwrap()],
            "line 12: expected one CELL_TYPES entry per cell, 2, found \"0\"",
        );
    }
}
