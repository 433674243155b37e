//! One pose by several methods, side by side, with measures and a map of the differences.
//!
//! `numbers.rs` measures, `sheet.rs` draws, `viewpoint.rs` says from where.

mod measure_row;
mod numbers;
mod sheet;
mod viewpoint;

pub use measure_row::{MeasureRow, csv, markdown, title_of};
pub use numbers::{ComparedJoint, ComparedMethod, ComparisonNumbers};
pub use viewpoint::leave_room;

use crate::{CameraChoice, PictureError, PictureSettings, objects};
pub(crate) use numbers::bone_name;
use numbers::{chosen_joints, numbers_of};
use serde::Serialize;
use sheet::Sheet;
use sinew_io::Report;
use sinew_render::{Image, Quality};
use sinew_rig::{Character, Pose, Surface};
use sinew_skin::Method;
use sinew_skin::PosedCharacter;
use std::path::PathBuf;

/// What to compare, and how to show it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSettings {
    /// The methods; differences are measured from the first. At least one.
    pub methods: Vec<Method>,
    /// Where from; `None` looks at the focus across the plane of its bend, or at the whole from three quarters.
    pub camera: Option<CameraChoice>,
    /// Width and height of one picture in pixels. Default: 480 × 480.
    pub size: (u32, u32),
    /// The bone whose joint fills the pictures, by name or `#` and index; `None` for the whole model.
    pub focus: Option<String>,
    /// How well it is drawn. Default: standard.
    pub quality: Quality,
}

impl Default for CompareSettings {
    fn default() -> Self {
        Self {
            methods: vec![Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb],
            camera: None,
            size: (480, 480),
            focus: None,
            quality: Quality::Standard,
        }
    }
}

/// A sheet with the numbers on it.
pub struct Comparison {
    /// One row of pictures, and one of differences to the first method where there are several.
    pub sheet: Image,
    /// The numbers.
    pub numbers: ComparisonNumbers,
}

/// A comparison that was written.
#[derive(Clone, Debug, Serialize)]
pub struct CompareOutcome {
    /// The numbers.
    #[serde(flatten)]
    pub numbers: ComparisonNumbers,
    /// The sheet.
    pub output: PathBuf,
}

/// Deforms `pose` by every method and draws all on one sheet, under one camera.
///
/// # Errors
/// No method, a focus that is no joint, or a picture that cannot be drawn.
pub fn compare(
    character: &Character,
    pose: &Pose,
    settings: &CompareSettings,
    report: &mut Report,
) -> Result<Comparison, PictureError> {
    let first = *settings.methods.first().ok_or(PictureError::NoMethod)?;
    let mut posed = PosedCharacter::bind(character, first);
    let rest_positions = posed.surface().positions.clone();
    posed.set(pose);
    let joints = chosen_joints(&posed, pose, settings)?;
    let shapes: Vec<Surface> =
        settings.methods.iter().map(|&method| shape_of(character, pose, method)).collect();
    let numbers = numbers_of(&posed, &rest_positions, &joints, &shapes, &settings.methods);
    let picture = PictureSettings { quality: settings.quality, ..PictureSettings::default() };
    let bodies = objects(&posed, &picture, None, report);
    let sheet =
        Sheet { posed: &posed, settings, joints: &joints, shapes: &shapes, numbers: &numbers, bodies };
    Ok(Comparison { sheet: sheet.draw()?, numbers })
}

fn shape_of(character: &Character, pose: &Pose, method: Method) -> Surface {
    let mut posed = PosedCharacter::bind(character, method);
    posed.set(pose);
    posed.surface().clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    fn bent() -> (Character, Pose) {
        let limb = samples::limb(12, 24);
        let mut pose = Pose::rest(&limb);
        pose.turn(limb.skeleton().find("lower").expect("a bone"), glam::Quat::from_rotation_x(1.5));
        (limb, pose)
    }

    #[test]
    fn a_sheet_has_a_row_of_pictures_and_one_of_differences() {
        let (limb, pose) = bent();
        let settings =
            CompareSettings { size: (96, 96), focus: Some("lower".into()), ..CompareSettings::default() };
        let compared = compare(&limb, &pose, &settings, &mut Report::default()).expect("a sheet");
        let numbers = &compared.numbers;
        assert!(compared.sheet.width() > 5 * 96 && compared.sheet.height() > 2 * 96);
        assert_eq!(numbers.methods.len(), 5);
        assert_eq!(numbers.methods[0].largest_difference, 0.0);
        assert!(numbers.methods[3].largest_difference > 0.01, "a bend of 86° moves the skin by centimetres");
        assert!(numbers.methods[0].volume.is_some_and(|volume| volume < 1.0), "the limb is closed");
        assert!((numbers.joints[0].turn_deg - 1.5f64.to_degrees()).abs() < 1e-3);
        assert!(
            numbers.methods[3].joints[0].kink_r0_deg.is_some_and(|kink| kink < 0.1),
            "Bézier has no kink"
        );
    }

    #[test]
    fn mistakes_are_explained() {
        let (limb, pose) = bent();
        let message = |settings: CompareSettings| {
            compare(&limb, &pose, &settings, &mut Report::default()).err().expect("a mistake").to_string()
        };
        let focus = |bone: &str| CompareSettings { focus: Some(bone.into()), ..CompareSettings::default() };
        assert_eq!(
            message(focus("upper")),
            "no vertex lies between bone \"upper\" and its parent; focus on one of lower"
        );
        assert!(message(focus("nobody")).contains("nobody"));
        assert_eq!(
            message(CompareSettings { methods: Vec::new(), ..CompareSettings::default() }),
            "name at least one method to compare"
        );
    }
}
