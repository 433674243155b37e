//! Where bones end, for formats that do not say.

use glam::Vec3;
use sinew_rig::{Bind, Bone, BoneId, HelperController};

/// Sets where bones end: at their only child or, of several, at the one that best continues the bone's direction. Among a
/// joint's children only joints count, and helpers never do.
pub(crate) fn set_tips(bones: &mut [Bone], binds: &[Bind], helpers: &[HelperController]) {
    let mut is_joint = vec![false; bones.len()];
    for joint in binds.iter().flat_map(|bind| &bind.joints) {
        is_joint[joint.index()] = true;
    }
    let mut is_helper = vec![false; bones.len()];
    helpers.iter().for_each(|helper| is_helper[helper.bone.index()] = true);
    let heads: Vec<Vec3> = bones.iter().map(|bone| bone.rest.to_trs().translation).collect();
    let mut best: Vec<Option<(f32, Vec3)>> = vec![None; bones.len()];
    for child in 0..bones.len() {
        let Some(parent) = bones[child].parent.map(BoneId::index) else { continue };
        if (is_joint[parent] && !is_joint[child]) || is_helper[child] || heads[child].length_squared() == 0.0
        {
            continue;
        }
        let incoming = bones[parent].rest.to_trs().rotation.inverse() * heads[parent];
        let straightness = heads[child].normalize_or_zero().dot(incoming.normalize_or_zero());
        if best[parent].is_none_or(|(most, _)| straightness > most) {
            best[parent] = Some((straightness, heads[child]));
        }
    }
    for (bone, best) in bones.iter_mut().zip(best) {
        bone.tip_in_bone = best.map(|(_, tip)| tip);
    }
}
