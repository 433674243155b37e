//! Draws a figure in every way the renderer knows: Standard and High light, wireframe, bones, weights with a legend,
//! see-through clothing, a contact sheet and a turntable GIF.
//!
//! `cargo run --release -p sinew-examples --example studio -- FOLDER`
#![expect(clippy::print_stdout, reason = "an example prints")]

mod mannequin;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use glam::{Vec2, Vec3, Vec4};
use sinew_render::{
    BoneSegment, Camera, ColorMap, Ground, Group, Image, LabelAnchor, Material, Object, Overlay, Quality,
    RenderSettings, Renderer, ScalarMap, Scene, TextStyle, View, contact_sheet, encode_gif,
};

/// Draws, saves and times pictures of one size.
struct Session {
    folder: PathBuf,
    renderer: Renderer,
    settings: RenderSettings,
}

impl Session {
    fn picture(&mut self, name: &str, scene: &Scene, view: View) -> Result<Image, Box<dyn Error>> {
        let aspect = self.settings.width as f32 / self.settings.height as f32;
        let points = scene.objects.iter().flat_map(|object| object.positions.iter().copied());
        let camera = Camera::frame(view, points, aspect);
        let start = Instant::now();
        let image = self.renderer.render(scene, &camera, &self.settings)?;
        println!("{name}: {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
        std::fs::write(self.folder.join(name).with_extension("png"), image.encode_png()?)?;
        Ok(image)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("usage: studio FOLDER")?);
    std::fs::create_dir_all(&folder)?;
    let settings = RenderSettings { width: 960, height: 1080, quality: Quality::Standard };
    let mut session = Session { folder, renderer: Renderer::new(), settings };
    let body = mannequin::mannequin(0.0085);
    println!("{} triangles", body.triangles.len());
    let plain = scene_of(body.clone());
    let textured = scene_of(with_material(&body, |material| {
        material.texture = Some(Arc::new(mannequin::checker()));
        material.base_color = Vec4::ONE;
    }));

    session.picture("standard", &plain, View::ThreeQuarter)?;
    session.picture("textured", &textured, View::ThreeQuarter)?;
    session.settings.quality = Quality::High;
    session.picture("high", &plain, View::ThreeQuarter)?;
    session.picture("high_textured", &textured, View::ThreeQuarter)?;
    session.settings.quality = Quality::Standard;
    let mut wire = scene_of(mannequin::mannequin(0.022));
    wire.objects[0].wireframe = true;
    session.picture("wireframe", &wire, View::ThreeQuarter)?;
    session.picture("bones", &with_bones(plain.clone()), View::ThreeQuarter)?;
    session.picture("weights", &with_weights(plain.clone()), View::Front)?;

    session.settings = RenderSettings { width: 420, height: 560, ..session.settings };
    let mut cells = Vec::new();
    for (view, caption) in [
        (View::Front, "Front"),
        (View::Side, "Side"),
        (View::Back, "Back"),
        (View::ThreeQuarter, "Three-quarter"),
    ] {
        cells.push((session.picture("cell", &plain, view)?, caption.to_owned()));
    }
    let sheet = contact_sheet(&cells, 4, Some("Mannequin, four views"))?;
    std::fs::write(session.folder.join("sheet.png"), sheet.encode_png()?)?;

    let frames = (0..24)
        .map(|step| {
            let angle = step as f32 / 24.0 * std::f32::consts::TAU;
            let toward = Vec3::new(angle.sin(), 0.2, angle.cos());
            let camera = Camera::frame_from(toward, Vec3::Y, body.positions.iter().copied(), 0.75);
            session.renderer.render(&textured, &camera, &session.settings)
        })
        .collect::<Result<Vec<Image>, _>>()?;
    let start = Instant::now();
    let bytes = encode_gif(&frames, 12.0, &|_| ())?;
    println!(
        "turntable.gif: {} bytes, encoded in {:.0} ms",
        bytes.len(),
        start.elapsed().as_secs_f64() * 1e3
    );
    std::fs::write(session.folder.join("turntable.gif"), bytes)?;
    Ok(())
}

fn scene_of(object: Object) -> Scene {
    Scene { objects: vec![object], ground: Ground::Plane { y: 0.0 }, ..Scene::default() }
}

fn with_material(object: &Object, change: impl Fn(&mut Material)) -> Object {
    let mut material = Material::default();
    change(&mut material);
    let count = object.triangles.len() as u32;
    Object { groups: vec![Group { first: 0, count, material }], ..object.clone() }
}

fn with_bones(mut scene: Scene) -> Scene {
    let limbs = mannequin::limbs();
    let segments = limbs
        .iter()
        .enumerate()
        .map(|(index, limb)| BoneSegment {
            head: limb.head,
            tip: limb.tip,
            link: limb.parent.map(|parent| limbs[parent].tip),
            highlighted: index == 6,
        })
        .collect();
    scene.overlays.push(Overlay::Bones { segments, size: 1.0 });
    let style = TextStyle { size_px: 20.0, halo: Some([255, 255, 255, 160]), ..TextStyle::default() };
    let at =
        LabelAnchor::Scene { point: limbs[6].head.midpoint(limbs[6].tip), offset_px: Vec2::new(60.0, -10.0) };
    scene.overlays.push(Overlay::Label { text: "upper arm, left".to_owned(), at, style });
    scene
}

fn with_weights(mut scene: Scene) -> Scene {
    let shoulder = mannequin::limbs()[6].head;
    let values =
        scene.objects[0].positions.iter().map(|p| (1.2 - (*p - shoulder).length() * 3.0).clamp(0.0, 1.0));
    scene.objects[0].scalar_map = Some(ScalarMap {
        values: values.collect(),
        range: (0.0, 1.0),
        color_map: ColorMap::Weights,
        label: "weight, upper arm".to_owned(),
        unit: String::new(),
    });
    scene
}
