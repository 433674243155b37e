//! Finds out what lies inside a character, and draws it: layers in three sections, fibres from the front and from behind.
//!
//! Run: `cargo run --release -p sinew-examples --example 04_flesh_anatomy -- [model] [picture.png] [tetrahedra]`; without a model, Sinew's own human.

use glam::Vec3;
use sinew::body::character::CharacterSettings;
use sinew::flesh::CoveredCharacter;
use sinew::flesh::anatomy::{Anatomy, AnatomySettings};
use sinew::flesh::config::FiberSettings;
use sinew::flesh::fibers::{FiberConstraint, FiberPlace, FiberSolver, natural_constraints};
use sinew::geometry::{Bounds, CoverSettings, CoverSize};
use sinew::io::{Limits, Report};
use sinew::model::Model;
use sinew::render::{View, contact_sheet};
use sinew::rig::{Character, HumanoidBone};
use sinew::scene::body::{BodyRequest, make};
use sinew::scene::flesh::{SectionPlane, fibre_picture, section_picture};
use std::path::Path;
use std::time::Instant;

/// Size of each picture of the sheet, pixels.
const SIZE: (u32, u32) = (720, 900);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let character = match arguments.next().filter(|path| path != "human") {
        Some(path) => Model::open(Path::new(&path), &Limits::default(), &mut Report::default())?.character,
        None => make(&BodyRequest::default())?.body.to_character(&CharacterSettings::default()),
    };
    let output = arguments.next().unwrap_or_else(|| "anatomy.png".into());
    let count = arguments.next().map_or(Ok(5_000), |count| count.parse())?;

    let size = CoverSize::Count(count);
    let covered = CoveredCharacter::new(&character, &CoverSettings { size, ..CoverSettings::default() })?;
    let input = covered.input(&[]);
    let began = Instant::now();
    let anatomy = Anatomy::new(&input, &AnatomySettings::default())?;
    let found = began.elapsed();
    let known = natural_constraints(&input, &anatomy, &FiberSettings::default());
    let mut solver = FiberSolver::new(&covered.cover.mesh)?;
    let began = Instant::now();
    let field = solver.solve(&known)?;
    let solved = began.elapsed();
    // One direction more, as a stroke would add: the factor is made again, its pattern is not.
    let edit = FiberConstraint { place: FiberPlace::Tet(0), direction: Vec3::X, weight: 10.0 };
    let began = Instant::now();
    solver.solve(&[known.as_slice(), &[edit]].concat())?;
    let edited = began.elapsed();
    tell(
        &covered,
        &anatomy,
        &format!("anatomy {found:.0?}, fibres {solved:.0?}, after an edit {edited:.0?}"),
    );
    field.warnings.iter().for_each(|warning| eprintln!("{warning}"));

    let planes = planes(&character, &covered);
    let mut pictures = Vec::new();
    for (plane, name) in planes {
        pictures.push((section_picture(&covered, &anatomy, plane, SIZE)?, name.to_owned()));
    }
    for (view, name) in [(View::Front, "fibres, front"), (View::Back, "fibres, back")] {
        pictures.push((fibre_picture(&covered, &field, view, SIZE)?, name.to_owned()));
    }
    std::fs::write(output, contact_sheet(&pictures, 3, None)?.encode_png()?)?;
    Ok(())
}

/// A plane from side to side through the bones, one through the left leg from front to back, one across the thigh.
fn planes(character: &Character, covered: &CoveredCharacter) -> [(SectionPlane, &'static str); 3] {
    let bounds = Bounds::of(&covered.surface.positions);
    let rest = character.skeleton().rest_model_from_bone();
    let head = |bone: HumanoidBone| {
        let bone = covered.humanoid.as_ref()?.get(bone)?;
        Some(Vec3::from(rest[bone.index()].translation))
    };
    let thigh = head(HumanoidBone::LeftUpperLeg).unwrap_or(bounds.center());
    let knee = head(HumanoidBone::LeftLowerLeg).unwrap_or(bounds.center());
    let plane = |point, normal| SectionPlane { point, normal };
    [
        (plane(thigh, Vec3::Z), "from side to side"),
        (plane(thigh, Vec3::X), "from front to back"),
        (plane(thigh.lerp(knee, 0.4), Vec3::Y), "across"),
    ]
}

fn tell(covered: &CoveredCharacter, anatomy: &Anatomy, times: &str) {
    let held = anatomy.is_held.iter().filter(|is_held| **is_held).count();
    eprintln!(
        "{} tetrahedra of {:.1} mm, {} points of which {held} held, {} cores, {:.1} kg; {times}",
        covered.cover.mesh.tets().len(),
        1e3 * covered.cover.spacing,
        anatomy.point_count(),
        anatomy.cores.len(),
        anatomy.mass_kg.iter().sum::<f32>(),
    );
    let name = |bone: sinew::rig::BoneId| &covered.character.skeleton().bone(bone).name;
    for warning in &anatomy.warnings {
        match warning {
            sinew::flesh::anatomy::AnatomyWarning::BoneOutside { bone } => {
                eprintln!("{warning} ({})", name(*bone))
            }
            _ => eprintln!("{warning}"),
        }
    }
}
