//! An elbow and a hose by every method: what each does to a joint, in pictures and figures.

use super::Demo;
use crate::figures::{FigureModel, METHODS, Measured, loci_sheet, model_sheet};
use anyhow::Result;
use sinew_picture::compare::title_of;

/// Width and height of one picture.
const SIZE: (u32, u32) = (400, 320);

pub(super) fn run(demo: &mut Demo<'_>) -> Result<()> {
    let models = [
        (FigureModel::elbow_bend(), "methods-elbow.png", 0.95, "An elbow bent by 75°"),
        (
            FigureModel::wide_cylinder(),
            "methods-hose.png",
            0.97,
            "A hose with a wide, uneven soft range, bent by 90°",
        ),
    ];
    let mut pictures = Vec::new();
    let mut rows = Vec::new();
    for (model, name, share, caption) in models {
        demo.progress("methods", share)?;
        let figures: Vec<Measured> = METHODS.iter().map(|&method| model.measured(method)).collect();
        pictures.push((demo.write_picture(name, &model_sheet(&model, &figures, SIZE)?)?, caption));
        rows.extend(figures.iter().map(|figure| table_row(&model, figure)));
    }
    demo.progress("methods", 0.99)?;
    let curves = demo.write_picture("methods-curves.png", &loci_sheet(SIZE)?)?;

    demo.page.heading("Five methods, one joint");
    demo.page.paragraph(
        "The same bones, weights and pose by linear blend skinning (LBS), spherical blend skinning (SBS), SBS+ (SDEF in MMD's files), its \
         Bézier improvement, and dual quaternions (DLB). The line is the middle of the deformed limb; the dots are the ends of the soft \
         range. Kink is how sharply that line leaves the bones there, sharpest turn how sharply it turns between two rows of the mesh, \
         bulge how far it leaves the wedge between the bones, in radii of the limb.",
    );
    demo.page.figures(pictures);
    demo.page.figures([(
        curves,
        "The middle of the limb by every method, with the kinks at both ends of the soft range",
    )]);
    let header =
        ["model", "method", "kink at r0", "kink at r1", "sharpest turn", "bulge", "volume", "section"];
    demo.page.table(&header, &rows);
    demo.page.commands(&[
        "sinew figures skinning -o figures    # all models, curves and a table",
        "sinew compare hero.glb --pose elbow.json --focus lowerarm_l -o elbow.png",
    ]);
    Ok(())
}

fn table_row(model: &FigureModel, figure: &Measured) -> Vec<String> {
    let row = figure.row(model);
    let degrees = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}°"));
    let ratio = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.2}"));
    vec![
        model.title.to_owned(),
        title_of(figure.method),
        degrees(row.kink_r0_deg),
        degrees(row.kink_r1_deg),
        degrees(row.turn_deg),
        ratio(row.bulge),
        ratio(row.volume),
        ratio(row.section),
    ]
}
