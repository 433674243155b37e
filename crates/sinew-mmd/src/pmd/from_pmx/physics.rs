//! Rigid bodies, relative to bones, and joints.

use super::super::types::{PmdJoint, PmdRigidBody};
use super::{fixed, warn_count};
use crate::pmx::{MmdBody, Pmx};
use sinew_io::Report;

pub(super) fn rigid_bodies(pmx: &Pmx, report: &mut Report) -> Vec<PmdRigidBody> {
    let named = pmx.rigid_bodies.iter().filter(|body| !body.name_en.as_str().is_empty()).count();
    warn_count(report, "rigid bodies", named, "have English names; PMD does not support them");
    let bodies = pmx.rigid_bodies.iter().enumerate().map(|(index, body)| {
        // A body without a bone is relative to the first one.
        let bone = usize::try_from(body.bone).unwrap_or(0);
        let origin = pmx.bones.get(bone).map_or([0.0; 3], |bone| bone.position);
        let position = std::array::from_fn(|axis| body.body.position[axis] - origin[axis]);
        PmdRigidBody {
            name: fixed(&body.name, &format!("rigid bodies[{index}].name"), report),
            bone: i16::try_from(body.bone).unwrap_or(-1),
            body: MmdBody { position, ..body.body },
        }
    });
    bodies.collect()
}

pub(super) fn joints(pmx: &Pmx, report: &mut Report) -> Vec<PmdJoint> {
    let count =
        |is_lost: fn(&crate::pmx::PmxJoint) -> bool| pmx.joints.iter().filter(|joint| is_lost(joint)).count();
    let named = count(|joint| !joint.name_en.as_str().is_empty());
    warn_count(report, "joints", named, "have English names; PMD does not support them");
    let others = count(|joint| joint.kind != 0);
    warn_count(report, "joints", others, "are of unsupported kinds; written as joints with springs");
    let joints = pmx.joints.iter().enumerate().map(|(index, joint)| PmdJoint {
        name: fixed(&joint.name, &format!("joints[{index}].name"), report),
        bodies: joint.bodies.map(|body| body as u32),
        values: joint.values,
    });
    joints.collect()
}
