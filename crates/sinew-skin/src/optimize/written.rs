//! Writes vertices that an optimization changed into the meshes.

use super::State;
use crate::author::bound_vertices;
use sinew_rig::{BoundSurface, Character, InfluencesBuilder, InvalidCharacter, MeshId, Spherical};

/// The vertices that two mirrored joints change. One that both change, as between the thighs, gets both changes of weights.
pub(super) fn joined(bound: &BoundSurface, sides: Vec<Vec<State>>) -> Vec<State> {
    let mut all: Vec<State> = Vec::new();
    for side in sides {
        for state in side {
            match all.iter_mut().find(|other| other.vertex == state.vertex) {
                Some(first) => add_change(first, &state, bound),
                None => all.push(state),
            }
        }
    }
    all
}

/// Adds what a state changes of the file's weights to another state of the same vertex.
fn add_change(first: &mut State, second: &State, bound: &BoundSurface) {
    let file = |entry: u16| {
        let own = bound.influences().pairs(first.vertex).filter(|&(other, _)| other == entry);
        own.map(|(_, weight)| weight).sum::<f32>()
    };
    let changes: Vec<(u16, f32)> = second
        .entries
        .iter()
        .zip(&second.weights)
        .map(|(&entry, weight)| (entry, weight - file(entry)))
        .collect();
    for (entry, change) in changes {
        match first.entries.iter().position(|&own| own == entry) {
            Some(at) => first.weights[at] += change,
            None => {
                first.entries.push(entry);
                first.weights.push(change);
            }
        }
    }
    first.weights.iter_mut().for_each(|weight| *weight = weight.max(0.0));
    let sum: f32 = first.weights.iter().sum();
    first.weights.iter_mut().for_each(|weight| *weight /= sum);
}

/// New values of a vertex in its mesh.
#[derive(Clone, Debug)]
struct NewVertex {
    /// Joints and weights.
    pairs: Vec<(u16, f32)>,
    spherical: Option<Spherical>,
    /// Whether c, r0 and r1 stay as they are.
    is_kept: bool,
}

/// The character with the values of some vertices.
pub(super) fn with_vertices(
    character: Character,
    bound: &BoundSurface,
    changed: &[State],
) -> Result<Character, InvalidCharacter> {
    let ranges: Vec<_> = (0..character.meshes().len())
        .map(|mesh| bound_vertices(&character, bound, MeshId::of(mesh)))
        .collect();
    let entry_joint = |entry: u16| {
        let bone = bound.palette()[usize::from(entry)].bone;
        let bind = bound.palette()[usize::from(entry)].bind?;
        character.binds()[bind.index()].joints.iter().position(|&joint| joint == bone).map(|at| at as u16)
    };
    let mut new: Vec<Vec<Option<NewVertex>>> = Vec::new();
    for (mesh, range) in ranges.iter().enumerate() {
        let mut list: Vec<Option<NewVertex>> = vec![None; character.meshes()[mesh].vertex_count()];
        if let Some(range) = range {
            for state in changed.iter().filter(|state| range.contains(&state.vertex)) {
                let pairs = state.entries.iter().zip(&state.weights);
                let pairs: Option<Vec<(u16, f32)>> =
                    pairs.map(|(&entry, &weight)| Some((entry_joint(entry)?, weight))).collect();
                let Some(pairs) = pairs else { continue };
                // c, r0 and r1 belong to the first two bones: they go with a bone that has no weight any more.
                let is_soft = state.weights[..2.min(state.weights.len())].iter().all(|&weight| weight > 0.0);
                let spherical = (state.entries.len() == 2 && is_soft).then(|| Spherical {
                    center: state.center,
                    r0: state.anchors[0],
                    r1: state.anchors[1],
                });
                let is_kept = state.entries.len() > 2 && is_soft;
                list[state.vertex - range.start] = Some(NewVertex { pairs, spherical, is_kept });
            }
        }
        new.push(list);
    }
    let mut parts = character.into_parts();
    for (mesh, list) in parts.meshes.iter_mut().zip(new) {
        if list.iter().all(Option::is_none) {
            continue;
        }
        mesh.spherical.resize(mesh.vertex_count(), None);
        let mut influences = InfluencesBuilder::with_capacity(list.len(), mesh.influences.influence_count());
        for (vertex, new) in list.into_iter().enumerate() {
            match new {
                None => {
                    influences.push(mesh.influences.pairs(vertex));
                }
                Some(new) => {
                    if !new.is_kept {
                        mesh.spherical[vertex] = new.spherical;
                    }
                    influences.push(new.pairs);
                }
            }
        }
        mesh.influences = influences.build();
    }
    Character::new(parts)
}
