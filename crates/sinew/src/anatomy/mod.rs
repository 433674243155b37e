//! What lies inside characters, found and drawn: layers of flesh and the way that fibres run.

mod fibre_picture;
mod section;

pub use fibre_picture::fibre_picture;
pub use section::{SectionPlane, section_picture};

use crate::tets::{cover_surface, rest_surface};
use sinew_flesh::anatomy::{AnatomyInput, Paint};
use sinew_geometry::{Cover, CoverError, CoverSettings, TriangleMesh};
use sinew_rig::{BoundSurface, Character, HumanoidMap, guess_humanoid};

/// A character at rest with tetrahedra around it, ready for an anatomy.
#[derive(Clone, Debug)]
pub struct CoveredCharacter<'a> {
    /// The character.
    pub character: &'a Character,
    /// Its meshes as one list.
    pub bound: BoundSurface,
    /// The same as a surface at rest.
    pub surface: TriangleMesh,
    /// Tetrahedra around it.
    pub cover: Cover,
    /// Which bones are those of a human; `None` where too few are.
    pub humanoid: Option<HumanoidMap>,
}

impl<'a> CoveredCharacter<'a> {
    /// Covers a character. It counts as a human if its bones are known by name, all that a human needs.
    ///
    /// # Errors
    /// Those of [`sinew_geometry::cover`].
    pub fn new(character: &'a Character, settings: &CoverSettings) -> Result<Self, CoverError> {
        let surface = rest_surface(character);
        let cover = cover_surface(&surface, settings)?;
        let humanoid = Some(guess_humanoid(character)).filter(|map| map.missing().is_empty());
        Ok(Self { character, bound: BoundSurface::of(character), surface, cover, humanoid })
    }

    /// What an anatomy is made from.
    pub fn input<'b>(&'b self, paints: &'b [Paint]) -> AnatomyInput<'b> {
        AnatomyInput {
            character: self.character,
            bound: &self.bound,
            surface: &self.surface,
            cover: &self.cover,
            humanoid: self.humanoid.as_ref(),
            paints,
        }
    }
}
