//! The curves of \[Hagihara14\] fig. 1 to 4 as line drawings.

use super::{Size, drawn, line};
use glam::{Affine3A, Quat, Vec2, Vec3};
use sinew_render::{
    Align, Background, Camera, Image, LabelAnchor, Overlay, OverlayDepth, RenderError, Rgba8, Scene,
    TextStyle,
};
use sinew_skin::measures::JointProbe;
use sinew_skin::{Method, RotationBlend, SoftRange};

pub(super) const INK: Rgba8 = [46, 52, 60, 255];
const BONE: Rgba8 = [176, 182, 190, 255];
const PAPER: Rgba8 = [255, 255, 255, 255];

/// From a dot to the middle of its name.
const LABEL_DISTANCE_PX: f32 = 17.0;

/// The color of a method, the same in all drawings.
pub(super) fn color_of(method: Method) -> Rgba8 {
    match method {
        Method::Lbs => [92, 98, 108, 255],
        Method::Sbs { .. } => [214, 138, 30, 255],
        Method::Sdef { .. } => [38, 122, 196, 255],
        Method::Bezier { .. } => [24, 148, 96, 255],
        Method::Dlb => [198, 54, 66, 255],
        Method::Cor => [128, 84, 176, 255],
        Method::DeltaMush { .. } => [140, 100, 60, 255],
    }
}

/// A joint of two bones of length 1, bent by `bend_rad` in rest, with the child turned by `turn_rad`.
pub(super) fn drawn_joint(back: f32, forth: f32, bend_rad: f32, turn_rad: f32) -> JointProbe {
    let child_axis = Quat::from_rotation_z(bend_rad) * Vec3::Y;
    JointProbe {
        parent_head: Vec3::NEG_Y,
        head: Vec3::ZERO,
        child_tip: child_axis,
        range: SoftRange { begin: Vec3::NEG_Y * back, end: child_axis * forth },
        parent: Affine3A::IDENTITY,
        child: Affine3A::from_rotation_z(turn_rad),
    }
}

/// Sdef with another share.
pub(super) fn sdef_at(s: f32) -> Method {
    Method::Sdef { s, rotation: RotationBlend::Slerp }
}

/// One drawing: bones, ends of the soft range, and named curves.
pub(super) struct Drawing {
    overlays: Vec<Overlay>,
    points: Vec<Vec3>,
    legend: Vec<(String, Rgba8)>,
}

impl Drawing {
    pub(super) fn of(probe: &JointProbe) -> Self {
        let mut drawing = Self { overlays: Vec::new(), points: Vec::new(), legend: Vec::new() };
        let posed = |matrix: &Affine3A, points: [Vec3; 2]| points.map(|point| matrix.transform_point3(point));
        drawing.bone(posed(&probe.parent, [probe.parent_head, probe.head]));
        drawing.bone(posed(&probe.child, [probe.head, probe.child_tip]));
        let ends =
            [probe.parent.transform_point3(probe.range.begin), probe.child.transform_point3(probe.range.end)];
        let head = probe.parent.transform_point3(probe.head);
        let [back, forth] = ends.map(|end| (end - head).normalize_or_zero());
        // Labels are where no curve of a method runs: inside the bend toward the tip, outside toward the parent's head, and outside the corner.
        let inside = |axis: Vec3, other: Vec3| (other - axis * axis.dot(other)).normalize_or(Vec3::NEG_X);
        drawing.mark(ends[0], "r0", back * 0.7 - inside(back, forth));
        drawing.mark(ends[1], "r1", forth * 0.7 + inside(forth, back));
        drawing.mark(head, "b", -(back + forth).try_normalize().unwrap_or(Vec3::NEG_X));
        drawing
    }

    /// A wedge, as the source draws bones: wide at the head, a point at the tip.
    fn bone(&mut self, [head, tip]: [Vec3; 2]) {
        let side = (tip - head).cross(Vec3::Z) * 0.035;
        let points = vec![head + side, tip, head - side];
        self.points.extend(&points);
        self.overlays.push(line(points, true, 1.5, BONE));
    }

    /// A dot with a name beside it, `toward` that side.
    fn mark(&mut self, point: Vec3, text: &str, toward: Vec3) {
        self.points.push(point);
        self.overlays.push(dots(vec![point], 3.5));
        let toward = toward.normalize_or_zero() * LABEL_DISTANCE_PX;
        // Half of the height of small letters down, so that the name's middle is there.
        let at = LabelAnchor::Scene { point, offset_px: Vec2::new(toward.x, 5.0 - toward.y) };
        let style = TextStyle { size_px: 15.0, color: INK, align: Align::Center, halo: Some(PAPER) };
        self.overlays.push(Overlay::Label { text: text.to_owned(), at, style });
    }

    /// The construction of \[Hagihara14\] Eq. 17 to 20: r0 r1 shifted so that it runs through the center c at a share of the soft range.
    pub(super) fn shifted_ends(&mut self, probe: &JointProbe, share: f32) {
        let [r0, r1] = [probe.range.begin, probe.range.end];
        let center = probe.axis_point(f64::from(share)).as_vec3();
        // Eq. 19 and 20, with t = 1 − share.
        let shift = center - r0.lerp(r1, share);
        let across = shift.normalize_or_zero();
        let (plain, shifted) = ([38, 122, 196, 255], [24, 148, 96, 255]);
        self.overlays.push(line(vec![r0, r1], false, 2.0, plain));
        self.overlays.push(line(vec![r0 + shift, r1 + shift], false, 2.5, shifted));
        for end in [r0, r1] {
            self.overlays.push(line(vec![end, end + shift], false, 1.0, INK));
        }
        let along = (r1 - r0).normalize_or_zero();
        self.mark(r0 + shift, "r0''", across - along);
        self.mark(r1 + shift, "r1''", across + along);
        self.mark(center, "c", across);
        self.mark(r0.lerp(r1, share), "m", -across);
        self.legend.push(("r0 r1 with m = t r0 + (1 − t) r1".into(), plain));
        self.legend.push(("r0'' r1'', parallel, through c".into(), shifted));
    }

    /// Adds the center curve of a method, with its kinks in the legend.
    pub(super) fn method(&mut self, probe: &JointProbe, name: &str, method: Method, color: Rgba8) {
        let Some(curve) = probe.center_curve(method, 96) else { return };
        let [begin, end] = probe.kink(method).unwrap_or_default().to_degrees();
        let points: Vec<Vec3> = curve[1..curve.len() - 1].iter().map(|point| point.as_vec3()).collect();
        self.points.extend(&points);
        self.overlays.push(line(points, false, 2.5, color));
        self.legend.push((format!("{name}: {begin:.1}° / {end:.1}°"), color));
    }

    pub(super) fn draw(mut self, size: Size) -> Result<Image, RenderError> {
        let last = self.legend.len().saturating_sub(1);
        for (row, (text, color)) in self.legend.into_iter().enumerate() {
            let below = Vec2::new(14.0, size.1 as f32 - 16.0 - 20.0 * (last - row) as f32);
            self.overlays.push(label(text, LabelAnchor::Screen(below), 16.0, color));
        }
        let background = Background::Solid(Vec3::ONE);
        let scene = Scene { background, overlays: self.overlays, ..Scene::default() };
        let camera = Camera::frame_from(Vec3::Z, Vec3::Y, self.points, size.0 as f32 / size.1 as f32);
        drawn(&scene, &camera, size)
    }
}

/// Dots that nothing hides.
pub(super) fn dots(points: Vec<Vec3>, radius_px: f32) -> Overlay {
    Overlay::Points { points, radius_px, color: INK, depth: OverlayDepth::XRay }
}

pub(super) fn label(text: String, at: LabelAnchor, size_px: f32, color: Rgba8) -> Overlay {
    Overlay::Label {
        text,
        at,
        style: TextStyle { size_px, color, halo: Some(PAPER), ..TextStyle::default() },
    }
}
