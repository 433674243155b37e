//! Figures of the human of patches: stick figure, layout, and builds, with numbers.

use super::{OnShare, Size, Writer, body_nets, body_people_sheet, body_pose_sheet, body_poses, go_on, table};
use anyhow::Result;
use sinew_body::character::{CharacterSettings, Look};
use sinew_body::survey::Sex;
use sinew_picture::Show;
use sinew_render::{View, contact_sheet};
use sinew_scene::body::{BodyReport, BodyRequest, MadeBody, SHEET_VIEWS, make, view_of, view_sheet};
use std::path::{Path, PathBuf};

/// Builds that are shown in a strip.
const BUILDS: [(Sex, &str); 6] = [
    (Sex::Female, "slim"),
    (Sex::Female, "average"),
    (Sex::Female, "pear"),
    (Sex::Male, "athletic"),
    (Sex::Male, "heavy"),
    (Sex::Male, "lanky"),
];

/// What was written.
#[derive(Clone, Debug)]
pub struct BodyFigures {
    /// Name and numbers of each build, the average man first.
    pub builds: Vec<(String, BodyReport)>,
    /// Every file.
    pub files: Vec<PathBuf>,
}

/// Writes the figures of the body to `folder`: the stick figure, the layout of patches, the average man and woman, a strip of six
/// builds, bends, twists, muscles, a whole pose, sheets of poses, one small sheet of people and poses, control points of patches, fills, rings and bends, and `table.md`. `size`: pixels of one picture. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_body(folder: &Path, size: Size, on_progress: &OnShare<'_>) -> Result<BodyFigures> {
    let mut writer = Writer::new(folder)?;
    let go_on = |share: f32| go_on(on_progress, share);
    let man = build_of(Sex::Male, "average")?;
    let drawn = |made: &MadeBody, look| {
        made.body.to_character(&CharacterSettings { look, ..CharacterSettings::default() })
    };
    go_on(0.0)?;
    let skin = drawn(&man, Look::Skin);
    let two = [SHEET_VIEWS[0], SHEET_VIEWS[1]];
    writer.picture("stick-figure.png", &view_sheet(&skin, &two, size, &[Show::Bones])?)?;
    go_on(0.15)?;
    writer.picture("patches.png", &view_sheet(&drawn(&man, Look::Patches), &SHEET_VIEWS, size, &[])?)?;
    go_on(0.3)?;
    writer.picture("man.png", &view_sheet(&skin, &SHEET_VIEWS, size, &[])?)?;
    let woman = build_of(Sex::Female, "average")?;
    go_on(0.45)?;
    writer.picture("woman.png", &view_sheet(&drawn(&woman, Look::Skin), &SHEET_VIEWS, size, &[])?)?;
    let mut builds = vec![("man, average".to_owned(), man.report())];
    let mut cells = Vec::new();
    for (place, (sex, preset)) in BUILDS.into_iter().enumerate() {
        go_on(0.6 + 0.06 * place as f32)?;
        let made = build_of(sex, preset)?;
        let name = format!("{}, {preset}", if sex == Sex::Female { "woman" } else { "man" });
        let report = made.report();
        let caption = format!("{name}: {:.1} L, G1 {:.0e}°", 1e3 * report.volume_m3, report.jump_deg);
        cells.push((view_of(&drawn(&made, Look::Skin), View::Front, size, &[])?, caption));
        builds.push((name, report));
    }
    writer.picture("builds.png", &contact_sheet(&cells, BUILDS.len(), None)?)?;
    let mut text = builds_table(&builds);
    text.push_str("\n| average man | change of volume, angle between normals (G1) |\n|---|---|\n");
    let close = (size.0, size.0);
    writer.picture("bends.png", &body_poses::bends(&man.body, close, &mut text)?)?;
    go_on(0.97)?;
    writer.picture("twists.png", &body_poses::twists(&man.body, close, &mut text)?)?;
    go_on(0.98)?;
    writer.picture("muscles.png", &body_poses::muscles(&man.body, close, &mut text)?)?;
    writer.picture("pose.png", &body_poses::whole_pose(&man.body, size, &mut text)?)?;
    body_nets::write(&man.body, close, &mut writer)?;
    writer.picture("poses-man.png", &body_pose_sheet::pose_sheet(&man.body, "man", size, &mut text)?)?;
    writer
        .picture("poses-woman.png", &body_pose_sheet::pose_sheet(&woman.body, "woman", size, &mut text)?)?;
    let people = body_people_sheet::people_sheet((&man.body, &woman.body), on_progress)?;
    writer.picture("people-and-poses.png", &people)?;
    writer.bytes("table.md", text.as_bytes())?;
    go_on(1.0)?;
    Ok(BodyFigures { builds, files: writer.files })
}

fn build_of(sex: Sex, preset: &str) -> Result<MadeBody> {
    Ok(make(&BodyRequest { sex: Some(sex), preset: Some(preset.into()), ..BodyRequest::default() })?)
}

/// Measures of the tapes, volume and smoothness, as Markdown.
fn builds_table(builds: &[(String, BodyReport)]) -> String {
    let head = "| body | stature m | chest m | waist m | hips m | volume L | mass kg | area m² | normals ° | Euler |\n\
                |---|---|---|---|---|---|---|---|---|---|";
    table(head, builds, |(name, report)| {
        let measured = |key: &str| {
            let line = report.measures.iter().find(|line| line.name == key);
            line.and_then(|line| line.measured).map_or("–".to_owned(), |value| format!("{value:.3}"))
        };
        let tapes = ["stature", "chest_girth", "waist_girth", "buttock_girth"].map(measured).join(" | ");
        let BodyReport { volume_m3, mass_kg, area_m2, jump_deg, euler_characteristic, .. } = report;
        let litres = 1e3 * volume_m3;
        format!(
            "| {name} | {tapes} | {litres:.2} | {mass_kg:.1} | {area_m2:.3} | {jump_deg:.0e} | {euler_characteristic} |"
        )
    })
}
