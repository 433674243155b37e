//! A character of a folder of examples, so that its fit can be looked at and played.

use crate::{ExchangeFolder, RigError, Sequence};
use glam::{DAffine3, Vec3};
use sinew_geometry::{TriangleMesh, Trs};
use sinew_rig::{
    Bind, BindId, Bone, BoneId, Channel, Character, CharacterParts, Clip, InfluencesBuilder, Instance,
    Interpolation, LocalTransform, Mesh, MeshId, Pose, Track,
};

/// Most poses that become frames of the clip; a grid of thousands would play for minutes.
const MOST_FRAMES: usize = 240;
/// Frames a second of the clip.
pub(crate) const CLIP_FPS: f64 = 30.0;

/// The skeleton and skin of a folder, every vertex on the bone that its shapes follow best, with its first poses as a clip "examples". Lengths are
/// the folder's.
///
/// # Errors
/// Numbers that are out of range.
pub(crate) fn exchange_character(folder: &ExchangeFolder) -> Result<Character, RigError> {
    let count = folder.parents.len();
    let bone = |name: &str, parent, rest| {
        let rest = LocalTransform::Trs(rest);
        Bone { name: name.into(), parent, rest, tip_in_bone: None }
    };
    let mut parts = CharacterParts { name: "examples".into(), ..CharacterParts::default() };
    for at in 0..count {
        let parent = folder.parents[at].map(BoneId::of);
        parts.bones.push(bone(&folder.set.driver_names[at], parent, trs(&folder.local(at, None))));
    }
    parts.bones.push(bone("skin", None, Trs::IDENTITY));
    let surface = TriangleMesh {
        positions: folder.set.rest_positions.clone(),
        triangles: folder.set.triangles.clone(),
    };
    let mut mesh = Mesh::from_triangles("skin", surface, None);
    let mut builder = InfluencesBuilder::with_capacity(mesh.vertex_count(), mesh.vertex_count());
    for bone in nearest_bones(folder) {
        builder.push([(bone, 1.0)]);
    }
    mesh.influences = builder.build();
    parts.meshes.push(mesh);
    parts.binds.push(Bind {
        name: "skin".into(),
        joints: (0..count).map(BoneId::of).collect(),
        joint_from_rest: folder.rest_world.iter().map(|matrix| matrix.inverse().as_affine3a()).collect(),
    });
    parts.instances.push(Instance {
        bone: BoneId::of(count),
        mesh: MeshId::of(0),
        bind: Some(BindId::of(0)),
        morph_weights: Vec::new(),
    });
    parts.clips.push(clip(folder));
    Ok(Character::new(parts)?)
}

/// Poses of a folder with their shapes, on its [`exchange_character`] or one made from that; at most `most`, evenly spread.
pub(crate) fn exchange_sequence(folder: &ExchangeFolder, character: &Character, most: usize) -> Sequence {
    let set = &folder.set;
    let mut sequence = Sequence::default();
    for at in (0..set.pose_count()).step_by(set.pose_count().div_ceil(most.max(1)).max(1)) {
        let mut pose = Pose::rest(character);
        for bone in 0..folder.parents.len() {
            let change = folder.local(bone, None).inverse() * folder.local(bone, Some(at));
            pose.change(BoneId::of(bone), &trs(&change));
        }
        sequence.poses.push(pose);
        sequence.shapes.push(set.examples().targets(at).to_vec());
    }
    sequence
}

impl ExchangeFolder {
    /// World from bone, in a pose or at rest.
    fn world(&self, bone: usize, pose: Option<usize>) -> DAffine3 {
        let rest = self.rest_world[bone];
        pose.map_or(rest, |pose| self.set.driver_posed_from_rest[pose * self.parents.len() + bone] * rest)
    }

    /// Parent from bone, in a pose or at rest.
    fn local(&self, bone: usize, pose: Option<usize>) -> DAffine3 {
        let world = self.world(bone, pose);
        self.parents[bone].map_or(world, |parent| self.world(parent, pose).inverse() * world)
    }
}

fn clip(folder: &ExchangeFolder) -> Clip {
    let frames = folder.set.pose_count().min(MOST_FRAMES);
    let times_secs: Vec<f64> = (0..frames).map(|frame| frame as f64 / CLIP_FPS).collect();
    let mut tracks = Vec::new();
    for bone in 0..folder.parents.len() {
        let locals = (0..frames).map(|frame| trs(&folder.local(bone, Some(frame))));
        let (translations, rotations) = locals.map(|trs| (trs.translation, trs.rotation)).unzip();
        let bone = BoneId::of(bone);
        for channel in [Channel::Translation(bone, translations), Channel::Rotation(bone, rotations)] {
            let interpolation = Interpolation::Linear;
            tracks.push(Track { times_secs: times_secs.clone(), interpolation, channel });
        }
    }
    Clip { name: "examples".into(), tracks }
}

/// For each vertex the bone that takes it nearest to its targets.
fn nearest_bones(folder: &ExchangeFolder) -> Vec<u16> {
    let (set, count) = (&folder.set, folder.parents.len());
    let examples = set.examples();
    let step = set.pose_count().div_ceil(MOST_FRAMES).max(1);
    let bone_of = |(vertex, place): (usize, &Vec3)| {
        let error = |bone: usize| -> f64 {
            let of_pose = |pose: usize| {
                let moved = examples.drivers(pose)[bone].transform_point3(place.as_dvec3());
                moved.distance_squared(examples.targets(pose)[vertex].as_dvec3())
            };
            (0..set.pose_count()).step_by(step).map(of_pose).sum()
        };
        (0..count).min_by(|&a, &b| error(a).total_cmp(&error(b))).unwrap_or(0) as u16
    };
    set.rest_positions.iter().enumerate().map(bone_of).collect()
}

fn trs(matrix: &DAffine3) -> Trs {
    LocalTransform::Matrix(matrix.as_affine3a()).to_trs()
}
