//! Colliders as they are drawn and run into.

use super::crease::creased;
use super::text::{ColliderShape, ColliderText, ElasticFile, MoveText};
use crate::{Reading, SceneError};
use glam::{Quat, Vec3};
use sinew_flesh::rest_surface;
use sinew_geometry::{TriangleMesh, shapes};
use sinew_model::Model;
use sinew_soft::{Collider, ContactSettings, MeshShape, Shape};
use std::fmt::Display;
use std::sync::Arc;

/// A collider of a scene.
#[derive(Clone, Debug)]
pub(super) struct Obstacle {
    shape: Shape,
    contact: ContactSettings,
    place: (Vec3, Quat),
    motion: Option<MoveText>,
    /// What is drawn, in the collider's own axes, and its color; none is not drawn.
    pub(super) drawn: Option<(TriangleMesh, [u8; 3])>,
}

/// Sides of round shapes.
const SIDES: u32 = 48;

impl Obstacle {
    pub(super) fn new(text: &ColliderText, reading: &mut Reading<'_>) -> Result<Self, SceneError> {
        let (shape, mesh) = shape_of(text, reading)?;
        Ok(Self {
            shape,
            contact: text.contact,
            place: text.place.frame(),
            motion: text.motion.clone(),
            drawn: text.is_shown.then(|| (edged(&mesh), text.color)),
        })
    }

    /// The ground, if it is stood upon; it is drawn by itself.
    pub(super) fn floor(file: &ElasticFile) -> Option<Self> {
        let contact = file.ground_contact?;
        let place = (Vec3::Y * file.ground.height_m as f32, Quat::IDENTITY);
        Some(Self { shape: Shape::HalfSpace, contact, place, motion: None, drawn: None })
    }

    /// Where it is at a time.
    pub(super) fn place_at(&self, time_secs: f64) -> (Vec3, Quat) {
        let (origin, turn) = self.place;
        let (by, further) =
            self.motion.as_ref().map_or((Vec3::ZERO, Quat::IDENTITY), |keys| keys.at(time_secs));
        (origin + by, further * turn)
    }

    /// As the step between two times sees it.
    pub(super) fn between(&self, start_secs: f64, end_secs: f64) -> Collider {
        let (before, place) = (self.place_at(start_secs), self.place_at(end_secs));
        Collider { shape: self.shape.clone(), place, before, settings: self.contact }
    }
}

/// The same surface with sharp edges.
fn edged(mesh: &TriangleMesh) -> TriangleMesh {
    let surface = creased(&mesh.positions, &mesh.triangles);
    let positions = surface.points.iter().map(|&point| mesh.positions[point as usize]).collect();
    TriangleMesh { positions, triangles: surface.triangles }
}

fn shape_of(text: &ColliderText, reading: &mut Reading<'_>) -> Result<(Shape, TriangleMesh), SceneError> {
    let raised = |mut mesh: TriangleMesh, by_m: f32| {
        mesh.positions.iter_mut().for_each(|point| point.y += by_m);
        mesh
    };
    Ok(match text.shape {
        ColliderShape::Plane { side_m } => {
            let half = 0.5 * side_m;
            let corners = [[-half, -half], [-half, half], [half, half], [half, -half]];
            let positions = corners.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec();
            (Shape::HalfSpace, TriangleMesh { positions, triangles: vec![[0, 1, 2], [0, 2, 3]] })
        }
        ColliderShape::Box { size_m } => (Shape::Box { half_m: 0.5 * size_m }, shapes::cuboid(size_m)),
        ColliderShape::Sphere { radius_m } => {
            (Shape::Sphere { radius_m }, shapes::sphere(radius_m, SIDES, SIDES / 2))
        }
        ColliderShape::Capsule { length_m, radius_m } => {
            let mesh = raised(shapes::capsule(length_m, radius_m, SIDES, 1, SIDES / 4), -0.5 * length_m);
            (Shape::Capsule { half_height_m: 0.5 * length_m, radius_m }, mesh)
        }
        ColliderShape::Cylinder { length_m, radius_m } => {
            let mesh = raised(shapes::cylinder(length_m, radius_m, SIDES, 1), -0.5 * length_m);
            (Shape::Cylinder { half_height_m: 0.5 * length_m, radius_m }, mesh)
        }
        ColliderShape::Mesh { ref path, scale, is_hull } => {
            let path = reading.folder.join(path);
            let failed =
                |error: &dyn Display| text.spot.error("collider".into(), format_args!("{path:?}: {error}"));
            let model =
                Model::open(&path, &reading.limits, reading.report).map_err(|error| failed(&error))?;
            let mut mesh = rest_surface(&model.character);
            mesh.positions.iter_mut().for_each(|point| *point *= scale);
            let shape = if is_hull {
                MeshShape::hull_of(&mesh.positions).map_err(|error| failed(&error))?
            } else {
                MeshShape::new(&mesh).map_err(|error| failed(&error))?
            };
            (Shape::Mesh(Arc::new(shape)), mesh)
        }
    })
}
