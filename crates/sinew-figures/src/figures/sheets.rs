//! Pictures of the models, a sheet each.

use super::loci::{Drawing, color_of, dots, drawn_joint, label, sdef_at};
use super::{FigureModel, Measured, Size, line};
use glam::{DVec3, Vec2, Vec3};
use sinew_picture::compare::title_of;
use sinew_render::{
    Camera, Image, LabelAnchor, Material, Object, Overlay, RenderError, RenderSettings, Renderer, Scene,
    contact_sheet,
};
use sinew_rig::{BoundSurface, Surface};
use sinew_skin::Method;
use sinew_skin::measures::ProbedJoint;
use std::f32::consts::FRAC_PI_2;

/// The methods that the source shows, in its order.
pub const METHODS: [Method; 5] = [Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb];

/// Meshes up to this size are drawn with their triangles.
const MOST_WIRED_TRIANGLES: usize = 1000;

/// A model by several methods, side by side under one camera, with a caption of measures each.
pub(crate) fn model_sheet(
    model: &FigureModel,
    figures: &[Measured],
    size: Size,
) -> Result<Image, RenderError> {
    let bound = BoundSurface::of(&model.character);
    let all = figures.iter().flat_map(|figure| figure.surface.positions.iter().copied());
    let camera = Camera::frame_from(model.toward_eye, Vec3::Y, all, size.0 as f32 / size.1 as f32);
    let settings = RenderSettings { width: size.0, height: size.1, ..RenderSettings::default() };
    let mut renderer = Renderer::new();
    let mut cells = Vec::new();
    for figure in figures {
        let Surface { positions, normals, .. } = figure.surface.clone();
        let skin = Object::new(positions, bound.triangles().to_vec(), Material::default());
        // A dense wire is only a pattern.
        let wireframe = bound.triangles().len() <= MOST_WIRED_TRIANGLES;
        let objects = vec![Object { normals, wireframe, ..skin }];
        let scene = Scene { objects, overlays: overlays(figure), ..Scene::default() };
        cells.push((renderer.render(&scene, &camera, &settings)?, figure.row(model).caption()));
    }
    let title = format!("Model {} ({} of the source)", model.title, model.source);
    contact_sheet(&cells, 3, Some(&title))
}

/// The center curve, the ends of the soft range, and the method's name.
fn overlays(figure: &Measured) -> Vec<Overlay> {
    let color = color_of(figure.method);
    let curve = |curve: &[DVec3]| curve.iter().map(|point| point.as_vec3()).collect();
    let curves = figure.curves.iter().map(|points| line(curve(points), false, 2.0, color));
    let ends = figure.joints.iter().map(|ProbedJoint { probe, .. }| {
        let begin = probe.parent.transform_point3(probe.range.begin);
        dots(vec![begin, probe.child.transform_point3(probe.range.end)], 4.0)
    });
    let at = LabelAnchor::Screen(Vec2::new(14.0, 30.0));
    curves.chain(ends).chain([label(title_of(figure.method), at, 24.0, color)]).collect()
}

/// The loci of figures 1 to 4 on one sheet.
pub(crate) fn loci_sheet(size: Size) -> Result<Image, RenderError> {
    let straight = drawn_joint(0.35, 0.7, 0.0, FRAC_PI_2);
    let bent = drawn_joint(0.35, 0.7, 0.5, FRAC_PI_2);
    let even = drawn_joint(0.5, 0.5, 0.0, FRAC_PI_2);
    let draw = |probe, methods: &[(&str, Method, Method)], caption: &str| {
        let mut drawing = Drawing::of(probe);
        methods
            .iter()
            .for_each(|&(name, method, color)| drawing.method(probe, name, method, color_of(color)));
        Ok((drawing.draw(size)?, caption.to_owned()))
    };
    let own = |name, method| (name, method, method);
    let titles = METHODS.map(title_of);
    let every: Vec<_> =
        titles.iter().zip(METHODS).map(|(title, method)| own(title.as_str(), method)).collect();
    let [lbs, sdef] = [own("f1, LBS", Method::Lbs), own("f3, SBS+", Method::SDEF)];
    let improved = [own("SBS+", Method::SDEF), own("Bézier", Method::BEZIER)];
    let kinks = "Fig. 1: the centers of LBS and SBS; kinks at r0 / r1";
    let cells = [
        draw(&straight, &[own("center curve", Method::Lbs)], kinks)?,
        draw(&bent, &[own("SBS+", Method::SDEF)], "Fig. 2: bones bent by 0.5 rad in rest")?,
        draw(
            &straight,
            &[lbs, ("f2, line", sdef_at(0.0), Method::SBS), sdef],
            "Fig. 3: f1, f2 and their mean f3",
        )?,
        draw(&straight, &improved, "Fig. 4: the improved function")?,
        draw(&straight, &every, "All methods, a : b = 1 : 2")?,
        draw(&even, &every, "All methods, a : b = 1 : 1: SBS+ is Bézier")?,
    ];
    contact_sheet(&cells, 3, Some("Center curves of a joint turned by 90°"))
}

/// The curves of SBS+ for s from 1 to 0.
pub(super) fn sweep_drawing(size: Size) -> Result<Image, RenderError> {
    let probe = drawn_joint(0.35, 0.7, 0.0, FRAC_PI_2);
    let mut drawing = Drawing::of(&probe);
    for (index, s) in SWEEP.into_iter().enumerate() {
        let share = index as f32 / (SWEEP.len() - 1) as f32;
        let mixed = |from: f32, to: f32| (from + (to - from) * share) as u8;
        let color = [mixed(210.0, 30.0), mixed(110.0, 90.0), mixed(40.0, 210.0), 255];
        drawing.method(&probe, &format!("s = {s}"), sdef_at(s), color);
    }
    drawing.draw(size)
}

/// Shares of the plain blend, from SBS to the straight line.
pub const SWEEP: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
