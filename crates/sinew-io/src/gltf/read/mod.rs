//! Converts the raw document to a character.

mod body;
mod clips;
mod controllers;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod skin;
mod springs;

use super::{GltfDocument, Result};
use crate::Report;
use crate::limits::Budget;
use crate::tips::set_tips;
use sinew_rig::{Character, CharacterParts};

impl GltfDocument {
    /// The typed view of this file's default scene. Data without a place in a character stays in the document.
    ///
    /// # Errors
    /// If the file contradicts itself or needs more memory than its limits allow.
    pub fn to_character(&self, report: &mut Report) -> Result<Character> {
        let mut reader = Reader { document: self, budget: self.budget(), report };
        let (materials, images) = reader.materials()?;
        let meshes = reader.meshes()?;
        let binds = reader.binds()?;
        let mut bones = reader.bones()?;
        let (name, instances) = reader.instances(&meshes)?;
        let clips = reader.clips(&bones, &instances)?;
        let skin = reader.skin();
        let controllers = reader.controllers()?;
        let springs = reader.springs(&bones)?;
        let body = reader.body();
        set_tips(&mut bones, &binds, &controllers.helpers);
        let parts = CharacterParts {
            name,
            bones,
            bone_logic: Vec::new(),
            binds,
            meshes,
            instances,
            materials,
            images,
            clips,
            skin,
            controllers,
            springs,
            body,
        };
        Ok(Character::new(parts)?)
    }
}

/// State shared by the readers of all parts.
struct Reader<'a> {
    document: &'a GltfDocument,
    budget: Budget,
    report: &'a mut Report,
}
