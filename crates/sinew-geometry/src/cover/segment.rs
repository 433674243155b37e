//! Whether the straight way between two points stays inside the surface.

use glam::DVec3;

/// Where the segment from `start` to `end` meets a triangle, from 0 to 1; `None` if it is parallel or misses.
pub(super) fn crossing(start: DVec3, end: DVec3, [a, b, c]: &[DVec3; 3]) -> Option<f64> {
    // A little wider than the triangle, to leave no gap between two that share an edge.
    const WIDER: f64 = 1e-9;
    let (along, ab, ac) = (end - start, *b - *a, *c - *a);
    let across = along.cross(ac);
    let determinant = ab.dot(across);
    if determinant == 0.0 {
        return None;
    }
    let from_a = start - *a;
    let u = from_a.dot(across) / determinant;
    let turned = from_a.cross(ab);
    let v = along.dot(turned) / determinant;
    let t = ac.dot(turned) / determinant;
    let is_hit = u >= -WIDER && v >= -WIDER && u + v <= 1.0 + WIDER && (0.0..=1.0).contains(&t);
    is_hit.then_some(t)
}

/// Intervals between crossings that are shorter than this, in units of the lattice, are two triangles met at their common edge.
const SHORTEST: f64 = 1e-7;

/// The middles and lengths of the intervals between crossings on the way from `start` to `end`.
pub(super) fn intervals(
    start: DVec3,
    end: DVec3,
    crossings: &mut [f64],
) -> impl Iterator<Item = (DVec3, f64)> {
    crossings.sort_unstable_by(f64::total_cmp);
    let length = start.distance(end);
    let ends = crossings.iter().copied().chain([1.0]);
    let mut from = 0.0;
    ends.filter_map(move |to| {
        let (middle, part) = (start.lerp(end, (from + to) / 2.0), (to - from) * length);
        from = to;
        (part > SHORTEST).then_some((middle, part))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_segment_meets_a_triangle_where_it_should() {
        let triangle = [DVec3::ZERO, DVec3::X, DVec3::Y];
        let check = |x: f64, y: f64| crossing(DVec3::new(x, y, -1.0), DVec3::new(x, y, 3.0), &triangle);
        assert_eq!(check(0.2, 0.3), Some(0.25));
        assert_eq!(check(0.5, 0.5), Some(0.25), "on the edge");
        assert_eq!(check(0.6, 0.6), None);
        assert_eq!(crossing(DVec3::Z, DVec3::Z + DVec3::X, &triangle), None, "parallel");
    }

    #[test]
    fn intervals_leave_out_double_crossings() {
        let mut crossings = vec![0.75, 0.25, 0.25];
        let found: Vec<_> = intervals(DVec3::ZERO, DVec3::X * 4.0, &mut crossings).collect();
        assert_eq!(
            found.iter().map(|(middle, length)| (middle.x, *length)).collect::<Vec<_>>(),
            [(0.5, 1.0), (2.0, 2.0), (3.5, 1.0)]
        );
    }
}
