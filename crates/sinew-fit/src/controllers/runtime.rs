//! Controllers as they run: 32 bits, only the functions that a helper uses, no allocation.

use glam::{Affine3A, DMat3, DVec3, Mat3A, Quat, Vec3, Vec3A};
use sinew_geometry::SpringState;
use sinew_rig::{ControllerBasis, HELPER_NUMBERS, Swing};

use super::inputs::DriverInput;
use super::model::{Controllers, ControllersError, HelperController};
use crate::numeric::nearest_rotation;

/// Matrices whose columns miss a rotation's by less than this are taken as they are.
const RIGID_TOLERANCE: f32 = 1e-3;

/// The controllers of all helpers, to be run every frame.
///
/// Invariant: every index points at something, so that a frame cannot fail.
#[derive(Clone, Debug)]
pub struct HelperRig {
    /// Of each driver.
    axes: Vec<Vec<Vec3>>,
    basis: NarrowBasis,
    input_count: usize,
    helpers: Vec<RigHelper>,
}

/// A basis in 32 bits, without lists of lists.
#[derive(Clone, Debug)]
struct NarrowBasis {
    function_count: usize,
    /// Of monomials: inputs of all products, one after the other, and where each product ends.
    factors: Vec<u16>,
    ends: Vec<u32>,
    /// Of radial functions: scales, and centers one after the other.
    scales: Vec<f32>,
    centers: Vec<f32>,
}

impl NarrowBasis {
    fn new(basis: &ControllerBasis) -> Self {
        let function_count = basis.function_count();
        let (mut factors, mut ends) = (Vec::new(), Vec::new());
        let (mut scales, mut centers) = (Vec::new(), Vec::new());
        match basis {
            ControllerBasis::Monomials(products) => {
                for product in products {
                    factors.extend(product);
                    ends.push(factors.len() as u32);
                }
            }
            ControllerBasis::Radial { scales: wide, centers: round } => {
                scales.extend(wide.iter().map(|&scale| scale as f32));
                centers.extend(round.iter().flatten().map(|&center| center as f32));
            }
        }
        Self { function_count, factors, ends, scales, centers }
    }

    /// As [`ControllerBasis::values_into`].
    fn write(&self, inputs: &[f32], values: &mut [f32]) {
        values[0] = 1.0;
        let mut first = 0;
        for (value, &end) in values[1..].iter_mut().zip(&self.ends) {
            let factors = &self.factors[first..end as usize];
            *value = factors.iter().map(|&input| inputs[usize::from(input)]).product();
            first = end as usize;
        }
        let width = self.scales.len();
        if width > 0 {
            values[1..=width].copy_from_slice(&inputs[..width]);
            for (value, center) in values[1 + width..].iter_mut().zip(self.centers.chunks_exact(width)) {
                let parts = center.iter().zip(&self.scales).zip(inputs);
                let square: f32 = parts.map(|((c, s), x)| (x * s - c) * (x * s - c)).sum();
                *value = (-square).exp();
            }
        }
    }
}

#[derive(Clone, Debug)]
struct RigHelper {
    parent: usize,
    center: Vec3A,
    /// Numbers a function: 6, or 7 with a scale.
    width: usize,
    functions: Vec<u16>,
    /// `width` numbers for each of `functions`.
    coefficients: Vec<f32>,
}

/// Room for one frame; one per thread.
#[derive(Clone, Debug, Default)]
pub struct RigWorkspace {
    inputs: Vec<f32>,
    values: Vec<f32>,
}

impl HelperRig {
    /// Lays controllers out for running.
    ///
    /// # Errors
    /// If they are not right, see [`Controllers::check`], or a driver gives the way that it moves.
    pub fn new(controllers: &Controllers) -> Result<Self, ControllersError> {
        controllers.check()?;
        if let Some(driver) = controllers.inputs.iter().position(|input| !input.shifts().is_empty()) {
            return Err(ControllersError::Shifts { driver });
        }
        let axes = |input: &DriverInput| input.axes().iter().map(|axis| axis.as_vec3()).collect();
        Ok(Self {
            axes: controllers.inputs.iter().map(axes).collect(),
            basis: NarrowBasis::new(&controllers.basis),
            input_count: controllers.inputs.iter().map(DriverInput::count).sum(),
            helpers: controllers.helpers.iter().map(RigHelper::new).collect(),
        })
    }

    /// Number of helpers.
    pub fn helper_count(&self) -> usize {
        self.helpers.len()
    }

    /// Bytes of a helper's functions and coefficients.
    pub fn helper_bytes(&self, helper: usize) -> usize {
        2 * self.helpers[helper].functions.len() + 4 * self.helpers[helper].coefficients.len()
    }

    /// Room for this rig.
    pub fn workspace(&self) -> RigWorkspace {
        RigWorkspace { inputs: vec![0.0; self.input_count], values: vec![0.0; self.basis.function_count] }
    }

    /// Skinning matrices of all helpers in a frame.
    ///
    /// `rotations`: of each driver, local, relative to bind. `drivers`: skinning matrices of each, `posed_from_rest`. `helpers`: one per
    /// helper. Nothing is allocated.
    ///
    /// # Panics
    /// If the lists are too short, or the workspace is another rig's.
    pub fn pose(
        &self,
        rotations: &[Quat],
        drivers: &[Affine3A],
        workspace: &mut RigWorkspace,
        helpers: &mut [Affine3A],
    ) {
        self.write_values(rotations, drivers, workspace);
        assert!(helpers.len() >= self.helpers.len(), "a place for each helper");
        for (helper, matrix) in self.helpers.iter().zip(helpers) {
            *matrix = helper.matrix(&helper.numbers(&workspace.values), &drivers[helper.parent]);
        }
    }

    /// As [`pose`](Self::pose), with helpers that lag and swing, some time after the frame before. `drivers` must move as the character does, its way
    /// through the scene and all. `swings`: one per helper, with its mass; `None` begins at rest.
    ///
    /// # Panics
    /// As [`pose`](Self::pose), and if there are too few swings or no time has passed.
    pub fn pose_swinging(
        &self,
        (rotations, drivers): (&[Quat], &[Affine3A]),
        (swings, seconds): (&mut [(Swing, Option<SpringState>)], f64),
        workspace: &mut RigWorkspace,
        helpers: &mut [Affine3A],
    ) {
        self.write_values(rotations, drivers, workspace);
        let count = self.helpers.len();
        assert!(helpers.len() >= count && swings.len() >= count, "a place and a swing for each helper");
        assert!(seconds > 0.0, "{seconds} s after the frame before");
        for ((helper, matrix), (swing, state)) in self.helpers.iter().zip(helpers).zip(swings) {
            let parent = &drivers[helper.parent];
            let place = parent.transform_point3a(helper.center).as_dvec3();
            match state {
                Some(state) => swing.spring.step(state, place, seconds),
                None => *state = Some(SpringState::at_rest(place)),
            }
            let turn = Quat::from_mat3a(&rotation_of(&parent.matrix3)).as_dquat();
            let pull = state.as_ref().map_or(DVec3::ZERO, |state| swing.spring.pull(state, turn));
            let added = swing.added(pull);
            let said = helper.numbers(&workspace.values);
            *matrix = helper.matrix(&std::array::from_fn(|at| said[at] + added[at] as f32), parent);
        }
    }

    fn write_values(&self, rotations: &[Quat], drivers: &[Affine3A], workspace: &mut RigWorkspace) {
        let count = self.axes.len().min(rotations.len()).min(drivers.len());
        assert_eq!(count, self.axes.len(), "a rotation and a matrix for each driver");
        let fits =
            workspace.inputs.len() == self.input_count && workspace.values.len() == self.basis.function_count;
        assert!(fits, "the workspace of this rig");
        let mut inputs = workspace.inputs.iter_mut();
        for (axes, rotation) in self.axes.iter().zip(rotations) {
            let log = log(*rotation);
            axes.iter().zip(&mut inputs).for_each(|(axis, input)| *input = log.dot(*axis));
        }
        self.basis.write(&workspace.inputs, &mut workspace.values);
    }
}

impl RigHelper {
    fn new(controller: &HelperController) -> Self {
        let rows = controller.coefficients.chunks(HELPER_NUMBERS);
        let has_scale = rows.clone().any(|row| row[HELPER_NUMBERS - 1] != 0.0);
        let width = if has_scale { HELPER_NUMBERS } else { HELPER_NUMBERS - 1 };
        let used = rows.enumerate().filter(|(_, row)| row.iter().any(|value| *value != 0.0));
        let (mut functions, mut coefficients) = (Vec::new(), Vec::new());
        for (function, row) in used {
            functions.push(function as u16);
            coefficients.extend(row[..width].iter().map(|&value| value as f32));
        }
        let center = controller.frame.center.as_vec3a();
        Self { parent: controller.frame.parent, center, width, functions, coefficients }
    }

    fn numbers(&self, values: &[f32]) -> [f32; HELPER_NUMBERS] {
        let mut numbers = [0.0f32; HELPER_NUMBERS];
        for (function, row) in self.functions.iter().zip(self.coefficients.chunks_exact(self.width)) {
            let value = values[usize::from(*function)];
            numbers.iter_mut().zip(row).for_each(|(number, coefficient)| *number += value * coefficient);
        }
        numbers
    }

    fn matrix(&self, numbers: &[f32; HELPER_NUMBERS], parent: &Affine3A) -> Affine3A {
        let rotation = rotation_of(&parent.matrix3);
        let shift = Vec3A::new(numbers[0], numbers[1], numbers[2]);
        let log = Vec3::new(numbers[3], numbers[4], numbers[5]);
        let mut linear = rotation * Mat3A::from_quat(exp(log));
        if self.width == HELPER_NUMBERS {
            linear *= numbers[6].exp();
        }
        let center = parent.transform_point3a(self.center) + rotation * shift;
        Affine3A { matrix3: linear, translation: center - linear * self.center }
    }
}

fn log(rotation: Quat) -> Vec3 {
    let rotation = if rotation.w < 0.0 { -rotation } else { rotation };
    let (vector, sine) = (rotation.xyz(), rotation.xyz().length());
    if sine < 1e-4 { vector } else { vector * (sine.atan2(rotation.w) / sine) }
}

fn exp(log: Vec3) -> Quat {
    let half_angle = log.length();
    let (sine, cosine) = half_angle.sin_cos();
    let vector = log * if half_angle < 1e-4 { 1.0 } else { sine / half_angle };
    Quat::from_xyzw(vector.x, vector.y, vector.z, cosine).normalize()
}

/// The rotation of a driver; drivers that stretch give the nearest.
fn rotation_of(matrix: &Mat3A) -> Mat3A {
    let product = matrix.transpose() * *matrix;
    if product.abs_diff_eq(Mat3A::IDENTITY, RIGID_TOLERANCE) && matrix.determinant() > 0.0 {
        return *matrix;
    }
    let wide = DMat3::from_cols_array(&matrix.to_cols_array().map(f64::from));
    Mat3A::from_cols_array(&nearest_rotation(wide).to_cols_array().map(|entry| entry as f32))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOAT: f64 = 1e-6;

    #[test]
    fn both_precisions_agree() {
        let inputs = [0.3, -0.8, 0.1, 0.5, 0.2, -0.4];
        for basis in [ControllerBasis::polynomial(&[1, 1], 3, true), ControllerBasis::radial(&inputs, 2, 3)] {
            let count = basis.function_count();
            let (mut wide, mut narrow) = (vec![0.0; count], vec![0.0; count]);
            basis.values_into(&[0.25, -0.5], &mut wide);
            NarrowBasis::new(&basis).write(&[0.25, -0.5], &mut narrow);
            assert!(
                wide.iter().zip(&narrow).all(|(a, b)| (a - f64::from(*b)).abs() < FLOAT),
                "{wide:?} {narrow:?}"
            );
        }
    }
}
