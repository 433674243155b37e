//! Small pictures whose content is known beforehand.

use std::sync::Arc;

use crate::shapes::{BACKDROP, flat, front_camera, lightness, render, scene, sphere, square};
use glam::{Vec2, Vec3, Vec4};
use sinew_render::{
    Alpha, BoneSegment, Camera, ColorMap, Filter, Ground, LabelAnchor, Material, Object, Overlay,
    OverlayDepth, Quality, ScalarMap, Scene, TextStyle, Texture, View,
};

const BLACK: [u8; 3] = [0, 0, 0];

#[track_caller]
fn check_color(found: [u8; 4], expected: [u8; 3], tolerance: u8) {
    let worst = (0..3).map(|i| found[i].abs_diff(expected[i])).fold(0, u8::max);
    assert!(worst <= tolerance, "found {found:?}, expected {expected:?} within {tolerance}");
}

#[test]
fn background_keeps_its_color() {
    for quality in [Quality::Standard, Quality::High] {
        let image = render(&scene(vec![]), &front_camera(), (40, 30), quality);
        for pixel in image.pixels() {
            check_color(*pixel, BACKDROP, 0);
        }
    }
}

#[test]
fn a_square_covers_exactly_its_pixels() {
    // One unit is 50 pixels at the origin: the square spans 25..75 in both directions.
    let image = render(
        &scene(vec![square(Vec3::ZERO, 0.5, flat(BLACK, 1.0))]),
        &front_camera(),
        (100, 100),
        Quality::Standard,
    );
    for y in 0..100 {
        for x in 0..100 {
            let is_inside = (25..75).contains(&x) && (25..75).contains(&y);
            check_color(image.pixel(x, y), if is_inside { BLACK } else { BACKDROP }, 0);
        }
    }
}

#[test]
fn an_edge_through_pixels_has_even_steps() {
    // A nearly vertical edge moves one pixel in 80 rows; coverage must rise in eight steps and not fall.
    let positions = vec![
        Vec3::new(-2.0, -2.0, 0.0),
        Vec3::new(-0.025, -2.0, 0.0),
        Vec3::new(0.025, 2.0, 0.0),
        Vec3::new(-2.0, 2.0, 0.0),
    ];
    let object = Object::new(positions, vec![[0, 1, 2], [0, 2, 3]], flat(BLACK, 1.0));
    let image = render(&scene(vec![object]), &front_camera(), (160, 160), Quality::Standard);
    let column: Vec<f32> = (0..160).map(|y| lightness(&image, 79, y)).collect();
    let steps = column.windows(2).filter(|pair| pair[1] > pair[0] + 4.0).count();
    assert!(column.windows(2).all(|pair| pair[1] >= pair[0] - 1.0), "coverage falls: {column:?}");
    assert!((6..=8).contains(&steps), "{steps} steps: {column:?}");
}

#[test]
fn the_nearer_surface_wins_in_any_order() {
    let near = square(Vec3::new(0.0, 0.0, 1.0), 0.3, flat([200, 0, 0], 1.0));
    let far = square(Vec3::ZERO, 0.6, flat([0, 0, 200], 1.0));
    for objects in [vec![near.clone(), far.clone()], vec![far, near]] {
        let image = render(&scene(objects), &front_camera(), (100, 100), Quality::Standard);
        check_color(image.pixel(50, 50), [200, 0, 0], 1);
        check_color(image.pixel(25, 25), [0, 0, 200], 1);
    }
}

#[test]
fn blended_layers_are_sorted_and_mixed() {
    let glass = |z: f32, rgb| {
        let material = Material { alpha: Alpha::Blend, ..flat(rgb, 0.5) };
        square(Vec3::new(0.0, 0.0, z), 0.5, material)
    };
    let back = square(Vec3::new(0.0, 0.0, -1.0), 3.0, flat([255; 3], 1.0));
    let (red, blue) = (glass(0.5, [255, 0, 0]), glass(0.0, [0, 0, 255]));
    let first = render(
        &scene(vec![red.clone(), blue.clone(), back.clone()]),
        &front_camera(),
        (60, 60),
        Quality::Standard,
    );
    let second = render(&scene(vec![blue, back, red]), &front_camera(), (60, 60), Quality::Standard);
    assert_eq!(first.difference(&second).unwrap().max, 0);
    // Linear light: red 0.5 + 0.25 · 0 + 0.25, green 0.25, blue 0.25 + 0.25.
    check_color(first.pixel(30, 30), [225, 137, 188], 1);
}

#[test]
fn masked_texels_are_cut_out() {
    let texture =
        Texture::new(2, 1, &[10, 200, 10, 255, 10, 200, 10, 0]).unwrap().with_filter(Filter::Nearest);
    let material = Material {
        base_color: Vec4::ONE,
        texture: Some(Arc::new(texture)),
        alpha: Alpha::Mask(0.5),
        unlit: true,
        ..Material::default()
    };
    let image = render(
        &scene(vec![square(Vec3::ZERO, 0.5, material)]),
        &front_camera(),
        (100, 100),
        Quality::Standard,
    );
    check_color(image.pixel(35, 50), [10, 200, 10], 1);
    check_color(image.pixel(65, 50), BACKDROP, 0);
}

#[test]
fn single_sided_backs_fill_holes_but_hide_nothing() {
    let mut away =
        square(Vec3::new(0.0, 0.0, 1.0), 0.5, Material { double_sided: false, ..flat([200, 0, 0], 1.0) });
    for corners in &mut away.triangles {
        corners.swap(1, 2);
    }
    let alone = render(&scene(vec![away.clone()]), &front_camera(), (60, 60), Quality::Standard);
    check_color(alone.pixel(30, 30), [200, 0, 0], 1);
    let behind = square(Vec3::ZERO, 0.3, flat([0, 0, 200], 1.0));
    let both = render(&scene(vec![away, behind]), &front_camera(), (60, 60), Quality::Standard);
    check_color(both.pixel(30, 30), [0, 0, 200], 1);
    check_color(both.pixel(16, 30), [200, 0, 0], 1);
}

#[test]
fn a_sphere_is_brighter_toward_the_key_lamp() {
    for quality in [Quality::Standard, Quality::High] {
        let image = render(&scene(vec![sphere(Vec3::ZERO, 0.8, 32)]), &front_camera(), (100, 100), quality);
        let (lit, shaded) = (lightness(&image, 35, 30), lightness(&image, 68, 72));
        assert!(lit > shaded + 40.0, "{quality:?}: key side {lit}, far side {shaded}");
    }
}

fn sphere_on_floor() -> (Scene, Camera) {
    let ball = sphere(Vec3::new(0.0, 0.5, 0.0), 0.5, 32);
    let camera = Camera::frame(View::ThreeQuarter, ball.positions.iter().copied(), 1.5);
    let mut scene = scene(vec![ball]);
    scene.ground = Ground::Plane { y: 0.0 };
    (scene, camera)
}

#[test]
fn floor_is_dark_below_the_object_and_clean_far_away() {
    let (scene, camera) = sphere_on_floor();
    let (near, _) = camera.project(Vec3::new(0.12, 0.0, 0.0), 180, 120).unwrap();
    for quality in [Quality::Standard, Quality::High] {
        let image = render(&scene, &camera, (180, 120), quality);
        let contact = lightness(&image, near.x as u32, near.y as u32 + 8);
        assert!(contact < 190.0, "{quality:?}: shadow beside the contact point is {contact}");
        // The floor in the lower corner is within reach of the ball's faintest shade.
        for (x, y, tolerance) in [(2, 2, 2), (177, 2, 2), (2, 117, 8)] {
            check_color(image.pixel(x, y), BACKDROP, tolerance);
        }
    }
}

#[test]
fn standard_and_high_agree_roughly() {
    let (scene, camera) = sphere_on_floor();
    let standard = render(&scene, &camera, (180, 120), Quality::Standard);
    let high = render(&scene, &camera, (180, 120), Quality::High);
    let difference = standard.difference(&high).unwrap();
    assert!(difference.mean < 4.0, "{difference:?}");
}

#[test]
fn size_of_the_model_does_not_matter() {
    let (scene, camera) = sphere_on_floor();
    let reference = render(&scene, &camera, (90, 60), Quality::Standard);
    for scale in [1e-3, 1e3] {
        let mut scaled = scene.clone();
        scaled.objects[0].positions.iter_mut().for_each(|position| *position *= scale);
        let camera = Camera { eye: camera.eye * scale, target: camera.target * scale, ..camera };
        let image = render(&scaled, &camera, (90, 60), Quality::Standard);
        let difference = image.difference(&reference).unwrap();
        assert!(difference.mean < 0.05, "scale {scale}: {difference:?}");
    }
}

#[test]
fn wireframe_draws_on_edges_only() {
    let mut object = square(Vec3::ZERO, 0.9, Material { unlit: true, ..flat([255; 3], 1.0) });
    object.wireframe = true;
    let image = render(&scene(vec![object]), &front_camera(), (100, 100), Quality::Standard);
    assert!(lightness(&image, 50, 49) < 190.0, "the diagonal runs through this pixel's middle");
    assert!(lightness(&image, 5, 50) < 225.0, "the left edge runs along this pixel's border");
    check_color(image.pixel(30, 40), [255; 3], 1);
}

#[test]
fn scalar_maps_show_their_ends_and_a_legend() {
    let mut object = square(Vec3::new(-0.5, 0.0, 0.0), 0.5, Material { unlit: true, ..Material::default() });
    object.scalar_map = Some(ScalarMap {
        values: vec![0.0, 1.0, 1.0, 0.0],
        range: (0.0, 1.0),
        color_map: ColorMap::Sequential,
        label: "error".to_owned(),
        unit: "mm".to_owned(),
    });
    let image = render(&scene(vec![object]), &front_camera(), (320, 160), Quality::Standard);
    let (low, high) = (image.pixel(82, 80), image.pixel(158, 80));
    assert!(low[2] > low[1] && high[1] > high[2], "violet to yellow, found {low:?} and {high:?}");
    let ink = (200..320)
        .flat_map(|x| (0..160).map(move |y| (x, y)))
        .filter(|&(x, y)| lightness(&image, x, y) < 200.0);
    assert!(ink.count() > 200, "the legend is drawn at the right");
}

#[test]
fn overlays_are_drawn_and_tested_against_depth() {
    let line = |depth| Overlay::Polyline {
        points: vec![Vec3::new(-0.9, 0.0, -1.0), Vec3::new(0.9, 0.0, -1.0)],
        closed: false,
        width_px: 4.0,
        color: [255, 0, 0, 255],
        depth,
    };
    let mut scene = scene(vec![square(Vec3::ZERO, 0.4, flat([0, 0, 200], 1.0))]);
    scene.overlays = vec![line(OverlayDepth::Tested)];
    let hidden = render(&scene, &front_camera(), (100, 100), Quality::Standard);
    check_color(hidden.pixel(50, 50), [0, 0, 200], 1);
    check_color(hidden.pixel(20, 50), [255, 0, 0], 1);
    scene.overlays = vec![line(OverlayDepth::XRay)];
    let shown = render(&scene, &front_camera(), (100, 100), Quality::Standard);
    check_color(shown.pixel(50, 50), [255, 0, 0], 1);
}

#[test]
fn bones_points_and_labels_leave_ink() {
    let bone = BoneSegment {
        head: Vec3::new(0.0, -0.5, 0.0),
        tip: Vec3::new(0.0, 0.5, 0.0),
        link: Some(Vec3::new(0.5, -0.5, 0.0)),
        highlighted: true,
    };
    let overlays = [
        (Overlay::Bones { segments: vec![bone], size: 1.0 }, (50, 60)),
        (
            Overlay::Points {
                points: vec![Vec3::ZERO],
                radius_px: 3.0,
                color: [0, 0, 0, 255],
                depth: OverlayDepth::Tested,
            },
            (50, 50),
        ),
    ];
    for (overlay, (x, y)) in overlays {
        let mut scene = scene(vec![]);
        scene.overlays = vec![overlay];
        let image = render(&scene, &front_camera(), (100, 100), Quality::Standard);
        assert!(image.pixel(x, y)[2] < 180, "ink at ({x}, {y}), found {:?}", image.pixel(x, y));
    }
    let mut scene = scene(vec![]);
    let at = LabelAnchor::Scene { point: Vec3::ZERO, offset_px: Vec2::ZERO };
    scene.overlays = vec![Overlay::Label {
        text: "H".to_owned(),
        at,
        style: TextStyle { size_px: 60.0, ..TextStyle::default() },
    }];
    let image = render(&scene, &front_camera(), (100, 100), Quality::Standard);
    let ink = (50..100).filter(|&x| lightness(&image, x, 40) < 120.0).count();
    assert!(ink > 3, "the stems of the letter, found {ink} dark pixels");
}
