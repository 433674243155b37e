//! A body's shape: tetrahedra, the surface that moves with them, and example shapes.

use super::crease::creased;
use super::made::{self, MadeBody};
use super::text::{BodyText, ExampleSource, ExampleText, GroupingText, MadeKind, OriginText};
use crate::scene_text::TextError;
use crate::{Reading, SceneError};
use glam::{Vec3, Vec4};
use sinew_flesh::{cover_surface, rest_surface};
use sinew_geometry::{Bounds, CoverSettings, Embedding, TetMesh, TriangleMesh};
use sinew_model::Model;
use sinew_model::tets::{is_tet_file, read_tets};
use sinew_render::linear_from_rgb8;
use sinew_soft::{Anchors, Grouping, TransferSettings, transfer};
use std::fmt::Display;
use std::path::Path;

/// A shape that bodies are made of.
#[derive(Clone, Debug)]
pub struct BodyModel {
    /// Its particles are the points.
    pub mesh: TetMesh,
    /// What is seen.
    pub skin: Skin,
    /// Example shapes, each one place a particle, in the order of the scene file.
    pub examples: Vec<Vec<Vec3>>,
    /// Which regions share weights.
    pub grouping: Grouping,
}

/// A surface that moves with particles.
#[derive(Clone, Debug)]
pub struct Skin {
    /// Of its vertices, counter-clockwise from outside.
    pub triangles: Vec<[u32; 3]>,
    /// One per vertex, linear with alpha, or empty.
    pub colors: Vec<Vec4>,
    /// How it follows.
    pub following: Following,
}

/// How a surface follows particles.
#[derive(Clone, Debug)]
pub enum Following {
    /// Its vertices are particles.
    Particles(Vec<u32>),
    /// Its vertices lie in tetrahedra.
    Embedded(Embedding),
}

impl Skin {
    /// The outside of tetrahedra.
    fn outside(mesh: &TetMesh) -> Self {
        let surface = creased(mesh.points(), &mesh.boundary());
        Self {
            triangles: surface.triangles,
            colors: Vec::new(),
            following: Following::Particles(surface.points),
        }
    }

    /// Gives its main color another one: of all that triangles are colored with, the one that is most of the surface and least grey.
    /// Windows, eyes and the light tiles of a pattern stay.
    fn tint(&mut self, tets: &TetMesh, color: Vec3) {
        let Some(surface) = self.surface(tets) else { return };
        let mut shares: Vec<(Vec4, f32)> = Vec::new();
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|vertex| self.colors.get(vertex as usize).copied());
            let Some(own) = a.filter(|_| a == b && b == c) else { continue };
            let [p, q, r] = triangle.map(|vertex| surface.positions[vertex as usize]);
            let chroma = own.truncate().max_element() - own.truncate().min_element();
            let share = (q - p).cross(r - p).length() * chroma;
            match shares.iter_mut().find(|(known, _)| *known == own) {
                Some((_, sum)) => *sum += share,
                None => shares.push((own, share)),
            }
        }
        let Some((main, _)) = shares.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)) else { return };
        let same = self.colors.iter_mut().filter(|own| **own == main);
        same.for_each(|own| *own = color.extend(own.w));
    }

    /// How it lies in tetrahedra, if its vertices are no particles.
    pub fn embedding(&self) -> Option<&Embedding> {
        match &self.following {
            Following::Embedded(embedding) => Some(embedding),
            Following::Particles(_) => None,
        }
    }

    /// The surface at rest, if its vertices are no particles.
    fn surface(&self, tets: &TetMesh) -> Option<TriangleMesh> {
        let positions = self.embedding()?.apply(tets.points());
        Some(TriangleMesh { positions, triangles: self.triangles.clone() })
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        match &self.following {
            Following::Particles(particles) => particles.len(),
            Following::Embedded(embedding) => embedding.tets().len(),
        }
    }

    /// Where its vertices are for these places of the particles.
    ///
    /// # Panics
    /// If there is not one position a vertex, or a particle is missing.
    pub fn positions_into(&self, particles: &[Vec3], positions: &mut [Vec3]) {
        match &self.following {
            Following::Particles(points) => {
                for (position, &point) in positions.iter_mut().zip(points) {
                    *position = particles[point as usize];
                }
            }
            Following::Embedded(embedding) => embedding.apply_into(particles, positions),
        }
    }
}

/// A shape as it comes, before it is scaled.
struct Source {
    tets: TetMesh,
    skin: Option<Skin>,
    /// Examples and groups that it has by itself.
    examples: Vec<(String, Vec<Vec3>)>,
    groups: Vec<u16>,
}

impl BodyModel {
    /// Reads or makes what a body asks for.
    pub(super) fn new(body: &BodyText, reading: &mut Reading<'_>) -> Result<Self, SceneError> {
        let source = Source::of(body, reading)?.scaled(body.scale as f32);
        if source.tets.tets().is_empty() {
            return Err(body.error("its shape has no tetrahedra").into());
        }
        let list = body.examples.list.iter();
        let examples = list.map(|example| source.shape(example, body, reading)).collect::<Result<_, _>>()?;
        let grouping = source.grouping(body)?;
        let mut skin = source.skin.unwrap_or_else(|| Skin::outside(&source.tets));
        if let Some(color) = body.color {
            skin.tint(&source.tets, linear_from_rgb8(color));
        }
        Ok(Self { mesh: source.tets, skin, examples, grouping })
    }
}

impl Source {
    fn of(body: &BodyText, reading: &mut Reading<'_>) -> Result<Self, SceneError> {
        match &body.origin {
            OriginText::Made(kind) => {
                let made = match kind {
                    MadeKind::Cuboid => Ok(made::cuboid()),
                    MadeKind::Cylinder { layers } => Ok(made::cylinder(*layers)),
                    MadeKind::Teddy => made::teddy(),
                    MadeKind::Car => Ok(made::car()),
                };
                Ok(Self::of_made(made.map_err(|error| body.error(error))?))
            }
            OriginText::Cuboid { size_m, cells } => {
                let middle = 0.5 * size_m.as_vec3();
                let tets = moved(&TetMesh::lattice(*cells, size_m.as_vec3()), |point| point - middle);
                Ok(Self { tets, skin: None, examples: Vec::new(), groups: Vec::new() })
            }
            OriginText::File { path, fineness } => {
                let settings = CoverSettings { size: *fineness, ..CoverSettings::default() };
                let (tets, skin) = filled(&reading.folder.join(path), &settings, body, reading)?;
                Ok(Self { tets, skin, examples: Vec::new(), groups: Vec::new() })
            }
        }
    }

    fn of_made(made: MadeBody) -> Self {
        let examples = made.examples.into_iter().map(|(name, shape)| (name.to_owned(), shape)).collect();
        let skin = Skin {
            triangles: made.surface.triangles,
            colors: made.colors,
            following: Following::Embedded(made.embedding),
        };
        Self { tets: made.tets, skin: Some(skin), examples, groups: made.groups }
    }

    fn scaled(self, scale: f32) -> Self {
        let larger = |shape: Vec<Vec3>| shape.into_iter().map(|point| point * scale).collect();
        let examples = self.examples.into_iter().map(|(name, shape)| (name, larger(shape))).collect();
        Self { tets: moved(&self.tets, |point| point * scale), examples, ..self }
    }

    /// The shape of an example.
    fn shape(
        &self,
        example: &ExampleText,
        body: &BodyText,
        reading: &mut Reading<'_>,
    ) -> Result<Vec<Vec3>, TextError> {
        let failed = |message: &dyn Display| {
            let place = format!("body {:?}: example {:?}", body.name, example.name);
            example.spot.error(place, message)
        };
        let own = |name: &str| {
            let found = self.examples.iter().find(|(known, _)| known == name);
            found.map(|(_, shape)| shape.clone()).ok_or_else(|| failed(&self.no_example(name)))
        };
        match &example.source {
            ExampleSource::OfModel => own(&example.name),
            ExampleSource::Formulas { on, formulas } => {
                let start = on.as_ref().map_or_else(|| Ok(self.tets.points().to_vec()), |name| own(name))?;
                Ok(formulas.iter().fold(start, |shape, formula| formula.apply(&shape)))
            }
            ExampleSource::File { path, rest } => {
                let path = reading.folder.join(path);
                let rest = rest.as_ref().map(|rest| reading.folder.join(rest));
                let shape = self.shape_of_file(&path, rest.as_deref(), body.scale as f32, reading);
                shape.map_err(|message| failed(&message))
            }
        }
    }

    fn no_example(&self, name: &str) -> String {
        if self.examples.is_empty() {
            return format!("this body has no example {name:?} of its own; give it a `shape` or a `file`");
        }
        let known: Vec<String> = self.examples.iter().map(|(known, _)| format!("{known:?}")).collect();
        format!("this body has no example {name:?}; it has {}", known.join(", "))
    }

    /// The shape of the body's points in a file: tetrahedra with the same points, or a surface that is moved over to them. That is the
    /// body's own surface in another shape, or any other surface near it whose rest shape is in a second file.
    fn shape_of_file(
        &self,
        path: &Path,
        rest: Option<&Path>,
        scale: f32,
        reading: &mut Reading<'_>,
    ) -> Result<Vec<Vec3>, String> {
        if is_tet_file(path) {
            let shape =
                read_tets(path, &reading.limits, reading.report).map_err(|error| error.to_string())?;
            let (found, expected) = (shape.points().len(), self.tets.points().len());
            if found != expected {
                return Err(format!("{path:?} has {found} points, the body has {expected}"));
            }
            return Ok(shape.points().iter().map(|&point| point * scale).collect());
        }
        let posed = surface_of(path, scale, reading)?;
        let rest = rest.map(|rest| surface_of(rest, scale, reading)).transpose()?;
        let anchors = self.anchors(path, posed.positions.len(), rest.as_ref())?;
        let moved = transfer(&self.tets, &anchors, &posed.positions, &TransferSettings::default());
        let moved = moved.map_err(|error| format!("{path:?}: {error}"))?;
        let size_m = Bounds::of(self.tets.points()).diagonal();
        if moved.largest_error_m > POOR_SHARE * size_m {
            let message = format!(
                "the example is up to {:.1} mm off the given surface; use finer tetrahedra",
                1e3 * moved.largest_error_m
            );
            reading.report.warn(path.display().to_string(), message);
        }
        Ok(moved.points)
    }

    /// What moves the body with a surface of so many vertices: its own, or one with this rest shape.
    fn anchors(&self, path: &Path, count: usize, rest: Option<&TriangleMesh>) -> Result<Anchors, String> {
        let own = self.skin.as_ref().and_then(|skin| Some((skin.surface(&self.tets)?, skin.embedding()?)));
        let anchors = match (rest, &own) {
            (Some(rest), Some((surface, embedding))) => {
                Anchors::near_surface(&self.tets, (surface, embedding), rest)
            }
            (Some(rest), None) => Anchors::in_tets(&self.tets, rest),
            (None, Some((surface, embedding))) if surface.positions.len() == count => {
                Anchors::embedded(&self.tets, embedding, surface)
            }
            (None, own) => {
                let of_body = own.as_ref().map_or(0, |(surface, _)| surface.positions.len());
                return Err(format!(
                    "{path:?} has {count} vertices, the body's surface has {of_body}; name the file that it was deformed from: rest = \"rest.obj\""
                ));
            }
        };
        anchors.map_err(|error| error.to_string())
    }

    fn grouping(&self, body: &BodyText) -> Result<Grouping, TextError> {
        Ok(match body.examples.grouping {
            GroupingText::Whole => Grouping::Whole,
            GroupingText::Each => Grouping::Each,
            GroupingText::Slices { axis, count } => {
                let bounds = Bounds::of(self.tets.points());
                let length = axis.of(bounds.size()).max(1e-12);
                let slice = |&point: &Vec3| {
                    let share = axis.of(point - bounds.min()) / length;
                    ((share * f32::from(count)) as u16).min(count - 1)
                };
                Grouping::Groups(self.tets.points().iter().map(slice).collect())
            }
            GroupingText::OfModel if self.groups.is_empty() => {
                let hint = "this model has no groups; divide it: groups = { axis = \"y\", count = 2 }";
                return Err(body.error(hint));
            }
            GroupingText::OfModel => Grouping::Groups(self.groups.clone()),
        })
    }
}

/// Examples that are moved over from a surface less exactly than this share of the body's size are told of.
const POOR_SHARE: f32 = 0.02;

/// The surface in a model's file.
fn surface_of(path: &Path, scale: f32, reading: &mut Reading<'_>) -> Result<TriangleMesh, String> {
    let model =
        Model::open(path, &reading.limits, reading.report).map_err(|error| format!("{path:?}: {error}"))?;
    let mut surface = rest_surface(&model.character);
    surface.positions.iter_mut().for_each(|point| *point *= scale);
    Ok(surface)
}

/// The same tetrahedra with their points elsewhere.
fn moved(mesh: &TetMesh, place: impl Fn(Vec3) -> Vec3) -> TetMesh {
    let points = mesh.points().iter().map(|&point| place(point)).collect();
    // The lists are those of a mesh that is right; only a scale beyond all numbers leaves none.
    TetMesh::new(points, mesh.tets().to_vec()).unwrap_or_default()
}

fn filled(
    path: &Path,
    settings: &CoverSettings,
    body: &BodyText,
    reading: &mut Reading<'_>,
) -> Result<(TetMesh, Option<Skin>), SceneError> {
    let failed = |error: &dyn Display| body.error(format_args!("{path:?}: {error}"));
    if is_tet_file(path) {
        let mesh = read_tets(path, &reading.limits, reading.report).map_err(|error| failed(&error))?;
        return Ok((mesh, None));
    }
    let model = Model::open(path, &reading.limits, reading.report).map_err(|error| failed(&error))?;
    let surface = rest_surface(&model.character);
    let cover = cover_surface(&surface, settings).map_err(|error| failed(&error))?;
    let following = Following::Embedded(cover.embedding);
    Ok((cover.mesh, Some(Skin { triangles: surface.triangles, colors: Vec::new(), following })))
}
