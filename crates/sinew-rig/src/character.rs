//! The character as a whole.

use crate::check_logic;
use crate::controllers::{self, HelperControllers};
use crate::problem::{InvalidCharacter, Problem};
use crate::springs::{self, SpringPlay, Springs};
use crate::{
    AuthoredBody, AuthoredSkin, Bind, BindId, Bone, BoneId, BoneLogic, Channel, Clip, Easing, Image,
    InstanceId, Interpolation, Material, Mesh, MeshId, MorphEffect, Skeleton, Spherical, Track,
};
use std::collections::HashSet;
use std::sync::Arc;

/// A mesh placed in the model.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// The bone that carries the mesh. Its transform is ignored under a bind, as in glTF.
    pub bone: BoneId,
    /// Shared by all instances with this id.
    pub mesh: MeshId,
    /// The bind of the mesh; `None` for a mesh that follows its bone rigidly.
    pub bind: Option<BindId>,
    /// Weights in rest pose, one per morph of the mesh.
    pub morph_weights: Vec<f32>,
}

/// The parts of a character; plain data, checked by [`Character::new`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CharacterParts {
    /// As in the file; may be empty.
    pub name: String,
    /// Every bone, and every other node.
    pub bones: Vec<Bone>,
    /// Constraints of bones; empty, or one per bone.
    pub bone_logic: Vec<BoneLogic>,
    /// The rest poses that meshes are bound in.
    pub binds: Vec<Bind>,
    /// Meshes, in rest space.
    pub meshes: Vec<Mesh>,
    /// Placed meshes, in the order of written vertices.
    pub instances: Vec<Instance>,
    /// Looks of surfaces.
    pub materials: Vec<Material>,
    /// Referred to by materials, in the file's order.
    pub images: Vec<Image>,
    /// In the file's order; their tracks refer to bones and instances.
    pub clips: Vec<Clip>,
    /// The skinning method of the file.
    pub skin: AuthoredSkin,
    /// Controllers of helper bones.
    pub controllers: HelperControllers,
    /// Chains of bones that swing.
    pub springs: Springs,
    /// The design that the surface was made from, if it is a body of patches.
    pub body: Option<AuthoredBody>,
}

/// A checked, rigged character.
///
/// Invariant: all references are valid, all numbers that move vertices are finite, and all lists have the documented lengths. Clones
/// share the data: they are cheap and can be sent to other threads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Character(Arc<Checked>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Checked {
    skeleton: Skeleton,
    /// All but the bones, which are in the skeleton.
    parts: CharacterParts,
}

/// Influences are 16-bit indices of palette entries.
const MOST_PALETTE_ENTRIES: usize = 1 << 16;

impl Character {
    /// Checks the parts and joins them.
    ///
    /// # Errors
    /// All problems found, each with its bone, mesh, vertex or track.
    pub fn new(mut parts: CharacterParts) -> Result<Self, InvalidCharacter> {
        let mut problems = Vec::new();
        check_bones(&parts, &mut problems);
        check_logic::check(&parts, &mut problems);
        check_binds(&parts, &mut problems);
        for (index, mesh) in parts.meshes.iter().enumerate() {
            check_mesh(MeshId::of(index), mesh, parts.materials.len(), &mut problems);
        }
        check_materials(&parts, &mut problems);
        check_instances(&parts, &mut problems);
        check_clips(&parts, &mut problems);
        check_skin(&parts.skin, &mut problems);
        controllers::check(&parts, &mut problems);
        springs::check(&parts, &mut problems);
        let skeleton = Skeleton::new(std::mem::take(&mut parts.bones)).unwrap_or_else(|errors| {
            problems.extend(errors);
            Skeleton::default()
        });
        if !problems.is_empty() {
            return Err(InvalidCharacter { problems });
        }
        Ok(Self(Arc::new(Checked { skeleton, parts })))
    }

    /// The parts, to change and check again.
    pub fn into_parts(self) -> CharacterParts {
        let Checked { skeleton, parts } = Arc::unwrap_or_clone(self.0);
        CharacterParts { bones: skeleton.bones().to_vec(), ..parts }
    }

    /// The name in the file; may be empty.
    pub fn name(&self) -> &str {
        &self.0.parts.name
    }

    /// Bones and their hierarchy.
    pub fn skeleton(&self) -> &Skeleton {
        &self.0.skeleton
    }

    /// Constraints of bones; empty, or one per bone.
    pub fn bone_logic(&self) -> &[BoneLogic] {
        &self.0.parts.bone_logic
    }

    /// Whether bones have constraints, or morphs do more than move vertices.
    pub fn has_logic(&self) -> bool {
        let has_effect = |mesh: &Mesh| mesh.morphs.iter().any(|morph| morph.effect != MorphEffect::None);
        !self.0.parts.bone_logic.is_empty() || self.0.parts.meshes.iter().any(has_effect)
    }

    /// All binds.
    pub fn binds(&self) -> &[Bind] {
        &self.0.parts.binds
    }

    /// One bind.
    ///
    /// # Panics
    /// If the id does not belong to this character.
    pub fn bind(&self, bind: BindId) -> &Bind {
        &self.0.parts.binds[bind.index()]
    }

    /// All meshes.
    pub fn meshes(&self) -> &[Mesh] {
        &self.0.parts.meshes
    }

    /// One mesh.
    ///
    /// # Panics
    /// If the id does not belong to this character.
    pub fn mesh(&self, mesh: MeshId) -> &Mesh {
        &self.0.parts.meshes[mesh.index()]
    }

    /// Placed meshes, in the order of written vertices.
    pub fn instances(&self) -> &[Instance] {
        &self.0.parts.instances
    }

    /// One instance.
    ///
    /// # Panics
    /// If the id does not belong to this character.
    pub fn instance(&self, instance: InstanceId) -> &Instance {
        &self.0.parts.instances[instance.index()]
    }

    /// The mesh of an instance.
    ///
    /// # Panics
    /// If the id does not belong to this character.
    pub fn mesh_of(&self, instance: InstanceId) -> &Mesh {
        self.mesh(self.instance(instance).mesh)
    }

    /// All materials.
    pub fn materials(&self) -> &[Material] {
        &self.0.parts.materials
    }

    /// All images.
    pub fn images(&self) -> &[Image] {
        &self.0.parts.images
    }

    /// All clips.
    pub fn clips(&self) -> &[Clip] {
        &self.0.parts.clips
    }

    /// The skinning method of the file.
    pub fn skin(&self) -> &AuthoredSkin {
        &self.0.parts.skin
    }

    /// Controllers of helper bones; usually empty.
    pub fn controllers(&self) -> &HelperControllers {
        &self.0.parts.controllers
    }

    /// Chains of bones that swing; usually empty.
    pub fn springs(&self) -> &Springs {
        &self.0.parts.springs
    }

    /// The design that the surface was made from, if it is a body of patches.
    pub fn body(&self) -> Option<&AuthoredBody> {
        self.0.parts.body.as_ref()
    }

    /// The same character with the design that its surface was made from, or without one.
    #[must_use]
    pub fn with_body(&self, body: Option<AuthoredBody>) -> Self {
        let mut checked = (*self.0).clone();
        checked.parts.body = body;
        Self(Arc::new(checked))
    }

    /// The character with springs that are played so.
    #[must_use]
    pub fn with_spring_play(&self, play: SpringPlay) -> Self {
        let mut checked = (*self.0).clone();
        checked.parts.springs.play = play;
        Self(Arc::new(checked))
    }

    /// The bones of all binds, in the skeleton's order.
    pub fn joints(&self) -> Vec<BoneId> {
        let mut joints: Vec<_> =
            self.0.parts.binds.iter().flat_map(|bind| bind.joints.iter().copied()).collect();
        joints.sort_unstable();
        joints.dedup();
        joints
    }
}

fn check_bones(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    for (index, bone) in parts.bones.iter().enumerate() {
        if !bone.rest.is_finite() || bone.tip_in_bone.is_some_and(|tip| !tip.is_finite()) {
            problems.push(Problem::BoneNotFinite { bone: BoneId::of(index), name: bone.name.clone() });
        }
    }
}

fn check_binds(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    for (index, bind) in parts.binds.iter().enumerate() {
        let (id, name) = (BindId::of(index), &bind.name);
        let (joints, matrices) = (bind.joints.len(), bind.joint_from_rest.len());
        if joints != matrices {
            problems.push(Problem::BindLength { bind: id, name: name.clone(), joints, matrices });
        }
        let mut report =
            |joint, what| problems.push(Problem::BindJoint { bind: id, name: name.clone(), joint, what });
        for (joint, bone) in bind.joints.iter().enumerate() {
            if bone.index() >= parts.bones.len() {
                report(joint, "is not a bone");
            }
        }
        for (joint, matrix) in bind.joint_from_rest.iter().enumerate() {
            if !matrix.is_finite() {
                report(joint, "has an inverse bind matrix that is not finite");
            }
        }
    }
    let bind_entries: usize = parts.binds.iter().map(|bind| bind.joints.len()).sum();
    let carriers: HashSet<_> = parts.instances.iter().map(|instance| instance.bone).collect();
    let found = bind_entries + carriers.len();
    if found > MOST_PALETTE_ENTRIES {
        problems.push(Problem::TooManyBones { found, limit: MOST_PALETTE_ENTRIES });
    }
}

fn check_mesh(id: MeshId, mesh: &Mesh, material_count: usize, problems: &mut Vec<Problem>) {
    let vertex_count = mesh.positions.len();
    let name = || mesh.name.clone();
    let optional = |length: usize| if length == 0 { vertex_count } else { length };
    let lists = [
        ("normals", optional(mesh.normals.len())),
        ("tangents", optional(mesh.tangents.len())),
        ("colors", optional(mesh.colors.len())),
        ("influence lists", mesh.influences.vertex_count()),
        ("spherical parameters", optional(mesh.spherical.len())),
        ("methods", optional(mesh.methods.len())),
    ];
    let uv_lists = mesh.uv_sets.iter().map(|set| ("texture coordinates", set.len()));
    for (what, found) in lists.into_iter().chain(uv_lists).filter(|&(_, found)| found != vertex_count) {
        problems.push(Problem::ListLength { mesh: id, name: name(), what, expected: vertex_count, found });
    }
    if let Some(vertex) = mesh.positions.iter().position(|position| !position.is_finite()) {
        problems.push(Problem::PositionNotFinite { mesh: id, name: name(), vertex });
    }
    let is_broken = |spherical: &Option<Spherical>| spherical.is_some_and(|spherical| !spherical.is_finite());
    if let Some(vertex) = mesh.spherical.iter().position(is_broken) {
        problems.push(Problem::SphericalNotFinite { mesh: id, name: name(), vertex });
    }
    let mut out_of_range = |what, index, found, limit| {
        problems.push(Problem::OutOfRange { mesh: id, name: name(), what, index, found, limit });
    };
    let mut triangles_end = 0;
    for (index, group) in mesh.groups.iter().enumerate() {
        if group.vertices.end < group.vertices.start || group.vertices.end as usize > vertex_count {
            out_of_range("vertices of group", index, group.vertices.end as usize, vertex_count);
        }
        if group.triangles.start != triangles_end || group.triangles.end < group.triangles.start {
            out_of_range("triangles of group", index, group.triangles.start as usize, triangles_end as usize);
        }
        triangles_end = group.triangles.end;
        let own = mesh.triangles.get(group.triangles.start as usize..group.triangles.end as usize);
        // Vertices that do not exist are reported with their triangle.
        let is_stray = |vertex: &&u32| !group.vertices.contains(vertex) && (**vertex as usize) < vertex_count;
        let stray = own.into_iter().flatten().flatten().find(is_stray);
        if let Some(&vertex) = stray {
            out_of_range("vertex used by group", index, vertex as usize, vertex_count);
        }
        if let Some(material) = group.material.filter(|material| material.index() >= material_count) {
            out_of_range("material of group", index, material.index(), material_count);
        }
    }
    if triangles_end as usize != mesh.triangles.len() {
        out_of_range("triangles of group", mesh.groups.len(), triangles_end as usize, mesh.triangles.len());
    }
    let past_end =
        |triangle: &[u32; 3]| triangle.iter().copied().max().filter(|&most| most as usize >= vertex_count);
    if let Some((index, found)) = mesh.triangles.iter().enumerate().find_map(|(i, t)| Some((i, past_end(t)?)))
    {
        out_of_range("triangle", index, found as usize, vertex_count);
    }
    check_morphs(id, mesh, problems);
}

fn check_morphs(id: MeshId, mesh: &Mesh, problems: &mut Vec<Problem>) {
    let name = || mesh.name.clone();
    for (index, morph) in mesh.morphs.iter().enumerate() {
        let moved = morph.vertices.len();
        let lists = [
            ("morph position deltas", morph.position_deltas.len()),
            ("morph normal deltas", morph.normal_deltas.len()),
            ("morph tangent deltas", morph.tangent_deltas.len()),
        ];
        for (what, found) in lists.into_iter().filter(|&(_, found)| found != 0 && found != moved) {
            problems.push(Problem::ListLength { mesh: id, name: name(), what, expected: moved, found });
        }
        let limit = mesh.positions.len();
        let is_ascending = morph.vertices.is_sorted_by(|a, b| a < b);
        let last = morph.vertices.iter().copied().max().unwrap_or(0) as usize;
        if !is_ascending || (moved > 0 && last >= limit) {
            let (what, found) = ("morph", last);
            problems.push(Problem::OutOfRange { mesh: id, name: name(), what, index, found, limit });
        }
        if let Some(at) = morph.position_deltas.iter().position(|delta| !delta.is_finite()) {
            let vertex = morph.vertices.get(at).map_or(at, |&vertex| vertex as usize);
            problems.push(Problem::PositionNotFinite { mesh: id, name: name(), vertex });
        }
    }
    let (expected, found) = (mesh.morphs.len(), mesh.default_morph_weights.len());
    if expected != found {
        let what = "default morph weights";
        problems.push(Problem::ListLength { mesh: id, name: name(), what, expected, found });
    }
}

fn check_skin(skin: &AuthoredSkin, problems: &mut Vec<Problem>) {
    if skin.s.is_some_and(|s| !(0.0..=1.0).contains(&s)) {
        problems.push(Problem::Skin { what: "s is out of range; use 0 to 1".into() });
    }
    for range in skin.ranges.iter().filter(|range| !(range.r0.is_finite() && range.r1.is_finite())) {
        problems.push(Problem::Skin { what: format!("the soft range of {:?} is not finite", range.pattern) });
    }
}

fn check_materials(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    for (index, material) in parts.materials.iter().enumerate() {
        let image = material.base_color_texture.map(|slot| slot.image);
        if let Some(image) = image.filter(|image| image.index() >= parts.images.len()) {
            let (name, limit) = (material.name.clone(), parts.images.len());
            problems.push(Problem::MaterialImage { material: index, name, image: image.index(), limit });
        }
    }
}

fn check_instances(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    for (index, instance) in parts.instances.iter().enumerate() {
        let mut report = |what| problems.push(Problem::Instance { instance: InstanceId::of(index), what });
        if instance.bone.index() >= parts.bones.len() {
            report(format!("its bone {} does not exist", instance.bone));
        }
        let Some(mesh) = parts.meshes.get(instance.mesh.index()) else {
            report(format!("its mesh {} does not exist", instance.mesh));
            continue;
        };
        if instance.morph_weights.len() != mesh.morphs.len() {
            report(format!(
                "has {} morph weights for {} morphs",
                instance.morph_weights.len(),
                mesh.morphs.len()
            ));
        }
        let Some(bind) = instance.bind else { continue };
        match (parts.binds.get(bind.index()), mesh.influences.largest_joint()) {
            (None, _) => report(format!("its bind {bind} does not exist")),
            (Some(bind), Some(joint)) if usize::from(joint) >= bind.joints.len() => {
                report(format!(
                    "mesh {:?} uses joint {joint}, but its bind has {}",
                    mesh.name,
                    bind.joints.len()
                ));
            }
            _ => {}
        }
    }
}

fn check_clips(parts: &CharacterParts, problems: &mut Vec<Problem>) {
    for (clip, Clip { name, tracks }) in parts.clips.iter().enumerate() {
        for (track, found) in tracks.iter().enumerate() {
            if let Some(what) = track_problem(parts, found) {
                problems.push(Problem::Track { clip, name: name.clone(), track, what });
            }
        }
    }
}

fn track_problem(parts: &CharacterParts, track: &Track) -> Option<String> {
    let width = match &track.channel {
        Channel::Translation(bone, _) | Channel::Rotation(bone, _) | Channel::Scale(bone, _) => {
            if bone.index() >= parts.bones.len() {
                return Some(format!("drives bone {bone}, which does not exist"));
            }
            1
        }
        Channel::Reach(bone, _) => {
            let logic = parts.bone_logic.get(bone.index());
            if logic.is_none_or(|logic| logic.reach.is_none()) {
                return Some(format!("switches IK of bone {bone}, which has no chain"));
            }
            1
        }
        Channel::MorphWeights(instance, _) => match parts.instances.get(instance.index()) {
            Some(instance) => instance.morph_weights.len(),
            None => return Some(format!("drives mesh instance {instance}, which does not exist")),
        },
    };
    let per_key = if track.interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let (found, expected) = (track.channel.value_count(), track.times_secs.len() * width * per_key);
    if track.times_secs.is_empty() {
        return Some("has no keys".into());
    }
    if found != expected {
        return Some(format!("has {found} values, but its {} keys need {expected}", track.times_secs.len()));
    }
    if let Interpolation::Eased(easings) = &track.interpolation {
        let is_good = |easing: &Easing| {
            let time_range = 0.0..=1.0;
            let is_finite = easing.start.is_finite() && easing.end.is_finite();
            is_finite && time_range.contains(&easing.start.x) && time_range.contains(&easing.end.x)
        };
        if easings.len() != track.times_secs.len() || !easings.iter().flatten().all(is_good) {
            return Some("needs one valid triple of easings per key".into());
        }
    }
    let is_good_time = |time: &f64| time.is_finite() && *time >= 0.0;
    if let Some(key) = track.times_secs.iter().position(|time| !is_good_time(time)) {
        return Some(format!("has an invalid time at key {key}: {}", track.times_secs[key]));
    }
    if let Some(key) = track.times_secs.windows(2).position(|pair| pair[0] >= pair[1]) {
        return Some(format!("has times that do not ascend at key {}", key + 1));
    }
    (!track.channel.is_finite()).then(|| "has a value that is not finite".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;
    use glam::Vec3;

    #[track_caller]
    fn check(change: impl FnOnce(&mut CharacterParts), expected: &[&str]) {
        let mut parts = samples::limb(8, 4).into_parts();
        change(&mut parts);
        let problems = Character::new(parts).expect_err("broken on purpose").problems;
        assert_eq!(problems.iter().map(Problem::to_string).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn every_problem_is_named() {
        check(
            |parts| parts.meshes[0].positions[3].y = f32::NAN,
            &["mesh 0 (\"limb\"): the position of vertex 3 is not finite"],
        );
        check(
            |parts| {
                parts.meshes[0].triangles[5][1] = 4000;
                parts.bones[1].parent = Some(BoneId(1));
            },
            &[
                "mesh 0 (\"limb\"): triangle 5 is out of range, 4000 of 58",
                "bone 1 (\"lower\") is its own ancestor",
                "bone 2 (\"end\") is its own ancestor",
            ],
        );
        check(
            |parts| {
                parts.binds[0].joint_from_rest.pop();
                parts.binds[0].joint_from_rest[0].translation.x = f32::INFINITY;
            },
            &[
                "bind 0 (\"limb\") has 1 inverse bind matrices for 2 joints",
                "bind 0 (\"limb\"): joint 0 has an inverse bind matrix that is not finite",
            ],
        );
        check(
            |parts| {
                let spherical = Spherical { center: Vec3::NAN, r0: Vec3::ZERO, r1: Vec3::ZERO };
                parts.meshes[0].spherical = vec![None; 58];
                parts.meshes[0].spherical[7] = Some(spherical);
                parts.meshes[0].methods = vec![3; 5];
                parts.skin.s = Some(f32::NAN);
            },
            &[
                "mesh 0 (\"limb\") has 5 methods, expected 58, one per vertex",
                "mesh 0 (\"limb\"): the spherical parameters of vertex 7 are not finite",
                "skinning: s is out of range; use 0 to 1",
            ],
        );
        check(|parts| parts.instances[0].mesh = MeshId(9), &["mesh instance 0: its mesh 9 does not exist"]);
        check(
            |parts| {
                parts.clips.push(Clip {
                    name: "wave".into(),
                    tracks: vec![Track {
                        times_secs: vec![0.0, 0.0],
                        interpolation: Interpolation::Linear,
                        channel: Channel::Scale(BoneId(0), vec![Vec3::ONE; 2]),
                    }],
                });
            },
            &["clip 1 (\"wave\"): track 0 has times that do not ascend at key 1"],
        );
    }

    #[test]
    fn parts_survive_being_taken_apart() {
        let character = samples::limb(8, 4);
        assert_eq!(Character::new(character.clone().into_parts()).as_ref(), Ok(&character));
    }
}
