//! The mesh of a character.

use super::figure::SkeletonOfBody;
use super::weights::Weights;
use super::{CharacterSettings, Look};
use crate::body::{Body, BodyMesh};
use glam::Vec2;
use sinew_rig::{InfluencesBuilder, MaterialGroup, MaterialId, Mesh, Spherical};
use std::collections::BTreeMap;

pub(super) fn mesh(body: &Body, skeleton: &SkeletonOfBody, settings: &CharacterSettings) -> Mesh {
    debug_assert_eq!(skeleton.bones.len(), body.bones.len(), "a bone for each");
    let surface = body.tessellate(settings.steps);
    let corners = if settings.has_uvs { Corners::split(&surface) } else { Corners::shared(&surface) };
    let weights = Weights::new(body);
    let mut influences = InfluencesBuilder::with_capacity(corners.vertices.len(), 2 * corners.vertices.len());
    let mut spherical: Vec<Option<Spherical>> = Vec::with_capacity(corners.vertices.len());
    for &vertex in &corners.vertices {
        let (shares, joint) = weights.at(&surface.places[vertex as usize]);
        influences.push(shares.iter().map(|&(bone, share)| (bone as u16, share as f32)));
        spherical.push(joint);
    }
    let pick = |list: &[glam::DVec3]| -> Vec<glam::Vec3> {
        corners.vertices.iter().map(|&vertex| list[vertex as usize].as_vec3()).collect()
    };
    let (triangles, groups) = grouped(body, &surface, &corners, settings.look);
    Mesh {
        name: "body".into(),
        positions: pick(&surface.positions),
        normals: pick(&surface.normals),
        uv_sets: if settings.has_uvs { vec![corners.uvs] } else { Vec::new() },
        triangles,
        groups,
        influences: influences.build(),
        spherical,
        ..Mesh::default()
    }
}

/// Vertices of the character, and their vertices of the surface.
struct Corners {
    /// One per vertex of the character.
    vertices: Vec<u32>,
    /// One per vertex, or empty.
    uvs: Vec<Vec2>,
    triangles: Vec<[u32; 3]>,
}

impl Corners {
    fn shared(surface: &BodyMesh) -> Self {
        let vertices = (0..surface.places.len() as u32).collect();
        Self { vertices, uvs: Vec::new(), triangles: surface.triangles.clone() }
    }

    /// A vertex for each pair of place and texture coordinates.
    fn split(surface: &BodyMesh) -> Self {
        let mut found: BTreeMap<(u32, [u32; 2]), u32> = BTreeMap::new();
        let (mut vertices, mut uvs) = (Vec::new(), Vec::new());
        let mut corner = |vertex: u32, uv: Vec2| {
            *found.entry((vertex, uv.to_array().map(f32::to_bits))).or_insert_with(|| {
                vertices.push(vertex);
                uvs.push(uv);
                vertices.len() as u32 - 1
            })
        };
        let listed = surface.triangles.iter().zip(&surface.uvs);
        let triangles =
            listed.map(|(triangle, uvs)| std::array::from_fn(|k| corner(triangle[k], uvs[k]))).collect();
        Self { vertices, uvs, triangles }
    }
}

/// Triangles in the order of materials.
fn grouped(
    body: &Body,
    surface: &BodyMesh,
    corners: &Corners,
    look: Look,
) -> (Vec<[u32; 3]>, Vec<MaterialGroup>) {
    let material = |triangle: usize| {
        let patch = surface.triangle_patches[triangle] as usize;
        usize::from(look == Look::Patches && body.patches[patch].patch.is_gregory())
    };
    let count = if look == Look::Patches { 2 } else { 1 };
    let (mut triangles, mut groups) = (Vec::with_capacity(corners.triangles.len()), Vec::new());
    for group in 0..count {
        let start = triangles.len() as u32;
        triangles.extend(
            (0..corners.triangles.len()).filter(|&t| material(t) == group).map(|t| corners.triangles[t]),
        );
        groups.push(MaterialGroup {
            material: Some(MaterialId::of(group)),
            vertices: 0..corners.vertices.len() as u32,
            triangles: start..triangles.len() as u32,
        });
    }
    (triangles, groups)
}
