//! The frame of a ring, and its legs along the bone.

use super::unit_ring;
use crate::Quartic;
use glam::{DVec2, DVec3};

/// A place and three right-handed unit axes: e1 the bend axis with ring corners on it, e2 = normal × e1, normal along the bone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RingFrame {
    /// Middle of the ring, model space, m.
    pub center: DVec3,
    /// First axis in the ring's plane.
    pub e1: DVec3,
    /// Second axis in the ring's plane.
    pub e2: DVec3,
    /// Normal of the ring's plane; the ring runs counter-clockwise about it.
    pub normal: DVec3,
}

impl RingFrame {
    /// The frame with a normal, and e1 as close to `toward` as possible.
    ///
    /// # Degenerate input
    /// A zero normal counts as +Y; if `toward` is along the normal, e1 is any direction in the plane.
    pub fn new(center: DVec3, normal: DVec3, toward: DVec3) -> Self {
        let normal = normal.try_normalize().unwrap_or(DVec3::Y);
        let in_plane = toward.reject_from_normalized(normal);
        let is_clear = in_plane.length() > 1e-9 * toward.length();
        let e1 = if is_clear { in_plane.normalize() } else { normal.any_orthonormal_vector() };
        RingFrame { center, e1, e2: normal.cross(e1), normal }
    }

    /// A point of the ring's plane.
    pub fn point(&self, in_plane: DVec2) -> DVec3 {
        self.center + self.vector(in_plane.extend(0.0))
    }

    /// A vector given along e1, e2 and the normal.
    pub fn vector(&self, in_frame: DVec3) -> DVec3 {
        in_frame.x * self.e1 + in_frame.y * self.e2 + in_frame.z * self.normal
    }
}

/// An elliptic ring.
#[derive(Clone, Debug, PartialEq)]
pub struct Ring {
    /// Middle, plane and axes.
    pub frame: RingFrame,
    /// Semi-axes along e1 and e2, m.
    pub semi_axes: DVec2,
}

impl Ring {
    /// A plain ellipse.
    pub fn new(frame: RingFrame, semi_axes: DVec2) -> Self {
        Ring { frame, semi_axes }
    }

    /// The `4 · patch_count` control points, closed, each arc's first at `4 k`.
    pub fn control_points(&self, patch_count: usize) -> Vec<DVec3> {
        unit_ring(patch_count).into_iter().map(|unit| self.frame.point(unit * self.semi_axes)).collect()
    }

    /// The ring's arcs.
    pub fn arcs(&self, patch_count: usize) -> impl Iterator<Item = Quartic> + use<> {
        let points = self.control_points(patch_count);
        (0..patch_count).map(move |k| arc_of(&points, k))
    }
}

/// Arc `k` of a closed ring of control points.
pub(crate) fn arc_of(points: &[DVec3], k: usize) -> Quartic {
    Quartic(std::array::from_fn(|i| points[(4 * k + i) % points.len()]))
}

/// Directions in which a surface leaves a ring, one per control point: the bone's direction, spread by a flare that is linear over the
/// ring. Bays of any leg length then join smoothly.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegField {
    /// Along the bone, unit length.
    pub direction: DVec3,
    /// Widening along e1 and e2: m outward per m of leg, at the ends of the axes. Zero is a cylinder.
    pub flare: DVec2,
}

impl LegField {
    /// Legs straight along a direction.
    pub fn straight(direction: DVec3) -> Self {
        LegField { direction: direction.normalize_or_zero(), flare: DVec2::ZERO }
    }

    /// Legs of length one for each control point of a ring.
    pub fn unit_legs(&self, frame: &RingFrame, patch_count: usize) -> Vec<DVec3> {
        let leg = |unit: DVec2| self.direction + frame.vector((unit * self.flare).extend(0.0));
        unit_ring(patch_count).into_iter().map(leg).collect()
    }
}
