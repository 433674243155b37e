//! One pose by several methods, side by side, with measures and a map of the differences.
//!
//! `numbers.rs` measures, `sheet.rs` draws, `viewpoint.rs` says from where.

mod compared_skin;
mod measure_row;
mod numbers;
mod sheet;
mod viewpoint;

pub use compared_skin::ComparedSkin;
pub use measure_row::{MeasureRow, csv, markdown, title_of};
pub use numbers::{ComparedJoint, ComparedMethod, ComparisonNumbers};
pub use viewpoint::leave_room;

use crate::{CameraChoice, PictureError, PictureSettings, objects};
pub(crate) use numbers::bone_name;
use numbers::{chosen_joints, numbers_of};
use serde::Serialize;
use sheet::Sheet;
use sinew_io::Report;
use sinew_play::patches::PatchesError;
use sinew_render::{Image, Quality};
use sinew_rig::{Character, Pose, Surface};
use sinew_skin::Method;
use std::path::PathBuf;

/// What to compare, and how to show it.
#[derive(Clone, Debug, PartialEq)]
pub struct CompareSettings {
    /// What moves the skin; differences are measured from the first. At least one.
    pub methods: Vec<ComparedSkin>,
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
            methods: [Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb]
                .map(ComparedSkin::Method)
                .to_vec(),
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
    let mut posed = first.bind(character)?;
    let rest_positions = posed.surface().positions.clone();
    posed.set(pose);
    let joints = chosen_joints(&posed, pose, settings)?;
    let shapes: Vec<Surface> =
        settings.methods.iter().map(|&method| shape_of(character, pose, method)).collect::<Result<_, _>>()?;
    let numbers = numbers_of(&posed, &rest_positions, &joints, &shapes, &settings.methods);
    let picture = PictureSettings { quality: settings.quality, ..PictureSettings::default() };
    let bodies = objects(&posed, &picture, None, report);
    let sheet =
        Sheet { posed: &posed, settings, joints: &joints, shapes: &shapes, numbers: &numbers, bodies };
    Ok(Comparison { sheet: sheet.draw()?, numbers })
}

fn shape_of(character: &Character, pose: &Pose, skin: ComparedSkin) -> Result<Surface, PatchesError> {
    let mut posed = skin.bind(character)?;
    posed.set(pose);
    Ok(posed.surface().clone())
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
        let kinks =
            [0, 2, 3].map(|method: usize| numbers.methods[method].joints[0].kink_r0_deg.expect("a limb"));
        assert!(
            kinks[2] < 0.5 * kinks[0],
            "rows are 2.5 cm apart, Bézier turns there too, but less: {kinks:?}"
        );
        // An even range on straight bones: both are the same curve.
        assert!((kinks[1] - kinks[2]).abs() < 0.1, "{kinks:?}");
    }

    #[test]
    fn every_method_is_measured_and_the_file_too() {
        let (limb, pose) = bent();
        let mut parts = limb.into_parts();
        parts.skin.method = Some("dlb".into());
        let limb = Character::new(parts).expect("right");
        let methods = Method::ALL.map(ComparedSkin::Method).into_iter().chain([ComparedSkin::File]).collect();
        let settings = CompareSettings { size: (32, 32), methods, ..CompareSettings::default() };
        let numbers = compare(&limb, &pose, &settings, &mut Report::default()).expect("a sheet").numbers;
        for method in &numbers.methods {
            let row = &method.joints[0];
            assert!(row.kink_r0_deg.is_some() && row.turn_deg.is_some() && row.section.is_some(), "{row:?}");
        }
        let of = |name: &str| numbers.methods.iter().find(|method| method.method == name).expect("asked for");
        let (file, dlb) = (of("file"), of("dlb"));
        assert_eq!(file.largest_difference, dlb.largest_difference);
        assert_eq!(file.joints[0].kink_r1_deg, dlb.joints[0].kink_r1_deg);
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
