//! Characters with tetrahedra around them.

use crate::anatomy::{AnatomyInput, Paint};
use rayon::prelude::*;
use sinew_geometry::{Cover, CoverError, CoverSettings, TriangleMesh, cover_with};
use sinew_rig::{BoundSurface, Character, HumanoidMap, guess_humanoid};
use sinew_skin::{Method, PosedCharacter};

/// A character at rest with tetrahedra around it, ready for an anatomy.
#[derive(Clone, Debug)]
pub struct CoveredCharacter {
    /// The character.
    pub character: Character,
    /// Its meshes as one list.
    pub bound: BoundSurface,
    /// The same as a surface at rest.
    pub surface: TriangleMesh,
    /// Tetrahedra around it.
    pub cover: Cover,
    /// Which bones are those of a human; `None` where too few are.
    pub humanoid: Option<HumanoidMap>,
}

impl CoveredCharacter {
    /// Covers a character. It counts as a human if its bones are known by name, all that a human needs.
    ///
    /// # Errors
    /// Those of [`sinew_geometry::cover`].
    pub fn new(character: &Character, settings: &CoverSettings) -> Result<Self, CoverError> {
        let surface = rest_surface(character);
        let cover = cover_surface(&surface, settings)?;
        let humanoid = Some(guess_humanoid(character)).filter(|map| map.missing().is_empty());
        let (character, bound) = (character.clone(), BoundSurface::of(character));
        Ok(Self { character, bound, surface, cover, humanoid })
    }

    /// What an anatomy is made from.
    pub fn input<'b>(&'b self, paints: &'b [Paint]) -> AnatomyInput<'b> {
        AnatomyInput {
            character: &self.character,
            bound: &self.bound,
            surface: &self.surface,
            cover: &self.cover,
            humanoid: self.humanoid.as_ref(),
            paints,
        }
    }
}

/// All mesh instances of a character in rest pose as one surface, vertices in the order of `sinew skin`'s arrays.
pub fn rest_surface(character: &Character) -> TriangleMesh {
    let posed = PosedCharacter::bind(character, Method::Lbs);
    let mut triangles = Vec::new();
    for (instance, of_instance) in posed.bound().instances().iter().zip(posed.instance_triangles()) {
        let first = instance.vertices.start as u32;
        triangles.extend(of_instance.into_iter().map(|triangle| triangle.map(|vertex| vertex + first)));
    }
    TriangleMesh { positions: posed.surface().positions.clone(), triangles }
}

/// Covers a surface with tetrahedra, winding numbers on all threads; the result is that of [`sinew_geometry::cover`].
///
/// # Errors
/// Those of [`sinew_geometry::cover`].
pub fn cover_surface(surface: &TriangleMesh, settings: &CoverSettings) -> Result<Cover, CoverError> {
    cover_with(surface, settings, &|field, points| points.par_iter().map(|&point| field.at(point)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::CoverSize;
    use sinew_rig::samples;

    #[test]
    fn threads_change_nothing() {
        let surface = rest_surface(&samples::limb(16, 24));
        let settings = CoverSettings { size: CoverSize::Count(800), ..CoverSettings::default() };
        let cover = cover_surface(&surface, &settings).unwrap();
        assert_eq!(Ok(&cover), sinew_geometry::cover(&surface, &settings).as_ref());
        assert_eq!(cover.mesh.component_count(), 1);
        assert!(cover.mesh.volume() > surface.volume() && surface.volume() > 0.0);
    }
}
