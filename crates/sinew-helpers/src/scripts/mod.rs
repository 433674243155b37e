//! Controllers for other programs: a script that evaluates them there, or plain JSON, with a table to check an implementation against.

mod blender;
mod godot;
mod save;
mod sheet;
mod table;
mod unity;

pub use save::{SavedScript, ScriptError, save_script};
pub use sheet::ControllerSheet;
pub use table::ReferencePose;

use sinew_rig::Character;

/// A program that controllers are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptTarget {
    /// A Python script that gives bones and shape keys drivers.
    Blender,
    /// A C# component.
    Unity,
    /// A GDScript modifier of a skeleton.
    Godot,
    /// The numbers alone.
    Json,
}

impl ScriptTarget {
    /// The extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Blender => "py",
            Self::Unity => "cs",
            Self::Godot => "gd",
            Self::Json => "json",
        }
    }
}

/// The text of a script, and the reference table that belongs beside it; JSON has the table in itself. `stem`: of the script's file; Unity's class is
/// named after it.
///
/// # Errors
/// The character has no controllers, its bones cannot be found by name, or one drives helpers by sliding.
pub fn script(
    character: &Character,
    target: ScriptTarget,
    stem: &str,
) -> Result<(String, Option<String>), ScriptError> {
    let sheet = ControllerSheet::new(character)?;
    let sliding = sheet.drivers.iter().find(|driver| !driver.shifts.is_empty());
    if let Some(driver) = sliding.filter(|_| target != ScriptTarget::Json) {
        return Err(ScriptError::Shifts { name: driver.name.clone() });
    }
    let table = || Some(table::text(&sheet.reference(character)));
    Ok(match target {
        ScriptTarget::Blender => (blender::script(&sheet), table()),
        ScriptTarget::Unity => (unity::script(&sheet, &unity::class_name(stem)), table()),
        ScriptTarget::Godot => (godot::script(&sheet, character), table()),
        ScriptTarget::Json => (sheet.to_json(character), None),
    })
}
