//! Reading and writing a PMD file.

use super::records::counted;
use super::types::{Pmd, PmdEnglish, PmdEnglishNames};
use crate::bytes::Bytes;
use crate::sink::Sink;
use crate::stored::{Count, List, Stored, list, stored};
use crate::{FixedText, MmdProblem, Result};
use sinew_io::{Limits, Report};

/// Tolerance of the version number around 1.0.
const VERSION_TOLERANCE: f32 = 0.01;

impl Pmd {
    /// Reads a `.pmd` file.
    ///
    /// Each of the lists at the end may be missing. If one is truncated, its bytes are kept unchanged and reported. Indices are not
    /// checked and may be out of range.
    ///
    /// # Errors
    /// If the file is of another kind or version, is truncated elsewhere, contains an invalid value, or needs more memory than `limits`
    /// allow.
    pub fn read(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Self> {
        let source = &mut Bytes::new(bytes, limits);
        let version = read_start(source)?;
        let mut pmd = Self { version, ..Stored::read(source, ())? };
        pmd.read_tail(source, report)?;
        pmd.trailing = source.rest().to_vec();
        Ok(pmd)
    }

    /// Reads the lists at the end; each may be missing.
    fn read_tail(&mut self, source: &mut Bytes<'_>, report: &mut Report) -> Result<()> {
        self.english = unless_cut(source, report, |source| self.read_english(source))?;
        if self.english.is_some() {
            self.toons = unless_cut(source, report, |source| {
                let mut toons = Box::<[FixedText<100>; _]>::default();
                for (index, toon) in toons.iter_mut().enumerate() {
                    source.enter(false, Some(("toons", index)));
                    *toon = source.get("name")?;
                }
                Ok(toons)
            })?;
        }
        if self.toons.is_some() {
            self.rigid_bodies = unless_cut(source, report, |source| Stored::read(source, RIGID_BODIES))?;
        }
        if self.rigid_bodies.is_some() {
            self.joints = unless_cut(source, report, |source| Stored::read(source, JOINTS))?;
        }
        let left = source.left();
        if self.joints.is_some() && left > 0 {
            let place = format_args!("byte {}", source.offset());
            report.warn(place, format_args!("{left} bytes after the end of the model are kept"));
        }
        Ok(())
    }

    fn read_english(&self, source: &mut Bytes<'_>) -> Result<PmdEnglish> {
        if !source.flag("whether there are English names")? {
            return Ok(PmdEnglish::Absent);
        }
        let [bones, morphs, frames] = self.english_counts();
        Ok(PmdEnglish::Present(Box::new(PmdEnglishNames {
            name: source.get("English name")?,
            comment: source.get("English comment")?,
            bones: counted(source, bones as u64, "English bones", "English bones")?,
            morphs: counted(source, morphs as u64, "English morphs", "English morphs")?,
            frames: counted(source, frames as u64, "English frames", "English frames")?,
        })))
    }

    /// English names of bones, morphs without the base, and frames: the maximum of those lists in a file.
    fn english_counts(&self) -> [usize; 3] {
        let most = usize::from(u16::MAX);
        let morphs = self.morphs.len().min(most).saturating_sub(1);
        [self.bones.len().min(most), morphs, self.frame_names.len().min(u8::MAX.into())]
    }

    /// Writes a `.pmd` file. An unchanged file is written back byte for byte.
    ///
    /// A missing list at the end also ends the file, unless a later one exists: it is then written empty. Lists are cut to the maximum
    /// of their counts: 255 groups, shown morphs and links, 65,535 bones, chains and morphs.
    pub fn write(&self) -> Vec<u8> {
        let mut sink = Sink::plain(1024 + 38 * self.vertices.len() + 2 * self.indices.len());
        let out = &mut sink;
        out.put(*b"Pmd");
        out.put(self.version);
        Stored::write(self, out, ());
        self.write_tail(out);
        sink.out.extend_from_slice(&self.trailing);
        sink.out
    }

    fn write_tail(&self, sink: &mut Sink) {
        let has_joints = self.joints.is_some();
        let has_bodies = has_joints || self.rigid_bodies.is_some();
        let has_toons = has_bodies || self.toons.is_some();
        match &self.english {
            Some(PmdEnglish::Present(names)) => self.write_english(sink, names),
            Some(PmdEnglish::Absent) => sink.put(0u8),
            None if has_toons => sink.put(0u8),
            None => {}
        }
        if has_toons {
            sink.put(*self.toons.clone().unwrap_or_default());
        }
        if has_bodies {
            self.rigid_bodies.as_ref().unwrap_or(&Vec::new()).write(sink, RIGID_BODIES);
        }
        if has_joints {
            self.joints.as_ref().unwrap_or(&Vec::new()).write(sink, JOINTS);
        }
    }

    fn write_english(&self, sink: &mut Sink, names: &PmdEnglishNames) {
        sink.put(1u8);
        sink.put(names.name);
        sink.put(names.comment);
        let [bones, morphs, frames] = self.english_counts();
        write_names(sink, &names.bones, bones);
        write_names(sink, &names.morphs, morphs);
        write_names(sink, &names.frames, frames);
    }
}

const RIGID_BODIES: List<()> = records(Count::FOUR, "rigid bodies");
const JOINTS: List<()> = records(Count::FOUR, "joints");

const fn records(count: Count, name: &'static str) -> List<()> {
    list(count, name, ())
}

stored! {
    Pmd {
        name: "name",
        comment: "comment",
        vertices: records(Count::FOUR, "vertices"),
        indices: list(Count::FOUR, "indices", "vertex"),
        materials: records(Count::FOUR, "materials"),
        bones: records(Count::TWO, "bones"),
        iks: records(Count::TWO, "IKs"),
        morphs: records(Count::TWO, "morphs"),
        morph_display: list(Count::ONE, "shown morphs", "morph"),
        frame_names: list(Count::ONE, "frames", "name"),
        frame_entries: list(Count::FOUR, "shown bones", ("bone", "frame"));
        ..Self::default()
    }
}

fn write_names<const N: usize>(sink: &mut Sink, names: &[FixedText<N>], count: usize) {
    (0..count).for_each(|index| sink.put(names.get(index).copied().unwrap_or_default()));
}

/// Magic and version.
fn read_start(bytes: &mut Bytes<'_>) -> Result<f32> {
    let magic: [u8; 3] = bytes.get("magic")?;
    if &magic != b"Pmd" {
        let problem = MmdProblem::NotSupported("not a PMD file: it does not start with Pmd".to_owned());
        return Err(bytes.error(0, "magic", problem));
    }
    let version: f32 = bytes.get("version")?;
    let is_known = (version - 1.0).abs() < VERSION_TOLERANCE;
    if !is_known {
        let problem = MmdProblem::NotSupported(format!("version {version} is not supported; expected 1.0"));
        return Err(bytes.error(magic.len(), "version", problem));
    }
    Ok(version)
}

/// A list at the end, or `None` if the file ends before it or, with a warning, inside it.
fn unless_cut<'a, T>(
    source: &mut Bytes<'a>,
    report: &mut Report,
    read: impl FnOnce(&mut Bytes<'a>) -> Result<T>,
) -> Result<Option<T>> {
    if source.left() == 0 {
        return Ok(None);
    }
    let start = source.offset();
    let read = read(source);
    source.enter(false, None);
    match read {
        Ok(read) => Ok(Some(read)),
        Err(error) if matches!(error.problem, MmdProblem::Ends { .. }) => {
            source.return_to(start);
            let place = format_args!("byte {}, {}", error.offset, error.field);
            let (problem, kept) = (&error.problem, source.left());
            report.warn(place, format_args!("{problem}; the list's {kept} bytes are kept unchanged"));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}
