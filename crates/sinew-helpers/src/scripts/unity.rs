//! A C# component that makes helpers follow in Unity.

use super::sheet::{ControllerSheet, SheetCorrective, SheetDriver, SheetHelper, SheetSwing};

const CODE: &str = include_str!("unity.cs");

/// The class in [`CODE`].
const CLASS: &str = "SinewClassName";

/// Words that cannot name a class, besides those that [`CODE`] has itself.
const KEYWORDS: &str = "abstract as base break byte case catch char checked continue decimal default delegate do else event explicit extern \
    finally fixed goto implicit interface internal is lock long namespace object operator override params private protected ref sbyte short \
    sizeof stackalloc struct switch throw try typeof uint ulong unchecked unsafe ushort virtual volatile while";

pub(super) fn script(sheet: &ControllerSheet, class: &str) -> String {
    let centers = sheet.radial.iter().flat_map(|radial| &radial.centers);
    let tables = [
        ("driverBones", list(sheet.drivers.iter().map(driver))),
        ("monomials", list(sheet.monomials.iter().flatten().map(|product| numbers("int", product)))),
        ("radialScales", sheet.radial.as_ref().map_or("{ }".into(), |radial| inner(&radial.scales))),
        ("radialCenters", list(centers.map(|center| numbers("double", center)))),
        ("helperBones", list(sheet.helpers.iter().map(helper))),
        ("correctiveShapes", list(sheet.correctives.iter().map(corrective))),
    ];
    let mut code = CODE.replace(CLASS, class);
    for (name, table) in tables {
        code = code.replacen(&format!("{name} = {{ }};"), &format!("{name} = {table};"), 1);
    }
    let inputs: usize = sheet.drivers.iter().map(|driver| driver.axes.len()).sum();
    code = code.replacen("inputCount = 0;", &format!("inputCount = {inputs};"), 1);
    code.replacen("isRadial = false;", &format!("isRadial = {};", sheet.radial.is_some()), 1)
}

/// The class for a file of that stem: two characters in one project have two classes. The stem itself wherever C# allows it, because Unity finds a
/// component only in a file of its name.
pub(super) fn class_name(stem: &str) -> String {
    let legal = |letter: char| if letter.is_alphabetic() || letter.is_ascii_digit() { letter } else { '_' };
    let mut name: String = stem.chars().map(legal).collect();
    if !name.starts_with(|first: char| first.is_alphabetic() || first == '_') {
        name.insert(0, '_');
    }
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let words = |line: &'static str| line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let mut taken = CODE.lines().filter(is_code).flat_map(words).chain(KEYWORDS.split_whitespace());
    if taken.any(|word| word == name) {
        name.push('_');
    }
    name
}

fn driver(driver: &SheetDriver) -> String {
    let (name, rest) = (quoted(&driver.name), numbers("double", &driver.rest));
    format!("new DriverBone({name}, {rest}, {})", numbers("double", driver.axes.as_flattened()))
}

fn helper(helper: &SheetHelper) -> String {
    let rest: Vec<f32> = [&helper.rest.translation[..], &helper.rest.rotation, &helper.rest.scale].concat();
    let swing: Vec<f64> = helper.swing.iter().flat_map(swing_numbers).collect();
    format!(
        "new HelperBone({}, {}, {}, {}, {})",
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
    format!("new CorrectiveShape({name}, {functions}, {})", numbers("double", &corrective.coefficients))
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

#[cfg(test)]
mod tests {
    use super::super::sheet::{SheetRadial, SheetTrs};
    use super::*;

    #[test]
    fn every_number_finds_its_place_in_the_class() {
        let trs =
            |x: f32| SheetTrs { translation: [x, 0.0, 0.0], rotation: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] };
        let mut sheet = ControllerSheet {
            format: "",
            drivers: vec![SheetDriver {
                name: "a \"b\"".into(),
                axes: vec![[1.0, 0.0, 0.0], [0.0, 0.25, 0.0]],
                shifts: Vec::new(),
                rest: [0.0, 0.0, 0.0, 1.0],
                bind: [0.0; 4],
                rest_from_bind: [0.0; 4],
            }],
            monomials: Some(vec![vec![0, 1]]),
            radial: None,
            helpers: vec![SheetHelper {
                name: "h".into(),
                parent: String::new(),
                rest: trs(0.5),
                bind: [0.0; 4],
                unit: 1.0,
                functions: vec![1],
                coefficients: vec![[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 7.5]],
                swing: None,
            }],
            correctives: vec![SheetCorrective {
                mesh: String::new(),
                morph: "m".into(),
                index: 0,
                functions: vec![0],
                coefficients: vec![2.5],
            }],
        };
        let check = |sheet: &ControllerSheet, expected: &[&str]| {
            let text = script(sheet, "Hero");
            for part in expected {
                assert!(text.contains(part), "{part} is not in {text}");
            }
            assert!(!text.contains(CLASS), "{text}");
        };
        check(
            &sheet,
            &[
                "public class Hero : MonoBehaviour",
                "new DriverBone(\"a \\\"b\\\"\", new double[] { 0.0, 0.0, 0.0, 1.0 }, new double[] { 1.0, 0.0, 0.0, 0.0, 0.25, 0.0 }),",
                "        new int[] { 0, 1 },",
                "new HelperBone(\"h\", new double[] { 0.5, 0.0,",
                "new CorrectiveShape(\"m\", new int[] { 0 }, new double[] { 2.5 }),",
                "isRadial = false;",
                "inputCount = 2;",
            ],
        );
        sheet.monomials = None;
        sheet.radial = Some(SheetRadial { scales: vec![0.75, 1.5], centers: vec![vec![3.5, 4.5]] });
        check(
            &sheet,
            &[
                "monomials = { };",
                "radialScales = { 0.75, 1.5 };",
                "        new double[] { 3.5, 4.5 },",
                "isRadial = true;",
            ],
        );
    }

    #[test]
    fn classes_are_named_after_files_where_the_language_allows_it() {
        for (stem, class) in [
            ("Hero", "Hero"),
            ("helpers", "helpers"),
            ("my-hero 2", "my_hero_2"),
            ("3d-hero", "_3d_hero"),
            ("Träger", "Träger"),
            ("", "_"),
            // A word of C#, a type of Unity that the script uses, a member of the class.
            ("event", "event_"),
            ("Transform", "Transform_"),
            ("inputs", "inputs_"),
        ] {
            assert_eq!(class_name(stem), class, "{stem:?}");
        }
    }
}
