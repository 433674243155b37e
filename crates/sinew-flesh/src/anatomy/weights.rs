//! Weights of the surface, carried inwards.
//!
//! Each vertex gives its value to the four corners of its tetrahedron by its barycentric weights, as strongly as the area it stands
//! for; between them the field is harmonic (see [`crate::field`]). Tetrahedra of a cover have no obtuse angles, so that the
//! matrix has a positive inverse: weights stay positive and sum to 1. Copies of tetrahedra on both sides of a gap
//! share no points, so that nothing crosses it.

use super::{AnatomyInput, AnatomyWarning};
use crate::field::{FieldError, FieldSolver, Laplacian, parts_of_points};
use glam::Affine3A;
use sinew_rig::{BoneId, Influences, InfluencesBuilder};

/// How strongly the surface's values hold against smoothness. Larger follows the surface more closely and smooths less where vertices
/// are sparse. On a human of 5,000 tetrahedra results hardly change from 3 to 300.
const HOLD: f64 = 30.0;

/// Weights below this share are dropped: they cost time and move nothing by more than a millimeter.
const LEAST_WEIGHT: f64 = 1e-3;

/// Right-hand sides solved at once: memory for this many fields is taken.
const AT_ONCE: usize = 32;

/// Carries values from the surface's vertices to points of the tetrahedra.
pub(super) struct Inwards<'a> {
    input: &'a AnatomyInput<'a>,
    solver: FieldSolver,
    /// How strongly each vertex speaks; zero for loose ones.
    vertex_strengths: Vec<f64>,
    /// Points in parts that no vertex speaks to.
    pub(super) unreached: Vec<bool>,
}

impl<'a> Inwards<'a> {
    pub(super) fn new(input: &'a AnatomyInput<'a>) -> Result<Self, FieldError> {
        let mut solver = FieldSolver::new(Laplacian::new(&input.cover.mesh))?;
        let vertex_strengths = vertex_strengths(input);
        let mut strengths = vec![0.0; input.cover.mesh.points().len()];
        vertex_strengths.iter().enumerate().for_each(|(at, &given)| give(input, at, given, &mut strengths));
        solver.set_strengths(&strengths)?;
        let unreached = unreached(input, &strengths);
        Ok(Self { input, solver, vertex_strengths, unreached })
    }

    pub(super) fn flat_tets(&self) -> usize {
        self.solver.laplacian.flat_tets
    }

    /// Adds what a vertex says to a field that is then solved: one number per point.
    pub(super) fn tell(&self, vertex: usize, value: f64, field: &mut [f64]) {
        give(self.input, vertex, self.vertex_strengths[vertex] * value, field);
    }

    /// From what vertices said to the fields, laid end to end, in place.
    pub(super) fn solve(&self, fields: &mut [f64]) -> Result<(), FieldError> {
        let points = self.input.cover.mesh.points().len();
        fields.chunks_mut(points * AT_ONCE).try_for_each(|some| self.solver.solve(some, some.len() / points))
    }
}

/// Adds to each corner of a vertex's tetrahedron what the vertex gives, by its barycentric weights.
fn give(input: &AnatomyInput<'_>, vertex: usize, given: f64, at_points: &mut [f64]) {
    let embedding = &input.cover.embedding;
    for (&corner, &weight) in embedding.corners()[vertex].iter().zip(&embedding.weights()[vertex]) {
        at_points[corner as usize] += given * f64::from(weight.max(0.0));
    }
}

/// A third of the area of each triangle that a vertex has, over the spacing, so that it has the unit of the Laplacian; loose vertices
/// say nothing.
fn vertex_strengths(input: &AnatomyInput<'_>) -> Vec<f64> {
    let positions = &input.surface.positions;
    let mut areas = vec![0.0; positions.len()];
    for triangle in &input.surface.triangles {
        let [a, b, c] = triangle.map(|vertex| positions[vertex as usize].as_dvec3());
        let area = (b - a).cross(c - a).length() / 2.0;
        triangle.iter().for_each(|&vertex| areas[vertex as usize] += area / 3.0);
    }
    input.cover.embedding.loose().iter().for_each(|&vertex| areas[vertex as usize] = 0.0);
    let factor = HOLD / f64::from(input.cover.spacing);
    areas.iter().map(|area| area * factor).collect()
}

/// Points of parts in which no strength is.
fn unreached(input: &AnatomyInput<'_>, strengths: &[f64]) -> Vec<bool> {
    let (part_of_point, part_count) = parts_of_points(&input.cover.mesh);
    let mut is_reached = vec![false; part_count];
    part_of_point.iter().zip(strengths).for_each(|(&part, &strength)| is_reached[part] |= strength > 0.0);
    part_of_point.iter().map(|&part| !is_reached[part]).collect()
}

/// The bones that move points, each once, with how each stands at rest.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    pub(super) bones: Vec<BoneId>,
    /// Joint of each palette entry of the bound surface; `None` for one that has no inverse.
    pub(super) of_entry: Vec<Option<u16>>,
}

impl Joints {
    /// All bones of the palette in its order, without those that flatten what they carry.
    pub(super) fn new(
        input: &AnatomyInput<'_>,
        model_from_bone: &[Affine3A],
        warnings: &mut Vec<AnatomyWarning>,
    ) -> Self {
        let mut joint_of_bone = vec![None; model_from_bone.len()];
        let mut bones = Vec::new();
        let mut of_entry = Vec::new();
        for entry in input.bound.palette() {
            let at_rest = &model_from_bone[entry.bone.index()];
            if joint_of_bone[entry.bone.index()].is_none() && at_rest.inverse().is_finite() {
                joint_of_bone[entry.bone.index()] = Some(bones.len() as u16);
                bones.push(entry.bone);
            }
            let joint = joint_of_bone[entry.bone.index()];
            let warning = AnatomyWarning::BoneFlat { bone: entry.bone };
            if joint.is_none() && !warnings.contains(&warning) {
                warnings.push(warning);
            }
            of_entry.push(joint);
        }
        Self { bones, of_entry }
    }
}

/// The influences of all points: at most `most` each, on joints. Points without any are given by `nearest`.
pub(super) fn carry_weights(
    inwards: &Inwards<'_>,
    joints: &Joints,
    most: usize,
    nearest: impl Fn(usize) -> u16,
    warnings: &mut Vec<AnatomyWarning>,
) -> Result<Influences, FieldError> {
    let bound = inwards.input.bound;
    let points = inwards.input.cover.mesh.points().len();
    let joint_of = |entry: u16| joints.of_entry[usize::from(entry)];
    let mut field_of_joint = vec![None; joints.bones.len()];
    let mut used = Vec::new();
    let mut fields = Vec::new();
    for vertex in 0..bound.vertex_count() {
        let (entries, weights) = bound.influences().of(vertex);
        // A bone that flattens is left out, and the others share its weight.
        let known: f32 =
            entries.iter().zip(weights).filter_map(|(&entry, weight)| joint_of(entry).map(|_| weight)).sum();
        for (&entry, &weight) in entries.iter().zip(weights) {
            let Some(joint) = joint_of(entry) else { continue };
            let field = *field_of_joint[usize::from(joint)].get_or_insert_with(|| {
                used.push(joint);
                fields.resize(fields.len() + points, 0.0);
                used.len() - 1
            });
            inwards.tell(vertex, f64::from(weight / known), &mut fields[field * points..][..points]);
        }
    }
    inwards.solve(&mut fields)?;
    let mut builder = InfluencesBuilder::with_capacity(points, points * most);
    let mut without = Vec::new();
    for point in 0..points {
        let mut weights: Vec<(u16, f64)> = used
            .iter()
            .enumerate()
            .map(|(field, &joint)| (joint, fields[field * points + point]))
            .filter(|&(_, weight)| weight > LEAST_WEIGHT)
            .collect();
        weights.sort_by(|a, b| b.1.total_cmp(&a.1));
        weights.truncate(most);
        if weights.is_empty() {
            without.push(point as u32);
            weights.push((nearest(point), 1.0));
        }
        let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
        builder.push(weights.iter().map(|&(joint, weight)| (joint, (weight / sum) as f32)));
    }
    if let Some(&first) = without.first() {
        warnings.push(AnatomyWarning::WithoutWeights { points: without.len(), first });
    }
    Ok(builder.build())
}
