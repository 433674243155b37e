//! Morphs; PMD refers to their vertices through a base.

use super::super::types::{Pmd, PmdEnglishNames, PmdMorph};
use super::text;
use crate::pmx::{PmxMorph, PmxMorphKind};
use sinew_io::Report;

pub(super) fn to_pmx(pmd: &Pmd, english: &PmdEnglishNames, report: &mut Report) -> Vec<PmxMorph> {
    let base = pmd.morphs.iter().position(|morph| morph.kind == 0);
    let base_entries = base.map_or(&[][..], |base| &pmd.morphs[base].entries);
    let others = pmd.morphs.iter().enumerate().filter(|(index, _)| Some(*index) != base);
    let to_pmx = |(index, morph): (usize, &PmdMorph)| {
        let place = format!("morphs[{index}]");
        // The first morph, the base, has no English name.
        let name_en = index.checked_sub(1).and_then(|index| english.morphs.get(index).copied());
        let shifts: Vec<(u32, [f32; 3])> = morph
            .entries
            .iter()
            .filter_map(|&(entry, shift)| Some((base_entries.get(entry as usize)?.0, shift)))
            .collect();
        let lost_count = morph.entries.len() - shifts.len();
        if lost_count > 0 {
            report.warn(&place, format_args!("{lost_count} entries are outside the base; left out"));
        }
        PmxMorph {
            name: text(&morph.name, &place, report),
            name_en: text(&name_en.unwrap_or_default(), &place, report),
            panel: morph.kind,
            kind: PmxMorphKind::Vertex(shifts),
        }
    };
    others.map(to_pmx).collect()
}
