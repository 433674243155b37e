//! A C# component that makes helpers follow in Unity.

use super::sheet::{ControllerSheet, SheetCorrective, SheetDriver, SheetHelper, SheetSwing};

const CODE: &str = include_str!("unity.cs");

pub(super) fn script(sheet: &ControllerSheet) -> String {
    let centers = sheet.radial.iter().flat_map(|radial| &radial.centers);
    let tables = [
        ("Drivers", list(sheet.drivers.iter().map(driver))),
        ("Monomials", list(sheet.monomials.iter().flatten().map(|product| numbers("int", product)))),
        ("Scales", sheet.radial.as_ref().map_or("{ }".into(), |radial| inner(&radial.scales))),
        ("Centers", list(centers.map(|center| numbers("double", center)))),
        ("Helpers", list(sheet.helpers.iter().map(helper))),
        ("Correctives", list(sheet.correctives.iter().map(corrective))),
    ];
    let mut code = CODE.to_owned();
    for (name, table) in tables {
        code = code.replacen(&format!("{name} = {{ }};"), &format!("{name} = {table};"), 1);
    }
    let is_radial = if sheet.radial.is_some() { "true" } else { "false" };
    code.replacen("IsRadial = false;", &format!("IsRadial = {is_radial};"), 1)
}

fn driver(driver: &SheetDriver) -> String {
    let (name, rest) = (quoted(&driver.name), numbers("double", &driver.rest));
    format!("new Driver({name}, {rest}, {})", numbers("double", driver.axes.as_flattened()))
}

fn helper(helper: &SheetHelper) -> String {
    let rest: Vec<f32> = [&helper.rest.translation[..], &helper.rest.rotation, &helper.rest.scale].concat();
    let swing: Vec<f64> = helper.swing.iter().flat_map(swing_numbers).collect();
    format!(
        "new Helper({}, {}, {}, {}, {})",
        quoted(&helper.name),
        numbers("double", &rest),
        numbers("int", &helper.functions),
        numbers("double", helper.coefficients.as_flattened()),
        numbers("double", &swing),
    )
}

/// Frequency, damping and limit, then seven gains for each axis.
fn swing_numbers(swing: &SheetSwing) -> Vec<f64> {
    let spring = [swing.frequency, swing.damping, swing.limit];
    spring.into_iter().chain(swing.gains.iter().flatten().copied()).collect()
}

fn corrective(corrective: &SheetCorrective) -> String {
    let (name, functions) = (quoted(&corrective.morph), numbers("int", &corrective.functions));
    format!("new Corrective({name}, {functions}, {})", numbers("double", &corrective.coefficients))
}

/// A text as JSON writes it, which is how C# reads it too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn list(entries: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = entries.map(|entry| format!("        {entry},")).collect();
    if lines.is_empty() { "{ }".into() } else { format!("{{\n{}\n    }}", lines.join("\n")) }
}

fn numbers<T: std::fmt::Debug>(kind: &str, numbers: &[T]) -> String {
    format!("new {kind}[] {}", inner(numbers))
}

fn inner<T: std::fmt::Debug>(numbers: &[T]) -> String {
    let texts: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    format!("{{ {} }}", texts.join(", "))
}
