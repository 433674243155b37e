//! Rigid bodies and joints.

use super::index_sizes::IndexKind;
use super::sink::Sink;
use super::source::Source;
use super::types::{PmxJoint, PmxRigidBody};
use crate::MmdReadError;

/// What a rigid body takes at least: two texts, a bone, group, mask, shape, fourteen floats and its mode.
pub(super) const LEAST_RIGID_BODY_BYTES: usize = 2 * 4 + 1 + 1 + 2 + 1 + 14 * 4 + 1;
/// What a joint takes at least: two texts, its kind, two bodies and 24 floats.
pub(super) const LEAST_JOINT_BYTES: usize = 2 * 4 + 1 + 2 + 24 * 4;

pub(super) fn read_rigid_body(source: &mut Source<'_>) -> Result<PmxRigidBody, MmdReadError> {
    Ok(PmxRigidBody {
        name: source.text("name")?,
        name_en: source.text("English name")?,
        bone: source.index(IndexKind::Bone, "bone")?,
        group: source.bytes.u8("group")?,
        mask: source.bytes.u16("mask")?,
        shape: source.bytes.u8("shape")?,
        size: source.bytes.floats("size")?,
        position: source.bytes.floats("position")?,
        rotation_rad: source.bytes.floats("rotation")?,
        physics: source.bytes.floats("mass, damping, restitution and friction")?,
        mode: source.bytes.u8("mode")?,
    })
}

pub(super) fn write_rigid_body(sink: &mut Sink, body: &PmxRigidBody) {
    sink.text(&body.name);
    sink.text(&body.name_en);
    sink.index(IndexKind::Bone, body.bone);
    sink.u8(body.group);
    sink.u16(body.mask);
    sink.u8(body.shape);
    sink.floats(&body.size);
    sink.floats(&body.position);
    sink.floats(&body.rotation_rad);
    sink.floats(&body.physics);
    sink.u8(body.mode);
}

pub(super) fn read_joint(source: &mut Source<'_>) -> Result<PmxJoint, MmdReadError> {
    Ok(PmxJoint {
        name: source.text("name")?,
        name_en: source.text("English name")?,
        kind: source.bytes.u8("kind")?,
        bodies: [
            source.index(IndexKind::RigidBody, "first body")?,
            source.index(IndexKind::RigidBody, "second body")?,
        ],
        values: {
            let values = source.bytes.floats::<24>("values")?;
            std::array::from_fn(|row| [values[3 * row], values[3 * row + 1], values[3 * row + 2]])
        },
    })
}

pub(super) fn write_joint(sink: &mut Sink, joint: &PmxJoint) {
    sink.text(&joint.name);
    sink.text(&joint.name_en);
    sink.u8(joint.kind);
    joint.bodies.iter().for_each(|&body| sink.index(IndexKind::RigidBody, body));
    sink.floats(joint.values.as_flattened());
}
