//! The content of a PMX file, list by list.

use crate::MmdText;
use crate::text::TextEncoding;
use std::ops::Range;

/// A PMX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pmx {
    /// Version, encoding and index sizes.
    pub header: PmxHeader,
    /// The model's name.
    pub name: MmdText,
    /// The model's name in English.
    pub name_en: MmdText,
    /// The author's comment.
    pub comment: MmdText,
    /// The author's comment, in English.
    pub comment_en: MmdText,
    /// Counted with 31 bits.
    pub vertices: Vec<PmxVertex>,
    /// [`PmxHeader::additional_uv_count`] per vertex. Missing ones are written as zeros.
    pub additional_uvs: Vec<[f32; 4]>,
    /// Three vertices per triangle, clockwise.
    pub faces: Vec<[u32; 3]>,
    /// Paths relative to the model.
    pub textures: Vec<MmdText>,
    /// Each covers the next part of the faces.
    pub materials: Vec<PmxMaterial>,
    /// Solved by level, then in the order of this list.
    pub bones: Vec<PmxBone>,
    /// Group morphs, frames and flips refer to this list.
    pub morphs: Vec<PmxMorph>,
    /// Groups of bones and morphs in MMD's window.
    pub frames: Vec<PmxFrame>,
    /// Physics bodies.
    pub rigid_bodies: Vec<PmxRigidBody>,
    /// Joints between bodies.
    pub joints: Vec<PmxJoint>,
    /// Soft bodies, 2.1; `None` if the file ends before them.
    pub soft_bodies: Option<Vec<PmxSoftBody>>,
    /// Bytes after the end, or from the first truncated entry on.
    pub trailing: Vec<u8>,
    /// Where the file is truncated, if it is.
    pub truncation: Option<PmxTruncation>,
}

/// Material flags new in 2.1.
const NEW_MATERIAL_FLAGS: u8 = material_flags::VERTEX_COLOR | material_flags::POINTS | material_flags::LINES;

impl Pmx {
    /// A feature of the model that needs version 2.1; `None` if 2.0 is enough, the only version that MMD itself reads.
    pub fn needs_2_1(&self) -> Option<&'static str> {
        let has_new_morph =
            || self.morphs.iter().any(|m| matches!(m.kind, PmxMorphKind::Flip(_) | PmxMorphKind::Impulse(_)));
        let has_qdef = || self.vertices.iter().any(|vertex| matches!(vertex.weight, PmxWeight::Qdef { .. }));
        if self.soft_bodies.as_ref().is_some_and(|bodies| !bodies.is_empty()) {
            Some("soft bodies")
        } else if self.joints.iter().any(|joint| joint.kind != 0) {
            Some("joints of a kind other than 0")
        } else if self.materials.iter().any(|material| material.flags & NEW_MATERIAL_FLAGS != 0) {
            Some("materials with vertex colors, points or lines")
        } else if has_new_morph() {
            Some("flip or impulse morphs")
        } else if has_qdef() {
            Some("QDEF weights")
        } else {
            None
        }
    }

    /// The faces of each material, one range per material, and the remaining ones. Counts that are negative or exceed the faces are cut.
    pub(super) fn face_shares(&self) -> (Vec<Range<usize>>, Range<usize>) {
        let mut end = 0usize;
        let shares = self.materials.iter().map(|material| {
            let start = end;
            let count = usize::try_from(material.index_count).unwrap_or(0) / 3;
            end = start.saturating_add(count).min(self.faces.len());
            start..end
        });
        (shares.collect(), end..self.faces.len())
    }
}

/// Where a file is truncated. Only the lists at its end may be: a truncation elsewhere is an error.
///
/// Valid only while the lists are unchanged. Once entries of the truncated list or of a later one are added or removed, the file is
/// written complete, and the rest of the truncated entry is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PmxTruncation {
    /// The truncated list; [`Pmx::trailing`] has the rest.
    pub section: PmxSection,
    /// Number of entries in the file's count; `None` if it ends before the count.
    pub declared_count: Option<i32>,
    /// Number of complete entries.
    pub whole_count: usize,
}

/// Lists in which a file may be truncated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PmxSection {
    /// [`Pmx::rigid_bodies`].
    RigidBodies,
    /// [`Pmx::joints`].
    Joints,
    /// [`Pmx::soft_bodies`].
    SoftBodies,
}

/// Version, encoding and index sizes of a PMX file.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxHeader {
    /// The first four bytes: `PMX ` in valid files.
    pub magic: [u8; 4],
    /// 2.0 or 2.1.
    pub version: f32,
    /// Of all texts.
    pub encoding: TextEncoding,
    /// 0 to 4.
    pub additional_uv_count: u8,
    /// In bytes.
    pub index_sizes: IndexSizes,
    /// Global bytes after the eight known ones, at most 247.
    pub other_globals: Vec<u8>,
}

/// Bytes of an index, 1, 2 or 4. If an index does not fit, or the size is invalid, a larger one is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSizes {
    /// Unsigned: 1 byte for up to 255 vertices.
    pub vertex: u8,
    /// Signed, as all but vertices: 1 byte for up to 127.
    pub texture: u8,
    /// Signed.
    pub material: u8,
    /// Signed.
    pub bone: u8,
    /// Signed.
    pub morph: u8,
    /// Signed.
    pub rigid_body: u8,
}

impl Default for IndexSizes {
    fn default() -> Self {
        Self { vertex: 1, texture: 1, material: 1, bone: 1, morph: 1, rigid_body: 1 }
    }
}

impl Default for PmxHeader {
    fn default() -> Self {
        Self {
            magic: *b"PMX ",
            version: 2.0,
            encoding: TextEncoding::Utf16,
            additional_uv_count: 0,
            index_sizes: IndexSizes::default(),
            other_globals: Vec::new(),
        }
    }
}

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmxVertex {
    /// In rest pose.
    pub position: [f32; 3],
    /// In rest pose.
    pub normal: [f32; 3],
    /// v down.
    pub uv: [f32; 2],
    /// Bones and method.
    pub weight: PmxWeight,
    /// Width of the outline.
    pub edge_scale: f32,
}

/// The bones of a vertex, and the method. Bones are indices; −1 is none. Of two bones `weight` is that of the first, and the second has the
/// rest; four weights need not sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variants say what the fields are")]
pub enum PmxWeight {
    /// One bone.
    Bdef1(i32),
    /// Linear, two bones.
    Bdef2 { bones: [i32; 2], weight: f32 },
    /// Linear, four bones.
    Bdef4 { bones: [i32; 4], weights: [f32; 4] },
    /// Spherical, two bones: the center, and the ends of the soft range, r0 at the first bone and r1 at the second.
    Sdef { bones: [i32; 2], weight: f32, c: [f32; 3], r0: [f32; 3], r1: [f32; 3] },
    /// Dual quaternions, 2.1.
    Qdef { bones: [i32; 4], weights: [f32; 4] },
}

/// A material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PmxMaterial {
    /// Usually Japanese.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// RGB and alpha.
    pub diffuse: [f32; 4],
    /// RGB.
    pub specular: [f32; 3],
    /// Exponent.
    pub specular_power: f32,
    /// RGB.
    pub ambient: [f32; 3],
    /// See [`material_flags`].
    pub flags: u8,
    /// RGB and alpha.
    pub edge_color: [f32; 4],
    /// Width of the outline.
    pub edge_size: f32,
    /// Index of a texture.
    pub texture: i32,
    /// Index of the sphere map.
    pub sphere: i32,
    /// 0 off, 1 multiply, 2 add, 3 by the first additional UV.
    pub sphere_mode: u8,
    /// Shading ramp.
    pub toon: PmxToon,
    /// A note.
    pub memo: MmdText,
    /// Number of indices: three times its triangles.
    pub index_count: i32,
}

/// Flags of a material.
pub mod material_flags {
    /// Back faces are visible.
    pub const DOUBLE_SIDED: u8 = 0x01;
    /// Casts a shadow on the ground.
    pub const GROUND_SHADOW: u8 = 0x02;
    /// Casts shadows on models.
    pub const CAST_SHADOW: u8 = 0x04;
    /// Receives shadows of models.
    pub const RECEIVE_SHADOW: u8 = 0x08;
    /// Has an outline.
    pub const EDGE: u8 = 0x10;
    /// 2.1: the first additional UV is a color.
    pub const VERTEX_COLOR: u8 = 0x20;
    /// 2.1: drawn as points.
    pub const POINTS: u8 = 0x40;
    /// 2.1: drawn as lines.
    pub const LINES: u8 = 0x80;
}

/// A toon texture, the shading ramp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PmxToon {
    /// Index of a texture.
    Texture(i32),
    /// One of MMD's own, 0 to 9.
    Shared(u8),
}

impl Default for PmxToon {
    fn default() -> Self {
        Self::Texture(-1)
    }
}

/// A bone.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxBone {
    /// Motions find it by this name.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// In the model, in rest pose.
    pub position: [f32; 3],
    /// Index of a bone.
    pub parent: i32,
    /// Bones of a higher level are evaluated later.
    pub level: i32,
    /// See [`bone_flags`]. Flags of optional fields are set from the fields below when the file is written.
    pub flags: u16,
    /// Where it ends.
    pub tail: PmxTail,
    /// The bone it follows, and the share; the flags say whether rotation or translation. Without either flag it follows the rotation.
    pub append: Option<(i32, f32)>,
    /// The only axis it turns about in MMD's window.
    pub fixed_axis: Option<[f32; 3]>,
    /// x and z of its own frame in MMD's window.
    pub local_axes: Option<[[f32; 3]; 2]>,
    /// A bone of another model that carries it.
    pub external_parent: Option<i32>,
    /// The chain with this bone as its goal.
    pub ik: Option<PmxIk>,
}

/// Flags of a bone.
pub mod bone_flags {
    /// The tail is a bone.
    pub const TAIL_IS_BONE: u16 = 0x0001;
    /// The user may rotate it.
    pub const ROTATABLE: u16 = 0x0002;
    /// The user may move it.
    pub const MOVABLE: u16 = 0x0004;
    /// Shown.
    pub const VISIBLE: u16 = 0x0008;
    /// The user may select it.
    pub const OPERABLE: u16 = 0x0010;
    /// The goal of a chain.
    pub const IK: u16 = 0x0020;
    /// Follows the whole local change of its source.
    pub const LOCAL_APPEND: u16 = 0x0080;
    /// Follows another bone's rotation.
    pub const APPEND_ROTATION: u16 = 0x0100;
    /// Follows another bone's translation.
    pub const APPEND_TRANSLATION: u16 = 0x0200;
    /// Has a fixed axis.
    pub const FIXED_AXIS: u16 = 0x0400;
    /// Has its own axes.
    pub const LOCAL_AXES: u16 = 0x0800;
    /// Evaluated after physics.
    pub const AFTER_PHYSICS: u16 = 0x1000;
    /// Carried by a bone of another model.
    pub const EXTERNAL_PARENT: u16 = 0x2000;
}

/// Where a bone ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PmxTail {
    /// Index of a bone.
    Bone(i32),
    /// Relative to its head.
    Offset([f32; 3]),
}

/// An IK chain.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxIk {
    /// The end effector.
    pub target: i32,
    /// Number of iterations.
    pub loop_count: i32,
    /// Maximum rotation of a link per iteration, rad.
    pub limit_rad: f32,
    /// From the end effector upwards.
    pub links: Vec<PmxIkLink>,
}

/// A bone of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmxIkLink {
    /// Index of a bone.
    pub bone: i32,
    /// Minimum and maximum angles about x, y and z, rad.
    pub limits_rad: Option<[[f32; 3]; 2]>,
}

/// A morph.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxMorph {
    /// Motions find it by this name.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 0 system, 1 brow, 2 eye, 3 mouth, 4 other.
    pub panel: u8,
    /// Its effect.
    pub kind: PmxMorphKind,
}

/// Effect of a morph.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the variant says what the fields are")]
pub enum PmxMorphKind {
    /// Weights of other morphs: index, ratio.
    Group(Vec<(i32, f32)>),
    /// Translations of vertices.
    Vertex(Vec<(u32, [f32; 3])>),
    /// Translations and rotations of bones: index, translation, quaternion.
    Bone(Vec<(i32, [f32; 3], [f32; 4])>),
    /// Changes of texture coordinates: vertex, change. `set`: 0 for the main ones, 1 to 4 for additional ones.
    Uv { set: u8, shifts: Vec<(u32, [f32; 4])> },
    /// Changes of materials.
    Material(Vec<PmxMaterialMorph>),
    /// 2.1: selects one of other morphs: index, value.
    Flip(Vec<(i32, f32)>),
    /// 2.1: impulses on rigid bodies.
    Impulse(Vec<PmxImpulse>),
}

/// A change of a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmxMaterialMorph {
    /// −1 for all.
    pub material: i32,
    /// 0 multiplies, 1 adds.
    pub operation: u8,
    /// Diffuse 4, specular 3, power 1, ambient 3, edge color 4, edge size 1, texture 4, sphere 4, toon 4.
    pub values: [f32; 28],
}

/// An impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmxImpulse {
    /// Index of a rigid body.
    pub rigid_body: i32,
    /// 1: in the body's own frame.
    pub is_local: u8,
    /// Added velocity.
    pub velocity: [f32; 3],
    /// Added torque.
    pub torque: [f32; 3],
}

/// A group in MMD's window.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxFrame {
    /// Usually Japanese.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 1 for the two that every model has.
    pub special: u8,
    /// Kind (0 bone, 1 morph) and index.
    pub entries: Vec<(u8, i32)>,
}

/// A physics body.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxRigidBody {
    /// Usually Japanese.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// Index of a bone.
    pub bone: i32,
    /// The body itself.
    pub body: MmdBody,
}

/// What PMX and PMD say of a physics body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MmdBody {
    /// 0 to 15.
    pub group: u8,
    /// Groups that it collides with.
    pub mask: u16,
    /// 0 sphere, 1 box, 2 capsule.
    pub shape: u8,
    /// Radius, or half sides, or radius and height.
    pub size: [f32; 3],
    /// In rest pose; in PMD relative to its bone, or to the first bone if it has none.
    pub position: [f32; 3],
    /// Euler angles, rad.
    pub rotation_rad: [f32; 3],
    /// Mass, linear damping, angular damping, restitution, friction.
    pub physics: [f32; 5],
    /// 0 follows its bone, 1 moves it, 2 only turns it.
    pub mode: u8,
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxJoint {
    /// Usually Japanese.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 0 with springs; 2.1 has others.
    pub kind: u8,
    /// Indices of rigid bodies.
    pub bodies: [i32; 2],
    /// Position, rotation, minimum and maximum translation, minimum and maximum angle, springs of translation and rotation.
    pub values: [[f32; 3]; 8],
}

/// A soft body, 2.1.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxSoftBody {
    /// Usually Japanese.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 0 triangles, 1 rope.
    pub shape: u8,
    /// Index of a material.
    pub material: i32,
    /// 0 to 15.
    pub group: u8,
    /// Groups that it collides with.
    pub mask: u16,
    /// 1 B-link, 2 clusters, 4 crossing links.
    pub flags: u8,
    /// B-link distance and clusters.
    pub links: [i32; 2],
    /// Mass of the whole body, and the contact distance.
    pub mass_and_margin: [f32; 2],
    /// 0 to 4.
    pub aero_model: i32,
    /// VCF DP DG LF PR VC DF MT CHR KHR SHR AHR, then SRHR SKHR SSHR SR_SPLT SK_SPLT SS_SPLT.
    pub config: [f32; 18],
    /// V_IT P_IT D_IT C_IT.
    pub iterations: [i32; 4],
    /// LST AST VST.
    pub stiffness: [f32; 3],
    /// Rigid body, vertex, and near flag.
    pub anchors: Vec<(i32, u32, u8)>,
    /// Fixed vertices.
    pub pins: Vec<u32>,
}
