//! Sizes of indices in bytes.

use super::types::{IndexSizes, Pmx};
use IndexKind::{Bone, Material, Morph, RigidBody, Texture, Vertex};

/// Target of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IndexKind {
    Vertex,
    Texture,
    Material,
    Bone,
    Morph,
    RigidBody,
}

/// All kinds, in the order of the header.
pub(crate) const KINDS: [IndexKind; 6] = [Vertex, Texture, Material, Bone, Morph, RigidBody];

impl IndexSizes {
    /// The smallest sizes for the counts of this file.
    pub fn for_counts_of(pmx: &Pmx) -> Self {
        Self {
            vertex: size_for(pmx.vertices.len(), u8::MAX.into(), u16::MAX.into()),
            texture: signed_size_for(pmx.textures.len()),
            material: signed_size_for(pmx.materials.len()),
            bone: signed_size_for(pmx.bones.len()),
            morph: signed_size_for(pmx.morphs.len()),
            rigid_body: signed_size_for(pmx.rigid_bodies.len()),
        }
    }

    #[inline]
    pub(crate) fn of(mut self, kind: IndexKind) -> u8 {
        *self.of_mut(kind)
    }

    #[inline]
    pub(super) fn of_mut(&mut self, kind: IndexKind) -> &mut u8 {
        match kind {
            Vertex => &mut self.vertex,
            Texture => &mut self.texture,
            Material => &mut self.material,
            Bone => &mut self.bone,
            Morph => &mut self.morph,
            RigidBody => &mut self.rigid_body,
        }
    }
}

/// Whether the format allows this size.
pub(super) fn is_allowed(size: u8) -> bool {
    matches!(size, 1 | 2 | 4)
}

fn signed_size_for(count: usize) -> u8 {
    size_for(count, i8::MAX as usize, i16::MAX as usize)
}

fn size_for(count: usize, most_of_one: usize, most_of_two: usize) -> u8 {
    match count {
        _ if count <= most_of_one => 1,
        _ if count <= most_of_two => 2,
        _ => 4,
    }
}
