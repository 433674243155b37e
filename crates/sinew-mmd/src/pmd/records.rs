//! The records of a PMD file, field by field.

use super::types::{PmdBone, PmdIk, PmdJoint, PmdMaterial, PmdMorph, PmdRigidBody, PmdVertex};
use crate::Result;
use crate::bytes::Bytes;
use crate::pmx::IndexSizes;
use crate::sink::Sink;
use crate::stored::{Count, Stored, stored};

stored! {
    PmdVertex {
        position: "position",
        normal: "normal",
        uv: "UV",
        bones: ["first bone", "second bone"],
        weight_percent: "weight",
        edge: "edge",
    }
    PmdMaterial {
        diffuse: "diffuse",
        specular_power: "specular power",
        specular: "specular",
        ambient: "ambient",
        toon: "toon",
        edge: "edge",
        index_count: "index count",
        texture: "texture",
    }
    PmdBone {
        name: "name",
        parent: "parent",
        tail: "tail",
        kind: "type",
        ik: "IK",
        position: "position",
    }
    PmdRigidBody { name: "name", bone: "bone", body: () }
    PmdJoint { name: "name", bodies: ["first body", "second body"], values: "values" }
}

/// Other fields stand between the count of links and the links.
impl Stored<()> for PmdIk {
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        2 + 2 + 1 + 2 + 4
    }

    fn read(source: &mut Bytes<'_>, (): ()) -> Result<Self> {
        let (bone, target) = Stored::read(source, ("bone", "target"))?;
        let link_count = source.list_count(Count::ONE, "count of links")?;
        let (loop_count, limit) = Stored::read(source, ("loop count", "angle"))?;
        Ok(Self { bone, target, loop_count, limit, links: counted(source, link_count, "links", "link")? })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        sink.put([self.bone, self.target]);
        let link_count = sink.list_count(Count::ONE, self.links.len());
        sink.put(self.loop_count);
        sink.put(self.limit);
        self.links.iter().take(link_count).for_each(|link| sink.put(*link));
    }
}

/// The type stands between the count of entries and the entries.
impl Stored<()> for PmdMorph {
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        20 + 4 + 1
    }

    fn read(source: &mut Bytes<'_>, (): ()) -> Result<Self> {
        let name = source.get("name")?;
        let count = source.list_count(Count::FOUR, "count of entries")?;
        let kind = source.get("type")?;
        Ok(Self { name, kind, entries: counted(source, count, "entries", ("index", "shift"))? })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        sink.put(self.name);
        let count = sink.list_count(Count::FOUR, self.entries.len());
        sink.put(self.kind);
        self.entries.iter().take(count).for_each(|entry| entry.write(sink, ("index", "shift")));
    }
}

/// As many entries as counted elsewhere.
pub(super) fn counted<T: Stored<W>, W: Copy>(
    source: &mut Bytes<'_>,
    count: u64,
    name: &str,
    words: W,
) -> Result<Vec<T>> {
    let least_bytes = T::least_bytes(words, &source.sizes);
    let count = source.check_count(count, least_bytes, size_of::<T>(), name)?;
    (0..count).map(|_| T::read(source, words)).collect()
}
