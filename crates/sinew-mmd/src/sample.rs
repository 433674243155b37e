//! A small character for tests of motions and poses.

use glam::Vec3;
use sinew_geometry::Trs;
use sinew_rig::{
    Bone, BoneId, BoneLogic, Character, CharacterParts, Instance, LocalTransform, Mesh, MeshId, MorphTarget,
    Reach,
};

/// A name of 16 bytes in CP932.
pub(crate) const LONG_NAME: &str = "左足捩補助骨先端";

/// Bones センター, 左足, 左足ＩＫ (which reaches), [`LONG_NAME`] and a second 左足; a mesh with morphs あ, まばたき and another あ, whose rest
/// weights are 0, ¼ and 0.
pub(crate) fn character() -> Character {
    let bone = |name: &str, parent: Option<u32>, rest: Vec3| Bone {
        name: name.into(),
        parent: parent.map(BoneId),
        rest: LocalTransform::Trs(Trs::from_translation(rest)),
        tip_in_bone: None,
    };
    let bones = vec![
        bone("センター", None, Vec3::new(0.0, 0.64, 0.0)),
        bone("左足", Some(0), Vec3::new(0.08, 0.0, 0.0)),
        bone("左足ＩＫ", None, Vec3::new(0.08, 0.08, 0.0)),
        bone(LONG_NAME, Some(1), Vec3::new(0.0, -0.3, 0.0)),
        bone("左足", Some(3), Vec3::ZERO),
    ];
    let mut bone_logic = vec![BoneLogic::default(); bones.len()];
    bone_logic[2].reach =
        Some(Reach { effector: BoneId(3), iterations: 4, step_rad: 1.0, links: Vec::new() });
    let morphs = ["あ", "まばたき", "あ"];
    let morphs = morphs.map(|name| MorphTarget { name: name.into(), ..MorphTarget::default() });
    let parts = CharacterParts {
        name: "試験".into(),
        bones,
        bone_logic,
        meshes: vec![Mesh {
            morphs: morphs.into(),
            default_morph_weights: vec![0.0, 0.25, 0.0],
            ..Mesh::default()
        }],
        instances: vec![Instance {
            bone: BoneId(0),
            mesh: MeshId(0),
            bind: None,
            morph_weights: vec![0.0, 0.25, 0.0],
        }],
        ..CharacterParts::default()
    };
    Character::new(parts).expect("it is put together right")
}
