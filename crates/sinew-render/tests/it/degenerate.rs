//! Input at the edge of sense: every case has a defined picture or a named error, and none panics.

use crate::shapes::{BACKDROP, flat, front_camera, render, scene, sphere, square};
use glam::{Vec2, Vec3, Vec4};
use sinew_render::{
    BoneSegment, Camera, ColorMap, Ground, LabelAnchor, Material, Object, Overlay, OverlayDepth, Quality,
    RenderError, RenderSettings, Renderer, ScalarMap, Scene, SceneProblem, TextStyle,
};

const SIZE: (u32, u32) = (48, 32);

fn is_background(image: &sinew_render::Image) -> bool {
    image.pixels().iter().all(|pixel| pixel[..3] == BACKDROP)
}

fn triangle(corners: [Vec3; 3]) -> Object {
    Object::new(corners.to_vec(), vec![[0, 1, 2]], flat([0, 0, 0], 1.0))
}

#[test]
fn triangles_without_a_picture_are_left_out() {
    let cases = [
        [Vec3::NAN, Vec3::X, Vec3::Y],
        [Vec3::INFINITY, Vec3::X, Vec3::Y],
        [Vec3::splat(f32::MAX), Vec3::X, Vec3::Y],
        [Vec3::ZERO; 3],
        [Vec3::ZERO, Vec3::X, Vec3::X * 0.5],
        // Behind the camera.
        [Vec3::new(-1.0, -1.0, 9.0), Vec3::new(1.0, -1.0, 9.0), Vec3::new(0.0, 1.0, 9.0)],
    ];
    for corners in cases {
        for quality in [Quality::Standard, Quality::High] {
            let mut scene = scene(vec![triangle(corners)]);
            scene.ground = Ground::Plane { y: -50.0 };
            let image = render(&scene, &front_camera(), SIZE, quality);
            assert!(is_background(&image), "{corners:?} {quality:?}");
        }
    }
}

#[test]
fn bad_triangles_do_not_harm_their_neighbors() {
    let mut object = square(Vec3::ZERO, 0.5, flat([0, 0, 0], 1.0));
    let clean = render(&scene(vec![object.clone()]), &front_camera(), SIZE, Quality::Standard);
    object.positions.extend([Vec3::NAN, Vec3::splat(1e38), Vec3::NEG_INFINITY]);
    object.uvs.clear();
    object.triangles.extend([[0, 1, 4], [0, 5, 2], [6, 1, 2], [3, 3, 3]]);
    let image = render(&scene(vec![object]), &front_camera(), SIZE, Quality::Standard);
    assert_eq!(image.difference(&clean).unwrap().max, 0);
}

#[test]
fn a_floor_through_the_camera_is_clipped_at_the_near_plane() {
    // A huge horizontal quad below the camera, from far behind it to far ahead: it fills the lower half.
    let positions = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
        .map(|(x, z)| Vec3::new(x * 1e4, -1.0, -z * 1e4))
        .to_vec();
    let object = Object::new(positions, vec![[0, 1, 2], [0, 2, 3]], flat([0, 0, 0], 1.0));
    let image = render(&scene(vec![object]), &front_camera(), SIZE, Quality::Standard);
    for x in 0..SIZE.0 {
        assert_eq!(image.pixel(x, 14)[..3], BACKDROP, "above the horizon at {x}");
        assert_eq!(image.pixel(x, 18)[..3], [0; 3], "below the horizon at {x}");
        assert_eq!(image.pixel(x, SIZE.1 - 1)[..3], [0; 3], "at the bottom at {x}");
    }
}

#[test]
fn odd_values_everywhere_still_give_a_picture() {
    let mut ball = sphere(Vec3::ZERO, 0.5, 8);
    ball.normals[3] = Vec3::NAN;
    ball.normals[4] = Vec3::ZERO;
    ball.uvs[5] = Vec2::NAN;
    ball.vertex_colors = vec![Vec4::new(f32::NAN, f32::INFINITY, -1.0, 2.0); ball.positions.len()];
    ball.scalar_map = None;
    let mut mapped = sphere(Vec3::X, 0.3, 6);
    let mut values = vec![0.5; mapped.positions.len()];
    values[0] = f32::NAN;
    values[1] = f32::INFINITY;
    mapped.scalar_map = Some(ScalarMap {
        values,
        range: (f32::NAN, f32::NAN),
        color_map: ColorMap::Diverging,
        label: String::new(),
        unit: String::new(),
    });
    let mut scene = scene(vec![ball, mapped, Object::default()]);
    scene.ground = Ground::Plane { y: f32::NAN };
    scene.lights.key.elevation_rad = f32::NAN;
    for quality in [Quality::Standard, Quality::High] {
        render(&scene, &front_camera(), SIZE, quality);
    }
}

#[test]
fn odd_overlays_are_left_out() {
    let points =
        vec![Vec3::NAN, Vec3::ZERO, Vec3::splat(1e38), Vec3::new(0.0, 0.0, 7.0), Vec3::new(0.0, 0.0, 5.0)];
    let mut scene = scene(vec![]);
    for depth in [OverlayDepth::XRay, OverlayDepth::Tested] {
        for size in [0.0, -3.0, f32::NAN, f32::INFINITY, 2.0] {
            let color = [0, 0, 0, 255];
            scene.overlays.extend([
                Overlay::Polyline { points: points.clone(), closed: true, width_px: size, color, depth },
                Overlay::Points { points: points.clone(), radius_px: size, color, depth },
            ]);
            let segments = points.iter().flat_map(|&head| {
                points.iter().map(move |&tip| BoneSegment { head, tip, link: Some(tip), highlighted: false })
            });
            scene.overlays.push(Overlay::Bones { segments: segments.collect(), size });
        }
    }
    let style = TextStyle { size_px: f32::INFINITY, ..TextStyle::default() };
    for at in [LabelAnchor::Screen(Vec2::NAN), LabelAnchor::Scene { point: Vec3::NAN, offset_px: Vec2::ZERO }]
    {
        scene.overlays.push(Overlay::Label { text: "x".to_owned(), at, style });
    }
    render(&scene, &front_camera(), SIZE, Quality::Standard);
}

#[test]
fn cameras_without_direction_look_along_minus_z() {
    let object = square(Vec3::new(0.0, 0.0, -2.0), 0.3, flat([0, 0, 0], 1.0));
    let camera = Camera { eye: Vec3::ZERO, target: Vec3::ZERO, up: Vec3::ZERO, vertical_fov_rad: 1.0 };
    let image = render(&scene(vec![object]), &camera, SIZE, Quality::Standard);
    assert_eq!(image.pixel(SIZE.0 / 2, SIZE.1 / 2)[..3], [0; 3]);
}

#[test]
fn errors_name_what_is_wrong() {
    let settings = |width, height| RenderSettings { width, height, quality: Quality::Standard };
    let mut renderer = Renderer::new();
    for (width, height) in [(0, 10), (10, 0), (16_385, 1), (u32::MAX, u32::MAX)] {
        let error =
            renderer.render(&Scene::default(), &front_camera(), &settings(width, height)).unwrap_err();
        assert_eq!(error, RenderError::ImageSize { width, height });
    }
    let camera = Camera { eye: Vec3::NAN, ..front_camera() };
    assert_eq!(
        renderer.render(&Scene::default(), &camera, &settings(4, 4)).unwrap_err(),
        RenderError::Camera
    );
    let object = Object::new(vec![Vec3::ZERO; 3], vec![[0, 1, 2], [0, 1, 3]], Material::default());
    let problem = SceneProblem::VertexIndex { object: 0, triangle: 1, index: 3, vertex_count: 3 };
    let error = renderer.render(&scene(vec![object]), &front_camera(), &settings(4, 4)).unwrap_err();
    assert_eq!(error, RenderError::Scene(vec![problem]));
}

#[test]
fn one_pixel_is_a_picture() {
    for quality in [Quality::Standard, Quality::High] {
        render(&scene(vec![sphere(Vec3::ZERO, 0.5, 6)]), &front_camera(), (1, 1), quality);
    }
}
