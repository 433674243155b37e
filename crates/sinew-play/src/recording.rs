//! What was recorded.

use crate::TakeError;
use glam::Vec3;
use sinew_rig::SeamlessNormals;
use sinew_rig::{Image, Material, Mesh};

/// Meshes whose vertices move freely, frame by frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Recording {
    name: String,
    meshes: Vec<Mesh>,
    materials: Vec<Material>,
    images: Vec<Image>,
    frames_per_second: f64,
    smooth: SeamlessNormals,
    /// Vertices of all meshes end to end, scene space, metres.
    frames: Vec<Vec<Vec3>>,
}

impl Recording {
    /// Of meshes at rest, without frames yet. Influences and morphs of the meshes do not count.
    ///
    /// # Errors
    /// A rate that is not above 0.
    pub fn new(
        name: &str,
        meshes: Vec<Mesh>,
        (materials, images): (Vec<Material>, Vec<Image>),
        frames_per_second: f64,
    ) -> Result<Self, TakeError> {
        if !(frames_per_second.is_finite() && frames_per_second > 0.0) {
            return Err(TakeError::Rate(frames_per_second));
        }
        let smooth = SeamlessNormals::of_meshes(&meshes);
        Ok(Self {
            name: name.into(),
            meshes,
            materials,
            images,
            frames_per_second,
            smooth,
            frames: Vec::new(),
        })
    }

    /// Adds a frame: vertices of all meshes end to end.
    ///
    /// # Errors
    /// Another number of vertices, or one that is not finite.
    pub fn push(&mut self, positions: Vec<Vec3>) -> Result<(), TakeError> {
        TakeError::check(self.frames.len(), &positions, "the meshes have", self.vertex_count())?;
        self.frames.push(positions);
        Ok(())
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The meshes at rest.
    pub fn meshes(&self) -> &[Mesh] {
        &self.meshes
    }

    /// What they look like.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Images of the materials.
    pub fn images(&self) -> &[Image] {
        &self.images
    }

    /// How fast it goes.
    pub fn frames_per_second(&self) -> f64 {
        self.frames_per_second
    }

    /// All frames: vertices of all meshes end to end.
    pub fn frames(&self) -> &[Vec<Vec3>] {
        &self.frames
    }

    /// Vertices of all meshes.
    pub fn vertex_count(&self) -> usize {
        self.meshes.iter().map(Mesh::vertex_count).sum()
    }

    /// Where each mesh's vertices are in a frame.
    pub fn ranges(&self) -> Vec<std::ops::Range<usize>> {
        let mut end = 0;
        let range = |mesh: &Mesh| {
            let start = end;
            end += mesh.vertex_count();
            start..end
        };
        self.meshes.iter().map(range).collect()
    }

    /// Smooth normals of a frame, from the meshes' triangles. Vertices at one place share theirs if they do at rest, so that seams
    /// of materials do not show.
    pub fn normals_of(&self, frame: &[Vec3]) -> Vec<Vec3> {
        self.smooth.at(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::TriangleMesh;

    #[test]
    fn normals_are_smooth_over_seams_and_hard_over_edges() {
        // Two squares of own vertices that meet at x = 1, once level and once at a right angle.
        let fold = |end: Vec3, second: Vec3| {
            let positions = vec![
                Vec3::ZERO,
                Vec3::X,
                Vec3::X + Vec3::Y,
                Vec3::Y,
                Vec3::X,
                end,
                end + Vec3::Y,
                Vec3::X + Vec3::Y,
            ];
            let triangles = vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]];
            let mut mesh = Mesh::from_triangles("fold", TriangleMesh { positions, triangles }, None);
            mesh.normals = [[Vec3::Z; 4], [second; 4]].concat();
            mesh
        };
        let level = fold(Vec3::new(2.0, 0.0, 0.0), Vec3::Z);
        let bent = fold(Vec3::new(1.0, 0.0, -1.0), Vec3::X).positions;
        let recording = |mesh: Mesh| Recording::new("", vec![mesh], Default::default(), 30.0).unwrap();
        let normals = recording(level).normals_of(&bent);
        assert!(normals[1].distance(normals[4]) < 1e-6 && normals[1].x > 0.5, "{normals:?}");
        let normals = recording(fold(Vec3::new(1.0, 0.0, -1.0), Vec3::X)).normals_of(&bent);
        assert!(normals[1].distance(Vec3::Z) < 1e-6 && normals[4].distance(Vec3::X) < 1e-6, "{normals:?}");
    }

    #[test]
    fn frames_of_other_surfaces_are_refused() {
        let mesh = Mesh { positions: vec![Vec3::ZERO; 3], ..Mesh::default() };
        let mut recording = Recording::new("", vec![mesh.clone()], Default::default(), 24.0).unwrap();
        assert!(recording.push(vec![Vec3::ONE; 3]).is_ok());
        let found = recording.push(vec![Vec3::ONE; 4]);
        assert!(matches!(found, Err(TakeError::VertexCount { frame: 1, found: 4, expected: 3, .. })));
        let found = recording.push(vec![Vec3::ONE, Vec3::NAN, Vec3::ONE]);
        assert!(matches!(found, Err(TakeError::NotFinite { frame: 1, vertex: 1, .. })));
        let found = Recording::new("", vec![mesh], Default::default(), 0.0);
        assert!(matches!(found, Err(TakeError::Rate(0.0))));
    }
}
