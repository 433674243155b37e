//! What lies inside a body at rest.

use super::super::{Size, drawn};
use anyhow::Result;
use glam::Vec3;
use sinew_flesh::{FleshFrames, FleshMotion, FleshRig, FleshRun};
use sinew_geometry::TetMesh;
use sinew_io::Report;
use sinew_picture::CameraChoice;
use sinew_render::{Camera, Ground, Image, Material, Object, Scene, View, contact_sheet};
use sinew_rig::Clip;
use sinew_scene::flesh::{FleshArtist, FleshPicture, FleshShow, cut_plane, fibre_picture, section_picture};
use sinew_skin::Method;
use std::sync::Arc;

/// Skin, tetrahedra, layers and muscles, side by side.
pub(super) fn sheet(rig: &Arc<FleshRig>, size: Size) -> Result<Image> {
    let mesh = &rig.covered.cover.mesh;
    let section = section_picture(&rig.covered, &rig.anatomy, cut_plane(rig), size)?;
    let cells = [
        (at_rest(rig, &[], size)?, "skin".to_owned()),
        (tetrahedra(mesh, size)?, format!("{} tetrahedra", mesh.tets().len())),
        (section, "bone, muscle and fat".to_owned()),
        (at_rest(rig, &[FleshShow::Muscles], size)?, format!("{} muscles", rig.muscles.muscles().len())),
    ];
    Ok(contact_sheet(&cells, cells.len(), None)?)
}

/// The field of fibres from before and behind.
pub(super) fn fibres(rig: &Arc<FleshRig>, size: Size) -> Result<Image> {
    let mut cells = Vec::new();
    for (view, name) in [(View::Front, "front"), (View::Back, "back"), (View::Side, "side")] {
        cells.push((fibre_picture(&rig.covered, &rig.fibres, view, size)?, name.to_owned()));
    }
    Ok(contact_sheet(&cells, cells.len(), None)?)
}

/// Tetrahedra from outside.
fn tetrahedra(mesh: &TetMesh, size: Size) -> Result<Image> {
    let camera = Camera::frame(View::Front, mesh.points().iter().copied(), size.0 as f32 / size.1 as f32);
    let skin = Object::new(mesh.points().to_vec(), mesh.boundary(), Material::default());
    let lowest = mesh.points().iter().map(|point| point.y).fold(f32::MAX, f32::min);
    let scene = Scene {
        objects: vec![Object { wireframe: true, ..skin }],
        ground: Ground::Plane { y: lowest },
        ..Scene::default()
    };
    Ok(drawn(&scene, &camera, size)?)
}

fn at_rest(rig: &Arc<FleshRig>, show: &[FleshShow], size: Size) -> Result<Image> {
    let motion = FleshMotion::new(Clip::default(), 30.0);
    let run = FleshRun::new(rig, Method::Lbs);
    let frames = FleshFrames {
        deviations: vec![vec![Vec3::ZERO; rig.anatomy.point_count()]],
        ..FleshFrames::default()
    };
    let camera = CameraChoice::View(View::Front);
    let picture = FleshPicture { camera, size, show: show.to_vec(), ..FleshPicture::default() };
    Ok(FleshArtist::new(&run, &motion, &Arc::new(frames), &picture, &mut Report::default()).draw(0)?)
}
