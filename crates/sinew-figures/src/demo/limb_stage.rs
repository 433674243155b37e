//! A limb of two bones: what linear blend skinning does to an elbow.

use super::{Demo, draw};
use anyhow::Result;
use sinew_geometry::progress::Progress;
use sinew_model::{Model, PoseChoice};
use sinew_picture::{CameraChoice, PictureSettings, Show};
use sinew_render::{Image, View, contact_sheet};
use sinew_rig::{Character, samples};
use sinew_skin::Method;

/// Bends shown, as times of the sample's clip (0 to 90° in the first second).
const TIMES_SECS: [f64; 4] = [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0];

pub(super) fn run(demo: &mut Demo<'_>) -> Result<()> {
    demo.progress("limb", 0.88)?;
    let limb = samples::limb(32, 32);
    let model = Model::new(limb.clone());
    demo.save("limb.glb", &model)?;
    let whole_clip = PoseChoice::Clip { clip: "bend".into(), fps: 30.0 };
    let files = [
        ("limb-bend.npy", "every vertex of every frame, as a NumPy array of T × V × 3"),
        ("limb-bend.pc2", "the same as a point cache, which Blender's Mesh Cache plays"),
        ("limb-bend.usda", "the same as a USD mesh with points over time"),
    ];
    let rows = files.map(|(name, what)| demo.export(&model, &whole_clip, name, what));
    let rows = rows.into_iter().collect::<Result<Vec<_>>>()?;

    let mut cells = Vec::new();
    for time_secs in TIMES_SECS {
        let image = picture(&limb, time_secs, (320, 360), vec![Show::Wire, Show::Bones])?;
        cells.push((image, format!("{:.0}°", 90.0 * time_secs)));
    }
    let bends = demo.write_picture("limb-bends.png", &contact_sheet(&cells, 4, None)?)?;
    demo.progress("limb", 0.94)?;
    let weights = picture(&limb, 1.0, (960, 540), vec![Show::Weights("lower".into())])?;
    let weights = demo.write_picture("limb-weights.png", &weights)?;

    demo.page.heading("A limb bends");
    demo.page.paragraph(
        "Two bones and weights that change linearly over 16 cm around the joint, deformed by linear blend skinning. \
         The inside of the bend folds and the joint loses volume: the fault that better methods are for.",
    );
    demo.page.figures([
        (bends, "The elbow at 0°, 30°, 60° and 90°"),
        (weights, "How much the lower bone moves each vertex"),
    ]);
    demo.page.table(&["file", "what it is", "size"], &rows);
    Ok(())
}

fn picture(limb: &Character, time_secs: f64, size: (u32, u32), show: Vec<Show>) -> Result<Image> {
    let camera = CameraChoice::View(View::Side);
    let settings = PictureSettings { camera, size, show, ..PictureSettings::default() };
    let choice = PoseChoice::ClipAt { clip: "bend".into(), time_secs };
    draw(limb, &choice, Method::Lbs, &settings, &Progress::none())
}
