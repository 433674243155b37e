//! Finds bones and morphs by name like MMD: by the first 15 bytes in CP932.

use super::cp932::{FixedText, encode_cp932};
use sinew_io::Report;
use sinew_rig::{BoneId, Character, MeshId};
use std::collections::HashMap;
use std::hash::Hash;

/// Number of significant bytes of a name.
pub(crate) const NAME_BYTES: usize = 15;

/// The significant part of a name, padded with zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NameKey([u8; NAME_BYTES]);

impl NameKey {
    /// Of a name in a character. May cut a character in half, like MMD.
    pub(crate) fn of_text(name: &str) -> Self {
        Self::of_bytes(&encode_cp932(name).0)
    }

    /// Of a name in a file.
    pub(crate) fn of_field<const N: usize>(field: &FixedText<N>) -> Self {
        match field.bytes.split_first() {
            // MMD writes a zero for a first character that CP932 lacks.
            Some((0, rest)) if rest.first().is_some_and(|&byte| byte != 0) => {
                let mut bytes = field.bytes;
                bytes[0] = b'?';
                Self::of_bytes(FixedText::from(bytes).significant_bytes())
            }
            _ => Self::of_bytes(field.significant_bytes()),
        }
    }

    /// As a field of a file.
    pub(crate) fn to_field<const N: usize>(self) -> FixedText<N> {
        let mut field = FixedText::default();
        let length = N.min(NAME_BYTES);
        field.bytes[..length].copy_from_slice(&self.0[..length]);
        field
    }

    fn of_bytes(name: &[u8]) -> Self {
        let mut bytes = [0; NAME_BYTES];
        let length = name.len().min(NAME_BYTES);
        bytes[..length].copy_from_slice(&name[..length]);
        Self(bytes)
    }
}

/// Bones and morphs of a character by name. Of several with the same name the first is used. `K`: the significant part of a name.
pub(crate) struct NamedParts<K> {
    bones: HashMap<K, BoneId>,
    reaching: HashMap<K, BoneId>,
    morphs: HashMap<K, Vec<(MeshId, usize)>>,
}

impl<K: Copy + Eq + Hash> NamedParts<K> {
    /// `key_of`: [`NameKey::of_text`], or nothing for whole names.
    pub(crate) fn of<'a>(character: &'a Character, key_of: impl Fn(&'a str) -> K) -> Self {
        let (mut bones, mut reaching) = (HashMap::new(), HashMap::new());
        for (index, bone) in character.skeleton().bones().iter().enumerate() {
            let (key, id) = (key_of(&bone.name), BoneId::of(index));
            bones.entry(key).or_insert(id);
            if character.bone_logic().get(index).is_some_and(|logic| logic.reach.is_some()) {
                reaching.entry(key).or_insert(id);
            }
        }
        let mut morphs: HashMap<_, Vec<_>> = HashMap::new();
        for (mesh_index, mesh) in character.meshes().iter().enumerate() {
            let mesh_id = MeshId::of(mesh_index);
            for (index, morph) in mesh.morphs.iter().enumerate() {
                let found = morphs.entry(key_of(&morph.name)).or_default();
                if found.last().is_none_or(|&(mesh, _)| mesh != mesh_id) {
                    found.push((mesh_id, index));
                }
            }
        }
        Self { bones, reaching, morphs }
    }

    pub(crate) fn bone(&self, key: K) -> Option<BoneId> {
        self.bones.get(&key).copied()
    }

    /// The first bone of that name that has a [`sinew_rig::Reach`].
    pub(crate) fn reaching_bone(&self, key: K) -> Option<BoneId> {
        self.reaching.get(&key).copied()
    }

    /// The first morph of that name of each mesh.
    pub(crate) fn morphs(&self, key: K) -> &[(MeshId, usize)] {
        self.morphs.get(&key).map_or(&[], Vec::as_slice)
    }
}

/// Names of a file that the character does not have, each once.
pub(crate) struct MissingNames {
    what: &'static str,
    count: usize,
    first: Vec<String>,
    /// Bones already found for names of fields.
    found: HashMap<NameKey, Option<BoneId>>,
}

/// Number of missing names that a report lists.
const MOST_LISTED: usize = 5;

impl MissingNames {
    /// `what`: "bones", "morphs".
    pub(crate) fn new(what: &'static str) -> Self {
        Self { what, count: 0, first: Vec::new(), found: HashMap::new() }
    }

    /// Adds a name; the caller must not add it twice.
    pub(crate) fn add(&mut self, name: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < MOST_LISTED {
            self.first.push(name());
        }
    }

    /// The bone that `find` returns for a field, called once per name; adds the name if there is none.
    pub(crate) fn or_found<const N: usize>(
        &mut self,
        field: &FixedText<N>,
        find: impl FnOnce(NameKey) -> Option<BoneId>,
    ) -> Option<BoneId> {
        let key = NameKey::of_field(field);
        if let Some(&known) = self.found.get(&key) {
            return known;
        }
        let bone = find(key);
        if bone.is_none() {
            self.add(|| field.decode());
        }
        self.found.insert(key, bone);
        bone
    }

    pub(crate) fn report(&self, report: &mut Report) {
        if self.count == 0 {
            return;
        }
        let more = if self.count > self.first.len() { ", …" } else { "" };
        let names = self.first.join(", ");
        let (count, what) = (self.count, self.what);
        let what = format!("{count} {what} do not exist in the character and are left out: {names}{more}");
        report.warn("", what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_at_the_fifteenth_byte() {
        // Eight characters of two bytes: the last is cut in half.
        let key = NameKey::of_text("左足ＩＫ親捩補助先");
        let field: FixedText<15> = key.to_field();
        assert_eq!(NameKey::of_field(&field), key);
        assert_eq!(field.significant_bytes().len(), 15);
        assert_eq!(field.decode(), "左足ＩＫ親捩補\u{fffd}");
        let longer: FixedText<20> = key.to_field();
        assert_eq!(NameKey::of_field(&longer), key);
    }

    #[test]
    fn rubbish_after_the_end_does_not_count() {
        let padded = FixedText::from(*b"ab\0\xfd\xfd\xfd");
        assert_eq!(NameKey::of_field(&padded), NameKey::of_text("ab"));
        let lost_first = FixedText::from(*b"\0b\0\0");
        assert_eq!(NameKey::of_field(&lost_first), NameKey::of_text("\u{1f600}b"));
        assert_eq!(NameKey::of_field(&FixedText::<4>::default()), NameKey::of_text(""));
    }

    #[test]
    fn missing_names_are_told_in_one_line() {
        let (mut missing, mut report) = (MissingNames::new("bones"), Report::default());
        missing.report(&mut report);
        assert!(report.is_empty(), "{report:?}");
        (0..7).for_each(|index| missing.add(|| format!("b{index}")));
        missing.report(&mut report);
        assert_eq!(
            report.warnings()[0].to_string(),
            "7 bones do not exist in the character and are left out: b0, b1, b2, b3, b4, …"
        );
    }
}
