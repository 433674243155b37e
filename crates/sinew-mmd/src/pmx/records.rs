//! The records of a PMX file, field by field.

use super::bone_flags;
use super::index_sizes::IndexKind::{Bone, Material, Morph, RigidBody, Texture, Vertex};
use super::types::{
    IndexSizes, MmdBody, PmxBone, PmxFrame, PmxIk, PmxIkLink, PmxImpulse, PmxJoint, PmxMaterial,
    PmxMaterialMorph, PmxMorph, PmxMorphKind, PmxRigidBody, PmxSoftBody, PmxTail, PmxToon,
};
use crate::Result;
use crate::bytes::Bytes;
use crate::sink::Sink;
use crate::stored::{Count, Index, List, Stored, When, inner_list, stored};
use std::borrow::Borrow;

/// Flags of a bone that follows another; either is enough.
const APPEND: u16 = bone_flags::APPEND_ROTATION | bone_flags::APPEND_TRANSLATION;

fn has(flags: impl Borrow<u16>, flag: u16) -> bool {
    flags.borrow() & flag != 0
}

const fn inner<W: Copy>(name: &'static str, words: W) -> List<W> {
    inner_list(Count::SIGNED, name, words)
}

stored! {
    PmxMaterial {
        name: "name",
        name_en: "English name",
        diffuse: "diffuse",
        specular: "specular",
        specular_power: "specular power",
        ambient: "ambient",
        flags: "flags",
        edge_color: "edge color",
        edge_size: "edge size",
        texture: Index(Texture, "texture"),
        sphere: Index(Texture, "sphere texture"),
        sphere_mode: "sphere mode",
        toon: (),
        memo: "memo",
        index_count: "index count",
    }
    PmxBone[flags: u16 = written_flags] {
        name: "name",
        name_en: "English name",
        position: "position",
        parent: Index(Bone, "parent"),
        level: "level",
        flags: "flags",
        tail: IsBone(has(flags, bone_flags::TAIL_IS_BONE)),
        append: When(has(flags, APPEND), (Index(Bone, "bone it follows"), "share it follows")),
        fixed_axis: When(has(flags, bone_flags::FIXED_AXIS), "fixed axis"),
        local_axes: When(has(flags, bone_flags::LOCAL_AXES), ["local x axis", "local z axis"]),
        external_parent: When(has(flags, bone_flags::EXTERNAL_PARENT), "external parent"),
        ik: When(has(flags, bone_flags::IK), ()),
    }
    PmxIk {
        target: Index(Bone, "IK target"),
        loop_count: "IK loop count",
        limit_rad: "IK angle",
        links: inner("IK links", ()),
    }
    PmxMorph { name: "name", name_en: "English name", panel: "panel", kind: () }
    PmxMaterialMorph { material: Index(Material, "material"), operation: "operation", values: "values" }
    PmxImpulse {
        rigid_body: Index(RigidBody, "rigid body"),
        is_local: "whether it is local",
        velocity: "velocity",
        torque: "torque",
    }
    PmxFrame {
        name: "name",
        name_en: "English name",
        special: "whether it is special",
        entries: inner("entries", FrameEntry),
    }
    PmxRigidBody { name: "name", name_en: "English name", bone: Index(Bone, "bone"), body: () }
    MmdBody {
        group: "group",
        mask: "mask",
        shape: "shape",
        size: "size",
        position: "position",
        rotation_rad: "rotation",
        physics: "mass, damping, restitution and friction",
        mode: "mode",
    }
    PmxJoint {
        name: "name",
        name_en: "English name",
        kind: "kind",
        bodies: [Index(RigidBody, "first body"), Index(RigidBody, "second body")],
        values: "values",
    }
    // The stiffness values are floats, as in the specification; some programs read them as integers.
    PmxSoftBody {
        name: "name",
        name_en: "English name",
        shape: "shape",
        material: Index(Material, "material"),
        group: "group",
        mask: "mask",
        flags: "flags",
        links: ["distance of links", "count of clusters"],
        mass_and_margin: "mass and margin",
        aero_model: "aero model",
        config: "config",
        iterations: ["iterations"; 4],
        stiffness: "stiffness",
        anchors: inner("anchors", (Index(RigidBody, "rigid body"), Index(Vertex, "vertex"), "whether it is near")),
        pins: inner("pins", Index(Vertex, "vertex")),
    }
}

impl Stored<()> for PmxToon {
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        2
    }

    fn read(source: &mut Bytes<'_>, (): ()) -> Result<Self> {
        Ok(if source.flag("whether the toon is shared")? {
            Self::Shared(source.get("toon")?)
        } else {
            Self::Texture(Stored::read(source, Index(Texture, "toon"))?)
        })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        match self {
            Self::Shared(toon) => sink.put([1, *toon]),
            Self::Texture(index) => {
                sink.put(0u8);
                index.write(sink, Index(Texture, "toon"));
            }
        }
    }
}

/// A bone or a morph in a frame.
#[derive(Clone, Copy)]
struct FrameEntry;

impl Stored<FrameEntry> for (u8, i32) {
    fn least_bytes(_: FrameEntry, _: &IndexSizes) -> u64 {
        2
    }

    fn read(source: &mut Bytes<'_>, _: FrameEntry) -> Result<Self> {
        let kind = u8::from(source.flag("kind")?);
        Ok((kind, Stored::read(source, frame_index(kind))?))
    }

    fn write(&self, sink: &mut Sink, _: FrameEntry) {
        sink.put(self.0);
        self.1.write(sink, frame_index(self.0));
    }
}

fn frame_index(kind: u8) -> Index {
    Index(if kind == 0 { Bone } else { Morph }, "index")
}

/// Whether the tail of a bone is a bone.
#[derive(Clone, Copy)]
struct IsBone(bool);

impl Stored<IsBone> for PmxTail {
    fn least_bytes(_: IsBone, sizes: &IndexSizes) -> u64 {
        sizes.bone.into()
    }

    fn read(source: &mut Bytes<'_>, IsBone(is_bone): IsBone) -> Result<Self> {
        Ok(match is_bone {
            true => Self::Bone(Stored::read(source, Index(Bone, "tail"))?),
            false => Self::Offset(source.get("tail")?),
        })
    }

    fn write(&self, sink: &mut Sink, _: IsBone) {
        match self {
            Self::Bone(tail) => tail.write(sink, Index(Bone, "tail")),
            Self::Offset(tail) => sink.put(*tail),
        }
    }
}

/// The flags of a bone; those for optional fields follow from the fields present.
fn written_flags(bone: &PmxBone, flags: &u16) -> u16 {
    let mut flags = *flags;
    let mut set = |flag: u16, is_set: bool| if is_set { flags |= flag } else { flags &= !flag };
    set(bone_flags::TAIL_IS_BONE, matches!(bone.tail, PmxTail::Bone(_)));
    set(bone_flags::FIXED_AXIS, bone.fixed_axis.is_some());
    set(bone_flags::LOCAL_AXES, bone.local_axes.is_some());
    set(bone_flags::EXTERNAL_PARENT, bone.external_parent.is_some());
    set(bone_flags::IK, bone.ik.is_some());
    match bone.append {
        None => set(APPEND, false),
        Some(_) if bone.flags & APPEND == 0 => set(bone_flags::APPEND_ROTATION, true),
        Some(_) => {}
    }
    flags
}

impl Stored<()> for PmxIkLink {
    fn least_bytes((): (), sizes: &IndexSizes) -> u64 {
        u64::from(sizes.bone) + 1
    }

    fn read(source: &mut Bytes<'_>, (): ()) -> Result<Self> {
        let bone = Stored::read(source, Index(Bone, "bone"))?;
        let has_limits = source.flag("whether it has limits")?;
        Ok(Self {
            bone,
            limits_rad: Stored::read(source, When(has_limits, ["least angles", "greatest angles"]))?,
        })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        self.bone.write(sink, Index(Bone, "bone"));
        sink.put(u8::from(self.limits_rad.is_some()));
        self.limits_rad.write(sink, When(true, "angles"));
    }
}

/// Morphs and their weights.
const SHARES: List<(Index, &str)> = inner("morphs", (Index(Morph, "morph"), "share"));
const VERTEX_SHIFTS: List<(Index, &str)> = inner("shifts", (Index(Vertex, "vertex"), "shift"));
const BONE_SHIFTS: List<(Index, &str, &str)> = inner("shifts", (Index(Bone, "bone"), "shift", "turn"));

impl Stored<()> for PmxMorphKind {
    /// The kind and a count.
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        1 + 4
    }

    fn read(source: &mut Bytes<'_>, (): ()) -> Result<Self> {
        let offset = source.offset();
        Ok(match source.get("kind")? {
            0u8 => Self::Group(Stored::read(source, SHARES)?),
            1 => Self::Vertex(Stored::read(source, VERTEX_SHIFTS)?),
            2 => Self::Bone(Stored::read(source, BONE_SHIFTS)?),
            kind @ 3..=7 => Self::Uv { set: kind - 3, shifts: Stored::read(source, VERTEX_SHIFTS)? },
            8 => Self::Material(Stored::read(source, inner("changes", ()))?),
            9 => Self::Flip(Stored::read(source, SHARES)?),
            10 => Self::Impulse(Stored::read(source, inner("impulses", ()))?),
            other => {
                return Err(source.unexpected(offset, "kind", other, "a kind of morph from 0 to 10"));
            }
        })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        sink.put(match self {
            Self::Group(_) => 0u8,
            Self::Vertex(_) => 1,
            Self::Bone(_) => 2,
            // There are four additional sets; a fifth would read as another kind of morph.
            Self::Uv { set, .. } => 3 + (*set).min(4),
            Self::Material(_) => 8,
            Self::Flip(_) => 9,
            Self::Impulse(_) => 10,
        });
        match self {
            Self::Group(list) | Self::Flip(list) => list.write(sink, SHARES),
            Self::Vertex(shifts) => shifts.write(sink, VERTEX_SHIFTS),
            Self::Bone(shifts) => shifts.write(sink, BONE_SHIFTS),
            Self::Uv { shifts, .. } => shifts.write(sink, VERTEX_SHIFTS),
            Self::Material(changes) => changes.write(sink, inner("changes", ())),
            Self::Impulse(impulses) => impulses.write(sink, inner("impulses", ())),
        }
    }
}
