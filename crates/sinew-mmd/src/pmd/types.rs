//! The content of a PMD file, list by list.

use crate::FixedText;
use crate::pmx::MmdBody;

/// Number of toons in a file.
pub const TOON_COUNT: usize = 10;

/// A PMD file.
#[derive(Clone, Debug, PartialEq)]
pub struct Pmd {
    /// Always 1.0 so far.
    pub version: f32,
    /// The model's name.
    pub name: FixedText<20>,
    /// The author's comment.
    pub comment: FixedText<256>,
    /// At most 65,535.
    pub vertices: Vec<PmdVertex>,
    /// Vertex indices, three per triangle, clockwise. If the count is not a multiple of three, the rest is kept.
    pub indices: Vec<u16>,
    /// Each covers the next part of the indices.
    pub materials: Vec<PmdMaterial>,
    /// At most 32,767.
    pub bones: Vec<PmdBone>,
    /// IK chains, in the order of solving.
    pub iks: Vec<PmdIk>,
    /// The first is the base; the others refer to its entries.
    pub morphs: Vec<PmdMorph>,
    /// Indices of morphs in the order of MMD's window.
    pub morph_display: Vec<u16>,
    /// Names of the bone groups in MMD's window; each ends with a line feed.
    pub frame_names: Vec<FixedText<50>>,
    /// Bones in groups: bone, and group from 1; 0 is the group of the center.
    pub frame_entries: Vec<(u16, u8)>,
    /// English names; `None` if the file ends before them.
    pub english: Option<PmdEnglish>,
    /// File names of toon textures; `None` if the file ends before them.
    pub toons: Option<Box<[FixedText<100>; TOON_COUNT]>>,
    /// Physics bodies; `None` if the file ends before them.
    pub rigid_bodies: Option<Vec<PmdRigidBody>>,
    /// Joints between bodies; `None` if the file ends before them.
    pub joints: Option<Vec<PmdJoint>>,
    /// Bytes after the end, or from the truncated list on.
    pub trailing: Vec<u8>,
}

impl Default for Pmd {
    fn default() -> Self {
        Self {
            version: 1.0,
            name: FixedText::default(),
            comment: FixedText::default(),
            vertices: Vec::new(),
            indices: Vec::new(),
            materials: Vec::new(),
            bones: Vec::new(),
            iks: Vec::new(),
            morphs: Vec::new(),
            morph_display: Vec::new(),
            frame_names: Vec::new(),
            frame_entries: Vec::new(),
            english: None,
            toons: None,
            rigid_bodies: None,
            joints: None,
            trailing: Vec::new(),
        }
    }
}

/// A vertex.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdVertex {
    /// In rest pose.
    pub position: [f32; 3],
    /// In rest pose.
    pub normal: [f32; 3],
    /// v down.
    pub uv: [f32; 2],
    /// The bones that move it.
    pub bones: [u16; 2],
    /// Of the first bone, in percent; the second gets the rest.
    pub weight_percent: u8,
    /// 0: with outline; 1: without.
    pub edge: u8,
}

/// A material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdMaterial {
    /// RGB and alpha.
    pub diffuse: [f32; 4],
    /// Exponent.
    pub specular_power: f32,
    /// RGB.
    pub specular: [f32; 3],
    /// RGB.
    pub ambient: [f32; 3],
    /// Index of a toon, from 0; 255 is none.
    pub toon: u8,
    /// 1: with outline and ground shadow.
    pub edge: u8,
    /// Number of indices: three times its triangles.
    pub index_count: u32,
    /// Files of its texture and its sphere map: `skin.bmp*shine.sph`.
    pub texture: FixedText<20>,
}

/// A bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdBone {
    /// Motions find it by this name.
    pub name: FixedText<20>,
    /// Index of a bone; −1 is none.
    pub parent: i16,
    /// Index of the bone at its end; 0 and −1 are none. For type 9: the bone it follows.
    pub tail: i16,
    /// See [`bone_types`].
    pub kind: u8,
    /// Index of its IK bone or the bone it follows. For type 9: the share in percent.
    pub ik: i16,
    /// In the model, in rest pose.
    pub position: [f32; 3],
}

/// Types of bones.
pub mod bone_types {
    /// Turns.
    pub const ROTATE: u8 = 0;
    /// Turns and moves.
    pub const MOVE: u8 = 1;
    /// The goal of a chain.
    pub const IK: u8 = 2;
    /// Part of a chain.
    pub const UNDER_IK: u8 = 4;
    /// Follows another bone's rotation.
    pub const FOLLOW: u8 = 5;
    /// The end of a chain.
    pub const IK_TARGET: u8 = 6;
    /// Not shown.
    pub const HIDDEN: u8 = 7;
    /// Turns about its own axis.
    pub const TWIST: u8 = 8;
    /// Follows a share of another bone's rotation.
    pub const FOLLOW_SHARE: u8 = 9;
}

/// An IK chain.
#[derive(Clone, Debug, PartialEq)]
pub struct PmdIk {
    /// The goal bone.
    pub bone: u16,
    /// The end effector.
    pub target: u16,
    /// Number of iterations.
    pub loop_count: u16,
    /// Maximum rotation of a link per iteration, in units of 4 rad.
    pub limit: f32,
    /// From the end effector upwards, at most 255.
    pub links: Vec<u16>,
}

/// A morph.
#[derive(Clone, Debug, PartialEq)]
pub struct PmdMorph {
    /// Motions find it by this name.
    pub name: FixedText<20>,
    /// 0 base, 1 brow, 2 eye, 3 mouth, 4 other.
    pub kind: u8,
    /// Of the base: vertices and their positions. Of others: entries of the base and their translations.
    pub entries: Vec<(u32, [f32; 3])>,
}

/// The block of English names after the lists of MMD's window.
#[derive(Clone, Debug, PartialEq)]
pub enum PmdEnglish {
    /// A byte that marks missing English names.
    Absent,
    /// English names.
    Present(Box<PmdEnglishNames>),
}

/// English names. Short lists are padded with empty names when written, long ones are cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PmdEnglishNames {
    /// The model's.
    pub name: FixedText<20>,
    /// The author's comment.
    pub comment: FixedText<256>,
    /// One per bone.
    pub bones: Vec<FixedText<20>>,
    /// One per morph, without the first, the base.
    pub morphs: Vec<FixedText<20>>,
    /// One per bone group.
    pub frames: Vec<FixedText<50>>,
}

/// A physics body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdRigidBody {
    /// At most 20 bytes of CP932.
    pub name: FixedText<20>,
    /// Index of a bone; −1 is none.
    pub bone: i16,
    /// The body itself.
    pub body: MmdBody,
}

/// A joint between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdJoint {
    /// At most 20 bytes of CP932.
    pub name: FixedText<20>,
    /// Indices of rigid bodies.
    pub bodies: [u32; 2],
    /// Position, rotation, minimum and maximum translation, minimum and maximum angle, springs of translation and rotation.
    pub values: [[f32; 3]; 8],
}
