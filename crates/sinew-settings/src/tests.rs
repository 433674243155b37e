//! Files that people write, and what is reported.

use crate::{check, read, write};
use sinew_geometry::settings::{Choice, Field, Settings, Slot};

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mood {
    #[default]
    Calm,
    Wild,
}

impl Choice for Mood {
    const ALL: &'static [Self] = &[Self::Calm, Self::Wild];

    fn name(self) -> &'static str {
        if self == Self::Calm { "calm" } else { "wild" }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Sea {
    waves: u32,
    wind: f32,
    mood: Mood,
    origin: [f32; 3],
    boats: Vec<Boat>,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Boat {
    name: String,
    color: String,
    mast_m: Option<f64>,
}

impl Settings for Sea {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("waves", "How many.", |it| Slot::Number(&mut it.waves, [0.0, 9.0])),
        Field::new("wind", "Speed.", |it: &mut Self| Slot::Number(&mut it.wind, [0.0, 99.0]))
            .in_unit("m/s")
            .advanced(),
        Field::new("mood", "calm or wild.", |it| Slot::Choice(&mut it.mood)),
        Field::new("origin", "Where.", |it| Slot::Numbers(&mut it.origin, [-1.0, 1.0])),
        Field::new("boat", "Boats.", |it| Slot::Named(&mut it.boats, "name")),
    ];
}

impl Settings for Boat {
    const FIELDS: &'static [Field<Self>] = &[
        Field::new("name", "Its name.", |it| Slot::Text(&mut it.name)),
        Field::new("color", "Any.", |it: &mut Self| Slot::Text(&mut it.color)).or(&["colour"]),
        Field::new("mast_m", "Height.", |it| Slot::Optional(&mut it.mast_m, [0.0, 50.0], 7.0)),
    ];
}

fn two_boats() -> Sea {
    let boat = |name: &str| Boat { name: name.to_owned(), ..Boat::default() };
    Sea { boats: vec![boat("Ark"), boat("Bee")], ..Sea::default() }
}

#[track_caller]
fn check_mistake(text: &str, expected: &str) {
    assert_eq!(read(text, |_| two_boats()).unwrap_err().to_string(), expected);
}

#[test]
fn what_is_written_reads_back_the_same() {
    let mut sea = Sea { waves: 3, wind: 0.1, mood: Mood::Wild, origin: [0.1, 0.2, 0.3], ..two_boats() };
    sea.boats.swap(0, 1);
    sea.boats[1].mast_m = Some(9.5);
    let text = write(&sea, &two_boats(), "");
    assert_eq!(read(&text, |_| two_boats()), Ok(sea.clone()), "{text}");
    sea.boats.remove(0);
    assert_eq!(read(&write(&sea, &two_boats(), ""), |_| two_boats()), Ok(sea));
}

#[test]
fn advanced_values_are_written_only_where_they_differ() {
    assert!(!write(&Sea::default(), &Sea::default(), "").contains("wind"));
    assert!(write(&Sea { wind: 0.1, ..Sea::default() }, &Sea::default(), "").contains("wind = 0.1\n"));
}

#[test]
fn other_spellings_are_read_and_not_suggested() {
    let read = |text| read(text, |_| two_boats());
    assert_eq!(read("boat = { name = \"Ark\", colour = \"red\" }").unwrap().boats[0].color, "red");
    let mistake = read("boat = { name = \"Ark\", colouur = \"red\" }").unwrap_err().to_string();
    assert!(mistake.ends_with("did you mean `color`?"), "{mistake}");
    let twice = read("[[boat]]\nname = \"Ark\"\ncolor = \"red\"\ncolour = \"red\"").unwrap_err();
    assert_eq!(twice.to_string(), "line 4: boat \"Ark\".colour: also given as `color`; keep one");
}

#[test]
fn mistakes_have_line_and_column() {
    let errors = read("waves = 1\nmood = \"wold\"  # é\nwawes = 10", |_| two_boats()).unwrap_err().0;
    let found: Vec<_> = errors.iter().map(|error| (error.line, error.column)).collect();
    assert_eq!(found, [(2, 8), (3, 1)]);
    assert_eq!(errors[0].to_string(), "line 2, column 8: mood: unknown mood `wold`; did you mean `wild`?");
}

#[test]
fn mistakes_are_explained() {
    check_mistake("waves = 10", "line 1: waves: 10 is out of range; use 0 to 9");
    check_mistake("waves = 1.5", "line 1: waves: 1.5 is not a whole number");
    check_mistake("origin = [0, 1]", "line 1: origin: expected 3 numbers, found 2");
    check_mistake("boat = 3", "line 1: boat: expected a list of tables, found a number");
    check_mistake("[[boat]]\ncolor = \"red\"", "line 1: boat[0]: `name` is missing");
    check_mistake(
        "[[boat]]\nname = \"Bea\"\nremove = true",
        "line 1: boat \"Bea\": unknown name, nothing to remove; did you mean \"Bee\"?",
    );
}

#[test]
fn settings_from_no_file_are_checked_the_same() {
    let mut sea = two_boats();
    sea.boats[1].name = "Ark".to_owned();
    sea.boats[0].mast_m = Some(60.0);
    sea.origin[2] = f32::NAN;
    let expected = "origin: NaN is out of range; use -1 to 1\nboat \"Ark\".mast_m: 60 is out of range; use 0 to 50\nboat \"Ark\": given twice";
    assert_eq!(check(&sea).unwrap_err().to_string(), expected);
}
