//! `[[body]]`.

use super::collider_text::color;
use super::driver_text::{DriverText, driver};
use super::example_text::ExamplesText;
use super::place_text::{PlaceText, turn};
use crate::scene_text::{Spot, Table, TextError, Value, name_of};
use glam::DVec3;
use sinew_geometry::CoverSize;
use std::fmt::Display;
use std::path::PathBuf;

/// One soft body, or several alike.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyText {
    /// By which handles find it. Default `body 1`, `body 2` …
    pub name: String,
    /// Where it stands in the file.
    pub(crate) spot: Spot,
    /// Where its shape comes from.
    pub origin: OriginText,
    /// Of what its regions are made. Default solid.
    pub structure: StructureKind,
    /// Where its model's origin stands.
    pub place: PlaceText,
    /// Times its size. Default 1.
    pub scale: f64,
    /// At the beginning, m/s.
    pub velocity: DVec3,
    /// At the beginning, degrees a second about its centre of mass.
    pub spin_deg: DVec3,
    /// kg/m³. Default 250, as foam rubber.
    pub density: f64,
    /// Young's modulus, pascals. Default 30,000.
    pub young_pa: f64,
    /// How many times stiffer against changes of volume than of shape. Default 0.
    pub bulk: f64,
    /// Its examples.
    pub examples: ExamplesText,
    /// What drives their weights, besides the body's shape.
    pub drivers: Vec<DriverText>,
    /// sRGB; none is one of a row.
    pub color: Option<[u8; 3]>,
    /// A text over it.
    pub label: Option<String>,
    /// Whether the edges of its surface are drawn.
    pub is_wired: bool,
    /// How many, and where.
    pub array: ArrayText,
}

/// Where a body's shape comes from.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the docs of the variants say it")]
pub enum OriginText {
    /// A model made in code.
    Made(MadeKind),
    /// A box of tetrahedra. `size_m`: edges, metres. `cells`: cells along each edge.
    Cuboid { size_m: DVec3, cells: [usize; 3] },
    /// A file, relative to the scene file. `path`: tetrahedra, or a surface that is filled. `fineness`: how finely a surface is filled.
    File { path: PathBuf, fineness: CoverSize },
}

/// A model made in code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MadeKind {
    /// A cuboid of 225 particles.
    Cuboid,
    /// A tube in a solid cylinder.
    Cylinder {
        /// Of 25 particles each.
        layers: usize,
    },
    /// A teddy.
    Teddy,
    /// A car.
    Car,
}

/// Of what regions are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StructureKind {
    /// Of the neighbours in tetrahedra.
    #[default]
    Solid,
    /// Of the neighbours in a cubic lattice.
    Lattice,
    /// Of the neighbours in a surface of some thickness.
    Sheet,
    /// Of the neighbours along a line.
    Chain,
}

/// `array = { … }`: several bodies alike.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ArrayText {
    /// How many. Default 1.
    pub count: usize,
    /// From one to the next, metres.
    pub step: DVec3,
    /// Turn from one to the next, degrees.
    pub turn_deg: DVec3,
    /// Each is moved by up to this along each axis, by the scene's seed, metres.
    pub jitter: DVec3,
    /// Each is turned by up to this about each axis, degrees.
    pub jitter_turn_deg: DVec3,
}

/// Bodies of one array; past it a mistake is likelier than a wish.
const MOST_BODIES: f64 = 1000.0;

impl BodyText {
    /// Something wrong with this body.
    pub(crate) fn error(&self, message: impl Display) -> TextError {
        self.spot.error(format!("body {:?}", self.name), message)
    }
}

pub(super) fn body(table: &mut Table<'_>, index: usize) -> Result<BodyText, TextError> {
    let spot = table.spot();
    let name = name_of(table, "body", index)?;
    let structures = [
        ("solid", StructureKind::Solid),
        ("lattice", StructureKind::Lattice),
        ("sheet", StructureKind::Sheet),
        ("chain", StructureKind::Chain),
    ];
    let structure = match table.get("structure") {
        Some(value) if value.word(&structures)? != StructureKind::Solid => {
            return Err(value.error("scene files support only \"solid\" bodies"));
        }
        _ => StructureKind::Solid,
    };
    Ok(BodyText {
        name,
        spot,
        origin: origin(table)?,
        structure,
        place: PlaceText::read(table)?,
        scale: table.get("scale").map_or(Ok(1.0), |value| value.number_in(1e-4..=1e4))?,
        velocity: table.get("velocity").map_or(Ok(DVec3::ZERO), |value| value.vector())?,
        spin_deg: table.get("spin").map_or(Ok(DVec3::ZERO), |value| value.vector())?,
        density: table.get("density").map_or(Ok(250.0), |value| value.number_in(1e-3..=1e5))?,
        young_pa: table.get("young").map_or(Ok(3e4), |value| value.number_in(0.0..=1e12))?,
        bulk: bulk(table)?,
        examples: ExamplesText::read(table)?,
        drivers: table.list("driver", driver)?,
        color: color(table)?,
        label: table.get("label").map(|value| value.text().map(str::to_owned)).transpose()?,
        is_wired: table.get("wire").map_or(Ok(false), |value| value.boolean())?,
        array: table
            .get("array")
            .map_or(Ok(ArrayText { count: 1, ..ArrayText::default() }), |value| value.read(array))?,
    })
}

fn origin(table: &mut Table<'_>) -> Result<OriginText, TextError> {
    match (table.get("made"), table.get("file")) {
        (Some(made), None) => made_model(&made, table),
        (None, Some(file)) => {
            let (spacing, tets) = (table.get("spacing"), table.get("tets"));
            let fineness = match (spacing, tets) {
                (Some(_), Some(value)) => {
                    return Err(value.error("it has a `spacing` already; remove one of the two"));
                }
                (Some(value), None) => CoverSize::Spacing(value.number_in(1e-5..=1e4)? as f32),
                (None, Some(value)) => CoverSize::Count(whole(&value, 1.0..=1e6)?),
                (None, None) => CoverSize::Count(2000),
            };
            Ok(OriginText::File { path: file.text()?.into(), fineness })
        }
        (None, None) => Err(table.error("choose a shape: made = \"cuboid\", or file = \"bunny.obj\"")),
        (Some(_), Some(file)) => Err(file.error("it is `made` already; remove one of the two")),
    }
}

fn made_model(made: &Value<'_>, table: &mut Table<'_>) -> Result<OriginText, TextError> {
    Ok(OriginText::Made(match made.one_of(&["cuboid", "cylinder", "teddy", "car"])? {
        "cuboid" => return cuboid(table),
        "cylinder" => {
            // By default three of 20 and one of 21 make 2,025 particles.
            let layers = table.get("layers").map_or(Ok(20), |value| whole(&value, 2.0..=1000.0))?;
            MadeKind::Cylinder { layers }
        }
        "teddy" => MadeKind::Teddy,
        _ => MadeKind::Car,
    }))
}

/// The made one, or a plain box of another size or fineness.
fn cuboid(table: &mut Table<'_>) -> Result<OriginText, TextError> {
    let (size, cells) = (table.get("size"), table.get("cells"));
    if size.is_none() && cells.is_none() {
        return Ok(OriginText::Made(MadeKind::Cuboid));
    }
    let size_m = size.as_ref().map_or(Ok(DVec3::new(0.4, 0.8, 0.4)), Value::vector)?;
    if let Some(value) = &size
        && (size_m.min_element() < 1e-4 || size_m.max_element() > 1e4)
    {
        return Err(value.error("edges must be 0.0001 to 10000 m"));
    }
    let cells = match cells {
        Some(value) => {
            let list = value.array()?;
            let [x, y, z] = list.as_slice() else {
                return Err(value.error("expected three numbers, cells along x, y and z"));
            };
            [whole(x, 1.0..=200.0)?, whole(y, 1.0..=200.0)?, whole(z, 1.0..=200.0)?]
        }
        None => [4, 8, 4],
    };
    Ok(OriginText::Cuboid { size_m, cells })
}

/// `bulk`, or the same by Poisson's ratio: 3 λ / E = 3 ν / ((1 + ν) (1 − 2 ν)).
fn bulk(table: &mut Table<'_>) -> Result<f64, TextError> {
    match (table.get("bulk"), table.get("poisson")) {
        (Some(_), Some(value)) => Err(value.error("it has `bulk` already; remove one of the two")),
        (Some(value), None) => value.number_in(0.0..=1000.0),
        (None, Some(value)) => {
            let ratio = value.number_in(0.0..=0.499)?;
            Ok(3.0 * ratio / ((1.0 + ratio) * (1.0 - 2.0 * ratio)))
        }
        (None, None) => Ok(0.0),
    }
}

fn array(table: &mut Table<'_>) -> Result<ArrayText, TextError> {
    let count = whole(&table.need("count")?, 1.0..=MOST_BODIES)?;
    let mut vector = |key| table.get(key).map_or(Ok(DVec3::ZERO), |value| value.vector());
    let (step, jitter) = (vector("step")?, vector("jitter")?);
    let mut turned = |key| table.get(key).map_or(Ok(DVec3::ZERO), |value| turn(&value));
    let (turn_deg, jitter_turn_deg) = (turned("turn")?, turned("jitter_turn")?);
    Ok(ArrayText { count, step, turn_deg, jitter, jitter_turn_deg })
}

/// A whole number within a range.
pub(super) fn whole(value: &Value<'_>, range: std::ops::RangeInclusive<f64>) -> Result<usize, TextError> {
    let number = value.number_in(range)?;
    if number.fract() == 0.0 { Ok(number as usize) } else { Err(value.error("use a whole number")) }
}
