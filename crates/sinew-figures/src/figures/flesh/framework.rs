//! What lies inside a body at rest.

use super::super::FiguresError;
use glam::Vec3;
use sinew_flesh::{FleshFrames, FleshMotion, FleshRig, FleshRun};
use sinew_geometry::TetMesh;
use sinew_io::Report;
use sinew_picture::CameraChoice;
use sinew_render::{
    Camera, Ground, Image, Material, Object, RenderSettings, Renderer, Scene, View, contact_sheet,
};
use sinew_rig::Clip;
use sinew_scene::flesh::{FleshArtist, FleshPicture, FleshShow, cut_plane, fibre_picture, section_picture};
use sinew_skin::Method;
use std::sync::Arc;

/// Skin, tetrahedra, layers and muscles, side by side.
pub(super) fn sheet(rig: &Arc<FleshRig>, size: (u32, u32)) -> Result<Image, FiguresError> {
    let cells = [
        (at_rest(rig, &[], size)?, "skin".to_owned()),
        (
            tetrahedra(&rig.covered.cover.mesh, size)?,
            format!("{} tetrahedra", rig.covered.cover.mesh.tets().len()),
        ),
        (
            section_picture(&rig.covered, &rig.anatomy, cut_plane(rig), size)?,
            "bone, muscle and fat".to_owned(),
        ),
        (at_rest(rig, &[FleshShow::Muscles], size)?, format!("{} muscles", rig.muscles.muscles().len())),
    ];
    Ok(contact_sheet(&cells, cells.len(), None)?)
}

/// The field of fibres from before and behind.
pub(super) fn fibres(rig: &Arc<FleshRig>, size: (u32, u32)) -> Result<Image, FiguresError> {
    let cells = [View::Front, View::Back, View::Side]
        .map(|view| fibre_picture(&rig.covered, &rig.fibres, view, size))
        .into_iter()
        .zip(["front", "back", "side"])
        .map(|(image, name)| Ok((image?, name.to_owned())))
        .collect::<Result<Vec<_>, FiguresError>>()?;
    Ok(contact_sheet(&cells, cells.len(), None)?)
}

/// Tetrahedra from outside.
fn tetrahedra(mesh: &TetMesh, (width, height): (u32, u32)) -> Result<Image, FiguresError> {
    let camera = Camera::frame(View::Front, mesh.points().iter().copied(), width as f32 / height as f32);
    let skin = Object::new(mesh.points().to_vec(), mesh.boundary(), Material::default());
    let lowest = mesh.points().iter().map(|point| point.y).fold(f32::MAX, f32::min);
    let scene = Scene {
        objects: vec![Object { wireframe: true, ..skin }],
        ground: Ground::Plane { y: lowest },
        ..Scene::default()
    };
    let settings = RenderSettings { width, height, ..RenderSettings::default() };
    Ok(Renderer::new().render(&scene, &camera, &settings)?)
}

fn at_rest(rig: &Arc<FleshRig>, show: &[FleshShow], size: (u32, u32)) -> Result<Image, FiguresError> {
    let motion = FleshMotion::new(Clip::default(), 30.0);
    let run = FleshRun::new(rig, Method::Lbs);
    let frames = FleshFrames {
        deviations: vec![vec![Vec3::ZERO; rig.anatomy.point_count()]],
        ..FleshFrames::default()
    };
    let picture = FleshPicture {
        camera: CameraChoice::View(View::Front),
        size,
        show: show.to_vec(),
        ..FleshPicture::default()
    };
    Ok(FleshArtist::new(&run, &motion, &Arc::new(frames), &picture, &mut Report::default()).draw(0)?)
}
