//! People from shapes, side by side at one scale.

use super::Demo;
use anyhow::Result;
use glam::Vec3;
use sinew_body::character::CharacterSettings;
use sinew_body::survey::{Measure, Sex};
use sinew_picture::CameraChoice;
use sinew_render::contact_sheet;
use sinew_scene::body::{BodyRequest, ShapeRequest, make, view_from};

/// Pixels of one person.
const SIZE: (u32, u32) = (200, 360);

/// Caption, sex, years, muscle and fat.
type Person = (&'static str, Sex, f64, Option<f64>, Option<f64>);
const PEOPLE: [Person; 6] = [
    ("boy of 4", Sex::Male, 4.0, None, None),
    ("girl of 12", Sex::Female, 12.0, None, None),
    ("thin woman", Sex::Female, 25.0, Some(-0.2), Some(-0.6)),
    ("heavy woman", Sex::Female, 45.0, Some(-0.3), Some(1.3)),
    ("bodybuilder", Sex::Male, 28.0, Some(1.0), Some(0.0)),
    ("man of 80", Sex::Male, 80.0, None, None),
];

pub(super) fn run(demo: &mut Demo<'_>) -> Result<()> {
    // One camera for all: sizes can be compared.
    let camera = CameraChoice::At {
        eye: Vec3::new(2.6, 1.15, 5.4),
        target: Vec3::new(0.0, 0.93, 0.0),
        vertical_fov_rad: 20f32.to_radians(),
    };
    let mut cells = Vec::new();
    for (caption, sex, years, muscle, fat) in PEOPLE {
        let shape = ShapeRequest { muscle, fat, ..ShapeRequest::default() };
        let given = vec![(Measure::Age, years)];
        let made = make(&BodyRequest { sex: Some(sex), given, shape, ..BodyRequest::default() })?;
        let person = made.body.to_character(&CharacterSettings::default());
        cells.push((view_from(&person, None, camera, SIZE, &[])?, caption.to_owned()));
    }
    let picture = demo.write_picture("people.png", &contact_sheet(&cells, PEOPLE.len(), None)?)?;
    demo.page.paragraph(
        "Children, old people and every build come from shapes fitted to 75 bodies; a seed draws anybody.",
    );
    demo.page.figures([(picture, "Six people at one scale")]);
    demo.page.commands(&[
        "sinew body --sex female --age 12 -o girl.glb",
        "sinew body --muscle 1 --fat 0 -o bodybuilder.vrm",
        "sinew body --random 7 -o anyone.glb",
    ]);
    Ok(())
}
