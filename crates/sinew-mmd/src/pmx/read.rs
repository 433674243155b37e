//! Reading a PMX file.

use super::types::{IndexSizes, Pmx, PmxHeader, PmxSection, PmxTruncation};
use super::{index_sizes, vertices};
use crate::bytes::Bytes;
use crate::stored::{Count, List, Stored, list};
use crate::text::TextEncoding;
use crate::{MmdProblem, MmdReadError, Result};
use sinew_io::{Limits, Report};

/// Number of known global bytes.
const KNOWN_GLOBALS: u8 = 8;
/// Maximum sets of additional texture coordinates.
const MOST_ADDITIONAL_UVS: u8 = 4;
/// Tolerance of the version number around 2.0 or 2.1.
const VERSION_TOLERANCE: f32 = 0.01;

impl Pmx {
    /// Reads a `.pmx` file.
    ///
    /// A file truncated inside its rigid bodies, joints or soft bodies is read up to the last complete entry; the report says where it
    /// ends. Indices are not checked and may be out of range.
    ///
    /// # Errors
    /// If the file is of another kind or version, is truncated elsewhere, contains an invalid value, or needs more memory than `limits`
    /// allow.
    pub fn read(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Self> {
        let source = &mut Bytes::new(bytes, limits);
        let header = read_header(source, report)?;
        (source.encoding, source.sizes) = (header.encoding, header.index_sizes);
        let (name, name_en) = (source.text("name")?, source.text("English name")?);
        let (comment, comment_en) = (source.text("comment")?, source.text("English comment")?);
        let (vertices, additional_uvs) = vertices::read_vertices(source, header.additional_uv_count)?;
        let mut pmx = Self {
            header,
            name,
            name_en,
            comment,
            comment_en,
            vertices,
            additional_uvs,
            faces: vertices::read_faces(source)?,
            textures: Stored::read(source, list(Count::SIGNED, "textures", "path"))?,
            materials: Stored::read(source, records("materials"))?,
            bones: Stored::read(source, records("bones"))?,
            morphs: Stored::read(source, records("morphs"))?,
            frames: Stored::read(source, records("frames"))?,
            ..Self::default()
        };
        pmx.read_physics(source, report)?;
        pmx.trailing = source.rest().to_vec();
        pmx.warn_of_version(report);
        Ok(pmx)
    }

    /// Reads the lists at the end; the file may be truncated in any of them.
    fn read_physics(&mut self, source: &mut Bytes<'_>, report: &mut Report) -> Result<()> {
        let mut tail = Tail { source, report, truncation: None };
        self.rigid_bodies = tail.list(PmxSection::RigidBodies, "rigid bodies")?;
        if tail.truncation.is_none() {
            self.joints = tail.list(PmxSection::Joints, "joints")?;
        }
        let has_count = tail.source.left() >= size_of::<i32>();
        if tail.truncation.is_none() && self.header.is_2_1() && has_count {
            self.soft_bodies = Some(tail.list(PmxSection::SoftBodies, "soft bodies")?);
        }
        self.truncation = tail.truncation;
        if self.truncation.is_none() {
            self.warn_of_end(source, report);
        }
        Ok(())
    }

    fn warn_of_end(&self, source: &Bytes<'_>, report: &mut Report) {
        let left = source.left();
        if left > 0 {
            let place = format_args!("byte {}", source.offset());
            report.warn(place, format_args!("{left} bytes after the end of the model are kept"));
        }
        if self.header.is_2_1() && self.soft_bodies.is_none() {
            report.warn("soft bodies", "the file ends before this list, which version 2.1 requires");
        }
    }

    fn warn_of_version(&self, report: &mut Report) {
        if !self.header.is_2_1()
            && let Some(what) = self.needs_2_1()
        {
            report.warn("version", format!("the file is of version 2.0, but has {what}, which need 2.1"));
        }
    }
}

/// A list of records.
pub(super) fn records(name: &'static str) -> List<()> {
    list(Count::SIGNED, name, ())
}

impl PmxHeader {
    pub(super) fn is_2_1(&self) -> bool {
        (self.version - 2.1).abs() < VERSION_TOLERANCE
    }
}

fn read_header(bytes: &mut Bytes<'_>, report: &mut Report) -> Result<PmxHeader> {
    let magic: [u8; 4] = bytes.get("magic")?;
    let not_supported = |bytes: &Bytes<'_>, offset: usize, field: &str, problem: &str| {
        bytes.error(offset, field, MmdProblem::NotSupported(problem.to_owned()))
    };
    match &magic {
        b"PMX " => {}
        [b'P', b'M', b'X', _] => {
            report.warn("magic", "the fourth byte is not a space; some authors change it to block editors");
        }
        b"Pmx " => {
            return Err(not_supported(bytes, 0, "magic", "PMX 1.0 is not supported; save it as 2.0"));
        }
        _ => return Err(not_supported(bytes, 0, "magic", "not a PMX file: it does not start with PMX")),
    }
    let version: f32 = bytes.get("version")?;
    let is_known = [2.0, 2.1].iter().any(|known| (version - known).abs() < VERSION_TOLERANCE);
    if !is_known {
        let problem = format!("version {version} is not supported; expected 2.0 or 2.1");
        return Err(not_supported(bytes, magic.len(), "version", &problem));
    }
    let offset = bytes.offset();
    let global_count: u8 = bytes.get("count of globals")?;
    if global_count < KNOWN_GLOBALS {
        return Err(bytes.unexpected(offset, "count of globals", global_count, "8 or more"));
    }
    let encoding = read_encoding(bytes)?;
    let offset = bytes.offset();
    let additional_uv_count: u8 = bytes.get("count of additional UVs")?;
    if additional_uv_count > MOST_ADDITIONAL_UVS {
        return Err(bytes.unexpected(offset, "count of additional UVs", additional_uv_count, "0 to 4"));
    }
    let index_sizes = read_index_sizes(bytes)?;
    let other_globals = bytes.take(usize::from(global_count - KNOWN_GLOBALS), "other globals")?.to_vec();
    if !other_globals.is_empty() {
        let count = other_globals.len();
        report.warn("globals", format_args!("{count} bytes after the eight known ones are kept"));
    }
    Ok(PmxHeader { magic, version, encoding, additional_uv_count, index_sizes, other_globals })
}

fn read_encoding(bytes: &mut Bytes<'_>) -> Result<TextEncoding> {
    let offset = bytes.offset();
    match bytes.get("encoding")? {
        0u8 => Ok(TextEncoding::Utf16),
        1 => Ok(TextEncoding::Utf8),
        other => Err(bytes.unexpected(offset, "encoding", other, "0 (UTF-16) or 1 (UTF-8)")),
    }
}

fn read_index_sizes(bytes: &mut Bytes<'_>) -> Result<IndexSizes> {
    let mut size = |field| {
        let offset = bytes.offset();
        let size = bytes.get(field)?;
        if index_sizes::is_allowed(size) {
            Ok(size)
        } else {
            Err(bytes.unexpected(offset, field, size, "1, 2 or 4"))
        }
    };
    Ok(IndexSizes {
        vertex: size("size of vertex indices")?,
        texture: size("size of texture indices")?,
        material: size("size of material indices")?,
        bone: size("size of bone indices")?,
        morph: size("size of morph indices")?,
        rigid_body: size("size of rigid body indices")?,
    })
}

/// The end of a file, where lists may be truncated.
struct Tail<'t, 'a> {
    source: &'t mut Bytes<'a>,
    report: &'t mut Report,
    truncation: Option<PmxTruncation>,
}

impl Tail<'_, '_> {
    /// A list, up to the end of the file.
    fn list<T: Stored<()>>(&mut self, section: PmxSection, name: &'static str) -> Result<Vec<T>> {
        let mut start = self.source.offset();
        let declared = match self.source.get::<i32>(name) {
            Ok(count) if count < 0 => {
                return Err(self.source.unexpected(start, name, count, "a count"));
            }
            Ok(count) => count,
            Err(error) => {
                self.cut_off(start, &error);
                self.truncation = Some(PmxTruncation { section, declared_count: None, whole_count: 0 });
                return Ok(Vec::new());
            }
        };
        let least_bytes = T::least_bytes((), &self.source.sizes) as usize;
        let possible = (self.source.left() / least_bytes).min(declared as usize);
        self.source.check_count(possible as u64, 0, size_of::<T>(), name)?;
        let mut entries = Vec::with_capacity(possible);
        for index in 0..declared as usize {
            self.source.enter(false, Some((name, index)));
            start = self.source.offset();
            match T::read(self.source, ()) {
                Ok(entry) => entries.push(entry),
                Err(error) if matches!(error.problem, MmdProblem::Ends { .. }) => {
                    self.cut_off(start, &error);
                    let whole_count = entries.len();
                    self.truncation =
                        Some(PmxTruncation { section, declared_count: Some(declared), whole_count });
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        self.source.enter(true, None);
        self.source.enter(false, None);
        Ok(entries)
    }

    /// Returns to `start`, keeps the bytes from there unchanged, and reports it.
    fn cut_off(&mut self, start: usize, error: &MmdReadError) {
        self.source.return_to(start);
        let kept = self.source.left();
        let place = format_args!("byte {}, {}", error.offset, error.field);
        let problem = &error.problem;
        self.report.warn(place, format_args!("{problem}; {kept} bytes are kept unchanged"));
    }
}
