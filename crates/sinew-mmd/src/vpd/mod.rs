//! VPD poses.
//!
//! Text in CP932: a signature, the file of the model, the number of bones, and a block for each bone. Values are MMD's own
//! (left-handed, 1 unit = 0.08 m).

mod apply;
mod encoding;
mod read;
mod scanner;
mod write;

pub use read::VpdReadError;

/// A VPD file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vpd {
    /// The model it was made for, such as `miku.osm`.
    pub model_file: String,
    /// Bones. Of several with the same name the last wins.
    pub bones: Vec<VpdBone>,
    /// Morphs, written by MikuMikuMoving and ignored by MMD. Of several with the same name the last wins.
    pub morphs: Vec<VpdMorph>,
    /// The file it was read from.
    source: Option<Box<[u8]>>,
}

/// Pose of a bone.
#[derive(Clone, Debug, PartialEq)]
pub struct VpdBone {
    /// Full name in the model.
    pub name: String,
    /// Relative to rest.
    pub shift: [f32; 3],
    /// x, y, z, w; need not be unit; all zeros is the identity.
    pub rotation: [f32; 4],
}

/// Weight of a morph.
#[derive(Clone, Debug, PartialEq)]
pub struct VpdMorph {
    /// Full name in the model.
    pub name: String,
    /// From 0 to 1.
    pub weight: f32,
}

const SIGNATURE: &str = "Vocaloid Pose Data file";

impl Vpd {
    /// A new pose, not from a file.
    pub fn new(model_file: impl Into<String>, bones: Vec<VpdBone>, morphs: Vec<VpdMorph>) -> Self {
        Self { model_file: model_file.into(), bones, morphs, source: None }
    }

    /// Whether both have the same content, however they are written.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.model_file == other.model_file && self.bones == other.bones && self.morphs == other.morphs
    }
}
