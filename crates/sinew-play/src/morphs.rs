//! Recordings as characters: rigid motions of nodes, and morph targets for the rest.

use super::rigid::Rigid;
use super::{BasisSettings, MorphBasis, Recording, ShapeBasis};
use glam::{Quat, Vec3};
use rayon::prelude::*;
use serde::Serialize;
use sinew_geometry::Trs;
use sinew_rig::{
    Bone, BoneId, Channel, Character, CharacterParts, Clip, Instance, InstanceId, InvalidCharacter,
    LocalTransform, Mesh, MeshId, MorphTarget, Track,
};

/// How a mesh's motion was put into morphs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MorphSummary {
    /// The mesh.
    pub mesh: String,
    /// Morph targets.
    pub morphs: usize,
    /// The farthest that any vertex is from where it was, metres.
    pub worst_error: f32,
    /// The mean square root over vertices and frames, metres.
    pub rms_error: f32,
}

impl MorphSummary {
    pub(crate) fn of(mesh: &Mesh, basis: &ShapeBasis, morphs: &MorphBasis) -> Self {
        let (worst_error, rms_error) = (basis.worst_m, basis.rms_m);
        Self { mesh: mesh.name.clone(), morphs: morphs.shapes.len(), worst_error, rms_error }
    }
}

impl MorphBasis {
    /// Morph targets of the shapes, numbered after `name`.
    pub(crate) fn targets(&self, name: &str) -> impl Iterator<Item = MorphTarget> {
        self.shapes.iter().enumerate().map(move |(at, shape)| {
            let normals = self.companions.get(at).map_or(&[][..], Vec::as_slice);
            MorphTarget::from_dense(format!("{name} {}", at + 1), shape, normals, &[])
        })
    }
}

impl Recording {
    /// The recording as a character: a bone a mesh, morph targets, and a clip that plays them.
    ///
    /// # Errors
    /// If the meshes are invalid.
    pub fn morphing_character(
        &self,
        settings: &BasisSettings,
    ) -> Result<(Character, Vec<MorphSummary>), InvalidCharacter> {
        let mut parts = CharacterParts {
            name: self.name().into(),
            materials: self.materials().to_vec(),
            images: self.images().to_vec(),
            ..CharacterParts::default()
        };
        let normals: Vec<Vec<Vec3>> = self.frames().par_iter().map(|frame| self.normals_of(frame)).collect();
        let mut tracks = Vec::new();
        let mut summaries = Vec::new();
        for (at, (mesh, range)) in self.meshes().iter().zip(self.ranges()).enumerate() {
            let motion = MeshMotion::new(mesh, self.frames(), &normals, range, settings);
            summaries.push(MorphSummary::of(mesh, &motion.basis, &motion.morphs));
            tracks.extend(motion.tracks(at, self.frames_per_second()));
            let morphs: Vec<MorphTarget> = motion.morphs.targets("shape").collect();
            parts.bones.push(motion.bone(mesh));
            parts.instances.push(Instance {
                bone: BoneId::of(at),
                mesh: MeshId::of(at),
                bind: None,
                morph_weights: motion.morphs.weights[0].clone(),
            });
            let default_morph_weights = vec![0.0; morphs.len()];
            parts.meshes.push(Mesh {
                influences: sinew_rig::Influences::none(mesh.vertex_count()),
                spherical: Vec::new(),
                methods: Vec::new(),
                morphs,
                default_morph_weights,
                ..mesh.clone()
            });
        }
        parts.clips = vec![Clip { name: self.name().into(), tracks }];
        Ok((Character::new(parts)?, summaries))
    }
}

/// A mesh's motion: a rigid one, and what is left as morphs.
struct MeshMotion {
    rigid: Vec<Rigid>,
    basis: ShapeBasis,
    morphs: MorphBasis,
}

impl MeshMotion {
    fn new(
        mesh: &Mesh,
        frames: &[Vec<Vec3>],
        normals: &[Vec<Vec3>],
        range: std::ops::Range<usize>,
        settings: &BasisSettings,
    ) -> Self {
        let found: Vec<Rigid> =
            frames.par_iter().map(|frame| Rigid::between(&mesh.positions, &frame[range.clone()])).collect();
        let mut before = Quat::IDENTITY;
        let beside = |rigid: Rigid| {
            let rigid = rigid.beside(before);
            before = rigid.turn;
            rigid
        };
        let rigid: Vec<Rigid> = found.into_iter().map(beside).collect();
        let each = rigid.par_iter().zip(frames);
        let deltas: Vec<Vec<Vec3>> = each
            .map(|(rigid, frame)| {
                let moved = frame[range.clone()].iter().zip(&mesh.positions);
                moved.map(|(now, rest)| rigid.undo(*now) - *rest).collect()
            })
            .collect();
        let basis = ShapeBasis::fit(&deltas, settings);
        let normal_shapes = match mesh.normals[..] {
            [] => Vec::new(),
            ref rest => {
                let turned = rigid.par_iter().zip(normals).map(|(rigid, normals)| {
                    let now = normals[range.clone()].iter().zip(rest);
                    now.map(|(now, rest)| rigid.turn.conjugate() * *now - *rest).collect()
                });
                basis.companions(&turned.collect::<Vec<Vec<Vec3>>>())
            }
        };
        let morphs = basis.one_sided(&normal_shapes);
        Self { rigid, basis, morphs }
    }

    /// The node, where it is in the first frame.
    fn bone(&self, mesh: &Mesh) -> Bone {
        let Rigid { turn, shift } = self.rigid[0];
        let rest = LocalTransform::Trs(Trs { translation: shift, rotation: turn, ..Trs::IDENTITY });
        Bone { name: mesh.name.clone(), parent: None, rest, tip_in_bone: None }
    }

    fn tracks(&self, mesh: usize, frames_per_second: f64) -> Vec<Track> {
        let times_secs: Vec<f64> =
            (0..self.rigid.len()).map(|frame| frame as f64 / frames_per_second).collect();
        let bone = BoneId::of(mesh);
        let mut channels = vec![
            Channel::Translation(bone, self.rigid.iter().map(|rigid| rigid.shift).collect()),
            Channel::Rotation(bone, self.rigid.iter().map(|rigid| rigid.turn).collect()),
        ];
        if !self.morphs.shapes.is_empty() {
            channels.push(Channel::MorphWeights(InstanceId::of(mesh), self.morphs.weights.concat()));
        }
        channels.into_iter().map(|channel| Track::linear(times_secs.clone(), channel)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RecordedTake, TakeError, Targets, write_take};
    use sinew_geometry::progress::Progress;
    use sinew_geometry::shapes;
    use sinew_io::Report;
    use sinew_model::{Frames, PoseChoice};
    use sinew_skin::{Method, PosedCharacter};
    use std::path::Path;

    /// Two balls that fly, turn and pulse, the second of another seam.
    fn recording() -> Recording {
        let ball = |name: &str| Mesh::from_triangles(name, shapes::sphere(0.2, 24, 12), None);
        let meshes = vec![ball("first"), ball("second")];
        let rest: Vec<Vec3> = meshes.iter().flat_map(|mesh| mesh.positions.clone()).collect();
        let mut recording = Recording::new("balls", meshes, Default::default(), 24.0).unwrap();
        for frame in 0..30 {
            let time = frame as f32 / 24.0;
            let place = |(at, point): (usize, &Vec3)| {
                let side = if at < rest.len() / 2 { -1.0 } else { 1.0 };
                let pulse = Vec3::new(1.0 + 0.3 * (5.0 * time).sin(), 1.0, 1.0 + 0.2 * (9.0 * time).cos());
                Quat::from_rotation_y(side * 3.0 * time) * (*point * pulse) + Vec3::new(side, time, 0.0)
            };
            recording.push(rest.iter().enumerate().map(place).collect()).unwrap();
        }
        recording
    }

    #[test]
    fn the_character_plays_what_was_recorded() {
        let recording = recording();
        let settings = BasisSettings { tolerance_m: 1e-4, most: 16 };
        let (character, morphs) = recording.morphing_character(&settings).unwrap();
        assert!(morphs.iter().all(|mesh| mesh.morphs == 3 && mesh.worst_error < 1e-4), "{morphs:?}");
        let choice = PoseChoice::Clip { clip: "balls".into(), fps: 24.0 };
        let frames = Frames::new(&character, &choice).unwrap();
        let mut posed = PosedCharacter::bind(&character, Method::Lbs);
        let mut pose = sinew_rig::Pose::rest(&character);
        assert_eq!(frames.count(), 30);
        for (at, expected) in recording.frames().iter().enumerate() {
            frames.pose_into(at, &mut pose);
            posed.set(&pose);
            let found = &posed.surface().positions;
            let worst = found.iter().zip(expected).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
            assert!(worst < 2e-4, "frame {at}: {worst}");
            let normals = recording.normals_of(expected);
            let worst = posed
                .surface()
                .normals
                .iter()
                .zip(&normals)
                .map(|(a, b)| a.angle_between(*b))
                .fold(0.0, f32::max);
            assert!(worst < 0.1, "frame {at}: normals {worst} rad apart");
        }
    }

    #[test]
    fn every_format_is_written_whole() {
        let recording = recording();
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &Path| {
            let mut take = RecordedTake { recording: &recording, basis: BasisSettings::default() };
            write_take(&mut take, &Targets::file(path), &mut Report::default(), &Progress::none())
        };
        for name in ["a.glb", "a.gltf", "a.npy", "a.pc2", "a.usda"] {
            let path = folder.path().join(name);
            write(&path).unwrap();
            assert!(path.metadata().unwrap().len() > 1000, "{name}");
        }
        let bytes = std::fs::read(folder.path().join("a.npy")).unwrap();
        assert_eq!(sinew_io::read_npy_f32(&bytes).unwrap().shape, [30, recording.vertex_count(), 3]);
        let refused = write(&folder.path().join("a.fbx"));
        assert!(matches!(refused, Err(TakeError::UnknownKind { what: "a recording", .. })), "{refused:?}");
        assert_eq!(
            std::fs::read_dir(folder.path()).unwrap().count(),
            6,
            "five files and the buffer of the .gltf"
        );
    }
}
