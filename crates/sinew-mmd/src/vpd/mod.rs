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
    /// Bones. Of several with the same name the last counts.
    pub bones: Vec<VpdBone>,
    /// Morphs, which MikuMikuMoving writes and MMD ignores. Of several with the same name the last counts.
    pub morphs: Vec<VpdMorph>,
    /// The file it was read from.
    source: Option<Box<[u8]>>,
}

/// How a bone stands.
#[derive(Clone, Debug, PartialEq)]
pub struct VpdBone {
    /// The whole name in the model.
    pub name: String,
    /// From where it rests.
    pub shift: [f32; 3],
    /// x, y, z, w; need not be unit, and all zeros is no turn.
    pub rotation: [f32; 4],
}

/// How much of a morph shows.
#[derive(Clone, Debug, PartialEq)]
pub struct VpdMorph {
    /// The whole name in the model.
    pub name: String,
    /// 0 for nothing, 1 for all.
    pub weight: f32,
}

const SIGNATURE: &str = "Vocaloid Pose Data file";

impl Vpd {
    /// A pose that was not read from a file.
    pub fn new(model_file: impl Into<String>, bones: Vec<VpdBone>, morphs: Vec<VpdMorph>) -> Self {
        Self { model_file: model_file.into(), bones, morphs, source: None }
    }

    /// Whether both say the same, however they were written.
    pub fn says_the_same(&self, other: &Self) -> bool {
        self.model_file == other.model_file && self.bones == other.bones && self.morphs == other.morphs
    }
}
