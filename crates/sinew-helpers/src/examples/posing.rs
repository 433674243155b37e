//! Poses of a character as examples: where bones stand, and the shape that some deformer gives.

use crate::{DriverBinds, ExampleSet, Sequence};
use glam::{DQuat, Vec3};
use rayon::prelude::*;
use sinew_rig::{BoneId, BoundSurface, Character, Clip, Deformer, MeshId, Pose};
use sinew_skin::PosedCharacter;
use std::sync::Arc;

/// Poses whose shapes are made at a time.
const BLOCK: usize = 128;

/// Turns of some bones from rest: a pose.
pub type Turns = Vec<(BoneId, DQuat)>;

/// A character with the deformer whose shapes are wanted.
pub struct Poser<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its surface.
    pub bound: &'a BoundSurface,
    /// Its bones.
    pub drivers: &'a DriverBinds,
    /// What shapes are taken from.
    pub deformer: Arc<dyn Deformer>,
}

/// Which vertices and drivers examples are of; as in [`Region`](crate::Region).
#[derive(Clone, Copy, Debug)]
pub struct Scope<'a> {
    /// Vertices of the surface, ascending.
    pub vertices: &'a [u32],
    /// Places in [`DriverBinds::bones`].
    pub drivers: &'a [usize],
}

impl Poser<'_> {
    /// Rest pose without morphs, with these turns.
    pub fn pose(&self, turns: &[(BoneId, DQuat)]) -> Pose {
        turned(self.character, turns)
    }

    /// Examples without poses yet.
    pub fn empty(&self, scope: Scope<'_>) -> ExampleSet {
        let place = |&vertex: &u32| self.drivers.rest_positions()[vertex as usize];
        let name =
            |&driver: &usize| self.character.skeleton().bone(self.drivers.bones()[driver]).name.clone();
        ExampleSet {
            rest_positions: scope.vertices.iter().map(place).collect(),
            triangles: triangles_within(self.bound, scope.vertices),
            driver_names: scope.drivers.iter().map(name).collect(),
            ..ExampleSet::default()
        }
    }

    /// The shapes of poses, as examples.
    pub fn examples(&self, scope: Scope<'_>, poses: &[Turns]) -> ExampleSet {
        let mut set = self.empty(scope);
        set.target_positions.reserve_exact(poses.len() * scope.vertices.len());
        // In blocks, so that shapes are in memory once.
        for block in poses.chunks(BLOCK) {
            let posed = block.par_iter().map_init(
                || self.posed(),
                |character, turns| {
                    character.set(&self.pose(turns));
                    self.take(scope, character, None)
                },
            );
            posed.collect::<Vec<ExampleSet>>().iter().for_each(|pose| set.add_poses(pose));
        }
        set
    }

    /// The frames of a sequence of poses with their shapes, all vertices of the surface each, as examples.
    ///
    /// # Panics
    /// If there are not as many shapes as poses.
    pub fn sequence(&self, scope: Scope<'_>, poses: &[Pose], shapes: &[Vec<Vec3>]) -> ExampleSet {
        assert_eq!(poses.len(), shapes.len(), "a shape for each pose");
        let posed = poses.par_iter().zip(shapes).map_init(
            || self.posed(),
            |character, (pose, shape)| {
                character.set_bones(pose);
                self.take(scope, character, Some(shape))
            },
        );
        let mut set = self.empty(scope);
        posed.collect::<Vec<ExampleSet>>().iter().for_each(|pose| set.add_poses(pose));
        set
    }

    /// The frames of a clip, with the shapes that the deformer gives. `keys`: shape keys that count; the others are left out.
    pub fn play(&self, clip: &Clip, fps: f64, keys: &[(MeshId, usize)]) -> Sequence {
        let mut character = self.posed();
        let mut sequence = Sequence { is_loop: clip.comes_round(self.character), ..Sequence::default() };
        for frame in 0..clip.frame_count(fps) {
            let mut pose = Pose::at(self.character, clip, frame as f64 / fps);
            for (mesh, morph) in all_keys(self.character).filter(|key| !keys.contains(key)) {
                pose.set_morph(self.character, mesh, morph, 0.0);
            }
            character.set(&pose);
            sequence.poses.push(pose);
            sequence.shapes.push(character.surface().positions.clone());
        }
        sequence
    }

    /// The character as the deformer shows it.
    pub(crate) fn posed(&self) -> PosedCharacter {
        PosedCharacter::with_deformer(self.character, Arc::clone(&self.deformer))
    }

    fn take(&self, scope: Scope<'_>, character: &PosedCharacter, shape: Option<&Vec<Vec3>>) -> ExampleSet {
        let all = self.drivers.posed_from_rest(character.model_from_bone());
        let changes = self.drivers.changes(self.character, character.model_from_bone());
        let positions = shape.unwrap_or(&character.surface().positions);
        ExampleSet {
            driver_posed_from_rest: scope.drivers.iter().map(|&driver| all[driver]).collect(),
            driver_changes: scope.drivers.iter().map(|&driver| changes[driver]).collect(),
            target_positions: scope.vertices.iter().map(|&vertex| positions[vertex as usize]).collect(),
            ..ExampleSet::default()
        }
    }

    /// Weights of the file for the vertices of a scope, one per vertex and driver of it; what bones outside of the scope have is shared
    /// out among those inside.
    pub fn weights(&self, scope: Scope<'_>) -> Vec<f64> {
        let mut weights = vec![0.0; scope.vertices.len() * scope.drivers.len()];
        for (row, &vertex) in weights.chunks_mut(scope.drivers.len().max(1)).zip(scope.vertices) {
            for (driver, weight) in self.drivers.influences(self.bound, vertex) {
                if let Ok(at) = scope.drivers.binary_search(&driver) {
                    row[at] += weight;
                }
            }
            let sum: f64 = row.iter().sum();
            if sum > 0.0 {
                row.iter_mut().for_each(|weight| *weight /= sum);
            } else if let Some(first) = row.first_mut() {
                *first = 1.0;
            }
        }
        weights
    }
}

fn all_keys(character: &Character) -> impl Iterator<Item = (MeshId, usize)> + '_ {
    let of = |(index, mesh): (usize, &sinew_rig::Mesh)| {
        (0..mesh.morphs.len()).map(move |morph| (MeshId::of(index), morph))
    };
    character.meshes().iter().enumerate().flat_map(of)
}

/// Rest pose without morphs, with these turns.
pub(crate) fn turned(character: &Character, turns: &[(BoneId, DQuat)]) -> Pose {
    let mut pose = Pose::rest(character);
    all_keys(character).for_each(|(mesh, morph)| pose.set_morph(character, mesh, morph, 0.0));
    turns.iter().for_each(|(bone, turn)| pose.turn(*bone, turn.as_quat()));
    pose
}

/// Triangles whose corners are all among `vertices`, by their places there.
fn triangles_within(bound: &BoundSurface, vertices: &[u32]) -> Vec<[u32; 3]> {
    let place = |corner: u32| vertices.binary_search(&corner).ok().map(|at| at as u32);
    let within = |corners: &[u32; 3]| {
        let [a, b, c] = corners.map(place);
        Some([a?, b?, c?])
    };
    bound.triangles().iter().filter_map(within).collect()
}
