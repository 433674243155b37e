//! Example shapes by formula: the rest shape twisted, bent, squashed.

use glam::{Quat, Vec2, Vec3};
use sinew_geometry::Bounds;
use std::ops::RangeInclusive;

/// An axis of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Along x.
    X,
    /// Along y.
    Y,
    /// Along z.
    Z,
}

/// What is done to the rest shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormulaKind {
    /// Turned about the axis, from end to end by degrees.
    Twist,
    /// Bent to an arc of so many degrees.
    Bend,
    /// Bent one way and back, at most by so many degrees.
    Wave,
    /// Shorter along the axis, by this factor, and thicker, so that volume stays.
    Squash,
    /// Longer along the axis, by this factor, and thinner.
    Stretch,
    /// Moved sideways by this share of the way along the axis.
    Shear,
}

/// The rest shape by a formula.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Formula {
    /// What is done.
    pub kind: FormulaKind,
    /// Degrees, a factor or a share.
    pub amount: f32,
    /// Along which axis; none is the longest of the model's box.
    pub axis: Option<Axis>,
}

impl Axis {
    /// The axis that a model's box is longest along.
    pub fn longest(size: Vec3) -> Self {
        if size.y >= size.x && size.y >= size.z {
            Self::Y
        } else if size.x >= size.z {
            Self::X
        } else {
            Self::Z
        }
    }

    /// The axis and two across, right-handed.
    fn frame(self) -> [Vec3; 3] {
        match self {
            Self::X => [Vec3::X, Vec3::Y, Vec3::Z],
            Self::Y => [Vec3::Y, Vec3::Z, Vec3::X],
            Self::Z => [Vec3::Z, Vec3::X, Vec3::Y],
        }
    }

    /// A vector's part along it.
    pub fn of(self, vector: Vec3) -> f32 {
        self.frame()[0].dot(vector)
    }
}

impl FormulaKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Twist, Self::Bend, Self::Wave, Self::Squash, Self::Stretch, Self::Shear];

    /// Its name in scene files, amounts that make a shape, and the amount where none is given.
    fn about(self) -> (&'static str, RangeInclusive<f64>, f64) {
        match self {
            Self::Twist => ("twist", -720.0..=720.0, 90.0),
            Self::Bend => ("bend", -720.0..=720.0, 60.0),
            Self::Wave => ("wave", -89.0..=89.0, 40.0),
            Self::Squash => ("squash", 0.05..=1.0, 0.6),
            Self::Stretch => ("stretch", 1.0..=20.0, 1.5),
            Self::Shear => ("shear", -5.0..=5.0, 0.5),
        }
    }

    /// What it is called in scene files.
    pub fn name(self) -> &'static str {
        self.about().0
    }

    /// Amounts that make a shape.
    pub(crate) fn amounts(self) -> RangeInclusive<f64> {
        self.about().1
    }

    /// The amount where none is given.
    pub(crate) fn usual_amount(self) -> f64 {
        self.about().2
    }
}

impl Formula {
    /// The shape of points whose rest places are these.
    pub fn apply(&self, rest: &[Vec3]) -> Vec<Vec3> {
        let bounds = Bounds::of(rest);
        if bounds.is_empty() {
            return Vec::new();
        }
        let size = bounds.size();
        let axis = self.axis.unwrap_or(Axis::longest(size));
        let frame = axis.frame();
        let length = axis.of(size).max(1e-12);
        let place = |&point: &Vec3| {
            let from_middle = point - bounds.center();
            let [along, u, v] = frame.map(|direction| direction.dot(from_middle));
            let moved = self.moved(along, Vec2::new(u, v), length);
            bounds.center() + frame[0] * moved.x + frame[1] * moved.y + frame[2] * moved.z
        };
        rest.iter().map(place).collect()
    }

    /// Where a point goes that lies `along` the axis from the middle and `across` from it.
    fn moved(&self, along: f32, across: Vec2, length: f32) -> Vec3 {
        let share = along / length;
        match self.kind {
            FormulaKind::Twist => {
                let turn = Quat::from_rotation_x(self.amount.to_radians() * share);
                turn * Vec3::new(along, across.x, across.y)
            }
            FormulaKind::Bend => self.curved(share, across, length, |share, angle| angle * share),
            FormulaKind::Wave => self
                .curved(share, across, length, |share, angle| angle * (std::f32::consts::TAU * share).cos()),
            FormulaKind::Squash | FormulaKind::Stretch => {
                let across = across / self.amount.sqrt();
                Vec3::new(along * self.amount, across.x, across.y)
            }
            FormulaKind::Shear => Vec3::new(along, across.x + self.amount * along, across.y),
        }
    }

    /// On sections square to a curve as long as the axis, which has the angle `of(share, angle)` to it at each share of the way.
    fn curved(&self, share: f32, across: Vec2, length: f32, of: impl Fn(f32, f32) -> f32) -> Vec3 {
        /// Pieces of the integral; a cubic error of 1e-6 of the length at half a turn.
        const PIECES: usize = 64;
        let angle = self.amount.to_radians();
        let piece = share / PIECES as f32;
        let middle: Vec2 = (0..PIECES)
            .map(|at| Vec2::from_angle(of(piece * (at as f32 + 0.5), angle)) * (piece * length))
            .sum();
        let normal = Vec2::from_angle(of(share, angle)).perp();
        let place = middle + normal * across.x;
        Vec3::new(place.x, place.y, across.y)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar() -> Vec<Vec3> {
        sinew_geometry::TetMesh::lattice([2, 8, 2], Vec3::new(0.4, 0.8, 0.4)).points().to_vec()
    }

    fn of(kind: FormulaKind, amount: f32) -> Vec<Vec3> {
        Formula { kind, amount, axis: None }.apply(&bar())
    }

    #[test]
    fn a_twist_turns_the_ends_against_each_other_about_the_longest_axis() {
        let (rest, twisted) = (bar(), of(FormulaKind::Twist, 90.0));
        let angle = |point: Vec3| (point.z - 0.2).atan2(point.x - 0.2);
        for (a, b) in rest.iter().zip(&twisted).filter(|(a, _)| a.x != 0.2 || a.z != 0.2) {
            assert!((a.y - b.y).abs() < 1e-6);
            let turned = (angle(*b) - angle(*a)).to_degrees().rem_euclid(360.0);
            let expected = (-90.0 * (a.y - 0.4) / 0.8).rem_euclid(360.0);
            let gap = (turned - expected).abs();
            assert!(gap.min(360.0 - gap) < 0.01, "{a}: {turned}° and not {expected}°");
        }
    }

    #[test]
    fn a_bent_bar_lies_on_its_arc() {
        let radius = 0.8 / 60f32.to_radians();
        for (a, b) in bar().iter().zip(of(FormulaKind::Bend, 60.0)).filter(|(a, _)| a.z == 0.2) {
            let center = Vec3::new(0.2, 0.4, 0.2 + radius);
            assert!(((b - center).with_x(0.0).length() - radius).abs() < 1e-4, "{a} to {b}");
        }
    }

    #[test]
    fn squash_and_stretch_keep_the_volume() {
        for (kind, amount) in [(FormulaKind::Squash, 0.6), (FormulaKind::Stretch, 1.7)] {
            let size = Bounds::of(&of(kind, amount)).size();
            assert!((size.y - 0.8 * amount).abs() < 1e-5);
            assert!((size.x * size.y * size.z / 0.128 - 1.0).abs() < 1e-4);
        }
    }

    #[test]
    fn no_amount_moves_nothing() {
        for kind in [FormulaKind::Twist, FormulaKind::Bend, FormulaKind::Wave, FormulaKind::Shear] {
            assert!(bar().iter().zip(of(kind, 0.0)).all(|(a, b)| a.distance(b) < 1e-6), "{kind:?}");
        }
        assert!(Formula { kind: FormulaKind::Bend, amount: 10.0, axis: None }.apply(&[]).is_empty());
    }
}
