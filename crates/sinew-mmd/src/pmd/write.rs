//! Writing a PMD file.

use super::types::{
    Pmd, PmdBone, PmdEnglish, PmdEnglishNames, PmdIk, PmdJoint, PmdMaterial, PmdMorph, PmdRigidBody,
    PmdVertex,
};
use crate::FixedText;

impl Pmd {
    /// Writes a `.pmd` file. What was read and not changed comes back byte for byte.
    ///
    /// A list of the end that is missing also ends the file, unless a later one is there: it is then written empty. Lists are cut to as
    /// many entries as their counts can say: 255 groups, shown morphs and links, 65,535 bones, chains and morphs.
    pub fn write(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024 + 38 * self.vertices.len() + 2 * self.indices.len());
        out.extend_from_slice(b"Pmd");
        out.extend_from_slice(&self.version.to_le_bytes());
        out.extend_from_slice(&self.name.bytes);
        out.extend_from_slice(&self.comment.bytes);
        long_list(&mut out, &self.vertices, write_vertex);
        long_list(&mut out, &self.indices, |out, index| out.extend_from_slice(&index.to_le_bytes()));
        long_list(&mut out, &self.materials, write_material);
        middle_list(&mut out, &self.bones, write_bone);
        middle_list(&mut out, &self.iks, write_ik);
        middle_list(&mut out, &self.morphs, write_morph);
        short_list(&mut out, &self.morph_display, |out, morph| out.extend_from_slice(&morph.to_le_bytes()));
        short_list(&mut out, &self.frame_names, |out, name| out.extend_from_slice(&name.bytes));
        long_list(&mut out, &self.frame_entries, |out, (bone, frame)| {
            out.extend_from_slice(&bone.to_le_bytes());
            out.push(*frame);
        });
        self.write_tail(&mut out);
        out.extend_from_slice(&self.trailing);
        out
    }

    fn write_tail(&self, out: &mut Vec<u8>) {
        let has_joints = self.joints.is_some();
        let has_bodies = has_joints || self.rigid_bodies.is_some();
        let has_toons = has_bodies || self.toons.is_some();
        match &self.english {
            Some(PmdEnglish::Present(names)) => self.write_english(out, names),
            Some(PmdEnglish::Absent) => out.push(0),
            None if has_toons => out.push(0),
            None => {}
        }
        if has_toons {
            let toons = self.toons.clone().unwrap_or_default();
            toons.iter().for_each(|toon| out.extend_from_slice(&toon.bytes));
        }
        if has_bodies {
            long_list(out, self.rigid_bodies.as_deref().unwrap_or_default(), write_rigid_body);
        }
        if has_joints {
            long_list(out, self.joints.as_deref().unwrap_or_default(), write_joint);
        }
    }

    fn write_english(&self, out: &mut Vec<u8>, names: &PmdEnglishNames) {
        out.push(1);
        out.extend_from_slice(&names.name.bytes);
        out.extend_from_slice(&names.comment.bytes);
        // As many as the lists that were written.
        let most = usize::from(u16::MAX);
        write_names(out, &names.bones, self.bones.len().min(most));
        write_names(out, &names.morphs, self.morphs.len().min(most).saturating_sub(1));
        write_names(out, &names.frames, self.frame_names.len().min(u8::MAX.into()));
    }
}

fn write_names<const N: usize>(out: &mut Vec<u8>, names: &[FixedText<N>], count: usize) {
    for index in 0..count {
        let name = names.get(index).copied().unwrap_or_default();
        out.extend_from_slice(&name.bytes);
    }
}

/// A list with a count of four bytes.
fn long_list<T>(out: &mut Vec<u8>, entries: &[T], mut write: impl FnMut(&mut Vec<u8>, &T)) {
    let count = u32::try_from(entries.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&count.to_le_bytes());
    entries.iter().take(count as usize).for_each(|entry| write(out, entry));
}

/// A list with a count of two bytes.
fn middle_list<T>(out: &mut Vec<u8>, entries: &[T], mut write: impl FnMut(&mut Vec<u8>, &T)) {
    let count = u16::try_from(entries.len()).unwrap_or(u16::MAX);
    out.extend_from_slice(&count.to_le_bytes());
    entries.iter().take(count.into()).for_each(|entry| write(out, entry));
}

/// A list with a count of one byte.
fn short_list<T>(out: &mut Vec<u8>, entries: &[T], mut write: impl FnMut(&mut Vec<u8>, &T)) {
    let count = u8::try_from(entries.len()).unwrap_or(u8::MAX);
    out.push(count);
    entries.iter().take(count.into()).for_each(|entry| write(out, entry));
}

fn floats(out: &mut Vec<u8>, values: &[f32]) {
    out.extend(values.iter().flat_map(|value| value.to_le_bytes()));
}

fn write_vertex(out: &mut Vec<u8>, vertex: &PmdVertex) {
    floats(out, &vertex.position);
    floats(out, &vertex.normal);
    floats(out, &vertex.uv);
    vertex.bones.iter().for_each(|bone| out.extend_from_slice(&bone.to_le_bytes()));
    out.extend_from_slice(&[vertex.weight_percent, vertex.edge]);
}

fn write_material(out: &mut Vec<u8>, material: &PmdMaterial) {
    floats(out, &material.diffuse);
    floats(out, &[material.specular_power]);
    floats(out, &material.specular);
    floats(out, &material.ambient);
    out.extend_from_slice(&[material.toon, material.edge]);
    out.extend_from_slice(&material.index_count.to_le_bytes());
    out.extend_from_slice(&material.texture.bytes);
}

fn write_bone(out: &mut Vec<u8>, bone: &PmdBone) {
    out.extend_from_slice(&bone.name.bytes);
    out.extend_from_slice(&bone.parent.to_le_bytes());
    out.extend_from_slice(&bone.tail.to_le_bytes());
    out.push(bone.kind);
    out.extend_from_slice(&bone.ik.to_le_bytes());
    floats(out, &bone.position);
}

fn write_ik(out: &mut Vec<u8>, ik: &PmdIk) {
    out.extend_from_slice(&ik.bone.to_le_bytes());
    out.extend_from_slice(&ik.target.to_le_bytes());
    let link_count = u8::try_from(ik.links.len()).unwrap_or(u8::MAX);
    out.push(link_count);
    out.extend_from_slice(&ik.loop_count.to_le_bytes());
    floats(out, &[ik.limit]);
    ik.links.iter().take(link_count.into()).for_each(|link| out.extend_from_slice(&link.to_le_bytes()));
}

fn write_morph(out: &mut Vec<u8>, morph: &PmdMorph) {
    out.extend_from_slice(&morph.name.bytes);
    let count = u32::try_from(morph.entries.len()).unwrap_or(u32::MAX);
    out.extend_from_slice(&count.to_le_bytes());
    out.push(morph.kind);
    for (index, shift) in morph.entries.iter().take(count as usize) {
        out.extend_from_slice(&index.to_le_bytes());
        floats(out, shift);
    }
}

fn write_rigid_body(out: &mut Vec<u8>, body: &PmdRigidBody) {
    out.extend_from_slice(&body.name.bytes);
    out.extend_from_slice(&body.bone.to_le_bytes());
    out.push(body.group);
    out.extend_from_slice(&body.mask.to_le_bytes());
    out.push(body.shape);
    floats(out, &body.size);
    floats(out, &body.position);
    floats(out, &body.rotation_rad);
    floats(out, &body.physics);
    out.push(body.mode);
}

fn write_joint(out: &mut Vec<u8>, joint: &PmdJoint) {
    out.extend_from_slice(&joint.name.bytes);
    joint.bodies.iter().for_each(|body| out.extend_from_slice(&body.to_le_bytes()));
    floats(out, joint.values.as_flattened());
}
