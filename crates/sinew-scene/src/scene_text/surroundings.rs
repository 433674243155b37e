//! What every scene has: a floor and lamps.

use sinew_render::{FloorMarks, Ground, Lamp, Lights, MAX_IMAGE_SIDE, Quality};
use sinew_settings::{Spot, Table, TextError, Value};

/// `[ground]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroundText {
    /// What is seen of it. Default a grid.
    pub kind: GroundKind,
    /// Its height, metres. Default 0.
    pub height_m: f64,
    /// From line to line, metres. Default 1.
    pub spacing_m: f64,
}

/// What is seen of a floor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GroundKind {
    /// Shadows and faint lines.
    Grid,
    /// Shadows alone.
    Plain,
    /// There is none.
    None,
}

/// `[light]`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightText {
    /// Degrees about +Y: 0 shines from +Z, 90 from +X. Default −40.
    pub azimuth_deg: f64,
    /// Degrees above the horizon, 5 to 90. Default 54.
    pub elevation_deg: f64,
    /// Times the usual. Default 1.
    pub strength: f64,
    /// Radius of the lamp as an angle, degrees. Default 5.
    pub softness_deg: f64,
}

impl Default for GroundText {
    fn default() -> Self {
        Self { kind: GroundKind::Grid, height_m: 0.0, spacing_m: 1.0 }
    }
}

impl Default for LightText {
    fn default() -> Self {
        Self { azimuth_deg: -40.0, elevation_deg: 54.0, strength: 1.0, softness_deg: 5.0 }
    }
}

/// Width of floor lines as a share of their spacing, and how dark they are.
const MARK_WIDTH: f32 = 0.011;
const MARK_STRENGTH: f32 = 0.28;
/// Spacings after which floor lines have faded.
const MARK_FADE: f32 = 16.0;

impl GroundText {
    /// Reads the keys of a `[ground]`; what else it may hold is the caller's.
    pub(crate) fn read(table: &mut Table<'_>) -> Result<Self, TextError> {
        let mut ground = Self::default();
        let kinds = [("grid", GroundKind::Grid), ("plain", GroundKind::Plain), ("none", GroundKind::None)];
        table.set("kind", &mut ground.kind, |value| value.word(&kinds))?;
        table.set("height", &mut ground.height_m, |value| value.number_in(-1e5..=1e5))?;
        table.set("spacing", &mut ground.spacing_m, |value| value.number_in(0.01..=1e4))?;
        Ok(ground)
    }

    /// The floor as the renderer takes it.
    pub(crate) fn plane(&self) -> Ground {
        match self.kind {
            GroundKind::None => Ground::None,
            _ => Ground::Plane { y: self.height_m as f32 },
        }
    }

    /// Lines on the floor, if it has any, that fade at some subjects' distance.
    pub(crate) fn marks(&self, subject_m: f32) -> Option<FloorMarks> {
        let spacing = self.spacing_m as f32;
        (self.kind == GroundKind::Grid).then_some(FloorMarks {
            spacing,
            width: spacing * MARK_WIDTH,
            strength: MARK_STRENGTH,
            fade: (spacing * MARK_FADE).max(subject_m * 8.0),
        })
    }
}

impl LightText {
    /// Reads a `[light]`.
    pub(crate) fn read(table: &mut Table<'_>) -> Result<Self, TextError> {
        let mut light = Self::default();
        table.set("azimuth", &mut light.azimuth_deg, |value| value.number_in(-360.0..=360.0))?;
        table.set("elevation", &mut light.elevation_deg, |value| value.number_in(5.0..=90.0))?;
        table.set("strength", &mut light.strength, |value| value.number_in(0.0..=10.0))?;
        table.set("softness", &mut light.softness_deg, |value| value.number_in(0.0..=30.0))?;
        Ok(light)
    }

    /// Lamps that stand in the scene, not on the camera: a cut does not move the sun.
    pub(crate) fn lights(&self) -> Lights {
        let usual = Lights::default();
        let turn_rad = self.azimuth_deg.to_radians() as f32 - usual.key.azimuth_rad;
        let beside = |lamp: Lamp| Lamp { azimuth_rad: lamp.azimuth_rad + turn_rad, ..lamp };
        Lights {
            key: Lamp {
                azimuth_rad: self.azimuth_deg.to_radians() as f32,
                elevation_rad: self.elevation_deg.to_radians() as f32,
                color: usual.key.color * self.strength as f32,
            },
            key_radius_rad: self.softness_deg.to_radians() as f32,
            fill: beside(usual.fill),
            rim: beside(usual.rim),
            follow_camera: false,
            ..usual
        }
    }
}

/// Width and height of a picture.
pub(crate) fn picture_size(value: &Value<'_>) -> Result<(u32, u32), TextError> {
    let sides = value.numbers::<2>()?;
    let is_side = |side: &f64| side.fract() == 0.0 && (1.0..=f64::from(MAX_IMAGE_SIDE)).contains(side);
    if !sides.iter().all(is_side) {
        return Err(value.error(format_args!("use two whole numbers from 1 to {MAX_IMAGE_SIDE}")));
    }
    Ok((sides[0] as u32, sides[1] as u32))
}

/// How well pictures are drawn.
pub(crate) fn quality(value: &Value<'_>) -> Result<Quality, TextError> {
    value.word(&[("standard", Quality::Standard), ("high", Quality::High)])
}

/// Refuses two things of a kind with the same name.
pub(crate) fn refuse_twice<'a>(
    names: impl Iterator<Item = (&'a String, usize)>,
    kind: &str,
) -> Result<(), TextError> {
    let mut seen = std::collections::BTreeSet::new();
    for (name, line) in names {
        if !seen.insert(name) {
            let message = format!("two {kind}s are named {name:?}; give one another name");
            return Err(Spot { line, column: 1 }.error(String::new(), message));
        }
    }
    Ok(())
}

/// The name of a table of a list, which is then called so; by default its kind and number.
pub(crate) fn name_of(table: &mut Table<'_>, kind: &str, index: usize) -> Result<String, TextError> {
    let name = match table.get("name") {
        Some(value) if value.text()?.is_empty() => return Err(value.error("a name needs at least a letter")),
        Some(value) => value.text()?.to_owned(),
        None => format!("{kind} {}", index + 1),
    };
    table.rename(format!("{kind} {name:?}"));
    Ok(name)
}
