//! Why a job on flesh fails.

use crate::body::BodyError;
use crate::flesh::FleshOutputError;
use crate::flesh::tune::TuneError;
use sinew_body::pose::PaletteError;
use sinew_flesh::FleshRigError;
use sinew_io::OutputError;
use sinew_model::motion::MotionLoadError;
use sinew_model::{OpenError, PaintError, SkinChoiceErrors};
use sinew_rig::FindError;
use sinew_settings::TextErrors;
use std::path::{Path, PathBuf};

/// Why a job on flesh fails.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FleshJobError {
    /// Something with a file or a model.
    #[error("{place}: {source}")]
    At { place: String, source: Box<Self> },
    /// A file that cannot be read.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A text that cannot be read.
    #[error(transparent)]
    Text(#[from] std::io::Error),
    /// Sinew's own human cannot be made.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// Patches that the model does not have.
    #[error(transparent)]
    Carried(#[from] sinew_play::patches::PatchesError),
    /// Its patches do not fit.
    #[error(transparent)]
    Patches(#[from] PaletteError),
    /// A motion that cannot be added.
    #[error(transparent)]
    Motion(#[from] MotionLoadError),
    /// A clip that is not there.
    #[error(transparent)]
    Clip(#[from] FindError),
    /// Nothing to play.
    #[error("it has no clip")]
    NoClip,
    /// Several motions, and none was named. `names`: the clips' names.
    #[error("it has {} clips; name one of them", .names.len())]
    WhichClip { names: Vec<String> },
    /// Skinning that names what is not there.
    #[error(transparent)]
    Skin(#[from] SkinChoiceErrors),
    /// Settings that mean nothing.
    #[error(transparent)]
    Settings(#[from] TextErrors),
    /// What is painted means nothing.
    #[error("{text}: {source}")]
    Paint { text: String, source: Box<Self> },
    /// Paint that is not two halves.
    #[error("use WHAT=FROM, such as softness=r")]
    PaintForm,
    /// Paint on a layer that is not there. `layers`: those that are there.
    #[error("unknown layer {layer:?}; layers are {}", .layers.join(", "))]
    PaintLayer { layer: String, layers: Vec<String> },
    /// Paint of something that nobody paints.
    #[error("cannot paint {0:?}; use softness, stiffness, beta or thickness:LAYER")]
    PaintTarget(String),
    /// Paint that cannot be read.
    #[error(transparent)]
    Painted(#[from] PaintError),
    /// The character gets no flesh, or its motion cannot be played.
    #[error(transparent)]
    Rig(#[from] FleshRigError),
    /// No settings are found.
    #[error(transparent)]
    Tune(#[from] TuneError),
    /// Something cannot be written.
    #[error(transparent)]
    Output(#[from] FleshOutputError),
    /// A file that cannot be written.
    #[error(transparent)]
    File(#[from] OutputError),
    /// Another extension.
    #[error("{}: settings files must be .toml", .path.display())]
    NotToml { path: PathBuf },
}

impl FleshJobError {
    /// The same with the file or model that it is about.
    pub(super) fn at(path: &Path) -> impl FnOnce(Self) -> Self {
        move |source| Self::At { place: path.display().to_string(), source: Box::new(source) }
    }
}
