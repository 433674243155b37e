//! Rest shapes in model space.
//!
//! A skin's mesh is stored in the space of its node, which exporters turn and scale as they like: rest shapes of Blender lie on their back.
//! Where all bones of a skin say that one rigid motion takes its mesh to the model, the mesh is moved there once. Skinning gives the same,
//! and tools that look at rest shapes see them upright, as in other formats.

use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{Bind, BindId, CharacterParts, Mesh};

/// Difference of the bones' opinions, as a share of the mesh's size, that is rounding of f32.
const AGREEMENT: f32 = 1e-4;

/// Scale that is rounding of f32.
const UNSCALED: f32 = 1e-4;

/// Moves every mesh of a skin to where the skin shows it in rest pose. Parents come before children.
pub(super) fn to_model_space(parts: &mut CharacterParts) {
    let mut stands: Vec<Affine3A> = Vec::with_capacity(parts.bones.len());
    for bone in &parts.bones {
        let parent = bone.parent.map_or(Affine3A::IDENTITY, |parent| stands[parent.index()]);
        stands.push(parent * bone.rest.to_affine());
    }
    for bind in 0..parts.binds.len() {
        let mut users = parts.instances.iter().filter(|instance| instance.bind == Some(BindId::of(bind)));
        let Some(mesh) = users.next().map(|instance| instance.mesh) else { continue };
        let is_shared = parts
            .instances
            .iter()
            .any(|instance| (instance.mesh == mesh) != (instance.bind == Some(BindId::of(bind))));
        let mesh = &mut parts.meshes[mesh.index()];
        if let Some(motion) = motion_of(&parts.binds[bind], mesh, &stands).filter(|_| !is_shared) {
            move_rest(mesh, &mut parts.binds[bind], motion);
        }
    }
}

/// The rigid motion from the mesh to the model that all bones agree on; `None` if there is none, or nothing to do.
fn motion_of(bind: &Bind, mesh: &Mesh, stands: &[Affine3A]) -> Option<(Quat, Vec3)> {
    let has_loose = (0..mesh.vertex_count()).any(|vertex| mesh.influences.of(vertex).0.is_empty());
    let model_from_rest = |joint: usize| stands[bind.joints[joint].index()] * bind.joint_from_rest[joint];
    if has_loose || bind.joints.is_empty() {
        return None;
    }
    let first = model_from_rest(0);
    let bounds = mesh.bounds();
    let corners = [
        bounds.min(),
        bounds.max(),
        bounds.min().with_y(bounds.max().y),
        bounds.max().with_x(bounds.min().x),
    ];
    let allowed = AGREEMENT * bounds.diagonal();
    let agrees = |other: &Affine3A| {
        corners
            .iter()
            .all(|&corner| other.transform_point3(corner).distance(first.transform_point3(corner)) <= allowed)
    };
    let trs = Trs::from_affine(&first)?;
    let is_rigid = trs.scale.abs_diff_eq(Vec3::ONE, UNSCALED);
    let all_agree = (1..bind.joints.len()).all(|joint| agrees(&model_from_rest(joint)));
    (is_rigid && all_agree && !agrees(&Affine3A::IDENTITY)).then_some((trs.rotation, trs.translation))
}

fn move_rest(mesh: &mut Mesh, bind: &mut Bind, (turn, shift): (Quat, Vec3)) {
    mesh.positions.iter_mut().for_each(|position| *position = turn * *position + shift);
    mesh.normals.iter_mut().for_each(|normal| *normal = turn * *normal);
    for morph in &mut mesh.morphs {
        let deltas = morph.position_deltas.iter_mut().chain(&mut morph.normal_deltas);
        deltas.for_each(|delta| *delta = turn * *delta);
    }
    let rest_from_model = Affine3A::from_rotation_translation(turn, shift).inverse();
    bind.joint_from_rest.iter_mut().for_each(|matrix| *matrix *= rest_from_model);
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::samples;

    /// Rounding of f32 in numbers of the order of 1.
    const ROUNDING: f32 = 1e-5;

    #[test]
    fn a_turned_rest_shape_comes_back() {
        let limb = samples::limb(8, 4).into_parts();
        let mut turned = limb.clone();
        move_rest(&mut turned.meshes[0], &mut turned.binds[0], (Quat::from_rotation_x(1.5), Vec3::X));
        assert!(turned.meshes[0].positions[0].distance(limb.meshes[0].positions[0]) > 0.5);
        to_model_space(&mut turned);
        let pairs = turned.meshes[0].positions.iter().zip(&limb.meshes[0].positions);
        for (found, expected) in pairs {
            assert!(found.abs_diff_eq(*expected, ROUNDING), "{found}, expected {expected}");
        }
        let mut again = turned.clone();
        to_model_space(&mut again);
        assert_eq!(again, turned, "nothing is left to do");
    }

    #[test]
    fn bones_that_disagree_leave_the_mesh_alone() {
        let mut parts = samples::limb(8, 4).into_parts();
        parts.binds[0].joint_from_rest[0].translation.x += 0.1;
        let before = parts.clone();
        to_model_space(&mut parts);
        assert_eq!(parts, before);
    }
}
