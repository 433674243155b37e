//! What a PMX file holds, list by list.

use crate::MmdText;
use crate::text::TextEncoding;

/// A PMX file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pmx {
    /// How the file is written.
    pub header: PmxHeader,
    /// The model's name.
    pub name: MmdText,
    /// The model's name in English.
    pub name_en: MmdText,
    /// What its author says.
    pub comment: MmdText,
    /// What its author says, in English.
    pub comment_en: MmdText,
    /// Counted with 31 bits.
    pub vertices: Vec<PmxVertex>,
    /// [`PmxHeader::additional_uv_count`] for each vertex. Where some are missing, zeros are written.
    pub additional_uvs: Vec<[f32; 4]>,
    /// Three vertices a triangle, clockwise.
    pub faces: Vec<[u32; 3]>,
    /// Paths relative to the model.
    pub textures: Vec<MmdText>,
    /// Each takes its share of the faces, in order.
    pub materials: Vec<PmxMaterial>,
    /// Solved in the order of their level, then of this list.
    pub bones: Vec<PmxBone>,
    /// Morphs of groups, frames and flips point into this list.
    pub morphs: Vec<PmxMorph>,
    /// Groups of bones and morphs in MMD's window.
    pub frames: Vec<PmxFrame>,
    /// Bodies for physics.
    pub rigid_bodies: Vec<PmxRigidBody>,
    /// Joints between bodies.
    pub joints: Vec<PmxJoint>,
    /// Soft bodies, 2.1; `None` where the file ends before them.
    pub soft_bodies: Option<Vec<PmxSoftBody>>,
    /// Bytes after the end, or from the first entry that is cut off.
    pub trailing: Vec<u8>,
    /// Where the file ends too early, if it does.
    pub truncation: Option<PmxTruncation>,
}

/// Where a file ends too early. Only the lists at its end may: of any other, nothing is left to show.
///
/// It counts only as long as the lists are as they were read. Once entries of the cut list or of a later one are added or removed, the
/// file is written whole, and what is left of the entry that was cut off is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PmxTruncation {
    /// The list that is cut off; [`Pmx::trailing`] holds what is left of the rest.
    pub section: PmxSection,
    /// Entries that the file says there are; `None` where it ends before saying that.
    pub declared_count: Option<i32>,
    /// Entries that are whole.
    pub whole_count: usize,
}

/// Lists that a file may be cut off in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PmxSection {
    /// [`Pmx::rigid_bodies`].
    RigidBodies,
    /// [`Pmx::joints`].
    Joints,
    /// [`Pmx::soft_bodies`].
    SoftBodies,
}

/// How a PMX file is written.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxHeader {
    /// The first four bytes: `PMX ` in good files.
    pub magic: [u8; 4],
    /// 2.0 or 2.1.
    pub version: f32,
    /// How text is written.
    pub encoding: TextEncoding,
    /// 0 to 4.
    pub additional_uv_count: u8,
    /// Bytes of an index.
    pub index_sizes: IndexSizes,
    /// Global bytes after the eight that are known, at most 247.
    pub other_globals: Vec<u8>,
}

/// Bytes of an index, 1, 2 or 4. Where an index does not fit, or the size is another, more are taken when the file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexSizes {
    /// Without a sign: 1 byte counts 255 vertices.
    pub vertex: u8,
    /// With a sign, as all but vertices have: 1 byte counts 127.
    pub texture: u8,
    /// With a sign.
    pub material: u8,
    /// With a sign.
    pub bone: u8,
    /// With a sign.
    pub morph: u8,
    /// With a sign.
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
    /// v downwards.
    pub uv: [f32; 2],
    /// Bones and how they move it.
    pub weight: PmxWeight,
    /// Width of the outline.
    pub edge_scale: f32,
}

/// Which bones move a vertex, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PmxWeight {
    /// By one bone.
    Bdef1(i32),
    /// Linearly by two; the second has the rest of the weight.
    Bdef2 {
        /// Indices; −1 is none.
        bones: [i32; 2],
        /// Of the first.
        weight: f32,
    },
    /// Linearly by four.
    Bdef4 {
        /// Indices; −1 is none.
        bones: [i32; 4],
        /// Need not sum to 1.
        weights: [f32; 4],
    },
    /// Spherically by two.
    Sdef {
        /// The bones; r0 belongs to the first, r1 to the second.
        bones: [i32; 2],
        /// Of the first.
        weight: f32,
        /// The center.
        c: [f32; 3],
        /// The first end of the soft range.
        r0: [f32; 3],
        /// The second end of the soft range.
        r1: [f32; 3],
    },
    /// By dual quaternions, 2.1.
    Qdef {
        /// Indices; −1 is none.
        bones: [i32; 4],
        /// Need not sum to 1.
        weights: [f32; 4],
    },
}

/// A material.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PmxMaterial {
    /// In Japanese, as a rule.
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
    /// Index of the texture for reflections.
    pub sphere: i32,
    /// 0 off, 1 multiply, 2 add, 3 by the first additional UV.
    pub sphere_mode: u8,
    /// How light is graded.
    pub toon: PmxToon,
    /// A note.
    pub memo: MmdText,
    /// Indices that it takes: three times its triangles.
    pub index_count: i32,
}

/// Flags of a material.
pub mod material_flags {
    /// Back faces are seen.
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

/// A picture by which light is graded.
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
    /// Its name, by which motions find it.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// In the model, in rest pose.
    pub position: [f32; 3],
    /// Index of a bone.
    pub parent: i32,
    /// Bones of a higher level are evaluated later.
    pub level: i32,
    /// See [`bone_flags`]. Those that say what follows in the file are set from the members below when it is written.
    pub flags: u16,
    /// Where it ends.
    pub tail: PmxTail,
    /// The bone that it follows, and by which share; with the flags that say in what. Without either flag it follows the turn.
    pub append: Option<(i32, f32)>,
    /// The only axis that it turns about in MMD's window.
    pub fixed_axis: Option<[f32; 3]>,
    /// x and z of its own frame in MMD's window.
    pub local_axes: Option<[[f32; 3]; 2]>,
    /// Of another model that carries it.
    pub external_parent: Option<i32>,
    /// The chain that reaches for it.
    pub ik: Option<PmxIk>,
}

/// Flags of a bone.
pub mod bone_flags {
    /// The tail is a bone.
    pub const TAIL_IS_BONE: u16 = 0x0001;
    /// The user may turn it.
    pub const ROTATABLE: u16 = 0x0002;
    /// The user may move it.
    pub const MOVABLE: u16 = 0x0004;
    /// Shown.
    pub const VISIBLE: u16 = 0x0008;
    /// The user may touch it.
    pub const OPERABLE: u16 = 0x0010;
    /// A chain reaches for it.
    pub const IK: u16 = 0x0020;
    /// Follows the whole change of the bone that it follows.
    pub const LOCAL_APPEND: u16 = 0x0080;
    /// Follows another bone's turn.
    pub const APPEND_ROTATION: u16 = 0x0100;
    /// Follows another bone's shift.
    pub const APPEND_TRANSLATION: u16 = 0x0200;
    /// Has a fixed axis.
    pub const FIXED_AXIS: u16 = 0x0400;
    /// Has axes of its own.
    pub const LOCAL_AXES: u16 = 0x0800;
    /// Evaluated after physics.
    pub const AFTER_PHYSICS: u16 = 0x1000;
    /// Carried by a bone of another model.
    pub const EXTERNAL_PARENT: u16 = 0x2000;
}

/// Where a bone ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PmxTail {
    /// At a bone, by index.
    Bone(i32),
    /// At a place relative to its head.
    Offset([f32; 3]),
}

/// A chain of bones that reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxIk {
    /// The bone that is to arrive.
    pub target: i32,
    /// How often.
    pub loop_count: i32,
    /// The most that a link turns in one iteration, radians.
    pub limit_rad: f32,
    /// From the target upwards.
    pub links: Vec<PmxIkLink>,
}

/// A bone of a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmxIkLink {
    /// Index of a bone.
    pub bone: i32,
    /// Least and greatest angles about x, y and z, radians.
    pub limits_rad: Option<[[f32; 3]; 2]>,
}

/// A morph.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxMorph {
    /// Its name, by which motions find it.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 0 system, 1 brow, 2 eye, 3 mouth, 4 other.
    pub panel: u8,
    /// What it does.
    pub kind: PmxMorphKind,
}

/// What a morph does.
#[derive(Clone, Debug, PartialEq)]
pub enum PmxMorphKind {
    /// Shares of other morphs: index, ratio.
    Group(Vec<(i32, f32)>),
    /// Shifts of vertices.
    Vertex(Vec<(u32, [f32; 3])>),
    /// Shifts and turns of bones: index, shift, quaternion.
    Bone(Vec<(i32, [f32; 3], [f32; 4])>),
    /// Shifts of texture coordinates. `set`: 0 for the main ones, 1 to 4 for additional ones.
    Uv {
        /// Which coordinates.
        set: u8,
        /// Vertex, shift.
        shifts: Vec<(u32, [f32; 4])>,
    },
    /// Changes of materials.
    Material(Vec<PmxMaterialMorph>),
    /// 2.1: one of other morphs: index, value.
    Flip(Vec<(i32, f32)>),
    /// 2.1: pushes of rigid bodies.
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

/// A push.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmxImpulse {
    /// Index of a rigid body.
    pub rigid_body: i32,
    /// In the body's own frame.
    pub is_local: u8,
    /// Speed that is added.
    pub velocity: [f32; 3],
    /// Turn that is added.
    pub torque: [f32; 3],
}

/// A group in MMD's window.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxFrame {
    /// In Japanese, as a rule.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 1 for the two that every model has.
    pub special: u8,
    /// Kind (0 bone, 1 morph) and index.
    pub entries: Vec<(u8, i32)>,
}

/// A body for physics.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxRigidBody {
    /// In Japanese, as a rule.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// Index of a bone.
    pub bone: i32,
    /// 0 to 15.
    pub group: u8,
    /// Groups that it touches.
    pub mask: u16,
    /// 0 sphere, 1 box, 2 capsule.
    pub shape: u8,
    /// Radius, or half sides, or radius and height.
    pub size: [f32; 3],
    /// In rest pose.
    pub position: [f32; 3],
    /// Euler angles, radians.
    pub rotation_rad: [f32; 3],
    /// Mass, linear damping, angular damping, restitution, friction.
    pub physics: [f32; 5],
    /// 0 follows its bone, 1 moves it, 2 turns it only.
    pub mode: u8,
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxJoint {
    /// In Japanese, as a rule.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 0 with springs; 2.1 has others.
    pub kind: u8,
    /// Indices of rigid bodies.
    pub bodies: [i32; 2],
    /// Position, rotation, least and greatest shift, least and greatest angle, springs of shift and angle.
    pub values: [[f32; 3]; 8],
}

/// A soft body, 2.1.
#[derive(Clone, Debug, PartialEq)]
pub struct PmxSoftBody {
    /// In Japanese, as a rule.
    pub name: MmdText,
    /// Its name in English.
    pub name_en: MmdText,
    /// 0 triangles, 1 rope.
    pub shape: u8,
    /// Index of a material.
    pub material: i32,
    /// 0 to 15.
    pub group: u8,
    /// Groups that it touches.
    pub mask: u16,
    /// 1 B-link, 2 clusters, 4 crossing links.
    pub flags: u8,
    /// B-link distance and clusters.
    pub links: [i32; 2],
    /// Mass of the whole body, and the distance at which contact begins.
    pub mass_and_margin: [f32; 2],
    /// 0 to 4.
    pub aero_model: i32,
    /// VCF DP DG LF PR VC DF MT CHR KHR SHR AHR, then SRHR SKHR SSHR SR_SPLT SK_SPLT SS_SPLT.
    pub config: [f32; 18],
    /// V_IT P_IT D_IT C_IT.
    pub iterations: [i32; 4],
    /// LST AST VST.
    pub stiffness: [f32; 3],
    /// Rigid body, vertex, and whether near.
    pub anchors: Vec<(i32, u32, u8)>,
    /// Vertices that stay.
    pub pins: Vec<u32>,
}
