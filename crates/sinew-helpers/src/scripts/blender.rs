//! A Python script that makes helpers follow in Blender: drivers on bones and shape keys, so that posing and playing both show them.
//!
//! The script writes the drivers' expressions itself, because they depend on how Blender's importer has laid the bones' axes.

use super::sheet::ControllerSheet;

const CODE: &str = include_str!("blender.py");

pub(super) fn script(sheet: &ControllerSheet) -> String {
    CODE.replacen("DATA = {}", &format!("DATA = {}", sheet.literal("    ")), 1)
}
