//! What a fit is asked for.

use crate::RigFitSettings;
use serde::{Deserialize, Serialize};
use sinew_io::Limits;
use sinew_skin::Method;
use std::path::PathBuf;

/// Where the examples of a model come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FitSource {
    /// A skinning method: joint by joint over the joints' ranges, or over the frames of clips where some are named.
    Method(Method),
    /// A simulation of flesh over clips.
    Flesh {
        /// Tetrahedra, about.
        tet_count: u32,
        /// Name of a [`FleshPreset`](sinew_flesh::FleshPreset).
        preset: String,
    },
    /// Shapes that another program made, as [`read_shapes`](crate::read_shapes) takes them: each with its pose beside it, or the frames of one clip.
    Shapes(PathBuf),
}

impl Default for FitSource {
    fn default() -> Self {
        Self::Method(Method::BEZIER)
    }
}

/// Poses that are worth making next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Suggestions {
    /// How many.
    pub count: usize,
    /// Degree of the polynomials that should be known from the examples.
    pub degree: usize,
    /// Where each is written, as a pose (`.json`) and a shape to start from (`.obj`).
    pub folder: PathBuf,
}

/// What a fit is asked for. For a folder of arrays only `rig` and `correctives` count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FitRequest {
    /// Default: Bézier skinning over the joints' ranges.
    pub source: FitSource,
    /// Helpers, controllers and samples; `locked_drivers` come from `locked_bones`.
    pub rig: RigFitSettings,
    /// Joints whose skin is fitted, named by the child bone, `*` for any text. Default: all.
    pub joints: Vec<String>,
    /// Bones whose weights stay as they are, `*` for any text. Default: none.
    pub locked_bones: Vec<String>,
    /// Clips of the model, by name or index.
    pub clips: Vec<String>,
    /// Clips that are played and measured, but not fitted to.
    pub held_out_clips: Vec<String>,
    /// Frames a second of clips. Default 30.
    pub fps: f64,
    /// Poses of each joint that keep skin in place where clips do not bend it. Default 60.
    pub still_poses: usize,
    /// Corrective morphs of each mesh, at most. Default 0.
    pub correctives: usize,
    /// With shapes: poses to make next. Default: none.
    pub suggestions: Option<Suggestions>,
    /// What reading shapes may take.
    #[serde(skip)]
    pub limits: Limits,
}

impl Default for FitRequest {
    fn default() -> Self {
        Self {
            source: FitSource::default(),
            rig: RigFitSettings::default(),
            joints: Vec::new(),
            locked_bones: Vec::new(),
            clips: Vec::new(),
            held_out_clips: Vec::new(),
            fps: 30.0,
            still_poses: 60,
            correctives: 0,
            suggestions: None,
            limits: Limits::default(),
        }
    }
}
