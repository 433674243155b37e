//! Chains that swing: the extension `VRMC_springBone` of VRM 1.0.

use super::Reader;
use crate::gltf::Result;
use crate::gltf::json::Cursor;
use crate::gltf::spring_keys::{EXTENDED_COLLIDER, SPRING_EXTENSION};
use glam::Vec3;
use sinew_rig::{
    Bone, BoneId, ColliderGroup, ColliderShape, SpringChain, SpringCollider, SpringJoint, Springs,
};
use std::collections::HashSet;

impl Reader<'_> {
    /// The extension; chains that contradict themselves are reported and left out, and so are colliders, whose numbers stay.
    pub(super) fn springs(&mut self, bones: &[Bone]) -> Result<Springs> {
        let Some(extension) = self.document.root().extension(SPRING_EXTENSION) else {
            return Ok(Springs::default());
        };
        let colliders = extension.objects("colliders")?;
        let (groups, springs) = (extension.objects("colliderGroups")?, extension.objects("springs")?);
        let entries = colliders.len() + groups.len() + springs.len();
        self.budget.note_unstored(&SPRING_EXTENSION, entries as u64, 4 * size_of::<SpringChain>() as u64)?;
        let mut found = Springs::default();
        for collider in &colliders {
            let read = self.told(read_collider(collider, bones.len()));
            found.colliders.push(read.unwrap_or(NO_COLLIDER));
        }
        for group in &groups {
            let read = self.told(read_group(group, colliders.len()));
            found.groups.push(read.unwrap_or_default());
        }
        let mut moved = HashSet::new();
        for spring in &springs {
            let Some(mut chain) = self.told(read_chain(spring, bones.len(), groups.len())) else { continue };
            for joint in &mut chain.joints {
                joint.is_added = self.document.added_ends.contains(&joint.bone.index());
            }
            match problem(&chain, bones, &moved) {
                Some(problem) => self.report.warn(&spring.place, format!("{problem}; left out")),
                None => {
                    moved.extend(chain.moved().iter().map(|joint| joint.bone));
                    found.chains.push(chain);
                }
            }
        }
        Ok(found)
    }

    fn told<T>(&mut self, read: Result<T>) -> Option<T> {
        read.map_err(|error| self.report.warn("", format!("{error}; left out"))).ok()
    }
}

/// Stands for a collider that cannot be read; it hits nothing.
const NO_COLLIDER: SpringCollider = SpringCollider {
    bone: BoneId(0),
    shape: ColliderShape::Sphere { offset: Vec3::ZERO, radius: -f32::MAX, is_inside: false },
};

/// Why a chain cannot swing.
fn problem(chain: &SpringChain, bones: &[Bone], moved: &HashSet<BoneId>) -> Option<String> {
    let mut own = HashSet::new();
    for joint in chain.moved() {
        if moved.contains(&joint.bone) || !own.insert(joint.bone) {
            return Some(format!("another spring moves node {} too", joint.bone));
        }
    }
    let is_below = |pair: &[SpringJoint]| {
        let parent = |bone: &BoneId| bones[bone.index()].parent;
        let mut upwards = std::iter::successors(parent(&pair[1].bone), parent).take(bones.len());
        upwards.any(|bone| bone == pair[0].bone)
    };
    let stray = chain.joints.windows(2).find(|pair| !is_below(pair))?;
    Some(format!("joint node {} is not below node {}", stray[1].bone, stray[0].bone))
}

fn read_collider(entry: &Cursor<'_>, node_count: usize) -> Result<SpringCollider> {
    let bone = BoneId::of(entry.require("node")?.as_index(node_count)?);
    let extended = entry.extension(EXTENDED_COLLIDER).and_then(|extension| extension.get("shape"));
    let shape = extended.map_or_else(|| entry.require("shape"), Ok)?;
    Ok(SpringCollider { bone, shape: read_shape(&shape)? })
}

fn read_shape(shape: &Cursor<'_>) -> Result<ColliderShape> {
    let point = |of: &Cursor<'_>, key: &str, default: Vec3| -> Result<Vec3> {
        Ok(of.f32s::<3>(key)?.map_or(default, Vec3::from))
    };
    let is_inside =
        |of: &Cursor<'_>| of.value.get("inside").and_then(serde_json::Value::as_bool) == Some(true);
    if let Some(plane) = shape.get("plane") {
        let offset = point(&plane, "offset", Vec3::ZERO)?;
        return Ok(ColliderShape::Plane { offset, normal: point(&plane, "normal", Vec3::Z)? });
    }
    if let Some(capsule) = shape.get("capsule") {
        return Ok(ColliderShape::Capsule {
            offset: point(&capsule, "offset", Vec3::ZERO)?,
            tail: point(&capsule, "tail", Vec3::ZERO)?,
            radius: capsule.f32("radius")?.unwrap_or(0.0),
            is_inside: is_inside(&capsule),
        });
    }
    let sphere = shape.require("sphere")?;
    Ok(ColliderShape::Sphere {
        offset: point(&sphere, "offset", Vec3::ZERO)?,
        radius: sphere.f32("radius")?.unwrap_or(0.0),
        is_inside: is_inside(&sphere),
    })
}

fn read_group(entry: &Cursor<'_>, collider_count: usize) -> Result<ColliderGroup> {
    Ok(ColliderGroup { name: entry.name(), colliders: indices(entry, "colliders", collider_count)? })
}

fn read_chain(entry: &Cursor<'_>, node_count: usize, group_count: usize) -> Result<SpringChain> {
    let joints = entry.objects("joints")?;
    Ok(SpringChain {
        name: entry.name(),
        joints: joints.iter().map(|joint| read_joint(joint, node_count)).collect::<Result<_>>()?,
        groups: indices(entry, "colliderGroups", group_count)?,
        center: entry.index("center", node_count)?.map(BoneId::of),
    })
}

fn read_joint(entry: &Cursor<'_>, node_count: usize) -> Result<SpringJoint> {
    let default = SpringJoint::new(BoneId::of(entry.require("node")?.as_index(node_count)?));
    Ok(SpringJoint {
        hit_radius_m: entry.f32("hitRadius")?.unwrap_or(default.hit_radius_m),
        stiffness: entry.f32("stiffness")?.unwrap_or(default.stiffness),
        gravity_power: entry.f32("gravityPower")?.unwrap_or(default.gravity_power),
        gravity_dir: entry.f32s::<3>("gravityDir")?.map_or(default.gravity_dir, Vec3::from),
        drag: entry.f32("dragForce")?.unwrap_or(default.drag),
        ..default
    })
}

fn indices(entry: &Cursor<'_>, key: &str, limit: usize) -> Result<Vec<u32>> {
    entry.list(key)?.iter().map(|index| Ok(index.as_index(limit)? as u32)).collect()
}
