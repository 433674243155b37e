//! Finds a character's vertices and bones on the body that its design describes.
//!
//! Places decide, not order: programs reorder vertices, and texture coordinates split them. Inverse bind matrices decide, not rest poses:
//! a VRM rests in T-pose, and its mesh is bound as before.

use super::PatchModes;
use super::deformer::CarriedPatches;
use super::design::body_of;
use glam::{Affine3A, Vec3};
use sinew_body::body::BodyMesh;
use sinew_body::character::{CharacterSettings, Look};
use sinew_body::design::DesignError;
use sinew_body::pose::{PaletteError, PatchDeformer};
use sinew_body::template::TemplateError;
use sinew_body::{Body, BuildError};
use sinew_rig::{BoundSurface, Character, Deformer};
use std::collections::HashMap;
use std::sync::Arc;

/// Why a model is not moved by patches.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
#[non_exhaustive]
pub enum PatchesError {
    #[error(
        "the model carries no body design; patches need a body that `sinew body` wrote as .glb, .gltf or .vrm"
    )]
    NoDesign,
    #[error("SINEW_body.template: {0}")]
    Template(#[from] TemplateError),
    #[error("SINEW_body.design: {0}")]
    Design(#[from] DesignError),
    #[error("SINEW_body.design: {0}")]
    Build(#[from] BuildError),
    #[error("SINEW_body.steps {found} is out of range; use an even number from 4 to {most}")]
    Steps { found: u32, most: u32 },
    #[error("the skeleton no longer fits the body's design: bone {name:?} does not move the mesh")]
    MissingBone { name: String },
    #[error(
        "the skeleton no longer fits the body's design: bone {name:?} is bound {off_mm:.1} mm, {off_deg:.1}° away from it"
    )]
    MovedBone { name: String, off_mm: f32, off_deg: f32 },
    #[error(
        "the mesh no longer fits the body's design: vertex {vertex} of mesh {mesh:?} is {off_mm:.2} mm away from it; {count} of {total} vertices are away"
    )]
    Vertex { mesh: String, vertex: usize, off_mm: f32, count: usize, total: usize },
    #[error(transparent)]
    Palette(#[from] PaletteError),
    /// Rules for single joints.
    #[error("patches move the whole body; remove the rules for joints")]
    JointRules,
}

/// Steps that a body is tessellated in at most: 3.7 million vertices.
const MOST_STEPS: u32 = 128;

/// A vertex counts as the design's within this distance, m: ten times what files of quantized positions change.
const VERTEX_M: f32 = 1e-4;

/// A bone counts as bound where the design has it within this, m and radians.
const BONE_M: f32 = 1e-4;
const BONE_RAD: f32 = 2e-3;

/// A body's patches as the deformer of the character that carries them.
///
/// # Errors
/// The character carries no design, a damaged one, or one that its mesh or skeleton no longer fits.
pub fn bind_patches(character: &Character, modes: PatchModes) -> Result<Arc<dyn Deformer>, PatchesError> {
    let authored = character.body().ok_or(PatchesError::NoDesign)?;
    let steps = authored.steps;
    if steps < 4 || steps % 2 != 0 || steps > MOST_STEPS {
        return Err(PatchesError::Steps { found: steps, most: MOST_STEPS });
    }
    let body = body_of(authored)?;
    let (bound, mesh) = (BoundSurface::of(character), body.tessellate(steps as usize));
    let entries = entries_of_bones(character, &bound, &body)?;
    let vertices = vertices_of(character, &bound, &mesh)?;
    let order: Vec<usize> = (0..body.bones.len()).collect();
    let bones = mesh.places.iter().map(|place| body.patches[place.patch as usize].bone);
    let bones: Vec<usize> = bones.collect();
    let vertex_bones = vertices.iter().map(|&vertex| bones[vertex as usize] as u32).collect();
    let patches = modes.apply(PatchDeformer::new(body, &mesh, &order)?);
    Ok(Arc::new(CarriedPatches::new(
        patches,
        &mesh,
        (entries, bound.palette().len()),
        vertices,
        vertex_bones,
    )))
}

/// The palette entry of each bone of the body.
fn entries_of_bones(
    character: &Character,
    bound: &BoundSurface,
    body: &Body,
) -> Result<Vec<usize>, PatchesError> {
    // Bones do not depend on the tessellation.
    let rest = body.to_character(&CharacterSettings { steps: 4, look: Look::Skin, has_uvs: false });
    let mut entries = Vec::with_capacity(body.bones.len());
    for (joint, &bone) in rest.bind(sinew_rig::BindId(0)).joints.iter().enumerate() {
        let name = &rest.skeleton().bone(bone).name;
        let mut palette = bound.palette().iter();
        let found = palette.position(|entry| character.skeleton().bone(entry.bone).name == *name);
        let entry = found.ok_or_else(|| PatchesError::MissingBone { name: name.clone() })?;
        let designed = rest.bind(sinew_rig::BindId(0)).joint_from_rest[joint];
        let (off_m, off_rad) = difference(&designed, &bound.palette()[entry].bone_from_rest);
        // Written so that numbers which are none count as moved.
        if !(off_m <= BONE_M && off_rad <= BONE_RAD) {
            let (off_mm, off_deg) = (1e3 * off_m, off_rad.to_degrees());
            return Err(PatchesError::MovedBone { name: name.clone(), off_mm, off_deg });
        }
        entries.push(entry);
    }
    Ok(entries)
}

/// How far two binds of a bone are apart: its head in rest space, and the largest turn of an axis.
fn difference(designed: &Affine3A, found: &Affine3A) -> (f32, f32) {
    let (designed, found) = (designed.inverse(), found.inverse());
    let off_m = designed.translation.distance(found.translation);
    let axes = |matrix: &Affine3A| [matrix.matrix3.x_axis, matrix.matrix3.y_axis, matrix.matrix3.z_axis];
    let turns = axes(&designed).into_iter().zip(axes(&found)).map(|(a, b)| a.distance(b));
    (off_m, turns.fold(0.0, f32::max))
}

/// The vertex of the body's mesh that each vertex of the character is.
fn vertices_of(
    character: &Character,
    bound: &BoundSurface,
    mesh: &BodyMesh,
) -> Result<Vec<u32>, PatchesError> {
    let places = Places::new(mesh);
    let rest = bound.rest();
    let found: Vec<Option<u32>> = (0..bound.vertex_count())
        .map(|vertex| places.nearest(rest.positions[vertex], rest.normals.get(vertex).copied()))
        .collect();
    let count = found.iter().filter(|found| found.is_none()).count();
    if let Some(first) = found.iter().position(Option::is_none) {
        let is_there = |placed: &&sinew_rig::BoundInstance| placed.vertices.contains(&first);
        let placed = bound.instances().iter().find(is_there);
        let (mesh, vertex) = placed.map_or((String::new(), first), |placed| {
            (character.mesh_of(placed.instance).name.clone(), first - placed.vertices.start)
        });
        let off_mm = 1e3 * places.distance(rest.positions[first]);
        return Err(PatchesError::Vertex { mesh, vertex, off_mm, count, total: found.len() });
    }
    Ok(found.into_iter().flatten().collect())
}

/// Vertices of a body, by cells of space.
struct Places {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    cells: HashMap<[i32; 3], Vec<u32>>,
}

/// Size of a cell, m: larger than the tolerance, so that neighbors of a cell have all that is near.
const CELL_M: f32 = 1e-3;

/// What a normal that points away counts, m: it decides between vertices at one place, as on both sides of a lip.
const NORMAL_M: f32 = 1e-6;

impl Places {
    fn new(mesh: &BodyMesh) -> Self {
        let positions = mesh.positions_f32();
        let mut cells: HashMap<[i32; 3], Vec<u32>> = HashMap::with_capacity(positions.len());
        for (vertex, position) in positions.iter().enumerate() {
            cells.entry(cell_of(*position)).or_default().push(vertex as u32);
        }
        let normals = mesh.normals.iter().map(|normal| normal.as_vec3()).collect();
        Self { positions, normals, cells }
    }

    fn nearest(&self, position: Vec3, normal: Option<Vec3>) -> Option<u32> {
        let cell = cell_of(position);
        let mut best: Option<(f32, u32)> = None;
        for at in 0..27 {
            let key = [cell[0] + at % 3 - 1, cell[1] + at / 3 % 3 - 1, cell[2] + at / 9 - 1];
            for &vertex in self.cells.get(&key).map_or(&[][..], Vec::as_slice) {
                let distance = self.positions[vertex as usize].distance(position);
                let away = normal.map_or(0.0, |normal| 1.0 - normal.dot(self.normals[vertex as usize]));
                let score = distance + NORMAL_M * away;
                if distance <= VERTEX_M && best.is_none_or(|(least, _)| score < least) {
                    best = Some((score, vertex));
                }
            }
        }
        best.map(|(_, vertex)| vertex)
    }

    /// To the nearest of all, for messages.
    fn distance(&self, position: Vec3) -> f32 {
        self.positions.iter().map(|found| found.distance(position)).fold(f32::INFINITY, f32::min)
    }
}

fn cell_of(position: Vec3) -> [i32; 3] {
    (position / CELL_M).to_array().map(|at| at.floor() as i32)
}
