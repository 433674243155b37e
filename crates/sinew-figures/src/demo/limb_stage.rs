//! A limb of two bones: what linear blend skinning does to an elbow.

use super::report_page::Figure;
use super::{Demo, DemoError};
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::{Frames, Model, PoseChoice};
use sinew_picture::{CameraChoice, PictureSettings, Show, Stage};
use sinew_render::{Image, View, contact_sheet};
use sinew_rig::{Character, samples};
use sinew_skin::Method;
use sinew_skin::PosedCharacter;

/// Bends shown, as times of the sample's clip (0 to 90° in the first second).
const TIMES_SECS: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

pub(super) fn run(demo: &mut Demo<'_>) -> Result<(), DemoError> {
    demo.progress("limb", 0.88)?;
    let limb = samples::limb(32, 32);
    let model = Model::new(limb.clone());
    let path = demo.path("limb.glb");
    model.save(&path, &mut Report::default())?;
    let whole_clip = PoseChoice::Clip { clip: "bend".into(), fps: 30.0 };
    let files = [
        ("limb-bend.npy", "every vertex of every frame, as a NumPy array of T × V × 3"),
        ("limb-bend.pc2", "the same as a point cache, which Blender's Mesh Cache plays"),
        ("limb-bend.usda", "the same as a USD mesh with points over time"),
    ];
    let rows = files.map(|(name, what)| demo.export(&model, &whole_clip, name, what));
    let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?;

    let mut cells = Vec::new();
    for time_secs in TIMES_SECS {
        cells.push((
            picture(&limb, time_secs, vec![Show::Wire, Show::Bones])?,
            format!("{:.0}°", 90.0 * time_secs),
        ));
    }
    let bends = contact_sheet(&cells, 4, None)?;
    let bends = demo.write_picture("limb-bends.png", &bends)?;
    demo.progress("limb", 0.94)?;
    let weights = picture(&limb, 1.0, vec![Show::Weights("lower".into())])?;
    let weights = demo.write_picture("limb-weights.png", &weights)?;

    demo.page.heading("A limb bends");
    demo.page.paragraph(
        "Two bones and weights that change linearly over 16 cm around the joint, deformed by linear blend skinning. \
         The inside of the bend folds and the joint loses volume: the fault that better methods are for.",
    );
    demo.page.figures(&[
        Figure { mime_type: "image/png", bytes: &bends, caption: "The elbow at 0°, 30°, 60° and 90°" },
        Figure {
            mime_type: "image/png",
            bytes: &weights,
            caption: "How much the lower bone moves each vertex",
        },
    ]);
    demo.page.table(&["file", "what it is", "size"], &rows);
    Ok(())
}

fn picture(limb: &Character, time_secs: f64, show: Vec<Show>) -> Result<Image, DemoError> {
    let has_map = show.iter().any(|show| matches!(show, Show::Weights(_)));
    let size = if has_map { (960, 540) } else { (320, 360) };
    let settings =
        PictureSettings { camera: CameraChoice::View(View::Side), size, show, ..PictureSettings::default() };
    let mut posed = PosedCharacter::bind(limb, Method::Lbs);
    let frames = Frames::new(limb, &PoseChoice::ClipAt { clip: "bend".into(), time_secs })?;
    let mut stage = Stage::new(&mut posed, &frames, &settings, &mut Report::default())?;
    Ok(stage.draw(&posed, &Progress::none())?)
}
