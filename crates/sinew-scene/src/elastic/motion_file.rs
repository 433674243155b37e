//! The motion of all bodies as one recording, for files that other programs read.

use super::playback::Playback;
use super::scene::ElasticScene;
use crate::SceneError;
use glam::Vec3;
use sinew_geometry::TriangleMesh;
use sinew_render::linear_from_rgb8;
use sinew_rig::{Material, MaterialId, Mesh};

/// All bodies and the colliders that are seen, frame by frame, scene space.
///
/// # Errors
/// Frames that cannot be recorded.
pub fn recording(
    scene: &ElasticScene,
    playback: &Playback,
    name: &str,
) -> Result<sinew_play::Recording, SceneError> {
    let mut meshes = Vec::new();
    let mut materials = Vec::new();
    for cast in scene.casts() {
        let skin = &cast.model.skin;
        let mut positions = vec![Vec3::ZERO; skin.vertex_count()];
        skin.positions_into(cast.model.mesh.points(), &mut positions);
        let surface = TriangleMesh { positions, triangles: skin.triangles.clone() };
        let material = if skin.colors.is_empty() { linear_from_rgb8(cast.color) } else { Vec3::ONE };
        let mut mesh = Mesh::from_triangles(&cast.name, surface, Some(MaterialId::of(materials.len())));
        mesh.colors = skin.colors.clone();
        meshes.push(mesh);
        materials.push(plain(&cast.name, material));
    }
    for (number, (mesh, color)) in drawn(scene).enumerate() {
        let name = format!("collider {}", number + 1);
        meshes.push(Mesh::from_triangles(&name, mesh.clone(), Some(MaterialId::of(materials.len()))));
        materials.push(plain(&name, linear_from_rgb8(color)));
    }
    let mut recording = sinew_play::Recording::new(name, meshes, (materials, Vec::new()), scene.fps())?;
    for played in &playback.frames {
        recording.push(played.vertices(scene))?;
    }
    Ok(recording)
}

fn drawn(scene: &ElasticScene) -> impl Iterator<Item = (&TriangleMesh, [u8; 3])> {
    scene.obstacles.iter().filter_map(|obstacle| obstacle.drawn.as_ref().map(|(mesh, color)| (mesh, *color)))
}

fn plain(name: &str, color: Vec3) -> Material {
    Material { name: name.into(), base_color: color.extend(1.0), ..Material::default() }
}
