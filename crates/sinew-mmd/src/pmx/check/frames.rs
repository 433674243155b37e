//! Checks of frames: removes entries that do not exist, and adds the two frames of every model if they are missing.

use super::{Problems, place_of};
use crate::pmx::Pmx;
use crate::pmx::from_character::{MORPH_FRAME, ROOT_FRAME, new_frame};

const LIST: &str = "frames";

pub(super) fn repair(pmx: &mut Pmx, problems: &mut Problems) {
    let (bones, morphs) = (pmx.bones.len(), pmx.morphs.len());
    for (index, frame) in pmx.frames.iter_mut().enumerate() {
        let before = frame.entries.len();
        frame.entries.retain(|&(kind, entry)| match kind {
            0 => place_of(entry, bones).is_some(),
            1 => place_of(entry, morphs).is_some(),
            _ => false,
        });
        let dropped = before - frame.entries.len();
        if dropped > 0 {
            problems.add(LIST, index, &format!("{dropped} of its entries do not exist"), "they are removed");
        }
    }
    for (at, name) in [ROOT_FRAME, MORPH_FRAME].into_iter().enumerate() {
        if pmx.frames.iter().any(|frame| frame.special == 1 && frame.name.as_str() == name.0) {
            continue;
        }
        problems.add_to_all(LIST, &format!("the frame {:?} is missing", name.0), "it is added");
        let mut frame = new_frame(name, 1);
        let root = pmx.bones.iter().position(|bone| bone.parent == -1);
        if at == 0 {
            frame.entries.extend(root.map(|root| (0, root as i32)));
        } else {
            frame.entries.extend((0..morphs).map(|morph| (1, morph as i32)));
        }
        pmx.frames.insert(at.min(pmx.frames.len()), frame);
    }
}
