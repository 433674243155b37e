//! Moving meshes as USD text (`.usda`): one `Mesh` prim per part under one `Xform`, its points sampled at every frame.
//!
//! Frame n has time code n. Materials are not written. USD texture coordinates have v up, so v is flipped; space
//! (right-handed, +Y up, m) and winding are the same as in Sinew.
//!
//! The format keeps all samples of one prim together, while frames arrive with all parts together. Frames therefore go to a
//! spool first, as plain floats, and become text after the last frame; memory holds one part of one frame at a time.

use crate::float_bytes;
use crate::points::PointsWriteError;
use crate::shortest::Shortest;
use glam::{Vec2, Vec3};
use sinew_geometry::Bounds;
use sinew_rig::{Material, Mesh};
use std::collections::HashSet;
use std::fmt::{Display, Write as _};
use std::io::{Read, Seek, SeekFrom, Write};

/// Of writing.
type Result<T, E = PointsWriteError> = std::result::Result<T, E>;

/// Settings of the whole file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsdaStage<'a> {
    /// Name of the root prim; any text, made into an identifier.
    pub name: &'a str,
    /// Frames (and time codes) per second; finite and above 0.
    pub frames_per_second: f64,
}

/// The constant data of a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UsdaPart<'a> {
    /// Any text, made into an identifier that no other part has.
    pub name: &'a str,
    /// Number of the frame's vertices that belong to this part; parts follow one another.
    pub vertex_count: usize,
    /// Indices from 0 in this part, counter-clockwise from outside.
    pub triangles: &'a [[u32; 3]],
    /// One per vertex, v down; or empty.
    pub uvs: &'a [Vec2],
    /// Whether back faces are visible.
    pub is_double_sided: bool,
}

impl<'a> UsdaPart<'a> {
    /// The part for a mesh, with its first set of texture coordinates. Double-sided if any of its materials is.
    ///
    /// # Panics
    /// If a group of the mesh has a material that is not in `materials`.
    pub fn of_mesh(mesh: &'a Mesh, materials: &[Material]) -> Self {
        let mut used = mesh.groups.iter().filter_map(|group| group.material);
        Self {
            name: &mesh.name,
            vertex_count: mesh.vertex_count(),
            triangles: &mesh.triangles,
            uvs: mesh.uv_sets.first().map_or(&[], Vec::as_slice),
            is_double_sided: used.any(|material| materials[material.index()].is_double_sided),
        }
    }
}

/// Writes a moving character frame by frame.
///
/// The spool is an empty [`crate::scratch_file`] for long sequences or a `Cursor` over a vector for short ones. Nothing is
/// written to the output before [`UsdaWriter::finish`].
#[derive(Debug)]
pub struct UsdaWriter<'a, W, S> {
    out: W,
    spool: S,
    stage: UsdaStage<'a>,
    parts: &'a [UsdaPart<'a>],
    vertex_count: usize,
    has_normals: bool,
    frame_count: usize,
}

impl<'a, W: Write, S: Read + Write + Seek> UsdaWriter<'a, W, S> {
    /// Checks the parts.
    ///
    /// # Errors
    /// If the frame rate is invalid, a triangle index is out of range, or texture coordinates are not one per vertex.
    pub fn new(out: W, spool: S, stage: UsdaStage<'a>, parts: &'a [UsdaPart<'a>]) -> Result<Self> {
        let found = stage.frames_per_second;
        if !(found.is_finite() && found > 0.0) {
            return Err(PointsWriteError::FramesPerSecond { found });
        }
        for (index, part) in parts.iter().enumerate() {
            if let Some(problem) = part_problem(part) {
                return Err(PointsWriteError::Part { part: index, name: part.name.into(), problem });
            }
        }
        let vertex_count = parts.iter().map(|part| part.vertex_count).sum();
        Ok(Self { out, spool, stage, parts, vertex_count, has_normals: false, frame_count: 0 })
    }

    /// Adds the next frame: posed positions of all parts in order, and as many normals or none. The first frame decides whether
    /// there are normals.
    ///
    /// # Errors
    /// If the lists have the wrong length or contain a number that is not finite (the frame is then ignored), or the spool fails.
    pub fn write_frame(&mut self, posed_positions: &[Vec3], posed_normals: &[Vec3]) -> Result<()> {
        let has_normals = if self.frame_count == 0 { !posed_normals.is_empty() } else { self.has_normals };
        let normal_count = if has_normals { self.vertex_count } else { 0 };
        self.check("positions", posed_positions, self.vertex_count)?;
        self.check("normals", posed_normals, normal_count)?;
        self.has_normals = has_normals;
        float_bytes::write_points(&mut self.spool, posed_positions).map_err(PointsWriteError::Spool)?;
        float_bytes::write_points(&mut self.spool, posed_normals).map_err(PointsWriteError::Spool)?;
        self.frame_count += 1;
        Ok(())
    }

    /// Writes the file, flushes the output and returns it.
    ///
    /// # Errors
    /// If there is no frame, or the output or the spool fails.
    pub fn finish(mut self) -> Result<W> {
        if self.frame_count == 0 {
            return Err(PointsWriteError::NoFrames);
        }
        let root = identifier(self.stage.name, "Root");
        self.put(&stage_text(&self.stage, &root, self.frame_count))?;
        let names = unique_identifiers(self.parts.iter().map(|part| part.name));
        let mut first_vertex = 0;
        for (part, name) in self.parts.iter().zip(&names) {
            self.write_part(part, name, first_vertex)?;
            first_vertex += part.vertex_count;
        }
        self.put("}\n")?;
        self.out.flush().map_err(PointsWriteError::Usd)?;
        Ok(self.out)
    }

    fn check(&self, what: &'static str, list: &[Vec3], expected: usize) -> Result<()> {
        let (frame, found) = (self.frame_count, list.len());
        if found != expected {
            return Err(PointsWriteError::Count { frame, what, expected, found });
        }
        match list.iter().position(|vector| !vector.is_finite()) {
            Some(vertex) => Err(PointsWriteError::VertexNotFinite { frame, vertex, what }),
            None => Ok(()),
        }
    }

    fn put(&mut self, text: &str) -> Result<()> {
        self.out.write_all(text.as_bytes()).map_err(PointsWriteError::Usd)
    }

    fn write_part(&mut self, part: &UsdaPart<'_>, name: &str, first_vertex: usize) -> Result<()> {
        self.put(&part_start_text(part, name))?;
        let mut extents = Vec::with_capacity(self.frame_count);
        self.write_samples("point3f[] points", |writer, frame| {
            let positions = writer.spooled(frame, first_vertex, part.vertex_count)?;
            extents.push(Bounds::of(&positions));
            Ok(positions)
        })?;
        // Without points there is no bounding box; USD then expects none.
        if part.vertex_count > 0 {
            let extent = |frame: usize| vec![extents[frame].min(), extents[frame].max()];
            self.write_samples("float3[] extent", |_, frame| Ok(extent(frame)))?;
        }
        if self.has_normals {
            self.put("        normal3f[] normals (\n            interpolation = \"vertex\"\n        )\n")?;
            let first = self.vertex_count + first_vertex;
            let normals = |writer: &mut Self, frame| writer.spooled(frame, first, part.vertex_count);
            self.write_samples("normal3f[] normals", normals)?;
        }
        self.put("    }\n")
    }

    /// An attribute over time.
    fn write_samples(
        &mut self,
        name: &str,
        mut vectors: impl FnMut(&mut Self, usize) -> Result<Vec<Vec3>>,
    ) -> Result<()> {
        self.put(&format!("        {name}.timeSamples = {{\n"))?;
        for frame in 0..self.frame_count {
            let vectors = vectors(self, frame)?;
            self.put(&sample_text(frame, &vectors))?;
        }
        self.put("        }\n")
    }

    /// Vectors of a frame; its positions come first, then its normals.
    fn spooled(&mut self, frame: usize, first: usize, count: usize) -> Result<Vec<Vec3>> {
        let vectors_per_frame = self.vertex_count as u64 * if self.has_normals { 2 } else { 1 };
        let offset = (frame as u64 * vectors_per_frame + first as u64) * 12;
        let mut bytes = vec![0; count * 12];
        self.spool.seek(SeekFrom::Start(offset)).map_err(PointsWriteError::Spool)?;
        self.spool.read_exact(&mut bytes).map_err(PointsWriteError::Spool)?;
        Ok(float_bytes::points(&bytes).collect())
    }
}

fn part_problem(part: &UsdaPart<'_>) -> Option<String> {
    let vertex_count = part.vertex_count;
    let is_past_end = |triangle: &[u32; 3]| triangle.iter().any(|&vertex| vertex as usize >= vertex_count);
    if let Some(triangle) = part.triangles.iter().position(is_past_end) {
        return Some(format!("triangle {triangle} has an index out of range ({vertex_count} vertices)"));
    }
    let uv_count = part.uvs.len();
    if uv_count != 0 && uv_count != vertex_count {
        return Some(format!("{uv_count} texture coordinates for {vertex_count} vertices"));
    }
    let uv = part.uvs.iter().position(|uv| !uv.is_finite())?;
    Some(format!("texture coordinates of vertex {uv} are not finite"))
}

fn stage_text(stage: &UsdaStage<'_>, root: &str, frame_count: usize) -> String {
    let fps = stage.frames_per_second;
    let last_frame = frame_count - 1;
    let display_name = display_name_text(stage.name, root);
    format!(
        "#usda 1.0\n(\n    defaultPrim = \"{root}\"\n    endTimeCode = {last_frame}\n    framesPerSecond = {fps}\n    \
         metersPerUnit = 1\n    startTimeCode = 0\n    timeCodesPerSecond = {fps}\n    upAxis = \"Y\"\n)\n\n\
         def Xform \"{root}\" (\n    kind = \"component\"\n{display_name})\n{{\n"
    )
}

fn part_start_text(part: &UsdaPart<'_>, name: &str) -> String {
    let display_name = display_name_text(part.name, name);
    let metadata =
        if display_name.is_empty() { String::new() } else { format!(" (\n    {display_name}    )") };
    let mut text = format!("    def Mesh \"{name}\"{metadata}\n    {{\n");
    let sided = if part.is_double_sided { "true" } else { "false" };
    text.push_str(&format!("        uniform bool doubleSided = {sided}\n"));
    text.push_str("        uniform token subdivisionScheme = \"none\"\n        int[] faceVertexCounts = [");
    push_list(&mut text, part.triangles.iter().map(|_| 3));
    text.push_str("]\n        int[] faceVertexIndices = [");
    push_list(&mut text, part.triangles.iter().flatten());
    text.push_str("]\n");
    if !part.uvs.is_empty() {
        text.push_str("        texCoord2f[] primvars:st = [");
        let coordinates = part.uvs.iter().map(|uv| format!("({}, {})", Shortest(uv.x), Shortest(1.0 - uv.y)));
        push_list(&mut text, coordinates);
        text.push_str("] (\n            interpolation = \"vertex\"\n        )\n");
    }
    text
}

fn sample_text(frame: usize, vectors: &[Vec3]) -> String {
    // Usual length of a position: nine digits and a sign per number.
    let mut text = String::with_capacity(32 + vectors.len() * 36);
    let _ = write!(text, "            {frame}: [");
    push_list(&mut text, vectors.iter().map(ShownVector));
    text.push_str("],\n");
    text
}

struct ShownVector<'a>(&'a Vec3);

impl Display for ShownVector<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Vec3 { x, y, z } = *self.0;
        write!(f, "({}, {}, {})", Shortest(x), Shortest(y), Shortest(z))
    }
}

fn push_list(text: &mut String, items: impl Iterator<Item = impl Display>) {
    for (index, item) in items.enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        // Writing to a String cannot fail.
        let _ = write!(text, "{separator}{item}");
    }
}

/// The line that keeps a name that differs from its identifier; empty if they are equal.
fn display_name_text(name: &str, identifier: &str) -> String {
    if name.is_empty() || name == identifier {
        return String::new();
    }
    let mut text = String::from("    displayName = \"");
    for character in name.chars() {
        match character {
            '"' | '\\' => text.extend(['\\', character]),
            control if control.is_control() => text.push(' '),
            other => text.push(other),
        }
    }
    text.push_str("\"\n");
    text
}

/// An identifier that every USD version accepts: ASCII letters, digits and `_`, not starting with a digit. `fallback` if
/// nothing of the name is left.
fn identifier(name: &str, fallback: &str) -> String {
    let is_allowed = |character: char| character.is_ascii_alphanumeric() || character == '_';
    if !name.chars().any(is_allowed) {
        return fallback.into();
    }
    let starts_with_digit = name.starts_with(|first: char| first.is_ascii_digit());
    let mut identifier = String::from(if starts_with_digit { "_" } else { "" });
    identifier.extend(name.chars().map(|character| if is_allowed(character) { character } else { '_' }));
    identifier
}

/// An identifier for each name; a duplicate gets a number.
fn unique_identifiers<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    names
        .map(|name| {
            let base = identifier(name, "Mesh");
            let numbered = (1..).map(|number| format!("{base}_{number}"));
            let mut candidates = std::iter::once(base.clone()).chain(numbered);
            let unique = candidates.find(|candidate| !taken.contains(candidate));
            let unique = unique.expect("some number is not taken yet");
            taken.insert(unique.clone());
            unique
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const STAGE: UsdaStage<'static> = UsdaStage { name: "limb", frames_per_second: 24.0 };
    const TRIANGLE: [[u32; 3]; 1] = [[0, 1, 2]];

    fn part(name: &str) -> UsdaPart<'_> {
        UsdaPart { name, vertex_count: 3, triangles: &TRIANGLE, uvs: &[], is_double_sided: false }
    }

    fn frame(offset: f32) -> Vec<Vec3> {
        vec![Vec3::new(offset, 0.0, 0.0), Vec3::new(1.0, 0.25, 0.0), Vec3::new(0.0, -1e-7, 2.0)]
    }

    #[test]
    fn one_triangle_over_two_frames_is_this_text() {
        let uvs = [Vec2::new(0.0, 1.0), Vec2::new(0.5, 0.25), Vec2::ONE];
        let parts = [UsdaPart { uvs: &uvs, is_double_sided: true, ..part("2 arms") }];
        let mut writer = UsdaWriter::new(Vec::new(), Cursor::new(Vec::new()), STAGE, &parts).unwrap();
        writer.write_frame(&frame(0.0), &[Vec3::Y; 3]).unwrap();
        writer.write_frame(&frame(-3.0), &[Vec3::Z; 3]).unwrap();
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let expected = r#"#usda 1.0
(
    defaultPrim = "limb"
    endTimeCode = 1
    framesPerSecond = 24
    metersPerUnit = 1
    startTimeCode = 0
    timeCodesPerSecond = 24
    upAxis = "Y"
)

def Xform "limb" (
    kind = "component"
)
{
    def Mesh "_2_arms" (
        displayName = "2 arms"
    )
    {
        uniform bool doubleSided = true
        uniform token subdivisionScheme = "none"
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        texCoord2f[] primvars:st = [(0, 0), (0.5, 0.75), (1, 0)] (
            interpolation = "vertex"
        )
        point3f[] points.timeSamples = {
            0: [(0, 0, 0), (1, 0.25, 0), (0, -1e-7, 2)],
            1: [(-3, 0, 0), (1, 0.25, 0), (0, -1e-7, 2)],
        }
        float3[] extent.timeSamples = {
            0: [(0, -1e-7, 0), (1, 0.25, 2)],
            1: [(-3, -1e-7, 0), (1, 0.25, 2)],
        }
"#;
        assert!(text.starts_with(expected), "{text}");
    }

    #[test]
    fn parts_get_their_own_vertices() {
        let parts = [part("a"), part("b")];
        let mut writer = UsdaWriter::new(Vec::new(), Cursor::new(Vec::new()), STAGE, &parts).unwrap();
        for offset in [10.0, 20.0] {
            writer.write_frame(&[frame(offset), frame(offset + 1.0)].concat(), &[]).unwrap();
        }
        let text = String::from_utf8(writer.finish().unwrap()).unwrap();
        let starts: Vec<_> =
            text.lines().filter(|line| line.contains(": [(") && line.contains("0.25, 0)")).collect();
        let first_numbers: Vec<_> =
            starts.iter().map(|line| line.trim().split(',').next().unwrap()).collect();
        assert_eq!(first_numbers, ["0: [(10", "1: [(20", "0: [(11", "1: [(21"]);
        assert!(!text.contains("normals"), "no frame had normals");
    }

    #[test]
    fn names_become_unique_identifiers() {
        for (name, expected) in [
            ("Body", "Body"),
            ("left arm.001", "left_arm_001"),
            ("9", "_9"),
            ("", "x"),
            ("顔", "x"),
            ("顔2", "_2"),
        ] {
            assert_eq!(identifier(name, "x"), expected);
        }
        let names = ["a b", "a_b", "a_b_1", "a b", ""];
        assert_eq!(unique_identifiers(names.into_iter()), ["a_b", "a_b_1", "a_b_1_1", "a_b_2", "Mesh"]);
        assert_eq!(display_name_text("say \"hi\"\n\\", "x"), "    displayName = \"say \\\"hi\\\" \\\\\"\n");
    }

    #[test]
    fn bad_input_is_refused_with_its_place() {
        let spool = || Cursor::new(Vec::new());
        let fps = UsdaStage { frames_per_second: f64::NAN, ..STAGE };
        UsdaWriter::new(Vec::new(), spool(), fps, &[]).expect_err("no rate");
        let bad = [UsdaPart { vertex_count: 2, ..part("arm") }];
        let error = UsdaWriter::new(Vec::new(), spool(), STAGE, &bad).expect_err("past the end");
        assert_eq!(error.to_string(), "part 0 (\"arm\"): triangle 0 has an index out of range (2 vertices)");
        let bad = [UsdaPart { uvs: &[Vec2::ZERO], ..part("arm") }];
        UsdaWriter::new(Vec::new(), spool(), STAGE, &bad).expect_err("too few coordinates");

        let parts = [part("arm")];
        let mut writer = UsdaWriter::new(Vec::new(), spool(), STAGE, &parts).unwrap();
        writer.write_frame(&frame(0.0)[..2], &[]).expect_err("too few positions");
        let error = writer.write_frame(&[Vec3::ZERO, Vec3::INFINITY, Vec3::X], &[]).expect_err("infinite");
        assert_eq!(
            error.to_string(),
            "frame 0: vertex 1 (counted over all parts) has positions that are not finite"
        );
        writer.write_frame(&frame(0.0), &[]).unwrap();
        let error = writer.write_frame(&frame(0.0), &[Vec3::X; 3]).expect_err("normals in one frame only");
        assert_eq!(error.to_string(), "frame 1 has 3 normals, expected 0");
        let empty = UsdaWriter::new(Vec::new(), spool(), STAGE, &parts).unwrap();
        empty.finish().expect_err("no frame");
    }
}
