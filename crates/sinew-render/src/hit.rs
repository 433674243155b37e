//! Where a ray from the eye meets a triangle.

use glam::Vec3A;

use crate::camera::Lens;

/// Barycentric weights along rays from one eye: `u = d·U / d·N`, `v = d·V / d·N` for a ray of direction `d`.
///
/// From Möller and Trumbore's solution with the products that do not depend on the ray taken out. Differences of
/// corners are formed first, so weights keep their precision for triangles far smaller than their distance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TriangleHit {
    pub(crate) u_axis: Vec3A,
    pub(crate) v_axis: Vec3A,
    /// Unnormalized geometric normal.
    pub(crate) normal: Vec3A,
    to_corner: Vec3A,
}

impl TriangleHit {
    #[inline]
    pub(crate) fn new(eye: Vec3A, corners: [Vec3A; 3]) -> Self {
        let (edge_b, edge_c) = (corners[1] - corners[0], corners[2] - corners[0]);
        let to_corner = corners[0] - eye;
        Self {
            u_axis: edge_c.cross(to_corner),
            v_axis: to_corner.cross(edge_b),
            normal: edge_b.cross(edge_c),
            to_corner,
        }
    }

    /// Weights of the three corners where the ray meets the triangle's plane, pulled inside the triangle. The corners
    /// weigh the same for a triangle seen edge-on.
    #[inline]
    pub(crate) fn weights(&self, ray: Vec3A) -> [f32; 3] {
        let (u, v) = self.raw_weights(ray);
        let (u, v) = (u.clamp(0.0, 1.0), v.clamp(0.0, 1.0));
        let scale = 1.0 / (u + v).max(1.0);
        let (u, v) = (u * scale, v * scale);
        [1.0 - u - v, u, v]
    }

    /// Weights of the second and third corner, also outside the triangle.
    #[inline]
    pub(crate) fn raw_weights(&self, ray: Vec3A) -> (f32, f32) {
        let inverse = 1.0 / ray.dot(self.normal);
        if !inverse.is_finite() {
            return (1.0 / 3.0, 1.0 / 3.0);
        }
        (ray.dot(self.u_axis) * inverse, ray.dot(self.v_axis) * inverse)
    }

    /// Twice the area in square pixels near the triangle's first corner.
    pub(crate) fn double_area_px(&self, lens: &Lens) -> f32 {
        let depth = self.to_corner.dot(lens.forward).max(1e-6);
        self.normal.dot(self.to_corner.normalize_or_zero()).abs() * (lens.focal_px / depth).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_recover_known_points() {
        let corners = [Vec3A::ZERO, Vec3A::X, Vec3A::Y];
        let eye = Vec3A::new(0.3, 0.2, 4.0);
        let hit = TriangleHit::new(eye, corners);
        for (u, v) in [(0.25, 0.5), (0.0, 0.0), (1.0, 0.0), (0.3, 0.2)] {
            let weights = hit.weights(Vec3A::new(u, v, 0.0) - eye);
            assert!((weights[1] - u).abs() < 1e-6 && (weights[2] - v).abs() < 1e-6, "{weights:?}");
        }
        // Beyond an edge the weights stop at it; edge-on they are equal.
        assert_eq!(hit.weights(Vec3A::new(-1.0, 0.5, 0.0) - eye)[1], 0.0);
        assert_eq!(
            TriangleHit::new(Vec3A::new(5.0, 0.0, 0.0), corners).raw_weights(Vec3A::NEG_X).0,
            1.0 / 3.0
        );
    }
}
