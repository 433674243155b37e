//! Writing a PMX file.

use super::index_sizes::{self, KINDS};
use super::read::records;
use super::types::{IndexSizes, Pmx, PmxHeader, PmxSection, PmxTruncation, PmxVertex};
use super::vertices;
use crate::sink::Sink;
use crate::stored::{Count, Stored, list};
use crate::text::TextEncoding;

/// Maximum sets of additional texture coordinates.
const MOST_ADDITIONAL_UVS: u8 = 4;
/// Maximum global bytes after the eight known ones.
const MOST_OTHER_GLOBALS: usize = u8::MAX as usize - 8;

impl Pmx {
    /// Writes a `.pmx` file. An unchanged file is written back byte for byte.
    ///
    /// Index sizes grow if an index does not fit. The version is written unchanged; see [`Pmx::needs_2_1`].
    pub fn write(&self) -> Vec<u8> {
        let fitting = IndexSizes::for_counts_of(self);
        let mut sizes = self.header.index_sizes;
        for kind in KINDS {
            if !index_sizes::is_allowed(sizes.of(kind)) {
                *sizes.of_mut(kind) = fitting.of(kind);
            }
        }
        loop {
            let sink = self.write_with(sizes);
            let mut is_whole = true;
            for kind in sink.misfits() {
                is_whole = false;
                // An index out of range may need more bytes than the list itself.
                let grown = if fitting.of(kind) > sizes.of(kind) { fitting.of(kind) } else { 4 };
                *sizes.of_mut(kind) = grown;
            }
            if is_whole {
                return sink.out;
            }
        }
    }

    fn write_with(&self, sizes: IndexSizes) -> Sink {
        let mut sink = Sink::new(self.header.encoding, sizes, self.estimated_bytes(sizes));
        let sink_mut = &mut sink;
        let uv_count = self.header.additional_uv_count.min(MOST_ADDITIONAL_UVS);
        write_header(sink_mut, &self.header, uv_count);
        for text in [&self.name, &self.name_en, &self.comment, &self.comment_en] {
            sink_mut.text(text);
        }
        vertices::write_vertices(sink_mut, self, uv_count);
        vertices::write_faces(sink_mut, &self.faces);
        self.textures.write(sink_mut, list(Count::SIGNED, "textures", "path"));
        self.materials.write(sink_mut, records("materials"));
        self.bones.write(sink_mut, records("bones"));
        self.morphs.write(sink_mut, records("morphs"));
        self.frames.write(sink_mut, records("frames"));
        self.write_physics(sink_mut);
        sink
    }

    fn write_physics(&self, sink: &mut Sink) {
        let truncation = self.truncation.filter(|_| self.is_cut_as_read());
        let cut = |section| truncation.filter(|truncation| truncation.section == section);
        let soft_bodies = self.soft_bodies.as_deref();
        if !write_list(sink, &self.rigid_bodies, cut(PmxSection::RigidBodies))
            && !write_list(sink, &self.joints, cut(PmxSection::Joints))
        {
            soft_bodies.map(|bodies| write_list(sink, bodies, cut(PmxSection::SoftBodies)));
        }
        if truncation.is_some() || self.truncation.is_none() {
            sink.out.extend_from_slice(&self.trailing);
        }
    }

    /// Whether the truncated list and those after it are unchanged.
    fn is_cut_as_read(&self) -> bool {
        self.truncation.is_some_and(|truncation| {
            let soft_count = self.soft_bodies.as_ref().map_or(0, Vec::len);
            let (count, count_after) = match truncation.section {
                PmxSection::RigidBodies => (self.rigid_bodies.len(), self.joints.len() + soft_count),
                PmxSection::Joints => (self.joints.len(), soft_count),
                PmxSection::SoftBodies => (soft_count, 0),
            };
            count == truncation.whole_count && count_after == 0
        })
    }

    /// Estimated size of the file, rather too large than too small.
    fn estimated_bytes(&self, sizes: IndexSizes) -> usize {
        let vertex = size_of::<PmxVertex>() + 16 * usize::from(self.header.additional_uv_count);
        let others = 1 << 16;
        self.vertices.len() * vertex + self.faces.len() * 3 * usize::from(sizes.vertex) + others
    }
}

/// Writes a list up to where the file is truncated; returns whether it is truncated here.
fn write_list<T: Stored<()>>(sink: &mut Sink, list: &[T], cut: Option<PmxTruncation>) -> bool {
    match cut.map(|cut| cut.declared_count) {
        None => drop(sink.list_count(Count::SIGNED, list.len())),
        Some(declared) => declared.into_iter().for_each(|declared| sink.put(declared)),
    }
    list.iter().for_each(|entry| entry.write(sink, ()));
    cut.is_some()
}

fn write_header(sink: &mut Sink, header: &PmxHeader, uv_count: u8) {
    sink.out.extend_from_slice(&header.magic);
    sink.put(header.version);
    let other_globals = &header.other_globals[..header.other_globals.len().min(MOST_OTHER_GLOBALS)];
    sink.put(8 + other_globals.len() as u8);
    sink.put(match header.encoding {
        TextEncoding::Utf16 => 0u8,
        TextEncoding::Utf8 => 1,
    });
    sink.put(uv_count);
    for kind in KINDS {
        sink.put(sink.sizes.of(kind));
    }
    sink.out.extend_from_slice(other_globals);
}
