//! A strip in the flesh of one character: where it goes, and how far points are from its middle.

use super::body_frames::{BodyFrames, SegmentFrame};
use super::segment::{Segment, Side};
use super::skin_probe::SkinProbe;
use super::spec::{Place, Strip};
use glam::Vec3;
use sinew_geometry::{smooth_step, smooth_step_between};
use sinew_rig::HumanoidBone;

/// One cross-section. Model space at rest, meters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// The middle.
    pub center: Vec3,
    /// From bone to skin, unit.
    pub outward: Vec3,
    /// Half of the width across the fibers and along the skin.
    pub half_width_m: f32,
    /// Half of the thickness from bone to skin.
    pub half_thickness_m: f32,
}

/// A strip from origin to insertion.
///
/// Invariant: at least two sections; neighbors have different centers.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedStrip {
    sections: Vec<Section>,
    /// Share of the path's length at each section, from 0 to 1.
    shares: Vec<f32>,
    belly: [f32; 2],
    /// A ball that holds everything near enough to belong to it.
    ball: (Vec3, f32),
}

/// Where a point is relative to a strip.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct StripPoint {
    /// How much it belongs to the strip, 0 to 1.
    pub(super) share: f32,
    /// The fiber there, from origin to insertion, unit.
    pub(super) fiber: Vec3,
}

/// Sections between two places.
const SECTIONS_BETWEEN: usize = 8;
/// A strip's ends are so much narrower than its middle.
const END_WIDTH: f32 = 0.45;
/// Of the half axes: inside the first a point belongs to the muscle wholly, outside the second not at all.
const EDGE: [f32; 2] = [0.65, 1.3];
/// In half thicknesses above the middle: up to the first what lies on a muscle is carried wholly, beyond the second not at all.
const ON_TOP: [f32; 2] = [2.5, 4.0];
/// Over this share of the path the belly's ends fade.
const BELLY_FADE: f32 = 0.12;
/// The trunk's axis runs from between the hips to the neck and comes near the skin between the shoulder blades. What lies there is as wide
/// as if the skin were this far away, in lengths of the trunk.
const LEAST_TRUNK_RADIUS: f64 = 0.2;
/// Hits nearer than this share of the farthest are inner parts, such as joints' caps.
const NEAREST: f64 = 0.04;
/// A limb's distance from axis to skin where no skin is met, in lengths of the segment: that of a lean arm.
const USUAL_RADIUS: f64 = 0.16;

/// A strip, and how many of its places met no skin.
pub(super) fn place_strip(
    strip: &Strip,
    body: &BodyFrames,
    skin: &SkinProbe<'_>,
    side: Side,
) -> Result<(Option<PlacedStrip>, usize), HumanoidBone> {
    let mut places = Vec::with_capacity(strip.path.len());
    let mut unmeasured = 0;
    for place in &strip.path {
        let frame = body.segment(place.segment, side)?;
        let (section, is_measured) = find_place(place, &frame, skin, strip);
        unmeasured += usize::from(!is_measured);
        places.push(section);
    }
    Ok((PlacedStrip::through(&places, strip.belly.map(|share| share as f32)), unmeasured))
}

/// A place in the flesh, and whether skin was met.
fn find_place(place: &Place, frame: &SegmentFrame, skin: &SkinProbe<'_>, strip: &Strip) -> (Section, bool) {
    let length = frame.length_m();
    let most = farthest(place.segment) * length;
    let axis = frame.axis_point(place.along);
    let near = skin.near(axis, most);
    let cast = |along: f64, angle_deg: f64| {
        let (along, angle_rad) = (place.along + along, (place.angle_deg + angle_deg).to_radians());
        near.distance(frame.axis_point(along), frame.direction(along, angle_rad), [NEAREST * most, most])
    };
    // The middle one of a few, so that a fold or a hole in the skin does not count.
    let rays = [(0.0, 0.0), (0.03, 0.0), (-0.03, 0.0), (0.0, 12.0), (0.0, -12.0)];
    let mut distances: Vec<f64> = rays.iter().filter_map(|&(along, angle)| cast(along, angle)).collect();
    distances.sort_by(f64::total_cmp);
    let measured = distances.get(distances.len() / 2).copied();
    let radius = measured.unwrap_or(USUAL_RADIUS * length);
    let size = if place.segment == Segment::Trunk { radius.max(LEAST_TRUNK_RADIUS * length) } else { radius };
    let outward = frame.direction(place.along, place.angle_deg.to_radians());
    let section = Section {
        center: (axis + outward * (radius * place.depth)).as_vec3(),
        outward: outward.as_vec3(),
        half_width_m: (size * strip.width) as f32,
        half_thickness_m: (size * strip.thickness) as f32,
    };
    (section, measured.is_some())
}

/// How far rays go, in lengths of the segment: the thickest limbs of heavy bodies are half as thick as long, the shoulder is as deep.
fn farthest(segment: Segment) -> f64 {
    if segment == Segment::Shoulder { 1.2 } else { 0.7 }
}

/// The nearest place of a strip's middle line to a point.
struct Spot<'a> {
    /// How far it is from one section to the next.
    t: f32,
    from: &'a Section,
    to: &'a Section,
    share_of_path: f32,
    /// Aside, outward and along the fiber, unit.
    axes: [Vec3; 3],
    /// From there to the point.
    offset: Vec3,
}

impl PlacedStrip {
    /// A smooth strip through sections; `None` where they are all in one place.
    fn through(places: &[Section], belly: [f32; 2]) -> Option<Self> {
        let mut sections: Vec<Section> = Vec::new();
        for at in 0..places.len().saturating_sub(1) {
            for step in 0..SECTIONS_BETWEEN {
                sections.push(between(places, at, step as f32 / SECTIONS_BETWEEN as f32));
            }
        }
        sections.extend(places.last());
        sections.dedup_by(|next, last| next.center.distance(last.center) < 1e-6);
        let mut shares = vec![0.0];
        for pair in sections.windows(2) {
            shares.push(shares[shares.len() - 1] + pair[0].center.distance(pair[1].center));
        }
        let length = *shares.last()?;
        if sections.len() < 2 || length <= 0.0 || !length.is_finite() {
            return None;
        }
        shares.iter_mut().for_each(|share| *share /= length);
        let middle = sections.iter().map(|section| section.center).sum::<Vec3>() / sections.len() as f32;
        let reach = |section: &Section| {
            section.center.distance(middle) + EDGE[1] * section.half_width_m.max(section.half_thickness_m)
        };
        let ball = (middle, sections.iter().map(reach).fold(0.0, f32::max));
        Some(Self { sections, shares, belly, ball })
    }

    /// Cross-sections from origin to insertion.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Where the path shortens: from and to, shares of its length.
    pub fn belly(&self) -> [f32; 2] {
        self.belly
    }

    /// Length from origin to insertion, meters.
    pub fn length_m(&self) -> f32 {
        self.sections.windows(2).map(|pair| pair[0].center.distance(pair[1].center)).sum()
    }

    /// How much a point belongs to the strip. `outside_m`: how far it lies outside the skin, for points of a cover, which count as the
    /// skin below them; `blur_m`: the strip's edge is softened by this.
    pub(super) fn at(&self, point: Vec3, outside_m: f32, blur_m: f32) -> StripPoint {
        let none = StripPoint { share: 0.0, fiber: Vec3::ZERO };
        if !point.is_finite() || point.distance(self.ball.0) > self.ball.1 + outside_m + EDGE[1] * blur_m {
            return none;
        }
        let Spot { t, from, to, share_of_path, axes: [aside, outward, fiber], offset } = self.spot(point);
        // Points outside the skin count as the skin below them, but never as points of the other side.
        let out = offset.dot(outward);
        let out = if out > 0.0 { (out - outside_m).max(0.0) } else { out };
        let spindle = spindle(share_of_path);
        let soft = |half_m: f32| (half_m * spindle).hypot(blur_m);
        let half_width = soft(from.half_width_m + (to.half_width_m - from.half_width_m) * t);
        let half_thickness = soft(from.half_thickness_m + (to.half_thickness_m - from.half_thickness_m) * t);
        let elliptic = Vec3::new(
            offset.dot(aside) / half_width,
            out / half_thickness,
            // Beyond the ends.
            offset.dot(fiber) / half_thickness,
        );
        let share = (1.0 - smooth_step_between(EDGE[0], EDGE[1], elliptic.length()))
            * self.belly_share(share_of_path);
        StripPoint { share, fiber }
    }

    /// Where a point goes if the strip grows by 1 across its fibers. The side towards the bone stays, the muscle grows sideways and outwards
    /// in proportion, and what lies on it is carried along.
    pub(super) fn bulge(&self, point: Vec3) -> Vec3 {
        let (center, radius) = self.ball;
        if !point.is_finite() || point.distance(center) > ON_TOP[1] / EDGE[1] * radius {
            return Vec3::ZERO;
        }
        let Spot { t, from, to, share_of_path, axes: [aside, outward, fiber], offset } = self.spot(point);
        let mix = |a: f32, b: f32| (a + (b - a) * t) * spindle(share_of_path);
        let half_width = mix(from.half_width_m, to.half_width_m);
        let half_thickness = mix(from.half_thickness_m, to.half_thickness_m);
        let (out, side) = (offset.dot(outward), offset.dot(aside));
        let rise = out.clamp(-half_thickness, half_thickness) + half_thickness;
        let fade = |from: f32, to: f32, value: f32| 1.0 - smooth_step_between(from, to, value.abs());
        let share = self.belly_share(share_of_path)
            * fade(EDGE[0], EDGE[1], side / half_width)
            * fade(EDGE[0], EDGE[1], offset.dot(fiber) / half_thickness)
            * fade(ON_TOP[0], ON_TOP[1], out.max(0.0) / half_thickness);
        (outward * rise + aside * side.clamp(-half_width, half_width) * (rise / (2.0 * half_thickness)))
            * share
    }

    /// How a point lies to the nearest place of the middle line.
    fn spot(&self, point: Vec3) -> Spot<'_> {
        let (first, t) = self.nearest(point);
        let (from, to) = (&self.sections[first], &self.sections[first + 1]);
        let fiber = (to.center - from.center).normalize_or_zero();
        let outward = from.outward.lerp(to.outward, t).reject_from(fiber).normalize_or_zero();
        Spot {
            t,
            from,
            to,
            share_of_path: self.shares[first] + (self.shares[first + 1] - self.shares[first]) * t,
            axes: [fiber.cross(outward), outward, fiber],
            offset: point - from.center.lerp(to.center, t),
        }
    }

    fn nearest(&self, point: Vec3) -> (usize, f32) {
        let mut best = (f32::INFINITY, 0, 0.0);
        for (first, pair) in self.sections.windows(2).enumerate() {
            let way = pair[1].center - pair[0].center;
            let t = ((point - pair[0].center).dot(way) / way.length_squared()).clamp(0.0, 1.0);
            let distance = point.distance_squared(pair[0].center + way * t);
            if distance < best.0 {
                best = (distance, first, t);
            }
        }
        (best.1, best.2)
    }

    fn belly_share(&self, share_of_path: f32) -> f32 {
        let [from, to] = self.belly;
        let fade = BELLY_FADE.min(0.5 * (to - from));
        smooth_step_between(from - 0.5 * fade, from + 0.5 * fade, share_of_path)
            * (1.0 - smooth_step_between(to - 0.5 * fade, to + 0.5 * fade, share_of_path))
    }
}

/// Width along the path, 1 in the middle.
fn spindle(share_of_path: f32) -> f32 {
    let middle = 4.0 * share_of_path * (1.0 - share_of_path);
    END_WIDTH + (1.0 - END_WIDTH) * middle.max(0.0).sqrt()
}

/// A section on the Catmull–Rom curve through the places, after the one at `at`; sizes and directions go straight.
fn between(places: &[Section], at: usize, t: f32) -> Section {
    let [from, to] = [places[at], places[at + 1]];
    let center = |place: usize| places[place].center;
    let way = to.center - from.center;
    // Slopes per step, of the neighbors' chord and no longer than the step itself, so that uneven steps make no loops.
    let slope = |chord: Vec3| 0.5 * chord.clamp_length_max(2.0 * way.length());
    let start = if at > 0 { slope(to.center - center(at - 1)) } else { way };
    let end = if at + 2 < places.len() { slope(center(at + 2) - from.center) } else { way };
    let bow = t * (1.0 - t);
    let blended = from.center + way * smooth_step(t) + (start * (1.0 - t) - end * t) * bow;
    let mix = |a: f32, b: f32| a + (b - a) * t;
    Section {
        center: blended,
        outward: from.outward.lerp(to.outward, t).normalize_or(from.outward),
        half_width_m: mix(from.half_width_m, to.half_width_m),
        half_thickness_m: mix(from.half_thickness_m, to.half_thickness_m),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn section(x: f32) -> Section {
        Section {
            center: Vec3::new(x, 0.0, 0.0),
            outward: Vec3::Z,
            half_width_m: 0.04,
            half_thickness_m: 0.02,
        }
    }

    #[test]
    fn a_straight_strip_is_a_spindle() {
        let strip = PlacedStrip::through(&[section(0.0), section(0.1), section(0.3)], [0.1, 0.9]).unwrap();
        assert!((strip.length_m() - 0.3).abs() < 1e-6, "{}", strip.length_m());
        let share = |x: f32, y: f32, z: f32| strip.at(Vec3::new(x, y, z), 0.0, 0.0).share;
        assert_eq!(share(0.15, 0.0, 0.0), 1.0);
        assert_eq!(share(0.15, 0.025, 0.0), 1.0);
        assert_eq!(share(0.15, 0.0, 0.027), 0.0);
        assert!(share(0.15, 0.04, 0.0) > 0.2 && share(0.15, 0.04, 0.0) < 0.8, "the edge is soft");
        // Tendons do not shorten, nor does what lies beyond.
        assert_eq!(share(0.005, 0.0, 0.0), 0.0);
        assert_eq!(share(0.4, 0.0, 0.0), 0.0);
        let fiber = strip.at(Vec3::new(0.2, 0.01, 0.0), 0.0, 0.0).fiber;
        assert!(fiber.distance(Vec3::X) < 1e-6, "{fiber}");
    }

    #[test]
    fn a_strip_that_grows_raises_what_lies_on_it_and_leaves_the_bone() {
        let strip = PlacedStrip::through(&[section(0.0), section(0.15), section(0.3)], [0.1, 0.9]).unwrap();
        let bulge = |y: f32, z: f32| strip.bulge(Vec3::new(0.15, y, z));
        // Its top, 4 cm above its base; skin over it; its base; below.
        assert!(bulge(0.0, 0.02).distance(Vec3::Z * 0.04) < 1e-5, "{}", bulge(0.0, 0.02));
        assert!(bulge(0.0, 0.03).distance(Vec3::Z * 0.04) < 1e-5, "{}", bulge(0.0, 0.03));
        assert!(bulge(0.0, -0.02).length() < 1e-6 && bulge(0.0, -0.05).length() < 1e-6);
        // Aside it grows in proportion, and nothing moves far away.
        assert!((bulge(0.02, 0.02).y.abs() - 0.02).abs() < 1e-5, "{}", bulge(0.02, 0.02));
        assert!(bulge(0.06, 0.02).length() < 1e-6 && bulge(0.0, 0.09).length() < 1e-6);
        assert!(strip.bulge(Vec3::new(0.0, 0.0, 0.02)).length() < 1e-6, "tendons");
    }

    #[test]
    fn points_outside_the_skin_count_as_the_skin() {
        let strip = PlacedStrip::through(&[section(0.0), section(0.3)], [0.0, 1.0]).unwrap();
        let skin = strip.at(Vec3::new(0.15, 0.0, 0.016), 0.0, 0.0);
        assert_eq!(strip.at(Vec3::new(0.15, 0.0, 0.046), 0.03, 0.0), skin);
    }

    #[test]
    fn one_place_makes_no_strip() {
        assert_eq!(PlacedStrip::through(&[section(0.1), section(0.1)], [0.0, 1.0]), None);
    }
}
