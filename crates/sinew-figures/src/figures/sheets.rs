//! Pictures of the models, a sheet each.

use super::loci::{Drawing, INK, color_of, dots, drawn_joint, label, sdef_at};
use super::{FigureModel, Measured, Size, drawn, line};
use glam::{DVec3, Vec2, Vec3};
use sinew_picture::compare::{MeasureRow, leave_room, title_of};
use sinew_render::{
    BoneSegment, Camera, ColorMap, Image, LabelAnchor, Material, Object, Overlay, RenderError, ScalarMap,
    Scene, contact_sheet,
};
use sinew_rig::{BoundSurface, Surface};
use sinew_skin::Method;
use sinew_skin::measures::ProbedJoint;
use std::f32::consts::FRAC_PI_2;

/// The methods that the source shows, in its order.
pub const METHODS: [Method; 5] = [Method::Lbs, Method::SBS, Method::SDEF, Method::BEZIER, Method::Dlb];

/// Meshes up to this size are drawn with their triangles.
const MOST_WIRED_TRIANGLES: usize = 1000;

/// A model at rest with its bones and by several methods, side by side, with a caption of measures each.
pub(crate) fn model_sheet(
    model: &FigureModel,
    figures: &[Measured],
    size: Size,
) -> Result<Image, RenderError> {
    let title = format!("Model {} ({} of the source)", model.title, model.source);
    titled_sheet((model, figures), &title, |figure| title_of(figure.method), size)
}

/// [`model_sheet`] with a title of its own, and a name for each figure.
pub(super) fn titled_sheet(
    (model, figures): (&FigureModel, &[Measured]),
    title: &str,
    name: impl Fn(&Measured) -> String,
    size: Size,
) -> Result<Image, RenderError> {
    let stage = Stage::new(model, figures, size);
    let mut cells = vec![stage.rest()?];
    for figure in figures {
        cells.push(stage.posed(figure, &name(figure))?);
    }
    // Seven are less lonely in two rows of four.
    let columns = if cells.len() > 6 { 4 } else { 3 };
    contact_sheet(&cells, columns, Some(title))
}

/// SBS+ by slerp and by nlerp, and how far they are apart.
pub(super) fn viewer_sheet(
    model: &FigureModel,
    figures: &[Measured; 2],
    title: &str,
    size: Size,
) -> Result<Image, RenderError> {
    let stage = Stage::new(model, figures, size);
    let [slerp, nlerp] = figures;
    let cells = [
        stage.posed(slerp, &format!("{}, slerp", title_of(slerp.method)))?,
        stage.posed(nlerp, &title_of(nlerp.method))?,
        stage.difference(slerp, nlerp)?,
    ];
    contact_sheet(&cells, 3, Some(title))
}

/// A model with SBS+ above and Bézier below, a column for each way to give weights.
pub(super) fn weight_sheet(
    ways: &[(FigureModel, &str)],
    title: &str,
    size: Size,
) -> Result<Image, RenderError> {
    let mut cells = Vec::new();
    for method in [Method::SDEF, Method::BEZIER] {
        for (model, weights) in ways {
            let figure = model.measured(method);
            let stage = Stage::new(model, std::slice::from_ref(&figure), size);
            cells.push(stage.posed(&figure, &format!("{}, {weights}", title_of(method)))?);
        }
    }
    contact_sheet(&cells, ways.len(), Some(title))
}

/// Draws one model under one camera.
struct Stage<'a> {
    model: &'a FigureModel,
    bound: BoundSurface,
    camera: Camera,
    size: Size,
}

/// Room on the right for the legend of a map.
const LEGEND_SHARE: f32 = 0.2;

/// Room above and below for a line of text.
const NAME_SHARE: f32 = 0.05;

impl<'a> Stage<'a> {
    fn new(model: &'a FigureModel, figures: &[Measured], size: Size) -> Self {
        let bound = BoundSurface::of(&model.character);
        let all = figures.iter().flat_map(|figure| &figure.surface.positions).copied();
        let shown: Vec<Vec3> =
            match (model.shown_reach, figures.first().and_then(|figure| figure.joints.first())) {
                (Some(reach), Some(ProbedJoint { probe, .. })) => {
                    let head = probe.parent.transform_point3(probe.head);
                    all.filter(|point| (*point - head).length() < reach).collect()
                }
                _ => all.collect(),
            };
        let camera = framed(model.toward_eye, shown, size);
        Self { model, bound, camera, size }
    }

    /// Before the transform, with the bones and the ends of the soft ranges: \[Hagihara14\] fig. 5, 15, 19, 24 and 25.
    fn rest(&self) -> Result<(Image, String), RenderError> {
        let surface = self.bound.rest();
        let bone = |&[head, tip]: &[Vec3; 2]| BoneSegment { head, tip, link: None, highlighted: false };
        let segments = self.model.bones.iter().map(bone).collect();
        let ends = self.model.ranges.iter().flat_map(|joint| [joint.range.begin, joint.range.end]).collect();
        let name = label("rest".into(), NAME_AT, 24.0, INK);
        let overlays = vec![Overlay::Bones { segments, size: 1.0 }, dots(ends, 4.0), name];
        let camera = framed(self.model.toward_eye, surface.positions.clone(), self.size);
        Ok((self.drawn(surface, None, overlays, &camera)?, "before the transform, bones, r0 and r1".into()))
    }

    fn posed(&self, figure: &Measured, name: &str) -> Result<(Image, String), RenderError> {
        let mut overlays = overlays(figure, name);
        overlays.extend(self.rulers(figure));
        let row = figure.row(self.model);
        // One line is too short for all measures.
        let (volume, radius) = (row.volume, row.radius_least.zip(row.radius_greatest));
        let volume = volume.map(|volume| format!("volume {volume:.2}"));
        let radius = radius.map(|(least, greatest)| format!("radius {least:.2}–{greatest:.2}"));
        let below: Vec<String> = volume.into_iter().chain(radius).collect();
        let at = LabelAnchor::Screen(Vec2::new(14.0, self.size.1 as f32 - 14.0));
        overlays.push(label(below.join(" · "), at, 15.0, INK));
        let row = MeasureRow { volume: None, radius_least: None, radius_greatest: None, ..row };
        Ok((self.drawn(&figure.surface, None, overlays, &self.camera)?, row.caption()))
    }

    /// How far two methods are apart, as colors on the first.
    fn difference(&self, a: &Measured, b: &Measured) -> Result<(Image, String), RenderError> {
        let pairs = a.surface.positions.iter().zip(&b.surface.positions);
        let values: Vec<f32> = pairs.map(|(a, b)| a.distance(*b) * 1000.0).collect();
        let most = values.iter().copied().fold(0.0, f32::max);
        let (label_text, unit) = ("difference".into(), "mm".into());
        let map = ScalarMap {
            values,
            range: (0.0, most),
            color_map: ColorMap::Sequential,
            label: label_text,
            unit,
        };
        let mut points = a.surface.positions.clone();
        leave_room(&mut points, Vec3::X, LEGEND_SHARE);
        let camera = framed(self.model.toward_eye, points, self.size);
        let name = label("difference".into(), NAME_AT, 24.0, INK);
        let length: f32 = self.model.bones.iter().map(|[head, tip]| head.distance(*tip)).sum();
        let image = self.drawn(&a.surface, Some(map), vec![name], &camera)?;
        Ok((image, format!("at most {most:.1} mm on a strip of {length:.0} m")))
    }

    /// Straight lines along both outlines from r0 to r1, where the model asks for a close look: what is inside them is a dent.
    fn rulers(&self, figure: &Measured) -> Vec<Overlay> {
        let Some(ProbedJoint { probe, .. }) =
            figure.joints.first().filter(|_| self.model.shown_reach.is_some())
        else {
            return Vec::new();
        };
        let rest = &self.bound.rest().positions;
        let axis = (probe.child_tip - probe.head).normalize_or_zero();
        let up = self.model.toward_eye.cross(axis);
        let outermost = |end: Vec3, side: f32| {
            let nearest = rest.iter().map(|point| (*point - end).dot(axis).abs()).fold(f32::MAX, f32::min);
            let ring = rest.iter().zip(&figure.surface.positions);
            let ring = ring.filter(|(point, _)| (**point - end).dot(axis).abs() <= nearest + 1e-5);
            ring.map(|(_, posed)| *posed).max_by(|a, b| (side * a.dot(up)).total_cmp(&(side * b.dot(up))))
        };
        let ends = |side: f32| {
            [probe.range.begin, probe.range.end].into_iter().filter_map(|end| outermost(end, side)).collect()
        };
        [1.0, -1.0].map(|side| line(ends(side), false, 1.5, color_of(figure.method))).into()
    }

    fn drawn(
        &self,
        surface: &Surface,
        scalar_map: Option<ScalarMap>,
        overlays: Vec<Overlay>,
        camera: &Camera,
    ) -> Result<Image, RenderError> {
        let Surface { positions, normals, .. } = surface.clone();
        let triangles = self.bound.triangles().to_vec();
        // A dense wire is only a pattern.
        let wireframe = triangles.len() <= MOST_WIRED_TRIANGLES;
        let skin = Object::new(positions, triangles, Material::default());
        let objects = vec![Object { normals, wireframe, scalar_map, ..skin }];
        drawn(&Scene { objects, overlays, ..Scene::default() }, camera, self.size)
    }
}

/// Where the name of a cell is.
const NAME_AT: LabelAnchor = LabelAnchor::Screen(Vec2::new(14.0, 30.0));

/// A camera on points, with room above for the name and below for measures.
fn framed(toward_eye: Vec3, mut points: Vec<Vec3>, size: Size) -> Camera {
    leave_room(&mut points, Vec3::Y, NAME_SHARE);
    leave_room(&mut points, Vec3::NEG_Y, NAME_SHARE);
    Camera::frame_from(toward_eye, Vec3::Y, points, size.0 as f32 / size.1 as f32)
}

/// The center curve, the ends of the soft range, and a name.
fn overlays(figure: &Measured, name: &str) -> Vec<Overlay> {
    let color = color_of(figure.method);
    let curve = |curve: &[DVec3]| curve.iter().map(|point| point.as_vec3()).collect();
    let curves = figure.curves.iter().map(|points| line(curve(points), false, 2.0, color));
    let ends = figure.joints.iter().map(|ProbedJoint { probe, .. }| {
        let begin = probe.parent.transform_point3(probe.range.begin);
        dots(vec![begin, probe.child.transform_point3(probe.range.end)], 4.0)
    });
    curves.chain(ends).chain([label(name.to_owned(), NAME_AT, 24.0, color)]).collect()
}

/// The loci of figures 1 to 4 on one sheet.
pub(crate) fn loci_sheet(size: Size) -> Result<Image, RenderError> {
    let straight = drawn_joint(0.35, 0.7, 0.0, FRAC_PI_2);
    let bent = drawn_joint(0.35, 0.7, 0.5, FRAC_PI_2);
    let even = drawn_joint(0.5, 0.5, 0.0, FRAC_PI_2);
    let rest = drawn_joint(0.35, 0.7, 0.0, 0.0);
    let rest_bent = drawn_joint(0.5, 0.7, 1.0, 0.0);
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
    let kinks = "Fig. 1 (b): the centers of LBS and SBS; kinks at r0 / r1";
    let mut shifted = Drawing::of(&rest_bent);
    shifted.shifted_ends(&rest_bent, 0.3);
    let cells = [
        draw(&rest, &[], "Fig. 1 (a): before the transform")?,
        draw(&straight, &[own("center curve", Method::Lbs)], kinks)?,
        (shifted.draw(size)?, "Fig. 2: r0'' and r1'' where bones are bent in rest".into()),
        draw(
            &straight,
            &[lbs, ("f2, line", sdef_at(0.0), Method::SBS), sdef],
            "Fig. 3: f1, f2 and their mean f3",
        )?,
        draw(&straight, &improved, "Fig. 4: the improved function")?,
        draw(&bent, &every, "Bones bent by 0.5 rad in rest; LBS and SBS are one curve")?,
        draw(&straight, &every, "All methods, a : b = 1 : 2; LBS and SBS are one curve")?,
        draw(&even, &every, "a : b = 1 : 1; SBS+ and Bézier are one curve, too")?,
    ];
    contact_sheet(&cells, 4, Some("Center curves of a joint turned by 90° (fig. 1–4 of the source)"))
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
    let caption = "SBS at s = 1, a line at s = 0; kinks at r0 / r1";
    contact_sheet(&[(drawing.draw(size)?, caption.into())], 1, Some("Center curves of SBS+ (Eq. 22) by s"))
}

/// Shares of the plain blend, from SBS to the straight line.
pub const SWEEP: [f32; 5] = [1.0, 0.75, 0.5, 0.25, 0.0];
