//! What came of a search.

use super::ExampleError;
use serde::Serialize;
use sinew_flesh::FleshSettings;

/// What a layer was and is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TunedLayer {
    /// What it is called.
    pub name: String,
    /// Young's modulus, Pa.
    pub young_pa: f64,
    /// Damping, 1/s.
    pub damping_per_sec: f64,
    /// β.
    pub fibre_share: f64,
    /// Whether the rig alone moves it; its values are then left as they are.
    pub is_held: bool,
}

/// Which way fibres run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TunedFibres {
    /// Weight of bones.
    pub bone_weight: f64,
    /// Weight of the skin.
    pub skin_weight: f64,
    /// Weight of muscles.
    pub muscle_weight: f64,
    /// Turn along the skin, degrees.
    pub skin_turn_deg: f64,
}

/// What a number of layers came to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LayerCountTried {
    /// Layers, the held one counted.
    pub layers: usize,
    /// The least error with as many, metres.
    pub rms_m: f64,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TuneReport {
    /// The settings with the least error.
    #[serde(skip)]
    pub settings: FleshSettings,
    /// With the settings that it began from.
    pub before: ExampleError,
    /// With those that were found.
    pub after: ExampleError,
    /// Recorded follow-through against skinning with what muscles add, root mean square over what the search sees, metres.
    pub follow_through_m: f64,
    /// Runs of the motion.
    pub evaluations: usize,
    /// Frames, and how many of them the search did not see.
    pub frames: usize,
    /// Frames that it did not see.
    pub held_out_frames: usize,
    /// Numbers of layers that were tried, in that order; empty where they were not sought.
    pub layer_counts: Vec<LayerCountTried>,
    /// Layers before.
    pub layers_before: Vec<TunedLayer>,
    /// Layers after.
    pub layers_after: Vec<TunedLayer>,
    /// Fibres before.
    pub fibres_before: TunedFibres,
    /// Fibres after.
    pub fibres_after: TunedFibres,
    /// Whether the caller stopped it before its end.
    pub is_stopped: bool,
    /// What a user should know.
    pub notes: Vec<String>,
}

/// The layers of settings.
pub(super) fn layers(settings: &FleshSettings) -> Vec<TunedLayer> {
    let of = |layer: &sinew_flesh::config::LayerSettings| TunedLayer {
        name: layer.name.clone(),
        young_pa: layer.young_pa,
        damping_per_sec: layer.damping_per_sec,
        fibre_share: layer.fiber_share,
        is_held: layer.is_held,
    };
    settings.layers.iter().map(of).collect()
}

/// The fibres of settings.
pub(super) fn fibres(settings: &FleshSettings) -> TunedFibres {
    TunedFibres {
        bone_weight: settings.fibers.bone_weight,
        skin_weight: settings.fibers.skin_weight,
        muscle_weight: settings.fibers.muscle_weight,
        skin_turn_deg: settings.fibers.skin_turn_deg,
    }
}
