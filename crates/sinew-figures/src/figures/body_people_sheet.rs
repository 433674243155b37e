//! One contact sheet of builds and of poses, small: what a person looks at first.

use super::OnShare;
use super::body_pose_sheet::{POSE_COUNT, in_pose};
use super::body_poses::picture;
use super::go_on;
use anyhow::Result;
use sinew_body::Body;
use sinew_body::pose::PosedBody;
use sinew_body::survey::{Measure, Sex};
use sinew_picture::CameraChoice;
use sinew_render::{Image, View, contact_sheet};
use sinew_scene::body::{BodyRequest, ShapeRequest, make};

/// Pixels of a cell: the whole sheet stays below 1 MB.
const CELL: (u32, u32) = (88, 114);
/// Three people side by side, four views each.
const COLUMNS: usize = 12;
const VIEWS: [View; 4] = [View::Front, View::Side, View::Back, View::ThreeQuarter];

/// A person to show.
struct Person {
    name: &'static str,
    sex: Sex,
    given: &'static [(Measure, f64)],
    muscle: Option<f64>,
    fat: Option<f64>,
}

const fn person(name: &'static str, sex: Sex, given: &'static [(Measure, f64)]) -> Person {
    Person { name, sex, given, muscle: None, fat: None }
}

const PEOPLE: [Person; 6] = [
    person("boy of 4", Sex::Male, &[(Measure::Age, 4.0)]),
    person("girl of 12", Sex::Female, &[(Measure::Age, 12.0)]),
    person("man of 80", Sex::Male, &[(Measure::Age, 80.0)]),
    HEAVY,
    Person { muscle: Some(1.0), ..person("bodybuilder", Sex::Male, &[(Measure::Weight, 95.0)]) },
    Person { fat: Some(-0.8), ..person("runner", Sex::Female, &[(Measure::Weight, 50.0)]) },
];
const HEAVY: Person = person("woman of 110 kg", Sex::Female, &[(Measure::Weight, 110.0)]);

/// Six builds, then every pose of a man, a woman and a heavy woman.
pub(super) fn people_sheet((man, woman): (&Body, &Body), on_progress: &OnShare<'_>) -> Result<Image> {
    let mut cells = Vec::new();
    for person in &PEOPLE {
        go_on(on_progress, 0.99)?;
        show(&made(person)?, person.name, &mut cells)?;
    }
    let heavy = made(&HEAVY)?;
    let mut people = [(man, "man"), (woman, "woman"), (&heavy, "heavy")]
        .map(|(body, name)| (PosedBody::new(body.clone()), name));
    for number in 0..POSE_COUNT {
        go_on(on_progress, 0.99)?;
        for (posed, name) in &mut people {
            let pose = in_pose(posed, number);
            show(posed.body(), &format!("{name}, {pose}"), &mut cells)?;
        }
    }
    Ok(contact_sheet(&cells, COLUMNS, None)?)
}

fn made(person: &Person) -> Result<Body> {
    let shape = ShapeRequest { muscle: person.muscle, fat: person.fat, ..ShapeRequest::default() };
    let given = person.given.to_vec();
    Ok(make(&BodyRequest { sex: Some(person.sex), given, shape, ..BodyRequest::default() })?.body)
}

fn show(body: &Body, name: &str, cells: &mut Vec<(Image, String)>) -> Result<()> {
    for (place, view) in VIEWS.into_iter().enumerate() {
        // One caption for the four views.
        let caption = if place == 0 { name.to_owned() } else { String::new() };
        cells.push((picture(body, CameraChoice::View(view), CELL)?, caption));
    }
    Ok(())
}
