//! Reading a PMD file.

use super::types::{
    Pmd, PmdBone, PmdEnglish, PmdEnglishNames, PmdIk, PmdJoint, PmdMaterial, PmdMorph, PmdRigidBody,
    PmdVertex,
};
use crate::bytes::Bytes;
use crate::{FixedText, MmdProblem, MmdReadError};
use sinew_io::{Limits, Report};

/// How far a version may be from 1.0.
const VERSION_TOLERANCE: f32 = 0.01;

impl Pmd {
    /// Reads a `.pmd` file.
    ///
    /// Each of the lists at the end may be missing; if one is cut off, its bytes are kept as they are, and the report says so. Indices
    /// are not checked: they may point at nothing.
    ///
    /// # Errors
    /// The file is of another kind or version, ends too early elsewhere, holds a value that has no meaning, or needs more memory than
    /// `limits` allow.
    pub fn read(bytes: &[u8], limits: &Limits, report: &mut Report) -> Result<Self, MmdReadError> {
        let bytes = &mut Bytes::new(bytes, limits);
        let version = read_start(bytes)?;
        let mut pmd = Self {
            version,
            name: text(bytes, "name")?,
            comment: text(bytes, "comment")?,
            vertices: list(bytes, Count::Four, "vertices", 38, read_vertex)?,
            indices: list(bytes, Count::Four, "indices", 2, |bytes| bytes.u16("vertex"))?,
            materials: list(bytes, Count::Four, "materials", 70, read_material)?,
            bones: list(bytes, Count::Two, "bones", 39, read_bone)?,
            iks: list(bytes, Count::Two, "IKs", 11, read_ik)?,
            morphs: list(bytes, Count::Two, "morphs", 25, read_morph)?,
            morph_display: list(bytes, Count::One, "shown morphs", 2, |bytes| bytes.u16("morph"))?,
            frame_names: list(bytes, Count::One, "frames", 50, |bytes| text(bytes, "name"))?,
            frame_entries: list(bytes, Count::Four, "shown bones", 3, |bytes| {
                Ok((bytes.u16("bone")?, bytes.u8("frame")?))
            })?,
            ..Self::default()
        };
        pmd.read_tail(bytes, report)?;
        pmd.trailing = bytes.rest().to_vec();
        Ok(pmd)
    }

    /// Reads the lists at the end, each of which may be missing.
    fn read_tail(&mut self, bytes: &mut Bytes<'_>, report: &mut Report) -> Result<(), MmdReadError> {
        let (bones, frames) = (self.bones.len(), self.frame_names.len());
        let morphs = self.morphs.len().saturating_sub(1);
        self.english = unless_cut(bytes, report, |bytes| read_english(bytes, bones, morphs, frames))?;
        if self.english.is_some() {
            self.toons = unless_cut(bytes, report, |bytes| {
                let mut toons = Box::<[FixedText<100>; _]>::default();
                for (index, toon) in toons.iter_mut().enumerate() {
                    bytes.enter("toons", index);
                    *toon = text(bytes, "name")?;
                }
                Ok(toons)
            })?;
        }
        if self.toons.is_some() {
            self.rigid_bodies = unless_cut(bytes, report, |bytes| {
                list(bytes, Count::Four, "rigid bodies", 83, read_rigid_body)
            })?;
        }
        if self.rigid_bodies.is_some() {
            self.joints =
                unless_cut(bytes, report, |bytes| list(bytes, Count::Four, "joints", 124, read_joint))?;
        }
        if self.joints.is_some() && bytes.left() > 0 {
            let place = format_args!("byte {}", bytes.offset());
            report.warn(place, format_args!("{} bytes after the end of the model are kept", bytes.left()));
        }
        Ok(())
    }
}

/// Magic and version.
fn read_start(bytes: &mut Bytes<'_>) -> Result<f32, MmdReadError> {
    let magic = bytes.array::<3>("magic")?;
    if &magic != b"Pmd" {
        let problem = MmdProblem::NotSupported("the file does not start with Pmd".to_owned());
        return Err(bytes.error(0, "magic", problem));
    }
    let version = bytes.f32("version")?;
    let is_known = (version - 1.0).abs() < VERSION_TOLERANCE;
    if !is_known {
        let problem = MmdProblem::NotSupported(format!("version {version} is not 1.0"));
        return Err(bytes.error(magic.len(), "version", problem));
    }
    Ok(version)
}

fn text<const N: usize>(bytes: &mut Bytes<'_>, field: &str) -> Result<FixedText<N>, MmdReadError> {
    bytes.array(field).map(FixedText::from)
}

/// Bytes of a count.
enum Count {
    One,
    Two,
    Four,
}

/// A list with its count. An entry takes at least `least_bytes` in the file.
fn list<'a, T>(
    bytes: &mut Bytes<'a>,
    count: Count,
    name: &'static str,
    least_bytes: u64,
    mut read: impl FnMut(&mut Bytes<'a>) -> Result<T, MmdReadError>,
) -> Result<Vec<T>, MmdReadError> {
    let count = match count {
        Count::One => u64::from(bytes.u8(name)?),
        Count::Two => u64::from(bytes.u16(name)?),
        Count::Four => u64::from(bytes.u32(name)?),
    };
    let count = bytes.check_count(count, least_bytes, size_of::<T>(), name)?;
    let mut entries = Vec::with_capacity(count);
    for index in 0..count {
        bytes.enter(name, index);
        entries.push(read(bytes)?);
    }
    bytes.leave();
    Ok(entries)
}

/// A list of the end, or `None` where the file ends before it or, with a warning, inside it.
fn unless_cut<'a, T>(
    bytes: &mut Bytes<'a>,
    report: &mut Report,
    read: impl FnOnce(&mut Bytes<'a>) -> Result<T, MmdReadError>,
) -> Result<Option<T>, MmdReadError> {
    if bytes.left() == 0 {
        return Ok(None);
    }
    let start = bytes.offset();
    match read(bytes) {
        Ok(read) => {
            bytes.leave();
            Ok(Some(read))
        }
        Err(error) if matches!(error.problem, MmdProblem::Ends { .. }) => {
            bytes.leave();
            bytes.return_to(start);
            let place = format_args!("byte {}, {}", error.offset, error.field);
            let (problem, kept) = (&error.problem, bytes.left());
            report.warn(place, format_args!("{problem}; the list's {kept} bytes are kept as they are"));
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn read_vertex(bytes: &mut Bytes<'_>) -> Result<PmdVertex, MmdReadError> {
    Ok(PmdVertex {
        position: bytes.floats("position")?,
        normal: bytes.floats("normal")?,
        uv: bytes.floats("UV")?,
        bones: [bytes.u16("first bone")?, bytes.u16("second bone")?],
        weight_percent: bytes.u8("weight")?,
        edge: bytes.u8("edge")?,
    })
}

fn read_material(bytes: &mut Bytes<'_>) -> Result<PmdMaterial, MmdReadError> {
    Ok(PmdMaterial {
        diffuse: bytes.floats("diffuse")?,
        specular_power: bytes.f32("specular power")?,
        specular: bytes.floats("specular")?,
        ambient: bytes.floats("ambient")?,
        toon: bytes.u8("toon")?,
        edge: bytes.u8("edge")?,
        index_count: bytes.u32("index count")?,
        texture: text(bytes, "texture")?,
    })
}

fn read_bone(bytes: &mut Bytes<'_>) -> Result<PmdBone, MmdReadError> {
    Ok(PmdBone {
        name: text(bytes, "name")?,
        parent: bytes.i16("parent")?,
        tail: bytes.i16("tail")?,
        kind: bytes.u8("type")?,
        ik: bytes.i16("IK")?,
        position: bytes.floats("position")?,
    })
}

fn read_ik(bytes: &mut Bytes<'_>) -> Result<PmdIk, MmdReadError> {
    let (bone, target) = (bytes.u16("bone")?, bytes.u16("target")?);
    let link_count = u64::from(bytes.u8("count of links")?);
    let (loop_count, limit) = (bytes.u16("loop count")?, bytes.f32("angle")?);
    let link_count = bytes.check_count(link_count, 2, size_of::<u16>(), "links")?;
    let links = (0..link_count).map(|_| bytes.u16("link")).collect::<Result<_, _>>()?;
    Ok(PmdIk { bone, target, loop_count, limit, links })
}

fn read_morph(bytes: &mut Bytes<'_>) -> Result<PmdMorph, MmdReadError> {
    let name = text(bytes, "name")?;
    let count = bytes.u32("count of entries")?;
    let kind = bytes.u8("type")?;
    let count = bytes.check_count(count.into(), 16, size_of::<(u32, [f32; 3])>(), "entries")?;
    let entries =
        (0..count).map(|_| Ok((bytes.u32("index")?, bytes.floats("shift")?))).collect::<Result<_, _>>()?;
    Ok(PmdMorph { name, kind, entries })
}

fn read_english(
    bytes: &mut Bytes<'_>,
    bone_count: usize,
    morph_count: usize,
    frame_count: usize,
) -> Result<PmdEnglish, MmdReadError> {
    let offset = bytes.offset();
    match bytes.u8("whether there are English names")? {
        0 => return Ok(PmdEnglish::Absent),
        1 => {}
        other => {
            let field = "whether there are English names";
            return Err(bytes.unexpected(offset, field, other, "0 or 1"));
        }
    }
    Ok(PmdEnglish::Present(Box::new(PmdEnglishNames {
        name: text(bytes, "English name")?,
        comment: text(bytes, "English comment")?,
        bones: names(bytes, bone_count, "English bones")?,
        morphs: names(bytes, morph_count, "English morphs")?,
        frames: names(bytes, frame_count, "English frames")?,
    })))
}

fn names<const N: usize>(
    bytes: &mut Bytes<'_>,
    count: usize,
    field: &'static str,
) -> Result<Vec<FixedText<N>>, MmdReadError> {
    let count = bytes.check_count(count as u64, N as u64, N, field)?;
    (0..count).map(|_| text(bytes, field)).collect()
}

fn read_rigid_body(bytes: &mut Bytes<'_>) -> Result<PmdRigidBody, MmdReadError> {
    Ok(PmdRigidBody {
        name: text(bytes, "name")?,
        bone: bytes.i16("bone")?,
        group: bytes.u8("group")?,
        mask: bytes.u16("mask")?,
        shape: bytes.u8("shape")?,
        size: bytes.floats("size")?,
        position: bytes.floats("position")?,
        rotation_rad: bytes.floats("rotation")?,
        physics: bytes.floats("mass, damping, restitution and friction")?,
        mode: bytes.u8("mode")?,
    })
}

fn read_joint(bytes: &mut Bytes<'_>) -> Result<PmdJoint, MmdReadError> {
    Ok(PmdJoint {
        name: text(bytes, "name")?,
        bodies: [bytes.u32("first body")?, bytes.u32("second body")?],
        values: {
            let values = bytes.floats::<24>("values")?;
            std::array::from_fn(|row| [values[3 * row], values[3 * row + 1], values[3 * row + 2]])
        },
    })
}
