//! The axis of a joint, and projections onto it.

use crate::palette_joints::PaletteJoints;
use glam::Vec3;

/// The axis of a joint: two half lines that meet at the child's head.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Axis {
    pub(crate) head: Vec3,
    /// Unit, from the head towards the parent's head.
    pub(crate) back: Vec3,
    /// Unit, from the head towards the child's tip.
    pub(crate) forth: Vec3,
    /// Lengths of the bones along it.
    pub(crate) back_length: f32,
    pub(crate) forth_length: f32,
}

/// Sine of the least bend in rest that tells how a joint bends: 1°.
const LEAST_BEND_SINE: f32 = 0.017;

/// Sine of the angle to the vertical below which a limb stands upright: 30°, far from arms and legs that hang or are spread a little.
const LEAST_LEVEL_SINE: f32 = 0.5;

impl Axis {
    /// Unit axes that the joint bends about: that of its bend in rest; of a straight limb, two across it, both ways. Those of mirror images are mirror
    /// images, so that both sides of a character are measured alike: one lies level, or across a limb that stands upright.
    pub(crate) fn bends(&self) -> Vec<Vec3> {
        let across = (-self.back).cross(self.forth);
        if across.length() > LEAST_BEND_SINE {
            return vec![across.normalize()];
        }
        let forth = self.forth.try_normalize().unwrap_or(Vec3::Y);
        let main = forth.cross(Vec3::Y);
        let main = if main.length() > LEAST_LEVEL_SINE { main } else { forth.cross(Vec3::Z) }.normalize();
        let side = forth.cross(main);
        vec![main, side, -main, -side]
    }

    pub(crate) fn of(joints: &PaletteJoints, parent: u16, child: u16) -> Self {
        let (parent, child) = (joints.bone(parent), joints.bone(child));
        let (back, forth) = (parent.head - child.head, child.tip - child.head);
        // A bone without length continues the other; with two such bones there is no axis, and everything is at the head.
        let back_unit =
            back.try_normalize().or(forth.try_normalize().map(|unit| -unit)).unwrap_or(Vec3::ZERO);
        let forth_unit = forth.try_normalize().unwrap_or(-back_unit);
        Self {
            head: child.head,
            back: back_unit,
            forth: forth_unit,
            back_length: back.length(),
            forth_length: forth.length(),
        }
    }

    /// The projection of a point: position on the axis, and distance along it from the head, positive towards the tip.
    ///
    /// Inside the angle of bones that are bent in rest a point has a projection on both; the nearer one would jump where both are equally
    /// near, and the skin would tear there. The two are blended by `cot²` of the angles between the lines and the direction to the point: on a
    /// line only that line counts, and perpendicular to a line, where its projection reaches the head, it does not. Straight bones have no such
    /// points, and outside of the angle the projection is the nearest point.
    pub(crate) fn foot(&self, point: Vec3) -> (Vec3, f32) {
        let from_head = point - self.head;
        let along_back = from_head.dot(self.back).max(0.0);
        let along_forth = from_head.dot(self.forth).max(0.0);
        let (on_back, on_forth) = (self.back * along_back, self.forth * along_forth);
        let share_back = along_back * along_back * from_head.distance_squared(on_forth);
        let share_forth = along_forth * along_forth * from_head.distance_squared(on_back);
        let total = share_back + share_forth;
        if total > 0.0 && along_back > 0.0 && along_forth > 0.0 {
            let (share_back, share_forth) = (share_back / total, share_forth / total);
            let foot = self.head + on_back * share_back + on_forth * share_forth;
            return (foot, along_forth * share_forth - along_back * share_back);
        }
        // One of the two is the head, or the bones lie on each other and both are the same.
        if along_back > along_forth {
            (self.head + on_back, -along_back)
        } else {
            (self.head + on_forth, along_forth)
        }
    }
}

/// A joint's linear weights along its axis, measured from the child's head.
pub(crate) struct Ramp {
    pub(crate) axis: Axis,
    /// Where t is 1.
    pub(crate) begin: f32,
    /// Where t is 0.
    pub(crate) end: f32,
}

impl Ramp {
    /// The parent's share at a point; half where the ramp has no length.
    pub(crate) fn t(&self, position: Vec3) -> f32 {
        let along = self.axis.foot(position).1;
        let t = ((self.end - along) / (self.end - self.begin)).clamp(0.0, 1.0);
        if self.end > self.begin { t } else { 0.5 }
    }

    pub(crate) fn point(&self, along: f32) -> Vec3 {
        let direction = if along < 0.0 { self.axis.back * -along } else { self.axis.forth * along };
        self.axis.head + direction
    }
}

/// The nearest point on the line through `points`; the point itself if there is none.
pub(crate) fn nearest_on_line(points: &[Vec3], point: Vec3) -> Vec3 {
    let nearest_of = |pair: &[Vec3]| {
        let (from, along) = (pair[0], pair[1] - pair[0]);
        let length_squared = along.length_squared();
        let share = if length_squared > 0.0 {
            ((point - from).dot(along) / length_squared).clamp(0.0, 1.0)
        } else {
            0.0
        };
        from + along * share
    };
    let feet = points.windows(2).map(nearest_of);
    feet.min_by(|a, b| a.distance_squared(point).total_cmp(&b.distance_squared(point))).unwrap_or(point)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of f32 in numbers of the order of 1.
    const ROUNDING: f32 = 1e-6;

    fn axis(back: Vec3, forth: Vec3) -> Axis {
        Axis { head: Vec3::ZERO, back, forth, back_length: 1.0, forth_length: 1.0 }
    }

    #[test]
    fn feet_are_the_nearest_points_where_these_do_not_jump() {
        let straight = axis(-Vec3::Y, Vec3::Y);
        let bent = axis(-Vec3::Y, Vec3::X);
        for (axis, point, expected) in [
            (straight, Vec3::new(0.3, 0.2, 0.1), (Vec3::Y * 0.2, 0.2)),
            (straight, Vec3::new(0.3, -0.2, 0.1), (Vec3::Y * -0.2, -0.2)),
            // On the lines themselves, inside the angle and outside.
            (bent, Vec3::X * 0.4, (Vec3::X * 0.4, 0.4)),
            (bent, -Vec3::Y * 0.4, (-Vec3::Y * 0.4, -0.4)),
            (bent, Vec3::new(-0.3, 0.2, 0.0), (Vec3::ZERO, 0.0)),
            (bent, Vec3::new(0.5, 0.2, 0.0), (Vec3::X * 0.5, 0.5)),
            // Halfway between them.
            (bent, Vec3::new(0.2, -0.2, 0.0), (Vec3::new(0.1, -0.1, 0.0), 0.0)),
        ] {
            let (foot, along) = axis.foot(point);
            assert!(
                foot.abs_diff_eq(expected.0, ROUNDING) && (along - expected.1).abs() < ROUNDING,
                "{point}: {foot} {along}"
            );
        }
    }

    /// Left and right limbs of a symmetric body were bent about axes that are no mirror images of each other.
    #[test]
    fn straight_limbs_bend_alike_on_both_sides() {
        for forth in
            [Vec3::X, Vec3::new(0.3, -0.9, 0.1), Vec3::new(0.05, -1.0, 0.02), Vec3::new(0.5, 0.5, 0.7)]
        {
            let forth = forth.normalize();
            let image = forth * Vec3::new(-1.0, 1.0, 1.0);
            let (found, others) = (axis(-forth, forth).bends(), axis(-image, image).bends());
            assert_eq!((found.len(), others.len()), (4, 4));
            for bend in found {
                assert!(bend.dot(forth).abs() < ROUNDING && (bend.length() - 1.0).abs() < ROUNDING);
                // The mirror image of a rotation.
                let mirrored = bend * Vec3::new(1.0, -1.0, -1.0);
                assert!(
                    others.iter().any(|other| other.abs_diff_eq(mirrored, ROUNDING)),
                    "{bend}: {others:?}"
                );
            }
        }
    }

    #[test]
    fn feet_never_jump() {
        for forth in [Vec3::X, Vec3::Y, Vec3::new(0.6, -0.8, 0.0), Vec3::new(0.1, 1.0, 0.0).normalize()] {
            let axis = axis(-Vec3::Y, forth);
            let around = |degree: u32| {
                let angle = (degree as f32 / 10.0).to_radians();
                axis.foot(Vec3::new(angle.cos(), angle.sin(), 0.3)).0
            };
            let largest =
                (0..3600).map(|degree| around(degree).distance(around(degree + 1))).fold(0.0, f32::max);
            // A tenth of a degree on a unit circle is a way of 0.0017.
            assert!(largest < 0.01, "{forth}: {largest}");
        }
    }
}
