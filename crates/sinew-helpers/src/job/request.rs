//! What a fit is asked for.

use crate::RigFitSettings;
use serde::{Deserialize, Serialize};
use sinew_io::Limits;
use sinew_play::patches::PatchModes;
use sinew_skin::Method;
use std::path::PathBuf;

/// Where the examples of a model come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FitSource {
    /// A skinning method: joint by joint over the joints' ranges, or over the frames of clips where some are named.
    Method(Method),
    /// The patches of the body that the file carries, in the same poses.
    Patches(PatchModes),
    /// A simulation of flesh over clips.
    Flesh {
        /// Tetrahedra, about.
        tet_count: u32,
        /// Name of a [`FleshPreset`](sinew_flesh::FleshPreset).
        preset: String,
    },
    /// Shapes that another program made, as [`read_shapes`](crate::read_shapes) takes them: each with its pose beside it, poses with weights of
    /// the model's own shape keys, or the frames of one clip.
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

/// Helpers as MMD plays them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MmdRequest {
    /// Whether motions get keys of helpers, for what following other bones cannot do: all clips of the model, or those that were fitted to.
    pub bakes_clips: bool,
    /// Whether bones keep their names; else those of humans get MMD's.
    pub keeps_names: bool,
}

/// What a fit is asked for. For a folder of arrays only `rig`, `shifts`, `correctives` and `resume` count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FitRequest {
    /// Default: Bézier skinning over the joints' ranges.
    pub source: FitSource,
    /// Helpers, controllers and samples; `locked_drivers` come from `locked_bones`, `held_out_clips` from those below.
    pub rig: RigFitSettings,
    /// Joints whose skin is fitted, named by the child bone, `*` for any text. Default: all.
    pub joints: Vec<String>,
    /// Bones whose weights stay as they are, `*` for any text. Default: none.
    pub locked_bones: Vec<String>,
    /// Bones whose way from rest drives helpers, beside how they turn; `*` for any text. With clips, shapes and folders of arrays. Default: none.
    pub shifts: Vec<String>,
    /// Vertices that keep their weights: where paint, as [`read_paint`](sinew_model::read_paint) takes it, is above a half. Default: none.
    pub locked_paint: Option<String>,
    /// Shape keys that helpers take over, `*` for any text: their weights in clips belong to the shapes that are fitted, and are 0 in what is written.
    /// Other keys are left out of the fit. Default: none.
    pub keys: Vec<String>,
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
    /// Whether helpers are to follow other bones too, for a `.pmx`. Default: no.
    pub mmd: Option<MmdRequest>,
    /// With a folder of arrays: where an interrupted fit is written, and read again to go on. Default: it is lost.
    pub resume: Option<PathBuf>,
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
            locked_paint: None,
            shifts: Vec::new(),
            keys: Vec::new(),
            clips: Vec::new(),
            held_out_clips: Vec::new(),
            fps: 30.0,
            still_poses: 60,
            correctives: 0,
            suggestions: None,
            resume: None,
            mmd: None,
            limits: Limits::default(),
        }
    }
}
