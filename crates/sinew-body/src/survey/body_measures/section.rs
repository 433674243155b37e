//! Elliptic sections.

use crate::ring::ellipse_girth;
use glam::DVec2;

/// An elliptic section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Half of its extent along e1, the bend axis (side to side in trunk, head and legs), and along e2, across it; m.
    pub semi_axes_m: [f64; 2],
}

impl Section {
    /// A section with these semi-axes, m.
    #[must_use]
    pub fn new(semi_axes_m: [f64; 2]) -> Self {
        Self { semi_axes_m }
    }

    /// The length of a tape around it, m.
    ///
    /// # Accuracy
    /// Ramanujan's second formula; within a millionth for axes up to 1 to 2.
    #[must_use]
    pub fn girth_m(self) -> f64 {
        ellipse_girth(DVec2::from_array(self.semi_axes_m))
    }

    /// The same form with another girth, m.
    #[must_use]
    pub fn with_girth(self, girth_m: f64) -> Self {
        let scale = girth_m / self.girth_m();
        Self { semi_axes_m: self.semi_axes_m.map(|axis| axis * scale) }
    }

    /// The form with `ratio` times this one's ratio of width along e1 to depth along e2.
    pub(super) fn widened(self, ratio: f64) -> Self {
        Self { semi_axes_m: [self.semi_axes_m[0] * ratio, self.semi_axes_m[1]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn girth_of_a_circle_and_of_an_ellipse_from_tables() {
        assert!((Section::new([0.5, 0.5]).girth_m() - std::f64::consts::PI).abs() < 1e-15, "circle");
        // 8 E(m = 3/4), the complete elliptic integral of the second kind, 1.211056027568459.
        let expected = 8.0 * 1.211_056_027_568_459;
        let relative = (Section::new([2.0, 1.0]).girth_m() - expected) / expected;
        assert!(relative.abs() < 1e-6, "{relative}");
    }

    #[test]
    fn a_girth_asked_for_is_met_in_the_same_form() {
        let section = Section::new([0.17, 0.1279]).with_girth(0.8);
        assert!((section.girth_m() - 0.8).abs() < 1e-15, "girth");
        assert!((section.semi_axes_m[0] / section.semi_axes_m[1] - 0.17 / 0.1279).abs() < 1e-15, "form");
    }
}
