//! Axis-aligned bounds.

use glam::Vec3;

/// An axis-aligned box around points; empty until a point is added.
///
/// Invariant: either empty, or `min <= max` in every component and both finite. Points that are not finite are ignored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    min: Vec3,
    max: Vec3,
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Bounds {
    /// Bounds of nothing.
    pub const EMPTY: Self = Self { min: Vec3::INFINITY, max: Vec3::NEG_INFINITY };

    /// Bounds of all finite `points`.
    pub fn of(points: &[Vec3]) -> Self {
        points.iter().fold(Self::EMPTY, |bounds, &point| bounds.with(point))
    }

    /// The same of points one after another.
    pub fn around(points: impl IntoIterator<Item = Vec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, Self::with)
    }

    /// These bounds, grown to hold `point`.
    #[must_use]
    pub fn with(self, point: Vec3) -> Self {
        if !point.is_finite() {
            return self;
        }
        Self { min: self.min.min(point), max: self.max.max(point) }
    }

    /// The smallest bounds that hold both.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Wider on all sides; bounds of nothing stay so.
    #[must_use]
    pub fn grown(self, by: f32) -> Self {
        Self { min: self.min - by, max: self.max + by }
    }

    /// Whether they have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Whether a point is inside or on the border.
    pub fn contains(&self, point: Vec3) -> bool {
        self.min.cmple(point).all() && point.cmple(self.max).all()
    }

    /// The square of a point's distance; 0 inside, infinite from bounds of nothing.
    pub fn square_distance(&self, point: Vec3) -> f32 {
        (self.min - point).max(point - self.max).max(Vec3::ZERO).length_squared()
    }

    /// Whether no point was added.
    pub fn is_empty(&self) -> bool {
        self.min.x > self.max.x
    }

    /// The smallest corner; zero when empty.
    pub fn min(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.min }
    }

    /// The largest corner; zero when empty.
    pub fn max(&self) -> Vec3 {
        if self.is_empty() { Vec3::ZERO } else { self.max }
    }

    /// The middle; zero when empty.
    pub fn center(&self) -> Vec3 {
        // Halved before adding, to keep bounds near the largest float finite.
        self.min() * 0.5 + self.max() * 0.5
    }

    /// The edge lengths; zero when empty.
    pub fn size(&self) -> Vec3 {
        self.max() - self.min()
    }

    /// The eight corners.
    pub fn corners(&self) -> [Vec3; 8] {
        let pick = |corner: usize, axis: usize| [self.min(), self.max()][corner >> axis & 1][axis];
        std::array::from_fn(|corner| Vec3::new(pick(corner, 0), pick(corner, 1), pick(corner, 2)))
    }

    /// The length of the diagonal: the model size that tolerances are relative to; zero when empty.
    pub fn diagonal(&self) -> f32 {
        self.size().length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_their_points_and_skip_what_is_not_finite() {
        let points =
            [Vec3::new(-1.0, 2.0, 0.0), Vec3::new(1.0, 0.0, 4.0), Vec3::splat(f32::NAN), Vec3::INFINITY];
        let bounds = Bounds::of(&points);
        assert_eq!(bounds.min(), Vec3::new(-1.0, 0.0, 0.0));
        assert_eq!(bounds.max(), Vec3::new(1.0, 2.0, 4.0));
        assert_eq!(bounds.center(), Vec3::new(0.0, 1.0, 2.0));
        assert_eq!(bounds.diagonal(), 24f32.sqrt());
    }

    #[test]
    fn empty_bounds_are_zero_and_neutral() {
        assert!(Bounds::EMPTY.is_empty());
        assert_eq!(Bounds::EMPTY.size(), Vec3::ZERO);
        let one = Bounds::of(&[Vec3::ONE]);
        assert_eq!(Bounds::EMPTY.union(one), one);
    }
}
