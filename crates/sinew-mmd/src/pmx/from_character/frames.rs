//! The groups of MMD's window.

use crate::pmx::{Pmx, PmxFrame};

/// The frame of the root bone; every model has it.
pub(in crate::pmx) const ROOT_FRAME: (&str, &str) = ("Root", "Root");
/// The frame of the morphs; every model has it.
pub(in crate::pmx) const MORPH_FRAME: (&str, &str) = ("表情", "Exp");
/// The frame of all other bones.
pub(in crate::pmx) const BONES_FRAME: (&str, &str) = ("ボーン", "Bones");

/// Kinds of entries.
const BONE_ENTRY: u8 = 0;
const MORPH_ENTRY: u8 = 1;

/// Root, morphs, and the other bones.
pub(in crate::pmx) fn with_frames(pmx: &Pmx) -> Vec<PmxFrame> {
    let root = pmx.bones.iter().position(|bone| bone.parent == -1);
    let entry = |index: usize| (BONE_ENTRY, index as i32);
    let mut frames = vec![
        PmxFrame { entries: root.map(entry).into_iter().collect(), ..new_frame(ROOT_FRAME, 1) },
        PmxFrame {
            entries: (0..pmx.morphs.len()).map(|morph| (MORPH_ENTRY, morph as i32)).collect(),
            ..new_frame(MORPH_FRAME, 1)
        },
    ];
    let others: Vec<_> = (0..pmx.bones.len()).filter(|&bone| Some(bone) != root).map(entry).collect();
    if !others.is_empty() {
        frames.push(PmxFrame { entries: others, ..new_frame(BONES_FRAME, 0) });
    }
    frames
}

/// An empty frame.
pub(in crate::pmx) fn new_frame((name, name_en): (&str, &str), special: u8) -> PmxFrame {
    PmxFrame { name: name.into(), name_en: name_en.into(), special, entries: Vec::new() }
}
