//! Converts a character to the raw document: all of it for a new character, only the changes for one from a file.

mod body;
mod clips;
mod compact;
mod controllers;
mod encode;
mod extensions;
mod looks;
mod meshes;
mod nodes;
mod skin;
mod springs;

use super::{GltfDocument, ReadGltfError};
use crate::Report;
use serde_json::{Value, json};
use sinew_rig::{Character, Image, ImageId, TextureSlot};
use std::borrow::Cow;

/// Error of writing a document, or of updating the file that the character came from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WriteGltfError {
    /// More than a `.glb` holds.
    #[error("the result exceeds the 4 GiB of a .glb; write .gltf instead")]
    TooLarge,
    #[error("cannot compare with the original file: {0}")]
    Original(#[from] ReadGltfError),
    #[error(
        "the character has {found} {what}, but its original file has {expected}; write a new file instead"
    )]
    Removed { what: &'static str, expected: usize, found: usize },
}

impl GltfDocument {
    /// A new document for a character. BMP and TGA images become PNG, because glTF allows only PNG and JPEG; those that cannot be
    /// decoded are reported and written unchanged. Images without bytes, which were missing when the character was read, are left
    /// out.
    pub fn from_character(character: &Character, report: &mut Report) -> Self {
        let mut writer = Writer { document: Self::empty() };
        let character = without_missing_images(character, report);
        writer.update(&Character::default(), &character, report);
        writer.document
    }

    /// A new document for a character with all materials, textures and images copied from `source`, the file they came from.
    pub fn from_character_with_looks_of(character: &Character, source: &Self, report: &mut Report) -> Self {
        let mut writer = Writer { document: Self::empty() };
        writer.copy_looks(source);
        writer.update(&Character::default(), character, report);
        writer.document
    }

    /// This document with all changes of `character`, which came from it; everything else is unchanged.
    ///
    /// # Errors
    /// If bones, meshes or binds were removed.
    pub fn updated(&self, character: &Character, report: &mut Report) -> Result<Self, WriteGltfError> {
        let original = self.to_character(&mut Report::default())?;
        let counts = [
            ("bones", original.skeleton().bone_count(), character.skeleton().bone_count()),
            ("meshes", original.meshes().len(), character.meshes().len()),
            ("binds", original.binds().len(), character.binds().len()),
            ("materials", original.materials().len(), character.materials().len()),
            ("images", original.images().len(), character.images().len()),
        ];
        if let Some(&(what, expected, found)) = counts.iter().find(|(_, expected, found)| found < expected) {
            return Err(WriteGltfError::Removed { what, expected, found });
        }
        let mut writer = Writer { document: self.clone() };
        writer.update(&original, character, report);
        if writer.document != *self {
            writer.document.compact();
        }
        Ok(writer.document)
    }

    fn empty() -> Self {
        let generator = concat!("Sinew ", env!("CARGO_PKG_VERSION"));
        let asset = json!({ "version": "2.0", "generator": generator });
        Self::of_json(json!({ "asset": asset, "scene": 0, "scenes": [{}] }))
    }
}

/// A document under construction.
struct Writer {
    document: GltfDocument,
}

impl Writer {
    /// Writes what differs from `original`; all of a character for an empty one.
    fn update(&mut self, original: &Character, character: &Character, report: &mut Report) {
        if original.name() != character.name()
            && let Some(scene) = self.default_scene()
        {
            set_name(scene, character.name());
        }
        self.update_looks(original, character, report);
        self.update_nodes(original, character);
        self.update_binds(original, character);
        self.update_meshes(original, character, report);
        self.update_instances(original, character);
        self.update_clips(original, character, report);
        self.update_skin(original.skin(), character.skin());
        self.update_controllers(original.controllers(), character.controllers());
        self.update_springs(original.springs(), character.springs());
        self.update_body(original.body(), character.body());
    }
}

/// The character without images that have no bytes, which glTF cannot store.
fn without_missing_images<'a>(character: &'a Character, report: &mut Report) -> Cow<'a, Character> {
    let is_missing = |image: &Image| image.bytes.is_empty();
    if !character.images().iter().any(is_missing) {
        return Cow::Borrowed(character);
    }
    let mut parts = character.clone().into_parts();
    let mut new_index = Vec::with_capacity(parts.images.len());
    let mut kept = 0;
    for image in &parts.images {
        new_index.push((!is_missing(image)).then(|| ImageId::of(kept)));
        kept += usize::from(!is_missing(image));
        if is_missing(image) {
            report.warn(format_args!("image {:?}", image.name), "it was not found; left out");
        }
    }
    parts.images.retain(|image| !is_missing(image));
    for material in &mut parts.materials {
        material.base_color_texture = material.base_color_texture.and_then(|slot| {
            let image = new_index[slot.image.index()]?;
            Some(TextureSlot { image, ..slot })
        });
    }
    Cow::Owned(Character::new(parts).expect("fewer pictures, and nobody names those"))
}

/// An object with its name, if it has one.
fn named(name: &str) -> Value {
    if name.is_empty() { json!({}) } else { json!({ "name": name }) }
}

/// Sets or removes a name.
fn set_name(object: &mut Value, name: &str) {
    set_or_remove(object, "name", (!name.is_empty()).then(|| name.into()));
}

/// Sets a member, or removes it.
pub(super) fn set_or_remove(object: &mut Value, key: &str, value: Option<Value>) {
    match (value, object.as_object_mut()) {
        (Some(value), Some(object)) => drop(object.insert(key.into(), value)),
        (None, Some(object)) => drop(object.shift_remove(key)),
        (_, None) => {}
    }
}
