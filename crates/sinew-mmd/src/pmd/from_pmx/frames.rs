//! Groups of bones and morphs in MMD's window.

use super::warn_count;
use crate::FixedText;
use crate::pmx::{Pmx, PmxFrame};
use sinew_io::Report;

/// Frames of PMD.
#[derive(Default)]
pub(super) struct Frames {
    pub(super) morph_display: Vec<u16>,
    pub(super) names: Vec<FixedText<50>>,
    pub(super) english_names: Vec<FixedText<50>>,
    pub(super) entries: Vec<(u16, u8)>,
}

/// Maximum frames and shown morphs; the counts have one byte.
const MOST: usize = u8::MAX as usize;
/// The kind of an entry that is a bone.
const BONE: u8 = 0;

pub(super) fn from_pmx(pmx: &Pmx, morph_index_in_pmd: &[Option<u16>], report: &mut Report) -> Frames {
    let mut frames = Frames::default();
    let shown = pmx.frames.iter().flat_map(|frame| &frame.entries).filter(|(kind, _)| *kind != BONE);
    let index = |index: i32| *morph_index_in_pmd.get(usize::try_from(index).ok()?)?;
    frames.morph_display.extend(shown.filter_map(|&(_, morph)| index(morph)));
    let too_many = frames.morph_display.len().saturating_sub(MOST);
    warn_count(report, "shown morphs", too_many, "exceed PMD's maximum; left out");
    frames.morph_display.truncate(MOST);
    let (special, others): (Vec<_>, Vec<_>) = pmx.frames.iter().enumerate().partition(is_special);
    // The first bone is always shown.
    let hidden = special.iter().flat_map(|(_, frame)| bones(frame)).filter(|&bone| bone != 0).count();
    warn_count(report, "special frames", hidden, "bones besides the first are no longer in a frame");
    warn_count(report, "frames", others.len().saturating_sub(MOST), "exceed PMD's maximum; left out");
    for ((index, frame), number) in others.into_iter().zip(1..=MOST as u8) {
        let place = format!("frames[{index}]");
        // Frame names end with a line feed.
        let name = format!("{}\n", frame.name.as_str());
        frames.names.push(FixedText::encode_reported(&name, format_args!("{place}.name"), report));
        let name_en =
            FixedText::encode_reported(frame.name_en.as_str(), format_args!("{place}.English name"), report);
        frames.english_names.push(name_en);
        frames.entries.extend(bones(frame).map(|bone| (bone, number)));
    }
    frames
}

fn is_special((_, frame): &(usize, &PmxFrame)) -> bool {
    frame.special != 0
}

fn bones(frame: &PmxFrame) -> impl Iterator<Item = u16> {
    frame.entries.iter().filter(|(kind, _)| *kind == BONE).filter_map(|&(_, bone)| u16::try_from(bone).ok())
}
