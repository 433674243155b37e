//! The same picture for any number of threads, and from a renderer that has drawn other things before.

use std::sync::Arc;

use crate::shapes::{flat, scene, sphere, square};
use glam::{Vec3, Vec4};
use sinew_render::{
    Alpha, Camera, Ground, Group, Image, Material, Quality, RenderSettings, Renderer, Scene, Texture, View,
    encode_gif,
};

fn busy_scene() -> (Scene, Camera) {
    let mut ball = sphere(Vec3::new(0.0, 0.5, 0.0), 0.5, 40);
    let pixels: Vec<u8> = (0..64 * 64_u32)
        .flat_map(|i| [(i * 7) as u8, (i / 64 * 4) as u8, 90, (i % 64 * 8).min(255) as u8])
        .collect();
    let material = Material {
        base_color: Vec4::ONE,
        texture: Some(Arc::new(Texture::new(64, 64, &pixels).expect("the byte count matches"))),
        alpha: Alpha::Blend,
        ..Material::default()
    };
    let count = ball.triangles.len() as u32;
    ball.groups = vec![Group { first: 0, count: count / 2, material }];
    let glass =
        square(Vec3::new(0.3, 0.6, 0.8), 0.3, Material { alpha: Alpha::Blend, ..flat([90, 160, 220], 0.4) });
    let camera = Camera::frame(View::ThreeQuarter, ball.positions.iter().copied(), 1.3);
    let mut scene = scene(vec![ball, glass]);
    scene.ground = Ground::Plane { y: 0.0 };
    (scene, camera)
}

fn with_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().expect("threads start").install(work)
}

#[test]
fn pictures_do_not_depend_on_thread_count() {
    let (scene, camera) = busy_scene();
    for quality in [Quality::Standard, Quality::High] {
        let settings = RenderSettings { width: 210, height: 160, quality };
        let pictures: Vec<Image> = [1, 2, 5]
            .map(|count| with_threads(count, || Renderer::new().render(&scene, &camera, &settings).unwrap()))
            .to_vec();
        assert!(pictures[0] == pictures[1] && pictures[0] == pictures[2], "{quality:?}");
    }
}

#[test]
fn pictures_do_not_depend_on_earlier_ones() {
    let (busy, camera) = busy_scene();
    let small = RenderSettings { width: 70, height: 50, quality: Quality::Standard };
    let fresh = Renderer::new().render(&busy, &camera, &small).unwrap();
    let mut renderer = Renderer::new();
    let large = RenderSettings { width: 200, height: 120, quality: Quality::High };
    renderer.render(&busy, &camera, &large).unwrap();
    renderer.render(&Scene::default(), &camera, &small).unwrap();
    assert!(renderer.render(&busy, &camera, &small).unwrap() == fresh);
}

#[test]
fn animations_do_not_depend_on_thread_count() {
    let (scene, camera) = busy_scene();
    let settings = RenderSettings { width: 80, height: 60, quality: Quality::Standard };
    let frame = Renderer::new().render(&scene, &camera, &settings).unwrap();
    let gifs = [1, 2, 5].map(|count| {
        with_threads(count, || encode_gif(std::slice::from_ref(&frame), 12.0, &|_| ()).unwrap())
    });
    assert!(gifs[0] == gifs[1] && gifs[0] == gifs[2]);
}
