//! Scales that exporters write for units, removed from bones.
//!
//! Blender writes metres as centimetres with nodes scaled by 100. Read in metres, the bones below such a node have lengths of a hundredth
//! and its meshes too. Nothing shows that, but lengths of bones and of rest shapes are no longer metres. A scale that is the same along
//! all axes and that no clip changes commutes with all transforms below it, so it can be moved to lengths without changing the result.

use glam::{Affine3A, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{BindId, Channel, CharacterParts, LocalTransform, Mesh, MeshId};
use std::collections::HashMap;

/// Difference of the axes' scales, as a share, that is rounding: exporters compute them from matrices of f32.
const UNIFORM: f32 = 1e-5;

/// Gives every bone with a constant scale along all axes the scale 1; lengths take it over. All transforms must be
/// [`LocalTransform::Trs`], and parents come before children.
pub(super) fn remove_scales(parts: &mut CharacterParts) {
    let own = own_scales(parts);
    if own.iter().all(|&scale| scale == 1.0) {
        return;
    }
    // What the bones above have lost, with the bone itself.
    let mut removed: Vec<f32> = Vec::with_capacity(own.len());
    for (bone, &scale) in parts.bones.iter().zip(&own) {
        removed.push(scale * bone.parent.map_or(1.0, |parent| removed[parent.index()]));
    }
    let above: Vec<f32> =
        parts.bones.iter().map(|bone| bone.parent.map_or(1.0, |parent| removed[parent.index()])).collect();
    for ((bone, &above), &scale) in parts.bones.iter_mut().zip(&above).zip(&own) {
        let rest = bone.rest.to_trs();
        let (translation, scale) =
            (rest.translation * above, if scale == 1.0 { rest.scale } else { Vec3::ONE });
        bone.rest = LocalTransform::Trs(Trs { translation, scale, ..rest });
    }
    for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Channel::Translation(bone, values) = &mut track.channel {
            values.iter_mut().for_each(|value| *value *= above[bone.index()]);
        }
    }
    scale_surfaces(parts, &removed);
}

/// The scale of each bone that can be removed; 1 if there is none.
fn own_scales(parts: &CharacterParts) -> Vec<f32> {
    let mut scales: Vec<f32> = parts.bones.iter().map(|bone| uniform(bone.rest.to_trs().scale)).collect();
    for track in parts.clips.iter().flat_map(|clip| &clip.tracks) {
        if let Channel::Scale(bone, _) = &track.channel {
            scales[bone.index()] = 1.0;
        }
    }
    scales
}

/// The scale along all axes; 1 if they differ, mirror or have no size.
fn uniform(scale: Vec3) -> f32 {
    let (low, high) = (scale.min_element(), scale.max_element());
    let is_uniform = low > 0.0 && high.is_finite() && high - low <= UNIFORM * high;
    if is_uniform { scale.y } else { 1.0 }
}

/// A mesh and its bind.
type Skinned = (MeshId, Option<BindId>);

/// Scales each mesh by what its bone has lost, and binds by what both sides of them have.
fn scale_surfaces(parts: &mut CharacterParts, removed: &[f32]) {
    let mut made: HashMap<(Skinned, u32), Skinned> = HashMap::new();
    let mut is_taken = vec![false; parts.meshes.len()];
    let originals = (parts.meshes.clone(), parts.binds.clone());
    for instance in &mut parts.instances {
        let scale = removed[instance.bone.index()];
        let key = ((instance.mesh, instance.bind), scale.to_bits());
        let (mesh, bind) = *made.entry(key).or_insert_with(|| {
            let mesh = scaled(&originals.0[instance.mesh.index()], scale);
            let bind = instance.bind.map(|bind| {
                let mut bind = originals.1[bind.index()].clone();
                for (joint, matrix) in bind.joints.iter().zip(&mut bind.joint_from_rest) {
                    *matrix = between_scales(matrix, removed[joint.index()], scale);
                }
                bind
            });
            if !std::mem::replace(&mut is_taken[instance.mesh.index()], true) {
                parts.meshes[instance.mesh.index()] = mesh;
                if let (Some(id), Some(bind)) = (instance.bind, bind) {
                    parts.binds[id.index()] = bind;
                }
                return (instance.mesh, instance.bind);
            }
            parts.meshes.push(mesh);
            let bind = bind.map(|bind| {
                parts.binds.push(bind);
                BindId::of(parts.binds.len() - 1)
            });
            (MeshId::of(parts.meshes.len() - 1), bind)
        });
        (instance.mesh, instance.bind) = (mesh, bind);
    }
}

/// The matrix from a space that was scaled by `from` to one that was scaled by `to`.
fn between_scales(matrix: &Affine3A, to: f32, from: f32) -> Affine3A {
    Affine3A { matrix3: matrix.matrix3 * (to / from), translation: matrix.translation * to }
}

fn scaled(mesh: &Mesh, scale: f32) -> Mesh {
    let mut mesh = mesh.clone();
    mesh.positions.iter_mut().for_each(|position| *position *= scale);
    let deltas = mesh.morphs.iter_mut().flat_map(|morph| &mut morph.position_deltas);
    deltas.for_each(|delta| *delta *= scale);
    mesh
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use sinew_rig::{BoneId, BoundSurface, Character, Clip, Pose, Track, samples};

    /// Rounding of products of f32, for a model of the size 1.
    const ROUNDING: f32 = 1e-5;

    /// A limb whose first bone is scaled by 100 and whose lengths are a hundredth, with a rigid copy on the second.
    fn scaled_limb() -> CharacterParts {
        let mut parts = samples::limb(8, 4).into_parts();
        let rest = parts.bones[0].rest.to_trs();
        parts.bones[0].rest = LocalTransform::Trs(Trs { scale: Vec3::splat(100.0), ..rest });
        for bone in &mut parts.bones[1..] {
            let rest = bone.rest.to_trs();
            bone.rest = LocalTransform::Trs(Trs { translation: rest.translation / 100.0, ..rest });
        }
        for matrix in &mut parts.binds[0].joint_from_rest {
            *matrix = between_scales(matrix, 0.01, 1.0);
        }
        let mut rigid = parts.instances[0].clone();
        (rigid.bone, rigid.bind) = (BoneId(1), None);
        parts.instances.push(rigid);
        parts.clips = vec![Clip {
            name: "move".into(),
            tracks: vec![
                Track::linear(vec![0.0], Channel::Translation(BoneId(1), vec![Vec3::new(0.001, 0.004, 0.0)])),
                Track::linear(vec![0.0], Channel::Rotation(BoneId(1), vec![Quat::from_rotation_x(0.7)])),
            ],
        }];
        parts
    }

    fn positions(character: &Character) -> Vec<Vec3> {
        let bound = BoundSurface::of(character);
        let mut pose = Pose::rest(character);
        pose.set_clip(character, &character.clips()[0], 0.0);
        bound.blended(&bound.posed_from_rest(character, &pose))
    }

    #[test]
    fn nothing_moves_when_scales_are_removed() {
        let mut parts = scaled_limb();
        let before = positions(&Character::new(parts.clone()).unwrap());
        remove_scales(&mut parts);
        assert!(parts.bones.iter().all(|bone| bone.rest.to_trs().scale == Vec3::ONE));
        let character = Character::new(parts).unwrap();
        let size = 100.0;
        for (a, b) in before.iter().zip(positions(&character)) {
            assert!(a.distance(b) < ROUNDING * size, "{a} and {b}");
        }
        assert_eq!(character.meshes().len(), 2, "the rigid copy has no bind");
        assert_eq!(
            character.skeleton().bone(BoneId(1)).rest.to_trs(),
            samples::limb(8, 4).skeleton().bone(BoneId(1)).rest.to_trs()
        );
    }

    #[test]
    fn scales_that_move_stay() {
        let mut parts = scaled_limb();
        let grow = Channel::Scale(BoneId(0), vec![Vec3::splat(100.0), Vec3::splat(150.0)]);
        parts.clips[0].tracks.push(Track::linear(vec![0.0, 1.0], grow));
        let before = parts.clone();
        remove_scales(&mut parts);
        assert_eq!(parts, before);
        assert_eq!(uniform(Vec3::new(1.0, 2.0, 1.0)), 1.0);
        assert_eq!(uniform(Vec3::splat(-3.0)), 1.0);
    }
}
