//! Skeletons: slender octahedra from joint to joint, over the body.

use glam::{Vec2, Vec3, Vec3A};

use crate::camera::Lens;
use crate::color::Rgba8;
use crate::draw::{Stroke, inside_convex};
use crate::image::Image;
use crate::overlay::clipped;

/// One bone of a skeleton overlay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoneSegment {
    /// The joint it turns about, scene space.
    pub head: Vec3,
    /// Where it ends, scene space. A bone without length is drawn as a joint only.
    pub tip: Vec3,
    /// A point of its parent, usually the parent's tip, to which a thin line is drawn if it is not at `head`.
    pub link: Option<Vec3>,
    /// Whether it stands out.
    pub highlighted: bool,
}

const BONE: [f32; 3] = [74.0, 108.0, 152.0];
const BONE_LIGHT: [f32; 3] = [186.0, 208.0, 232.0];
const HIGHLIGHT: [f32; 3] = [214.0, 92.0, 22.0];
const HIGHLIGHT_LIGHT: [f32; 3] = [255.0, 190.0, 110.0];
const OUTLINE: [u8; 3] = [34, 52, 82];
const HIGHLIGHT_OUTLINE: [u8; 3] = [122, 42, 4];

/// Alpha of bones, so that the body stays visible through them.
const OPACITY: u8 = 205;

/// Draws bones from far to near.
pub(crate) fn draw_bones(image: &mut Image, lens: &Lens, segments: &[BoneSegment], size: f32) {
    let size = if size.is_finite() { size.clamp(0.05, 10.0) } else { 1.0 };
    let mut order: Vec<(f32, usize)> = segments
        .iter()
        .enumerate()
        .filter(|(_, bone)| bone.head.is_finite() && bone.tip.is_finite())
        .map(|(index, bone)| {
            let middle = lens.from_scene(bone.head.midpoint(bone.tip));
            (lens.camera_from_view(middle.into()).z, index)
        })
        .collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    let unit_px = image.height() as f32 / 720.0;
    for &(_, index) in &order {
        draw_link(image, lens, &segments[index], unit_px);
    }
    for &(_, index) in &order {
        draw_body(image, lens, &segments[index], size, unit_px);
    }
    for &(_, index) in &order {
        draw_joint(image, lens, &segments[index], size, unit_px);
    }
}

fn draw_link(image: &mut Image, lens: &Lens, bone: &BoneSegment, unit_px: f32) {
    let Some(link) = bone.link else { return };
    let Some((from, to)) = clipped(lens, lens.from_scene(link), lens.from_scene(bone.head)) else { return };
    if let (Some((from, _)), Some((to, _))) = (lens.project(from), lens.project(to)) {
        let [r, g, b] = OUTLINE;
        let (length, dash) = ((to - from).length(), 5.0 * unit_px);
        let stroke = Stroke { from, to, width: 1.1 * unit_px.max(0.8), color: [r, g, b, 150] };
        // Gaps are left out pixel by pixel, which keeps dashes even at any angle.
        stroke.draw(image, |_, _, t| ((t * length / dash) as u32).is_multiple_of(2));
    }
}

/// The octahedron, filled facet by facet with one outline.
fn draw_body(image: &mut Image, lens: &Lens, bone: &BoneSegment, size: f32, unit_px: f32) {
    let Some((head, tip)) = clipped(lens, lens.from_scene(bone.head), lens.from_scene(bone.tip)) else {
        return;
    };
    let axis = tip - head;
    let length = axis.length();
    if length < 1e-7 {
        return;
    }
    let along = axis / length;
    let (side, other) = along.any_orthonormal_pair();
    let ring_at = head + axis * 0.13;
    let radius = length * 0.075 * size;
    let ring = [side, other, -side, -other].map(|direction| ring_at + direction * radius);
    let project = |point: Vec3| lens.project(point).map(|(pixel, _)| pixel);
    let (Some(head_px), Some(tip_px)) = (project(head), project(tip)) else { return };
    let ring_px: Vec<Vec2> = ring.iter().copied().filter_map(project).collect();
    let &[a, b, c, d] = ring_px.as_slice() else { return };
    let ring_px = [a, b, c, d];
    let mut facets = Vec::new();
    for (end, end_px, toward_end) in [(head, head_px, -1.0), (tip, tip_px, 1.0)] {
        for i in 0..4 {
            let (from, to) = (ring[i], ring[(i + 1) % 4]);
            let normal = (to - from).cross(end - from).normalize_or_zero() * toward_end;
            if normal.dot(Vec3::from(lens.eye) - from) > 0.0 {
                let light =
                    0.5 + 0.5 * normal.dot(Vec3::from(Vec3A::normalize(lens.up - lens.forward - lens.right)));
                facets.push(([ring_px[i], ring_px[(i + 1) % 4], end_px], light));
            }
        }
    }
    let hull = convex_hull(&[head_px, tip_px, a, b, c, d]);
    fill_facets(image, &hull, &facets, bone.highlighted);
    let [r, g, b] = if bone.highlighted { HIGHLIGHT_OUTLINE } else { OUTLINE };
    for i in 0..hull.len() {
        let (from, to) = (hull[i], hull[(i + 1) % hull.len()]);
        Stroke { from, to, width: 1.0 * unit_px.max(0.9), color: [r, g, b, 190] }.draw(image, |_, _, _| true);
    }
}

/// Fills the outline once; each pixel takes the mean shade of the facets it touches, so no seams show through.
fn fill_facets(image: &mut Image, hull: &[Vec2], facets: &[([Vec2; 3], f32)], highlighted: bool) {
    let (low, high) = hull.iter().fold((Vec2::MAX, Vec2::MIN), |(low, high), &p| (low.min(p), high.max(p)));
    let (dark, bright) = if highlighted { (HIGHLIGHT, HIGHLIGHT_LIGHT) } else { (BONE, BONE_LIGHT) };
    image.for_box(low, high, |image, x, y, at| {
        let coverage = inside_convex(hull, at) + 0.5;
        if coverage <= 0.0 {
            return;
        }
        let (mut light, mut total) = (1e-4 * 0.5, 1e-4);
        for (corners, facet_light) in facets {
            let share = (inside_convex(corners, at) + 0.5).clamp(0.0, 1.0);
            light += facet_light * share;
            total += share;
        }
        let t = light / total;
        let [r, g, b] = std::array::from_fn(|i| (dark[i] + (bright[i] - dark[i]) * t) as u8);
        image.blend(x, y, [r, g, b, OPACITY], coverage);
    });
}

fn draw_joint(image: &mut Image, lens: &Lens, bone: &BoneSegment, size: f32, unit_px: f32) {
    let Some((pixel, distance)) = lens.project(lens.from_scene(bone.head)) else { return };
    let length = (lens.from_scene(bone.tip) - lens.from_scene(bone.head)).length();
    let radius = (length * 0.05 * size * lens.focal_px / distance).clamp(2.2 * unit_px, 4.2 * unit_px);
    let ([r, g, b], fill): ([u8; 3], Rgba8) = if bone.highlighted {
        (HIGHLIGHT_OUTLINE, [255, 226, 190, 255])
    } else {
        (OUTLINE, [244, 248, 252, 255])
    };
    image.fill_disc(pixel, radius + unit_px.max(0.8), [r, g, b, 230]);
    image.fill_disc(pixel, radius, fill);
}

/// Corners of the convex hull, in order (Andrew's monotone chain).
fn convex_hull(points: &[Vec2]) -> Vec<Vec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let mut hull: Vec<Vec2> = Vec::new();
    for pass in 0..2 {
        let start = hull.len();
        for &point in &sorted {
            while hull.len() >= start + 2
                && (hull[hull.len() - 1] - hull[hull.len() - 2]).perp_dot(point - hull[hull.len() - 1]) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
        if pass == 0 {
            sorted.reverse();
        }
    }
    hull
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hull_drops_inner_points() {
        let square = [Vec2::ZERO, Vec2::X, Vec2::ONE, Vec2::Y];
        let mut points = square.to_vec();
        points.push(Vec2::splat(0.5));
        let hull = convex_hull(&points);
        assert_eq!(hull.len(), 4);
        assert!(square.iter().all(|corner| hull.contains(corner)), "{hull:?}");
    }
}
