//! Where a fitted body is off its target, as a picture.

use super::FittedScan;
use glam::Vec3;
use sinew_picture::PictureError;
use sinew_render::{
    Camera, ColorMap, Ground, Image, Material, Object, RenderSettings, Renderer, ScalarMap, Scene, View,
    contact_sheet,
};

/// The views of the map.
const VIEWS: [(View, &str); 3] = [(View::Front, "front"), (View::Side, "side"), (View::Back, "back")];

/// Distances that the colors show at least, millimetres: a good fit shall not look like a bad one.
const LEAST_RANGE_MM: f32 = 10.0;

/// Draws the target from front, side and back, colored by its distance to the body: blue where the target lies inside, red where it lies
/// outside, grey where vertices do not count. `size`: pixels of one view.
///
/// # Errors
/// The renderer refused.
pub fn residual_map(fitted: &FittedScan, size: (u32, u32)) -> Result<Image, PictureError> {
    let (target, residuals) = (&fitted.target, &fitted.result.residuals);
    let range = (1e3 * residuals.p95_m as f32).max(LEAST_RANGE_MM).ceil();
    let values = residuals.signed_m.iter().zip(target.is_excluded()).map(|(&distance, &is_out)| {
        // Vertices without a value are drawn in grey.
        if is_out { f32::NAN } else { 1e3 * distance as f32 }
    });
    let positions: Vec<Vec3> = target.positions().iter().map(|position| position.as_vec3()).collect();
    let lowest = positions.iter().map(|position| position.y).fold(f32::INFINITY, f32::min);
    let object = Object {
        scalar_map: Some(ScalarMap {
            values: values.collect(),
            range: (-range, range),
            color_map: ColorMap::Diverging,
            label: "outside the body".into(),
            unit: "mm".into(),
        }),
        ..Object::new(positions.clone(), target.triangles().to_vec(), Material::default())
    };
    let scene = Scene { objects: vec![object], ground: Ground::Plane { y: lowest }, ..Scene::default() };
    let settings = RenderSettings { width: size.0, height: size.1, ..RenderSettings::default() };
    let mut renderer = Renderer::new();
    let mut cells = Vec::new();
    for (view, caption) in VIEWS {
        let camera = Camera::frame(view, positions.iter().copied(), size.0 as f32 / size.1 as f32);
        cells.push((renderer.render(&scene, &camera, &settings)?, caption.to_owned()));
    }
    let title = format!(
        "{:.1} mm root mean square, 95 % under {:.1} mm, {:.1} mm at most",
        1e3 * residuals.rms_m,
        1e3 * residuals.p95_m,
        1e3 * residuals.worst.1.abs()
    );
    Ok(contact_sheet(&cells, VIEWS.len(), Some(&title))?)
}
