//! Settings of flesh, and their text: `flesh.toml`.
//!
//! [`FleshSettings`] is plain data. [`read`] lays a file's values over a preset and says of every mistake in which line it is; [`write()`] makes a
//! file with every value explained, which reads back to the same settings.

mod estimates;
pub(crate) mod fields;
mod preset;
mod settings;
#[cfg(test)]
mod tests;

pub use estimates::{DENSITY_KG_PER_M3, ring_hz, sag_m, settle_secs, shear_speed_m_per_sec};
pub use preset::{FleshPreset, UnknownPreset};
pub use settings::{
    BoneSettings, ContactSettings, FiberSettings, FleshSettings, LayerSettings, MuscleSettings,
    SimulationSettings, Stroke,
};
pub use sinew_settings::{TextError, TextErrors};

/// Reads a file: its preset, with its own values laid over.
///
/// ```
/// use sinew_flesh::config::{FleshPreset, read};
///
/// let settings = read("preset = \"heavy\"\n[simulation]\niterations = 20\n")?;
/// assert_eq!((settings.preset, settings.simulation.iterations), (FleshPreset::Heavy, 20));
/// # Ok::<(), sinew_flesh::config::TextErrors>(())
/// ```
///
/// # Errors
/// Everything that is wrong, each with its line, its key and, where a key or a word is unknown, the nearest known one.
pub fn read(text: &str) -> Result<FleshSettings, TextErrors> {
    sinew_settings::read(text, |table| {
        // The preset comes first, because all others lie over it. A wrong one is reported when its key has its turn.
        let name = table.get("preset").and_then(|value| value.text().ok());
        name.and_then(|name| FleshPreset::find(name).ok()).unwrap_or_default().settings()
    })
}

/// Writes a file that reads back to the same settings, with every value explained where its key stands first.
///
/// ```
/// use sinew_flesh::config::{FleshPreset, read, write};
///
/// let settings = FleshPreset::Heavy.settings();
/// assert_eq!(read(&write(&settings))?, settings);
/// # Ok::<(), sinew_flesh::config::TextErrors>(())
/// ```
pub fn write(settings: &FleshSettings) -> String {
    let top = "# How flesh moves. A value that is taken out goes back to the preset's.\n";
    sinew_settings::write(settings, &settings.preset.settings(), top)
}

impl FleshSettings {
    /// Checks every value against its range, and what belongs together.
    ///
    /// # Errors
    /// Everything that is wrong, each with its key.
    pub fn check(&self) -> Result<(), TextErrors> {
        sinew_settings::check(self)
    }
}
