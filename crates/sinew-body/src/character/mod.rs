//! Converts a body to an ordinary character: skeleton, mesh, materials, weights and spherical parameters.
//!
//! ```
//! use sinew_body::character::{CharacterSettings, Look};
//! use sinew_body::{Design, Template, build};
//!
//! let body = build(&Template::human(), &Design::default())?;
//! let character = body.to_character(&CharacterSettings { steps: 4, look: Look::Skin, has_uvs: false });
//! assert!(character.skeleton().find("forearm.left").is_ok());
//! # Ok::<(), sinew_body::BuildError>(())
//! ```

mod figure;
mod surface;
#[cfg(test)]
mod tests;
mod transition;
mod weights;

use crate::body::Body;
use figure::SkeletonOfBody;
use glam::Vec4;
use serde::{Deserialize, Serialize};
use sinew_rig::{Bind, BindId, BoneId, Character, CharacterParts, Instance, Material, MeshId};

/// Settings of converting a body to a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CharacterSettings {
    /// Steps along the edge of a tube's patch, even, at least 4; fills have half as many. Default 8.
    pub steps: usize,
    /// Materials of the surface. Default skin.
    pub look: Look,
    /// Whether vertices have texture coordinates. Every patch has its own cell of the texture, so a vertex between patches exists once for
    /// each, at bitwise equal positions. Without, patches share one vertex. Default true.
    pub has_uvs: bool,
}

/// Materials of a character's surface.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Look {
    /// One material, skin.
    #[default]
    Skin,
    /// Bézier patches flesh-colored, Gregory patches blue, as in the figures of \[Komatsu88\].
    Patches,
}

impl Default for CharacterSettings {
    fn default() -> Self {
        Self { steps: 8, look: Look::Skin, has_uvs: true }
    }
}

/// Linear RGB of skin, and of both kinds of patches.
const SKIN: [f32; 3] = [0.60, 0.38, 0.28];
const BEZIER: [f32; 3] = [0.75, 0.43, 0.31];
const GREGORY: [f32; 3] = [0.12, 0.25, 0.62];

impl Body {
    /// The body as a character: a bone for each of the stick figure's, along +Y from joint to joint with +X as its bend axis; one mesh
    /// with normals of the surface; weights and SBS+ parameters from each vertex's place along its tube or in its fill.
    ///
    /// # Panics
    /// Never, if the body's numbers are finite.
    pub fn to_character(&self, settings: &CharacterSettings) -> Character {
        let skeleton = SkeletonOfBody::new(self);
        let mesh = surface::mesh(self, &skeleton, settings);
        let bind = Bind {
            name: "body".into(),
            joint_from_rest: skeleton.model_from_bone.iter().map(|bone| bone.inverse()).collect(),
            joints: (0..skeleton.bones.len()).map(BoneId::of).collect(),
        };
        let instance =
            Instance { bone: BoneId(0), mesh: MeshId(0), bind: Some(BindId(0)), morph_weights: Vec::new() };
        let parts = CharacterParts {
            name: "body".into(),
            bones: skeleton.bones,
            binds: vec![bind],
            meshes: vec![mesh],
            instances: vec![instance],
            materials: materials(settings.look),
            ..CharacterParts::default()
        };
        Character::new(parts).expect("lists are made one per vertex, and a body's numbers are finite")
    }
}

fn materials(look: Look) -> Vec<Material> {
    let material = |name: &str, [r, g, b]: [f32; 3]| Material {
        name: name.into(),
        base_color: Vec4::new(r, g, b, 1.0),
        roughness: 0.6,
        metallic: 0.0,
        ..Material::default()
    };
    match look {
        Look::Skin => vec![material("skin", SKIN)],
        Look::Patches => vec![material("bezier", BEZIER), material("gregory", GREGORY)],
    }
}
