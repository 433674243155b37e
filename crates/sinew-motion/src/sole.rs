//! The side outline of a sole, and how it rolls over the ground without slipping.
//!
//! A foot that pitches on the ground turns about the lowest point of its outline: heel, then the flat of the sole, then the ball and the toes.
//! For a convex polygonal outline that is a rotation about one corner after the other, and the position of the ankle follows from the pitch
//! alone. Contact cannot slide, and nothing can go below the ground.

use glam::DVec2;

/// The lower outline of a rigid part of a foot, seen from the side.
///
/// Points are (forward, up) from the joint that carries the part, m.
/// Invariant: at least one point; forward ascends; slopes ascend (the outline is convex).
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Outline {
    corners: Vec<DVec2>,
    /// The corners on the ground at pitch 0: the rearmost and the foremost, which may be one.
    lowest: [usize; 2],
    /// Slope of the longest nearly level piece, rad.
    flat_slope: f64,
}

/// Corners this close to the lowest are on the ground too.
const LEVEL_M: f64 = 1e-5;

/// A corner closer than this to the line between its neighbors is left out. Larger: soles go below the ground by it.
const FLATNESS_M: f64 = 2e-4;

/// Slopes up to this count as the flat of a sole, radians.
const MOST_SLOPE: f64 = 0.6;

impl Outline {
    /// The lower outline of points; `None` without any. The longest nearly level piece is the flat.
    pub(crate) fn of(points: impl IntoIterator<Item = DVec2>) -> Option<Self> {
        let corners = lower_hull(points.into_iter().collect());
        let longest = (0..corners.len().saturating_sub(1))
            .filter(|&at| slope(corners[at], corners[at + 1]).abs() < MOST_SLOPE)
            .max_by(|&a, &b| {
                let length = |at: usize| corners[at].distance(corners[at + 1]);
                length(a).total_cmp(&length(b))
            });
        let low = corners.iter().map(|corner| corner.y).fold(f64::INFINITY, f64::min);
        let is_low = |corner: &DVec2| corner.y < low + LEVEL_M;
        let lowest = [corners.iter().position(is_low)?, corners.iter().rposition(is_low)?];
        let flat_slope = longest.map_or(0.0, |at| slope(corners[at], corners[at + 1]));
        Some(Self { corners, lowest, flat_slope })
    }

    /// Slope of the flat, rad, positive if it rises to the front.
    pub(crate) fn flat_slope(&self) -> f64 {
        self.flat_slope
    }

    /// The height of the lowest point, below the joint: negative.
    pub(crate) fn lowest_height(&self) -> f64 {
        self.corners[self.lowest[0]].y
    }

    /// The rearmost and the foremost point.
    pub(crate) fn reach(&self) -> [f64; 2] {
        [self.corners[0].x, self.corners[self.corners.len() - 1].x]
    }

    /// Position of the joint after the part has rolled from lying flat to `pitch_rad` (toes up): (forward from its flat position, up from the
    /// ground).
    pub(crate) fn joint_when_rolled(&self, pitch_rad: f64) -> DVec2 {
        let is_back = pitch_rad > 0.0;
        let mut at = self.lowest[usize::from(!is_back)];
        // Where the corner that is turned about touches the ground.
        let mut ground = self.corners[at].x;
        loop {
            let next =
                if is_back { at.checked_sub(1) } else { Some(at + 1).filter(|&to| to < self.corners.len()) };
            let Some(next) = next else { break };
            let (rear, front) = (at.min(next), at.max(next));
            // The next piece is flat on the ground when the pitch cancels its slope.
            let lies_down = -slope(self.corners[rear], self.corners[front]);
            if (is_back && pitch_rad <= lies_down) || (!is_back && pitch_rad >= lies_down) {
                break;
            }
            let length = self.corners[at].distance(self.corners[next]);
            ground += if is_back { -length } else { length };
            at = next;
        }
        DVec2::new(ground, 0.0) - pitched(self.corners[at], pitch_rad)
    }
}

/// A point (forward, up) turned toes up.
pub(crate) fn pitched(point: DVec2, pitch_rad: f64) -> DVec2 {
    DVec2::from_angle(pitch_rad).rotate(point)
}

fn slope(from: DVec2, to: DVec2) -> f64 {
    let way = to - from;
    if way == DVec2::ZERO { 0.0 } else { way.y.atan2(way.x) }
}

/// Andrew's monotone chain, then without nearly straight corners.
fn lower_hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.retain(|point| point.is_finite());
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    let mut hull: Vec<DVec2> = Vec::new();
    for point in points {
        while let [.., before, last] = hull[..] {
            if (last - before).perp_dot(point - last) > 0.0 {
                break;
            }
            hull.pop();
        }
        // A vertical wall has its lowest point first.
        if hull.last().is_none_or(|last| point.x > last.x) {
            hull.push(point);
        }
    }
    let mut thinned: Vec<DVec2> = Vec::new();
    for (at, &corner) in hull.iter().enumerate() {
        let needless = thinned.last().zip(hull.get(at + 1)).is_some_and(|(&before, &after)| {
            let way = (after - before).normalize_or_zero();
            way.perp_dot(corner - before).abs() < FLATNESS_M
        });
        if !needless {
            thinned.push(corner);
        }
    }
    thinned
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shoe() -> Outline {
        // Heel with a rounded back, level sole, toes that turn up.
        let points = [(-0.07, -0.05), (-0.05, -0.08), (0.10, -0.08), (0.16, -0.07), (0.0, 0.0)];
        Outline::of(points.map(|(x, y)| DVec2::new(x, y))).expect("points")
    }

    #[test]
    fn rolling_neither_slips_nor_sinks() {
        let shoe = shoe();
        assert_eq!(shoe.reach(), [-0.07, 0.16]);
        let place = |pitch: f64, corner: DVec2| shoe.joint_when_rolled(pitch) + pitched(corner, pitch);
        for step in -120..=120 {
            let pitch = f64::from(step) * 0.01;
            let low = shoe.corners.iter().map(|&corner| place(pitch, corner).y).fold(f64::INFINITY, f64::min);
            assert!(low.abs() < 1e-12, "{pitch}: {low}");
            // The corner that touches stands still for a small turn, to second order.
            let touching =
                shoe.corners.iter().find(|&&corner| place(pitch, corner).y < 1e-12).expect("one touches");
            let turned = pitch + 1e-6;
            if place(turned, *touching).y < 1e-9 {
                let moved = place(turned, *touching).x - place(pitch, *touching).x;
                assert!(moved.abs() < 1e-9, "{pitch}: {moved}");
            }
        }
        assert!(shoe.joint_when_rolled(0.0).abs_diff_eq(DVec2::new(0.0, 0.08), 1e-12));
    }

    #[test]
    fn points_without_a_flat_turn_about_the_lowest() {
        let outline = Outline::of([DVec2::new(0.02, -0.05)]).expect("a point");
        assert!(outline.joint_when_rolled(0.3).y > 0.03);
        assert!(Outline::of([]).is_none());
        assert!(Outline::of([DVec2::NAN]).is_none());
    }
}
