//! Checks of rigid bodies, joints and soft bodies.
//!
//! References to missing items are removed. A body with a position that is not finite moves to its bone; masses that are not finite
//! become 1, all other numbers 0. Anchors and pins of missing items are removed.

use super::{Problems, is_astray, is_finite, place_of, replace_broken};
use crate::pmx::Pmx;

pub(super) fn repair_bodies(pmx: &mut Pmx, problems: &mut Problems) {
    let bones = &pmx.bones;
    for (index, body) in pmx.rigid_bodies.iter_mut().enumerate() {
        let mut add = |what: &str, fix: &str| problems.add("rigid_bodies", index, what, fix);
        if is_astray(body.bone, bones.len()) {
            add(&format!("its bone {} does not exist", body.bone), "it has none");
            body.bone = -1;
        }
        let (bone, body) = (body.bone, &mut body.body);
        if !is_finite(&body.position) {
            add("its position is not finite", "it is placed at its bone");
            body.position = place_of(bone, bones.len()).map_or([0.0; 3], |bone| bones[bone].position);
        }
        let is_mass_broken = replace_broken(&mut body.physics[..1], 1.0);
        let others = [&mut body.size[..], &mut body.rotation_rad[..], &mut body.physics[..]];
        let are_others_broken =
            others.into_iter().fold(false, |broken, values| replace_broken(values, 0.0) | broken);
        if is_mass_broken || are_others_broken {
            add("one of its numbers is not finite", "it becomes 1 for the mass and 0 elsewhere");
        }
    }
}

pub(super) fn repair_joints(pmx: &mut Pmx, problems: &mut Problems) {
    let count = pmx.rigid_bodies.len();
    for (index, joint) in pmx.joints.iter_mut().enumerate() {
        for body in joint.bodies.iter_mut().filter(|body| is_astray(**body, count)) {
            problems.add("joints", index, &format!("its rigid body {body} does not exist"), "it has none");
            *body = -1;
        }
        if replace_broken(joint.values.as_flattened_mut(), 0.0) {
            problems.add("joints", index, "one of its numbers is not finite", "it becomes 0");
        }
    }
}

pub(super) fn repair_soft_bodies(pmx: &mut Pmx, problems: &mut Problems) {
    let (materials, bodies) = (pmx.materials.len(), pmx.rigid_bodies.len());
    let is_vertex = |vertex: u32| (vertex as usize) < pmx.vertices.len();
    for (index, soft) in pmx.soft_bodies.iter_mut().flatten().enumerate() {
        let mut add = |what: &str, fix: &str| problems.add("soft_bodies", index, what, fix);
        if is_astray(soft.material, materials) {
            add(&format!("its material {} does not exist", soft.material), "it has none");
            soft.material = -1;
        }
        let before = soft.anchors.len() + soft.pins.len();
        soft.anchors.retain(|&(body, vertex, _)| place_of(body, bodies).is_some() && is_vertex(vertex));
        soft.pins.retain(|&vertex| is_vertex(vertex));
        let dropped = before - soft.anchors.len() - soft.pins.len();
        if dropped > 0 {
            add(&format!("{dropped} of its anchors and pins do not exist"), "they are removed");
        }
        let numbers = [&mut soft.mass_and_margin[..], &mut soft.config[..], &mut soft.stiffness[..]];
        if numbers.into_iter().fold(false, |broken, values| replace_broken(values, 0.0) | broken) {
            add("one of its numbers is not finite", "it becomes 0");
        }
    }
}
