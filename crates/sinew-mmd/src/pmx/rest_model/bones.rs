//! Bones in PMX form: a position, a parent, a tip.

use glam::{Affine3A, Vec3};
use sinew_rig::{BoneId, BoneLogic, Character, Follow, MorphEffect, Reach, ReachLink};

/// The bones of the file, and their order.
pub(in crate::pmx) struct KeptBones {
    order: Vec<BoneId>,
    /// Index in the file, one per bone of the character.
    file_index: Vec<Option<u32>>,
    /// At rest, one per bone of the character.
    pub(super) model_from_bone: Vec<Affine3A>,
}

impl KeptBones {
    /// Every bone, in the character's order.
    pub(in crate::pmx) fn all(character: &Character) -> Self {
        Self::in_order((0..character.skeleton().bone_count()).map(BoneId::of).collect(), character)
    }

    /// The needed bones: joints, bones that carry a mesh, bones with logic, all that these refer to, and their ancestors; every bone if
    /// there would be none. They keep the character's order, unless a parent comes after its child and no logic depends on the order:
    /// programs evaluate PMX bones in the order of the file.
    pub(in crate::pmx) fn needed(character: &Character) -> Self {
        Self::needed_with(character, [])
    }

    /// The same, and some that are needed besides.
    pub(in crate::pmx) fn needed_with(
        character: &Character,
        others: impl IntoIterator<Item = BoneId>,
    ) -> Self {
        let is_needed = needed(character, others);
        if !is_needed.contains(&true) {
            return Self::all(character);
        }
        let skeleton = character.skeleton();
        let mut order: Vec<BoneId> =
            (0..skeleton.bone_count()).map(BoneId::of).filter(|bone| is_needed[bone.index()]).collect();
        let is_late = |bone: &BoneId| skeleton.bone(*bone).parent.is_some_and(|parent| parent > *bone);
        if character.bone_logic().is_empty() && order.iter().any(is_late) {
            order = skeleton.parents_first().to_vec();
            order.retain(|bone| is_needed[bone.index()]);
        }
        Self::in_order(order, character)
    }

    fn in_order(order: Vec<BoneId>, character: &Character) -> Self {
        let mut file_index = vec![None; character.skeleton().bone_count()];
        for (index, bone) in (0..).zip(&order) {
            file_index[bone.index()] = Some(index);
        }
        Self { order, file_index, model_from_bone: character.skeleton().rest_model_from_bone() }
    }

    /// The index of a bone in the file, if it is there.
    pub(in crate::pmx) fn find(&self, bone: BoneId) -> Option<u32> {
        self.file_index[bone.index()]
    }

    /// The index of a bone in the file; bones that others refer to are always kept.
    pub(in crate::pmx) fn index_of(&self, bone: BoneId) -> u32 {
        self.file_index[bone.index()].unwrap_or(0)
    }
}

/// Whether each bone is needed.
fn needed(character: &Character, others: impl IntoIterator<Item = BoneId>) -> Vec<bool> {
    let skeleton = character.skeleton();
    let mut is_needed = vec![false; skeleton.bone_count()];
    let mut need = |bone: BoneId| {
        let mut at = Some(bone);
        while let Some(bone) = at.filter(|bone| !is_needed[bone.index()]) {
            is_needed[bone.index()] = true;
            at = skeleton.bone(bone).parent;
        }
    };
    for instance in character.instances() {
        let mesh = character.mesh(instance.mesh);
        let has_loose_vertices =
            (0..mesh.vertex_count()).any(|vertex| mesh.influences.of(vertex).0.is_empty());
        if instance.bind.is_none() || has_loose_vertices {
            need(instance.bone);
        }
        for bone in instance.bind.iter().flat_map(|&bind| &character.bind(bind).joints) {
            need(*bone);
        }
        for morph in &mesh.morphs {
            if let MorphEffect::Bones(changes) = &morph.effect {
                changes.iter().for_each(|change| need(change.bone));
            }
        }
    }
    for (index, logic) in character.bone_logic().iter().enumerate() {
        if *logic != BoneLogic::default() {
            need(BoneId::of(index));
        }
        logic.follow.iter().for_each(|follow| need(follow.source));
        if let Some(reach) = &logic.reach {
            need(reach.effector);
            reach.links.iter().for_each(|link| need(link.bone));
        }
    }
    others.into_iter().for_each(need);
    is_needed
}

/// A bone in PMX form.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pmx) struct RestBone {
    pub(in crate::pmx) name: String,
    /// Index in the file.
    pub(in crate::pmx) parent: Option<u32>,
    /// Model space, m.
    pub(in crate::pmx) position: Vec3,
    /// From the position, along the model's axes, m.
    pub(in crate::pmx) tip: Option<Vec3>,
    /// Bones are indices in the file.
    pub(in crate::pmx) logic: BoneLogic,
    /// The English name, where it is not the name itself.
    pub(in crate::pmx) english: Option<String>,
    /// Whether users may move it, though it has a parent and no chain.
    pub(in crate::pmx) is_movable: bool,
}

pub(super) fn rest_bones(character: &Character, kept: &KeptBones) -> Vec<RestBone> {
    let bones = kept.order.iter().map(|&id| {
        let bone = character.skeleton().bone(id);
        let stands = &kept.model_from_bone[id.index()];
        RestBone {
            name: bone.name.clone(),
            parent: bone.parent.map(|parent| kept.index_of(parent)),
            position: stands.translation.into(),
            tip: bone.tip_in_bone.map(|tip| stands.transform_vector3(tip)),
            logic: character.bone_logic().get(id.index()).map_or_else(BoneLogic::default, |logic| {
                let mapped = |bone: BoneId| BoneId(kept.index_of(bone));
                with_bones(logic, mapped)
            }),
            english: None,
            is_movable: false,
        }
    });
    bones.collect()
}

/// The same logic with other bone indices.
pub(in crate::pmx) fn with_bones(logic: &BoneLogic, mapped: impl Fn(BoneId) -> BoneId) -> BoneLogic {
    BoneLogic {
        follow: logic.follow.map(|follow| Follow { source: mapped(follow.source), ..follow }),
        reach: logic.reach.as_ref().map(|reach| Reach {
            effector: mapped(reach.effector),
            links: reach.links.iter().map(|link| ReachLink { bone: mapped(link.bone), ..*link }).collect(),
            ..*reach
        }),
        ..*logic
    }
}
