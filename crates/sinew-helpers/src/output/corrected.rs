//! A fitted rig with corrective morphs for what its helpers leave over of the same examples.

use super::correctives::wanted;
use super::put_fit::{bake_sequences, frame_times, put_rig_on};
use crate::fit::rig_fit::region_poses;
use crate::{
    BakedSequence, CorrectiveSettings, CorrectiveSummary, FitError, FittedRig, Poser, Region, RigError,
    Sampling, Sequence, Turns, add_correctives,
};
use glam::Vec3;
use rayon::prelude::*;
use sinew_rig::{BoundSurface, Channel, Character, Clip, InstanceId, MorphTarget, Pose, Track};
use sinew_skin::{Method, PosedCharacter};

/// Poses with all vertices of the surface, of the character that is fitted.
pub(crate) type CorrectiveExamples = Vec<(Pose, Vec<Vec3>)>;

/// A rig that is to be corrected.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CorrectedFit<'a> {
    /// The rig.
    pub(crate) rig: &'a FittedRig,
    /// Vertices of the surface that were asked for: no other is corrected.
    pub(crate) vertices: &'a [u32],
    /// Clips as they were simulated.
    pub(crate) baked: &'a [BakedSequence],
    /// Their shapes, in the order of `baked`.
    pub(crate) sequences: &'a [&'a Sequence],
    /// How correctives are made.
    pub(crate) settings: CorrectiveSettings,
}

/// A rig with correctives.
#[derive(Clone, Debug)]
pub(crate) struct Corrected {
    /// The character.
    pub(crate) character: Character,
    /// One per instance of a mesh.
    pub(crate) summaries: Vec<CorrectiveSummary>,
    /// For each of the baked sequences the RMS distance from its shapes over the vertices that bones move, as the character now shows it.
    pub(crate) rms_by_sequence: Vec<f64>,
}

/// Most examples that correctives are made from; more cost memory and time and tell little more.
const MOST_EXAMPLES: usize = 600;
/// Examples of a region at least, as far as there are so many poses: a controller has some dozens of functions.
const LEAST_OF_REGION: usize = 40;
/// Copies of all examples that are in memory at a time, at most.
const COPIES: u64 = 5;

/// Examples for correctives: frames of `sequences`, and poses of each region with the shape that the poser's deformer gives, `poses` of each at most.
///
/// # Errors
/// More than `max_bytes` would be needed.
pub(crate) fn corrective_examples(
    poser: &Poser<'_>,
    regions: &[&Region],
    sequences: &[&Sequence],
    poses: usize,
    max_bytes: u64,
) -> Result<CorrectiveExamples, FitError> {
    let frame_count: usize = sequences.iter().map(|sequence| sequence.poses.len()).sum();
    let room = MOST_EXAMPLES.saturating_sub(frame_count.min(MOST_EXAMPLES / 2));
    let each = poses.min((room / regions.len().max(1)).max(LEAST_OF_REGION));
    let step = frame_count.div_ceil(MOST_EXAMPLES).max(1);
    let count = (frame_count / step + each * regions.len()) as u64;
    let needed = COPIES * count * poser.bound.vertex_count() as u64 * size_of::<Vec3>() as u64;
    if needed > max_bytes {
        return Err(FitError::CorrectiveMemory { examples: count, needed, allowed: max_bytes });
    }
    let turned: Vec<Turns> = regions
        .iter()
        .flat_map(|region| region_poses(region, Sampling::LowDiscrepancy, each, (0, 0)))
        .collect();
    let shown = turned.par_iter().map_init(
        || poser.posed(),
        |character, turns| {
            let pose = poser.pose(turns);
            character.set(&pose);
            (pose, character.surface().positions.clone())
        },
    );
    let mut examples: CorrectiveExamples = shown.collect();
    let frames = sequences.iter().flat_map(|sequence| sequence.poses.iter().zip(&sequence.shapes));
    examples.extend(frames.step_by(step).map(|(pose, shape)| (pose.clone(), shape.clone())));
    Ok(examples)
}

/// The character with helper joints, weights, controllers and correctives, all clips baked. In clips that were simulated helpers and correctives
/// are as the simulation wants them.
///
/// # Errors
/// The rig is not of this character, or it has no helpers whose drivers correctives could follow.
pub(crate) fn put_corrected_fit_on(
    poser: &Poser<'_>,
    fit: &CorrectedFit<'_>,
    examples: &CorrectiveExamples,
) -> Result<Corrected, RigError> {
    let fps = fit.settings.output.fps;
    let rigged = put_rig_on(poser.character, poser.drivers, fit.rig, fps)?;
    let posed: Vec<(Pose, &Vec<Vec3>)> =
        examples.iter().map(|(pose, shape)| (pose.of_larger(&rigged), shape)).collect();
    let examples = on_rig(&rigged, fit.vertices, &posed);
    let (corrected, summaries) = add_correctives(&rigged, &examples, &fit.settings)?;
    let mut character = bake_sequences(poser.character, corrected, (poser.drivers, fit.rig), fit.baked, fps)?;
    let mut rms_by_sequence = Vec::new();
    for (baked, sequence) in fit.baked.iter().zip(fit.sequences) {
        let clip = character.clips().iter().position(|clip| clip.name == baked.name).zip(Some(fps));
        if let Some((clip, _)) = clip.filter(|_| !baked.helpers.is_empty()) {
            let frames = sequence.shapes.iter().enumerate();
            let posed: Vec<(Pose, &Vec<Vec3>)> = frames
                .map(|(frame, shape)| (frame_pose(&character, Some((clip, fps)), sequence, frame), shape))
                .collect();
            let shapes = on_rig(&character, fit.vertices, &posed);
            character = weigh_in_clip(character, clip, fps, &shapes)?;
        }
        rms_by_sequence.push(rms_of_sequence(&character, clip, sequence, &fit.rig.vertices));
    }
    Ok(Corrected { character, summaries, rms_by_sequence })
}

/// RMS distance of a character from the shapes that the poser's deformer gives in poses, over some vertices of the surface.
pub(crate) fn rms_in_poses(
    poser: &Poser<'_>,
    character: &Character,
    poses: &[Turns],
    vertices: &[u32],
) -> f64 {
    let squares = poses.par_iter().map_init(
        || (poser.posed(), PosedCharacter::bind(character, Method::Lbs)),
        |(truth, shown), turns| {
            let pose = poser.pose(turns);
            truth.set(&pose);
            shown.set(&pose.of_larger(character));
            square(&truth.surface().positions, &shown.surface().positions, vertices)
        },
    );
    let sum: f64 = squares.collect::<Vec<f64>>().iter().sum();
    (sum / (poses.len() * vertices.len()).max(1) as f64).sqrt()
}

/// Examples on the character with helpers; vertices that were not asked for are as they show there, so that nothing is left to correct.
fn on_rig(rigged: &Character, vertices: &[u32], examples: &[(Pose, &Vec<Vec3>)]) -> CorrectiveExamples {
    let of = |shown: &mut PosedCharacter, (pose, shape): &(Pose, &Vec<Vec3>)| {
        shown.set(pose);
        let mut merged = shown.surface().positions.clone();
        vertices.iter().for_each(|&vertex| merged[vertex as usize] = shape[vertex as usize]);
        (pose.clone(), merged)
    };
    examples.par_iter().map_init(|| PosedCharacter::bind(rigged, Method::Lbs), of).collect()
}

/// A frame of a sequence on a character: as a clip of it has it, or the pose alone.
fn frame_pose(character: &Character, clip: Option<(usize, f64)>, sequence: &Sequence, frame: usize) -> Pose {
    match clip {
        Some((clip, fps)) => Pose::at(character, &character.clips()[clip], frame as f64 / fps),
        None => sequence.poses[frame].of_larger(character),
    }
}

/// RMS distance of a character from the shapes of a sequence over some vertices of the surface; as a clip of it shows them at a rate, or in the
/// sequence's own poses.
pub(crate) fn rms_of_sequence(
    character: &Character,
    clip: Option<(usize, f64)>,
    sequence: &Sequence,
    vertices: &[u32],
) -> f64 {
    let mut shown = PosedCharacter::bind(character, Method::Lbs);
    let mut sum = 0.0;
    for (frame, shape) in sequence.shapes.iter().enumerate() {
        shown.set(&frame_pose(character, clip, sequence, frame));
        sum += square(shape, &shown.surface().positions, vertices);
    }
    (sum / (sequence.shapes.len() * vertices.len()).max(1) as f64).sqrt()
}

fn square(a: &[Vec3], b: &[Vec3], vertices: &[u32]) -> f64 {
    let of = |&vertex: &u32| f64::from(a[vertex as usize].distance_squared(b[vertex as usize]));
    vertices.iter().map(of).sum()
}

/// Gives the correctives of a clip the weights from 0 to 1 that show its shapes best.
fn weigh_in_clip(
    character: Character,
    clip: usize,
    fps: f64,
    frames: &CorrectiveExamples,
) -> Result<Character, RigError> {
    let bound = BoundSurface::of(&character);
    // Deltas are wanted beyond all other morphs: the weights of correctives are what is sought.
    let mut poses: Vec<Pose> = frames.iter().map(|(pose, _)| pose.clone()).collect();
    for morph in &character.controllers().morphs {
        poses.iter_mut().for_each(|pose| pose.set_morph(&character, morph.mesh, morph.morph as usize, 0.0));
    }
    let bare: CorrectiveExamples =
        poses.iter().cloned().zip(frames.iter().map(|(_, shape)| shape.clone())).collect();
    let (deltas, _) = wanted(&character, &bound, &bare);
    let mut tracks = Vec::new();
    for placed in bound.instances() {
        let mesh = character.instance(placed.instance).mesh;
        let own = character.controllers().morphs.iter().filter(|morph| morph.mesh == mesh);
        let correctives: Vec<usize> = own.map(|morph| morph.morph as usize).collect();
        if correctives.is_empty() {
            continue;
        }
        let dense = |&morph: &usize| dense(&character.mesh(mesh).morphs[morph], placed.vertices.len());
        let shapes: Vec<Vec<Vec3>> = correctives.iter().map(dense).collect();
        let solver = WeightSolver::new(&shapes);
        let row = |(pose, deltas): (&Pose, &Vec<Vec3>)| {
            let mut row = pose.morph_weights(placed.instance).to_vec();
            let weights = solver.weights(&shapes, &deltas[placed.vertices.clone()]);
            correctives.iter().zip(weights).for_each(|(&morph, weight)| row[morph] = weight as f32);
            row
        };
        let rows: Vec<Vec<f32>> = poses.iter().zip(&deltas).map(row).collect();
        tracks.push((placed.instance, rows));
    }
    let mut parts = character.into_parts();
    for (instance, rows) in tracks {
        replace_weights(&mut parts.clips[clip], instance, rows, fps);
    }
    Ok(Character::new(parts)?)
}

fn dense(morph: &MorphTarget, vertex_count: usize) -> Vec<Vec3> {
    let mut deltas = vec![Vec3::ZERO; vertex_count];
    morph.vertices.iter().zip(&morph.position_deltas).for_each(|(&at, delta)| deltas[at as usize] = *delta);
    deltas
}

fn replace_weights(clip: &mut Clip, instance: InstanceId, mut rows: Vec<Vec<f32>>, fps: f64) {
    let times_secs = frame_times(rows.len(), fps, clip.duration_secs());
    if times_secs.len() > rows.len() {
        rows.push(rows[0].clone());
    }
    clip.tracks
        .retain(|track| !matches!(&track.channel, Channel::MorphWeights(keyed, _) if *keyed == instance));
    let channel = Channel::MorphWeights(instance, rows.concat());
    clip.tracks.push(Track::linear(times_secs, channel));
}

/// Weights from 0 to 1 of some shapes whose sum is nearest to another, by least squares.
struct WeightSolver {
    gram: Vec<Vec<f64>>,
}

impl WeightSolver {
    /// Rounds over all weights at most; the error falls in each.
    const ROUNDS: usize = 500;
    /// A round that changes no weight by more is the last.
    const STILL: f64 = 1e-6;

    fn new(shapes: &[Vec<Vec3>]) -> Self {
        let row = |a: &Vec<Vec3>| shapes.iter().map(|b| product(a, b)).collect();
        Self { gram: shapes.iter().map(row).collect() }
    }

    /// One weight after the other is set to its best value between 0 and 1 while the others stay.
    fn weights(&self, shapes: &[Vec<Vec3>], wanted: &[Vec3]) -> Vec<f64> {
        let mut weights = vec![0.0; shapes.len()];
        let right: Vec<f64> = shapes.iter().map(|shape| product(shape, wanted)).collect();
        for _ in 0..Self::ROUNDS {
            let mut change = 0.0f64;
            for at in (0..shapes.len()).filter(|&at| self.gram[at][at] > 0.0) {
                let others: f64 =
                    self.gram[at].iter().zip(&weights).map(|(entry, weight)| entry * weight).sum();
                let best = weights[at] + (right[at] - others) / self.gram[at][at];
                let best = best.clamp(0.0, 1.0);
                change = change.max((best - weights[at]).abs());
                weights[at] = best;
            }
            if change < Self::STILL {
                break;
            }
        }
        weights
    }
}

fn product(a: &[Vec3], b: &[Vec3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| f64::from(a.dot(*b))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_found_between_0_and_1() {
        let shapes = vec![vec![Vec3::X, Vec3::Y], vec![Vec3::X, Vec3::ZERO], vec![Vec3::NEG_X, Vec3::NEG_Y]];
        let solver = WeightSolver::new(&shapes);
        // The first and the last are opposite: many weights give the same shape, and the shape counts.
        let check = |wanted: [Vec3; 2], expected: [Vec3; 2]| {
            let found = solver.weights(&shapes, &wanted);
            assert!(found.iter().all(|weight| (0.0..=1.0).contains(weight)), "{found:?}");
            for (vertex, expected) in expected.iter().enumerate() {
                let shown: Vec3 =
                    shapes.iter().zip(&found).map(|(shape, weight)| shape[vertex] * *weight as f32).sum();
                assert!(shown.abs_diff_eq(*expected, 1e-4), "{wanted:?}: {found:?} give {shown}");
            }
        };
        let reached = [Vec3::X * 0.75, Vec3::Y * 0.25];
        check(reached, reached);
        check([Vec3::X * -0.5, Vec3::Y * -0.5], [Vec3::X * -0.5, Vec3::Y * -0.5]);
        check([Vec3::X * 9.0, Vec3::Y * 9.0], [Vec3::X * 2.0, Vec3::Y]);
        check([Vec3::Z, Vec3::Z], [Vec3::ZERO; 2]);
    }
}
