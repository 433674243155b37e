//! Settings of flesh, and their text: `flesh.toml`.
//!
//! [`FleshSettings`] is plain data. [`read`] lays a file's values over a preset and says of every mistake in which line it is; [`write()`] makes a
//! file with every value explained, which reads back to the same settings.

mod estimates;
mod preset;
mod settings;
mod text;

pub use estimates::{DENSITY_KG_PER_M3, ring_hz, sag_m, settle_secs, shear_speed_m_per_sec};
pub use preset::{FleshPreset, UnknownPreset};
pub use settings::{
    BoneSettings, BoneSettingsError, ContactSettings, FibreSettings, FleshSettings, LayerSettings,
    MuscleSettings, SimulationSettings, Stroke,
};
pub use text::{FleshTextError, FleshTextErrors, read, write};
