//! What can be wrong with what an anatomy is asked for, and what is worth telling about it.

use crate::field::FieldError;
use sinew_rig::{BoneId, FindError, HumanoidBone};
use sinew_settings::TextErrors;

/// Why there is no anatomy. Numbers of things count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum AnatomyError {
    /// Lists that do not belong together. `what`: which list. `expected`: vertices of the bound surface. `found`: vertices of the list.
    #[error(
        "{what} has {found} vertices, but the bound surface has {expected}; use the same character for all"
    )]
    Length { what: String, expected: usize, found: usize },
    /// Nothing to be flesh.
    #[error("no tetrahedra; cover the character's surface first")]
    NoTets,
    /// Nothing to carry flesh.
    #[error("every bone of the skin has a scale of 0 at rest; give bones another scale")]
    NoBones,
    /// A triangle of the surface with a vertex that is not there.
    #[error("triangle {triangle} has vertex {vertex}, but the surface has {vertex_count} vertices")]
    Triangle { triangle: usize, vertex: u32, vertex_count: usize },
    /// Numbers out of their ranges.
    #[error(transparent)]
    Settings(#[from] TextErrors),
    /// Settings of a bone of a human that the character has not.
    #[error("settings for {bone} are not used: the character has no such bone; name it in the map")]
    BoneNotMapped { bone: HumanoidBone },
    /// Settings of a bone that is not there.
    #[error("settings of a bone: {0}")]
    NoSuchBone(#[from] FindError),
    /// A bone's thickness of a layer that is not there. `known`: those that are.
    #[error("[[bone]] {bone:?} has a thickness for layer {layer:?}; layers are {known}")]
    NoSuchLayer { bone: String, layer: String, known: String },
    /// A layer that is painted and not there. `layer_count`: layers of the settings.
    #[error("layer {layer} does not exist; there are {layer_count} layers")]
    NoPaintedLayer { layer: usize, layer_count: usize },
    /// A painted number out of its range. `what`: what is painted. `found`: what it is. `least`: the least that makes sense.
    /// `most`: the most that makes sense.
    #[error("{what} of vertex {vertex} is {found}; paint values from {least} to {most}")]
    Painted { what: &'static str, vertex: usize, found: f32, least: f32, most: f32 },
    /// The equations have no solution.
    #[error(transparent)]
    Solve(#[from] FieldError),
}

/// What an anatomy had to settle by itself.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum AnatomyWarning {
    /// The bone has weights but no part of it lies inside the surface: flesh round it hangs from other bones.
    #[error("bone {bone} lies outside the surface; flesh round it hangs from other bones")]
    BoneOutside { bone: BoneId },
    /// The bone flattens what it carries at rest and has no inverse: its weights went to the others of each vertex.
    #[error("bone {bone} is flattened at rest; its weights went to other bones")]
    BoneFlat { bone: BoneId },
    /// No bone lies in this part of the tetrahedra, so that all of it is held: an eye, a button, a sword. `point`: a point of it.
    /// `points`: how many points it has.
    #[error("a part of {points} points (such as point {point}) has no bone; all of it is held")]
    PartWithoutBone { point: u32, points: usize },
    /// Points that no weight reached; they follow the bone that is nearest. `first`: the lowest number of them.
    #[error("{points} points (the first is {first}) got no weights; they follow the nearest bone")]
    WithoutWeights { points: usize, first: u32 },
    /// Tetrahedra without volume, which carry nothing inwards.
    #[error("{tets} tetrahedra have no volume")]
    FlatTets { tets: usize },
    /// The layers of these bones' flesh leave nothing to move: every layer is held, or softness is 0.
    #[error("no point moves by itself: every layer is held, or too thin")]
    NothingMoves,
}
