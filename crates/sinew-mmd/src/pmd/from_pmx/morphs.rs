//! Vertex morphs, over a base that lists all vertices that move.

use super::super::types::PmdMorph;
use super::fixed;
use crate::FixedText;
use crate::pmx::{Pmx, PmxMorph, PmxMorphKind};
use sinew_io::Report;
use std::collections::{BTreeMap, BTreeSet};

/// Morphs of PMD, and their indices.
pub(super) struct Morphs {
    pub(super) morphs: Vec<PmdMorph>,
    pub(super) english_names: Vec<FixedText<20>>,
    /// By the index of a morph in PMX.
    pub(super) index_in_pmd: Vec<Option<u16>>,
}

/// The panel "other".
const OTHER_PANEL: u8 = 4;

pub(super) fn from_pmx(pmx: &Pmx, report: &mut Report) -> Morphs {
    let mut result =
        Morphs { morphs: Vec::new(), english_names: Vec::new(), index_in_pmd: vec![None; pmx.morphs.len()] };
    let base: Vec<u32> = moved_vertices(pmx).into_iter().collect();
    let mut lost: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (index, morph) in pmx.morphs.iter().enumerate() {
        let place = format!("morphs[{index}]");
        let PmxMorphKind::Vertex(shifts) = &morph.kind else {
            lost.entry(kind_name(morph)).or_default().push(morph.name.as_str().to_owned());
            continue;
        };
        let entries: Vec<(u32, [f32; 3])> = shifts
            .iter()
            .filter_map(|&(vertex, shift)| Some((base.binary_search(&vertex).ok()? as u32, shift)))
            .collect();
        let lost_count = shifts.len() - entries.len();
        if lost_count > 0 {
            report.warn(&place, format_args!("{lost_count} entries have a vertex out of range; left out"));
        }
        let kind = if (1..=OTHER_PANEL).contains(&morph.panel) { morph.panel } else { OTHER_PANEL };
        if kind != morph.panel {
            report.warn(&place, format_args!("panel {} is not supported; using \"other\"", morph.panel));
        }
        // The base comes first.
        result.index_in_pmd[index] = u16::try_from(result.morphs.len() + 1).ok();
        result.english_names.push(fixed(&morph.name_en, &format!("{place}.English name"), report));
        let name = fixed(&morph.name, &format!("{place}.name"), report);
        result.morphs.push(PmdMorph { name, kind, entries });
    }
    lost.into_iter().for_each(|(kind, names)| report.lose("PMD", &format!("{kind} morphs"), names));
    if !result.morphs.is_empty() {
        let position = |&vertex: &u32| (vertex, pmx.vertices[vertex as usize].position);
        let (name, _) = FixedText::encode("base");
        let entries = base.iter().map(position).collect();
        result.morphs.insert(0, PmdMorph { name, kind: 0, entries });
    }
    result
}

/// Existing vertices that a morph moves.
fn moved_vertices(pmx: &Pmx) -> BTreeSet<u32> {
    let vertices = pmx.morphs.iter().flat_map(|morph| match &morph.kind {
        PmxMorphKind::Vertex(shifts) => &shifts[..],
        _ => &[],
    });
    vertices.map(|&(vertex, _)| vertex).filter(|&vertex| (vertex as usize) < pmx.vertices.len()).collect()
}

fn kind_name(morph: &PmxMorph) -> &'static str {
    match morph.kind {
        PmxMorphKind::Group(_) => "group",
        PmxMorphKind::Vertex(_) => "vertex",
        PmxMorphKind::Bone(_) => "bone",
        PmxMorphKind::Uv { .. } => "UV",
        PmxMorphKind::Material(_) => "material",
        PmxMorphKind::Flip(_) => "flip",
        PmxMorphKind::Impulse(_) => "impulse",
    }
}
