//! Pictures of bodies.

use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_model::{Frames, PoseChoice};
use sinew_picture::{CameraChoice, PictureError, PictureSettings, Show, Stage};
use sinew_render::{Image, View, contact_sheet};
use sinew_rig::{Character, Pose};
use sinew_skin::{Method, PosedCharacter};

/// The views of a sheet.
pub const SHEET_VIEWS: [(View, &str); 4] = [
    (View::Front, "front"),
    (View::Side, "side"),
    (View::Back, "back"),
    (View::ThreeQuarter, "three-quarter"),
];

/// Draws a character at rest from some sides, in a row. `size`: pixels of one view.
///
/// # Errors
/// The renderer refused.
pub fn view_sheet(
    character: &Character,
    views: &[(View, &str)],
    size: (u32, u32),
    show: &[Show],
) -> Result<Image, PictureError> {
    let mut cells = Vec::new();
    for &(view, caption) in views {
        cells.push((view_of(character, view, size, show)?, caption.to_owned()));
    }
    Ok(contact_sheet(&cells, views.len(), None)?)
}

/// One view of a character at rest.
pub fn view_of(
    character: &Character,
    view: View,
    size: (u32, u32),
    show: &[Show],
) -> Result<Image, PictureError> {
    view_from(character, None, CameraChoice::View(view), size, show)
}

/// A character in a pose, or at rest, under any camera.
pub fn view_from(
    character: &Character,
    pose: Option<&Pose>,
    camera: CameraChoice,
    size: (u32, u32),
    show: &[Show],
) -> Result<Image, PictureError> {
    let settings = PictureSettings { camera, size, show: show.to_vec(), ..PictureSettings::default() };
    let mut posed = PosedCharacter::bind(character, Method::Lbs);
    let frames = Frames::new(character, &PoseChoice::default()).expect("the rest pose fits every character");
    let mut stage = Stage::new(&mut posed, &frames, &settings, &mut Report::default())?;
    if let Some(pose) = pose {
        posed.set(pose);
    }
    stage.draw(&posed, &Progress::none())
}
