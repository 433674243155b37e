//! A human from measures.

use super::Demo;
use crate::figures::whole_pose;
use anyhow::Result;
use sinew_body::character::{CharacterSettings, Look};
use sinew_body::survey::{Measure, Sex};
use sinew_model::Model;
use sinew_scene::body::{BodyReport, BodyRequest, MadeBody, SHEET_VIEWS, make, view_sheet};

/// Pixels of one view.
const VIEW_SIZE: (u32, u32) = (300, 560);
const POSE_SIZE: (u32, u32) = (420, 640);

/// Makes her, and hands her on.
pub(super) fn run(demo: &mut Demo<'_>) -> Result<MadeBody> {
    demo.progress("human", 0.0)?;
    let given = vec![(Measure::Stature, 1.72), (Measure::Weight, 68.0), (Measure::WaistGirth, 0.78)];
    let made = make(&BodyRequest { sex: Some(Sex::Female), given, ..BodyRequest::default() })?;
    let character =
        |look| made.body.to_character(&CharacterSettings { look, ..CharacterSettings::default() });
    let human = character(Look::Skin);
    let views = demo.write_picture("human.png", &view_sheet(&human, &SHEET_VIEWS, VIEW_SIZE, &[])?)?;
    demo.progress("human", 0.4)?;
    let pose =
        demo.write_picture("human-pose.png", &whole_pose(&made.body, POSE_SIZE, &mut String::new())?)?;
    demo.progress("human", 0.7)?;
    let patches = view_sheet(&character(Look::Patches), &SHEET_VIEWS, VIEW_SIZE, &[])?;
    let patches = demo.write_picture("human-patches.png", &patches)?;
    demo.save("human.glb", &Model::new(human))?;
    let report = made.report();
    demo.page.heading("A human from measures");
    demo.page.paragraph(
        "A woman of 1.72 m, 68 kg and a waist of 0.78 m; all else is as usual with these. The surface is smooth everywhere: \
         Bézier patches round the bones (flesh), Gregory patches where parts meet (blue).",
    );
    demo.page.figures([
        (views, "Front, side, back and three-quarter"),
        (patches, "Its patches"),
        (pose, "Posed by its patches: bends fold, twists do not pinch"),
    ]);
    let header = ["measure", "asked for or usual", "on the body"];
    let (main, others) = rows(&report);
    demo.page.table(&header, &main);
    demo.page.folded_table("All other measures", &header, &others);
    demo.page.commands(&["sinew body --stature 1.72 --weight 68 --sex female --set waist=0.78 -o human.glb"]);
    Ok(made)
}

/// Measures that everybody knows, in the table that shows at once.
const MAIN: [&str; 6] =
    ["chest_girth", "buttock_girth", "thigh_girth", "biceps_girth", "crotch_height", "span"];

/// Rows of given and well-known measures, and of all others.
fn rows(report: &BodyReport) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let (mut main, mut others) = (Vec::new(), Vec::new());
    for line in &report.measures {
        let Some(measured) = line.measured else { continue };
        let origin = if line.is_given { "asked for" } else { "survey" };
        let row = vec![
            line.name.replace('_', " "),
            line.value.map_or_else(String::new, |value| format!("{value:.3} {} ({origin})", line.unit)),
            format!("{measured:.3} {}", line.unit),
        ];
        let is_main = line.is_given || MAIN.contains(&line.name);
        if is_main { main.push(row) } else { others.push(row) }
    }
    let also = [
        ("volume", format!("{:.2} L", 1e3 * report.volume_m3)),
        ("area", format!("{:.3} m²", report.area_m2)),
        ("largest angle between neighboring patches", format!("{:.0e}°", report.jump_deg)),
    ];
    main.extend(also.map(|(name, value)| vec![name.to_owned(), String::new(), value]));
    (main, others)
}
