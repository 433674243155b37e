//! Points of a foot's surface: the vertices that follow its bones.

use super::align::Alignment;
use glam::DVec3;
use sinew_rig::{BoneId, BoundSurface, Character, Pose};

/// Vertices of the character that mostly follow `bones`, canonical axes, rest pose.
pub(super) struct SurfacePoints {
    positions: Vec<DVec3>,
    /// Bones and shares of each vertex.
    shares: Vec<Vec<(BoneId, f32)>>,
}

impl SurfacePoints {
    pub(super) fn of(character: &Character, alignment: &Alignment) -> Self {
        let bound = BoundSurface::of(character);
        let posed_from_rest = bound.posed_from_rest(character, &Pose::rest(character));
        let mut points = Self { positions: Vec::new(), shares: Vec::new() };
        for (vertex, position) in bound.blended(&posed_from_rest).into_iter().enumerate() {
            let pairs = bound.influences().pairs(vertex);
            points.positions.push(alignment.canonical(position.as_dvec3()));
            points.shares.push(
                pairs.map(|(entry, weight)| (bound.palette()[usize::from(entry)].bone, weight)).collect(),
            );
        }
        points
    }

    /// Vertices with at least half their weight on the bones.
    pub(super) fn following(&self, bones: &[BoneId]) -> Vec<DVec3> {
        let share = |shares: &[(BoneId, f32)]| -> f32 {
            shares.iter().filter(|(bone, _)| bones.contains(bone)).map(|&(_, weight)| weight).sum()
        };
        let both = self.positions.iter().zip(&self.shares);
        both.filter(|(_, shares)| share(shares) >= 0.5).map(|(&position, _)| position).collect()
    }
}

impl SurfacePoints {
    /// Vertices between two sets of bones, each with its share of the second: plain skinning moves them by both.
    pub(super) fn between(&self, first: &[BoneId], second: &[BoneId]) -> Vec<(DVec3, f64)> {
        let share = |shares: &[(BoneId, f32)], bones: &[BoneId]| -> f64 {
            shares.iter().filter(|(bone, _)| bones.contains(bone)).map(|&(_, weight)| f64::from(weight)).sum()
        };
        let mixed = |(&position, shares): (&DVec3, &Vec<(BoneId, f32)>)| {
            let (a, b) = (share(shares, first), share(shares, second));
            (a > 0.005 && b > 0.005 && a + b > 0.5).then(|| (position, b / (a + b)))
        };
        self.positions.iter().zip(&self.shares).filter_map(mixed).collect()
    }
}

/// A bone, all below it or following it, and all below those.
pub(crate) fn moved_with(character: &Character, bone: BoneId) -> Vec<BoneId> {
    let skeleton = character.skeleton();
    let mut moved = vec![bone];
    // Followers of followers need another round each; chains of them are short.
    for _ in 0..4 {
        for &other in skeleton.parents_first() {
            let hangs = skeleton.bone(other).parent.is_some_and(|parent| moved.contains(&parent));
            let logic = character.bone_logic().get(other.index());
            let follows = logic.and_then(|logic| logic.follow.as_ref()).is_some_and(|follow| {
                follow.rotates && follow.ratio == 1.0 && moved.contains(&follow.source)
            });
            if (hangs || follows) && !moved.contains(&other) {
                moved.push(other);
            }
        }
    }
    moved
}
