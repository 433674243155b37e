//! `[[collider]]`: what bodies run into.

use super::place_text::{MoveText, PlaceText};
use crate::scene_text::{Spot, Table, TextError};
use glam::Vec3;
use sinew_soft::ContactSettings;
use std::path::PathBuf;

/// A shape that bodies run into.
#[derive(Clone, Debug, PartialEq)]
pub struct ColliderText {
    /// Where it stands in the file.
    pub(crate) spot: Spot,
    /// Its shape.
    pub shape: ColliderShape,
    /// Where it stands.
    pub place: PlaceText,
    /// How it moves; none stays.
    pub motion: Option<MoveText>,
    /// How it answers to touch.
    pub contact: ContactSettings,
    /// Color, sRGB.
    pub color: [u8; 3],
    /// Whether it is drawn. Default true.
    pub is_shown: bool,
}

/// Shapes; the axes are the collider's own.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum ColliderShape {
    /// Everything below its xz plane; drawn as a square of this side. `side_m`: metres.
    Plane { side_m: f32 },
    /// A box round its origin. `size_m`: edges, metres.
    Box { size_m: Vec3 },
    /// A ball round its origin. `radius_m`: metres.
    Sphere { radius_m: f32 },
    /// All points near a part of its y axis. `length_m`: length of that part, metres. `radius_m`: metres.
    Capsule { length_m: f32, radius_m: f32 },
    /// A disc round its y axis. `length_m`: metres. `radius_m`: metres.
    Cylinder { length_m: f32, radius_m: f32 },
    /// Triangles of a file. `path`: relative to the scene file. `scale`: times its size. `is_hull`: whether its convex hull is meant.
    Mesh { path: PathBuf, scale: f32, is_hull: bool },
}

const DEFAULT_COLOR: [u8; 3] = [176, 182, 190];

/// Lengths that go.
const LENGTHS_M: std::ops::RangeInclusive<f64> = 1e-4..=1e4;

/// Words of shapes.
const SHAPES: [&str; 6] = ["plane", "box", "sphere", "capsule", "cylinder", "mesh"];

pub(super) fn collider(table: &mut Table<'_>, index: usize) -> Result<ColliderText, TextError> {
    let spot = table.spot();
    table.rename(format!("collider {}", index + 1));
    Ok(ColliderText {
        spot,
        shape: shape(table)?,
        place: PlaceText::read(table)?,
        motion: MoveText::read(table)?,
        contact: contact(table)?,
        color: color(table)?.unwrap_or(DEFAULT_COLOR),
        is_shown: table.get("shown").map_or(Ok(true), |value| value.boolean())?,
    })
}

fn shape(table: &mut Table<'_>) -> Result<ColliderShape, TextError> {
    let length = |table: &mut Table<'_>, key| table.need(key)?.number_in(LENGTHS_M).map(|m| m as f32);
    Ok(match table.need("shape")?.one_of(&SHAPES)? {
        "plane" => ColliderShape::Plane {
            side_m: table.get("side").map_or(Ok(10.0), |value| value.number_in(LENGTHS_M))? as f32,
        },
        "box" => {
            let size = table.need("size")?;
            let size_m = size.vector()?;
            if size_m.min_element() < *LENGTHS_M.start() || size_m.max_element() > *LENGTHS_M.end() {
                return Err(size.error("edges must be 0.0001 to 10000 m"));
            }
            ColliderShape::Box { size_m: size_m.as_vec3() }
        }
        "sphere" => ColliderShape::Sphere { radius_m: length(table, "radius")? },
        "capsule" => {
            ColliderShape::Capsule { length_m: length(table, "length")?, radius_m: length(table, "radius")? }
        }
        "cylinder" => {
            ColliderShape::Cylinder { length_m: length(table, "length")?, radius_m: length(table, "radius")? }
        }
        _ => ColliderShape::Mesh {
            path: table.need("file")?.text()?.into(),
            scale: table.get("scale").map_or(Ok(1.0), |value| value.number_in(LENGTHS_M))? as f32,
            is_hull: table.get("hull").map_or(Ok(false), |value| value.boolean())?,
        },
    })
}

/// `friction`, `restitution` and `margin` over some others.
pub(super) fn contact(table: &mut Table<'_>) -> Result<ContactSettings, TextError> {
    let usual = ContactSettings::default();
    let mut number = |key, range, usual: f32| {
        table.get(key).map_or(Ok(usual), |value| value.number_in(range).map(|number| number as f32))
    };
    Ok(ContactSettings {
        friction: number("friction", 0.0..=100.0, usual.friction)?,
        restitution: number("restitution", 0.0..=1.0, usual.restitution)?,
        margin_m: number("margin", 0.0..=1e3, usual.margin_m)?,
    })
}

/// `color = "#rrggbb"`.
pub(super) fn color(table: &mut Table<'_>) -> Result<Option<[u8; 3]>, TextError> {
    let Some(value) = table.get("color") else { return Ok(None) };
    let text = value.text()?;
    let hex = text.strip_prefix('#').filter(|hex| hex.len() == 6 && hex.is_ascii());
    match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
        Some(hex) => Ok(Some([(hex >> 16) as u8, (hex >> 8) as u8, hex as u8])),
        None => Err(value.error(format_args!("invalid color {text:?}; use \"#rrggbb\""))),
    }
}
