//! What a user can ask for in a picture.

use glam::Vec3;
use sinew_render::{Background, Quality, View, linear_from_rgb8};
use std::str::FromStr;

/// Where to look from.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CameraChoice {
    /// A view that frames the model by itself.
    View(View),
    /// Several views on one sheet.
    Sheet,
    /// Eye and target in scene space, with the vertical field of view.
    At {
        /// Where the eye is.
        eye: Vec3,
        /// What it looks at.
        target: Vec3,
        /// Vertical field of view, radians.
        vertical_fov_rad: f32,
    },
}

/// Field of view where a camera gives none: a short telephoto, as for portraits.
const DEFAULT_FOV_DEG: f32 = 30.0;

impl FromStr for CameraChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "front" => Self::View(View::Front),
            "side" => Self::View(View::Side),
            "back" => Self::View(View::Back),
            "three-quarter" => Self::View(View::ThreeQuarter),
            "top" => Self::View(View::Top),
            "all" => Self::Sheet,
            _ => return parse_camera(text),
        })
    }
}

fn parse_camera(text: &str) -> Result<CameraChoice, String> {
    let names = ["front", "side", "back", "three-quarter", "top", "all"];
    let near = sinew_rig::did_you_mean(text, names.into_iter());
    let help =
        format!("use front, side, back, three-quarter, top, all, or \"eye=x,y,z target=x,y,z fov=35\"{near}");
    let help = help.as_str();
    let (mut eye, mut target, mut fov_deg) = (None, None, DEFAULT_FOV_DEG);
    for part in text.split_whitespace() {
        let (key, value) = part.split_once('=').ok_or(help)?;
        let numbers: Vec<f32> = value
            .split(',')
            .map(|n| n.parse::<f32>().ok().filter(|n| n.is_finite()))
            .collect::<Option<_>>()
            .ok_or(help)?;
        match (key, numbers.as_slice()) {
            ("eye", &[x, y, z]) => eye = Some(Vec3::new(x, y, z)),
            ("target", &[x, y, z]) => target = Some(Vec3::new(x, y, z)),
            ("fov", &[degrees]) if (1.0..=170.0).contains(&degrees) => fov_deg = degrees,
            ("fov", &[degrees]) => {
                return Err(format!("a field of view of {degrees}° cannot be drawn; use 1 to 170"));
            }
            _ => return Err(help.to_owned()),
        }
    }
    match (eye, target) {
        (Some(eye), Some(target)) if eye == target => Err("eye and target are the same point".to_owned()),
        (Some(eye), Some(target)) => {
            Ok(CameraChoice::At { eye, target, vertical_fov_rad: fov_deg.to_radians() })
        }
        _ => Err(help.to_owned()),
    }
}

/// Something shown on top of the surface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// The skeleton, seen through the surface.
    Bones,
    /// The triangles' edges.
    Wire,
    /// How much a bone moves each vertex, by name or `#` and index.
    Weights(String),
}

impl FromStr for Show {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match (text, text.strip_prefix("weights=")) {
            ("bones", _) => Ok(Self::Bones),
            ("wire", _) => Ok(Self::Wire),
            (_, Some(bone)) if !bone.is_empty() => Ok(Self::Weights(bone.to_owned())),
            _ => {
                let near = sinew_rig::did_you_mean(text, ["bones", "wire"].into_iter());
                Err(format!("use bones, wire or weights=BONE{near}"))
            }
        }
    }
}

/// What lies behind the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackgroundChoice {
    /// Near white above, light grey below.
    #[default]
    Studio,
    /// One color, sRGB.
    Color([u8; 3]),
}

impl From<BackgroundChoice> for Background {
    fn from(choice: BackgroundChoice) -> Self {
        match choice {
            BackgroundChoice::Studio => Self::default(),
            BackgroundChoice::Color(color) => Self::Solid(linear_from_rgb8(color)),
        }
    }
}

impl FromStr for BackgroundChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let hex = text
            .strip_prefix('#')
            .filter(|hex| hex.len() == 6)
            .and_then(|hex| u32::from_str_radix(hex, 16).ok());
        match (text, hex) {
            ("studio", _) => Ok(Self::Studio),
            ("white", _) => Ok(Self::Color([255; 3])),
            ("grey" | "gray", _) => Ok(Self::Color([205; 3])),
            (_, Some(hex)) => Ok(Self::Color([(hex >> 16) as u8, (hex >> 8) as u8, hex as u8])),
            _ => Err("use studio, white, grey or #rrggbb".to_owned()),
        }
    }
}

/// How a model is shown.
#[derive(Clone, Debug, PartialEq)]
pub struct PictureSettings {
    /// Where from. Default: three-quarter.
    pub camera: CameraChoice,
    /// Width and height in pixels. Default: 1280 × 720.
    pub size: (u32, u32),
    /// What is shown on top. Default: nothing.
    pub show: Vec<Show>,
    /// How well it is drawn. Default: standard.
    pub quality: Quality,
    /// What lies behind. Default: the studio.
    pub background: BackgroundChoice,
    /// Whether there is a ground with a shadow. Default: yes.
    pub has_ground: bool,
}

impl Default for PictureSettings {
    fn default() -> Self {
        Self {
            camera: CameraChoice::View(View::ThreeQuarter),
            size: (1280, 720),
            show: Vec::new(),
            quality: Quality::Standard,
            background: BackgroundChoice::Studio,
            has_ground: true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cameras_are_read_and_mistakes_explained() {
        assert_eq!("front".parse(), Ok(CameraChoice::View(View::Front)));
        let expected = CameraChoice::At {
            eye: Vec3::new(1.0, 2.0, 3.0),
            target: Vec3::Y,
            vertical_fov_rad: 35f32.to_radians(),
        };
        assert_eq!("eye=1,2,3 target=0,1,0 fov=35".parse(), Ok(expected));
        for wrong in [
            "",
            "nowhere",
            "eye=1,2,3",
            "eye=1,2 target=0,0,0",
            "eye=1,NaN,3 target=0,0,0",
            "eye=0,0,0 target=0,0,0",
        ] {
            assert!(wrong.parse::<CameraChoice>().is_err(), "{wrong}");
        }
        assert!("eye=1,2,3 target=0,1,0 fov=180".parse::<CameraChoice>().is_err());
    }

    #[test]
    fn shows_and_backgrounds_are_read() {
        assert_eq!("weights=Hips".parse(), Ok(Show::Weights("Hips".into())));
        assert!("weights=".parse::<Show>().is_err());
        assert_eq!("#ff8000".parse(), Ok(BackgroundChoice::Color([255, 128, 0])));
        assert!("#ff80".parse::<BackgroundChoice>().is_err());
    }
}
