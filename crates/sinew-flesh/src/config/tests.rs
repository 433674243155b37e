//! Files that people write, and what they are told.

use super::{BoneSettings, FleshPreset, FleshSettings, LayerSettings, Stroke, read, write};
use crate::muscles::Sides;

#[track_caller]
fn check_round_trip(settings: &FleshSettings) {
    let text = write(settings);
    let back = read(&text).unwrap_or_else(|errors| panic!("{errors}\n{text}"));
    assert_eq!(&back, settings);
}

#[test]
fn what_is_written_reads_back_the_same() {
    for preset in FleshPreset::ALL {
        check_round_trip(&preset.settings());
    }
}

#[test]
fn changed_settings_read_back_the_same() {
    let mut settings = FleshPreset::Heavy.settings();
    settings.simulation.max_distance_m = 0.1 + 0.2;
    settings.contact.body = false;
    let skin = LayerSettings { name: "the \"skin\"\n".into(), thickness: 0.05, ..LayerSettings::default() };
    settings.layers.insert(2, skin);
    settings.bones.push(BoneSettings {
        bone: "左腕".into(),
        thickness: vec![("fat".into(), 0.25), ("the \"skin\"\n".into(), 0.0)],
        max_distance_m: Some(0.01),
        ..BoneSettings::default()
    });
    settings.bones.push(BoneSettings { bone: "head".into(), stiffness: 7.5, ..BoneSettings::default() });
    settings.fibers.strokes.push(Stroke { points: vec![[0.1, -1.0, 1e-7], [0.2, 0.0, 3.0]], weight: 2.0 });
    settings.muscles.list.remove(3);
    settings.muscles.list.swap(0, 5);
    settings.muscles.list[1].sides = Sides::Right;
    settings.muscles.list[2].drivers[0].curve[0] = [-12.25, 1.0 / 3.0];
    assert_eq!(settings.check(), Ok(()));
    check_round_trip(&settings);
}

#[test]
fn an_empty_file_is_the_natural_preset() {
    assert_eq!(read(""), Ok(FleshPreset::Natural.settings()));
}

#[test]
fn keys_that_are_no_more_are_reported() {
    let reported = read("[contact]\nfriction = 0.5\n").unwrap_err().to_string();
    assert!(reported.contains("friction") && reported.contains("line 2"), "{reported}");
}

#[test]
fn every_key_is_explained_once() {
    let text = write(&FleshPreset::Natural.settings());
    for explained in
        ["# Steps a second", "# Stiffness: Young's modulus", "# Angles in degrees", "# Half of its width"]
    {
        assert_eq!(text.matches(explained).count(), 1, "{explained}");
    }
    assert!(text.contains("#[[bone]]"), "what is not there is shown");
    assert!(text.lines().all(|line| line.len() < 140), "lines stay short");
}

#[test]
fn values_lie_over_the_preset() {
    let settings = read(
        "preset = \"subtle\"\n[[layer]]\nname = \"fat\"\nyoung_pa = 900\n[[muscle]]\nname = \"biceps\"\nlateral_exponent = 1.0\n\
         [[muscle]]\nname = \"calf\"\nremove = true\n[[bone]]\nbone = \"hips\"\nstiffness = 0.5\n",
    )
    .unwrap();
    let subtle = FleshPreset::Subtle.settings();
    assert_eq!(settings.layers[2].young_pa, 900.0);
    assert_eq!(settings.layers[2].thickness, subtle.layers[2].thickness);
    let biceps = settings.muscles.list.iter().find(|muscle| muscle.name == "biceps").unwrap();
    assert_eq!((biceps.lateral_exponent, biceps.strips.len()), (1.0, 1));
    assert_eq!(settings.muscles.list.len(), subtle.muscles.list.len() - 1);
    assert_eq!(settings.bones.len(), 1);
}

#[test]
fn a_new_muscle_is_added() {
    let settings = read(
        "[[muscle]]\nname = \"tail\"\nsides = \"left\"\n[[muscle.strip]]\nwidth = 0.3\npath = [\n\
         { on = \"trunk\", along = 0.1, angle = 180, depth = 0.5 },\n{ on = \"upperLeg\", along = 0.1, angle = 180, depth = 0.5 }]\n\
         [[muscle.driver]]\njoint = \"hipFlexion\"\ncurve = [[0, 1], [90, 0.8]]\n",
    )
    .unwrap();
    let tail = settings.muscles.list.last().unwrap();
    assert_eq!((tail.name.as_str(), tail.strips.len(), tail.drivers.len()), ("tail", 1, 1));
}

/// The line and words of the only mistake.
#[track_caller]
fn check_mistake(text: &str, line: usize, words: &str) {
    let errors = read(text).expect_err("a mistake").0;
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!(errors[0].line, line, "{errors:?}");
    let reported = errors[0].to_string();
    assert!(reported.contains(words), "{words:?} in {reported:?}");
}

#[test]
fn mistakes_are_reported_with_line_key_and_what_was_meant() {
    check_mistake("preset = \"natrual\"", 1, "did you mean `natural`?");
    check_mistake("preset = 3", 1, "preset: expected a text, found a number");
    check_mistake("presett = \"heavy\"", 1, "did you mean `preset`?");
    check_mistake(
        "\n[simulation]\niteration = 3",
        3,
        "simulation: unknown key `iteration`; did you mean `iterations`?",
    );
    check_mistake("[simulation]\niterations = 3.5", 2, "not a whole number");
    check_mistake("[simulation]\nrate_hz = nan", 2, "NaN is out of range; use 24 to 2000");
    check_mistake("[simulation]\nrate_hz = 1e99", 2, "is out of range");
    check_mistake("[simulation]\nrate_hz = true", 2, "expected a number");
    check_mistake("simulation = 3", 1, "expected a table");
    check_mistake("[contact]\nself = 1", 2, "contact.self: expected true or false");
    check_mistake("[[layer]]\nthickness = 1", 1, "layer[0]: `name` is missing");
    check_mistake(
        "[[layer]]\nname = \"fat\"\nyuong_pa = 1",
        3,
        "layer \"fat\": unknown key `yuong_pa`; did you mean `young_pa`?",
    );
    check_mistake("[[layer]]\nname = \"fat\"\n[[layer]]\nname = \"fat\"", 3, "twice");
    check_mistake("[[layer]]\nname = \"fatt\"\nremove = true", 1, "did you mean \"fat\"?");
    check_mistake("layer = 7", 1, "expected a list of tables");
    check_mistake(
        "\n[[bone]]\nbone = \"hips\"\nthickness = { fta = 0.5 }",
        2,
        "bone \"hips\": unknown layer `fta`; known are bone, muscle, fat",
    );
    check_mistake("[[fibres.stroke]]\npoints = [[0, 0, 0]]", 1, "two points");
    check_mistake("[[fibres.stroke]]\npoints = [[0, 0], [1, 1]]", 2, "expected 3 numbers, found 2");
    check_mistake("[[fibres.stroke]]\nweight = 1", 1, "`points` is missing");
    check_mistake("[[muscle]]\nname = \"new\"", 1, "no strip");
    check_mistake(
        "[[muscle]]\nname = \"biceps\"\n[[muscle.driver]]\njoint = \"elbo\"\ncurve = [[0, 1]]",
        4,
        "did you mean `elbow`?",
    );
    check_mistake(
        "[[muscle]]\nname = \"biceps\"\n[[muscle.driver]]\njoint = \"elbow\"\ncurve = [[0, 0]]",
        1,
        "length 0 at 0°",
    );
    check_mistake(
        "[[muscle]]\nname = \"biceps\"\n[[muscle.strip]]\nwidth = 0.0\npath = []",
        4,
        "0 is out of range",
    );
    check_mistake(
        "[[muscle]]\nname = \"biceps\"\n[[muscle.strip]]\npath = [{ on = \"trunk\", along = 0, angle = 0 }]",
        4,
        "`depth` is missing",
    );
    check_mistake("\n[[layer]]\nname = \"bone\"\nheld = false", 2, "must be held");
    check_mistake("a = [", 1, "");
}

#[test]
fn all_mistakes_are_reported_at_once() {
    let errors = read("[simulation]\nrate_hz = 0\nvolume_share = 2\n[contact]\nfrction = 1\n").unwrap_err();
    assert_eq!(errors.0.iter().map(|error| error.line).collect::<Vec<_>>(), [2, 3, 5]);
    assert_eq!(errors.to_string().lines().count(), 3);
}

#[test]
fn settings_from_no_file_are_checked_the_same() {
    let mut settings = FleshSettings::default();
    settings.layers[2].young_pa = f64::NAN;
    settings.muscles.list[0].strips[0].width = 0.0;
    let name = settings.layers[0].name.clone();
    settings.layers[1].name = name;
    let reported = settings.check().unwrap_err().to_string();
    assert_eq!(reported.lines().count(), 3, "{reported}");
    assert!(reported.contains("layer \"fat\".young_pa: NaN is out of range"), "{reported}");
    settings.layers.clear();
    assert!(settings.check().is_err(), "no layers");
}

/// Damage to a written file: a character changed or taken out, a line taken out or twice.
#[test]
fn damaged_files_are_reported_or_read_and_never_panic() {
    let text = write(&FleshPreset::Natural.settings());
    let characters: Vec<char> = text.chars().collect();
    let lines: Vec<&str> = text.lines().collect();
    let mut reported = 0;
    for round in 0..400_usize {
        let at = round * 7919;
        let damaged: String = match round % 4 {
            0 => {
                let mut damaged = characters.clone();
                damaged[at % characters.len()] = ['"', '[', '=', '-', '\u{0}', 'é'][round % 6];
                damaged.into_iter().collect()
            }
            1 => characters[..at % characters.len()].iter().collect(),
            2 => [&lines[..at % lines.len()], &lines[at % lines.len() + 1..]].concat().join("\n"),
            _ => [&lines[..at % lines.len()], &lines[at % lines.len() / 2..]].concat().join("\n"),
        };
        if let Err(errors) = read(&damaged) {
            reported += 1;
            assert!(errors.0.iter().all(|error| error.line > 0 && !error.message.is_empty()), "{errors:?}");
        }
    }
    assert!(reported > 100, "only {reported} of 400 damages were noticed");
}
