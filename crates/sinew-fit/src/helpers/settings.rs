//! What a fit should do and respect.

use serde::{Deserialize, Serialize};

use super::motion::HelperMotion;

/// How helpers are fitted. `HelperSettings::default()` fits 4 rigid helpers with 4 weights a vertex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HelperSettings {
    /// H; 0 fits the weights of the drivers alone. Default 4.
    pub helper_count: usize,
    /// K, at most 8. Default 4, what a glTF skin holds in one set.
    pub max_influences: usize,
    /// Default rigid.
    pub motion: HelperMotion,
    /// Seed of the random starts; the same seed gives the same bits. Default 0.
    pub seed: u64,
    /// Starts, at least 1; the first is the source's, the others random. Default 32; 24 to 40 were enough on the leg.
    pub start_count: usize,
    /// Poses that starts are tried on. Default 200.
    pub start_poses: usize,
    /// Vertices that starts are tried on. Default 700.
    pub start_vertices: usize,
    /// Poses that the best starts are refined on. Default 300.
    pub refine_poses: usize,
    /// Vertices for that; smoothness waits for the full stage where these are not all. Default 2500.
    pub refine_vertices: usize,
    /// Sweeps there. Default 100.
    pub refine_sweeps: usize,
    /// Most sweeps on all poses. Default 20.
    pub full_sweeps: usize,
    /// A sweep that lowers the RMS error by less than this fraction of it is the last. Default 1e-4.
    pub tolerance: f64,
    /// Helpers with an influence on this many vertices or fewer are taken out. Default 4, \[Mukai15\] Sec. 4.3.
    pub min_vertices: usize,
    /// Bytes that the fit may take, beside the examples. Default 4 GiB.
    pub max_bytes: u64,
    /// What weights must respect.
    pub rules: WeightRules,
}

impl Default for HelperSettings {
    fn default() -> Self {
        Self {
            helper_count: 4,
            max_influences: 4,
            motion: HelperMotion::Rigid,
            seed: 0,
            start_count: 32,
            start_poses: 200,
            start_vertices: 700,
            refine_poses: 300,
            refine_vertices: 2500,
            refine_sweeps: 100,
            full_sweeps: 20,
            tolerance: 1e-4,
            min_vertices: 4,
            max_bytes: 4 << 30,
            rules: WeightRules::default(),
        }
    }
}

/// What weights must respect. The default leaves them free.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeightRules {
    /// Weights of the drivers before the fit, one per vertex and driver, vertex by vertex. Needed where something is locked; may be empty
    /// otherwise.
    pub driver_weights: Vec<f64>,
    /// Vertices whose weights stay `driver_weights`.
    pub locked_vertices: Vec<u32>,
    /// Drivers whose weights stay `driver_weights`, on all vertices.
    pub locked_drivers: Vec<u16>,
    /// Cost of weights that differ along edges: a difference of 1 costs as much as an error of `√smoothness` hundredths of the model's
    /// diagonal in every pose. 0, the default: none; 0.1 to 10 are sensible.
    pub smoothness: f64,
    /// Cost of weights far from where a helper was put in: a weight of 1 costs as much as an error of `locality` times that distance in
    /// every pose. 0, the default: none; 0.01 to 0.1 are sensible.
    pub locality: f64,
    /// Left and right: weights of mirrored vertices are alike, and helpers come in pairs.
    pub mirror: Option<Mirror>,
}

/// Which vertices and drivers are each other's mirror image.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mirror {
    /// For each vertex its partner, itself where it lies in the middle.
    pub vertices: Vec<u32>,
    /// For each driver its partner, itself where it lies in the middle.
    pub drivers: Vec<u16>,
}

/// Why a fit cannot begin.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum SettingsError {
    /// Too many or no influences.
    #[error("{found} influences per vertex is out of range; use 1 to 8")]
    Influences { found: usize },
    /// No start.
    #[error("{field} is 0; use at least 1")]
    Zero { field: &'static str },
    /// A cost that is negative or no number.
    #[error("{field} {value} is out of range; use 0 or more")]
    Cost { field: &'static str, value: f64 },
    /// Weights that do not match vertices and drivers.
    #[error("expected {expected} driver weights, one per vertex and driver, found {found}{reason}")]
    DriverWeights { found: usize, expected: usize, reason: &'static str },
    /// Weights that are no weights.
    #[error("the driver weights of vertex {vertex} are negative, not finite, or do not sum to 1")]
    BadWeights { vertex: usize },
    /// More locked weights than a vertex can hold.
    #[error(
        "vertex {vertex} has {found} locked weights, more than the maximum of {max_influences} per vertex"
    )]
    LockedInfluences { vertex: usize, found: usize, max_influences: usize },
    /// Something locked that does not exist.
    #[error("locked {what} {index} does not exist; there are {count}")]
    Locked { what: &'static str, index: usize, count: usize },
    /// All drivers locked and no helper.
    #[error("all drivers are locked and no helpers are requested; nothing to fit")]
    NothingFree,
    /// A mirror of the wrong length.
    #[error("the mirror has {found} {what}, expected {count}")]
    MirrorCount { what: &'static str, found: usize, count: usize },
    /// A partner whose partner is another.
    #[error("the mirror maps {what} {index} to {partner}, but not back")]
    MirrorPartner { what: &'static str, index: usize, partner: usize },
    /// Locks and a mirror together, where one side is locked only.
    #[error("{what} {index} is locked, but its mirror image {partner} is not; lock both")]
    MirrorLocked { what: &'static str, index: usize, partner: usize },
    /// More memory than allowed.
    #[error("the fit needs {needed} bytes, the limit is {allowed}; use fewer vertices, poses or helpers")]
    Memory { needed: u64, allowed: u64 },
}
