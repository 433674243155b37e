//! What a fit gives: helper bones, weights and controllers of a whole character.

use crate::{DriverBinds, ExampleSet, RigError};
use glam::{DAffine3, DVec3, Vec3};
use sinew_fit::{Controllers, DriverInput, HelperController};
use sinew_rig::{ControllerBasis, DriverChange, HELPER_NUMBERS, Swing};
use std::collections::HashMap;

/// Helper bones of a character. Plain data.
#[derive(Clone, Debug, Default)]
pub struct FittedRig {
    /// Vertices of the surface that bones move, ascending; as [`DriverBinds::vertices`].
    pub vertices: Vec<u32>,
    /// Drivers, which come before helpers in `weights`; as [`DriverBinds::bones`].
    pub driver_count: usize,
    /// One per vertex and bone, vertex by vertex, drivers first; ≥ 0, sum 1.
    pub weights: Vec<f64>,
    /// How helpers follow drivers.
    pub controllers: Controllers,
    /// Lag and swing of each helper; empty for rigs without.
    pub swings: Vec<Swing>,
    /// Frames a second that swings were fitted at; they hold for others nearly as well.
    pub swing_fps: f64,
}

impl FittedRig {
    /// A rig without helpers, with the weights of the character.
    pub fn plain(drivers: &DriverBinds, bound: &sinew_rig::BoundSurface) -> Self {
        let driver_count = drivers.bones().len();
        let mut weights = vec![0.0; drivers.vertices().len() * driver_count];
        for (row, &vertex) in weights.chunks_mut(driver_count).zip(drivers.vertices()) {
            drivers.influences(bound, vertex).for_each(|(driver, weight)| row[driver] += weight);
            let sum: f64 = row.iter().sum();
            row.iter_mut().for_each(|weight| *weight /= sum);
        }
        let inputs = vec![DriverInput::None; driver_count];
        let controllers = Controllers { inputs, ..Controllers::default() };
        Self { vertices: drivers.vertices().to_vec(), driver_count, weights, controllers, ..Self::default() }
    }

    /// Helpers there are.
    pub fn helper_count(&self) -> usize {
        self.controllers.helpers.len()
    }

    /// Most influences that a vertex has.
    pub fn most_influences(&self) -> usize {
        let bone_count = self.driver_count + self.helper_count();
        let count = |row: &[f64]| row.iter().filter(|weight| **weight > 0.0).count();
        self.weights.chunks(bone_count.max(1)).map(count).max().unwrap_or(0)
    }

    /// Where vertices stand; `rest_positions`: those of [`vertices`](Self::vertices). `changes` and `matrices`: of all drivers.
    pub fn positions(
        &self,
        rest_positions: &[Vec3],
        changes: &[DriverChange],
        matrices: &[DAffine3],
    ) -> Vec<Vec3> {
        let helpers = self.controllers.posed_from_rest(changes, matrices);
        blended(&self.weights, rest_positions, matrices.iter().chain(&helpers))
    }

    /// Where vertices stand in the only pose of examples of all of them.
    pub(crate) fn placed(&self, set: &ExampleSet) -> Vec<Vec3> {
        self.positions(&set.rest_positions, &set.driver_changes, &set.driver_posed_from_rest)
    }

    /// Where vertices stand in a pose of examples of all of them, with helpers as given.
    pub fn blend(&self, set: &ExampleSet, pose: usize, helpers: &[DAffine3]) -> Vec<Vec3> {
        blended(&self.weights, &set.rest_positions, set.examples().drivers(pose).iter().chain(helpers))
    }

    /// Adds the helpers of a part of the character.
    ///
    /// # Errors
    /// If both cannot have one basis.
    pub fn add(&mut self, part: &FittedPart<'_>) -> Result<(), RigError> {
        let functions = self.join_basis(part)?;
        let (old_helpers, new_helpers) = (self.helper_count(), part.controllers.helpers.len());
        self.widen(new_helpers);
        let bone_count = self.driver_count + old_helpers + new_helpers;
        let part_bones = part.drivers.len() + new_helpers;
        let global = |bone: usize| match part.drivers.get(bone) {
            Some(&driver) => driver,
            None => self.driver_count + old_helpers + bone - part.drivers.len(),
        };
        for (row, vertex) in part.weights.chunks(part_bones.max(1)).zip(part.vertices) {
            let Ok(at) = self.vertices.binary_search(vertex) else { continue };
            let into = &mut self.weights[at * bone_count..][..bone_count];
            into.fill(0.0);
            row.iter().enumerate().for_each(|(bone, weight)| into[global(bone)] += weight);
        }
        let function_count = self.controllers.basis.function_count();
        for helper in &part.controllers.helpers {
            let mut coefficients = vec![0.0; function_count * HELPER_NUMBERS];
            for (row, &function) in helper.coefficients.chunks(HELPER_NUMBERS).zip(&functions) {
                coefficients[function * HELPER_NUMBERS..][..HELPER_NUMBERS].copy_from_slice(row);
            }
            let mut frame = helper.frame;
            frame.parent = part.drivers[frame.parent];
            self.controllers.helpers.push(HelperController { frame, coefficients });
        }
        Ok(())
    }

    /// Makes room for more helpers.
    fn widen(&mut self, count: usize) {
        let bone_count = self.driver_count + self.helper_count();
        let wider =
            |row: &[f64]| row.iter().copied().chain(std::iter::repeat_n(0.0, count)).collect::<Vec<f64>>();
        self.weights = self.weights.chunks(bone_count.max(1)).flat_map(wider).collect();
    }

    /// Adds the functions of a part; returns where each of them is now.
    fn join_basis(&mut self, part: &FittedPart<'_>) -> Result<Vec<usize>, RigError> {
        let controllers = &mut self.controllers;
        // The first part may bring any basis, others only polynomials of the same inputs.
        let before = controllers.inputs.clone();
        for (&driver, input) in part.drivers.iter().zip(&part.controllers.inputs) {
            match (controllers.inputs[driver], *input) {
                (_, DriverInput::None) => (),
                (DriverInput::None, new) => controllers.inputs[driver] = new,
                (old, new) if old == new => (),
                _ => return Err(RigError::Inputs { driver }),
            }
        }
        if matches!(part.controllers.basis, ControllerBasis::Radial { .. }) && controllers.helpers.is_empty()
        {
            // Drivers of a part ascend, so that its inputs are in the order of all inputs.
            controllers.basis = part.controllers.basis.clone();
            return Ok((0..controllers.basis.function_count()).collect());
        }
        let ControllerBasis::Monomials(own) = &part.controllers.basis else { return Err(RigError::Radial) };
        let ControllerBasis::Monomials(products) = &mut controllers.basis else {
            return Err(RigError::Radial);
        };
        let moved = input_moves(&before, &controllers.inputs);
        products.iter_mut().flatten().for_each(|input| *input = moved[usize::from(*input)]);
        let inputs = part_inputs(part, &controllers.inputs);
        let mut places: HashMap<Vec<u16>, usize> =
            products.iter().enumerate().map(|(at, product)| (product.clone(), at + 1)).collect();
        let mut found = vec![0usize];
        for product in own {
            let product: Vec<u16> = product.iter().map(|&input| inputs[usize::from(input)]).collect();
            let next = products.len() + 1;
            let at = *places.entry(product.clone()).or_insert(next);
            if at == next {
                u16::try_from(next).map_err(|_| RigError::TooManyFunctions)?;
                products.push(product);
            }
            found.push(at);
        }
        let length = controllers.basis.function_count() * HELPER_NUMBERS;
        controllers.helpers.iter_mut().for_each(|helper| helper.coefficients.resize(length, 0.0));
        Ok(found)
    }
}

/// Linear blend of bones that move by these skinning matrices; `weights`: one per vertex and bone.
pub(super) fn blended<'a>(
    weights: &[f64],
    rest_positions: &[Vec3],
    bones: impl Iterator<Item = &'a DAffine3>,
) -> Vec<Vec3> {
    let bones: Vec<&DAffine3> = bones.collect();
    let place = |(row, rest): (&[f64], &Vec3)| {
        let rest = rest.as_dvec3();
        let parts = row.iter().zip(&bones).filter(|(weight, _)| **weight != 0.0);
        parts.map(|(weight, bone)| bone.transform_point3(rest) * *weight).sum::<DVec3>().as_vec3()
    };
    weights.chunks(bones.len().max(1)).zip(rest_positions).map(place).collect()
}

/// A fit of some vertices by some drivers.
#[derive(Clone, Copy, Debug)]
pub struct FittedPart<'a> {
    /// Vertices of the surface.
    pub vertices: &'a [u32],
    /// Places in [`DriverBinds::bones`].
    pub drivers: &'a [usize],
    /// One per vertex and bone of the part, drivers first.
    pub weights: &'a [f64],
    /// Of the part's drivers.
    pub controllers: &'a Controllers,
}

/// For each input of `before` its place in `after`, which has inputs of more drivers.
fn input_moves(before: &[DriverInput], after: &[DriverInput]) -> Vec<u16> {
    let mut moves = Vec::new();
    let mut first = 0u16;
    for (old, new) in before.iter().zip(after) {
        moves.extend((0..old.count() as u16).map(|at| first + at));
        first += new.count() as u16;
    }
    moves
}

/// For each input of a part its place among all inputs.
fn part_inputs(part: &FittedPart<'_>, all: &[DriverInput]) -> Vec<u16> {
    let firsts: Vec<u16> = all
        .iter()
        .scan(0u16, |first, input| {
            let own = *first;
            *first += input.count() as u16;
            Some(own)
        })
        .collect();
    let of = |(&driver, input): (&usize, &DriverInput)| {
        (0..input.count() as u16).map(|at| firsts[driver] + at).collect::<Vec<u16>>()
    };
    part.drivers.iter().zip(&part.controllers.inputs).flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DQuat;
    use sinew_fit::HelperFrame;
    use sinew_rig::{BoundSurface, samples};

    /// A part on two drivers with one helper whose numbers are all different.
    fn part_controllers(inputs: Vec<DriverInput>, seed: f64) -> Controllers {
        let counts: Vec<usize> = inputs.iter().map(DriverInput::count).collect();
        let basis = ControllerBasis::polynomial(&counts, 2, true);
        let coefficients =
            (0..basis.function_count() * HELPER_NUMBERS).map(|at| 0.01 * (seed + at as f64).sin()).collect();
        let frame = HelperFrame { parent: 1, center: DVec3::new(0.1, seed, 0.2) };
        Controllers { inputs, basis, helpers: vec![HelperController { frame, coefficients }] }
    }

    #[test]
    fn helpers_of_parts_do_the_same_together() {
        let figure = samples::figure();
        let bound = BoundSurface::of(&figure);
        let drivers = DriverBinds::all(&figure).unwrap();
        let mut rig = FittedRig::plain(&drivers, &bound);
        let hinge = DriverInput::Hinge(DVec3::X);
        let parts = [
            ([2usize, 5], part_controllers(vec![DriverInput::None, DriverInput::Ball], 1.0)),
            ([1, 2], part_controllers(vec![hinge, DriverInput::Ball], 2.0)),
            ([2, 5], part_controllers(vec![DriverInput::Ball, DriverInput::Ball], 3.0)),
        ];
        let vertices = [rig.vertices[0]];
        for (places, controllers) in &parts {
            let weights = [0.25, 0.25, 0.5];
            rig.add(&FittedPart { vertices: &vertices, drivers: places, weights: &weights, controllers })
                .unwrap();
        }
        let turn = |at: usize| DQuat::from_scaled_axis(DVec3::new(0.1, -0.2, 0.3) * (1.0 + at as f64));
        let count = drivers.bones().len();
        let rotations: Vec<DQuat> = (0..count).map(turn).collect();
        let matrices: Vec<DAffine3> =
            rotations.iter().map(|turn| DAffine3::from_rotation_translation(*turn, DVec3::Y)).collect();
        let changes: Vec<DriverChange> = rotations.iter().copied().map(DriverChange::from).collect();
        let joined = rig.controllers.posed_from_rest(&changes, &matrices);
        for (at, (places, controllers)) in parts.iter().enumerate() {
            let own_changes = places.map(|driver| changes[driver]);
            let own_matrices = places.map(|driver| matrices[driver]);
            let own = controllers.posed_from_rest(&own_changes, &own_matrices)[0];
            assert!(joined[at].abs_diff_eq(own, 1e-12), "part {at}: {} and {own}", joined[at]);
        }
        let row = &rig.weights[..count + 3];
        assert_eq!((row[2], row[5], row[count + 2], row[count]), (0.25, 0.25, 0.5, 0.0));
        rig.controllers.check().unwrap();
    }

    #[test]
    fn radial_functions_are_those_of_one_part_alone() {
        let figure = samples::figure();
        let bound = BoundSurface::of(&figure);
        let drivers = DriverBinds::all(&figure).unwrap();
        let mut rig = FittedRig::plain(&drivers, &bound);
        let mut controllers = part_controllers(vec![DriverInput::Hinge(DVec3::X), DriverInput::Ball], 1.0);
        let samples: Vec<f64> = (0..40).map(|at| f64::from(at).sin()).collect();
        controllers.basis = ControllerBasis::radial(&samples, 4, 5);
        controllers.helpers[0].coefficients = (0..controllers.basis.function_count() * HELPER_NUMBERS)
            .map(|at| 0.01 * (at as f64).cos())
            .collect();
        let (vertices, weights) = ([rig.vertices[0]], [0.5, 0.0, 0.5]);
        let part = FittedPart {
            vertices: &vertices,
            drivers: &[2, 5],
            weights: &weights,
            controllers: &controllers,
        };
        rig.add(&part).unwrap();
        let turn = |at: usize| DQuat::from_scaled_axis(DVec3::new(0.1, -0.2, 0.3) * (1.0 + at as f64));
        let rotations: Vec<DQuat> = (0..drivers.bones().len()).map(turn).collect();
        let matrices = vec![DAffine3::IDENTITY; rotations.len()];
        let changes: Vec<DriverChange> = rotations.iter().copied().map(DriverChange::from).collect();
        let joined = rig.controllers.posed_from_rest(&changes, &matrices)[0];
        let own = controllers.posed_from_rest(&[changes[2], changes[5]], &matrices[..2])[0];
        assert!(joined.abs_diff_eq(own, 1e-12), "{joined} and {own}");
        assert!(matches!(rig.add(&part), Err(RigError::Radial)));
    }
}
