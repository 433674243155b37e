//! A GDScript modifier of a skeleton that makes helpers follow in Godot.

use super::sheet::ControllerSheet;
use sinew_rig::{BoneId, Character};
use std::collections::HashSet;

const CODE: &str = include_str!("godot.gd");

pub(super) fn script(sheet: &ControllerSheet, character: &Character) -> String {
    let bones = character.skeleton().bones();
    let names = bone_names(character);
    let renamed = |name: &mut String| {
        if let Some(bone) = bones.iter().position(|bone| bone.name == *name) {
            name.clone_from(&names[bone]);
        }
    };
    let mut sheet = sheet.clone();
    sheet.drivers.iter_mut().for_each(|driver| renamed(&mut driver.name));
    sheet.helpers.iter_mut().for_each(|helper| renamed(&mut helper.name));
    CODE.replacen("const DATA = {}", &format!("const DATA = {}", sheet.literal("\t")), 1)
}

/// The names of all bones in Godot's skeleton, and of other nodes in its scene, after its importer of glTF (4.3 to 4.6: `_assign_node_names`
/// and `SkinTool::_create_skeletons`). Nodes outside the skeleton are named first, in the file's order; then bones, depth first. A name
/// that is taken gets a number from 2 on. Several skeletons in one file are named here as one.
fn bone_names(character: &Character) -> Vec<String> {
    let skeleton = character.skeleton();
    let bones = skeleton.bones();
    let in_skeleton = skeleton_nodes(character);
    let mut names = vec![String::new(); bones.len()];
    let mut taken = HashSet::from(["Skeleton3D".to_owned()]);
    for (index, bone) in bones.iter().enumerate().filter(|(index, _)| !in_skeleton[*index]) {
        let has_mesh = character.instances().iter().any(|instance| instance.bone.index() == index);
        let unnamed = if has_mesh { "Mesh" } else { "Node" };
        let name = replaced(&bone.name, &['.', ':', '@', '/', '"', '%'], unnamed);
        names[index] = unique(&name, "", &mut taken);
    }
    // The last is the next: children go on top, the first of them uppermost.
    let has_parent = |index: usize| bones[index].parent.is_some_and(|parent| in_skeleton[parent.index()]);
    let mut waiting: Vec<usize> =
        (0..bones.len()).rev().filter(|&index| in_skeleton[index] && !has_parent(index)).collect();
    while let Some(index) = waiting.pop() {
        let name = replaced(&bones[index].name, &[':', '/'], "bone");
        names[index] = unique(&name, "_", &mut taken);
        let is_child = |child: &usize| bones[*child].parent == Some(BoneId::of(index)) && in_skeleton[*child];
        waiting.extend((0..bones.len()).rev().filter(is_child));
    }
    names
}

/// Whether each node becomes a bone: joints, and nodes between joints.
fn skeleton_nodes(character: &Character) -> Vec<bool> {
    let skeleton = character.skeleton();
    let mut is_joint = vec![false; skeleton.bone_count()];
    character.binds().iter().flat_map(|bind| &bind.joints).for_each(|joint| is_joint[joint.index()] = true);
    let parent = |index: usize| skeleton.bones()[index].parent.map(BoneId::index);
    let (mut below, mut above) = (is_joint.clone(), is_joint);
    for bone in skeleton.parents_first() {
        below[bone.index()] |= parent(bone.index()).is_some_and(|parent| below[parent]);
    }
    for bone in skeleton.parents_first().iter().rev() {
        if let Some(parent) = parent(bone.index()) {
            above[parent] |= above[bone.index()];
        }
    }
    below.iter().zip(above).map(|(below, above)| *below && above).collect()
}

fn replaced(name: &str, letters: &[char], if_empty: &str) -> String {
    if name.is_empty() { if_empty.to_owned() } else { name.replace(letters, "_") }
}

/// The name, or the first that is free with a number after it.
fn unique(name: &str, separator: &str, taken: &mut HashSet<String>) -> String {
    let numbered =
        |number: usize| if number == 1 { name.to_owned() } else { format!("{name}{separator}{number}") };
    let free = (1..).map(numbered).find(|name| !taken.contains(name)).unwrap_or_default();
    taken.insert(free.clone());
    free
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Affine3A;
    use sinew_geometry::Trs;
    use sinew_rig::{Bind, Bone, CharacterParts, LocalTransform};

    /// Bones by name and parent; the joints of a bind by index.
    fn names(bones: &[(&str, Option<u32>)], joints: &[u32]) -> Vec<String> {
        let bone = |&(name, parent): &(&str, Option<u32>)| Bone {
            name: name.into(),
            parent: parent.map(BoneId),
            rest: LocalTransform::Trs(Trs::IDENTITY),
            tip_in_bone: None,
        };
        let joints: Vec<BoneId> = joints.iter().map(|&joint| BoneId(joint)).collect();
        let bind =
            Bind { name: String::new(), joint_from_rest: vec![Affine3A::IDENTITY; joints.len()], joints };
        let parts = CharacterParts {
            bones: bones.iter().map(bone).collect(),
            binds: vec![bind],
            ..CharacterParts::default()
        };
        bone_names(&Character::new(parts).expect("a legal skeleton"))
    }

    #[test]
    fn bones_of_mixamo_are_named_as_by_godots_importer() {
        let bones = [("mixamorig:Hips", None), ("mixamorig:LeftUpLeg", Some(0)), ("a/b.c", Some(1))];
        assert_eq!(names(&bones, &[0, 1, 2]), ["mixamorig_Hips", "mixamorig_LeftUpLeg", "a_b.c"]);
    }

    #[test]
    fn names_that_are_taken_get_numbers_depth_first_after_other_nodes() {
        let bones = [
            ("body", None),
            // Godot's own name.
            ("Skeleton3D", None),
            ("arm:x", Some(1)),
            // Between joints.
            ("body", Some(1)),
            ("arm/x", Some(3)),
            ("", Some(4)),
            // A node that hangs from a bone; a node's name has no dot.
            ("arm.x", Some(4)),
        ];
        assert_eq!(
            names(&bones, &[1, 2, 4, 5]),
            ["body", "Skeleton3D_2", "arm_x_2", "body_2", "arm_x_3", "bone", "arm_x"]
        );
    }
}
