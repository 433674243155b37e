//! Frames of a surface, whatever moves it.

use crate::{BasisSettings, MorphSummary, Recording, TakeError};
use glam::{Affine3A, Vec3};
use sinew_geometry::progress::Progress;
use sinew_io::{GltfDocument, Report, UsdaPart};
use sinew_model::{Frames, Model, SaveError, extension_of, save_obj};
use sinew_rig::{Material, Mesh, Pose};
use sinew_skin::PosedCharacter;
use std::borrow::Cow;
use std::path::Path;

/// What does not change from frame to frame.
#[derive(Clone, Debug)]
pub struct Topology<'a> {
    /// What the surface is called.
    pub name: Cow<'a, str>,
    /// Its meshes, in the order of the vertices.
    pub meshes: Vec<&'a Mesh>,
    /// Triangles of each mesh, with indices into its own vertices.
    pub triangles: Vec<Cow<'a, [[u32; 3]]>>,
    /// Looks of all meshes.
    pub materials: &'a [Material],
}

impl<'a> Topology<'a> {
    /// Of meshes as they are.
    pub fn new(name: Cow<'a, str>, meshes: Vec<&'a Mesh>, materials: &'a [Material]) -> Self {
        let triangles = meshes.iter().map(|mesh| Cow::Borrowed(&mesh.triangles[..])).collect();
        Self { name, meshes, triangles, materials }
    }

    /// Vertices of all meshes.
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(|mesh| mesh.vertex_count()).sum()
    }

    pub(crate) fn usda_parts(&self) -> Vec<UsdaPart<'_>> {
        let each = self.meshes.iter().zip(&self.triangles);
        each.map(|(mesh, triangles)| UsdaPart { triangles, ..UsdaPart::of_mesh(mesh, self.materials) })
            .collect()
    }
}

/// Which files can hold a take, in words.
#[derive(Clone, Copy, Debug)]
pub struct TakeKind {
    /// Such as "a whole clip".
    pub what: &'static str,
    /// Extensions of models that [`Take::write_model`] writes.
    pub models: &'static [&'static str],
    /// Extensions of all files, caches included.
    pub known: &'static str,
    /// What is said of a vertex that is not finite; may be empty.
    pub not_finite: &'static str,
}

/// Frames of a surface: a posed character, a recording, flesh over a rig. [`crate::write_take`] writes one.
pub trait Take<'a> {
    /// Which files can hold it.
    fn kind(&self) -> TakeKind;

    /// Frames a second; `None` for one pose.
    fn fps(&self) -> Option<f64>;

    /// At least one.
    fn frame_count(&self) -> usize;

    /// What does not change. A take may go to its first frame for it.
    fn topology(&mut self) -> Topology<'a>;

    /// Goes to a frame and writes its vertices over `positions`, meshes end to end, scene space, metres.
    fn positions(&mut self, frame: usize, positions: &mut Vec<Vec3>);

    /// Unit normals of the frame that [`Take::positions`] wrote last.
    fn normals(&self, positions: &[Vec3]) -> Vec<Vec3>;

    /// Bones of that frame, model from bone; empty where there are none.
    fn bones(&self) -> &[Affine3A] {
        &[]
    }

    /// Writes the take as a model, and tells how its motion was put into morphs.
    ///
    /// # Errors
    /// The model cannot be made or written, or the caller stops.
    fn write_model(&mut self, file: ModelFile<'_>) -> Result<Vec<MorphSummary>, TakeError>;
}

/// Where [`Take::write_model`] writes to.
pub struct ModelFile<'a> {
    /// The file.
    pub path: &'a Path,
    /// Takes what the format cannot hold.
    pub report: &'a mut Report,
    /// Told of every frame.
    pub progress: &'a Progress<'a>,
}

/// Goes to a frame, and refuses one that has no place.
pub(crate) fn checked_frame(
    take: &mut dyn Take<'_>,
    frame: usize,
    positions: &mut Vec<Vec3>,
) -> Result<(), TakeError> {
    take.positions(frame, positions);
    TakeError::check_finite(frame, positions, take.kind().not_finite)
}

/// All frames of a take.
///
/// # Errors
/// A vertex that is not finite, or the caller stops.
pub fn all_frames(take: &mut dyn Take<'_>, progress: &Progress<'_>) -> Result<Vec<Vec<Vec3>>, TakeError> {
    let count = take.frame_count();
    let mut frames = vec![Vec::new(); count];
    for (at, frame) in frames.iter_mut().enumerate() {
        progress.step(at, count)?;
        checked_frame(take, at, frame)?;
    }
    Ok(frames)
}

/// A character in the poses of a clip, or in one.
pub struct PosedTake<'a> {
    model: &'a Model,
    posed: PosedCharacter,
    frames: Frames,
    pose: Pose,
}

impl<'a> PosedTake<'a> {
    /// `posed` is bound to the character of `model`.
    pub fn new(model: &'a Model, posed: PosedCharacter, frames: Frames) -> Self {
        let pose = Pose::rest(posed.character());
        Self { model, posed, frames, pose }
    }

    fn set(&mut self, frame: usize) {
        self.frames.pose_into(frame, &mut self.pose);
        self.posed.set(&self.pose);
    }

    /// The posed shape as a model without bones, with the looks of the file that it came from.
    fn save_frozen(&self, path: &Path, report: &mut Report) -> Result<(), SaveError> {
        let character = self.posed.frozen()?;
        let source = self.model.gltf();
        let document =
            source.map(|source| GltfDocument::from_character_with_looks_of(&character, source, report));
        sinew_model::report_lost_rig("a posed shape", &self.model.character, report);
        self.model.report_contents_lost_in_shape(report);
        match document {
            // The document is the character as it is: nothing differs, nothing is put in.
            Some(document) => sinew_model::save_document(&document, path, report),
            None => Model::new(character).save(path, report),
        }
    }
}

impl<'a> Take<'a> for PosedTake<'a> {
    fn kind(&self) -> TakeKind {
        let (what, models, known): (_, &[&str], _) = match self.fps() {
            Some(_) => ("a whole clip", &[], ".npy, .pc2 and .usda"),
            None => ("one pose", &["obj", "glb", "gltf"], ".npy, .obj, .glb and .gltf"),
        };
        TakeKind { what, models, known, not_finite: "; the pose is too large" }
    }

    fn fps(&self) -> Option<f64> {
        self.frames.fps()
    }

    fn frame_count(&self) -> usize {
        self.frames.count()
    }

    fn topology(&mut self) -> Topology<'a> {
        // Of the first frame: a mirrored mesh is turned, so that its outside stays outside.
        self.set(0);
        let character = &self.model.character;
        let instances = self.posed.bound().instances().iter();
        Topology {
            name: character.name().into(),
            meshes: instances.map(|placed| character.mesh_of(placed.instance)).collect(),
            triangles: self.posed.instance_triangles().into_iter().map(Cow::Owned).collect(),
            materials: character.materials(),
        }
    }

    fn positions(&mut self, frame: usize, positions: &mut Vec<Vec3>) {
        self.set(frame);
        positions.clone_from(&self.posed.surface().positions);
    }

    fn normals(&self, _positions: &[Vec3]) -> Vec<Vec3> {
        self.posed.surface().normals.clone()
    }

    fn bones(&self) -> &[Affine3A] {
        self.posed.model_from_bone()
    }

    fn write_model(&mut self, file: ModelFile<'_>) -> Result<Vec<MorphSummary>, TakeError> {
        file.progress.step(0, 1)?;
        checked_frame(self, 0, &mut Vec::new())?;
        match extension_of(file.path).as_str() {
            "obj" => save_obj(&self.posed, file.path, file.report)?,
            _ => self.save_frozen(file.path, file.report)?,
        }
        Ok(Vec::new())
    }
}

/// A recording, as a model within `basis` of its motion.
pub struct RecordedTake<'a> {
    /// What was recorded.
    pub recording: &'a Recording,
    /// How near morph targets are, and how many there may be.
    pub basis: BasisSettings,
}

impl<'a> Take<'a> for RecordedTake<'a> {
    fn kind(&self) -> TakeKind {
        let known = ".glb, .gltf, .pc2, .usda and .npy";
        TakeKind { what: "a recording", models: &["glb", "gltf"], known, not_finite: "" }
    }

    fn fps(&self) -> Option<f64> {
        Some(self.recording.frames_per_second())
    }

    fn frame_count(&self) -> usize {
        self.recording.frames().len()
    }

    fn topology(&mut self) -> Topology<'a> {
        let recording = self.recording;
        Topology::new(recording.name().into(), recording.meshes().iter().collect(), recording.materials())
    }

    fn positions(&mut self, frame: usize, positions: &mut Vec<Vec3>) {
        positions.clone_from(&self.recording.frames()[frame]);
    }

    fn normals(&self, positions: &[Vec3]) -> Vec<Vec3> {
        self.recording.normals_of(positions)
    }

    fn write_model(&mut self, file: ModelFile<'_>) -> Result<Vec<MorphSummary>, TakeError> {
        file.progress.step(0, 1)?;
        let (character, morphs) = self.recording.morphing_character(&self.basis)?;
        Model::new(character).save(file.path, file.report)?;
        Ok(morphs)
    }
}
