//! The joints of a character for measures.

use super::JointProbe;
use crate::anchors::soft_ranges;
use crate::palette_joints::PaletteJoints;
use crate::{SkinSettings, SoftRange};
use glam::Affine3A;
use sinew_rig::{BoneId, BoundSurface, Character};

/// A joint with the two palette entries that meet there.
#[derive(Clone, Copy, Debug)]
pub struct ProbedJoint {
    /// The parent's palette entry.
    pub parent_entry: u16,
    /// The child's palette entry.
    pub child_entry: u16,
    /// The child bone, which names the joint.
    pub bone: BoneId,
    /// The joint in the pose.
    pub probe: JointProbe,
}

/// Every joint with vertices between its two bones, in the order of the palette.
///
/// Soft ranges are those of `settings`, or computed from the weights as in [`crate::bind`]. `posed_from_rest`: one per palette entry.
///
/// # Panics
/// If there is not one matrix per palette entry.
pub fn joint_probes(
    character: &Character,
    bound: &BoundSurface,
    settings: &SkinSettings,
    posed_from_rest: &[Affine3A],
) -> Vec<ProbedJoint> {
    assert_eq!(posed_from_rest.len(), bound.palette().len(), "one skinning matrix per palette entry");
    let joints = PaletteJoints::of(character, bound);
    let probe = |((parent, child), derived): ((u16, u16), SoftRange)| {
        let bone = bound.palette()[usize::from(child)].bone;
        let given = settings.range_of_joint(&character.skeleton().bone(bone).name);
        let probe = JointProbe {
            parent_head: joints.bone(parent).head,
            head: joints.bone(child).head,
            child_tip: joints.bone(child).tip,
            range: given.unwrap_or(derived),
            parent: posed_from_rest[usize::from(parent)],
            child: posed_from_rest[usize::from(child)],
        };
        ProbedJoint { parent_entry: parent, child_entry: child, bone, probe }
    };
    soft_ranges(&joints, bound).into_iter().map(probe).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Method;
    use glam::{Quat, Vec3};
    use sinew_rig::{Pose, samples};

    /// How well rings 1 cm apart tell the ends of a range, m.
    const RANGE_M: f32 = 2e-3;

    #[test]
    fn the_sample_limb_has_one_joint_with_its_range() {
        let character = samples::limb(16, 60);
        let bound = BoundSurface::of(&character);
        let mut pose = Pose::rest(&character);
        pose.turn(character.skeleton().find("lower").expect("a bone"), Quat::from_rotation_x(1.0));
        let matrices = bound.posed_from_rest(&character, &pose);
        let joints = joint_probes(&character, &bound, &SkinSettings::from(Method::Lbs), &matrices);
        assert_eq!(joints.len(), 1);
        let probe = joints[0].probe;
        // The sample's weights are linear over 16 cm around the joint at 30 cm.
        assert!(probe.range.begin.abs_diff_eq(Vec3::new(0.0, 0.22, 0.0), RANGE_M), "{:?}", probe.range);
        assert!(probe.range.end.abs_diff_eq(Vec3::new(0.0, 0.38, 0.0), RANGE_M), "{:?}", probe.range);
        assert!((probe.turn_rad() - 1.0).abs() < 1e-6);
    }
}
