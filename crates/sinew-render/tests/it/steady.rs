//! Pictures that follow each other: shadows that keep still, marks on the floor, line drawings.

use crate::shapes::{scene, sphere};
use glam::Vec3;
use sinew_render::{Camera, FloorMarks, Ground, Image, RenderSettings, Renderer, Scene, Steady};

const SIZE: (u32, u32) = (240, 120);

/// A sphere that stays on the left, one that moves on the right.
fn spheres(step: usize, is_steady: bool) -> Scene {
    let moved = Vec3::new(2.0 + 0.031 * step as f32, 0.5, 0.017 * step as f32);
    let mut scene = scene(vec![sphere(Vec3::new(-2.0, 0.5, 0.0), 0.5, 24), sphere(moved, 0.5, 24)]);
    scene.ground = Ground::Plane { y: 0.0 };
    scene.lights.follow_camera = false;
    let center = (moved + Vec3::new(-2.0, 0.5, 0.0)) * 0.5;
    scene.steady = is_steady.then_some(Steady { center, extent: 6.5, subject: 2.0 });
    scene
}

fn draw(scene: &Scene, eye: Vec3) -> Image {
    let camera = Camera { eye, target: Vec3::new(0.0, 0.5, 0.0), up: Vec3::Y, vertical_fov_rad: 0.5 };
    let settings = RenderSettings { width: SIZE.0, height: SIZE.1, ..RenderSettings::default() };
    Renderer::new().render(scene, &camera, &settings).expect("a scene")
}

/// The most that a channel in the left half differs between any picture and the first.
fn crawl(is_steady: bool) -> u8 {
    let eye = Vec3::new(0.0, 2.5, 9.0);
    let first = draw(&spheres(0, is_steady), eye);
    let mut most = 0;
    for step in 1..12 {
        let image = draw(&spheres(step, is_steady), eye);
        for (x, y) in (0..SIZE.0 * 9 / 20).flat_map(|x| (0..SIZE.1).map(move |y| (x, y))) {
            let (a, b) = (image.pixel(x, y), first.pixel(x, y));
            most = a.iter().zip(b).fold(most, |most, (a, b)| most.max(a.abs_diff(b)));
        }
    }
    most
}

#[test]
fn the_shadow_of_what_rests_keeps_still_while_others_move() {
    // Two levels of 8 bits: what the moving sphere's own sky shadow takes away from afar.
    let (steady, free) = (crawl(true), crawl(false));
    assert!(steady <= 2, "crawls by {steady} levels");
    assert!(free > 4, "the test sees crawling where nothing holds it: {free}");
}

#[test]
fn steady_light_shows_the_same_as_free_light() {
    let eye = Vec3::new(0.0, 2.5, 9.0);
    let difference =
        draw(&spheres(3, true), eye).difference(&draw(&spheres(3, false), eye)).expect("one size");
    // Grain differs a little along the edges of shadows, nothing else.
    assert!(difference.mean < 0.8, "{difference:?}");
}

#[test]
fn lengths_that_are_none_do_not_count() {
    let mut broken = spheres(0, true);
    broken.steady = Some(Steady { center: Vec3::NAN, extent: 0.0, subject: f32::INFINITY });
    broken.floor_marks = Some(FloorMarks { spacing: f32::NAN, width: 0.1, strength: 0.5, fade: 5.0 });
    let eye = Vec3::new(0.0, 2.5, 9.0);
    assert_eq!(draw(&broken, eye), draw(&spheres(0, false), eye));
}

#[test]
fn marks_darken_the_floor_where_lines_are_and_nowhere_else() {
    let mut plain = spheres(0, true);
    plain.objects.clear();
    let mut marked = plain.clone();
    marked.floor_marks = Some(FloorMarks { spacing: 1.0, width: 0.05, strength: 0.5, fade: 30.0 });
    let eye = Vec3::new(0.5, 4.0, 6.0);
    let camera = Camera { eye, target: Vec3::new(0.5, 0.0, 0.5), up: Vec3::Y, vertical_fov_rad: 0.7 };
    let settings = RenderSettings { width: 400, height: 300, ..RenderSettings::default() };
    let [plain, marked] =
        [plain, marked].map(|scene| Renderer::new().render(&scene, &camera, &settings).expect("a scene"));
    let darkening = |point: Vec3| {
        let (pixel, _) = camera.project(point, 400, 300).expect("seen");
        let at = |image: &Image| f32::from(image.pixel(pixel.x as u32, pixel.y as u32)[1]);
        at(&plain) - at(&marked)
    };
    assert!(darkening(Vec3::new(1.0, 0.0, 0.5)) > 20.0, "on a line along Z");
    assert!(darkening(Vec3::new(0.5, 0.0, 0.0)) > 20.0, "on a line along X");
    assert!(darkening(Vec3::new(0.5, 0.0, 0.5)).abs() < 2.0, "between lines");
}

#[test]
fn lines_show_outlines_and_hide_what_is_behind() {
    // A small sphere behind a large one leaves no line.
    let mut hidden = scene(vec![sphere(Vec3::ZERO, 0.6, 32), sphere(Vec3::new(0.0, 0.0, -2.0), 0.3, 32)]);
    let settings = RenderSettings { width: 120, height: 120, ..RenderSettings::default() };
    let camera = crate::shapes::front_camera();
    let both = Renderer::new().render_lines(&hidden, &camera, &settings).expect("a scene");
    hidden.objects.truncate(1);
    let one = Renderer::new().render_lines(&hidden, &camera, &settings).expect("a scene");
    assert_eq!(both, one);
    let ink = |image: &Image| image.pixels().iter().filter(|pixel| pixel[0] < 128).count();
    // A circle of radius 36 pixels and two pixels of ink: about 450.
    assert!((200..900).contains(&ink(&one)), "{} pixels of ink", ink(&one));
    assert!(one.pixel(60, 60)[0] > 240, "paper in the middle");
    // In front it has an outline of its own.
    hidden.objects.push(sphere(Vec3::new(0.0, 0.0, 1.5), 0.2, 32));
    let front = Renderer::new().render_lines(&hidden, &camera, &settings).expect("a scene");
    assert!(ink(&front) > ink(&one) + 60, "{} and {}", ink(&front), ink(&one));
}
