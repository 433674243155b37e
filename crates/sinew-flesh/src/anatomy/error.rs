//! What can be wrong with what an anatomy is asked for, and what is worth telling about it.

use crate::field::FieldError;
use sinew_rig::{BoneId, FindError, HumanoidBone};
use sinew_settings::TextErrors;

/// Why there is no anatomy.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnatomyError {
    /// Lists that do not belong together.
    #[error(
        "{what} has {found} vertices, but the bound surface has {expected}; use the same character for all"
    )]
    Length {
        /// Which list.
        what: String,
        /// Vertices of the bound surface.
        expected: usize,
        /// Vertices of the list.
        found: usize,
    },
    /// Nothing to be flesh.
    #[error("no tetrahedra; cover the character's surface first")]
    NoTets,
    /// Nothing to carry flesh.
    #[error("every bone of the skin has a scale of 0 at rest; give bones another scale")]
    NoBones,
    /// A triangle of the surface with a vertex that is not there.
    #[error("triangle {triangle} has vertex {vertex}, but the surface has {vertex_count} vertices")]
    Triangle {
        /// From 0.
        triangle: usize,
        /// From 0.
        vertex: u32,
        /// How many there are.
        vertex_count: usize,
    },
    /// Numbers out of their ranges.
    #[error(transparent)]
    Settings(#[from] TextErrors),
    /// Settings of a bone of a human that the character has not.
    #[error("settings for {bone} are not used: the character has no such bone; name it in the map")]
    BoneNotMapped {
        /// The bone.
        bone: HumanoidBone,
    },
    /// Settings of a bone that is not there.
    #[error("settings of a bone: {0}")]
    NoSuchBone(#[from] FindError),
    /// A bone's thickness of a layer that is not there.
    #[error("[[bone]] {bone:?} has a thickness for layer {layer:?}; layers are {known}")]
    NoSuchLayer {
        /// As written.
        bone: String,
        /// As written.
        layer: String,
        /// Those that are.
        known: String,
    },
    /// A layer that is painted and not there.
    #[error("layer {layer} does not exist; there are {layer_count} layers")]
    NoPaintedLayer {
        /// From 0.
        layer: usize,
        /// Layers of the settings.
        layer_count: usize,
    },
    /// A painted number out of its range.
    #[error("{what} of vertex {vertex} is {found}; paint values from {least} to {most}")]
    Painted {
        /// What is painted.
        what: &'static str,
        /// From 0.
        vertex: usize,
        /// What it is.
        found: f32,
        /// The least that makes sense.
        least: f32,
        /// The most that makes sense.
        most: f32,
    },
    /// The equations have no solution.
    #[error(transparent)]
    Solve(#[from] FieldError),
}

/// What an anatomy had to settle by itself.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum AnatomyWarning {
    /// The bone has weights but no part of it lies inside the surface: flesh round it hangs from other bones.
    BoneOutside {
        /// The bone.
        bone: BoneId,
    },
    /// The bone flattens what it carries at rest and has no inverse: its weights went to the others of each vertex.
    BoneFlat {
        /// The bone.
        bone: BoneId,
    },
    /// No bone lies in this part of the tetrahedra, so that all of it is held: an eye, a button, a sword.
    PartWithoutBone {
        /// A point of it.
        point: u32,
        /// How many points it has.
        points: usize,
    },
    /// Points that no weight reached; they follow the bone that is nearest.
    WithoutWeights {
        /// How many.
        points: usize,
        /// The lowest number of them.
        first: u32,
    },
    /// Tetrahedra without volume, which carry nothing inwards.
    FlatTets {
        /// How many.
        tets: usize,
    },
    /// The layers of these bones' flesh leave nothing to move: every layer is held, or softness is 0.
    NothingMoves,
}

impl std::fmt::Display for AnatomyWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::BoneOutside { bone } => {
                write!(f, "bone {bone} lies outside the surface; flesh round it hangs from other bones")
            }
            Self::BoneFlat { bone } => {
                write!(f, "bone {bone} is flattened at rest; its weights went to other bones")
            }
            Self::PartWithoutBone { point, points } => {
                write!(f, "a part of {points} points (such as point {point}) has no bone; all of it is held")
            }
            Self::WithoutWeights { points, first } => {
                write!(
                    f,
                    "{points} points (the first is {first}) got no weights; they follow the nearest bone"
                )
            }
            Self::FlatTets { tets } => write!(f, "{tets} tetrahedra have no volume"),
            Self::NothingMoves => f.write_str("no point moves by itself: every layer is held, or too thin"),
        }
    }
}
