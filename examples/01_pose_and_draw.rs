//! Build a character, bend it, skin it, draw it.
//!
//! Run: `cargo run --release -p sinew-examples --example 01_pose_and_draw -- limb.png`

use sinew::geometry::progress::Progress;
use sinew::model::{Frames, PoseChoice};
use sinew::picture::{CameraChoice, PictureSettings, Stage};
use sinew::render::View;
use sinew::rig::samples;
use sinew::skin::{Method, PosedCharacter};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let output = std::env::args().nth(1).unwrap_or_else(|| "limb.png".into());

    let character = samples::limb(32, 48);
    let frames = Frames::new(&character, &PoseChoice::ClipAt { clip: "bend".into(), time_secs: 1.0 })?;
    let mut posed = PosedCharacter::bind(&character, Method::Lbs);

    let settings = PictureSettings { camera: CameraChoice::View(View::Side), ..PictureSettings::default() };
    let mut stage = Stage::new(&mut posed, &frames, &settings, &mut sinew::io::Report::default())?;
    let picture = stage.draw(&posed, &Progress::none())?;
    std::fs::write(output, picture.encode_png()?)?;
    Ok(())
}
