//! Moves tubes: bending at joints, twisting along bones, keeping volume, muscles.
//!
//! \[Komatsu88\] section 5: two angles per joint. Bends come first, then twists, from the extremities inward: at every joint the part before
//! it is still in rest and the part beyond it is done.

mod bend;
mod bulge;
mod source_twist;
mod twist;
mod volume;

pub use bend::{BendReport, BendSettings, Joint, bend};
pub(crate) use bend::{press_twisted_bay, rest_overlap};
pub use bulge::{MuscleBulge, bulge};
pub use source_twist::source_twist;
pub use twist::{TwistAxis, TwistMode, TwistSpread, twist, twist_untreated};
pub use volume::{VolumeWorkspace, bend_holding_volume, hold_volume, hold_volume_by_centers};

use crate::Tube;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A joint of a limb and the settings of its tube.
#[derive(Clone, Debug, PartialEq)]
pub struct LimbJoint {
    /// The bay that begins at the joint's ring; at least one.
    pub bay: usize,
    /// The joint in rest.
    pub joint: Joint,
    /// Settings of the fold.
    pub bend: BendSettings,
    /// Bays of the bone before the joint that take up its twist; ends at `bay`.
    pub twist_bays: Range<usize>,
    /// Distribution of the twist.
    pub spread: TwistSpread,
    /// Muscles that swell as the joint bends.
    pub bulges: Vec<MuscleBulge>,
    /// Treatment of the volume.
    pub volume: VolumeMode,
}

impl LimbJoint {
    /// The bays whose shape the joint changes.
    fn moved_bays(&self) -> Range<usize> {
        let around = self.twist_bays.start.min(self.bay - 1)..self.bay + 1;
        self.bulges
            .iter()
            .fold(around, |bays, muscle| bays.start.min(muscle.bay)..bays.end.max(muscle.bay + 1))
    }
}

/// Treatment of the volume of the bays at a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum VolumeMode {
    /// Follows from the rules of bend, twist and muscles.
    #[default]
    Free,
    /// Stays as in rest: first by the outside of the bend, then by the thickness of the middles.
    Held,
}

/// The two angles of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointAngles {
    /// Turn about the joint's axis, right-handed; zero in rest.
    pub bend_rad: f64,
    /// Turn about the bone before the joint, right-handed about its direction; zero in rest.
    pub twist_rad: f64,
}

/// Poses a whole limb: `posed` becomes `rest` with every joint bent and twisted. `joints` go from the root outward. Does not allocate.
///
/// # Panics
/// If `angles` and `joints` differ in number, or `posed` or the workspace in layout from `rest`.
pub fn pose_limb(
    workspace: &mut VolumeWorkspace,
    rest: &Tube,
    joints: &[LimbJoint],
    angles: &[JointAngles],
    posed: &mut Tube,
) {
    assert_eq!(joints.len(), angles.len(), "two angles per joint");
    posed.copy_from(rest);
    for (limb, angle) in joints.iter().zip(angles).rev() {
        match limb.volume {
            VolumeMode::Free => {
                bend(posed, limb.bay, &limb.joint, angle.bend_rad, &limb.bend);
                swell_and_twist(limb, angle, posed);
            }
            VolumeMode::Held => pose_joint_holding_volume(workspace, limb, angle, posed),
        }
    }
}

fn pose_joint_holding_volume(
    workspace: &mut VolumeWorkspace,
    limb: &LimbJoint,
    angle: &JointAngles,
    posed: &mut Tube,
) {
    if *angle == JointAngles::default() {
        return;
    }
    let bays = limb.moved_bays();
    let volume = posed.bay_volume(&workspace.rule, bays.clone());
    bend_holding_volume(workspace, posed, (limb.bay, &limb.joint), angle.bend_rad, &limb.bend);
    swell_and_twist(limb, angle, posed);
    hold_volume(posed, bays, volume, &workspace.rule);
}

fn swell_and_twist(limb: &LimbJoint, angle: &JointAngles, posed: &mut Tube) {
    for muscle in &limb.bulges {
        bulge(posed, muscle, angle.bend_rad);
    }
    let axis = TwistAxis { origin: limb.joint.center, direction: limb.joint.bone_before };
    twist(posed, limb.twist_bays.clone(), &axis, angle.twist_rad, limb.spread);
}

#[cfg(test)]
mod tests;
