//! What is in a model, in numbers.

use crate::PosedCharacter;
use glam::Vec3;
use serde::Serialize;
use sinew_io::Report;
use sinew_rig::{Character, Mesh, Track};
use sinew_skin::Method;

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
    /// What reading had to put right or could not carry over.
    pub warnings: Vec<String>,
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
        let instances: Vec<_> = posed
            .bound()
            .instances()
            .iter()
            .map(|placed| {
                let instance = character.instance(placed.instance);
                InstanceSummary {
                    bone: instance.bone.index(),
                    mesh: instance.mesh.index(),
                    skin: instance.bind.map(|bind| bind.index()),
                    first_vertex: placed.vertices.start,
                    vertices: placed.vertices.len(),
                }
            })
            .collect();
        let influence_histogram = histogram(character.meshes());
        Self {
            name: character.name().to_owned(),
            vertices: posed.bound().vertex_count(),
            triangles: posed.bound().triangles().len(),
            joints: character.joints().len(),
            max_influences: influence_histogram.len().saturating_sub(1),
            influence_histogram,
            bone_sets: character.meshes().iter().map(|mesh| mesh.influences.bone_set_count()).sum(),
            bounds: BoundsSummary {
                min: bounds.min().to_array(),
                max: bounds.max().to_array(),
                diagonal: bounds.diagonal(),
            },
            meshes: character.meshes().iter().enumerate().map(mesh_summary).collect(),
            instances,
            bones: bone_summaries(&posed),
            skins: skin_summaries(character),
            morphs: morph_summaries(character),
            clips: clip_summaries(character),
            materials: character.materials().iter().map(|material| material.name.clone()).collect(),
            images: character.images().len(),
            warnings: report.warnings().iter().map(ToString::to_string).collect(),
        }
    }
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

fn bone_summaries(posed: &PosedCharacter<'_>) -> Vec<BoneSummary> {
    let character = posed.character();
    let joints = character.joints();
    character
        .skeleton()
        .bones()
        .iter()
        .enumerate()
        .map(|(index, bone)| BoneSummary {
            index,
            name: bone.name.clone(),
            parent: bone.parent.map(|parent| parent.index()),
            is_joint: joints.binary_search(&sinew_rig::BoneId::of(index)).is_ok(),
            head: Vec3::from(posed.model_from_bone()[index].translation).to_array(),
        })
        .collect()
}

fn skin_summaries(character: &Character) -> Vec<SkinSummary> {
    let joints = |bind: &sinew_rig::Bind| bind.joints.iter().map(|joint| joint.index()).collect();
    character
        .binds()
        .iter()
        .map(|bind| SkinSummary { name: bind.name.clone(), joints: joints(bind) })
        .collect()
}

fn morph_summaries(character: &Character) -> Vec<MorphSummary> {
    let all = character
        .meshes()
        .iter()
        .enumerate()
        .flat_map(|(mesh, m)| m.morphs.iter().map(move |morph| (mesh, morph)));
    all.enumerate()
        .map(|(index, (mesh, morph))| MorphSummary {
            index,
            name: morph.name.clone(),
            mesh,
            vertices: morph.vertices.len(),
        })
        .collect()
}

fn clip_summaries(character: &Character) -> Vec<ClipSummary> {
    let keys = |tracks: &[Track]| tracks.iter().map(|track| track.times_secs.len()).sum();
    character
        .clips()
        .iter()
        .enumerate()
        .map(|(index, clip)| ClipSummary {
            index,
            name: clip.name.clone(),
            duration_secs: clip.duration_secs(),
            tracks: clip.tracks.len(),
            keys: keys(&clip.tracks),
        })
        .collect()
}
