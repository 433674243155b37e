//! All meshes of a character as one list of vertices, in output order.

use crate::{
    Bind, BindId, BoneId, Character, Evaluator, Influences, InfluencesBuilder, InstanceId, Mesh, Pose,
    Surface,
};
use glam::{Affine3A, Vec3, Vec4};
use std::collections::HashMap;
use std::ops::Range;

/// A bone with the rest pose of a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaletteEntry {
    /// The bone that moves the vertices of this entry.
    pub bone: BoneId,
    /// Its bind; `None` for a bone that carries a mesh rigidly. Entries of one bind share a rest space.
    pub bind: Option<BindId>,
    /// Bone space from the rest space of the mesh: the inverse bind matrix.
    pub bone_from_rest: Affine3A,
}

/// Range of an instance's vertices and triangles in the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoundInstance {
    /// Index in the character's list.
    pub instance: InstanceId,
    /// Range of the bound list of vertices.
    pub vertices: Range<usize>,
    /// Range of [`BoundSurface::triangles`].
    pub triangles: Range<usize>,
}

/// All mesh instances of a character in order, with one palette of bones for all.
///
/// Deformers use only this: one list of rest vertices, influences on one palette, one matrix per palette entry. A mesh without a bind
/// has its own palette entry, with weight 1. Order: instances in the character's order, then the mesh's own vertex order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundSurface {
    rest: Surface,
    influences: Influences,
    palette: Vec<PaletteEntry>,
    instances: Vec<BoundInstance>,
    triangles: Vec<[u32; 3]>,
}

impl BoundSurface {
    /// Lays out all instances of `character`. Missing normals are computed smooth from the triangles.
    pub fn of(character: &Character) -> Self {
        let mut builder = Builder::new(character);
        for (index, _) in character.instances().iter().enumerate() {
            builder.add(InstanceId::of(index));
        }
        BoundSurface { influences: builder.influences.build(), ..builder.made }
    }

    /// The rest shape, morphs at zero. Each instance is in its mesh's own rest space.
    pub fn rest(&self) -> &Surface {
        &self.rest
    }

    /// Palette entries of each vertex; every vertex has at least one.
    pub fn influences(&self) -> &Influences {
        &self.influences
    }

    /// The bones, each with the rest pose of its meshes.
    pub fn palette(&self) -> &[PaletteEntry] {
        &self.palette
    }

    /// Range of each instance.
    pub fn instances(&self) -> &[BoundInstance] {
        &self.instances
    }

    /// All triangles, with indices into the list.
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.rest.positions.len()
    }

    /// Skinning matrices for `pose` after the character's logic, one per palette entry: posed (model) space from rest space.
    pub fn posed_from_rest(&self, character: &Character, pose: &Pose) -> Vec<Affine3A> {
        let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        let mut posed_from_rest = vec![Affine3A::IDENTITY; self.palette.len()];
        pose.model_from_bone_into(character, &mut model_from_bone);
        self.posed_from_rest_into(&model_from_bone, &mut posed_from_rest);
        posed_from_rest
    }

    /// Skinning matrices for bones at `model_from_bone`, one per palette entry; overwrites the slice.
    ///
    /// # Panics
    /// If `posed_from_rest` is not one per palette entry.
    pub fn posed_from_rest_into(&self, model_from_bone: &[Affine3A], posed_from_rest: &mut [Affine3A]) {
        assert_eq!(posed_from_rest.len(), self.palette.len(), "one skinning matrix per palette entry");
        for (entry, posed) in self.palette.iter().zip(posed_from_rest) {
            *posed = model_from_bone[entry.bone.index()] * entry.bone_from_rest;
        }
    }

    /// Every vertex by plain linear blending of skinning matrices, as programs without another method show it. For set-up and tests;
    /// `sinew-skin` has the methods for frames.
    pub fn blended(&self, posed_from_rest: &[Affine3A]) -> Vec<Vec3> {
        let place = |(vertex, &rest): (usize, &Vec3)| {
            let parts = self.influences.pairs(vertex);
            parts
                .map(|(entry, weight)| posed_from_rest[usize::from(entry)].transform_point3(rest) * weight)
                .sum()
        };
        self.rest.positions.iter().enumerate().map(place).collect()
    }

    /// The rest shape plus the morphs of the pose, resolved by `evaluator`; overwrites `morphed`, which must have the rest shape's sizes.
    ///
    /// # Panics
    /// If a list of `morphed` differs in length from that of the rest shape.
    pub fn morphed_rest_into(
        &self,
        character: &Character,
        evaluator: &mut Evaluator,
        pose: &Pose,
        morphed: &mut Surface,
    ) {
        morphed.positions.copy_from_slice(&self.rest.positions);
        morphed.normals.copy_from_slice(&self.rest.normals);
        morphed.tangents.copy_from_slice(&self.rest.tangents);
        let morph_weights = evaluator.morph_weights(character, pose);
        for bound in &self.instances {
            let mesh = character.mesh_of(bound.instance);
            for (morph, &weight) in mesh.morphs.iter().zip(&morph_weights[bound.instance.index()]) {
                if weight == 0.0 {
                    continue;
                }
                let first = bound.vertices.start;
                morph.add_to(&morph.position_deltas, weight, |vertex, delta| {
                    morphed.positions[first + vertex] += delta
                });
                morph.add_to(&morph.normal_deltas, weight, |vertex, delta| {
                    morphed.normals[first + vertex] += delta
                });
                if !morphed.tangents.is_empty() {
                    morph.add_to(&morph.tangent_deltas, weight, |vertex, delta| {
                        morphed.tangents[first + vertex] += delta.extend(0.0);
                    });
                }
            }
        }
    }
}

struct Builder<'a> {
    character: &'a Character,
    /// All but the influences.
    made: BoundSurface,
    influences: InfluencesBuilder,
    /// Palette entry of a bone under a bind, or of a bone alone.
    entries: HashMap<(Option<u32>, u32), u16>,
    has_tangents: bool,
}

impl<'a> Builder<'a> {
    fn new(character: &'a Character) -> Self {
        let meshes = || character.instances().iter().map(|instance| character.mesh(instance.mesh));
        let vertex_count = meshes().map(Mesh::vertex_count).sum();
        let influence_count =
            meshes().map(|mesh| mesh.influences.influence_count().max(mesh.vertex_count())).sum();
        Self {
            character,
            made: BoundSurface::default(),
            influences: InfluencesBuilder::with_capacity(vertex_count, influence_count),
            entries: HashMap::new(),
            has_tangents: meshes().any(|mesh| !mesh.tangents.is_empty()),
        }
    }

    fn add(&mut self, instance: InstanceId) {
        let placed = self.character.instance(instance);
        let mesh = self.character.mesh(placed.mesh);
        let (first_vertex, first_triangle) = (self.made.vertex_count(), self.made.triangles.len());
        self.add_surface(mesh);
        let offset = first_vertex as u32;
        let triangles = mesh.triangles.iter().map(|triangle| triangle.map(|vertex| vertex + offset));
        self.made.triangles.extend(triangles);
        let mut entry_of_joint: Vec<u16> = Vec::new();
        match placed.bind {
            Some(bind) => {
                let Bind { joints, joint_from_rest, .. } = self.character.bind(bind);
                for (joint, (&bone, &bone_from_rest)) in (0..).zip(joints.iter().zip(joint_from_rest)) {
                    entry_of_joint.push(self.entry((Some(bind.0), joint), bone, bone_from_rest));
                }
            }
            None => _ = self.carrier_entry(placed.bone),
        }
        for vertex in 0..mesh.vertex_count() {
            if placed.bind.is_none() || mesh.influences.of(vertex).0.is_empty() {
                let carrier = self.carrier_entry(placed.bone);
                self.influences.push([(carrier, 1.0)]);
            } else {
                let pairs = mesh.influences.pairs(vertex);
                self.influences
                    .push(pairs.map(|(joint, weight)| (entry_of_joint[usize::from(joint)], weight)));
            }
        }
        self.made.instances.push(BoundInstance {
            instance,
            vertices: first_vertex..self.made.vertex_count(),
            triangles: first_triangle..self.made.triangles.len(),
        });
    }

    fn add_surface(&mut self, mesh: &Mesh) {
        let rest = &mut self.made.rest;
        rest.positions.extend_from_slice(&mesh.positions);
        if mesh.normals.is_empty() {
            rest.normals.extend(sinew_geometry::smooth_normals(&mesh.positions, &mesh.triangles));
        } else {
            rest.normals.extend_from_slice(&mesh.normals);
        }
        if self.has_tangents {
            rest.tangents.extend_from_slice(&mesh.tangents);
            rest.tangents.resize(rest.positions.len(), Vec4::new(1.0, 0.0, 0.0, 1.0));
        }
    }

    /// The entry of a bone that carries a mesh rigidly: the mesh's rest space is the bone's own.
    fn carrier_entry(&mut self, bone: BoneId) -> u16 {
        self.entry((None, bone.0), bone, Affine3A::IDENTITY)
    }

    fn entry(&mut self, key: (Option<u32>, u32), bone: BoneId, bone_from_rest: Affine3A) -> u16 {
        *self.entries.entry(key).or_insert_with(|| {
            let palette = &mut self.made.palette;
            palette.push(PaletteEntry { bone, bind: key.0.map(BindId), bone_from_rest });
            u16::try_from(palette.len() - 1).expect("Character::new limits the palette to 65,536 entries")
        })
    }
}
