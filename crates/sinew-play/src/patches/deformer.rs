//! The patches of a body, for the vertices and palette of a character that carries it.

use glam::{Affine3A, Vec3};
use sinew_body::body::BodyMesh;
use sinew_body::pose::PatchDeformer;
use sinew_rig::{Deformer, Surface, SurfaceMut, Workspace};

/// Moves the vertices of a character by the patches of its body.
///
/// Departures from the laws are those of [`PatchDeformer`]. Bones that the design does not have, such as helpers, do not count.
#[derive(Debug)]
pub(super) struct CarriedPatches {
    patches: PatchDeformer,
    /// The body's own mesh, in rest.
    body_rest: Surface,
    /// The palette entry of each bone of the body, and how many entries there are.
    entries: Vec<usize>,
    entry_count: usize,
    /// The vertex of the body's mesh that each vertex is.
    vertices: Vec<u32>,
    /// The bone that turns morphs and tangents of each vertex.
    vertex_bones: Vec<u32>,
}

/// Memory of one frame.
struct Room {
    inner: Workspace,
    matrices: Vec<Affine3A>,
    posed: Surface,
}

impl CarriedPatches {
    pub(super) fn new(
        patches: PatchDeformer,
        mesh: &BodyMesh,
        (entries, entry_count): (Vec<usize>, usize),
        vertices: Vec<u32>,
        vertex_bones: Vec<u32>,
    ) -> Self {
        let body_rest = Surface {
            positions: mesh.positions_f32(),
            normals: mesh.normals.iter().map(|normal| normal.as_vec3()).collect(),
            tangents: Vec::new(),
        };
        Self { patches, body_rest, entries, entry_count, vertices, vertex_bones }
    }
}

impl Deformer for CarriedPatches {
    fn vertex_count(&self) -> usize {
        self.vertices.len()
    }

    fn workspace(&self) -> Workspace {
        Workspace::new(Room {
            inner: self.patches.workspace(),
            matrices: vec![Affine3A::IDENTITY; self.entries.len()],
            posed: self.body_rest.clone(),
        })
    }

    fn deform(&self, room: &mut Workspace, matrices: &[Affine3A], rest: &Surface, posed: SurfaceMut<'_>) {
        assert_eq!(matrices.len(), self.entry_count, "a matrix for each palette entry");
        posed.assert_fits(rest, self.vertices.len());
        let room: &mut Room = room.get();
        for (matrix, &entry) in room.matrices.iter_mut().zip(&self.entries) {
            *matrix = matrices[entry];
        }
        self.patches.deform(&mut room.inner, &room.matrices, &self.body_rest, room.posed.as_mut());
        for (vertex, (&source, &bone)) in self.vertices.iter().zip(&self.vertex_bones).enumerate() {
            let (source, turn) = (source as usize, &room.matrices[bone as usize]);
            let moved = rest.positions[vertex] - self.body_rest.positions[source];
            let morphed = if moved == Vec3::ZERO { moved } else { turn.transform_vector3(moved) };
            posed.positions[vertex] = room.posed.positions[source] + morphed;
            let normal = room.posed.normals[source];
            if let Some(written) = posed.normals.get_mut(vertex) {
                *written = normal;
            }
            if let (Some(written), Some(tangent)) =
                (posed.tangents.get_mut(vertex), rest.tangents.get(vertex))
            {
                let turned = turn.transform_vector3(tangent.truncate()).reject_from_normalized(normal);
                *written = turned.normalize_or(normal.any_orthonormal_vector()).extend(tangent.w);
            }
        }
    }
}
