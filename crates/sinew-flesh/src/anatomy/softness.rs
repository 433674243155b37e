//! How much of the flesh round each bone may move.

use super::{AnatomyInput, AnatomySettings};
use sinew_geometry::smooth_step_between;
use sinew_rig::{BoneId, HumanoidBone};

/// The softness of a human's parts. Belly, buttocks and thighs move most; the calf and the forearm are sinew for half their length;
/// on hands, feet and skulls skin lies on bone.
fn of_human(bone: HumanoidBone) -> f32 {
    use HumanoidBone as B;
    match bone {
        B::Hips | B::Spine | B::LeftUpperLeg | B::RightUpperLeg => 1.0,
        B::Chest | B::UpperChest | B::LeftUpperArm | B::RightUpperArm => 0.9,
        B::LeftLowerLeg | B::RightLowerLeg => 0.8,
        B::LeftShoulder | B::RightShoulder | B::LeftLowerArm | B::RightLowerArm => 0.6,
        B::Neck => 0.3,
        // Cheeks.
        B::Jaw => 0.1,
        _ => 0.0,
    }
}

/// A bone that follows another by at least this much of its turn stands in for it: rigs of MMD bind the skin of legs to such bones.
const STANDS_IN: f32 = 0.5;

/// The softness of every bone: as set, as the bone of the human that it is, stands in for or hangs from, or 1.
pub(super) fn of_bones(input: &AnatomyInput<'_>, settings: &AnatomySettings) -> Vec<f32> {
    let skeleton = input.character.skeleton();
    let mut softness = vec![1.0; skeleton.bone_count()];
    for &bone in skeleton.parents_first() {
        let inherited = skeleton.bone(bone).parent.map_or(1.0, |parent: BoneId| softness[parent.index()]);
        let human = |bone: BoneId| input.humanoid.and_then(|map| map.humanoid_bone(bone)).map(of_human);
        let follow = input.character.bone_logic().get(bone.index()).and_then(|logic| logic.follow);
        let followed = follow.filter(|follow| follow.rotates && follow.ratio >= STANDS_IN);
        let stands_in = || followed.and_then(|follow| human(follow.source));
        softness[bone.index()] = human(bone).or_else(stands_in).unwrap_or(inherited);
    }
    for (bone, of_bone) in softness.iter_mut().enumerate() {
        let set = settings.bone(BoneId::of(bone)).and_then(|settings| settings.softness);
        *of_bone = set.unwrap_or(*of_bone) * settings.softness;
    }
    softness
}

/// How soft flesh of each thickness can be: 0 where it is too thin for tetrahedra of this spacing and, without a map of the human,
/// where it is thin for the character.
pub(super) fn by_thickness(
    input: &AnatomyInput<'_>,
    settings: &AnatomySettings,
    thickness_m: &[f32],
) -> Vec<f32> {
    let mut sorted = thickness_m.to_vec();
    sorted.sort_by(f32::total_cmp);
    let thick = sorted.get(sorted.len().saturating_sub(1) * 9 / 10).copied().unwrap_or(0.0);
    let of_one = |&thickness: &f32| {
        let in_spacings = ramp(settings.thin_spacings, thickness / input.cover.spacing);
        match input.humanoid {
            Some(_) => in_spacings,
            None => in_spacings * ramp(settings.thin_shares, thickness / thick.max(f32::MIN_POSITIVE)),
        }
    };
    thickness_m.iter().map(of_one).collect()
}

/// From 0 at the first to 1 at the last, smooth at both.
pub(super) fn ramp([first, last]: [f32; 2], value: f32) -> f32 {
    if last <= first {
        return if value < first { 0.0 } else { 1.0 };
    }
    smooth_step_between(first, last, value)
}
