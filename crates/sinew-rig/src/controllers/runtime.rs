//! Runs controllers: in 64 bits, because fitted coefficients may be large and cancel; without allocation per frame.

use super::{HELPER_NUMBERS, HelperControllers};
use glam::{Affine3A, DMat3, DQuat, DVec3, Mat3A, Vec3A};
use sinew_geometry::Trs;

/// Below this sine a rotation and its logarithm are equal to the last bit of 64.
const SMALL_SINE: f64 = 1e-9;

/// Memory for one frame of a character's controllers.
#[derive(Clone, Debug)]
pub struct ControllerRun {
    inputs: Vec<f64>,
    values: Vec<f64>,
    numbers: Vec<[f64; HELPER_NUMBERS]>,
}

impl ControllerRun {
    /// Memory for these controllers.
    pub fn new(controllers: &HelperControllers) -> Self {
        Self {
            inputs: vec![0.0; controllers.input_count()],
            values: vec![0.0; controllers.function_count()],
            numbers: vec![[0.0; HELPER_NUMBERS]; controllers.helpers.len()],
        }
    }

    /// Computes the numbers of all helpers in a pose. `changes`: one per driver, see [`driver_change`]; rotations alone are drivers that do not move.
    ///
    /// # Panics
    /// If the changes or this memory belong to other controllers.
    pub fn run(
        &mut self,
        controllers: &HelperControllers,
        changes: impl ExactSizeIterator<Item = impl Into<DriverChange>>,
    ) -> &[[f64; HELPER_NUMBERS]] {
        assert_eq!(changes.len(), controllers.drivers.len(), "one change per driver");
        let mut inputs = self.inputs.iter_mut();
        for (driver, change) in controllers.drivers.iter().zip(changes) {
            let change: DriverChange = change.into();
            let log = log_quaternion(change.rotation);
            let told = driver.axes.iter().map(|axis| log.dot(*axis));
            let told = told.chain(driver.shifts.iter().map(|direction| change.shift.dot(*direction)));
            told.zip(&mut inputs).for_each(|(number, input)| *input = number);
        }
        controllers.basis.values_into(&self.inputs, &mut self.values);
        for (helper, numbers) in controllers.helpers.iter().zip(&mut self.numbers) {
            *numbers = [0.0; HELPER_NUMBERS];
            for (function, row) in &helper.terms {
                let value = self.values[usize::from(*function)];
                numbers.iter_mut().zip(row).for_each(|(number, coefficient)| *number += value * coefficient);
            }
        }
        &self.numbers
    }

    /// The inputs of the last run.
    pub fn inputs(&self) -> &[f64] {
        &self.inputs
    }

    /// The functions of the basis, of the last run.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The helpers' numbers of the last run.
    pub fn numbers(&self) -> &[[f64; HELPER_NUMBERS]] {
        &self.numbers
    }

    /// Weights of the controlled morphs of the last run, at least 0.
    pub fn morph_weights<'a>(&'a self, controllers: &'a HelperControllers) -> impl Iterator<Item = f32> + 'a {
        let weight = |terms: &[(u16, f64)]| {
            terms.iter().map(|&(function, factor)| self.values[usize::from(function)] * factor).sum::<f64>()
        };
        controllers.morphs.iter().map(move |morph| weight(&morph.terms).max(0.0) as f32)
    }
}

/// What a driver does in a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriverChange {
    /// Rotation relative to rest, in its own axes.
    pub rotation: DQuat,
    /// The way from rest, in its own frame at rest.
    pub shift: DVec3,
}

impl DriverChange {
    /// None.
    pub const REST: Self = Self { rotation: DQuat::IDENTITY, shift: DVec3::ZERO };
}

impl From<DQuat> for DriverChange {
    fn from(rotation: DQuat) -> Self {
        Self { rotation, shift: DVec3::ZERO }
    }
}

/// What a bone does relative to its rest: [`driver_rotation`], and how far its origin has moved. A bone flat at rest has no frame to move in, and no shift.
pub fn driver_change(rest_parent_from_bone: &Affine3A, parent_from_bone: &Affine3A) -> DriverChange {
    let rest = rest_parent_from_bone.as_daffine3();
    let shift = rest.matrix3.inverse() * (parent_from_bone.translation.as_dvec3() - rest.translation);
    let rotation = driver_rotation(rest_parent_from_bone, parent_from_bone);
    DriverChange { rotation, shift: if shift.is_finite() { shift } else { DVec3::ZERO } }
}

/// Rotation of a bone relative to its rest, in its own axes: `rest⁻¹ · now`. Scale is ignored; for sheared bones the rotation of their
/// [`Trs`].
pub fn driver_rotation(rest_parent_from_bone: &Affine3A, parent_from_bone: &Affine3A) -> DQuat {
    let turned = |local: &Affine3A| rotation_of(&local.matrix3);
    (turned(rest_parent_from_bone).conjugate() * turned(parent_from_bone)).normalize()
}

/// Transform of a helper for its numbers, in its own frame at rest.
pub fn helper_change(numbers: &[f64; HELPER_NUMBERS]) -> Affine3A {
    let [x, y, z, a, b, c, scale] = *numbers;
    let linear = DMat3::from_quat(exp_quaternion(DVec3::new(a, b, c))) * scale.exp();
    Affine3A {
        matrix3: Mat3A::from_cols_array(&linear.to_cols_array().map(|entry| entry as f32)),
        translation: Vec3A::new(x as f32, y as f32, z as f32),
    }
}

fn rotation_of(matrix: &Mat3A) -> DQuat {
    let wide = DMat3::from_cols_array(&matrix.to_cols_array().map(f64::from));
    let columns = [wide.x_axis, wide.y_axis, wide.z_axis].map(DVec3::normalize_or_zero);
    let unit = DMat3::from_cols(columns[0], columns[1], columns[2]);
    let is_rotation =
        (unit.transpose() * unit).abs_diff_eq(DMat3::IDENTITY, 1e-5) && unit.determinant() > 0.0;
    if is_rotation {
        return DQuat::from_mat3(&unit).normalize();
    }
    let affine = Affine3A { matrix3: *matrix, translation: Vec3A::ZERO };
    let nearest = Trs::nearest(&affine);
    nearest.rotation.as_dquat().normalize()
}

/// The logarithm of a unit quaternion: half the angle along the axis, of the shorter way round.
pub fn log_quaternion(rotation: DQuat) -> DVec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let (vector, sine) = (rotation.xyz(), rotation.xyz().length());
    if sine < SMALL_SINE { vector } else { vector * (sine.atan2(rotation.w) / sine) }
}

/// The rotation of a logarithm.
pub fn exp_quaternion(log: DVec3) -> DQuat {
    let half_angle = log.length();
    let (sine, cosine) = half_angle.sin_cos();
    let vector = if half_angle < SMALL_SINE { log } else { log * (sine / half_angle) };
    DQuat::from_xyzw(vector.x, vector.y, vector.z, cosine).normalize()
}

#[cfg(test)]
mod tests {
    use super::super::{ControllerBasis, ControllerDriver, HelperController};
    use super::*;
    use crate::BoneId;
    use glam::{Quat, Vec3};

    /// Rounding of f32 in numbers of the order of 1.
    const ROUNDING: f32 = 1e-6;

    #[test]
    fn a_hinge_of_90_degrees_gives_the_sum_by_hand() {
        let controllers = HelperControllers {
            drivers: vec![ControllerDriver::turning(BoneId(0), vec![DVec3::Z])],
            basis: ControllerBasis::Monomials(vec![vec![0], vec![0, 0]]),
            helpers: vec![HelperController {
                bone: BoneId(1),
                terms: vec![
                    (0, [0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]),
                    (2, [0.0, 2.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
                ],
                swing: None,
            }],
            ..HelperControllers::default()
        };
        let quarter = std::f64::consts::FRAC_PI_2;
        let mut run = ControllerRun::new(&controllers);
        let numbers = run.run(&controllers, [DQuat::from_rotation_z(quarter)].into_iter())[0];
        // The input is half the angle, π/4.
        let square = (quarter / 2.0).powi(2);
        let expected = [0.5, 2.0 * square, 0.0, 0.0, 0.0, square, 0.0];
        assert!(numbers.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{numbers:?}");
        let change = helper_change(&numbers);
        let turned = change.transform_vector3(Vec3::X);
        let angle = (2.0 * square) as f32;
        assert!(turned.abs_diff_eq(Vec3::new(angle.cos(), angle.sin(), 0.0), ROUNDING), "{turned}");
    }

    #[test]
    fn log_and_exp_are_inverse_also_near_no_turn_and_a_half_turn() {
        const ROUNDING: f64 = 1e-12;
        for angle in [0.0, 1e-9, 1e-5, 0.3, 2.0, 3.1] {
            let axis = DVec3::new(1.0, -2.0, 0.5).normalize();
            let log = log_quaternion(-DQuat::from_axis_angle(axis, angle));
            assert!((log - axis * (angle / 2.0)).length() < ROUNDING, "{angle}: {log}");
            let back = log_quaternion(exp_quaternion(log));
            assert!((back - log).length() < ROUNDING, "{angle}: {back}");
        }
    }

    #[test]
    fn a_bone_that_slides_gives_its_way_in_its_own_frame_after_its_turn() {
        let controllers = HelperControllers {
            drivers: vec![
                ControllerDriver { bone: BoneId(0), axes: vec![DVec3::Z], shifts: vec![DVec3::Y * 2.0] },
                ControllerDriver::turning(BoneId(1), vec![DVec3::X]),
            ],
            basis: ControllerBasis::Monomials(vec![vec![0], vec![1], vec![2]]),
            ..HelperControllers::default()
        };
        let rest = Affine3A::from_scale_rotation_translation(
            Vec3::splat(2.0),
            Quat::from_rotation_x(0.4),
            Vec3::ONE,
        );
        let own = Affine3A::from_rotation_translation(Quat::from_rotation_z(0.6), Vec3::new(0.1, 0.3, -0.2));
        let change = driver_change(&rest, &(rest * own));
        assert!((change.shift - DVec3::new(0.1, 0.3, -0.2)).length() < f64::from(ROUNDING), "{change:?}");
        let mut run = ControllerRun::new(&controllers);
        run.run(&controllers, [change, DriverChange::REST].into_iter());
        let expected = [0.3, 0.6, 0.0];
        assert!(run.inputs().iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-6), "{:?}", run.inputs());
    }

    #[test]
    fn rotations_are_relative_to_rest_whatever_the_scale() {
        let rest =
            Affine3A::from_scale_rotation_translation(Vec3::splat(3.0), Quat::from_rotation_x(0.4), Vec3::Y);
        let turn = Quat::from_rotation_y(-1.2);
        let found = driver_rotation(&rest, &(rest * Affine3A::from_quat(turn)));
        assert!(found.abs_diff_eq(turn.as_dquat(), 1e-6), "{found}");
    }
}
