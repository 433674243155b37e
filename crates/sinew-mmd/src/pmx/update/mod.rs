//! Writes an edited character into the file it came from.
//!
//! The file is decoded again and compared with the character; only differences are written. Unedited values keep their bits, and
//! everything that a character does not store stays: English names, comments, flags, outlines, frames, physics.

mod bones;
mod looks;
mod morphs;
mod surface;

use super::from_character::tell_losses;
use super::rest_model::{KeptBones, RestModel};
use super::{PmxDocument, ReadPmxError};
use sinew_io::Report;
use sinew_rig::Character;

/// Error of writing a character into the file it came from.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum WritePmxError {
    #[error("cannot compare with the original file: {0}")]
    Original(#[from] ReadPmxError),
    #[error(
        "the character has {found} {what}, but its original file has {expected}; write a new file instead"
    )]
    Removed { what: &'static str, expected: usize, found: usize },
}

impl PmxDocument {
    /// This document with all changes of `character`, which came from it; everything else is unchanged.
    ///
    /// # Errors
    /// If vertices, bones, morphs, materials or images were removed.
    pub fn updated(&self, character: &Character, report: &mut Report) -> Result<Self, WritePmxError> {
        let original = self.to_character(&mut Report::default())?;
        if original == *character {
            return Ok(self.clone());
        }
        tell_losses(character, report);
        let before = RestModel::of(&original, &KeptBones::all(&original), &mut Report::default());
        let after = RestModel::of(character, &KeptBones::all(character), report);
        let counts = [
            ("vertices", before.vertices.len(), after.vertices.len()),
            ("bones", before.bones.len(), after.bones.len()),
            ("morphs", before.morphs.len(), after.morphs.len()),
            ("materials", original.materials().len(), character.materials().len()),
            ("images", original.images().len(), character.images().len()),
        ];
        if let Some(&(what, expected, found)) = counts.iter().find(|(_, expected, found)| found < expected) {
            return Err(WritePmxError::Removed { what, expected, found });
        }
        let mut document = self.clone();
        if original.name() != character.name() {
            document.pmx.name = character.name().into();
        }
        looks::update(&mut document, &original, character, report);
        let pmx = &mut document.pmx;
        let have_weights_changed = surface::update_vertices(pmx, &before.vertices, &after.vertices, report);
        surface::update_faces(pmx, &before.triangles, &after.triangles);
        if !pmx.bones.is_empty() || have_weights_changed || before.bones != after.bones {
            bones::update(pmx, &before.bones, &after.bones);
        }
        morphs::update(pmx, &before.morphs, &after.morphs, report);
        Ok(document)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_models::{document, strip};
    use super::super::{Pmx, PmxMorphKind, PmxTail, PmxWeight, bone_flags, material_flags};
    use super::*;
    use crate::space::{direction, point_to_mmd};
    use glam::{Vec3, Vec4};
    use sinew_geometry::Trs;
    use sinew_rig::{
        Bone, BoneId, CharacterParts, Image, ImageId, InfluencesBuilder, LocalTransform, Material,
        MorphEffect, MorphTarget, TextureSlot,
    };

    /// A strip with something wrong in every part, and with all that a character does not hold.
    fn damaged() -> Pmx {
        let mut pmx = strip();
        pmx.vertices[0].position[0] = f32::INFINITY;
        pmx.vertices[1].weight = PmxWeight::Bdef4 { bones: [1, -1, 90, 1], weights: [0.3, 0.1, 0.2, 0.7] };
        pmx.vertices[1].normal = [0.0; 3];
        if let PmxWeight::Sdef { weight, .. } = &mut pmx.vertices[2].weight {
            *weight = 1.0;
        }
        pmx.faces.push([0, 1, 77]);
        pmx.faces.push([0, 1, 2]);
        pmx.bones[1].parent = 2;
        pmx.bones[2].append = Some((55, 1.0));
        pmx.bones[3].tail = PmxTail::Bone(66);
        pmx.bones[3].flags |= bone_flags::TAIL_IS_BONE;
        pmx.morphs[0].kind = PmxMorphKind::Vertex(vec![(99, [1.0; 3]), (0, [0.3; 3]), (0, [0.3; 3])]);
        pmx.morphs[1].kind = PmxMorphKind::Group(vec![(-1, 1.0), (0, 1.0)]);
        pmx.materials[1].texture = 44;
        pmx.comment_en = "kept".into();
        pmx
    }

    fn parts(document: &PmxDocument) -> CharacterParts {
        document.to_character(&mut Report::default()).unwrap().into_parts()
    }

    fn update(document: &PmxDocument, parts: CharacterParts) -> PmxDocument {
        let character = Character::new(parts).unwrap();
        document.updated(&character, &mut Report::default()).unwrap()
    }

    /// Edits the character and, by hand, the file, and compares.
    #[track_caller]
    fn check(edit: impl Fn(&mut CharacterParts), expected: impl Fn(&mut Pmx)) {
        for pmx in [strip(), damaged()] {
            let original = document(pmx.clone());
            let mut edited = parts(&original);
            edit(&mut edited);
            let mut by_hand = pmx;
            expected(&mut by_hand);
            let updated = update(&original, edited);
            // By their text, because NaN is not equal to itself.
            let (found, expected) = (format!("{:#?}", updated.pmx), format!("{by_hand:#?}"));
            let first = found.lines().zip(expected.lines()).find(|(found, expected)| found != expected);
            assert_eq!((first, found.len()), (None, expected.len()));
        }
    }

    #[test]
    fn what_is_not_edited_stays() {
        check(|_| {}, |_| {});
        let mut empty = strip();
        empty.bones.clear();
        let original = document(empty);
        assert_eq!(
            update(&original, parts(&original)),
            original,
            "the bone that reading makes is not written"
        );
    }

    #[test]
    fn only_the_edited_vertex_changes() {
        let place = Vec3::new(0.5, 0.25, -0.125);
        check(
            |parts| parts.meshes[0].positions[3] = place,
            |pmx| pmx.vertices[3].position = point_to_mmd(place),
        );
        check(
            |parts| parts.meshes[0].normals[3] = Vec3::Y,
            |pmx| pmx.vertices[3].normal = direction([0.0, 1.0, 0.0]).to_array(),
        );
        check(|parts| parts.meshes[0].uv_sets[0][3].x = 0.5, |pmx| pmx.vertices[3].uv = [0.5, 0.75]);
    }

    /// The influences with those of one vertex replaced.
    fn set_influences(parts: &mut CharacterParts, vertex: usize, new: &[(u16, f32)]) {
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(0, 0);
        for index in 0..mesh.vertex_count() {
            let (joints, weights) = mesh.influences.of(index);
            if index == vertex {
                influences.push(new.iter().copied());
            } else {
                influences.push(joints.iter().copied().zip(weights.iter().copied()));
            }
        }
        mesh.influences = influences.build();
    }

    #[test]
    fn weights_change_without_the_sphere() {
        // In the damaged file one bone alone moves the vertex, and the character knows no c, r0 and r1.
        check(
            |parts| set_influences(parts, 2, &[(0, 0.75), (1, 0.25)]),
            |pmx| {
                if let PmxWeight::Sdef { weight, .. } = &mut pmx.vertices[2].weight {
                    *weight = 0.75;
                }
            },
        );
        check(
            |parts| set_influences(parts, 3, &[(2, 0.5), (0, 0.5)]),
            |pmx| pmx.vertices[3].weight = PmxWeight::Bdef2 { bones: [2, 0], weight: 0.5 },
        );
        check(
            |parts| parts.meshes[0].methods[2] = 1,
            |pmx| {
                let PmxWeight::Sdef { bones, weight, .. } = pmx.vertices[2].weight else { return };
                let is_soft = weight < 1.0;
                pmx.vertices[2].weight =
                    if is_soft { PmxWeight::Bdef2 { bones, weight } } else { PmxWeight::Bdef1(bones[0]) };
            },
        );
    }

    #[test]
    fn spheres_change_without_the_weight() {
        let original = document(strip());
        let mut edited = parts(&original);
        let place = Vec3::new(0.25, 0.5, 0.75);
        edited.meshes[0].spherical[2].as_mut().unwrap().r1 = place;
        let updated = update(&original, edited);
        let mut expected = strip();
        let PmxWeight::Sdef { r1, .. } = &mut expected.vertices[2].weight else { panic!("SDEF") };
        *r1 = point_to_mmd(place);
        assert_eq!(updated.pmx, expected);
    }

    #[test]
    fn only_the_edited_bone_changes() {
        check(|parts| parts.bones[3].name = "goal".into(), |pmx| pmx.bones[3].name = "goal".into());
        let place = Vec3::new(0.0, 0.5, 0.25);
        let move_goal = |parts: &mut CharacterParts| {
            parts.bones[3].rest = LocalTransform::Trs(Trs::from_translation(place));
            parts.binds[0].joint_from_rest[3].translation = (-place).into();
        };
        check(move_goal, |pmx| pmx.bones[3].position = point_to_mmd(place));
        check(
            |parts| parts.bones[3].tip_in_bone = Some(Vec3::X),
            |pmx| {
                pmx.bones[3].tail = PmxTail::Offset(point_to_mmd(Vec3::X));
                pmx.bones[3].flags &= !bone_flags::TAIL_IS_BONE;
            },
        );
        check(|parts| parts.bone_logic[3].level = 7, |pmx| pmx.bones[3].level = 7);
        check(
            |parts| parts.bone_logic[3].reach.as_mut().unwrap().iterations = 3,
            |pmx| pmx.bones[3].ik.as_mut().unwrap().loop_count = 3,
        );
        check(
            |parts| parts.bone_logic[0].is_after_physics = true,
            |pmx| pmx.bones[0].flags |= bone_flags::AFTER_PHYSICS,
        );
    }

    #[test]
    fn only_the_edited_morph_changes() {
        let original = document(strip());
        let mut edited = parts(&original);
        let mesh = &mut edited.meshes[0];
        mesh.morphs[0].position_deltas[1] = Vec3::Y;
        mesh.morphs[0].vertices.insert(1, 2);
        mesh.morphs[0].position_deltas.insert(1, Vec3::X);
        mesh.morphs[1].effect = MorphEffect::Group(vec![(0, 0.25)]);
        let updated = update(&original, edited);
        let mut expected = strip();
        let shifts = vec![(3, point_to_mmd(Vec3::Y)), (0, [1.0, 0.0, 0.0]), (2, point_to_mmd(Vec3::X))];
        expected.morphs[0].kind = PmxMorphKind::Vertex(shifts);
        expected.morphs[1].kind = PmxMorphKind::Group(vec![(0, 0.25)]);
        assert_eq!(updated.pmx, expected);
    }

    #[test]
    fn only_the_edited_look_changes() {
        check(
            |parts| parts.materials[0].is_double_sided = true,
            |pmx| pmx.materials[0].flags |= material_flags::DOUBLE_SIDED,
        );
        check(|parts| parts.materials[1].base_color.w = 0.25, |pmx| pmx.materials[1].diffuse[3] = 0.25);
        check(
            |parts| parts.materials[1].base_color = Vec4::new(1.0, 0.0, 0.0, 0.5),
            |pmx| {
                pmx.materials[1].diffuse = [1.0, 0.0, 0.0, 0.5];
                pmx.materials[1].ambient = [1.0 - 154.0 / 255.0, 0.0, 0.0];
            },
        );
        check(|parts| parts.materials[0].base_color_texture = None, |pmx| pmx.materials[0].texture = -1);
        check(|parts| parts.name = "new".into(), |pmx| pmx.name = "new".into());
    }

    #[test]
    fn only_the_faces_of_the_edited_material_change() {
        check(|parts| parts.meshes[0].triangles[0] = [2, 1, 0], |pmx| pmx.faces[0] = [2, 0, 1]);
    }

    #[test]
    fn new_things_are_added_at_the_end() {
        let original = document(strip());
        let mut edited = parts(&original);
        edited.images.push(Image { name: "cloth".into(), mime_type: "image/png".into(), bytes: vec![1, 2] });
        let slot = TextureSlot { image: ImageId(1), ..edited.materials[0].base_color_texture.unwrap() };
        edited.materials[1].base_color_texture = Some(slot);
        edited.materials.push(Material { name: "third".into(), ..Material::default() });
        edited.bones.push(Bone {
            name: "finger".into(),
            parent: Some(BoneId(2)),
            rest: LocalTransform::Trs(Trs::from_translation(Vec3::Y)),
            tip_in_bone: None,
        });
        edited.bone_logic.push(sinew_rig::BoneLogic::default());
        edited.meshes[0].morphs.push(MorphTarget { name: "い".into(), ..MorphTarget::default() });
        edited.meshes[0].default_morph_weights.push(0.0);
        edited.instances[0].morph_weights.push(0.0);
        let updated = update(&original, edited);
        let pmx = &updated.pmx;
        assert_eq!(pmx.textures.last().map(|path| path.as_str()), Some("tex\\cloth.png"));
        assert_eq!((pmx.materials[1].texture, pmx.materials.len()), (2, 3));
        assert_eq!((pmx.bones.len(), pmx.bones[4].parent, pmx.morphs.len()), (5, 2, 4));
        assert_eq!(pmx.frames.last().map(|frame| frame.entries.clone()), Some(vec![(0, 4)]));
        assert_eq!(pmx.vertices, strip().vertices);
        assert_eq!(updated.beside().len(), 2);
    }

    #[test]
    fn removed_things_are_refused() {
        let original = document(strip());
        let mut edited = parts(&original);
        edited.meshes[0].morphs.pop();
        edited.meshes[0].morphs[1].effect = MorphEffect::None;
        edited.meshes[0].default_morph_weights.pop();
        edited.instances[0].morph_weights.pop();
        let character = Character::new(edited).unwrap();
        let error = original.updated(&character, &mut Report::default()).unwrap_err();
        assert!(
            error.to_string().starts_with("the character has 2 morphs, but its original file has 3"),
            "{error}"
        );
    }
}
