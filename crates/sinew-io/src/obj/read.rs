//! OBJ text to a character without a skin.
//!
//! Vertices: OBJ numbers positions (`v`), texture coordinates (`vt`) and normals (`vn`) separately; a mesh has one list. Each
//! material group of a mesh gets the `v` lines it uses, in the file's order, then a copy for every further combination of `v`,
//! `vt` and `vn` (a seam), in the order of first use. An object with one material and no seam keeps exactly the file's vertices.
//! An unused `v` line stays with the object it was written in.
//!
//! Meshes: each `o` starts one. Without any `o`, each `g` name makes one if no two share a `v` line. Body parts that are only
//! cut by group stay one mesh; otherwise a seam would open between them.

use super::build;
use super::lines::{finite, next_word, numbers, shortened, statements};
use super::mtl::Library;
use crate::Report;
use glam::{Vec2, Vec3};
use indexmap::IndexSet;
use sinew_geometry::Trs;
use sinew_rig::{
    Bone, BoneId, Character, CharacterParts, Instance, InvalidCharacter, LocalTransform, MeshId,
};
use std::fmt::Display;

/// Error of reading an OBJ file. Lines count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ObjReadError {
    #[error("line {line}: expected three finite numbers for a vertex, found {found:?}")]
    BadVertex { line: usize, found: String },
    #[error("no vertices (\"v\" lines) found; is this an OBJ file?")]
    NoVertices,
    #[error("the file has {found} bytes; the maximum is {limit}")]
    TooLarge { found: usize, limit: u32 },
    /// A gap in this reader.
    #[error(transparent)]
    Invalid(#[from] InvalidCharacter),
}

/// Reads an OBJ file: `v`, `vt`, `vn`, `f`, `o`, `g`, `usemtl`, `mtllib`; from MTL files `Kd`, `d`, `Tr`, `map_Kd`, `Pr`, `Pm`, `illum`.
///
/// Everything belongs to one bone, "root", without a skin. Positions are in m, +Y up. Polygons become fans from their first
/// corner. Missing normals are smooth, also across texture seams. `resolve` returns the bytes of the files that the OBJ and its
/// MTL files name, and limits their size; for a model on disk use [`crate::Folder::read_name`].
///
/// # Errors
/// If there is no vertex, or one is invalid. Everything else that is invalid is reported with its line and left out.
pub fn read_obj<E: Display>(
    bytes: &[u8],
    mut resolve: impl FnMut(&str) -> Result<Vec<u8>, E>,
    report: &mut Report,
) -> Result<Character, ObjReadError> {
    // Every vertex and every corner takes at least two bytes, so 32 bits can number them all.
    let limit = u32::MAX;
    if bytes.len() > limit as usize {
        return Err(ObjReadError::TooLarge { found: bytes.len(), limit });
    }
    let statements = Statements::parse(bytes, report)?;
    if statements.positions.is_empty() {
        return Err(ObjReadError::NoVertices);
    }
    let mut library = Library::default();
    for (line, name) in &statements.libraries {
        let resolve = &mut |name: &str| resolve(name).map_err(|error| error.to_string());
        library.read(&format!("line {line}"), name, resolve, report);
    }
    let (used_materials, materials) = library.materials_for(&statements.material_names, report);
    let meshes = build::meshes(&statements, &used_materials, report);
    let root = Bone {
        name: "root".into(),
        parent: None,
        rest: LocalTransform::Trs(Trs::IDENTITY),
        tip_in_bone: None,
    };
    let instance = |mesh| Instance { bone: BoneId(0), mesh, bind: None, morph_weights: Vec::new() };
    Ok(Character::new(CharacterParts {
        bones: vec![root],
        instances: (0..meshes.len()).map(|mesh| instance(MeshId::of(mesh))).collect(),
        meshes,
        materials,
        images: library.images,
        ..CharacterParts::default()
    })?)
}

/// A corner of a face: which `v`, `vt` and `vn` line, from 0; [`NONE`] where it has none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Corner {
    pub(super) v: u32,
    pub(super) vt: u32,
    pub(super) vn: u32,
}

/// No texture coordinates, normal or material.
pub(super) const NONE: u32 = u32::MAX;

/// The `o` and `g` of a vertex or face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Place {
    /// Index of the object.
    pub(super) object: u32,
    /// Index of the group's name.
    pub(super) group: u32,
}

/// A polygon.
#[derive(Clone, Debug)]
pub(super) struct Face {
    pub(super) line: usize,
    pub(super) corners: std::ops::Range<usize>,
    pub(super) place: Place,
    /// Index of the material's name, or [`NONE`].
    pub(super) material: u32,
}

/// A file's statements, sorted by kind. Indices of corners may still be out of range.
#[derive(Debug, Default)]
pub(super) struct Statements {
    pub(super) positions: Vec<Vec3>,
    /// One per position.
    pub(super) position_places: Vec<Place>,
    /// v up, as in the file.
    pub(super) uvs: Vec<Vec2>,
    /// Unit, or zero if the file has no valid one.
    pub(super) normals: Vec<Vec3>,
    pub(super) corners: Vec<Corner>,
    pub(super) faces: Vec<Face>,
    /// The first is for statements before any `o`.
    pub(super) object_names: Vec<String>,
    /// The first is for statements before any `g`.
    pub(super) group_names: IndexSet<String>,
    /// As in `usemtl`.
    material_names: IndexSet<String>,
    /// Line and text of each `mtllib`.
    libraries: Vec<(usize, String)>,
}

impl Statements {
    fn parse(bytes: &[u8], report: &mut Report) -> Result<Self, ObjReadError> {
        let mut parser = Parser::default();
        parser.statements.object_names.push(String::new());
        parser.statements.group_names.insert(String::new());
        for (line, text) in statements(bytes) {
            let mut rest = text.trim_ascii();
            let Some(keyword) = next_word(&mut rest) else { continue };
            parser.statement(line, keyword, rest, report)?;
        }
        parser.ignored.report(report);
        if let (Some(line), true) = (parser.first_smoothing, parser.statements.normals.is_empty()) {
            let what = "smoothing groups (s) are not supported; normals are smooth across them";
            report.warn(format_args!("line {line}"), what);
        }
        Ok(parser.statements)
    }
}

#[derive(Default)]
struct Parser {
    statements: Statements,
    place: Place,
    material: Option<u32>,
    ignored: Ignored,
    first_smoothing: Option<usize>,
}

impl Parser {
    fn statement(
        &mut self,
        line: usize,
        keyword: &str,
        rest: &str,
        report: &mut Report,
    ) -> Result<(), ObjReadError> {
        let statements = &mut self.statements;
        match keyword {
            "v" => {
                let found = || shortened(rest).into_owned();
                let position =
                    numbers(rest).ok_or_else(|| ObjReadError::BadVertex { line, found: found() })?;
                statements.positions.push(Vec3::from_array(position));
                statements.position_places.push(self.place);
                if rest.split_ascii_whitespace().nth(4).is_some() {
                    self.ignored.add("vertex colors (v)", line);
                }
            }
            "vt" => statements.uvs.push(texture_coordinates(line, rest, report)),
            "vn" => statements.normals.push(normal(line, rest, report)),
            "f" | "fo" => self.face(line, rest, report),
            "o" => {
                self.place.object = statements.object_names.len() as u32;
                statements.object_names.push(rest.into());
            }
            "g" => self.place.group = statements.group_names.insert_full(rest.into()).0 as u32,
            // Some exporters, Sinew's too, write this for faces without material.
            "usemtl" if rest.is_empty() || rest == "(null)" => self.material = None,
            "usemtl" => self.material = Some(statements.material_names.insert_full(rest.into()).0 as u32),
            "mtllib" => statements.libraries.push((line, rest.into())),
            "s" => self.first_smoothing = self.first_smoothing.or(Some(line)),
            "l" => self.ignored.add("lines (l)", line),
            "p" => self.ignored.add("points (p)", line),
            _ => self.ignored.add(&format!("statements {:?}", shortened(keyword)), line),
        }
        Ok(())
    }

    fn face(&mut self, line: usize, rest: &str, report: &mut Report) {
        let statements = &mut self.statements;
        let first = statements.corners.len();
        let counts = [statements.positions.len(), statements.uvs.len(), statements.normals.len()];
        let mut leave_out = |corners: &mut Vec<Corner>, why: &dyn Display| {
            corners.truncate(first);
            report.warn(format_args!("line {line}"), format_args!("{why}; the face is left out"));
        };
        for word in rest.split_ascii_whitespace() {
            match corner(word, counts) {
                Some(corner) => statements.corners.push(corner),
                None => {
                    let word = shortened(word);
                    return leave_out(&mut statements.corners, &format_args!("invalid vertex {word:?}"));
                }
            }
        }
        let corners = first..statements.corners.len();
        if corners.len() < 3 {
            let count = corners.len();
            return leave_out(
                &mut statements.corners,
                &format_args!("a face needs 3 corners, found {count}"),
            );
        }
        let (place, material) = (self.place, self.material.unwrap_or(NONE));
        statements.faces.push(Face { line, corners, place, material });
    }
}

/// Invalid ones become zero, to keep the numbers of later ones.
fn texture_coordinates(line: usize, rest: &str, report: &mut Report) -> Vec2 {
    let mut words = rest.split_ascii_whitespace();
    // The second is optional: a texture along a line has only u.
    let u = words.next().and_then(finite);
    let v = words.next().map_or(Some(0.0), finite);
    if let (Some(u), Some(v)) = (u, v) {
        return Vec2::new(u, v);
    }
    let message =
        format_args!("expected finite numbers for texture coordinates, found {:?}; using 0", shortened(rest));
    report.warn(format_args!("line {line}"), message);
    Vec2::ZERO
}

/// Invalid ones become zero, which the mesh treats as missing.
fn normal(line: usize, rest: &str, report: &mut Report) -> Vec3 {
    // In f64, whose range holds the square of every f32.
    let read = || {
        let [x, y, z]: [f32; 3] = numbers(rest)?;
        let length = f64::from(x).hypot(f64::from(y)).hypot(f64::from(z));
        let divided = |value: f32| (f64::from(value) / length) as f32;
        (length > 0.0).then(|| Vec3::new(divided(x), divided(y), divided(z)))
    };
    read().unwrap_or_else(|| {
        let message = format_args!("invalid normal {:?}; using a smooth normal", shortened(rest));
        report.warn(format_args!("line {line}"), message);
        Vec3::ZERO
    })
}

/// `v`, `v/vt`, `v//vn` or `v/vt/vn`, each from 1, or from −1 backwards from the line above. `counts`: the lines so far.
fn corner(word: &str, counts: [usize; 3]) -> Option<Corner> {
    let mut indices = [NONE; 3];
    for (place, text) in word.split('/').enumerate() {
        let count = *counts.get(place)?;
        if text.is_empty() && place > 0 {
            continue;
        }
        let number: i64 = text.parse().ok()?;
        let from_zero = if number < 0 { number.checked_add(count as i64)? } else { number - 1 };
        indices[place] = u32::try_from(from_zero).ok().filter(|&index| index != NONE)?;
    }
    let [v, vt, vn] = indices;
    Some(Corner { v, vt, vn })
}

/// Ignored statements, counted by kind.
#[derive(Default)]
struct Ignored {
    kinds: Vec<(String, usize, usize)>,
}

impl Ignored {
    /// Bounds the list: a file that is not OBJ has a new kind on every line.
    const MOST_KINDS: usize = 32;

    fn add(&mut self, kind: &str, line: usize) {
        if let Some((.., count)) = self.kinds.iter_mut().find(|(name, ..)| name == kind) {
            *count += 1;
        } else if self.kinds.len() < Self::MOST_KINDS {
            self.kinds.push((kind.into(), line, 1));
        } else if let Some((name, _, count)) = self.kinds.last_mut() {
            *name = "other statements".into();
            *count += 1;
        }
    }

    fn report(&self, report: &mut Report) {
        for (kind, line, count) in &self.kinds {
            let times = if *count == 1 { "once".into() } else { format!("{count} times") };
            report.warn(format_args!("line {line}"), format_args!("{kind} are not supported; found {times}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use sinew_rig::{MaterialId, Mesh};

    /// Rounding of single precision at lengths of about 1.
    const ROUNDING: f32 = 1e-6;

    fn nothing(name: &str) -> Result<Vec<u8>, String> {
        Err(format!("no {name}"))
    }

    #[track_caller]
    fn read(text: &str) -> (Vec<Mesh>, Vec<String>) {
        let mut report = Report::default();
        let character = read_obj(text.as_bytes(), nothing, &mut report).unwrap();
        let warnings = report.warnings().iter().map(ToString::to_string).collect();
        (character.into_parts().meshes, warnings)
    }

    const QUAD: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n";

    #[test]
    fn a_polygon_becomes_a_fan_in_file_order() {
        let (meshes, warnings) = read(&format!("{QUAD}f 3 4 1 2\n"));
        assert_eq!(meshes[0].positions, [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]);
        assert_eq!(meshes[0].triangles, [[2, 3, 0], [2, 0, 1]]);
        assert_eq!(meshes[0].normals, [Vec3::Z; 4], "smooth normals of a square");
        assert!(meshes[0].uv_sets.is_empty() && warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn negative_indices_count_backwards() {
        let (meshes, _) = read(&format!("{QUAD}f -4 -3 -2\nv 9 9 9\nf -5 -3 -1\n"));
        assert_eq!(meshes[0].triangles, [[0, 1, 2], [0, 2, 4]]);
    }

    #[test]
    fn seams_are_copied_behind_the_files_vertices() {
        let text = format!(
            "{QUAD}vt 0 0\nvt 1 0.25\nvn 0 0 2\nf 1/1/1 2/1/1 3/1/1\nf 1/2/1 3/1/1 4/2/1\n# unused\nv 5 5 5"
        );
        let (meshes, warnings) = read(&text);
        let mesh = &meshes[0];
        assert_eq!(mesh.vertex_count(), 6);
        assert_eq!(mesh.positions[4], Vec3::splat(5.0), "the unused vertex keeps its place");
        assert_eq!(mesh.positions[5], mesh.positions[0]);
        assert_eq!(mesh.triangles, [[0, 1, 2], [5, 2, 3]]);
        assert_eq!(mesh.uv_sets[0][0], Vec2::new(0.0, 1.0));
        assert_eq!(mesh.uv_sets[0][5], Vec2::new(1.0, 0.75));
        assert_eq!(mesh.normals[0], Vec3::Z);
        assert_eq!(warnings, ["1 of 6 vertices of mesh \"\" have no texture coordinates; using 0"]);
    }

    #[test]
    fn missing_normals_are_smooth_across_texture_seams() {
        // Two triangles that meet at a right angle along an edge with a texture seam.
        let text = "v 0 0 0\nv 0 1 0\nv 1 0 0\nv 0 0 1\nvt 0 0\nvt 1 1\nf 1/1 3/1 2/1\nf 1/2 2/2 4/2\n";
        let (meshes, _) = read(text);
        let mesh = &meshes[0];
        assert_eq!(mesh.vertex_count(), 6);
        assert_eq!(mesh.normals[4], mesh.normals[0]);
        let between = Vec3::new(1.0, 0.0, 1.0).normalize();
        assert!(mesh.normals[0].abs_diff_eq(between, ROUNDING), "{}", mesh.normals[0]);
    }

    #[test]
    fn objects_and_materials_divide_the_file() {
        let text = format!(
            "o first one\n{QUAD}usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\nusemtl a\nf 2 3 4\no second\nv 7 7 7\nusemtl (null)\nf 1 2 5\no empty\n"
        );
        let (meshes, warnings) = read(&text);
        assert_eq!(meshes.len(), 2);
        assert_eq!(meshes[0].name, "first one");
        let groups = &meshes[0].groups;
        assert_eq!((groups[0].material, groups[0].vertices.clone()), (Some(MaterialId(0)), 0..4));
        assert_eq!((groups[1].material, groups[1].triangles.clone()), (Some(MaterialId(1)), 2..3));
        assert_eq!(meshes[0].triangles, [[0, 1, 2], [1, 2, 3], [4, 5, 6]]);
        assert_eq!(meshes[1].positions, [Vec3::ZERO, Vec3::X, Vec3::splat(7.0)]);
        assert_eq!(meshes[1].groups[0].material, None);
        assert_eq!(warnings[0], "usemtl a: undefined material; using a default one");
        assert_eq!(warnings.len(), 2);
    }

    #[test]
    fn groups_split_only_where_they_share_nothing() {
        let (meshes, warnings) = read(&format!("{QUAD}g arm\nf 1 2 3\ng leg\nf 1 3 4\n"));
        assert_eq!(meshes.len(), 1);
        assert!(warnings[0].starts_with("line 8: groups (g) share vertices"), "{warnings:?}");
        let (meshes, warnings) = read(&format!("g arm\n{QUAD}f 1 2 3\ng leg\n{QUAD}f 5 6 7\ng arm\nf 1 3 4"));
        assert_eq!(meshes.iter().map(|mesh| mesh.name.as_str()).collect::<Vec<_>>(), ["arm", "leg"]);
        assert_eq!(meshes.iter().map(Mesh::vertex_count).collect::<Vec<_>>(), [4, 4]);
        assert!(warnings.is_empty(), "{warnings:?}");
    }

    #[test]
    fn files_without_faces_keep_their_points() {
        let (meshes, warnings) = read("v 1 2 3\nv 4 5 6\n");
        assert_eq!(meshes[0].vertex_count(), 2);
        assert_eq!(warnings, ["the file has no valid face; its vertices are kept as points"]);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        let text = format!(
            "{QUAD}vt x\nvn 0 0 0\nf 1 2\nf 1 2 z\nf 1 2 0\nf 1 2 99\nf 1/9 2/1 3//7\nf 1//1 2//1 3//1\nl 1 2\nl 2 3\ncurv 1\ns 1\n"
        );
        let (meshes, warnings) = read(&text);
        let expected = [
            "line 5: expected finite numbers for texture coordinates, found \"x\"; using 0",
            "line 6: invalid normal \"0 0 0\"; using a smooth normal",
            "line 7: a face needs 3 corners, found 2; the face is left out",
            "line 8: invalid vertex \"z\"; the face is left out",
            "line 9: invalid vertex \"0\"; the face is left out",
            "line 13: lines (l) are not supported; found 2 times",
            "line 15: statements \"curv\" are not supported; found once",
            "line 10: vertex 99 is out of range (4 vertices); the face is left out",
            "line 11: texture coordinates out of range are ignored",
            "line 11: normals out of range are ignored",
        ];
        assert_eq!(warnings[..expected.len()], expected);
        assert_eq!(meshes[0].triangles.len(), 2);
        assert_eq!(meshes[0].normals[0], Vec3::Z);
    }

    #[test]
    fn files_that_make_no_sense_are_errors() {
        for (text, expected) in [
            ("", "no vertices (\"v\" lines) found; is this an OBJ file?"),
            ("\u{0}\u{1}glTF\nhello", "no vertices (\"v\" lines) found; is this an OBJ file?"),
            ("v 0 0 0\nv 1 2", "line 2: expected three finite numbers for a vertex, found \"1 2\""),
            ("v 0 0 nan", "line 1: expected three finite numbers for a vertex, found \"0 0 nan\""),
            ("v 0 0 1e999", "line 1: expected three finite numbers for a vertex, found \"0 0 1e999\""),
            ("v 0 -inf 0", "line 1: expected three finite numbers for a vertex, found \"0 -inf 0\""),
        ] {
            let error = read_obj(text.as_bytes(), nothing, &mut Report::default()).expect_err(expected);
            assert_eq!(error.to_string(), expected);
        }
    }

    #[test]
    fn reports_of_garbage_stay_short() {
        let garbage: String = (0..5000).map(|line| format!("word{line} 1 2 3\n")).collect();
        let (_, warnings) = read(&format!("{garbage}v 0 0 0\n"));
        assert!(warnings.len() < 50, "{}", warnings.len());
        assert!(
            warnings
                .iter()
                .any(|warning| warning.contains("other statements are not supported; found 4969 times"))
        );
    }

    #[test]
    fn huge_numbers_stay_finite() {
        let (meshes, _) = read("v 3e38 0 0\nv -3e38 0 0\nv 0 3e38 0\nvn 3e38 3e38 0\nf 1//1 2//1 3\n");
        assert!(meshes[0].normals.iter().all(|normal| (normal.length() - 1.0).abs() < ROUNDING));
    }

    proptest! {
        #[test]
        fn no_statements_panic(
            lines in proptest::collection::vec(
                (
                    prop::sample::select(vec!["v", "vt", "vn", "f", "o", "g", "usemtl", "mtllib", "s", "l", "#", "\\"]),
                    r"([-0-9/.e \\x]|nan|inf|ü){0,12}",
                ),
                0..40,
            ),
        ) {
            let text: String = lines.iter().map(|(keyword, rest)| format!("{keyword} {rest}\n")).collect();
            let resolve = |_: &str| Ok::<_, String>(text.as_bytes().to_vec());
            let _ = read_obj(format!("v 0 0 0\nv 1 0 0\nv 0 1 0\n{text}").as_bytes(), resolve, &mut Report::default());
        }

        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = read_obj(&bytes, nothing, &mut Report::default());
        }
    }
}
