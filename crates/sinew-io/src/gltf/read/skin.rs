//! Skinning method of the file: the extension `SINEW_skin` and its vertex attributes.

use super::Reader;
use super::meshes::MeshBuilder;
use crate::gltf::json::Cursor;
use crate::gltf::skin_keys::{METHOD_KEY, SCALAR_METHOD_KEY, SKIN_EXTENSION, SPHERICAL_KEYS};
use crate::gltf::{ReadGltfError, Result};
use glam::Vec3;
use sinew_rig::{AuthoredJoint, AuthoredRange, AuthoredSkin, FormerVertex, MeshId, Spherical};

impl Reader<'_> {
    /// The extension; members of the wrong type are reported and ignored.
    pub(super) fn skin(&mut self) -> AuthoredSkin {
        let root = self.document.root();
        let Some(extension) = root.extension(SKIN_EXTENSION) else { return AuthoredSkin::default() };
        let joint = |entry: &Cursor<'_>| {
            Ok(AuthoredJoint {
                pattern: required_text(entry, "bone")?,
                method: required_text(entry, "method")?,
            })
        };
        let range = |entry: &Cursor<'_>| {
            let point = |key: &str| match entry.f32s::<3>(key)? {
                Some(point) => Ok(Vec3::from(point)),
                None => Err(ReadGltfError::Missing { place: entry.place_of(key) }),
            };
            Ok(AuthoredRange { pattern: required_text(entry, "bone")?, r0: point("r0")?, r1: point("r1")? })
        };
        let s = self.or_told(extension.f32("s")).flatten();
        let is_share = |s: &f32| (0.0..=1.0).contains(s);
        if s.is_some_and(|s| !is_share(&s)) {
            self.report.warn(extension.place_of("s"), "out of range; use 0 to 1; it is ignored");
        }
        AuthoredSkin {
            method: self.or_told(text(&extension, "method")).flatten(),
            joints: self.entries(&extension, "joints", joint),
            ranges: self.entries(&extension, "ranges", range),
            s: s.filter(is_share),
            rotation: self.or_told(text(&extension, "rotation")).flatten(),
            former: self.entries(&extension, "former", former),
        }
    }

    fn entries<T>(
        &mut self,
        extension: &Cursor<'_>,
        key: &str,
        read: impl Fn(&Cursor<'_>) -> Result<T>,
    ) -> Vec<T> {
        let listed = self.or_told(extension.objects(key)).unwrap_or_default();
        listed.iter().filter_map(|entry| self.or_told(read(entry))).collect()
    }

    fn or_told<T>(&mut self, read: Result<T>) -> Option<T> {
        read.map_err(|error| self.report.warn("", format!("{error}; it is ignored"))).ok()
    }

    /// c, r0 and r1 of a primitive's vertices. They belong to the first two listed joints: if one of these has no weight
    /// (`have_both` is false) they are ignored. Nine zeros mean that the vertex has none.
    pub(super) fn spherical(
        &mut self,
        attributes: &Cursor<'_>,
        have_both: &[bool],
        out: &mut MeshBuilder,
    ) -> Result<()> {
        if !out.has_spherical {
            return Ok(());
        }
        let first = out.mesh.spherical.len();
        let count = out.mesh.positions.len() - first;
        self.fill(&attributes.place, &mut out.mesh.spherical, count, None)?;
        let mut lists = Vec::new();
        for key in SPHERICAL_KEYS {
            match self.optional(attributes, key, count)? {
                Some(reference) => lists.push(self.elements::<3>(&reference, &[3])?),
                None if lists.is_empty() && attributes.get(key).is_none() => return Ok(()),
                None => {
                    let what = format!("{key} is missing; c, r0 and r1 are ignored");
                    self.report.warn(&attributes.place, what);
                    return Ok(());
                }
            }
        }
        let mut broken = 0;
        for vertex in (0..count).filter(|&vertex| have_both.get(vertex) == Some(&true)) {
            let point = |at: usize| Vec3::from(lists[at][vertex]);
            let spherical = Spherical { center: point(0), r0: point(1), r1: point(2) };
            broken += usize::from(!spherical.is_finite());
            if spherical != NO_SPHERICAL && spherical.is_finite() {
                out.mesh.spherical[first + vertex] = Some(spherical);
            }
        }
        if broken > 0 {
            let what = format!("c, r0 or r1 of {broken} vertices are not finite; they are computed instead");
            self.report.warn(&attributes.place, what);
        }
        Ok(())
    }

    /// Method codes of a primitive's vertices.
    pub(super) fn methods(&mut self, attributes: &Cursor<'_>, out: &mut MeshBuilder) -> Result<()> {
        if !out.has_methods {
            return Ok(());
        }
        let count = out.mesh.positions.len() - out.mesh.methods.len();
        let vector = self.optional(attributes, METHOD_KEY, count)?;
        let scalar = || self.optional(attributes, SCALAR_METHOD_KEY, count);
        let Some(reference) = vector.map_or_else(scalar, |vector| Ok(Some(vector)))? else {
            return self.fill(&attributes.place, &mut out.mesh.methods, count, 0);
        };
        let mut broken = 0;
        // The code is the first component; the others have no meaning yet.
        let codes = self.elements::<3>(&reference, &[1, 3])?;
        out.mesh.methods.extend(codes.into_iter().map(|[code, ..]| {
            let is_code = code.fract() == 0.0 && (0.0..=255.0).contains(&code);
            broken += usize::from(!is_code);
            if is_code { code as u8 } else { 0 }
        }));
        if broken > 0 {
            let what = format!("{broken} vertices have no whole number from 0 to 255; using 0");
            self.report.warn(reference.place, what);
        }
        Ok(())
    }
}

/// A vertex before an optimization; whether its indices exist shows when it is undone.
fn former(entry: &Cursor<'_>) -> Result<FormerVertex> {
    let joints = entry.list("joints")?.into_iter().map(|joint| joint.as_index(usize::from(u16::MAX) + 1));
    let weights = entry.list("weights")?.into_iter().map(|weight| weight.as_f32());
    let influences = joints.zip(weights).map(|(joint, weight)| Ok((joint? as u16, weight?)));
    let point = |key: &str| -> Result<Option<Vec3>> { Ok(entry.f32s::<3>(key)?.map(Vec3::from)) };
    let points = [point("c")?, point("r0")?, point("r1")?];
    let spherical = match points {
        [Some(center), Some(r0), Some(r1)] => Some(Spherical { center, r0, r1 }),
        _ => None,
    };
    Ok(FormerVertex {
        mesh: MeshId::of(entry.require("mesh")?.as_index(u32::MAX as usize)?),
        vertex: entry.require("vertex")?.as_index(u32::MAX as usize)? as u32,
        influences: influences.collect::<Result<_>>()?,
        spherical,
    })
}

/// Value of a vertex without parameters.
const NO_SPHERICAL: Spherical = Spherical { center: Vec3::ZERO, r0: Vec3::ZERO, r1: Vec3::ZERO };

fn text(cursor: &Cursor<'_>, key: &str) -> Result<Option<String>> {
    let Some(member) = cursor.get(key) else { return Ok(None) };
    member.value.as_str().map(|text| Some(text.to_owned())).ok_or_else(|| member.wrong("a text"))
}

fn required_text(cursor: &Cursor<'_>, key: &str) -> Result<String> {
    text(cursor, key)?.ok_or_else(|| ReadGltfError::Missing { place: cursor.place_of(key) })
}
