//! Meshes to OBJ text, in rest or posed shape.

use super::mtl::{one_line, written_names};
use crate::shortest::Shortest;
use glam::{Vec2, Vec3};
use sinew_rig::{Material, MaterialGroup, Mesh};
use std::io::{self, BufWriter, Write};

/// A mesh to write.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjPart<'a> {
    /// Any text; control characters and `#` become `_`. Empty names become `partN`.
    pub name: &'a str,
    /// One per vertex, m; rest or posed.
    pub positions: &'a [Vec3],
    /// One per vertex; or empty.
    pub normals: &'a [Vec3],
    /// One per vertex, v down; or empty.
    pub uvs: &'a [Vec2],
    /// Indices from 0 in this part, counter-clockwise from outside.
    pub triangles: &'a [[u32; 3]],
    /// Materials of triangles; triangles in no group have none.
    pub groups: &'a [MaterialGroup],
}

impl<'a> ObjPart<'a> {
    /// The part for a mesh in rest shape, with its first set of texture coordinates. For a posed shape, replace positions and
    /// normals.
    pub fn of_mesh(mesh: &'a Mesh) -> Self {
        Self {
            name: &mesh.name,
            positions: &mesh.positions,
            normals: &mesh.normals,
            uvs: mesh.uv_sets.first().map_or(&[], Vec::as_slice),
            triangles: &mesh.triangles,
            groups: &mesh.groups,
        }
    }
}

/// The materials of an OBJ file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjMaterials<'a> {
    /// File name of the MTL file, relative to the OBJ file.
    pub mtl_name: &'a str,
    /// The materials of the groups; pass the same list to [`crate::write_mtl`].
    pub materials: &'a [Material],
}

/// Error of writing an OBJ file. Parts, vertices and triangles count from 0.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum ObjWriteError {
    #[error("part {part} ({name:?}) has {found} {what}, expected {expected}, one per vertex")]
    ListLength { part: usize, name: String, what: &'static str, expected: usize, found: usize },
    #[error("part {part} ({name:?}): vertex {vertex} has {what} that are not finite")]
    NotFinite { part: usize, name: String, vertex: usize, what: &'static str },
    #[error("part {part} ({name:?}): {what} {index} is out of range, {found} of {limit}")]
    OutOfRange { part: usize, name: String, what: &'static str, index: usize, found: usize, limit: usize },
    #[error("the OBJ file could not be written: {0}")]
    Io(#[from] io::Error),
}

/// Writes all parts as OBJ text, one object each. Without `materials` the file names no material.
///
/// OBJ has v up, so v is flipped. Numbers are the shortest that read back the same. Everything is checked before the first byte
/// is written.
///
/// # Errors
/// If lists of a part do not match, a number is not finite, an index is out of range, or the output fails.
pub fn write_obj(
    out: &mut impl Write,
    parts: &[ObjPart<'_>],
    materials: Option<&ObjMaterials<'_>>,
) -> Result<(), ObjWriteError> {
    let material_count = materials.map(|materials| materials.materials.len());
    for (index, part) in parts.iter().enumerate() {
        check_part(index, part, material_count)?;
    }
    let mut out = BufWriter::new(out);
    let names = materials.map(|materials| written_names(materials.materials));
    if let Some(materials) = materials {
        writeln!(out, "mtllib {}", one_line(materials.mtl_name))?;
    }
    // A material applies to all following faces, in later objects too.
    let mut current = None;
    // File indices of a part's first vertex, texture coordinates and normal.
    let mut first = [1; 3];
    for (index, part) in parts.iter().enumerate() {
        match one_line(part.name).as_str() {
            "" => writeln!(out, "o part{index}")?,
            name => writeln!(out, "o {name}")?,
        }
        write_vertices(&mut out, part)?;
        for (triangles, material) in runs(part) {
            if let Some(names) = &names
                && material != current
                && !triangles.is_empty()
            {
                let name = material.map_or("(null)", |material: usize| &names[material]);
                writeln!(out, "usemtl {name}")?;
                current = material;
            }
            write_faces(&mut out, part, triangles, first)?;
        }
        let counts = [part.positions.len(), part.uvs.len(), part.normals.len()];
        first = std::array::from_fn(|at| first[at] + counts[at]);
    }
    Ok(out.flush()?)
}

fn check_part(at: usize, part: &ObjPart<'_>, material_count: Option<usize>) -> Result<(), ObjWriteError> {
    let name = || part.name.to_owned();
    let expected = part.positions.len();
    for (what, found) in [("normals", part.normals.len()), ("texture coordinates", part.uvs.len())] {
        if found != 0 && found != expected {
            return Err(ObjWriteError::ListLength { part: at, name: name(), what, expected, found });
        }
    }
    let not_finite = [
        ("positions", part.positions.iter().position(|position| !position.is_finite())),
        ("normals", part.normals.iter().position(|normal| !normal.is_finite())),
        ("texture coordinates", part.uvs.iter().position(|uv| !uv.is_finite())),
    ];
    for (what, vertex) in not_finite {
        if let Some(vertex) = vertex {
            return Err(ObjWriteError::NotFinite { part: at, name: name(), vertex, what });
        }
    }
    let check = |what, index, found: usize, limit: usize, is_good: bool| match is_good {
        true => Ok(()),
        false => Err(ObjWriteError::OutOfRange { part: at, name: name(), what, index, found, limit }),
    };
    for (index, triangle) in part.triangles.iter().enumerate() {
        let most = triangle.iter().copied().fold(0, u32::max) as usize;
        check("triangle", index, most, expected, most < expected)?;
    }
    for (index, group) in part.groups.iter().enumerate() {
        let (start, end) = (group.triangles.start as usize, group.triangles.end as usize);
        let limit = part.triangles.len();
        check("triangles of group", index, end, limit, start <= end && end <= limit)?;
        if let (Some(material), Some(limit)) = (group.material, material_count) {
            check("material of group", index, material.index(), limit, material.index() < limit)?;
        }
    }
    Ok(())
}

/// Runs of triangles with one material; one run without material if the part has no groups.
fn runs<'a>(part: &ObjPart<'a>) -> Vec<(&'a [[u32; 3]], Option<usize>)> {
    if part.groups.is_empty() {
        return vec![(part.triangles, None)];
    }
    let run = |group: &MaterialGroup| {
        let triangles = group.triangles.start as usize..group.triangles.end as usize;
        (&part.triangles[triangles], group.material.map(|material| material.index()))
    };
    part.groups.iter().map(run).collect()
}

fn write_vertices(out: &mut impl Write, part: &ObjPart<'_>) -> io::Result<()> {
    for position in part.positions {
        writeln!(out, "v {} {} {}", Shortest(position.x), Shortest(position.y), Shortest(position.z))?;
    }
    for uv in part.uvs {
        writeln!(out, "vt {} {}", Shortest(uv.x), Shortest(1.0 - uv.y))?;
    }
    for normal in part.normals {
        writeln!(out, "vn {} {} {}", Shortest(normal.x), Shortest(normal.y), Shortest(normal.z))?;
    }
    Ok(())
}

fn write_faces(
    out: &mut impl Write,
    part: &ObjPart<'_>,
    triangles: &[[u32; 3]],
    first: [usize; 3],
) -> io::Result<()> {
    let (has_uvs, has_normals) = (!part.uvs.is_empty(), !part.normals.is_empty());
    for triangle in triangles {
        out.write_all(b"f")?;
        for vertex in triangle.map(|vertex| vertex as usize) {
            let [v, vt, vn] = first.map(|first| first + vertex);
            match (has_uvs, has_normals) {
                (false, false) => write!(out, " {v}")?,
                (true, false) => write!(out, " {v}/{vt}")?,
                (false, true) => write!(out, " {v}//{vn}")?,
                (true, true) => write!(out, " {v}/{vt}/{vn}")?,
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Report, read_obj, write_mtl};
    use proptest::prelude::*;
    use sinew_rig::{Character, MaterialId};

    fn named(name: &str) -> Material {
        Material { name: name.into(), is_double_sided: true, ..Material::default() }
    }

    fn written(parts: &[ObjPart<'_>], materials: Option<&[Material]>) -> Result<String, ObjWriteError> {
        let mut text = Vec::new();
        let materials = materials.map(|materials| ObjMaterials { mtl_name: "x.mtl", materials });
        write_obj(&mut text, parts, materials.as_ref())?;
        Ok(String::from_utf8(text).unwrap())
    }

    fn read_back(text: &str, materials: &[Material]) -> (Character, Report) {
        let mut mtl = Vec::new();
        write_mtl(&mut mtl, materials, &[], &mut Report::default()).unwrap();
        let mut report = Report::default();
        let resolve = |name: &str| if name == "x.mtl" { Ok(mtl.clone()) } else { Err(format!("no {name}")) };
        (read_obj(text.as_bytes(), resolve, &mut report).unwrap(), report)
    }

    const POSITIONS: [Vec3; 3] = [Vec3::ZERO, Vec3::X, Vec3::new(0.0, 0.1, -2.5e-7)];

    fn part(name: &str) -> ObjPart<'_> {
        ObjPart { name, positions: &POSITIONS, normals: &[], uvs: &[], triangles: &[[0, 1, 2]], groups: &[] }
    }

    #[test]
    fn two_parts_are_this_text() {
        let uvs = [Vec2::ZERO, Vec2::new(0.5, 0.25), Vec2::ONE];
        let groups = [MaterialGroup { material: Some(MaterialId(0)), vertices: 0..3, triangles: 0..1 }];
        let parts = [
            ObjPart { normals: &[Vec3::Z; 3], uvs: &uvs, groups: &groups, ..part("left arm") },
            ObjPart { uvs: &uvs, ..part("") },
        ];
        let expected = "mtllib x.mtl\no left arm\nv 0 0 0\nv 1 0 0\nv 0 0.1 -2.5e-7\nvt 0 1\nvt 0.5 0.75\nvt 1 0\n\
                        vn 0 0 1\nvn 0 0 1\nvn 0 0 1\nusemtl skin\nf 1/1/1 2/2/2 3/3/3\n\
                        o part1\nv 0 0 0\nv 1 0 0\nv 0 0.1 -2.5e-7\nvt 0 1\nvt 0.5 0.75\nvt 1 0\n\
                        usemtl (null)\nf 4/4 5/5 6/6\n";
        assert_eq!(written(&parts, Some(&[named("skin")])).unwrap(), expected);
        let plain = written(&parts, None).unwrap();
        assert!(!plain.contains("mtl"), "{plain}");
    }

    #[test]
    fn bad_parts_are_refused_before_anything_is_written() {
        let far = [MaterialGroup { material: None, vertices: 0..3, triangles: 0..2 }];
        let no_material = [MaterialGroup { material: Some(MaterialId(3)), vertices: 0..3, triangles: 0..1 }];
        for (bad, expected) in [
            (
                ObjPart { uvs: &[Vec2::ZERO], ..part("a") },
                "part 1 (\"a\") has 1 texture coordinates, expected 3, one per vertex",
            ),
            (
                ObjPart { normals: &[Vec3::X, Vec3::X, Vec3::NAN], ..part("a") },
                "part 1 (\"a\"): vertex 2 has normals that are not finite",
            ),
            (
                ObjPart { triangles: &[[0, 1, 3]], ..part("a") },
                "part 1 (\"a\"): triangle 0 is out of range, 3 of 3",
            ),
            (
                ObjPart { groups: &far, ..part("a") },
                "part 1 (\"a\"): triangles of group 0 is out of range, 2 of 1",
            ),
            (
                ObjPart { groups: &no_material, ..part("a") },
                "part 1 (\"a\"): material of group 0 is out of range, 3 of 1",
            ),
        ] {
            let mut text = Vec::new();
            let materials = ObjMaterials { mtl_name: "x.mtl", materials: &[named("skin")] };
            let error = write_obj(&mut text, &[part("good"), bad], Some(&materials)).expect_err(expected);
            assert_eq!(error.to_string(), expected);
            assert!(text.is_empty());
        }
    }

    #[test]
    fn the_sample_limb_comes_back() {
        let character = sinew_rig::samples::limb(8, 12);
        let parts: Vec<_> = character.meshes().iter().map(ObjPart::of_mesh).collect();
        let text = written(&parts, Some(character.materials())).unwrap();
        let (read, report) = read_back(&text, character.materials());
        assert!(report.is_empty(), "{report:?}");
        assert_eq!(read.meshes().len(), character.meshes().len());
        for (read, written) in read.meshes().iter().zip(character.meshes()) {
            assert_same(read, written);
        }
        assert_eq!(read.materials().len(), character.materials().len());
    }

    /// Reading makes normals unit and flips v twice; both may change the last bit.
    const ROUNDING: f32 = 1e-6;

    #[track_caller]
    fn assert_same(read: &Mesh, written: &Mesh) {
        assert_eq!(read.name, written.name);
        assert_eq!(read.positions, written.positions);
        assert_eq!(read.triangles, written.triangles);
        assert_eq!(read.groups, written.groups);
        assert_eq!(read.normals.len(), read.positions.len());
        for (a, b) in read.normals.iter().zip(&written.normals) {
            assert!(a.abs_diff_eq(*b, ROUNDING), "{a} {b}");
        }
        assert_eq!(read.uv_sets.len(), written.uv_sets.len());
        for (a, b) in read.uv_sets.iter().flatten().zip(written.uv_sets.iter().flatten()) {
            assert!(a.abs_diff_eq(*b, ROUNDING), "{a} {b}");
        }
    }

    prop_compose! {
        /// A mesh of up to three groups, each with its own vertices, some of them unused.
        fn any_mesh()(
            name in "[a-zA-Zäöü][a-zA-Z0-9 ]{0,8}[a-z]",
            sizes in proptest::collection::vec((3u32..9, 1u32..7), 1..4),
            numbers in proptest::collection::vec(any::<u32>(), 64),
            has_normals in any::<bool>(),
            has_uvs in any::<bool>(),
        ) -> Mesh {
            let mut mesh = Mesh { name, ..Mesh::default() };
            let mut next = numbers.iter().cycle().copied().enumerate().map(|(at, bits)| bits.wrapping_mul(at as u32 | 1));
            let mut number = || next.next().expect("a cycle has no end");
            for (group, (vertex_count, triangle_count)) in sizes.into_iter().enumerate() {
                let (vertex, triangle) = (mesh.positions.len() as u32, mesh.triangles.len() as u32);
                for _ in 0..vertex_count {
                    let mut float = || Some(f32::from_bits(number())).filter(|float| float.is_finite()).unwrap_or(0.5);
                    mesh.positions.push(Vec3::new(float(), float(), float()));
                }
                for _ in 0..triangle_count {
                    mesh.triangles.push([(); 3].map(|()| vertex + number() % vertex_count));
                }
                mesh.groups.push(MaterialGroup {
                    material: (group > 0).then(|| MaterialId(group as u32 - 1)),
                    vertices: vertex..vertex + vertex_count,
                    triangles: triangle..triangle + triangle_count,
                });
            }
            let count = mesh.positions.len();
            if has_normals {
                mesh.normals = (0..count).map(|vertex| Vec3::new(1.0, vertex as f32, -2.0).normalize()).collect();
            }
            if has_uvs {
                mesh.uv_sets = vec![(0..count).map(|vertex| Vec2::new(vertex as f32 / 7.0, 0.25)).collect()];
            }
            mesh
        }
    }

    proptest! {
        #[test]
        fn meshes_come_back(meshes in proptest::collection::vec(any_mesh(), 1..4)) {
            let materials = [named("skin"), named("cloth")];
            let parts: Vec<_> = meshes.iter().map(ObjPart::of_mesh).collect();
            let text = written(&parts, Some(&materials)).unwrap();
            let (read, _) = read_back(&text, &materials);
            prop_assert_eq!(read.meshes().len(), meshes.len());
            for (read, written) in read.meshes().iter().zip(&meshes) {
                prop_assert_eq!(&read.name, &written.name);
                prop_assert_eq!(&read.groups.len(), &written.groups.len());
                prop_assert_eq!(read.vertex_count(), written.vertex_count());
                // An unused vertex at the start of a group joins the group before it; all used ones keep their place.
                prop_assert_eq!(&read.positions, &written.positions);
                prop_assert_eq!(&read.triangles, &written.triangles);
            }
        }
    }
}
