//! Delta mush: linear blend skinning, smoothed, with the rest shape's detail restored.
//!
//! After \[Mancewicz14\] §2: smooth the rest shape, store each vertex's offset from its smoothed position in a local frame of the smoothed
//! surface; then for each pose smooth the skinned shape equally and add the offset in its frame.
//!
//! Departures: vertices at the same rest position (texture seams) are smoothed as one, which keeps seams closed. Smoothing is the plain mean
//! of neighbors. The frame is the smoothed normal and the direction to one neighbor.
//! Limits: it moves vertices by their neighbors, not only by their own bones, so the one-bone law does not hold; thin parts shrink between
//! frame and offset where triangles are long.

use crate::Skin;
use glam::{Affine3A, Mat3, Vec3};
use sinew_geometry::Neighbors;
use sinew_rig::{BoundSurface, Deformer, Surface, SurfaceMut, Workspace};
use std::collections::HashMap;

/// Delta mush over a linear blend.
#[derive(Clone, Debug)]
pub struct DeltaMush {
    linear: Skin,
    /// The place of every vertex: vertices that coincide in rest share one.
    place_of_vertex: Vec<u32>,
    /// One vertex of every place.
    vertex_of_place: Vec<u32>,
    /// Neighbors of every place.
    neighbors: Neighbors,
    triangles: Vec<[u32; 3]>,
    iterations: u32,
    rest: Vec<Vec3>,
    /// Offsets from the smoothed rest shape, one per place, in its frames.
    offsets: Vec<Vec3>,
    /// Frames of the smoothed rest shape, for the normals.
    rest_frames: Vec<Mat3>,
}

/// Memory for one frame.
struct Room {
    linear: Workspace,
    smoothed: Vec<Vec3>,
    scratch: Vec<Vec3>,
    normals: Vec<Vec3>,
    frames: Vec<Mat3>,
    offsets: Vec<Vec3>,
    rest_frames: Vec<Mat3>,
}

impl DeltaMush {
    /// Binds over `linear`.
    pub fn bind(linear: Skin, bound: &BoundSurface, iterations: u32) -> Self {
        let (place_of_vertex, vertex_of_place) = weld(bound);
        let triangles: Vec<[u32; 3]> = bound
            .triangles()
            .iter()
            .map(|triangle| triangle.map(|vertex| place_of_vertex[vertex as usize]))
            .collect();
        let mut mush = Self {
            linear,
            rest: bound.rest().positions.clone(),
            offsets: Vec::new(),
            rest_frames: Vec::new(),
            neighbors: Neighbors::of_triangles(vertex_of_place.len(), &triangles),
            place_of_vertex,
            vertex_of_place,
            triangles,
            iterations,
        };
        let mut room = mush.room();
        mush.measure(&bound.rest().positions, &mut room);
        (mush.offsets, mush.rest_frames) = (room.offsets, room.rest_frames);
        mush
    }

    fn room(&self) -> Room {
        let count = self.vertex_of_place.len();
        Room {
            linear: self.linear.workspace(),
            smoothed: vec![Vec3::ZERO; count],
            scratch: vec![Vec3::ZERO; count],
            normals: vec![Vec3::ZERO; count],
            frames: vec![Mat3::IDENTITY; count],
            offsets: vec![Vec3::ZERO; count],
            rest_frames: vec![Mat3::IDENTITY; count],
        }
    }

    /// Computes offsets and frames of a rest shape.
    fn measure(&self, rest: &[Vec3], room: &mut Room) {
        self.smooth(rest, room);
        for (place, &vertex) in self.vertex_of_place.iter().enumerate() {
            let frame = room.frames[place];
            room.offsets[place] = frame.transpose() * (rest[vertex as usize] - room.smoothed[place]);
            room.rest_frames[place] = frame;
        }
    }

    /// Smooths a shape and computes its frames.
    fn smooth(&self, positions: &[Vec3], room: &mut Room) {
        for (smoothed, &vertex) in room.smoothed.iter_mut().zip(&self.vertex_of_place) {
            *smoothed = positions[vertex as usize];
        }
        for _ in 0..self.iterations {
            for place in 0..room.smoothed.len() {
                let around = self.neighbors.of(place);
                let sum = around.iter().fold(Vec3::ZERO, |sum, &other| sum + room.smoothed[other as usize]);
                room.scratch[place] =
                    if around.is_empty() { room.smoothed[place] } else { sum / around.len() as f32 };
            }
            std::mem::swap(&mut room.smoothed, &mut room.scratch);
        }
        room.normals.fill(Vec3::ZERO);
        for triangle in &self.triangles {
            let [a, b, c] = triangle.map(|place| room.smoothed[place as usize]);
            let normal = (b - a).cross(c - a);
            triangle.iter().for_each(|&place| room.normals[place as usize] += normal);
        }
        for place in 0..room.frames.len() {
            let first = self.neighbors.of(place).first();
            let towards = first.map(|&other| room.smoothed[other as usize] - room.smoothed[place]);
            room.frames[place] = frame(room.normals[place], towards.unwrap_or(Vec3::X));
        }
    }
}

impl Deformer for DeltaMush {
    fn vertex_count(&self) -> usize {
        self.place_of_vertex.len()
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(self.room())
    }

    fn deform(
        &self,
        workspace: &mut Workspace,
        posed_from_rest: &[Affine3A],
        rest: &Surface,
        mut posed: SurfaceMut<'_>,
    ) {
        let room: &mut Room = workspace.get();
        if rest.positions == self.rest {
            room.offsets.copy_from_slice(&self.offsets);
            room.rest_frames.copy_from_slice(&self.rest_frames);
        } else {
            // Morphs changed the rest shape, and with it the detail.
            self.measure(&rest.positions, room);
        }
        self.linear.deform(&mut room.linear, posed_from_rest, rest, posed.reborrow());
        self.smooth(posed.positions, room);
        for (vertex, &place) in self.place_of_vertex.iter().enumerate() {
            let place = place as usize;
            let turned = room.frames[place] * room.rest_frames[place].transpose();
            posed.positions[vertex] = room.smoothed[place] + room.frames[place] * room.offsets[place];
            if let Some(normal) = posed.normals.get_mut(vertex) {
                *normal = (turned * rest.normals[vertex]).try_normalize().unwrap_or(rest.normals[vertex]);
            }
            if let Some(tangent) = posed.tangents.get_mut(vertex) {
                let direction = turned * rest.tangents[vertex].truncate();
                *tangent = direction.normalize_or(Vec3::X).extend(tangent.w);
            }
        }
    }
}

/// An orthonormal frame: the normal, and the part of `towards` across it.
fn frame(normal: Vec3, towards: Vec3) -> Mat3 {
    let z = normal.try_normalize().unwrap_or(Vec3::Z);
    let x = (towards - z * z.dot(towards)).try_normalize().unwrap_or_else(|| z.any_orthonormal_vector());
    Mat3::from_cols(x, z.cross(x), z)
}

/// Joins vertices that coincide in rest within one instance.
fn weld(bound: &BoundSurface) -> (Vec<u32>, Vec<u32>) {
    let mut place_of_vertex = vec![0; bound.vertex_count()];
    let mut vertex_of_place = Vec::new();
    for instance in bound.instances() {
        let mut known: HashMap<[u32; 3], u32> = HashMap::new();
        for vertex in instance.vertices.clone() {
            let key = bound.rest().positions[vertex].to_array().map(|x| (x + 0.0).to_bits());
            place_of_vertex[vertex] = *known.entry(key).or_insert_with(|| {
                vertex_of_place.push(vertex as u32);
                vertex_of_place.len() as u32 - 1
            });
        }
    }
    (place_of_vertex, vertex_of_place)
}
