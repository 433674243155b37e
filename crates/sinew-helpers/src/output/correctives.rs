//! Corrective morphs: what helpers leave over, as few shapes that follow the same drivers.
//!
//! For every example the shape that, added before skinning, would show what is wanted; of all these the principal components; and for the
//! weight of each component a controller, by least squares over the functions that helpers follow already. A rig thus shows correctives in poses
//! that nobody made an example of.

use super::convert::rounded;
use super::put_on::with_baked_clips;
use crate::RigError;
use crate::drivers::change_of;
use glam::{Affine3A, Vec3};
use rayon::prelude::*;
use sinew_geometry::{Bounds, Cholesky};
use sinew_model::HelperOutput;
use sinew_play::{BasisSettings, ShapeBasis, rest_delta, rest_normal_deltas};
use sinew_rig::{
    BoundSurface, Character, ControllerRun, Evaluator, MeshId, MorphController, MorphTarget, Pose,
};

/// How correctives are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CorrectiveSettings {
    /// The most of them for a mesh. A shape that goes both ways takes two.
    pub count: usize,
    /// No more are made than take every vertex this near in every example, in diagonals of the model. Default 5e-5.
    pub tolerance: f32,
    /// How clips are baked.
    pub output: HelperOutput,
}

impl Default for CorrectiveSettings {
    fn default() -> Self {
        Self { count: 4, tolerance: 5e-5, output: HelperOutput::default() }
    }
}

/// What was made for an instance of a mesh.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct CorrectiveSummary {
    /// The mesh.
    pub mesh: String,
    /// Morphs that were added.
    pub morphs: usize,
    /// RMS distance from the examples before, in the rest space of the mesh, metres.
    pub rms_before: f64,
    /// With as many shapes, both ways, at the weights that would be best.
    pub rms_best: f64,
    /// With the weights that controllers give.
    pub rms_after: f64,
}

/// A direction of a component that is asked for less than this, as a share of the other, is left out.
const NEGLIGIBLE: f64 = 0.02;

/// Share of the largest diagonal entry that is added to it, so that functions that are alike in all examples share their weight.
const RIDGE: f64 = 1e-9;

/// The character with morphs that correct what linear blending with helpers leaves of the examples, their controllers, and its clips baked anew.
/// `examples`: poses of this character, each with all vertices in the order of [`BoundSurface`], scene space.
///
/// # Errors
/// The character has no controllers, or examples do not fit it.
pub fn add_correctives(
    character: &Character,
    examples: &[(Pose, Vec<Vec3>)],
    settings: &CorrectiveSettings,
) -> Result<(Character, Vec<CorrectiveSummary>), RigError> {
    let bound = BoundSurface::of(character);
    check(character, &bound, examples)?;
    settings.output.check()?;
    let diagonal = Bounds::of(&bound.rest().positions).size().length();
    let (deltas, values) = wanted(character, &bound, examples);
    let tolerance_m = settings.tolerance * diagonal;
    let told: Vec<Vec<f64>> =
        values.iter().cloned().chain(values_in_clips(character, settings.output.fps)).collect();
    let mut parts = character.clone().into_parts();
    let mut summaries = Vec::new();
    for placed in bound.instances() {
        let mesh_id = character.instance(placed.instance).mesh;
        let own: Vec<Vec<Vec3>> =
            deltas.iter().map(|deltas| deltas[placed.vertices.clone()].to_vec()).collect();
        let basis = ShapeBasis::fit(&own, &BasisSettings { tolerance_m, most: settings.count });
        let mesh = &mut parts.meshes[mesh_id.index()];
        let summary = |morphs: usize, best: f64, after: f64| {
            let mesh = character.mesh(mesh_id).name.clone();
            CorrectiveSummary { mesh, morphs, rms_before: rms(&own), rms_best: best, rms_after: after }
        };
        if basis.shapes.is_empty() {
            summaries.push(summary(0, rms(&own), rms(&own)));
            continue;
        }
        if character.instances().iter().filter(|instance| instance.mesh == mesh_id).count() > 1 {
            return Err(RigError::Shared { mesh: mesh.name.clone() });
        }
        let sided = one_sided(&basis, &regress(&values, &basis.weights), &told, settings.count);
        summaries.push(summary(sided.len(), f64::from(basis.rms_m), rms(&left_over(&own, &sided, &values))));
        let turned = rest_normal_deltas(mesh, &own);
        let normals = if mesh.normals.is_empty() { Vec::new() } else { basis.companions(&turned) };
        let first = mesh.morphs.len();
        for (at, corrective) in sided.iter().enumerate() {
            let scaled = |deltas: &Vec<Vec3>| deltas.iter().map(|delta| *delta * corrective.scale).collect();
            let normals: Vec<Vec3> = normals.get(corrective.component).map(scaled).unwrap_or_default();
            let name = format!("corrective_{}", at + 1);
            mesh.morphs.push(MorphTarget::from_dense(name, &corrective.shape, &normals, &[]));
            parts.controllers.morphs.push(controller(mesh_id, first + at, &corrective.factors));
        }
        mesh.default_morph_weights.resize(mesh.morphs.len(), 0.0);
        let count = mesh.morphs.len();
        parts.instances[placed.instance.index()].morph_weights.resize(count, 0.0);
    }
    let counts: Vec<usize> = parts.instances.iter().map(|instance| instance.morph_weights.len()).collect();
    let tracks = parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks);
    tracks.for_each(|track| sinew_play::widen(track, character, &counts));
    Ok((with_baked_clips(parts, &settings.output.bake(diagonal))?, summaries))
}

fn check(
    character: &Character,
    bound: &BoundSurface,
    examples: &[(Pose, Vec<Vec3>)],
) -> Result<(), RigError> {
    if character.controllers().is_empty() {
        return Err(RigError::NoControllers);
    }
    if examples.is_empty() {
        return Err(RigError::NoExamples);
    }
    let bones = character.skeleton().bone_count();
    for (example, (pose, shape)) in examples.iter().enumerate() {
        let counts = [
            ("vertices", shape.len(), bound.vertex_count()),
            ("bones", pose.parent_from_bone().len(), bones),
        ];
        if let Some(&(what, found, expected)) = counts.iter().find(|(_, found, expected)| found != expected) {
            return Err(RigError::Example { example, what, found, expected });
        }
        if let Some(vertex) = shape.iter().position(|place| !place.is_finite()) {
            return Err(RigError::NotFinite { example, vertex });
        }
    }
    Ok(())
}

/// What must be added to the rest shape, and the values of all functions, in every example.
pub(super) fn wanted(
    character: &Character,
    bound: &BoundSurface,
    examples: &[(Pose, Vec<Vec3>)],
) -> (Vec<Vec<Vec3>>, Vec<Vec<f64>>) {
    let controllers = character.controllers();
    let of_example = |(evaluator, run): &mut (Evaluator, ControllerRun),
                      (pose, shape): &(Pose, Vec<Vec3>)| {
        let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        evaluator.model_from_bone_into(character, pose, &mut model_from_bone);
        let mut posed_from_rest = vec![Affine3A::IDENTITY; bound.palette().len()];
        bound.posed_from_rest_into(&model_from_bone, &mut posed_from_rest);
        let mut morphed = bound.rest().clone();
        bound.morphed_rest_into(character, evaluator, pose, &mut morphed);
        let delta = |vertex: usize| {
            rest_delta(bound, &posed_from_rest, vertex, morphed.positions[vertex], shape[vertex])
        };
        ((0..shape.len()).map(delta).collect(), values_of(character, &model_from_bone, run))
    };
    examples
        .par_iter()
        .map_init(|| (Evaluator::new(character), ControllerRun::new(controllers)), of_example)
        .unzip()
}

/// For each component the factor of every function, by least squares.
fn regress(values: &[Vec<f64>], weights: &[Vec<f32>]) -> Vec<Vec<f64>> {
    let (functions, components) = (values[0].len(), weights[0].len());
    let mut normal = vec![vec![0.0; functions]; functions];
    let mut right = vec![vec![0.0; functions]; components];
    for (row, weights) in values.iter().zip(weights) {
        for (a, normal) in normal.iter_mut().enumerate() {
            normal.iter_mut().zip(row).for_each(|(entry, value)| *entry += row[a] * value);
            right.iter_mut().zip(weights).for_each(|(sums, weight)| sums[a] += row[a] * f64::from(*weight));
        }
    }
    let largest = (0..functions).map(|at| normal[at][at]).fold(0.0, f64::max);
    (0..functions).for_each(|at| normal[at][at] += RIDGE * largest);
    // Functions that are zero in all examples leave nothing to find.
    let Some(factor) = Cholesky::factor(functions, |i, j| normal[i][j]) else {
        return vec![vec![0.0; functions]; components];
    };
    right.iter_mut().for_each(|column| factor.solve(column));
    right
}

fn controller(mesh: MeshId, morph: usize, factors: &[f64]) -> MorphController {
    let terms = factors.iter().enumerate().map(|(function, factor)| (function as u16, rounded(*factor)));
    MorphController { mesh, morph: morph as u32, terms: terms.filter(|(_, factor)| *factor != 0.0).collect() }
}

/// A component in one direction.
struct OneSided {
    /// Which.
    component: usize,
    /// What the component is multiplied with.
    scale: f32,
    shape: Vec<Vec3>,
    factors: Vec<f64>,
}

/// Components as morphs whose weights are from 0 to 1 wherever examples and clips go: those that go both ways twice. `told`: values of all functions there.
fn one_sided(basis: &ShapeBasis, factors: &[Vec<f64>], told: &[Vec<f64>], count: usize) -> Vec<OneSided> {
    let mut sided = Vec::new();
    for (component, (shape, factors)) in basis.shapes.iter().zip(factors).enumerate() {
        let farthest = |sign: f64| told.iter().map(|values| sign * dot(values, factors)).fold(0.0, f64::max);
        let both = [(1.0, farthest(1.0)), (-1.0, farthest(-1.0))];
        let most = both[0].1.max(both[1].1);
        for (sign, far) in both.into_iter().filter(|(_, far)| *far > NEGLIGIBLE * most) {
            let scale = (sign * far) as f32;
            sided.push(OneSided {
                component,
                scale,
                shape: shape.iter().map(|delta| *delta * scale).collect(),
                factors: factors.iter().map(|factor| factor * sign / far).collect(),
            });
        }
    }
    sided.truncate(count);
    sided
}

/// Values of all functions in every frame of every clip.
fn values_in_clips(character: &Character, fps: f64) -> Vec<Vec<f64>> {
    let mut evaluator = Evaluator::new(character);
    let mut run = ControllerRun::new(character.controllers());
    let mut pose = Pose::rest(character);
    let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    let mut rows = Vec::new();
    for clip in character.clips() {
        for frame in 0..clip.frame_count(fps) {
            pose.set_clip(character, clip, frame as f64 / fps);
            evaluator.model_from_bone_into(character, &pose, &mut model_from_bone);
            rows.push(values_of(character, &model_from_bone, &mut run));
        }
    }
    rows
}

/// Values of all functions for bones that stand so.
fn values_of(character: &Character, model_from_bone: &[Affine3A], run: &mut ControllerRun) -> Vec<f64> {
    let controllers = character.controllers();
    let drivers = controllers.drivers.iter();
    run.run(controllers, drivers.map(|driver| change_of(character, driver.bone, model_from_bone)));
    run.values().to_vec()
}

fn left_over(deltas: &[Vec<Vec3>], sided: &[OneSided], values: &[Vec<f64>]) -> Vec<Vec<Vec3>> {
    let of_example = |(deltas, values): (&Vec<Vec3>, &Vec<f64>)| {
        let mut left = deltas.clone();
        for corrective in sided {
            let weight = dot(values, &corrective.factors).max(0.0) as f32;
            left.iter_mut().zip(&corrective.shape).for_each(|(left, delta)| *left -= *delta * weight);
        }
        left
    };
    deltas.iter().zip(values).map(of_example).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn rms(deltas: &[Vec<Vec3>]) -> f64 {
    let squares: f64 = deltas.iter().flatten().map(|delta| f64::from(delta.length_squared())).sum();
    let count = deltas.iter().map(Vec::len).sum::<usize>().max(1);
    (squares / count as f64).sqrt()
}
