//! Points of the meshes of a USD text file (`.usda`), sample by sample: files of Sinew, Blender and others with a deforming mesh.
//!
//! Reads only the structure of the text: prims in braces, `points` and `points.timeSamples` of each `Mesh`, and `metersPerUnit` and
//! `upAxis` of the stage; everything else is ignored. Transforms of prims are not applied: a cache has points in the space of their
//! mesh. A transform other than the identity is an error, because ignoring it would silently move the shape.

use crate::PointsReadError;
use glam::Vec3;

/// Of reading.
type Result<T, E = PointsReadError> = std::result::Result<T, E>;

/// Points of all meshes, end to end, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct UsdaPoints {
    /// Names of the meshes.
    pub meshes: Vec<String>,
    /// Points of all meshes together.
    pub point_count: usize,
    /// One per sample; m, +Y up.
    pub samples: Vec<Vec<Vec3>>,
}

/// Reads the points of all meshes over time; meshes with constant points stand still. Converts to m and +Y up.
///
/// # Errors
/// If the file is not USD text, has no points over time, or its lists do not match.
pub fn read_usda_points(bytes: &[u8]) -> Result<UsdaPoints> {
    if bytes.starts_with(b"PXR-USDC") || bytes.starts_with(b"PK\x03\x04") {
        return Err(PointsReadError::Binary);
    }
    let text = std::str::from_utf8(bytes).map_err(|error| PointsReadError::Syntax {
        line: 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count(),
        problem: "the text is not UTF-8".to_owned(),
    })?;
    if !text.starts_with("#usda 1.0") {
        return Err(PointsReadError::Magic);
    }
    let mut reader =
        Reader { rest: text, line: 1, prims: Vec::new(), found: Vec::new(), stage: Stage::default() };
    reader.read()?;
    joined(reader.found, &reader.stage)
}

/// Settings of the whole file.
struct Stage {
    meters_per_unit: f32,
    is_z_up: bool,
}

impl Default for Stage {
    /// Defaults of the format: cm, +Y up.
    fn default() -> Self {
        Self { meters_per_unit: 0.01, is_z_up: false }
    }
}

#[derive(Default)]
struct FoundMesh {
    name: String,
    still: Vec<Vec3>,
    samples: Vec<(f64, Vec<Vec3>)>,
}

/// A prim whose braces are open; `mesh`: its index among the meshes found.
struct Open {
    name: String,
    mesh: Option<usize>,
}

struct Reader<'a> {
    rest: &'a str,
    line: usize,
    prims: Vec<Open>,
    found: Vec<FoundMesh>,
    stage: Stage,
}

impl<'a> Reader<'a> {
    fn read(&mut self) -> Result<()> {
        // The last words before a brace name the prim it opens: def, the type, the name.
        let mut words: Vec<&'a str> = Vec::new();
        loop {
            self.skip_space();
            let Some(first) = self.rest.chars().next() else { break };
            match first {
                '{' => {
                    self.open(&words);
                    words.clear();
                }
                '}' => {
                    self.take(1);
                    if self.prims.pop().is_none() {
                        return Err(self.wrong("unexpected closing brace"));
                    }
                    words.clear();
                }
                '(' => {
                    let inside = self.bracketed()?;
                    if self.prims.is_empty() && words.is_empty() {
                        self.read_stage(inside)?;
                    }
                }
                '=' => {
                    self.take(1);
                    let name = words.last().copied().unwrap_or_default();
                    self.value(name)?;
                    words.clear();
                }
                '"' | '\'' => words.push(self.quoted()?),
                '[' | ']' | ')' | ',' | ';' => {
                    self.take(1);
                }
                _ => words.push(self.word()),
            }
        }
        match self.prims.last() {
            Some(open) => Err(self.wrong(&format!("the file ends inside prim {:?}", open.name))),
            None => Ok(()),
        }
    }

    fn open(&mut self, words: &[&'a str]) {
        self.take(1);
        // A prim may be def Mesh "name" or def "name"; variants and others also open braces.
        let at = words.iter().rposition(|word| matches!(*word, "def" | "over" | "class"));
        let (kind, name) = match at.map(|at| &words[at + 1..]) {
            Some([kind, name]) => (*kind, *name),
            Some([name]) => ("", *name),
            _ => ("", words.last().copied().unwrap_or_default()),
        };
        let mesh = (kind == "Mesh").then_some(self.found.len());
        if mesh.is_some() {
            self.found.push(FoundMesh { name: name.to_owned(), ..FoundMesh::default() });
        }
        self.prims.push(Open { name: name.to_owned(), mesh });
    }

    /// Parses the value after an equals sign.
    fn value(&mut self, name: &str) -> Result<()> {
        self.skip_space();
        let mesh = self.prims.last().and_then(|open| open.mesh);
        match (mesh, name) {
            (Some(mesh), "points") if self.rest.starts_with('[') => {
                self.found[mesh].still = self.points()?;
            }
            (Some(mesh), "points.timeSamples") => {
                self.found[mesh].samples = self.time_samples()?;
            }
            (_, name) if name.starts_with("xformOp:") => {
                let (line, is_identity) = (self.line, self.is_identity(name)?);
                if !is_identity {
                    let prim = self.prims.last().map_or_else(String::new, |open| open.name.clone());
                    return Err(PointsReadError::Transform { line, prim });
                }
            }
            _ => self.skip_value()?,
        }
        Ok(())
    }

    /// Whether a transform operation is the identity. Values over time count as a transform.
    fn is_identity(&mut self, name: &str) -> Result<bool> {
        let from = self.rest;
        self.skip_value()?;
        let text = &from[..from.len() - self.rest.len()];
        if text.starts_with('{') {
            return Ok(false);
        }
        let numbers: Vec<f64> = text
            .split(|sign: char| !(sign.is_ascii_digit() || matches!(sign, '.' | '-' | '+' | 'e' | 'E')))
            .filter_map(|word| word.parse().ok())
            .collect();
        let is_near = |expected: &[f64]| {
            numbers.len() == expected.len() && numbers.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6)
        };
        let identity = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        Ok(match name {
            _ if name.starts_with("xformOp:scale") => is_near(&[1.0; 3]),
            _ if name.starts_with("xformOp:transform") => is_near(&identity),
            _ if name.starts_with("xformOp:orient") => is_near(&[1.0, 0.0, 0.0, 0.0]),
            _ => numbers.iter().all(|number| number.abs() < 1e-6),
        })
    }

    fn read_stage(&mut self, inside: &str) -> Result<()> {
        for (name, value) in inside.lines().filter_map(|line| line.split_once('=')) {
            let value = value.trim();
            match name.trim() {
                "metersPerUnit" => match value.parse::<f32>() {
                    Ok(scale) if scale.is_finite() && scale > 0.0 => self.stage.meters_per_unit = scale,
                    _ => {
                        let what = format!("invalid metersPerUnit {value:?}; expected a number above 0");
                        return Err(self.wrong(&what));
                    }
                },
                "upAxis" => match value.trim_matches(['"', '\'']) {
                    "Y" => self.stage.is_z_up = false,
                    "Z" => self.stage.is_z_up = true,
                    other => {
                        return Err(PointsReadError::UpAxis { line: self.line, found: other.to_owned() });
                    }
                },
                _ => {}
            }
        }
        Ok(())
    }

    fn time_samples(&mut self) -> Result<Vec<(f64, Vec<Vec3>)>> {
        self.expect('{')?;
        let mut samples: Vec<(f64, Vec<Vec3>)> = Vec::new();
        while !self.accept('}') {
            let time = f64::from(self.number()?);
            self.expect(':')?;
            samples.push((time, self.points()?));
            self.accept(',');
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(samples)
    }

    fn points(&mut self) -> Result<Vec<Vec3>> {
        self.expect('[')?;
        let mut points = Vec::new();
        while !self.accept(']') {
            if self.accept(',') {
                continue;
            }
            let mut point = Vec3::ZERO;
            for (axis, before) in ['(', ',', ','].into_iter().enumerate() {
                self.expect(before)?;
                point[axis] = self.number()?;
            }
            self.expect(')')?;
            points.push(point);
        }
        Ok(points)
    }

    fn number(&mut self) -> Result<f32> {
        self.skip_space();
        let end = self.rest.find([',', ')', ':', ']', ' ', '\n', '\r', '\t']).unwrap_or(self.rest.len());
        let word = &self.rest[..end];
        match word.parse::<f32>() {
            Ok(number) if number.is_finite() => {
                self.take(end);
                Ok(number)
            }
            Ok(_) => Err(self.wrong(&format!("{word} is not finite"))),
            Err(_) => {
                Err(self.wrong(&format!("{:?} is not a number", word.chars().take(20).collect::<String>())))
            }
        }
    }

    fn accept(&mut self, sign: char) -> bool {
        self.skip_space();
        let is_there = self.rest.starts_with(sign);
        self.take(if is_there { sign.len_utf8() } else { 0 });
        is_there
    }

    fn expect(&mut self, sign: char) -> Result<()> {
        if self.accept(sign) {
            return Ok(());
        }
        let found = match self.rest.chars().next() {
            Some(found) => format!("{found:?}"),
            None => "the end of the file".to_owned(),
        };
        Err(self.wrong(&format!("expected {sign:?}, found {found}")))
    }

    /// Skips one value: in brackets of any kind, quoted, or a word.
    fn skip_value(&mut self) -> Result<()> {
        self.skip_space();
        match self.rest.as_bytes().first() {
            Some(b'[' | b'(' | b'{') => self.bracketed().map(|_| ()),
            Some(b'"' | b'\'') => self.quoted().map(|_| ()),
            _ => {
                self.word();
                Ok(())
            }
        }
    }

    /// The text between brackets of any kind, which may be nested.
    fn bracketed(&mut self) -> Result<&'a str> {
        let (from, line) = (self.rest, self.line);
        let mut depth = 0usize;
        loop {
            self.skip_comments();
            match self.rest.as_bytes().first() {
                Some(b'(' | b'[' | b'{') => {
                    depth += 1;
                    self.take(1);
                }
                Some(b')' | b']' | b'}') => {
                    depth -= 1;
                    self.take(1);
                    if depth == 0 {
                        let inside = &from[..from.len() - self.rest.len()];
                        return Ok(&inside[1..inside.len() - 1]);
                    }
                }
                Some(b'"' | b'\'') => {
                    self.quoted()?;
                }
                Some(_) => {
                    let end = self
                        .rest
                        .find(['(', '[', '{', ')', ']', '}', '"', '\'', '#'])
                        .unwrap_or(self.rest.len());
                    self.take(end);
                }
                None => {
                    return Err(PointsReadError::Syntax { line, problem: "unclosed bracket".to_owned() });
                }
            }
        }
    }

    fn quoted(&mut self) -> Result<&'a str> {
        let line = self.line;
        let sign = &self.rest[..1];
        let triple = sign.repeat(3);
        let mark = if self.rest.starts_with(&triple) { &self.rest[..3] } else { sign };
        let inside = &self.rest[mark.len()..];
        let mut from = 0;
        loop {
            let Some(at) = inside[from..].find(mark).map(|at| at + from) else {
                return Err(PointsReadError::Syntax { line, problem: "unclosed string".to_owned() });
            };
            let slashes = inside[..at].bytes().rev().take_while(|byte| *byte == b'\\').count();
            if slashes % 2 == 0 {
                self.take(at + 2 * mark.len());
                return Ok(&inside[..at]);
            }
            from = at + 1;
        }
    }

    fn word(&mut self) -> &'a str {
        let is_end = |sign: char| sign.is_whitespace() || "{}=\"'(,;)".contains(sign);
        let end = self.rest.find(is_end).unwrap_or(self.rest.len()).max(1).min(self.rest.len());
        let word = &self.rest[..end];
        self.take(end);
        word
    }

    fn skip_comments(&mut self) {
        while self.rest.starts_with('#') {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.take(end);
        }
    }

    fn skip_space(&mut self) {
        loop {
            let end = self.rest.find(|sign: char| !sign.is_whitespace()).unwrap_or(self.rest.len());
            self.take(end);
            if !self.rest.starts_with('#') {
                return;
            }
            self.skip_comments();
        }
    }

    fn take(&mut self, count: usize) {
        self.line += self.rest.as_bytes()[..count].iter().filter(|byte| **byte == b'\n').count();
        self.rest = &self.rest[count..];
    }

    fn wrong(&self, problem: &str) -> PointsReadError {
        PointsReadError::Syntax { line: self.line, problem: problem.to_owned() }
    }
}

/// All meshes end to end.
fn joined(found: Vec<FoundMesh>, stage: &Stage) -> Result<UsdaPoints> {
    let meshes: Vec<FoundMesh> =
        found.into_iter().filter(|mesh| !mesh.samples.is_empty() || !mesh.still.is_empty()).collect();
    let Some(moving) = meshes.iter().find(|mesh| !mesh.samples.is_empty()) else {
        return Err(PointsReadError::NoSamples);
    };
    let expected = moving.samples.len();
    let mut samples = vec![Vec::new(); expected];
    for mesh in &meshes {
        let count = mesh.samples.len();
        if count != expected && count > 0 {
            let (mesh, first) = (mesh.name.clone(), moving.name.clone());
            return Err(PointsReadError::SampleCount { mesh, found: count, first, expected });
        }
        let point_count = mesh.samples.first().map_or(mesh.still.len(), |(_, points)| points.len());
        for (sample, into) in samples.iter_mut().enumerate() {
            let points = mesh.samples.get(sample).map_or(&mesh.still, |(_, points)| points);
            if points.len() != point_count {
                let (mesh, found) = (mesh.name.clone(), points.len());
                return Err(PointsReadError::PointCount { mesh, sample, found, expected: point_count });
            }
            into.extend(points.iter().map(|place| in_metres(*place, stage)));
        }
    }
    let point_count = samples.first().map_or(0, Vec::len);
    Ok(UsdaPoints { meshes: meshes.into_iter().map(|mesh| mesh.name).collect(), point_count, samples })
}

fn in_metres(place: Vec3, stage: &Stage) -> Vec3 {
    let turned = if stage.is_z_up { Vec3::new(place.x, place.z, -place.y) } else { place };
    turned * stage.meters_per_unit
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UsdaPart, UsdaStage, UsdaWriter};
    use std::io::Cursor;

    /// Rounding of single precision at a few cm.
    const ROUNDING_M: f32 = 1e-7;

    fn written() -> (Vec<u8>, Vec<Vec<Vec3>>) {
        let frames: Vec<Vec<Vec3>> = (0..3)
            .map(|frame| (0..5).map(|at| Vec3::new(at as f32 * 0.1, frame as f32 - 1e-7, -0.25)).collect())
            .collect();
        let part = |name, vertex_count| UsdaPart {
            name,
            vertex_count,
            triangles: &[[0, 1, 1]],
            uvs: &[],
            is_double_sided: false,
        };
        let parts = [part("a {\"b", 3), part("b", 2)];
        let stage = UsdaStage { name: "stage", frames_per_second: 30.0 };
        let mut writer = UsdaWriter::new(Vec::new(), Cursor::new(Vec::new()), stage, &parts).unwrap();
        frames.iter().for_each(|frame| writer.write_frame(frame, &[Vec3::Y; 5]).unwrap());
        (writer.finish().unwrap(), frames)
    }

    #[test]
    fn what_is_written_is_read_back() {
        let (bytes, frames) = written();
        let read = read_usda_points(&bytes).unwrap();
        assert_eq!((read.meshes.len(), read.point_count), (2, 5));
        assert_eq!(read.samples, frames);
    }

    #[test]
    fn no_part_of_a_file_panics_and_none_is_taken_for_the_whole() {
        let (bytes, _) = written();
        for cut in 0..bytes.len() - 2 {
            assert!(read_usda_points(&bytes[..cut]).is_err(), "cut to {cut} bytes");
        }
    }

    /// The layout of Blender's export: +Z up, nested prims, a still mesh, tokens and relations that do not matter.
    const EXPORTED: &str = r#"#usda 1.0
(
    defaultPrim = "scene"
    doc = "a text with ) in it"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "scene" (
    customData = { dictionary a = { string b = "c" } }
)
{
    def Xform "Cube"
    {
        matrix4d xformOp:transform = ( (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1) )
        uniform token[] xformOpOrder = ["xformOp:transform"]

        def Mesh "Cube_001" (
            active = true
        )
        {
            float3[] extent.timeSamples = { 1: [(0, 0, 0), (1, 1, 1)], }
            int[] faceVertexIndices = [0, 1, 2]
            rel material:binding = </scene/_materials/Material>
            point3f[] points.timeSamples = {
                2: [(0, 0, 5), (1, 2, 3)], # later
                1: [(0, 0, 4), (1, 2, 3)],
            }
            uniform token subdivisionScheme = "none"
        }
    }
}
"#;

    #[test]
    fn other_programs_layouts_are_read() {
        let read = read_usda_points(EXPORTED.as_bytes()).unwrap();
        assert_eq!(read.meshes, ["Cube_001"]);
        assert_eq!(read.samples[0], [Vec3::new(0.0, 4.0, 0.0), Vec3::new(1.0, 3.0, -2.0)]);
        assert_eq!(read.samples[1][0], Vec3::new(0.0, 5.0, 0.0));
        let centimetres = EXPORTED.replace("metersPerUnit = 1", "metersPerUnit = 0.01");
        assert!(
            (read_usda_points(centimetres.as_bytes()).unwrap().samples[0][0].y - 0.04).abs() < ROUNDING_M
        );
    }

    #[test]
    fn bad_files_are_told_by_line() {
        let check = |from: &str, to: &str, message: &str| {
            let text = EXPORTED.replace(from, to);
            assert_ne!(text, EXPORTED, "{from:?} is in the text");
            let said = read_usda_points(text.as_bytes()).unwrap_err().to_string();
            assert!(said.contains(message), "{said:?}, not {message:?}");
        };
        check("#usda", "usda", "line 1");
        check("(1, 2, 3)],\n            }", "(1, x, 3)],\n            }", "line 27: \"x\" is not a number");
        check("(0, 0, 4)", "(0, 0, nan)", "line 27: nan is not finite");
        check("(0, 0, 5), ", "", "1 points in sample 1, but 2 in the first");
        check("(0, 0, 0, 1) )", "(0, 0, 7, 1) )", "prim \"Cube\" has a transform");
        check("upAxis = \"Z\"", "upAxis = \"W\"", "upAxis \"W\"");
        check("points.timeSamples", "velocities.timeSamples", "no mesh has points over time");
        let binary = read_usda_points(b"PXR-USDC\0\0").unwrap_err().to_string();
        assert!(binary.contains("binary USD"), "{binary}");
    }
}
