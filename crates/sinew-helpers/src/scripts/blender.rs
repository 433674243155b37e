//! A Python script that makes helpers follow in Blender: drivers on bones and shape keys, so that posing and playing both show them.

use super::ScriptError;
use super::sheet::ControllerSheet;

/// Bones that an expression of a driver can ask: it has at most 255 characters, and each bone takes four variables of two letters and a comma.
const MOST_DRIVERS: usize = 18;

const CODE: &str = include_str!("blender.py");

pub(super) fn script(sheet: &ControllerSheet) -> Result<String, ScriptError> {
    let helpers = sheet.helpers.iter().map(|helper| (&helper.name, &helper.functions));
    let correctives = sheet.correctives.iter().map(|corrective| (&corrective.morph, &corrective.functions));
    for (name, functions) in helpers.chain(correctives) {
        let found = sheet.drivers_of(functions).len();
        if found > MOST_DRIVERS {
            return Err(ScriptError::TooManyDrivers { what: name.clone(), found, limit: MOST_DRIVERS });
        }
    }
    let data = sheet.literal("    ");
    let name = format!("NAME = \"sinew_follow_{:08x}\"", mark(&data));
    let named = CODE.replacen("NAME = \"sinew_follow\"", &name, 1);
    Ok(named.replacen("DATA = {}", &format!("DATA = {data}"), 1))
}

/// Tells rigs apart that are in one file: FNV-1a.
fn mark(text: &str) -> u32 {
    text.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
