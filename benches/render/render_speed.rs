//! Measures the Standard renderer on a dense, textured model, once standing in the picture and once filling it.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --example render_speed [frames] [standing|filling]`
#![expect(clippy::print_stdout, reason = "an example prints")]

#[path = "../../examples/mannequin/mod.rs"]
mod mannequin;

use std::sync::Arc;
use std::time::Instant;

use glam::{Vec3, Vec4};
use sinew_render::{Camera, Ground, Group, Material, RenderError, RenderSettings, Renderer, Scene, View};

fn main() -> Result<(), RenderError> {
    let frames = std::env::args().nth(1).and_then(|count| count.parse().ok()).unwrap_or(21);
    let mut body = mannequin::mannequin(0.0088);
    let triangle_count = body.triangles.len();
    let material = Material {
        base_color: Vec4::ONE,
        texture: Some(Arc::new(mannequin::checker())),
        ..Material::default()
    };
    body.groups = vec![Group { first: 0, count: triangle_count as u32, material }];
    let all = body.positions.clone();
    let torso: Vec<Vec3> =
        all.iter().copied().filter(|p| p.x.abs() < 0.22 && (1.1..1.5).contains(&p.y)).collect();
    let scene = Scene { objects: vec![body], ground: Ground::Plane { y: 0.0 }, ..Scene::default() };
    let settings = RenderSettings::default();
    let aspect = settings.width as f32 / settings.height as f32;
    let mut renderer = Renderer::new();
    let only = std::env::args().nth(2);
    for (name, view, points) in [("standing", View::ThreeQuarter, &all), ("filling", View::Front, &torso)] {
        if only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let camera = Camera::frame(view, points.iter().copied(), aspect);
        let mut times_ms = Vec::new();
        for _ in 0..frames {
            let start = Instant::now();
            renderer.render(&scene, &camera, &settings)?;
            times_ms.push(start.elapsed().as_secs_f64() * 1e3);
        }
        times_ms.sort_by(f64::total_cmp);
        println!(
            "{name}: {triangle_count} triangles, {}×{}, {} threads: median {:.1} ms, best {:.1} ms",
            settings.width,
            settings.height,
            rayon::current_num_threads(),
            times_ms[times_ms.len() / 2],
            times_ms[0],
        );
    }
    Ok(())
}
