//! Pictures of the models, a sheet each.

use super::loci::{Drawing, INK, color_of, drawn_joint, sdef_at};
use super::{FigureModel, Measured};
use glam::{Vec2, Vec3};
use sinew_picture::compare::title_of;
use sinew_render::{
    Camera, Image, LabelAnchor, Material, Object, Overlay, OverlayDepth, RenderError, RenderSettings,
    Renderer, Scene, TextStyle, contact_sheet,
};
use sinew_rig::BoundSurface;
use sinew_skin::Method;
use std::f32::consts::FRAC_PI_2;

/// The methods that the source shows, in its order.
pub const METHODS: [Method; 5] = [Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb];

/// Meshes up to this size are drawn with their triangles.
const MOST_WIRED_TRIANGLES: usize = 1000;

/// A model by several methods, side by side under one camera, with a caption of measures each.
pub(crate) fn model_sheet(
    model: &FigureModel,
    figures: &[Measured],
    size: (u32, u32),
) -> Result<Image, RenderError> {
    let bound = BoundSurface::of(&model.character);
    let all = figures.iter().flat_map(|figure| figure.surface.positions.iter().copied());
    let camera = Camera::frame_from(model.toward_eye, Vec3::Y, all, size.0 as f32 / size.1 as f32);
    let settings = RenderSettings { width: size.0, height: size.1, ..RenderSettings::default() };
    let mut renderer = Renderer::new();
    let mut cells = Vec::new();
    for figure in figures {
        let row = figure.row(model);
        let scene = Scene {
            objects: vec![Object {
                normals: figure.surface.normals.clone(),
                // A dense wire is only a pattern.
                wireframe: bound.triangles().len() <= MOST_WIRED_TRIANGLES,
                ..Object::new(
                    figure.surface.positions.clone(),
                    bound.triangles().to_vec(),
                    Material::default(),
                )
            }],
            overlays: overlays(figure),
            ..Scene::default()
        };
        cells.push((renderer.render(&scene, &camera, &settings)?, row.caption()));
    }
    let title = format!("Model {} ({} of the source)", model.title, model.source);
    contact_sheet(&cells, 3, Some(&title))
}

/// The center curve, the ends of the soft range, and the method's name.
fn overlays(figure: &Measured) -> Vec<Overlay> {
    let color = color_of(figure.method);
    let mut overlays: Vec<Overlay> = figure
        .curves
        .iter()
        .map(|curve| Overlay::Polyline {
            points: curve[1..curve.len() - 1].iter().map(|point| point.as_vec3()).collect(),
            closed: false,
            width_px: 2.0,
            color,
            depth: OverlayDepth::XRay,
        })
        .collect();
    for joint in &figure.joints {
        let probe = &joint.probe;
        let points = vec![
            probe.parent.transform_point3(probe.range.begin),
            probe.child.transform_point3(probe.range.end),
        ];
        overlays.push(Overlay::Points { points, radius_px: 4.0, color: INK, depth: OverlayDepth::XRay });
    }
    overlays.push(Overlay::Label {
        text: title_of(figure.method),
        at: LabelAnchor::Screen(Vec2::new(14.0, 30.0)),
        style: TextStyle { size_px: 24.0, color, ..TextStyle::default() },
    });
    overlays
}

/// The loci of figures 1 to 4 on one sheet.
pub(crate) fn loci_sheet(size: (u32, u32)) -> Result<Image, RenderError> {
    let straight = drawn_joint(0.35, 0.7, 0.0, FRAC_PI_2);
    let bent = drawn_joint(0.35, 0.7, 0.5, FRAC_PI_2);
    let even = drawn_joint(0.5, 0.5, 0.0, FRAC_PI_2);
    let draw = |probe, methods: &[(&str, Method)]| {
        let mut drawing = Drawing::of(probe);
        methods.iter().for_each(|&(name, method)| drawing.method(probe, name, method, color_of(method)));
        drawing.draw(size)
    };
    let mut all_three = Drawing::of(&straight);
    all_three.method(&straight, "f1, LBS", Method::Lbs, color_of(Method::Lbs));
    all_three.method(&straight, "f2, line", sdef_at(0.0), color_of(Method::SBS));
    all_three.method(&straight, "f3, SBS+", Method::SDEF, color_of(Method::SDEF));
    let every = METHODS.map(|method| (title_of(method), method));
    let every: Vec<(&str, Method)> = every.iter().map(|(name, method)| (name.as_str(), *method)).collect();
    let cells = [
        (
            draw(&straight, &[("center curve", Method::Lbs)])?,
            "Fig. 1: the centers of LBS and SBS; kinks at r0 / r1".to_owned(),
        ),
        (draw(&bent, &[("SBS+", Method::SDEF)])?, "Fig. 2: bones bent by 0.5 rad in rest".to_owned()),
        (all_three.draw(size)?, "Fig. 3: f1, f2 and their mean f3".to_owned()),
        (
            draw(&straight, &[("SBS+", Method::SDEF), ("Bézier", Method::BEZIER)])?,
            "Fig. 4: the improved function".to_owned(),
        ),
        (draw(&straight, &every)?, "All methods, a : b = 1 : 2".to_owned()),
        (draw(&even, &every)?, "All methods, a : b = 1 : 1: SBS+ is Bézier".to_owned()),
    ];
    contact_sheet(&cells, 3, Some("Center curves of a joint turned by 90°"))
}

/// The curves of SBS+ for s from 1 to 0.
pub(super) fn sweep_drawing(size: (u32, u32)) -> Result<Image, RenderError> {
    let probe = drawn_joint(0.35, 0.7, 0.0, FRAC_PI_2);
    let mut drawing = Drawing::of(&probe);
    for (index, s) in SWEEP.into_iter().enumerate() {
        let share = index as f32 / (SWEEP.len() - 1) as f32;
        let mixed = |from: f32, to: f32| (from + (to - from) * share) as u8;
        drawing.method(
            &probe,
            &format!("s = {s}"),
            sdef_at(s),
            [mixed(210.0, 30.0), mixed(110.0, 90.0), mixed(40.0, 210.0), 255],
        );
    }
    drawing.draw(size)
}

/// Shares of the plain blend, from SBS to the straight line.
pub const SWEEP: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
