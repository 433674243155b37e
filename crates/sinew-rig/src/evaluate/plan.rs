//! Per-character data of evaluation: the order of bones, their subtrees, and each bone's prepared logic.

use super::change::Rest;
use super::limits::AngleLimits;
use crate::{BoneLogic, Character, Follow, MorphEffect, Reach};
use glam::Vec3;
use std::ops::Range;

/// Maximum iterations; as babylon-mmd, and one more than PMX files may request.
const MOST_ITERATIONS: u32 = 256;

/// A character's prepared logic. Lists are one per bone.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// Every bone once, in the order of evaluation.
    pub(super) order: Vec<usize>,
    pub(super) parents: Vec<Option<usize>>,
    pub(super) rests: Vec<Rest>,
    pub(super) follows: Vec<Option<PlannedFollow>>,
    pub(super) chains: Vec<Option<Chain>>,
    /// Whether any chain turns the bone.
    pub(super) is_link: Vec<bool>,
    /// Whether logic can change the bone's transform in its parent.
    pub(super) is_moved: Vec<bool>,
    /// The axis of requested rotations.
    pub(super) axes: Vec<Option<Vec3>>,
    /// Whether the bone's own change is needed: it is moved or followed.
    pub(super) is_split: Vec<bool>,
    /// Bones in an order with everything below a bone right after it, children in the order of the skeleton.
    preorder: Vec<usize>,
    /// Ranges in `preorder` of everything below each bone.
    below: Vec<Range<usize>>,
    /// Whether some bone follows one that must be placed first and comes after it in `preorder`: moving a tree twice can then differ from
    /// once.
    pub(super) follows_backwards: bool,
}

/// A follow with data of its source.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedFollow {
    pub(super) follow: Follow,
    /// Source of the rotation.
    pub(super) rotation_from: Origin,
    /// Source of the translation.
    pub(super) translation_from: Origin,
    /// Whether the bone carries its source: following it repeatedly would run away.
    pub(super) carries_source: bool,
}

/// The followed part of a bone's change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Change requested by pose and morphs.
    Own,
    /// That, plus its own following; zero before it was placed.
    Followed,
    /// Zero: the two follow each other, maybe indirectly, and the source comes later.
    Nothing,
}

/// A prepared IK chain.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) effector: usize,
    pub(super) iterations: u32,
    pub(super) step_rad: f32,
    /// From the effector towards the root.
    pub(super) links: Vec<ChainLink>,
}

/// A prepared link.
#[derive(Clone, Debug)]
pub(super) struct ChainLink {
    pub(super) bone: usize,
    pub(super) limits: Option<AngleLimits>,
}

impl Plan {
    /// The plan of a character; `None` if no bone or morph has logic.
    pub(super) fn of(character: &Character) -> Option<Self> {
        let skeleton = character.skeleton();
        let morphs = || character.meshes().iter().flat_map(|mesh| &mesh.morphs);
        let moves_bones = |effect: &MorphEffect| matches!(effect, MorphEffect::Bones(_));
        if character.bone_logic().is_empty() && !morphs().any(|morph| moves_bones(&morph.effect)) {
            return None;
        }
        let bone_count = skeleton.bone_count();
        let default_logic = vec![BoneLogic::default(); bone_count];
        let logic = if character.bone_logic().is_empty() { &default_logic } else { character.bone_logic() };

        let order = evaluation_order(logic);
        let parents: Vec<_> =
            skeleton.bones().iter().map(|bone| bone.parent.map(crate::BoneId::index)).collect();
        let (preorder, below) = hierarchy(&parents, skeleton.parents_first());
        let follows = planned_follows(logic, &order, &below);
        let chains: Vec<_> = logic.iter().map(|logic| logic.reach.as_ref().map(chain_of)).collect();
        let axes: Vec<Option<Vec3>> =
            (0..bone_count).map(|bone| logic.get(bone).and_then(|logic| logic.axis)).collect();
        let mut is_link = vec![false; bone_count];
        for link in chains.iter().flatten().flat_map(|chain| &chain.links) {
            is_link[link.bone] = true;
        }
        let mut is_moved: Vec<_> = (0..bone_count)
            .map(|bone| is_link[bone] || follows[bone].is_some() || axes[bone].is_some())
            .collect();
        for morph in morphs() {
            if let MorphEffect::Bones(bones) = &morph.effect {
                bones.iter().for_each(|moved| is_moved[moved.bone.index()] = true);
            }
        }
        let mut is_split = is_moved.clone();
        for planned in follows.iter().flatten() {
            is_split[planned.follow.source.index()] = true;
        }
        let rests = skeleton
            .bones()
            .iter()
            .zip(skeleton.rest_model_from_bone())
            .map(|(bone, model_from_bone)| Rest::new(&bone.rest.to_affine(), &model_from_bone))
            .collect();
        let follows_backwards = follows.iter().enumerate().any(|(bone, planned)| {
            planned.is_some_and(|planned| {
                let origins = [planned.rotation_from, planned.translation_from];
                let source = planned.follow.source.index();
                let asks_for_placed = planned.follow.is_local || origins.contains(&Origin::Followed);
                asks_for_placed && below[bone].start < below[source].start
            })
        });
        Some(Self {
            order,
            parents,
            rests,
            follows,
            chains,
            is_link,
            axes,
            is_moved,
            is_split,
            preorder,
            below,
            follows_backwards,
        })
    }

    /// All bones below one, parents before children.
    pub(super) fn below(&self, bone: usize) -> &[usize] {
        &self.preorder[self.below[bone].clone()]
    }

    /// Whether `bone` is below `ancestor`.
    pub(super) fn is_below(&self, bone: usize, ancestor: usize) -> bool {
        is_below(&self.below, bone, ancestor)
    }
}

fn is_below(below: &[Range<usize>], bone: usize, ancestor: usize) -> bool {
    // Everything below a bone comes right after it.
    below[ancestor].contains(&(below[bone].start - 1))
}

/// Bones by (after physics, level, index).
fn evaluation_order(logic: &[BoneLogic]) -> Vec<usize> {
    let mut order: Vec<_> = (0..logic.len()).collect();
    order.sort_by_key(|&bone| (logic[bone].is_after_physics, logic[bone].level, bone));
    order
}

fn planned_follows(
    logic: &[BoneLogic],
    order: &[usize],
    below: &[Range<usize>],
) -> Vec<Option<PlannedFollow>> {
    let mut turns = vec![0; order.len()];
    order.iter().enumerate().for_each(|(turn, &bone)| turns[bone] = turn);
    let is_circular = circular_follows(logic);
    let plan = |bone: usize, follow: Follow| {
        let source = follow.source.index();
        // Every cycle has a bone whose source comes at the same time or later: it stops there.
        let is_cut = is_circular[bone] && turns[source] >= turns[bone];
        let origin = |takes_over: fn(&Follow) -> bool| match &logic[source].follow {
            Some(next) if takes_over(next) && is_cut => Origin::Nothing,
            Some(next) if takes_over(next) => Origin::Followed,
            _ => Origin::Own,
        };
        let (rotation_from, translation_from) =
            (origin(|follow| follow.rotates), origin(|follow| follow.translates));
        let carries_source = source == bone || is_below(below, source, bone);
        PlannedFollow { follow, rotation_from, translation_from, carries_source }
    };
    logic.iter().enumerate().map(|(bone, logic)| logic.follow.map(|follow| plan(bone, follow))).collect()
}

/// Whether each bone follows itself, maybe indirectly.
fn circular_follows(logic: &[BoneLogic]) -> Vec<bool> {
    let source = |bone: usize| logic[bone].follow.map(|follow| follow.source.index());
    let mut is_circular = vec![false; logic.len()];
    // The walk that visited first: one more than its starting bone.
    let mut seen_by = vec![0; logic.len()];
    for start in 0..logic.len() {
        let mut bone = Some(start);
        while let Some(at) = bone.filter(|&at| seen_by[at] == 0) {
            seen_by[at] = start + 1;
            bone = source(at);
        }
        // A walk that meets itself has found a cycle, and goes around once more.
        while let Some(at) = bone.filter(|&at| seen_by[at] == start + 1 && !is_circular[at]) {
            is_circular[at] = true;
            bone = source(at);
        }
    }
    is_circular
}

fn chain_of(reach: &Reach) -> Chain {
    let links = reach
        .links
        .iter()
        .map(|link| ChainLink { bone: link.bone.index(), limits: link.limits.map(AngleLimits::new) });
    Chain {
        effector: reach.effector.index(),
        iterations: reach.iterations.min(MOST_ITERATIONS),
        step_rad: reach.step_rad,
        links: links.collect(),
    }
}

/// Bones such that everything below a bone comes right after it, and the places of that.
fn hierarchy(parents: &[Option<usize>], parents_first: &[crate::BoneId]) -> (Vec<usize>, Vec<Range<usize>>) {
    // Size of each bone's tree, including itself: children add theirs to the parent.
    let mut tree_sizes = vec![1; parents.len()];
    for bone in parents_first.iter().rev().map(|bone| bone.index()) {
        if let Some(parent) = parents[bone] {
            tree_sizes[parent] += tree_sizes[bone];
        }
    }
    // Each bone takes the next free place of its parent's range; siblings come in the order of the skeleton.
    let (mut free_in, mut free_at_root) = (vec![0; parents.len()], 0);
    let (mut preorder, mut below) = (vec![0; parents.len()], vec![0..0; parents.len()]);
    for bone in parents_first.iter().map(|bone| bone.index()) {
        let free = parents[bone].map_or(&mut free_at_root, |parent| &mut free_in[parent]);
        let place = *free;
        *free += tree_sizes[bone];
        free_in[bone] = place + 1;
        preorder[place] = bone;
        below[bone] = place + 1..place + tree_sizes[bone];
    }
    (preorder, below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BoneId;

    #[test]
    fn bones_are_ordered_by_physics_then_level_then_index() {
        let logic = |level, is_after_physics| BoneLogic { level, is_after_physics, ..BoneLogic::default() };
        let order = evaluation_order(&[logic(1, false), logic(-1, true), logic(0, false), logic(1, false)]);
        assert_eq!(order, [2, 0, 3, 1]);
    }

    #[test]
    fn circles_of_followers_are_found() {
        let follow = |source: Option<u32>| BoneLogic {
            follow: source.map(|source| Follow {
                source: BoneId(source),
                ratio: 1.0,
                rotates: true,
                translates: true,
                is_local: false,
            }),
            ..BoneLogic::default()
        };
        // 0 leads into the circle 1, 2, 3; 4 follows itself; 5 leads to 6, which follows nothing.
        let logic = [Some(1), Some(2), Some(3), Some(1), Some(4), Some(6), None].map(follow);
        assert_eq!(circular_follows(&logic), [false, true, true, true, true, false, false]);
    }

    #[test]
    fn all_below_a_bone_follow_it() {
        // 1 and 4 are roots; 0 and 3 hang from 1, 2 from 0.
        let parents = [Some(1), None, Some(0), Some(1), None];
        let parents_first = [1, 4, 0, 3, 2].map(BoneId);
        let (preorder, below) = hierarchy(&parents, &parents_first);
        assert_eq!(preorder, [1, 0, 2, 3, 4]);
        assert_eq!(below, [2..3, 1..4, 3..3, 4..4, 5..5]);
    }
}
