//! A character as a new glTF file can hold it.
//!
//! glTF asks for more than a character does: the joints of a skin have one root, what moves a skinned mesh is not the node that carries
//! it, and no mesh is empty.

use sinew_geometry::Trs;
use sinew_io::Report;
use sinew_rig::{
    Bone, BoneId, BoneLogic, Channel, Character, CharacterParts, InstanceId, LocalTransform, Mesh, MeshId,
};

/// The same character, with the nodes that glTF asks for and without meshes that show nothing.
pub fn for_gltf(character: Character, report: &mut Report) -> Character {
    let joints = character.joints();
    let mut parts = character.into_parts();
    leave_out_empty_meshes(&mut parts, report);
    give_joints_one_root(&mut parts);
    for instance in 0..parts.instances.len() {
        let carrier = parts.instances[instance].bone;
        if parts.instances[instance].bind.is_some() && joints.binary_search(&carrier).is_ok() {
            let name = parts.meshes[parts.instances[instance].mesh.index()].name.clone();
            parts.instances[instance].bone = add_root(&mut parts, name);
        }
    }
    Character::new(parts).expect("bones were added, and nothing names the meshes that were left out")
}

fn add_root(parts: &mut CharacterParts, name: String) -> BoneId {
    let id = BoneId::of(parts.bones.len());
    let rest = LocalTransform::Trs(Trs::IDENTITY);
    parts.bones.push(Bone { name, parent: None, rest, tip_in_bone: None });
    if !parts.bone_logic.is_empty() {
        parts.bone_logic.push(BoneLogic::default());
    }
    id
}

/// Hangs the roots of joints under a new one, where a bind has joints of several.
fn give_joints_one_root(parts: &mut CharacterParts) {
    let root_of = |mut bone: BoneId| {
        while let Some(parent) = parts.bones[bone.index()].parent {
            bone = parent;
        }
        bone
    };
    let mut roots = Vec::new();
    for bind in &parts.binds {
        let mut found: Vec<BoneId> = bind.joints.iter().map(|&joint| root_of(joint)).collect();
        found.sort_unstable();
        found.dedup();
        if found.len() > 1 {
            roots.extend(found);
        }
    }
    if roots.is_empty() {
        return;
    }
    let names = std::iter::once("root".to_owned()).chain((2..).map(|number| format!("root {number}")));
    let is_free = |name: &String| parts.bones.iter().all(|bone| bone.name != *name);
    let name = names.into_iter().find(is_free).expect("there are more numbers than bones");
    let common = add_root(parts, name);
    for root in roots {
        parts.bones[root.index()].parent = Some(common);
    }
}

fn leave_out_empty_meshes(parts: &mut CharacterParts, report: &mut Report) {
    let shows = |mesh: &Mesh| mesh.groups.iter().any(|group| !group.vertices.is_empty());
    if parts.meshes.iter().all(shows) {
        return;
    }
    let mut new_meshes = Vec::with_capacity(parts.meshes.len());
    let mut kept = 0;
    for mesh in &parts.meshes {
        new_meshes.push(shows(mesh).then(|| MeshId::of(kept)));
        kept += usize::from(shows(mesh));
        if !shows(mesh) && mesh.vertex_count() > 0 {
            let count = mesh.vertex_count();
            report.warn("", format!("mesh {:?} has {count} vertices and no faces; left out", mesh.name));
        }
    }
    parts.meshes.retain(shows);
    let mut new_instances = Vec::with_capacity(parts.instances.len());
    let mut kept = 0;
    parts.instances.retain_mut(|instance| {
        let mesh = new_meshes[instance.mesh.index()];
        new_instances.push(mesh.map(|_| InstanceId::of(kept)));
        kept += usize::from(mesh.is_some());
        instance.mesh = mesh.unwrap_or(instance.mesh);
        mesh.is_some()
    });
    for clip in &mut parts.clips {
        clip.tracks.retain_mut(|track| {
            let Channel::MorphWeights(instance, _) = &mut track.channel else { return true };
            let new = new_instances[instance.index()];
            *instance = new.unwrap_or(*instance);
            new.is_some()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{Bind, Instance, MorphTarget, samples};

    fn gltf(parts: CharacterParts) -> Character {
        let mut report = Report::default();
        let character = for_gltf(Character::new(parts).expect("made right"), &mut report);
        assert!(report.is_empty(), "{report:?}");
        character
    }

    #[test]
    fn joints_of_several_roots_get_one() {
        let mut parts = samples::limb(8, 4).into_parts();
        let before = parts.bones.len();
        let second = add_root(&mut parts, "root".into());
        let Bind { joints, joint_from_rest, .. } = &mut parts.binds[0];
        joints.push(second);
        joint_from_rest.push(glam::Affine3A::IDENTITY);
        let character = gltf(parts);
        let bones = character.skeleton().bones();
        let common = bones.iter().position(|bone| bone.name == "root 2").map(BoneId::of);
        assert!(common.is_some() && bones[second.index()].parent == common, "{bones:?}");
        assert_eq!(bones.iter().filter(|bone| bone.parent == common).count(), 2);
        assert!(bones.len() <= before + 3, "{bones:?}");
    }

    #[test]
    fn joints_of_one_root_keep_it() {
        let parts = samples::figure().into_parts();
        let names: Vec<String> = parts.bones.iter().map(|bone| bone.name.clone()).collect();
        let found = gltf(parts).into_parts().bones;
        assert!(found.iter().zip(names).all(|(bone, name)| bone.name == name));
    }

    #[test]
    fn empty_meshes_are_left_out_and_the_rest_is_found() {
        let mut parts = samples::figure().into_parts();
        let morphs = vec![MorphTarget { name: "none".into(), ..MorphTarget::default() }];
        let empty = Mesh { morphs, default_morph_weights: vec![0.0], ..Mesh::default() };
        let (meshes, instances) = (parts.meshes.len(), parts.instances.len());
        parts.meshes.insert(0, empty);
        for instance in &mut parts.instances {
            instance.mesh = MeshId::of(instance.mesh.index() + 1);
        }
        let bone = BoneId(0);
        parts.instances.insert(0, Instance { bone, mesh: MeshId(0), bind: None, morph_weights: vec![0.0] });
        for track in parts.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
            if let Channel::MorphWeights(instance, _) = &mut track.channel {
                *instance = InstanceId::of(instance.index() + 1);
            }
        }
        let found = gltf(parts).into_parts();
        assert_eq!((found.meshes.len(), found.instances.len()), (meshes, instances));
        assert_eq!(found.clips, samples::figure().clips());
    }
}
