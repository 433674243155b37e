//! What is in a model, in numbers.

use crate::{FileSummary, Model, UnitGuess};
use glam::Vec3;
use serde::Serialize;
use sinew_io::{GltfDocument, Report};
use sinew_rig::{BoneLogic, Character, Mesh};
use sinew_skin::{Method, PosedCharacter, RotationBlend};
use std::collections::BTreeMap;

/// Everything `sinew inspect` tells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the scene; may be empty.
    pub name: String,
    /// Vertices of all mesh instances: the rows of `sinew skin`'s arrays.
    pub vertices: usize,
    /// Triangles of all mesh instances.
    pub triangles: usize,
    /// Bones that some mesh is bound to.
    pub joints: usize,
    /// Largest number of influences of a vertex.
    pub max_influences: usize,
    /// How many vertices (counted once a mesh) have 0, 1, 2 … influences.
    pub influence_histogram: Vec<usize>,
    /// How many different sets of bones the vertices have.
    pub bone_sets: usize,
    /// How many vertices (counted once a mesh) each method moves where the file says so vertex by vertex, as PMX does: `lbs` (BDEF),
    /// `sdef`, `dlb` (QDEF) and so on; under `by_joint` those that are left to the methods of model and joints.
    pub methods: BTreeMap<&'static str, usize>,
    /// Chains of bones that reach for a goal (IK).
    pub reaches: usize,
    /// Bones that take over a share of another's change.
    pub follows: usize,
    /// How helper bones follow others, where they do.
    pub controllers: Option<ControllersSummary>,
    /// The design of a body of patches, where the file carries one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<BodySummary>,
    /// The unit of its lengths, as guessed from its size after a scale was applied.
    pub units: String,
    /// Bounds in rest pose, scene space.
    pub bounds: BoundsSummary,
    /// Meshes, in the file's order.
    pub meshes: Vec<MeshSummary>,
    /// Meshes placed in the scene.
    pub instances: Vec<InstanceSummary>,
    /// Every bone and other node; the index is what `#12` means.
    pub bones: Vec<BoneSummary>,
    /// The file's skins: the rest poses that meshes are bound in.
    pub skins: Vec<SkinSummary>,
    /// Morphs, mesh by mesh; the index is what `#12` means.
    pub morphs: Vec<MorphSummary>,
    /// Motions.
    pub clips: Vec<ClipSummary>,
    /// Materials.
    pub materials: Vec<String>,
    /// Images.
    pub images: usize,
    /// Of the file that it came from; not for a character that came from none.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub file: Option<FileSummary>,
    /// Compressions that the file has: the extension, and what was decoded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compression: Vec<CompressionSummary>,
    /// What reading had to put right or could not carry over.
    pub warnings: Vec<String>,
}

/// A compression of the file.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CompressionSummary {
    /// Name of the glTF extension.
    pub extension: &'static str,
    /// Number of decoded primitives or buffer views.
    pub count: usize,
    /// Which of the two.
    pub unit: &'static str,
    /// Bytes in the file.
    pub stored_bytes: usize,
    /// Bytes decoded.
    pub decoded_bytes: usize,
}

/// The design that a body's surface was made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BodySummary {
    /// Its layout; the first line of one that has no name.
    pub template: String,
    /// Steps along the edge of a patch.
    pub steps: u32,
    /// Length of its text.
    pub design_bytes: usize,
}

/// Controllers of helpers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ControllersSummary {
    /// Bones that follow.
    pub helpers: Vec<usize>,
    /// Bones that are asked.
    pub drivers: Vec<usize>,
    /// Morphs that follow.
    pub correctives: usize,
    /// Functions of the basis, with the constant.
    pub functions: usize,
    /// Coefficients that are not 0.
    pub coefficients: usize,
    /// Helpers that lag and swing.
    pub swings: usize,
}

/// A box.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoundsSummary {
    /// Smallest corner, metres.
    pub min: [f32; 3],
    /// Largest corner, metres.
    pub max: [f32; 3],
    /// Length of the diagonal, metres.
    pub diagonal: f32,
}

/// A mesh.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeshSummary {
    /// Place in the file.
    pub index: usize,
    /// Its name; may be empty.
    pub name: String,
    /// Vertices.
    pub vertices: usize,
    /// Triangles.
    pub triangles: usize,
    /// Runs of one material.
    pub groups: usize,
    /// Largest number of influences of a vertex.
    pub max_influences: usize,
    /// Different sets of bones.
    pub bone_sets: usize,
    /// Morphs.
    pub morphs: usize,
    /// Which optional attributes there are.
    pub attributes: Vec<String>,
}

/// A mesh placed in the scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InstanceSummary {
    /// The node that carries it.
    pub bone: usize,
    /// The mesh.
    pub mesh: usize,
    /// The skin; none for a rigid mesh.
    pub skin: Option<usize>,
    /// First row of `sinew skin`'s arrays.
    pub first_vertex: usize,
    /// Rows.
    pub vertices: usize,
}

/// A bone or other node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BoneSummary {
    /// What `#12` means.
    pub index: usize,
    /// Its name; may be empty.
    pub name: String,
    /// Its parent.
    pub parent: Option<usize>,
    /// Whether a mesh is bound to it.
    pub is_joint: bool,
    /// Where it stands in rest pose, scene space.
    pub head: [f32; 3],
    /// What it does by itself; none for most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logic: Option<LogicSummary>,
}

/// What a bone does by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LogicSummary {
    /// Bones are evaluated by level.
    pub level: i32,
    /// Evaluated after all bones that are not.
    pub is_after_physics: bool,
    /// The only axis that it turns about when it is asked to, bone space.
    pub axis: Option<[f32; 3]>,
    /// The bone that it follows.
    pub follow: Option<FollowSummary>,
    /// The chain that reaches for it.
    pub reach: Option<ReachSummary>,
}

/// A bone that follows another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FollowSummary {
    /// The bone that is followed.
    pub bone: usize,
    /// How much of its change.
    pub ratio: f32,
    /// Whether its turn is taken over.
    pub rotates: bool,
    /// Whether its shift is taken over.
    pub translates: bool,
    /// Whether its whole change in the model counts, instead of its own.
    pub is_local: bool,
}

/// A chain that reaches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReachSummary {
    /// The bone that is to arrive.
    pub effector: usize,
    /// The bones that turn, from the effector towards the root.
    pub links: Vec<usize>,
    /// How often the chain is worked through.
    pub iterations: u32,
}

/// A skin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkinSummary {
    /// Its name; may be empty.
    pub name: String,
    /// Joints, as bone indices.
    pub joints: Vec<usize>,
}

/// A morph.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MorphSummary {
    /// What `#12` means.
    pub index: usize,
    /// Its name; may be empty.
    pub name: String,
    /// The mesh it belongs to.
    pub mesh: usize,
    /// Vertices that it moves.
    pub vertices: usize,
}

/// A motion.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClipSummary {
    /// What `--clip 1` means.
    pub index: usize,
    /// Its name; may be empty.
    pub name: String,
    /// Length in seconds.
    pub duration_secs: f64,
    /// Tracks.
    pub tracks: usize,
    /// Keys of all tracks.
    pub keys: usize,
}

impl Summary {
    /// Counts what is in a character; `report` is what reading it told.
    pub fn of(character: &Character, report: &Report) -> Self {
        let posed = PosedCharacter::bind(character, Method::Lbs);
        let bounds = posed.bounds();
        let [min, max] = [bounds.min(), bounds.max()].map(|corner| corner.to_array());
        let instances = posed.bound().instances().iter().map(|placed| {
            let instance = character.instance(placed.instance);
            InstanceSummary {
                bone: instance.bone.index(),
                mesh: instance.mesh.index(),
                skin: instance.bind.map(|bind| bind.index()),
                first_vertex: placed.vertices.start,
                vertices: placed.vertices.len(),
            }
        });
        let influence_histogram = histogram(character.meshes());
        Self {
            name: character.name().to_owned(),
            vertices: posed.bound().vertex_count(),
            triangles: posed.bound().triangles().len(),
            joints: character.joints().len(),
            max_influences: influence_histogram.len().saturating_sub(1),
            influence_histogram,
            bone_sets: character.meshes().iter().map(|mesh| mesh.influences.bone_set_count()).sum(),
            methods: method_counts(character.meshes()),
            reaches: character.bone_logic().iter().filter(|logic| logic.reach.is_some()).count(),
            follows: character.bone_logic().iter().filter(|logic| logic.follow.is_some()).count(),
            controllers: controllers_of(character),
            body: character.body().map(|body| BodySummary {
                template: body.template.lines().next().unwrap_or_default().to_owned(),
                steps: body.steps,
                design_bytes: body.design.len(),
            }),
            units: UnitGuess::of(&Model::new(character.clone())).to_string(),
            bounds: BoundsSummary { min, max, diagonal: bounds.diagonal() },
            meshes: character.meshes().iter().enumerate().map(mesh_summary).collect(),
            instances: instances.collect(),
            bones: bone_summaries(&posed),
            skins: skin_summaries(character),
            morphs: morph_summaries(character),
            clips: clip_summaries(character),
            materials: character.materials().iter().map(|material| material.name.clone()).collect(),
            images: character.images().len(),
            file: None,
            compression: Vec::new(),
            warnings: report.warnings().iter().map(ToString::to_string).collect(),
        }
    }

    /// The summary of a model, with what only its file tells.
    pub fn of_model(model: &Model, report: &Report) -> Self {
        let decompressed = model.gltf().map_or(&[][..], GltfDocument::decompressed);
        let compression = decompressed.iter().map(|done| CompressionSummary {
            extension: done.extension,
            count: done.count,
            unit: done.unit(),
            stored_bytes: done.stored_bytes,
            decoded_bytes: done.decoded_bytes,
        });
        let summary = Self::of(&model.character, report);
        let height_m = summary.bounds.max[1] - summary.bounds.min[1];
        let file = Some(FileSummary::of(model, height_m));
        Self { compression: compression.collect(), file, ..summary }
    }
}

fn controllers_of(character: &Character) -> Option<ControllersSummary> {
    let controllers = character.controllers();
    (!controllers.is_empty()).then(|| ControllersSummary {
        helpers: controllers.helpers.iter().map(|helper| helper.bone.index()).collect(),
        drivers: controllers.drivers.iter().map(|driver| driver.bone.index()).collect(),
        correctives: controllers.morphs.len(),
        functions: controllers.function_count(),
        coefficients: controllers.coefficient_count(),
        swings: controllers.helpers.iter().filter(|helper| helper.swing.is_some()).count(),
    })
}

fn histogram(meshes: &[Mesh]) -> Vec<usize> {
    let mut sum = Vec::new();
    for counts in meshes.iter().map(|mesh| mesh.influences.histogram()) {
        if sum.len() < counts.len() {
            sum.resize(counts.len(), 0);
        }
        sum.iter_mut().zip(counts).for_each(|(total, count)| *total += count);
    }
    sum
}

/// Vertices by the method that their codes name.
fn method_counts(meshes: &[Mesh]) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for &code in meshes.iter().flat_map(|mesh| &mesh.methods) {
        let method = Method::from_code(code, sinew_skin::DEFAULT_S, RotationBlend::Slerp);
        *counts.entry(method.map_or("by_joint", |method| method.name())).or_default() += 1;
    }
    counts
}

fn mesh_summary((index, mesh): (usize, &Mesh)) -> MeshSummary {
    let uv_sets = (0..mesh.uv_sets.len()).map(|set| format!("uv{set}"));
    let optional = [
        ("normals", !mesh.normals.is_empty()),
        ("tangents", !mesh.tangents.is_empty()),
        ("colors", !mesh.colors.is_empty()),
        ("weights", mesh.influences.influence_count() > 0),
    ];
    let present = optional.into_iter().filter(|&(_, is_there)| is_there).map(|(name, _)| name.to_owned());
    MeshSummary {
        index,
        name: mesh.name.clone(),
        vertices: mesh.vertex_count(),
        triangles: mesh.triangles.len(),
        groups: mesh.groups.len(),
        max_influences: mesh.influences.histogram().len().saturating_sub(1),
        bone_sets: mesh.influences.bone_set_count(),
        morphs: mesh.morphs.len(),
        attributes: present.chain(uv_sets).collect(),
    }
}

fn bone_summaries(posed: &PosedCharacter) -> Vec<BoneSummary> {
    let character = posed.character();
    let joints = character.joints();
    let bones = character.skeleton().bones().iter().enumerate().map(|(index, bone)| {
        let logic = character.bone_logic().get(index).filter(|logic| **logic != BoneLogic::default());
        BoneSummary {
            index,
            name: bone.name.clone(),
            parent: bone.parent.map(|parent| parent.index()),
            is_joint: joints.binary_search(&sinew_rig::BoneId::of(index)).is_ok(),
            head: Vec3::from(posed.model_from_bone()[index].translation).to_array(),
            logic: logic.map(logic_summary),
        }
    });
    bones.collect()
}

fn logic_summary(logic: &BoneLogic) -> LogicSummary {
    LogicSummary {
        level: logic.level,
        is_after_physics: logic.is_after_physics,
        axis: logic.axis.map(|axis| axis.to_array()),
        follow: logic.follow.map(|follow| FollowSummary {
            bone: follow.source.index(),
            ratio: follow.ratio,
            rotates: follow.rotates,
            translates: follow.translates,
            is_local: follow.is_local,
        }),
        reach: logic.reach.as_ref().map(|reach| ReachSummary {
            effector: reach.effector.index(),
            links: reach.links.iter().map(|link| link.bone.index()).collect(),
            iterations: reach.iterations,
        }),
    }
}

fn skin_summaries(character: &Character) -> Vec<SkinSummary> {
    let skin = |bind: &sinew_rig::Bind| SkinSummary {
        name: bind.name.clone(),
        joints: bind.joints.iter().map(|joint| joint.index()).collect(),
    };
    character.binds().iter().map(skin).collect()
}

fn morph_summaries(character: &Character) -> Vec<MorphSummary> {
    let meshes = character.meshes().iter().enumerate();
    let all = meshes.flat_map(|(at, mesh)| mesh.morphs.iter().map(move |morph| (at, morph)));
    let morphs = all.enumerate().map(|(index, (mesh, morph))| MorphSummary {
        index,
        name: morph.name.clone(),
        mesh,
        vertices: morph.vertices.len(),
    });
    morphs.collect()
}

fn clip_summaries(character: &Character) -> Vec<ClipSummary> {
    let clips = character.clips().iter().enumerate().map(|(index, clip)| ClipSummary {
        index,
        name: clip.name.clone(),
        duration_secs: clip.duration_secs(),
        tracks: clip.tracks.len(),
        keys: clip.tracks.iter().map(|track| track.times_secs.len()).sum(),
    });
    clips.collect()
}
