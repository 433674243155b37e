//! From a PMX file to the character.
//!
//! The character is one mesh with one bind; vertices, bones and morphs have the file's order and indices. Damage is repaired by the
//! rules of each module and reported; the file itself is unchanged.

mod bones;
mod faces;
mod logic;
mod looks;
mod morphs;
mod vertices;

pub(super) use bones::{cycle_breaks, stand_at_parents};
pub(super) use logic::MOST_ITERATIONS;
pub(super) use looks::main_textures;

use super::{PmxDocument, ReadPmxError};
use bones::ReadBones;
use glam::Affine3A;
use sinew_io::{Budget, Report};
use sinew_rig::{Bind, BindId, BoneId, Character, CharacterParts, Instance, Mesh, MeshId};

/// Maximum bones of influences; one place of the palette is the carrier's.
const MOST_JOINTS: usize = (1 << 16) - 1;

impl PmxDocument {
    /// The typed view of this file. Data without a place in a character stays in the document.
    ///
    /// # Errors
    /// If it needs more memory than the limits allow.
    pub fn to_character(&self, report: &mut Report) -> Result<Character, ReadPmxError> {
        let pmx = &self.pmx;
        self.take_memory()?;
        let ReadBones { bones, positions, bone_logic } = bones::read(pmx, report);
        let (materials, images) = looks::read(self, report);
        let mut mesh = Mesh { name: pmx.name.as_str().to_owned(), ..Mesh::default() };
        vertices::read(pmx, &positions[..positions.len().min(MOST_JOINTS)], &mut mesh, report);
        faces::read(pmx, &mut mesh, report);
        vertices::read_normals(pmx, &mut mesh, report);
        mesh.morphs = morphs::read(pmx, report);
        mesh.default_morph_weights = vec![0.0; mesh.morphs.len()];
        let joints = positions.iter().take(MOST_JOINTS);
        let bind = Bind {
            name: pmx.name.as_str().to_owned(),
            joints: (0..joints.len()).map(BoneId::of).collect(),
            joint_from_rest: joints.map(|&position| Affine3A::from_translation(-position)).collect(),
        };
        if positions.len() > MOST_JOINTS {
            let message = format!("only the first {MOST_JOINTS} bones move vertices");
            report.warn(format!("bones[{MOST_JOINTS}]"), message);
        }
        let morph_weights = mesh.default_morph_weights.clone();
        let parts = CharacterParts {
            name: pmx.name.as_str().to_owned(),
            bones,
            bone_logic,
            binds: vec![bind],
            meshes: vec![mesh],
            instances: vec![Instance {
                bone: BoneId(0),
                mesh: MeshId(0),
                bind: Some(BindId(0)),
                morph_weights,
            }],
            materials,
            images,
            ..CharacterParts::default()
        };
        Ok(Character::new(parts)?)
    }

    /// Reserves the memory of a character, or fails.
    fn take_memory(&self) -> Result<(), ReadPmxError> {
        let pmx = &self.pmx;
        let mut budget = Budget::new(&self.limits, 0);
        // Position, normal, texture coordinates, four influences, spherical parameters and method.
        budget.take(&"vertices", pmx.vertices.len() as u64, 112)?;
        budget.take(&"faces", pmx.faces.len() as u64, 12)?;
        let moved: usize = pmx.morphs.iter().map(|morph| morphs::entry_count(&morph.kind)).sum();
        budget.take(&"morphs", moved as u64, 48)?;
        let image_bytes: usize = self.images.iter().flatten().map(Vec::len).sum();
        Ok(budget.take(&"textures", image_bytes as u64, 1)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_models::{bone, document, morph, strip, vertex};
    use super::super::{Pmx, PmxIk, PmxIkLink, PmxMaterial, PmxMorphKind, PmxTail, PmxWeight};
    use super::*;
    use glam::Vec3;
    use sinew_rig::{AlphaMode, BoneMorph, MorphEffect, Spherical};

    /// The expected colors have five digits.
    const COLOR_DIGITS: f32 = 1e-5;

    /// Of positions a few m from the origin.
    const ROUNDING_M: f32 = 1e-6;

    fn read(pmx: Pmx) -> (Character, Vec<String>) {
        let mut report = Report::default();
        let character = document(pmx).to_character(&mut report).expect("every file makes a character");
        (character, report.warnings().iter().map(ToString::to_string).collect())
    }

    #[test]
    fn axes_scale_and_winding_are_ours() {
        let (character, warnings) = read(strip());
        assert_eq!(warnings, [] as [&str; 0]);
        let mesh = &character.meshes()[0];
        assert!(mesh.positions[3].abs_diff_eq(Vec3::new(0.08, 0.792, -0.016), ROUNDING_M));
        assert_eq!(mesh.normals[0], Vec3::Z);
        assert_eq!(mesh.triangles, [[0, 2, 1], [2, 3, 1]]);
        assert_eq!(mesh.groups[1].vertices, 1..4);
        let model_from_bone = character.skeleton().rest_model_from_bone();
        assert!(
            Vec3::from(model_from_bone[2].translation).abs_diff_eq(Vec3::new(0.0, 0.808, -0.024), ROUNDING_M)
        );
        assert!(
            character.skeleton().bones()[0]
                .tip_in_bone
                .is_some_and(|tip| tip.abs_diff_eq(Vec3::new(0.0, 0.384, -0.016), ROUNDING_M))
        );
        assert_eq!(character.skeleton().bones()[1].tip_in_bone, None);
    }

    #[test]
    fn weights_methods_and_spherical_parameters_keep_their_order() {
        let (character, _) = read(strip());
        let mesh = &character.meshes()[0];
        assert_eq!(mesh.methods, [1, 1, 3, 1]);
        assert_eq!(mesh.influences.of(1), (&[1u16, 0][..], &[0.9f32, 1.0 - 0.9][..]));
        assert_eq!(mesh.influences.of(2).0, [0, 1]);
        let Some(Spherical { center, r0, r1 }) = mesh.spherical[2] else { panic!("it is an SDEF vertex") };
        assert!(center.abs_diff_eq(Vec3::new(0.008, 0.4, -0.024), ROUNDING_M));
        assert!(r0.abs_diff_eq(Vec3::new(0.0, 0.32, -0.056), ROUNDING_M));
        assert!(r1.abs_diff_eq(Vec3::new(0.0, 0.48, 0.056), ROUNDING_M));
        assert_eq!(mesh.spherical[1], None);
    }

    #[test]
    fn bones_follow_and_reach() {
        let (character, _) = read(strip());
        let logic = character.bone_logic();
        let follow = logic[2].follow.expect("it follows the center");
        assert_eq!(
            (follow.source, follow.ratio, follow.rotates, follow.translates),
            (BoneId(1), -0.5, true, false)
        );
        let reach = logic[3].reach.as_ref().expect("a chain");
        assert_eq!((reach.effector, reach.iterations, logic[3].level), (BoneId(2), 40, 1));
        assert_eq!(reach.links[0].limits.map(|[least, greatest]| (least.x, greatest.x)), Some((0.01, 3.1)));
        let mut plain = strip();
        plain.bones.iter_mut().for_each(|bone| (bone.level, bone.append, bone.ik) = (0, None, None));
        assert!(read(plain).0.bone_logic().is_empty());
    }

    #[test]
    fn morphs_keep_their_index() {
        let mut pmx = strip();
        pmx.morphs.push(morph("uv", PmxMorphKind::Uv { set: 0, shifts: vec![(0, [0.0; 4])] }));
        let (character, warnings) = read(pmx);
        let morphs = &character.meshes()[0].morphs;
        assert_eq!(morphs[0].vertices, [0, 3]);
        assert!(morphs[0].position_deltas[1].abs_diff_eq(Vec3::new(0.016, 0.016, -0.024), ROUNDING_M));
        assert_eq!(morphs[1].effect, MorphEffect::Group(vec![(0, 0.5), (2, 1.0)]));
        let MorphEffect::Bones(changes) = &morphs[2].effect else { panic!("a bone morph") };
        let &[BoneMorph { bone, translation, rotation }] = &changes[..] else { panic!("one bone") };
        assert_eq!((bone, rotation), (BoneId(0), glam::Quat::IDENTITY));
        assert!(translation.abs_diff_eq(Vec3::new(0.0, 0.08, -0.04), ROUNDING_M));
        assert_eq!((morphs[3].name.as_str(), &morphs[3].effect), ("uv", &MorphEffect::None));
        assert_eq!(warnings.len(), 1, "{warnings:?}");
        assert!(warnings[0].starts_with("morphs[3]: it changes texture coordinates"), "{warnings:?}");
    }

    #[test]
    fn materials_have_the_shown_color_and_the_main_texture() {
        let (character, _) = read(strip());
        let [skin, cloth] = character.materials() else { panic!("two materials") };
        assert_eq!((skin.alpha_mode, cloth.alpha_mode), (AlphaMode::Opaque, AlphaMode::Blend));
        assert_eq!(skin.base_color_texture.map(|slot| slot.image.index()), Some(0));
        assert_eq!(character.images().len(), 1, "the toon is not a main texture");
        assert_eq!(character.images()[0].name, "tex\\skin.png");
        // 0.5 in MMD's light of 154/255 is shown as 0.3020, which is 0.0742 in linear light.
        assert!((skin.base_color.y - 0.074_214).abs() < COLOR_DIGITS, "{}", skin.base_color);
    }

    /// Changes the strip, and says which warnings that gives.
    #[track_caller]
    fn check(change: impl FnOnce(&mut Pmx), expected: &[&str]) -> Character {
        let mut pmx = strip();
        change(&mut pmx);
        let (character, warnings) = read(pmx);
        assert_eq!(warnings, expected);
        character
    }

    #[test]
    fn broken_vertices_are_put_right() {
        let bdef4 = |bones, weights| PmxWeight::Bdef4 { bones, weights };
        let character = check(
            |pmx| {
                pmx.vertices[0] = vertex([f32::NAN, 0.0, 0.0], bdef4([2, -1, 0, 0], [0.25, 0.5, 0.25, 0.0]));
                pmx.vertices[1] = vertex([0.0; 3], bdef4([0, 0, 1, 1], [0.0, 0.0, 0.0, f32::NAN]));
                pmx.vertices[3] = vertex([0.0; 3], bdef4([0, 0, 1, 1], [1.0, 1.0, 1.0, 1.0]));
                pmx.vertices[3].normal = [0.0; 3];
                if let PmxWeight::Sdef { r1, .. } = &mut pmx.vertices[2].weight {
                    r1[0] = f32::INFINITY;
                }
            },
            &[
                "vertices[0]: one of its bones does not exist; the others get its weight",
                "vertices[1]: one of its weights is out of range; clamped to 0 to 1",
                "vertices[3]: its weights do not sum to 1; they are normalized",
                "vertices[1]: it has no bones; it follows bone 0",
                "vertices[2]: its c, r0 or r1 is not finite; they are computed instead",
                "vertices[0]: its position is not finite; it is placed at its bone",
                "vertices[3]: its normal has no direction; it is computed from the triangles",
            ],
        );
        let mesh = &character.meshes()[0];
        assert_eq!(mesh.influences.of(0), (&[2u16, 0][..], &[0.5f32, 0.5][..]));
        assert_eq!(mesh.influences.of(1), (&[0u16][..], &[1.0f32][..]));
        assert_eq!(mesh.influences.of(3), (&[0u16, 1][..], &[0.5f32, 0.5][..]));
        assert_eq!((mesh.spherical.len(), mesh.methods[2]), (0, 3));
    }

    #[test]
    fn sdef_by_one_bone_has_no_spherical_parameters() {
        for (bones, weight) in [([0, 1], 1.0), ([0, 1], 0.0), ([1, 1], 0.5)] {
            let character = check(
                |pmx| {
                    let [c, r0, r1] = [[0.0; 3]; 3];
                    pmx.vertices[2].weight = PmxWeight::Sdef { bones, weight, c, r0, r1 };
                },
                &[],
            );
            let mesh = &character.meshes()[0];
            assert_eq!((mesh.influences.of(2).0.len(), mesh.spherical.len(), mesh.methods[2]), (1, 0, 3));
        }
    }

    #[test]
    fn broken_bones_are_put_right() {
        let character = check(
            |pmx| {
                pmx.bones[1].parent = 2;
                pmx.bones[3].parent = 99;
                pmx.bones[2].position[1] = f32::NAN;
                pmx.bones[2].append = Some((77, 1.0));
                pmx.bones[3].ik = Some(PmxIk {
                    target: 2,
                    loop_count: 5000,
                    limit_rad: 1.0,
                    links: vec![
                        PmxIkLink { bone: 50, limits_rad: None },
                        PmxIkLink { bone: 0, limits_rad: Some([[1.0; 3], [-1.0; 3]]) },
                    ],
                });
                pmx.bones[3].tail = PmxTail::Offset([f32::NAN; 3]);
            },
            &[
                "bones[3]: its parent does not exist; it becomes a root",
                "bones[0]: \"腕\" is its own ancestor; it becomes a root",
                "bones[2]: its position is not finite; it is placed at its parent",
                "bones[2]: the bone that it follows does not exist; it follows none",
                "bones[3]: its chain has more than 255 iterations; using 255",
                "bones[3]: a bone of its chain does not exist; it is removed from the chain",
                "bones[3]: a minimum angle of its chain is above the maximum; they are swapped",
            ],
        );
        assert_eq!(character.skeleton().bones()[0].parent, None);
        assert_eq!(character.bone_logic()[3].reach.as_ref().map(|reach| reach.iterations), Some(255));
    }

    #[test]
    fn broken_faces_and_morphs_are_left_out() {
        let character = check(
            |pmx| {
                pmx.faces.push([1, 2, 9]);
                pmx.faces.push([1, 2, 3]);
                pmx.materials[0].index_count = -3;
                pmx.materials.push(PmxMaterial { texture: 7, index_count: 3, ..pmx.materials[0].clone() });
                pmx.morphs[0] =
                    morph("a", PmxMorphKind::Vertex(vec![(9, [1.0; 3]), (0, [f32::NAN; 3]), (1, [1.0; 3])]));
                pmx.morphs.push(morph("b", PmxMorphKind::Group(vec![(1, 1.0), (-1, 1.0), (0, 1.0)])));
            },
            &[
                "materials[2]: its texture does not exist; drawn without it",
                "faces[2]: 2 faces belong to no material; they get the default look",
                "faces[2]: it has a vertex that does not exist; it is not shown",
                "morphs[0]: some of its entries do not exist or are not finite; they are left out (and 1 more like it)",
            ],
        );
        let mesh = &character.meshes()[0];
        let materials: Vec<_> = mesh.groups.iter().map(|group| group.material.map(|id| id.index())).collect();
        assert_eq!(materials, [Some(1), Some(2), None]);
        assert_eq!(mesh.morphs[3].effect, MorphEffect::Group(vec![(0, 1.0)]));
    }

    #[test]
    fn points_have_vertices_only() {
        let character = check(
            |pmx| pmx.materials[0].flags = super::super::material_flags::POINTS,
            &["materials[0]: it is drawn as points or lines; it is not shown"],
        );
        let group = &character.meshes()[0].groups[0];
        assert_eq!((&group.vertices, &group.triangles), (&(0..3), &(0..0)));
    }

    #[test]
    fn files_without_anything_are_characters() {
        let (character, warnings) = read(Pmx::default());
        assert_eq!((character.skeleton().bone_count(), warnings.len()), (1, 1));
        let mut pmx = strip();
        pmx.bones.clear();
        let (character, _) = read(pmx);
        assert_eq!(character.meshes()[0].influences.of(2).0, [0]);
    }

    #[test]
    fn more_bones_than_influences_can_name_are_no_joints() {
        let bones = (0..70_000).map(|_| bone("b", 0, [0.0; 3]));
        let pmx = Pmx {
            bones: bones.collect(),
            vertices: vec![vertex([0.0; 3], PmxWeight::Bdef1(69_999))],
            ..Pmx::default()
        };
        let (character, warnings) = read(pmx);
        assert_eq!((character.joints().len(), warnings.len()), (65_535, 4), "{warnings:?}");
    }
}
