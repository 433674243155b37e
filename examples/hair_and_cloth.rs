//! Drapes a cloth over a ball and shakes a lock of hair, and writes both as OBJ files into a folder:
//! `cargo run --release -p sinew-examples --example hair_and_cloth -- FOLDER`.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use glam::{Quat, Vec3};
use sinew_soft::{
    Chain, ChainMaterial, Collider, ContactSettings, Shape, Sheet, SheetMaterial, SoftBody, StepSettings,
    Strand,
};
use std::fmt::Write as _;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("name a folder to write to")?;
    for (name, text) in [("cloth.obj", cloth()?), ("hair.obj", hair()?)] {
        let path = Path::new(&folder).join(name);
        std::fs::write(&path, text)?;
        println!("{}", path.display());
    }
    Ok(())
}

/// A square metre of 30 × 30 particles, three seconds after it was let go above a ball.
fn cloth() -> Result<String, Box<dyn std::error::Error>> {
    let material = SheetMaterial { bend_square_speed: 200.0, thickness_m: 1e-3, ..SheetMaterial::default() };
    let sheet = Sheet::grid([29, 29], Vec3::X, Vec3::Z, material);
    let mut body = sheet.body()?;
    let middle = Vec3::new(0.5, -0.31, 0.5);
    let touch = ContactSettings { friction: 0.4, ..ContactSettings::default() };
    let ball = [Collider::fixed(Shape::Sphere { radius_m: 0.3 }, middle, Quat::IDENTITY, touch)];
    let settings = StepSettings { damping: 2.0, ..StepSettings::default() };
    (0..180).for_each(|_| body.step(&settings, &ball));
    let mut text = String::new();
    body.positions().try_for_each(|place| vertex(&mut text, place))?;
    for [a, b, c] in &sheet.mesh.triangles {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1)?;
    }
    Ok(text)
}

/// Twenty particles from the side of a head that turns to and fro, as a ribbon along their frames.
fn hair() -> Result<String, Box<dyn std::error::Error>> {
    let radius_m = 0.1;
    let way = Vec3::new(0.6, 0.8, 0.0) * 0.01;
    let points = (0..20).map(|at| Vec3::X * (radius_m + 0.002) + way * at as f32).collect();
    let material = ChainMaterial {
        stretch_square_speed: 1e5,
        bend_square_speed: 500.0,
        twist_square_speed: 250.0,
        density: 300.0,
    };
    let mut body = Chain { strands: vec![Strand { points, radius_m: 0.002 }], material }.body()?;
    let (root, frame) = (body.position(0), body.frame(0).ok_or("a chain without frames")?);
    let mut turn = Quat::IDENTITY;
    for step in 0..45 {
        let before = turn;
        turn = Quat::from_rotation_y((12.6 * step as f32 / 60.0).sin());
        body.hold(0, Some(turn * root));
        body.hold_frame(0, Some(turn * frame));
        let place = (Vec3::ZERO, turn);
        let (shape, settings) = (Shape::Sphere { radius_m }, ContactSettings::default());
        let head = Collider { shape, place, before: (Vec3::ZERO, before), settings };
        body.step(&StepSettings::default(), &[head]);
    }
    ribbon(&body)
}

fn ribbon(body: &SoftBody) -> Result<String, Box<dyn std::error::Error>> {
    let mut text = String::new();
    for at in 0..body.particle_count() {
        let side = body.frame(at).ok_or("a chain without frames")? * Vec3::Z * 0.004;
        vertex(&mut text, body.position(at) - side)?;
        vertex(&mut text, body.position(at) + side)?;
    }
    for at in 1..body.particle_count() {
        let first = 2 * at - 1;
        writeln!(text, "f {} {} {} {}", first, first + 1, first + 3, first + 2)?;
    }
    Ok(text)
}

fn vertex(text: &mut String, place: Vec3) -> std::fmt::Result {
    writeln!(text, "v {} {} {}", place.x, place.y, place.z)
}
