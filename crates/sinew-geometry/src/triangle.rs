//! Points and triangles.

use glam::Vec3;

/// Shares of a triangle's corners in its point that is nearest to `point`. Shares of corners that it does not lean on are exactly 0.
///
/// # Degenerate input
/// Of a triangle without area, the nearest point of an edge.
pub fn nearest_shares(point: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac) = (b - a, c - a);
    let normal = ab.cross(ac);
    let square = normal.length_squared();
    let shares = plane_shares(point, [a, b, c]);
    if square > 0.0 && shares.min_element() > 0.0 {
        return shares;
    }
    let mut best = (f32::INFINITY, Vec3::X);
    for (at, (start, end)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
        let share = segment_share(point, start, end);
        let distance = point.distance_squared(start + (end - start) * share);
        if distance < best.0 {
            let mut shares = Vec3::ZERO;
            shares[at] = 1.0 - share;
            shares[(at + 1) % 3] = share;
            best = (distance, shares);
        }
    }
    best.1
}

/// Shares of a triangle's corners in the foot of a point on its plane; those of a triangle without area are not finite.
pub fn plane_shares(point: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let normal = ab.cross(ac);
    let scale = normal.length_squared().recip();
    let of_b = ap.cross(ac).dot(normal) * scale;
    let of_c = ab.cross(ap).dot(normal) * scale;
    Vec3::new(1.0 - of_b - of_c, of_b, of_c)
}

/// Position along a segment of the point nearest to `point`, from 0 to 1.
pub fn segment_share(point: Vec3, start: Vec3, end: Vec3) -> f32 {
    let way = end - start;
    let square = way.length_squared();
    if square > 0.0 { ((point - start).dot(way) / square).clamp(0.0, 1.0) } else { 0.0 }
}

/// Position along the way from `from` to `to` where it meets a triangle, from 0 to 1.
pub fn crossing(from: Vec3, to: Vec3, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    /// A little wider than the triangle, to leave no gap between two that share an edge.
    const WIDER: f32 = 1e-5;
    let normal = (b - a).cross(c - a);
    let (begin, end) = ((from - a).dot(normal), (to - a).dot(normal));
    let crosses = (begin >= 0.0 && end <= 0.0) || (begin <= 0.0 && end >= 0.0);
    if !crosses || begin == end {
        return None;
    }
    let share = begin / (begin - end);
    let shares = plane_shares(from + (to - from) * share, [a, b, c]);
    (shares.min_element() >= -WIDER).then_some(share)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Of distances between points of a few m in f32.
    const ROUNDING: f32 = 1e-5;

    const CORNERS: [Vec3; 3] = [Vec3::ZERO, Vec3::new(1.0, 0.2, 0.0), Vec3::new(0.1, 0.9, 0.3)];

    fn at(shares: Vec3) -> Vec3 {
        CORNERS[0] * shares.x + CORNERS[1] * shares.y + CORNERS[2] * shares.z
    }

    proptest! {
        #[test]
        fn no_point_of_the_triangle_is_nearer(
            x in -2.0f32..2.0, y in -2.0f32..2.0, z in -2.0f32..2.0, u in 0.0f32..1.0, v in 0.0f32..1.0,
        ) {
            let point = Vec3::new(x, y, z);
            let found = nearest_shares(point, CORNERS);
            prop_assert!(found.min_element() >= 0.0 && (found.element_sum() - 1.0).abs() < ROUNDING);
            let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
            let other = at(Vec3::new(1.0 - u - v, u, v));
            prop_assert!(point.distance(at(found)) <= point.distance(other) + ROUNDING);
        }
    }

    #[test]
    fn ways_meet_triangles_from_both_sides() {
        let inside = at(Vec3::new(0.3, 0.3, 0.4));
        let up = Vec3::new(0.0, -0.1, 1.0);
        for (from, to) in [(inside + up, inside - up), (inside - up, inside + up)] {
            assert!((crossing(from, to, CORNERS).unwrap() - 0.5).abs() < ROUNDING);
        }
        assert_eq!(crossing(inside + up, inside + 0.1 * up, CORNERS), None);
        assert_eq!(crossing(inside + up + Vec3::X, inside - up + Vec3::X, CORNERS), None);
        let flat = [Vec3::ZERO, Vec3::X, Vec3::X * 2.0];
        assert_eq!(crossing(Vec3::Y, Vec3::NEG_Y, flat), None);
        assert_eq!(nearest_shares(Vec3::new(1.5, 1.0, 0.0), flat).element_sum(), 1.0);
    }
}
