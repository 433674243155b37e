//! Converts between MMD's space and ours: negates z, 1 unit = 0.08 m, rotations about x and y change their sign.

use glam::{Quat, Vec3};

/// Meters per MMD unit.
pub const METRES_PER_UNIT: f32 = 0.08;

/// A point or translation, MMD units to m.
pub(crate) fn point_from_mmd([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z) * METRES_PER_UNIT
}

/// A point or translation, m to MMD units.
pub(crate) fn point_to_mmd(point: Vec3) -> [f32; 3] {
    let scaled = point / METRES_PER_UNIT;
    [scaled.x, scaled.y, -scaled.z]
}

/// A direction, from or to MMD.
pub(crate) fn direction([x, y, z]: [f32; 3]) -> Vec3 {
    Vec3::new(x, y, -z)
}

/// A direction at length 1; `None` if it has no length. In 64 bits: in 32 the squares of tiny and huge values are lost.
pub(crate) fn unit(direction: Vec3) -> Option<Vec3> {
    direction.as_dvec3().try_normalize().map(|unit| unit.as_vec3())
}

/// A rotation, from or to MMD.
pub(crate) fn turn([x, y, z, w]: [f32; 4]) -> Quat {
    Quat::from_xyzw(-x, -y, z, w)
}

/// A quaternion whose length differs from 1 by less is used unchanged: the rounding of four floats.
const UNIT_TOLERANCE: f64 = 1e-6;

/// A rotation from a file: normalized if needed; the identity if all zeros.
pub(crate) fn unit_turn(xyzw: [f32; 4]) -> Quat {
    let [x, y, z, w] = xyzw.map(f64::from);
    // In 64 bits neither the largest nor the smallest float overflows.
    let length = (x * x + y * y + z * z + w * w).sqrt();
    if length == 0.0 {
        return Quat::IDENTITY;
    }
    if (length - 1.0).abs() <= UNIT_TOLERANCE {
        return turn(xyzw);
    }
    turn([x, y, z, w].map(|part| (part / length) as f32))
}

/// The minimum and maximum angles about x, y and z, from or to MMD.
pub(crate) fn angle_limits(least: [f32; 3], greatest: [f32; 3]) -> [Vec3; 2] {
    // A rotation about x or y changes its sign: the maximum becomes the minimum.
    [Vec3::new(-greatest[0], -greatest[1], least[2]), Vec3::new(-least[0], -least[1], greatest[2])]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounding of single precision at lengths of about 1.
    const ROUNDING: f32 = 1e-6;

    #[test]
    fn tiny_and_huge_directions_have_a_unit() {
        for size in [1e-38, 3e-23, 1e-15, 1.0, 1e25, 3e38] {
            let unit = unit(Vec3::new(0.3, -0.6, 0.9) * size).unwrap();
            assert!(unit.is_normalized(), "{size}: {unit}");
        }
        assert_eq!(unit(Vec3::ZERO), None);
        assert_eq!(unit(Vec3::new(f32::NAN, 0.0, 1.0)), None);
    }

    #[test]
    fn turning_and_crossing_over_can_be_exchanged() {
        let q = Quat::from_xyzw(0.1, -0.5, 0.3, 0.8).normalize();
        let v = [0.3f32, -1.2, 0.7];
        let turned_there = q * Vec3::from(v);
        let turned_here = turn(q.to_array()) * direction(v);
        assert!(direction(turned_there.to_array()).abs_diff_eq(turned_here, ROUNDING));
        assert_eq!(point_from_mmd([1.0, 2.0, 3.0]), Vec3::new(0.08, 0.16, -0.24));
    }

    #[test]
    fn turns_of_files_become_unit() {
        assert_eq!(unit_turn([0.0; 4]), Quat::IDENTITY);
        let almost = [0.6, 0.0, 0.0, 0.800_000_1];
        assert_eq!(unit_turn(almost), turn(almost));
        for scale in [3e38, 1e-44, 2.0] {
            let found = unit_turn([0.0, 0.0, scale, scale]);
            assert!(
                found.abs_diff_eq(Quat::from_rotation_z(std::f32::consts::FRAC_PI_2), ROUNDING),
                "{found}"
            );
        }
    }

    #[test]
    fn limits_keep_their_order() {
        // A knee: about x from −180° to −0.5° in MMD.
        let [least, greatest] = angle_limits([-3.1, 0.0, -0.2], [-0.01, 0.0, 0.4]);
        assert_eq!((least.x, greatest.x), (0.01, 3.1));
        assert_eq!((least.z, greatest.z), (-0.2, 0.4));
    }
}
