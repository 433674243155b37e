//! What a PMD file holds, list by list.

use crate::FixedText;

/// How many toons a file names.
pub const TOON_COUNT: usize = 10;

/// A PMD file.
#[derive(Clone, Debug, PartialEq)]
pub struct Pmd {
    /// Always 1.0 so far.
    pub version: f32,
    /// The model's name.
    pub name: FixedText<20>,
    /// What its author says.
    pub comment: FixedText<256>,
    /// At most 65,535.
    pub vertices: Vec<PmdVertex>,
    /// Indices of vertices, three a triangle, clockwise. Files whose count is no multiple of three keep the rest.
    pub indices: Vec<u16>,
    /// Each takes its share of the indices, in order.
    pub materials: Vec<PmdMaterial>,
    /// At most 32,767.
    pub bones: Vec<PmdBone>,
    /// Chains of bones that reach, in the order in which they are solved.
    pub iks: Vec<PmdIk>,
    /// The first is the base; the others point into it.
    pub morphs: Vec<PmdMorph>,
    /// Indices of morphs in the order of MMD's window.
    pub morph_display: Vec<u16>,
    /// Names of the groups of bones in MMD's window; a line feed ends each.
    pub frame_names: Vec<FixedText<50>>,
    /// Bones in groups: bone, and group counted from 1; 0 is the group of the center.
    pub frame_entries: Vec<(u16, u8)>,
    /// English names; `None` where the file ends before them.
    pub english: Option<PmdEnglish>,
    /// Names of the pictures by which light is graded; `None` where the file ends before them.
    pub toons: Option<Box<[FixedText<100>; TOON_COUNT]>>,
    /// Bodies for physics; `None` where the file ends before them.
    pub rigid_bodies: Option<Vec<PmdRigidBody>>,
    /// Joints between bodies; `None` where the file ends before them.
    pub joints: Option<Vec<PmdJoint>>,
    /// Bytes after the end, or from the list that is cut off.
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
    /// v downwards.
    pub uv: [f32; 2],
    /// The bones that move it.
    pub bones: [u16; 2],
    /// Of the first bone, in percent; the second has the rest.
    pub weight_percent: u8,
    /// 0: it has an outline; 1: it has none.
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
    /// Which of the toons, from 0; 255 is none.
    pub toon: u8,
    /// 1: it has an outline and casts a shadow on the ground.
    pub edge: u8,
    /// Indices that it takes: three times its triangles.
    pub index_count: u32,
    /// Files of its texture and its reflections: `skin.bmp*shine.sph`.
    pub texture: FixedText<20>,
}

/// A bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdBone {
    /// Its name, by which motions find it.
    pub name: FixedText<20>,
    /// Index of a bone; −1 is none.
    pub parent: i16,
    /// Index of the bone at its end; 0 and −1 are none. Of type 9: the bone that it follows.
    pub tail: i16,
    /// See [`bone_types`].
    pub kind: u8,
    /// Index of the bone that it reaches for or follows. Of type 9: its share in percent.
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
    /// A chain reaches for it.
    pub const IK: u8 = 2;
    /// Is part of a chain.
    pub const UNDER_IK: u8 = 4;
    /// Follows another bone's turn.
    pub const FOLLOW: u8 = 5;
    /// The end of a chain.
    pub const IK_TARGET: u8 = 6;
    /// Not shown.
    pub const HIDDEN: u8 = 7;
    /// Turns about its own length.
    pub const TWIST: u8 = 8;
    /// Follows a share of another bone's turn.
    pub const FOLLOW_SHARE: u8 = 9;
}

/// A chain of bones that reaches.
#[derive(Clone, Debug, PartialEq)]
pub struct PmdIk {
    /// The bone that is reached for.
    pub bone: u16,
    /// The bone that is to arrive.
    pub target: u16,
    /// How often.
    pub loop_count: u16,
    /// The most that a link turns in one iteration, in units of 4 radians.
    pub limit: f32,
    /// From the target upwards, at most 255.
    pub links: Vec<u16>,
}

/// A morph.
#[derive(Clone, Debug, PartialEq)]
pub struct PmdMorph {
    /// Its name, by which motions find it.
    pub name: FixedText<20>,
    /// 0 base, 1 brow, 2 eye, 3 mouth, 4 other.
    pub kind: u8,
    /// Of the base: vertices and their positions. Of others: entries of the base and their shifts.
    pub entries: Vec<(u32, [f32; 3])>,
}

/// What follows the lists of MMD's window.
#[derive(Clone, Debug, PartialEq)]
pub enum PmdEnglish {
    /// A byte that says that there are no English names.
    Absent,
    /// English names.
    Present(Box<PmdEnglishNames>),
}

/// English names. Lists that are too short are written with empty names, those that are too long are cut.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PmdEnglishNames {
    /// The model's.
    pub name: FixedText<20>,
    /// What its author says.
    pub comment: FixedText<256>,
    /// One a bone.
    pub bones: Vec<FixedText<20>>,
    /// One a morph, without the first, which is the base.
    pub morphs: Vec<FixedText<20>>,
    /// One a group of bones.
    pub frames: Vec<FixedText<50>>,
}

/// A body for physics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdRigidBody {
    /// At most 20 bytes of CP932.
    pub name: FixedText<20>,
    /// Index of a bone; −1 is none.
    pub bone: i16,
    /// 0 to 15.
    pub group: u8,
    /// Groups that it touches.
    pub mask: u16,
    /// 0 sphere, 1 box, 2 capsule.
    pub shape: u8,
    /// Radius, or half sides, or radius and height.
    pub size: [f32; 3],
    /// Relative to its bone, or to the first one where it has none.
    pub position: [f32; 3],
    /// Euler angles, radians.
    pub rotation_rad: [f32; 3],
    /// Mass, linear damping, angular damping, restitution, friction.
    pub physics: [f32; 5],
    /// 0 follows its bone, 1 moves it, 2 turns it only.
    pub mode: u8,
}

/// A joint between two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PmdJoint {
    /// At most 20 bytes of CP932.
    pub name: FixedText<20>,
    /// Indices of rigid bodies.
    pub bodies: [u32; 2],
    /// Position, rotation, least and greatest shift, least and greatest angle, springs of shift and angle.
    pub values: [[f32; 3]; 8],
}
