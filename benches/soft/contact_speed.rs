//! Prints what contact costs on this machine: `cargo run --release --manifest-path benches/Cargo.toml --example contact_speed`.
//!
//! Ten bars of 225 particles each fall on a slope of 20° and come to rest in a pile, with and without contact between them, on one
//! thread.
#![expect(clippy::print_stdout, reason = "an example that prints")]

use glam::{Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_soft::{
    Between, Collider, ContactSettings, MeshShape, RegionMaterial, Regions, Rings, Shape, Skin, SoftBody,
    StepSettings, World,
};
use std::sync::Arc;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build()?;
    pool.install(measure).map_err(Into::into)
}

fn measure() -> Result<(), sinew_soft::SkinError> {
    let mesh = TetMesh::lattice([8, 4, 4], Vec3::new(0.8, 0.4, 0.4));
    let masses = vec![0.5; mesh.points().len()];
    let regions =
        Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| RegionMaterial::default());
    let skin = Arc::new(Skin::of_tets(&mesh, 0.0)?);
    let mut bodies = Vec::new();
    for bar in 0..10 {
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions.clone(), None)]);
        let turn = Quat::from_rotation_y(0.7 * bar as f32) * Quat::from_rotation_x(0.4 * bar as f32);
        let place = Vec3::new(0.02 * bar as f32, 0.6 + 0.55 * bar as f32, 0.0);
        for (at, point) in mesh.points().iter().enumerate() {
            body.set_position(at, place + turn * (*point - Vec3::new(0.4, 0.2, 0.2)));
        }
        bodies.push(body.with_skin(skin.clone())?);
    }
    let friction = ContactSettings { friction: 0.6, ..ContactSettings::default() };
    let tilt = Quat::from_rotation_z(20f32.to_radians());
    // A wall at the lower end and one on each side, so that they pile up.
    let wall = |place: Vec3, turn: Quat| Collider::fixed(Shape::HalfSpace, place, turn, friction);
    let slope = [
        wall(Vec3::ZERO, tilt),
        wall(tilt * Vec3::X * -1.0, tilt * Quat::from_rotation_z(-std::f32::consts::FRAC_PI_2)),
        wall(Vec3::Z * 0.6, Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2)),
        wall(Vec3::Z * -0.6, Quat::from_rotation_x(std::f32::consts::FRAC_PI_2)),
    ];
    let between = Between { settings: friction, ..Between::default() };
    let settings = StepSettings::default();
    for (name, between) in [("without", None), ("with", Some(between))] {
        let mut world = World::with_settings(bodies.clone(), between);
        for second in 1..=10 {
            // The least of all steps, because others use the machine too.
            let mut ms = f64::INFINITY;
            for _ in 0..60 {
                let start = Instant::now();
                world.step(&settings, &slope);
                ms = ms.min(start.elapsed().as_secs_f64() * 1000.0);
            }
            let fastest = |body: &SoftBody| {
                (0..body.particle_count()).map(|at| body.velocity(at).length()).fold(0.0, f32::max)
            };
            let fastest = world.bodies().iter().map(fastest).fold(0.0, f32::max);
            let touches = world.touch_count();
            println!(
                "{name} contact, second {second}: {ms:.2} ms a step, {touches} touches, fastest {fastest:.4} m/s"
            );
        }
    }
    measure_mesh();
    Ok(())
}

/// A bar of 2,025 particles on a ball, as a shape and as a mesh of 10,000 triangles.
fn measure_mesh() {
    let mesh = TetMesh::lattice([24, 8, 8], Vec3::new(0.8, 0.4, 0.4));
    let masses = vec![0.05; mesh.points().len()];
    let rings = Rings::of_tets(&mesh);
    let regions = Regions::bind(mesh.points(), &masses, &rings, |_| RegionMaterial::default());
    let Ok(ball) = MeshShape::new(&sinew_geometry::shapes::sphere(2.0, 100, 50)) else { return };
    for (name, shape) in [("shape", Shape::Sphere { radius_m: 2.0 }), ("mesh", Shape::Mesh(Arc::new(ball)))] {
        let ball =
            Collider::fixed(shape, Vec3::new(0.4, -2.0, 0.2), Quat::IDENTITY, ContactSettings::default());
        let mut body = SoftBody::new(mesh.points(), &masses, vec![(regions.clone(), None)]);
        let mut times = [f64::INFINITY; 2];
        for step in 0..120 {
            let start = Instant::now();
            body.step(&StepSettings::default(), std::slice::from_ref(&ball));
            // The first half falls, the second lies.
            let least = &mut times[step / 60];
            *least = least.min(start.elapsed().as_secs_f64() * 1000.0);
        }
        println!(
            "2,025 particles on a ball as a {name}: {:.2} ms a step, lying {:.2} ms",
            times[0], times[1]
        );
    }
}
