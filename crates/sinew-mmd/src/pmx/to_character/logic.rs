//! Constraints of bones: append and IK.
//!
//! References to missing bones are left out, and constraints with numbers that are not finite. Iterations are at most 255, as in MMD.
//! A minimum angle above the maximum is swapped with it.

use crate::pmx::{Pmx, PmxBone, PmxIk, PmxIkLink, bone_flags};
use crate::space::{angle_limits, direction, unit};
use glam::Vec3;
use sinew_io::Report;
use sinew_rig::{BoneId, BoneLogic, Follow, Reach, ReachLink};

/// Maximum iterations in MMD.
pub(in crate::pmx) const MOST_ITERATIONS: i32 = 255;

/// One per bone, or empty if no bone has a constraint.
pub(super) fn read(pmx: &Pmx, report: &mut Report) -> Vec<BoneLogic> {
    let mut reader = LogicReader { bone_count: pmx.bones.len(), place: String::new(), report };
    let logic: Vec<BoneLogic> = pmx
        .bones
        .iter()
        .enumerate()
        .map(|(index, bone)| {
            reader.place = format!("bones[{index}]");
            BoneLogic {
                level: bone.level,
                is_after_physics: bone.flags & bone_flags::AFTER_PHYSICS != 0,
                axis: bone.fixed_axis.and_then(|axis| unit(direction(axis))),
                follow: reader.follow(bone),
                reach: bone.ik.as_ref().and_then(|ik| reader.reach(ik)),
            }
        })
        .collect();
    if logic.iter().all(|logic| *logic == BoneLogic::default()) { Vec::new() } else { logic }
}

struct LogicReader<'a> {
    bone_count: usize,
    place: String,
    report: &'a mut Report,
}

impl LogicReader<'_> {
    fn bone(&self, index: i32) -> Option<BoneId> {
        usize::try_from(index).ok().filter(|&index| index < self.bone_count).map(BoneId::of)
    }

    fn warn(&mut self, message: &str) {
        self.report.warn(&self.place, message);
    }

    fn follow(&mut self, bone: &PmxBone) -> Option<Follow> {
        let (source, ratio) = bone.append?;
        let has = |flag: u16| bone.flags & flag != 0;
        let rotates = has(bone_flags::APPEND_ROTATION);
        let translates = has(bone_flags::APPEND_TRANSLATION);
        if !rotates && !translates {
            return None;
        }
        let Some(source) = self.bone(source) else {
            self.warn("the bone that it follows does not exist; it follows none");
            return None;
        };
        if !ratio.is_finite() {
            self.warn("the share it follows is not finite; it follows none");
            return None;
        }
        Some(Follow { source, ratio, rotates, translates, is_local: has(bone_flags::LOCAL_APPEND) })
    }

    fn reach(&mut self, ik: &PmxIk) -> Option<Reach> {
        let Some(effector) = self.bone(ik.target) else {
            self.warn("the target bone of its chain does not exist; the chain is left out");
            return None;
        };
        if !ik.limit_rad.is_finite() {
            self.warn("the angle of its chain is not finite; the chain is left out");
            return None;
        }
        if ik.loop_count > MOST_ITERATIONS {
            self.warn("its chain has more than 255 iterations; using 255");
        }
        Some(Reach {
            effector,
            iterations: ik.loop_count.clamp(0, MOST_ITERATIONS) as u32,
            step_rad: ik.limit_rad,
            links: ik.links.iter().filter_map(|link| self.link(link)).collect(),
        })
    }

    fn link(&mut self, link: &PmxIkLink) -> Option<ReachLink> {
        let Some(bone) = self.bone(link.bone) else {
            self.warn("a bone of its chain does not exist; it is removed from the chain");
            return None;
        };
        let Some([least, greatest]) = link.limits_rad else { return Some(ReachLink { bone, limits: None }) };
        let [least, greatest] = angle_limits(least, greatest);
        if !least.is_finite() || !greatest.is_finite() {
            self.warn("a limit of its chain is not finite; the link gets no limit");
            return Some(ReachLink { bone, limits: None });
        }
        if least.cmpgt(greatest).any() {
            self.warn("a minimum angle of its chain is above the maximum; they are swapped");
        }
        let limits: [Vec3; 2] = [least.min(greatest), least.max(greatest)];
        Some(ReachLink { bone, limits: Some(limits) })
    }
}
