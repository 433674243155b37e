//! A GDScript that makes helpers follow in Godot, whose axes are those of glTF.

use super::sheet::ControllerSheet;

const CODE: &str = include_str!("godot.gd");

pub(super) fn script(sheet: &ControllerSheet) -> String {
    CODE.replacen("const DATA = {}", &format!("const DATA = {}", sheet.literal("\t")), 1)
}
