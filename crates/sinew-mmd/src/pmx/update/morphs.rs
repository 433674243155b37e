//! Morphs.

use crate::pmx::from_character::{MORPH_FRAME, VERSION_2_0_UP_TO, kind_of, new_morph};
use crate::pmx::rest_model::RestMorph;
use crate::pmx::{Pmx, PmxMorphKind};
use crate::space::point_to_mmd;
use glam::Vec3;
use sinew_io::Report;
use sinew_rig::MorphEffect;

/// Writes changed and new morphs.
pub(super) fn update(pmx: &mut Pmx, before: &[RestMorph], after: &[RestMorph], report: &mut Report) {
    let allow_2_1 = pmx.header.version > VERSION_2_0_UP_TO;
    for (index, morph) in after.iter().enumerate() {
        let Some(old) = before.get(index) else {
            pmx.morphs.push(new_morph(morph, allow_2_1, report));
            if let Some(frame) = pmx.frames.iter_mut().find(|frame| frame.name.as_str() == MORPH_FRAME.0) {
                frame.entries.push((1, index as i32));
            }
            continue;
        };
        let raw = &mut pmx.morphs[index];
        if old.name != morph.name {
            raw.name = morph.name.as_str().into();
        }
        if (&old.shifts, &old.effect) == (&morph.shifts, &morph.effect) {
            continue;
        }
        raw.kind = match &raw.kind {
            PmxMorphKind::Vertex(entries) if morph.effect == MorphEffect::None => {
                PmxMorphKind::Vertex(updated_shifts(entries, &old.shifts, &morph.shifts))
            }
            PmxMorphKind::Uv { .. } | PmxMorphKind::Material(_) | PmxMorphKind::Impulse(_) => {
                report.warn(format!("morphs[{index}]"), "its effect in the file is replaced by the new one");
                kind_of(morph, allow_2_1, report)
            }
            _ => kind_of(morph, allow_2_1, report),
        };
    }
}

type Entry = (u32, [f32; 3]);

/// The entries in their order, with changes, new ones at the end.
fn updated_shifts(entries: &[Entry], old: &[(u32, Vec3)], new: &[(u32, Vec3)]) -> Vec<Entry> {
    let find = |list: &[(u32, Vec3)], vertex: u32| {
        list.binary_search_by_key(&vertex, |&(listed, _)| listed).ok().map(|at| list[at].1)
    };
    let mut written = Vec::with_capacity(entries.len());
    let mut done = std::collections::BTreeSet::new();
    for &(vertex, shift) in entries {
        let (was, is) = (find(old, vertex), find(new, vertex));
        if was == is {
            written.push((vertex, shift));
        } else if let Some(is) = is.filter(|_| done.insert(vertex)) {
            written.push((vertex, point_to_mmd(is)));
        }
    }
    let added = new.iter().filter(|&&(vertex, _)| find(old, vertex).is_none() && !done.contains(&vertex));
    written.extend(added.map(|&(vertex, shift)| (vertex, point_to_mmd(shift))));
    written
}
