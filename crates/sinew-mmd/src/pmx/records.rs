//! The records of a PMX file, field by field.

use super::bone_flags;
use super::index_sizes::IndexKind;
use super::types::{
    IndexSizes, PmxBone, PmxFrame, PmxIk, PmxIkLink, PmxImpulse, PmxJoint, PmxMaterial, PmxMaterialMorph,
    PmxMorph, PmxMorphKind, PmxRigidBody, PmxSoftBody, PmxTail, PmxToon,
};
use crate::Result;
use crate::sink::Sink;
use crate::source::Source;
use crate::stored::{Count, Index, List, Stored, When, inner_list, stored};

/// Flags of a bone that follows another; either is enough.
const APPEND: u16 = bone_flags::APPEND_ROTATION | bone_flags::APPEND_TRANSLATION;

const fn vertex(field: &'static str) -> Index {
    Index(IndexKind::Vertex, field)
}

const fn texture(field: &'static str) -> Index {
    Index(IndexKind::Texture, field)
}

const fn bone(field: &'static str) -> Index {
    Index(IndexKind::Bone, field)
}

const fn rigid_body(field: &'static str) -> Index {
    Index(IndexKind::RigidBody, field)
}

fn entries<W: Copy>(name: &'static str, words: W) -> List<W> {
    inner_list(Count::Signed, name, words)
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
        texture: texture("texture"),
        sphere: texture("sphere texture"),
        sphere_mode: "sphere mode",
        toon: (),
        memo: "memo",
        index_count: "index count",
    }
    PmxIk {
        target: bone("IK target"),
        loop_count: "IK loop count",
        limit_rad: "IK angle",
        links: entries("IK links", ()),
    }
    PmxMorph { name: "name", name_en: "English name", panel: "panel", kind: () }
    PmxMaterialMorph { material: Index(IndexKind::Material, "material"), operation: "operation", values: "values" }
    PmxImpulse {
        rigid_body: rigid_body("rigid body"),
        is_local: "whether it is local",
        velocity: "velocity",
        torque: "torque",
    }
    PmxFrame {
        name: "name",
        name_en: "English name",
        special: "whether it is special",
        entries: entries("entries", FrameEntry),
    }
    PmxRigidBody {
        name: "name",
        name_en: "English name",
        bone: bone("bone"),
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
        bodies: [rigid_body("first body"), rigid_body("second body")],
        values: "values",
    }
    // The stiffness values are floats, as in the specification; some programs read them as integers.
    PmxSoftBody {
        name: "name",
        name_en: "English name",
        shape: "shape",
        material: Index(IndexKind::Material, "material"),
        group: "group",
        mask: "mask",
        flags: "flags",
        links: ["distance of links", "count of clusters"],
        mass_and_margin: "mass and margin",
        aero_model: "aero model",
        config: "config",
        iterations: ["iterations"; 4],
        stiffness: "stiffness",
        anchors: entries("anchors", (rigid_body("rigid body"), vertex("vertex"), "whether it is near")),
        pins: entries("pins", vertex("vertex")),
    }
}

impl Stored<()> for PmxToon {
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        2
    }

    fn read(source: &mut Source<'_>, (): ()) -> Result<Self> {
        Ok(if source.flag("whether the toon is shared")? {
            Self::Shared(source.bytes.get("toon")?)
        } else {
            Self::Texture(Stored::read(source, texture("toon"))?)
        })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        match self {
            Self::Shared(toon) => sink.put([1, *toon]),
            Self::Texture(index) => {
                sink.put(0u8);
                index.write(sink, texture("toon"));
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

    fn read(source: &mut Source<'_>, _: FrameEntry) -> Result<Self> {
        let kind = u8::from(source.flag("kind")?);
        Ok((kind, source.index(frame_index_kind(kind), "index")?))
    }

    fn write(&self, sink: &mut Sink, _: FrameEntry) {
        sink.put(self.0);
        sink.index(frame_index_kind(self.0), self.1);
    }
}

fn frame_index_kind(kind: u8) -> IndexKind {
    if kind == 0 { IndexKind::Bone } else { IndexKind::Morph }
}

impl Stored<()> for PmxBone {
    /// Two texts, a position, a parent, a level, flags and a tail.
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        2 * 4 + 12 + 1 + 4 + 2 + 1
    }

    fn read(source: &mut Source<'_>, (): ()) -> Result<Self> {
        let (name, name_en, position) = Stored::read(source, ("name", "English name", "position"))?;
        let (parent, level, flags): (_, _, u16) = Stored::read(source, (bone("parent"), "level", "flags"))?;
        let has = |flag: u16| flags & flag != 0;
        let tail = if has(bone_flags::TAIL_IS_BONE) {
            PmxTail::Bone(Stored::read(source, bone("tail"))?)
        } else {
            PmxTail::Offset(source.bytes.get("tail")?)
        };
        let words = optional_words(flags);
        Ok(Self {
            name,
            name_en,
            position,
            parent,
            level,
            flags,
            tail,
            append: Stored::read(source, words.append)?,
            fixed_axis: Stored::read(source, words.fixed_axis)?,
            local_axes: Stored::read(source, words.local_axes)?,
            external_parent: Stored::read(source, words.external_parent)?,
            ik: Stored::read(source, words.ik)?,
        })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        self.name.write(sink, "name");
        self.name_en.write(sink, "English name");
        sink.put(self.position);
        self.parent.write(sink, bone("parent"));
        sink.put(self.level);
        sink.put(written_flags(self));
        match self.tail {
            PmxTail::Bone(tail) => tail.write(sink, bone("tail")),
            PmxTail::Offset(tail) => sink.put(tail),
        }
        let words = optional_words(self.flags);
        self.append.write(sink, words.append);
        self.fixed_axis.write(sink, words.fixed_axis);
        self.local_axes.write(sink, words.local_axes);
        self.external_parent.write(sink, words.external_parent);
        self.ik.write(sink, words.ik);
    }
}

/// Optional fields of a bone, in the order of the file.
struct OptionalWords {
    append: When<(Index, &'static str)>,
    fixed_axis: When<&'static str>,
    local_axes: When<[&'static str; 2]>,
    external_parent: When<&'static str>,
    ik: When<()>,
}

fn optional_words(flags: u16) -> OptionalWords {
    let has = |flag: u16| flags & flag != 0;
    OptionalWords {
        append: When(has(APPEND), (bone("bone it follows"), "share it follows")),
        fixed_axis: When(has(bone_flags::FIXED_AXIS), "fixed axis"),
        local_axes: When(has(bone_flags::LOCAL_AXES), ["local x axis", "local z axis"]),
        external_parent: When(has(bone_flags::EXTERNAL_PARENT), "external parent"),
        ik: When(has(bone_flags::IK), ()),
    }
}

/// The flags of a bone; those for optional fields follow from the fields present.
fn written_flags(bone: &PmxBone) -> u16 {
    let mut flags = bone.flags;
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

    fn read(source: &mut Source<'_>, (): ()) -> Result<Self> {
        let bone = Stored::read(source, bone("bone"))?;
        let has_limits = source.flag("whether it has limits")?;
        Ok(Self {
            bone,
            limits_rad: Stored::read(source, When(has_limits, ["least angles", "greatest angles"]))?,
        })
    }

    fn write(&self, sink: &mut Sink, (): ()) {
        self.bone.write(sink, bone("bone"));
        sink.put(u8::from(self.limits_rad.is_some()));
        self.limits_rad.write(sink, When(true, "angles"));
    }
}

type Shares = List<(Index, &'static str)>;
type Shifts = List<(Index, &'static str)>;

/// Morphs and their weights.
fn shares() -> Shares {
    entries("morphs", (Index(IndexKind::Morph, "morph"), "share"))
}

fn vertex_shifts() -> Shifts {
    entries("shifts", (vertex("vertex"), "shift"))
}

impl Stored<()> for PmxMorphKind {
    /// The kind and a count.
    fn least_bytes((): (), _: &IndexSizes) -> u64 {
        1 + 4
    }

    fn read(source: &mut Source<'_>, (): ()) -> Result<Self> {
        let offset = source.bytes.offset();
        Ok(match source.bytes.get("kind")? {
            0u8 => Self::Group(Stored::read(source, shares())?),
            1 => Self::Vertex(Stored::read(source, vertex_shifts())?),
            2 => Self::Bone(Stored::read(source, entries("shifts", (bone("bone"), "shift", "turn")))?),
            kind @ 3..=7 => Self::Uv { set: kind - 3, shifts: Stored::read(source, vertex_shifts())? },
            8 => Self::Material(Stored::read(source, entries("changes", ()))?),
            9 => Self::Flip(Stored::read(source, shares())?),
            10 => Self::Impulse(Stored::read(source, entries("impulses", ()))?),
            other => {
                return Err(source.bytes.unexpected(offset, "kind", other, "a kind of morph from 0 to 10"));
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
            Self::Group(list) | Self::Flip(list) => list.write(sink, shares()),
            Self::Vertex(shifts) => shifts.write(sink, vertex_shifts()),
            Self::Bone(shifts) => shifts.write(sink, entries("shifts", (bone("bone"), "shift", "turn"))),
            Self::Uv { shifts, .. } => shifts.write(sink, vertex_shifts()),
            Self::Material(changes) => changes.write(sink, entries("changes", ())),
            Self::Impulse(impulses) => impulses.write(sink, entries("impulses", ())),
        }
    }
}
