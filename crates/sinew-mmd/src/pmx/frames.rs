//! Groups of bones and morphs in MMD's window.

use super::index_sizes::IndexKind;
use super::sink::Sink;
use super::source::Source;
use super::types::PmxFrame;
use crate::MmdReadError;

/// What a frame takes at least: two texts, a byte and a count.
const LEAST_BYTES: u64 = 2 * 4 + 1 + 4;

pub(super) fn read_frames(source: &mut Source<'_>) -> Result<Vec<PmxFrame>, MmdReadError> {
    source.list("frames", LEAST_BYTES, |source| {
        Ok(PmxFrame {
            name: source.text("name")?,
            name_en: source.text("English name")?,
            special: source.bytes.u8("whether it is special")?,
            entries: source.inner_list("entries", 2, |source| {
                let is_morph = source.flag("kind")?;
                Ok((u8::from(is_morph), source.index(index_kind(u8::from(is_morph)), "index")?))
            })?,
        })
    })
}

pub(super) fn write_frames(sink: &mut Sink, frames: &[PmxFrame]) {
    sink.list(frames, |sink, frame| {
        sink.text(&frame.name);
        sink.text(&frame.name_en);
        sink.u8(frame.special);
        sink.list(&frame.entries, |sink, &(kind, index)| {
            sink.u8(kind);
            sink.index(index_kind(kind), index);
        });
    });
}

fn index_kind(kind: u8) -> IndexKind {
    if kind == 0 { IndexKind::Bone } else { IndexKind::Morph }
}
