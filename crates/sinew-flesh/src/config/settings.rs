//! Everything that a user can say about flesh.

use super::estimates::DENSITY_KG_PER_M3;
use super::preset::FleshPreset;
use crate::muscles::{DriveSettings, MuscleSpec};
use serde::{Deserialize, Serialize};

/// A layer of flesh, from the bone outwards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LayerSettings {
    /// Found by it in files and from bones.
    pub name: String,
    /// Share of the way from bone to skin; the shares of all layers are scaled to fill what layers in meters leave. 0 to 1.
    pub thickness: f64,
    /// Young's modulus, Pa: fat 1,000 to 5,000, muscle 10,000 to 60,000. 10 to 10⁸.
    pub young_pa: f64,
    /// β: how much of a stretch goes along the fiber and is answered across it, 0 to 1: 0 is the same in all directions.
    pub fiber_share: f64,
    /// Rate at which motion against the rig fades, 1/s; a swing is down to a twentieth after 6 divided by it, seconds. 0 to 1,000.
    pub damping_per_sec: f64,
    /// Whether it is moved by the rig alone; the innermost layer is.
    pub is_held: bool,
    /// Thickness in m instead of a share; less where bone and skin are closer. 0 to 10.
    pub thickness_m: Option<f64>,
    /// 1 to 10⁵. Default: 1,000.
    pub density_kg_m3: f64,
}

impl Default for LayerSettings {
    fn default() -> Self {
        Self {
            name: String::new(),
            thickness: 0.3,
            young_pa: 1_200.0,
            fiber_share: 0.2,
            damping_per_sec: 8.0,
            is_held: false,
            thickness_m: None,
            density_kg_m3: DENSITY_KG_PER_M3,
        }
    }
}

impl LayerSettings {
    /// Bone: held on the rig. The stiffness is not that of bone, which no step of time could follow, but what a held layer lends to
    /// the flesh that begins in it.
    pub fn bone() -> Self {
        Self { is_held: true, ..Self::of("bone", 200_000.0, 1_500.0, 0.0, 20.0) }
    }

    /// Muscle, half at work: 10 to 40 kPa across its fibers when measured in living people.
    pub fn muscle() -> Self {
        Self { thickness: 0.4, ..Self::of("muscle", 25_000.0, 1_060.0, 0.8, 8.0) }
    }

    /// Fat and skin: 2 to 10 kPa.
    pub fn fat() -> Self {
        Self::of("fat", 6_000.0, 920.0, 0.1, 5.0)
    }

    fn of(name: &str, young_pa: f64, density_kg_m3: f64, fiber_share: f64, damping_per_sec: f64) -> Self {
        let name = name.to_owned();
        Self { name, young_pa, density_kg_m3, fiber_share, damping_per_sec, ..Self::default() }
    }
}

/// What differs round one bone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct BoneSettings {
    /// A bone of a human in VRM's words, or else of the model by its own name.
    pub bone: String,
    /// Factor of all moduli. 0.01 to 100. Default: 1.
    pub stiffness: f64,
    /// Factor of the damping. 0 to 100. Default: 1.
    pub damping: f64,
    /// Thickness of layers by their names, as shares; others keep theirs.
    pub thickness: Vec<(String, f64)>,
    /// Thickness of layers by their names, in meters; goes before shares.
    pub thickness_m: Vec<(String, f64)>,
    /// Instead of the simulation's, meters.
    pub max_distance_m: Option<f64>,
    /// Softness around this bone, 0 to 1; at 0 all of it counts as bone. `None`: by the bone of a human that it is or hangs from,
    /// else 1.
    pub softness: Option<f64>,
    /// Whether the bone is a body inside the flesh. `None`: by its weights, its children and its place; see [`crate::anatomy`].
    pub has_core: Option<bool>,
}

impl Default for BoneSettings {
    fn default() -> Self {
        Self {
            bone: String::new(),
            stiffness: 1.0,
            damping: 1.0,
            thickness: Vec::new(),
            thickness_m: Vec::new(),
            max_distance_m: None,
            softness: None,
            has_core: None,
        }
    }
}

/// A line on the skin along which fibers run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stroke {
    /// Corners, model space at rest, meters; two or more.
    pub points: Vec<[f64; 3]>,
    /// How much it counts; 1 prevails over what bones and skin say. 0 to 100. Default: 1.
    pub weight: f64,
}

impl Default for Stroke {
    fn default() -> Self {
        Self { points: Vec::new(), weight: 1.0 }
    }
}

/// Which way fibers run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FiberSettings {
    /// Weight of the bones' directions at bones. 0 to 100. Default: 1.
    pub bone_weight: f64,
    /// Weight of the bones' directions along the skin. 0 to 100. Default: 1.
    pub skin_weight: f64,
    /// Weight of muscles' own fibers, times their share. 0 to 100. Default: 4, so that they win where they are.
    pub muscle_weight: f64,
    /// How far fibers along the skin are turned from the bone, degrees: they wind round the limb as a screw, mirrored from left to right. −90
    /// to 90. Default: 0.
    pub skin_turn_deg: f64,
    /// Lines that a user has drawn.
    pub strokes: Vec<Stroke>,
}

impl Default for FiberSettings {
    fn default() -> Self {
        Self {
            bone_weight: 1.0,
            skin_weight: 1.0,
            muscle_weight: 4.0,
            skin_turn_deg: 0.0,
            strokes: Vec::new(),
        }
    }
}

/// Muscles, and how they bulge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct MuscleSettings {
    /// Strength and rates of all.
    pub drive: DriveSettings,
    /// Each by its name.
    pub list: Vec<MuscleSpec>,
}

/// How motion is worked out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SimulationSettings {
    /// Steps a second. 24 to 2,000. Default: 120.
    pub rate_hz: f64,
    /// Iterations of each step. 1 to 200. Default: 10.
    pub iterations: u32,
    /// Share of gravity. 0 to 2. The skin was modeled under gravity, so that 0 leaves a still character as it is.
    pub gravity_share: f64,
    /// How much of a region's volume is kept. 0 to 1. Default: 1.
    pub volume_share: f64,
    /// Flesh goes no farther than this from where the rig has it, meters. 0 to 10.
    pub max_distance_m: f64,
    /// And no farther than this towards the bone, meters; also how far the softest flesh gives way when it is pressed. 0 to 10.
    pub backstop_m: f64,
}

/// What flesh cannot pass.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ContactSettings {
    /// Whether there is a floor.
    pub ground: bool,
    /// Where it is, meters.
    pub ground_height_m: f64,
    /// Whether parts of one body push each other away. Default: they do.
    pub body: bool,
}

impl Default for ContactSettings {
    fn default() -> Self {
        Self { ground: true, ground_height_m: 0.0, body: true }
    }
}

/// All settings of flesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FleshSettings {
    /// What the values were before any was changed.
    pub preset: FleshPreset,
    /// How motion is worked out.
    pub simulation: SimulationSettings,
    /// What it cannot pass.
    pub contact: ContactSettings,
    /// From the bone outwards; one or more.
    pub layers: Vec<LayerSettings>,
    /// Exceptions.
    pub bones: Vec<BoneSettings>,
    /// Directions.
    pub fibers: FiberSettings,
    /// Muscles.
    pub muscles: MuscleSettings,
}

impl Default for FleshSettings {
    fn default() -> Self {
        FleshPreset::Natural.settings()
    }
}
