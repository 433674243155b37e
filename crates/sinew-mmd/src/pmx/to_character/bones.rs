//! Bones: positions, parents, tips.
//!
//! A missing parent counts as none. In a parent cycle the bone of the lowest index counts as a root. A bone with an invalid position
//! is placed at its parent, a root at the origin. A file without bones gets one, "root", at the origin, which is never written.

use super::logic;
use crate::pmx::tally::Tally;
use crate::pmx::{Pmx, PmxTail};
use crate::space::point_from_mmd;
use glam::Vec3;
use sinew_geometry::Trs;
use sinew_io::Report;
use sinew_rig::{Bone, BoneId, BoneLogic, LocalTransform};

/// The file's bones, converted.
pub(super) struct ReadBones {
    pub(super) bones: Vec<Bone>,
    /// One per bone, model space, m.
    pub(super) positions: Vec<Vec3>,
    pub(super) bone_logic: Vec<BoneLogic>,
}

pub(super) fn read(pmx: &Pmx, report: &mut Report) -> ReadBones {
    if pmx.bones.is_empty() {
        report.warn("bones", "the file has none; everything follows an added root bone");
        let root = Bone {
            name: "root".into(),
            parent: None,
            rest: LocalTransform::Trs(Trs::IDENTITY),
            tip_in_bone: None,
        };
        return ReadBones { bones: vec![root], positions: vec![Vec3::ZERO], bone_logic: Vec::new() };
    }
    let parents = parents(pmx, report);
    let positions = positions(pmx, &parents, report);
    let bones = (0..pmx.bones.len()).map(|index| {
        let parent_at = parents[index].map_or(Vec3::ZERO, |parent| positions[parent]);
        Bone {
            name: pmx.bones[index].name.as_str().to_owned(),
            parent: parents[index].map(BoneId::of),
            rest: LocalTransform::Trs(Trs::from_translation(positions[index] - parent_at)),
            tip_in_bone: tip(pmx, &positions, index),
        }
    });
    ReadBones { bones: bones.collect(), positions, bone_logic: logic::read(pmx, report) }
}

/// The parent of each bone, without cycles.
fn parents(pmx: &Pmx, report: &mut Report) -> Vec<Option<usize>> {
    let count = pmx.bones.len();
    let mut missing = Tally::default();
    let mut parents = Vec::with_capacity(count);
    for (index, bone) in pmx.bones.iter().enumerate() {
        let parent = usize::try_from(bone.parent).ok().filter(|&parent| parent < count);
        if parent.is_none() && bone.parent != -1 {
            missing.add(index);
        }
        parents.push(parent);
    }
    missing.tell("bones", report, "its parent does not exist; it becomes a root");
    for root in cycle_breaks(&parents) {
        let name = pmx.bones[root].name.as_str();
        report.warn(format!("bones[{root}]"), format!("{name:?} is its own ancestor; it becomes a root"));
        parents[root] = None;
    }
    parents
}

/// For each cycle of parents the bone of the lowest index.
pub(in crate::pmx) fn cycle_breaks(parents: &[Option<usize>]) -> Vec<usize> {
    const NEVER: usize = usize::MAX;
    let mut visited_from = vec![NEVER; parents.len()];
    let mut breaks = Vec::new();
    for start in 0..parents.len() {
        let mut at = Some(start);
        while let Some(bone) = at.filter(|&bone| visited_from[bone] == NEVER) {
            visited_from[bone] = start;
            at = parents[bone];
        }
        // Visited on the same way up: a cycle; walk it again for its lowest index.
        if let Some(first) = at.filter(|&bone| visited_from[bone] == start) {
            let around = std::iter::successors(parents[first], |&bone| parents[bone]);
            breaks.push(around.take_while(|&bone| bone != first).fold(first, usize::min));
        }
    }
    breaks
}

/// The position of each bone, model space, m.
fn positions(pmx: &Pmx, parents: &[Option<usize>], report: &mut Report) -> Vec<Vec3> {
    let mut positions: Vec<Vec3> = pmx.bones.iter().map(|bone| point_from_mmd(bone.position)).collect();
    let mut broken = Tally::default();
    (0..positions.len()).filter(|&index| !positions[index].is_finite()).for_each(|index| broken.add(index));
    stand_at_parents(&mut positions, parents);
    broken.tell("bones", report, "its position is not finite; it is placed at its parent");
    positions
}

/// Moves bones with a position that is not finite to their nearest ancestor with a valid one, or to the origin.
pub(in crate::pmx) fn stand_at_parents(positions: &mut [Vec3], parents: &[Option<usize>]) {
    let mut way_up = Vec::new();
    for index in 0..positions.len() {
        let mut at = Some(index);
        while let Some(bone) = at.filter(|&bone| !positions[bone].is_finite()) {
            way_up.push(bone);
            at = parents[bone];
        }
        let good = at.map_or(Vec3::ZERO, |bone| positions[bone]);
        way_up.drain(..).for_each(|bone| positions[bone] = good);
    }
}

/// Where a bone ends, in its own space; `None` if the file does not say.
fn tip(pmx: &Pmx, positions: &[Vec3], index: usize) -> Option<Vec3> {
    let tip = match pmx.bones[index].tail {
        PmxTail::Offset(offset) => point_from_mmd(offset),
        PmxTail::Bone(tail) => *positions.get(usize::try_from(tail).ok()?)? - positions[index],
    };
    (tip.is_finite() && tip != Vec3::ZERO).then_some(tip)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cycle_is_broken_once_at_its_lowest_bone() {
        let check = |parents: &[Option<usize>], expected: &[usize]| {
            assert_eq!(cycle_breaks(parents), expected, "{parents:?}");
        };
        check(&[None, Some(0), Some(1)], &[]);
        check(&[Some(0)], &[0]);
        check(&[Some(3), Some(2), Some(1), Some(1)], &[1]);
        check(&[Some(1), Some(0), Some(3), Some(4), Some(2)], &[0, 2]);
    }
}
