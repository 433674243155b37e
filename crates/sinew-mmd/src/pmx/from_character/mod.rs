//! From a character to a new PMX file.

mod bones;
mod looks;
mod morphs;
mod weights;

pub(super) use bones::{ik_of, new_bone, set_follow, tail_of};
pub(super) use looks::{highlight_of, new_material, texture_path};
pub(super) use morphs::{kind_of, new_morph};
pub(super) use weights::WeightWriter;

use super::rest_model::{KeptBones, RestModel, RestVertex};
use super::{IndexSizes, Pmx, PmxDocument, PmxFrame, PmxHeader, PmxVertex};
use crate::space::{direction, point_to_mmd};
use crate::{MmdText, StandardBones};
use sinew_io::{Limits, Loss, Report};
use sinew_rig::{Character, Material, Mesh};

/// Settings of writing a new PMX file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PmxWriteSettings {
    /// Whether version 2.1 may be written, which MMD itself does not read. Only 2.1 has QDEF vertices (dual quaternions) and flip
    /// morphs. Default: no.
    pub allow_2_1: bool,
    /// Whether all vertices with two bones and spherical parameters become SDEF, whatever their method. Default: no.
    pub spherical: bool,
}

/// Versions up to this are 2.0.
pub(super) const VERSION_2_0_UP_TO: f32 = 2.05;

impl PmxDocument {
    /// A new file for a character; [`PmxDocument::beside`] returns its images. Reports what it cannot store.
    ///
    /// Names stay unchanged: motions for MMD's standard bones move only bones of those names.
    pub fn from_character(character: &Character, settings: &PmxWriteSettings, report: &mut Report) -> Self {
        let model = RestModel::of(character, &KeptBones::needed(character), report);
        Self::from_model(character, model, settings, report)
    }

    /// The same with MMD's standard skeleton: Japanese names (the file's own are the English ones), 下半身, and IK of legs and toes, so that
    /// motions made for other models move it. It rests as before.
    pub fn from_humanoid(
        character: &Character,
        bones: &StandardBones,
        settings: &PmxWriteSettings,
        report: &mut Report,
    ) -> Self {
        let named = bones.map.iter().map(|(_, bone)| bone);
        let kept = KeptBones::needed_with(character, named.chain(bones.root));
        let mut model = RestModel::of(character, &kept, report);
        super::standard_bones::put_on(&mut model, &kept, bones, report);
        Self::from_model(character, model, settings, report)
    }

    fn from_model(
        character: &Character,
        model: RestModel,
        settings: &PmxWriteSettings,
        report: &mut Report,
    ) -> Self {
        tell_losses(character, report);
        let mut pmx =
            Pmx { name: character.name().into(), name_en: ascii_name(character.name()), ..Pmx::default() };
        let mut weights = WeightWriter::new(settings);
        let vertices = model.vertices.iter().enumerate();
        pmx.vertices = vertices.map(|(index, vertex)| new_vertex(index, vertex, &mut weights)).collect();
        weights.tell(report);
        let mut images = Vec::new();
        for image in character.images() {
            let path = texture_path(image, images.len(), &pmx.textures);
            pmx.textures.push(path.into());
            images.push((!image.bytes.is_empty()).then(|| image.bytes.clone()));
        }
        let without_material = Material { name: "default".into(), ..Material::default() };
        for (index, triangles) in model.triangles.iter().enumerate() {
            let material = match character.materials().get(index) {
                Some(material) => material,
                None if triangles.is_empty() => continue,
                None => &without_material,
            };
            let texture = material.base_color_texture.map_or(-1, |slot| slot.image.index() as i32);
            pmx.materials.push(new_material(material, texture, triangles.len()));
            pmx.faces.extend(triangles.iter().map(|&[a, b, c]| [a, c, b]));
        }
        pmx.bones = (0..model.bones.len()).map(|index| new_bone(&model.bones, index)).collect();
        pmx.morphs = model.morphs.iter().map(|morph| new_morph(morph, settings.allow_2_1, report)).collect();
        pmx.frames = with_frames(&pmx);
        let version = if pmx.needs_2_1().is_some() { 2.1 } else { 2.0 };
        pmx.header =
            PmxHeader { version, index_sizes: IndexSizes::for_counts_of(&pmx), ..PmxHeader::default() };
        Self { pmx, images, limits: Limits::default() }
    }
}

/// A new vertex.
pub(super) fn new_vertex(index: usize, vertex: &RestVertex, weights: &mut WeightWriter) -> PmxVertex {
    PmxVertex {
        position: point_to_mmd(vertex.position),
        normal: direction(vertex.normal.to_array()).to_array(),
        uv: vertex.uv.to_array(),
        weight: weights.weight(index, &vertex.weight),
        edge_scale: 1.0,
    }
}

/// The English name of a new item: its name, if that is ASCII.
pub(super) fn ascii_name(name: &str) -> MmdText {
    if name.is_ascii() { name.into() } else { MmdText::default() }
}

/// The frame of the root bone; every model has it.
pub(super) const ROOT_FRAME: (&str, &str) = ("Root", "Root");
/// The frame of the morphs; every model has it.
pub(super) const MORPH_FRAME: (&str, &str) = ("表情", "Exp");
/// The frame of all other bones.
pub(super) const BONES_FRAME: (&str, &str) = ("ボーン", "Bones");

/// Kinds of entries.
const BONE_ENTRY: u8 = 0;
const MORPH_ENTRY: u8 = 1;

/// Root, morphs, and the other bones.
fn with_frames(pmx: &Pmx) -> Vec<PmxFrame> {
    let root = pmx.bones.iter().position(|bone| bone.parent == -1);
    let entry = |index: usize| (BONE_ENTRY, index as i32);
    let mut frames = vec![
        PmxFrame { entries: root.map(entry).into_iter().collect(), ..new_frame(ROOT_FRAME, 1) },
        PmxFrame {
            entries: (0..pmx.morphs.len()).map(|morph| (MORPH_ENTRY, morph as i32)).collect(),
            ..new_frame(MORPH_FRAME, 1)
        },
    ];
    let others: Vec<_> = (0..pmx.bones.len()).filter(|&bone| Some(bone) != root).map(entry).collect();
    if !others.is_empty() {
        frames.push(PmxFrame { entries: others, ..new_frame(BONES_FRAME, 0) });
    }
    frames
}

/// An empty frame.
pub(super) fn new_frame((name, name_en): (&str, &str), special: u8) -> PmxFrame {
    PmxFrame { name: name.into(), name_en: name_en.into(), special, entries: Vec::new() }
}

/// Reports what a PMX file cannot store, one warning per kind.
pub(super) fn tell_losses(character: &Character, report: &mut Report) {
    let count = |is_lost: fn(&Mesh) -> bool| character.meshes().iter().filter(|mesh| is_lost(mesh)).count();
    let lost_of_meshes = [
        (count(|mesh| !mesh.colors.is_empty()), "vertex colors"),
        (count(|mesh| !mesh.tangents.is_empty()), "tangents"),
        (count(|mesh| mesh.uv_sets.len() > 1), "texture coordinates that no material uses"),
        (count(|mesh| mesh.morphs.iter().any(|morph| !morph.normal_deltas.is_empty())), "normals of morphs"),
    ];
    for (count, what) in lost_of_meshes.iter().filter(|(count, _)| *count > 0) {
        report.warn("meshes", format!("{what} of {count} meshes are left out; PMX cannot store them"));
    }
    let shown = character.instances().iter().flat_map(|instance| &instance.morph_weights);
    match shown.filter(|weight| **weight != 0.0).count() {
        0 => {}
        count => report.warn("morphs", format!("{count} are active in the rest pose; PMX cannot store that")),
    }
    let clips = Loss::of("clips", character.clips().iter().map(|clip| clip.name.clone()).collect());
    report.lose_counted("PMX", clips, "left out; write them as VMD files");
    let skin = character.skin();
    if !skin.joints.is_empty() || !skin.ranges.is_empty() || skin.s.is_some() || skin.rotation.is_some() {
        let what = "rules for joints, soft ranges and blends are left out; PMX has one method per vertex";
        report.warn("skinning", what);
    }
    let is_lost = |material: &&Material| material.metallic > 0.0 || material.is_unlit;
    match character.materials().iter().filter(is_lost).count() {
        0 => {}
        count => {
            report.warn("materials", format!("{count} are metallic or unlit; PMX does not support that"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_models::{document, strip};
    use super::super::{PmxMorphKind, PmxTail, PmxWeight, bone_flags};
    use super::*;
    use glam::{Affine3A, Quat, Vec3};
    use sinew_geometry::Trs;
    use sinew_rig::{
        AlphaMode, Bone, BoneId, InfluencesBuilder, Instance, LocalTransform, MeshId, MorphTarget, Spherical,
        samples,
    };

    /// Rounding of single precision at about ten of MMD's units, through several products.
    const ROUNDING_UNITS: f32 = 1e-4;

    /// Of positions a few m from the origin, there and back.
    const ROUNDING_M: f32 = 1e-6;

    fn written(character: &Character, settings: &PmxWriteSettings) -> (PmxDocument, Vec<String>) {
        let mut report = Report::default();
        let document = PmxDocument::from_character(character, settings, &mut report);
        (document, report.warnings().iter().map(ToString::to_string).collect())
    }

    fn read(document: &PmxDocument) -> Character {
        let mut report = Report::default();
        let pmx = Pmx::read(&document.to_bytes(), &Limits::default(), &mut report).expect("just written");
        assert_eq!(pmx, document.pmx, "what is written is what was meant");
        let character = document.to_character(&mut report).expect("just written");
        assert!(report.is_empty(), "{report:?}");
        character
    }

    #[track_caller]
    fn assert_same_surface(a: &Character, b: &Character) {
        let (a, b) = (&a.meshes()[0], &b.meshes()[0]);
        assert_eq!(a.vertex_count(), b.vertex_count());
        for vertex in 0..a.vertex_count() {
            assert!(a.positions[vertex].abs_diff_eq(b.positions[vertex], ROUNDING_M), "vertex {vertex}");
            assert!(a.normals[vertex].abs_diff_eq(b.normals[vertex], ROUNDING_M), "vertex {vertex}");
        }
        assert_eq!(a.triangles, b.triangles);
        assert_eq!(a.groups, b.groups);
    }

    #[test]
    fn samples_keep_their_shape_and_bones() {
        for character in [samples::limb(12, 8), samples::figure()] {
            let (document, warnings) = written(&character, &PmxWriteSettings::default());
            assert!(warnings.iter().all(|warning| !warning.contains("vertices[")), "{warnings:?}");
            let back = read(&document);
            assert_same_surface(&character, &back);
            let places = |character: &Character| character.skeleton().rest_model_from_bone();
            let (before, after) = (places(&character), places(&back));
            for (index, bone) in back.skeleton().bones().iter().enumerate() {
                let known = character.skeleton().find(&bone.name).expect("a name that was there").index();
                assert!(before[known].translation.abs_diff_eq(after[index].translation, ROUNDING_M));
                let parent =
                    |bones: &[Bone], at: usize| bones[at].parent.map(|p| bones[p.index()].name.clone());
                let (old, new) = (character.skeleton().bones(), back.skeleton().bones());
                assert_eq!(parent(old, known), parent(new, index));
            }
            let (old, new) = (&character.meshes()[0], &back.meshes()[0]);
            let names = |joints: &[u16], character: &Character| -> Vec<String> {
                let bone = |&joint: &u16| character.binds()[0].joints[usize::from(joint)];
                joints.iter().map(|joint| character.skeleton().bone(bone(joint)).name.clone()).collect()
            };
            for vertex in (0..old.vertex_count()).filter(|&vertex| old.influences.of(vertex).0.len() <= 4) {
                let ((joints, weights), (new_joints, new_weights)) =
                    (old.influences.of(vertex), new.influences.of(vertex));
                assert_eq!(names(joints, &character), names(new_joints, &back));
                assert!(
                    weights.iter().zip(new_weights).all(|(a, b)| (a - b).abs() <= ROUNDING_M),
                    "vertex {vertex}"
                );
            }
        }
    }

    #[test]
    fn a_file_written_anew_means_the_same() {
        let original = document(strip()).to_character(&mut Report::default()).unwrap();
        let (document, warnings) = written(&original, &PmxWriteSettings::default());
        assert_eq!(warnings, [] as [&str; 0]);
        let back = read(&document);
        assert_same_surface(&original, &back);
        let names = |character: &Character| -> Vec<_> {
            character.skeleton().bones().iter().map(|bone| (bone.name.clone(), bone.parent)).collect()
        };
        assert_eq!(names(&original), names(&back));
        assert_eq!(original.bone_logic(), back.bone_logic());
        let (a, b) = (&original.meshes()[0], &back.meshes()[0]);
        assert_eq!((&a.influences, &a.methods), (&b.influences, &b.methods));
        let (Some(old), Some(new)) = (a.spherical[2], b.spherical[2]) else { panic!("an SDEF vertex") };
        for (old, new) in [(old.center, new.center), (old.r0, new.r0), (old.r1, new.r1)] {
            assert!(old.abs_diff_eq(new, ROUNDING_M), "{old} {new}");
        }
        assert_eq!(a.morphs[1], b.morphs[1]);
        assert_eq!(a.morphs[0].vertices, b.morphs[0].vertices);
        assert_eq!(
            document.beside().iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
            ["tex/skin.png"]
        );
        let frames: Vec<_> =
            document.pmx.frames.iter().map(|f| (f.name.as_str(), f.special, f.entries.len())).collect();
        assert_eq!(frames, [("Root", 1, 1), ("表情", 1, 3), ("ボーン", 0, 3)]);
        let goal = &document.pmx.bones[3];
        assert_eq!(goal.ik, strip().bones[3].ik);
        assert_eq!(goal.flags & bone_flags::IK, bone_flags::IK);
    }

    /// The limb with each vertex moved by `method`.
    fn limb_with(method: u8) -> Character {
        let mut parts = samples::limb(8, 4).into_parts();
        let mesh = &mut parts.meshes[0];
        mesh.methods = vec![method; mesh.vertex_count()];
        let spherical = Spherical {
            center: Vec3::new(0.0, 0.3, 0.0),
            r0: Vec3::new(0.0, 0.2, 0.0),
            r1: Vec3::new(0.0, 0.4, 0.01),
        };
        mesh.spherical = vec![Some(spherical); mesh.vertex_count()];
        parts.clips.clear();
        Character::new(parts).unwrap()
    }

    #[test]
    fn methods_become_kinds() {
        let plain = PmxWriteSettings::default();
        let is_sdef = |weight: &PmxWeight| matches!(weight, PmxWeight::Sdef { .. });
        let is_qdef = |weight: &PmxWeight| matches!(weight, PmxWeight::Qdef { .. });
        let is_bdef2 = |weight: &PmxWeight| matches!(weight, PmxWeight::Bdef2 { .. });
        type IsKind = fn(&PmxWeight) -> bool;
        let cases: [(u8, PmxWriteSettings, IsKind, f32, &str); 6] = [
            (1, plain, is_bdef2, 2.0, ""),
            (1, PmxWriteSettings { spherical: true, ..plain }, is_sdef, 2.0, ""),
            (3, plain, is_sdef, 2.0, ""),
            (4, plain, is_sdef, 2.0, "written as SDEF"),
            (5, plain, is_bdef2, 2.0, "need version 2.1"),
            (5, PmxWriteSettings { allow_2_1: true, ..plain }, is_qdef, 2.1, ""),
        ];
        for (method, settings, is_kind, version, warning) in cases {
            let character = limb_with(method);
            let (document, warnings) = written(&character, &settings);
            let soft = character.meshes()[0].influences.histogram()[2];
            let found = document.pmx.vertices.iter().filter(|vertex| is_kind(&vertex.weight)).count();
            assert_eq!((found, document.pmx.header.version), (soft, version), "method {method}");
            assert_eq!(warnings.len(), usize::from(!warning.is_empty()), "{warnings:?}");
            assert!(warnings.iter().all(|told| told.contains(warning)), "{warnings:?}");
        }
        let back = read(&written(&limb_with(3), &plain).0);
        let spherical =
            back.meshes()[0].spherical.iter().flatten().next().expect("two bones move some vertex");
        assert!(spherical.r1.abs_diff_eq(Vec3::new(0.0, 0.4, 0.01), ROUNDING_M));
    }

    #[test]
    fn vertices_are_written_where_they_are_seen() {
        // Bound lying along −z, resting upright: the whole skeleton is turned by its root.
        let mut parts = limb_with(3).into_parts();
        let seen_from_bound = Affine3A::from_quat(Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2));
        let bound_from_seen = seen_from_bound.inverse();
        let seen: Vec<Vec3> = parts.meshes[0].positions.clone();
        let mesh = &mut parts.meshes[0];
        mesh.positions.iter_mut().for_each(|p| *p = bound_from_seen.transform_point3(*p));
        mesh.normals.iter_mut().for_each(|n| *n = bound_from_seen.transform_vector3(*n));
        for spherical in mesh.spherical.iter_mut().flatten() {
            spherical.r1 = bound_from_seen.transform_point3(spherical.r1);
        }
        mesh.morphs = vec![MorphTarget {
            name: "up".into(),
            vertices: vec![1],
            position_deltas: vec![bound_from_seen.transform_vector3(Vec3::Y)],
            ..MorphTarget::default()
        }];
        mesh.default_morph_weights = vec![0.0];
        parts.instances[0].morph_weights = vec![0.0];
        for joint_from_rest in &mut parts.binds[0].joint_from_rest {
            *joint_from_rest *= seen_from_bound;
        }
        let character = Character::new(parts).unwrap();
        let (document, warnings) = written(&character, &PmxWriteSettings::default());
        assert!(warnings.iter().any(|told| told.contains("another pose than its rest pose")), "{warnings:?}");
        let back = read(&document);
        let mesh = &back.meshes()[0];
        assert!(mesh.positions.iter().zip(&seen).all(|(a, b)| a.abs_diff_eq(*b, ROUNDING_M)));
        assert!(mesh.morphs[0].position_deltas[0].abs_diff_eq(Vec3::Y, ROUNDING_M));
        let spherical = mesh.spherical.iter().flatten().next().unwrap();
        assert!(spherical.r1.abs_diff_eq(Vec3::new(0.0, 0.4, 0.01), ROUNDING_M));
    }

    #[test]
    fn several_meshes_become_one_list() {
        let mut parts = samples::limb(8, 4).into_parts();
        parts.clips.clear();
        let vertex_count = parts.meshes[0].vertex_count();
        let morph = |vertex: u32| MorphTarget {
            name: "puff".into(),
            vertices: vec![vertex],
            position_deltas: vec![Vec3::X],
            ..MorphTarget::default()
        };
        for (mesh, vertex) in [(parts.meshes[0].clone(), 3), (parts.meshes[0].clone(), 5)] {
            parts.meshes.push(mesh);
            let mesh = parts.meshes.last_mut().unwrap();
            mesh.morphs = vec![morph(vertex)];
            mesh.default_morph_weights = vec![0.5];
        }
        parts.meshes.remove(0);
        // A prop that "end" carries, and a bone that nothing needs.
        let bone = |name: &str| Bone {
            name: name.into(),
            parent: None,
            rest: LocalTransform::Trs(Trs::from_translation(Vec3::Z)),
            tip_in_bone: None,
        };
        parts.bones.push(bone("camera"));
        parts.instances[0].morph_weights = vec![0.5];
        parts.instances.push(Instance {
            bone: BoneId(2),
            mesh: MeshId(1),
            bind: None,
            morph_weights: vec![0.0],
        });
        let character = Character::new(parts).unwrap();
        let (document, warnings) = written(&character, &PmxWriteSettings::default());
        assert_eq!(warnings, ["morphs: 1 are active in the rest pose; PMX cannot store that"]);
        let pmx = &document.pmx;
        assert_eq!(pmx.vertices.len(), 2 * vertex_count);
        let PmxMorphKind::Vertex(shifts) = &pmx.morphs[0].kind else { panic!("a vertex morph") };
        assert_eq!((pmx.morphs.len(), shifts.len()), (1, 2), "morphs of one name are one");
        assert_eq!(shifts[1].0 as usize, vertex_count + 5);
        let names: Vec<_> = pmx.bones.iter().map(|bone| bone.name.as_str()).collect();
        assert_eq!(names, ["upper", "lower", "end"], "the camera is not needed");
        assert_eq!(pmx.bones[0].tail, PmxTail::Bone(1));
        assert_eq!(pmx.vertices[vertex_count].weight, PmxWeight::Bdef1(2));
        let (first, prop) = (pmx.vertices[0].position, pmx.vertices[vertex_count].position);
        assert!((prop[1] - first[1] - 0.6 / 0.08).abs() < ROUNDING_UNITS, "the prop stands at the end");
        assert_eq!(pmx.materials.len(), 1, "one material, whatever number of meshes has it");
    }

    #[test]
    fn more_than_four_bones_are_cut_and_told() {
        let mut parts = samples::limb(8, 4).into_parts();
        parts.clips.clear();
        parts.binds[0].joints = vec![BoneId(0); 5];
        parts.binds[0].joint_from_rest = vec![Affine3A::IDENTITY; 5];
        let mut influences = InfluencesBuilder::with_capacity(0, 0);
        for _ in 0..parts.meshes[0].vertex_count() {
            influences.push([(0, 0.3), (1, 0.3), (2, 0.2), (3, 0.1), (4, 0.1)]);
        }
        parts.meshes[0].influences = influences.build();
        let (document, warnings) = written(&Character::new(parts).unwrap(), &PmxWriteSettings::default());
        assert!(matches!(document.pmx.vertices[0].weight, PmxWeight::Bdef4 { .. }));
        assert!(
            warnings[0].contains("beyond the four heaviest are left out, at most 10.0 %"),
            "{warnings:?}"
        );
    }

    #[test]
    fn looks_are_kept() {
        let (document, _) = written(&samples::figure(), &PmxWriteSettings::default());
        let (old, new) = (&samples::figure().materials()[0].clone(), &read(&document).materials()[0].clone());
        let rounding = 1e-5;
        assert!(old.base_color.abs_diff_eq(new.base_color, rounding));
        assert!((old.roughness - new.roughness).abs() < rounding);
        assert_eq!((old.alpha_mode, new.alpha_mode), (AlphaMode::Opaque, AlphaMode::Opaque));
    }
}
