//! Nodes, skins and the default scene.

use super::Reader;
use crate::gltf::accessor::Accessor;
use crate::gltf::json::Cursor;
use crate::gltf::{ReadGltfError, Result};
use glam::{Affine3A, Mat4, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{Bind, BindId, Bone, BoneId, Instance, LocalTransform, Mesh, MeshId};

/// Memory of a vertex of a placed mesh: position, normal, tangent, and a few influences.
const BYTES_PER_PLACED_VERTEX: u64 = 72;

/// A rotation or normal is normalized if its length differs from 1 by more than this. Below it the stored numbers stay unchanged,
/// and normalized values read back bit for bit. Above the rounding of a length in f32 (3e-7), below any visible effect.
pub(super) const UNIT_TOLERANCE: f32 = 5e-7;

impl Reader<'_> {
    /// Every node as a bone, in the file's order, without tips.
    pub(super) fn bones(&mut self) -> Result<Vec<Bone>> {
        let nodes = self.document.root().objects("nodes")?;
        self.budget.take(&"nodes", nodes.len() as u64, size_of::<Bone>() as u64)?;
        let mut bones = Vec::with_capacity(nodes.len());
        for node in &nodes {
            let rest = self.local_transform(node)?;
            bones.push(Bone { name: node.name(), parent: None, rest, tip_in_bone: None });
        }
        for (index, node) in nodes.iter().enumerate() {
            for child in node.list("children")? {
                let child_index = child.as_index(nodes.len())?;
                match bones[child_index].parent {
                    None => bones[child_index].parent = Some(BoneId::of(index)),
                    Some(first) => {
                        let what = format!("node {child_index} is already a child of node {first}");
                        return Err(ReadGltfError::Inconsistent { place: child.place, what });
                    }
                }
            }
        }
        Ok(bones)
    }

    fn local_transform(&mut self, node: &Cursor<'_>) -> Result<LocalTransform> {
        if let Some(matrix) = node.f32s::<16>("matrix")? {
            let matrix = self.affine(&Mat4::from_cols_array(&matrix), &node.place_of("matrix"));
            return Ok(match Trs::from_affine(&matrix) {
                Some(trs) => LocalTransform::Trs(trs),
                None => LocalTransform::Matrix(matrix),
            });
        }
        let rotation = match node.f32s::<4>("rotation")? {
            Some(rotation) => self.unit_rotation(rotation, &node.place_of("rotation")),
            None => Quat::IDENTITY,
        };
        let translation = node.f32s::<3>("translation")?.map_or(Vec3::ZERO, Vec3::from);
        let scale = node.f32s::<3>("scale")?.map_or(Vec3::ONE, Vec3::from);
        Ok(LocalTransform::Trs(Trs { translation, rotation, scale }))
    }

    /// A unit rotation; the identity if it has no length.
    pub(super) fn unit_rotation(&mut self, rotation: [f32; 4], place: &str) -> Quat {
        let rotation = Quat::from_array(rotation);
        let length = rotation.length();
        if !(length > f32::MIN_POSITIVE && length.is_finite()) {
            self.report.warn(place, "a rotation of length 0 is replaced by the identity");
            return Quat::IDENTITY;
        }
        // Stored floats are off by rounding only; anything more is reported.
        if (length - 1.0).abs() > 1e-3 {
            self.report.warn(place, format!("a rotation of length {length} is normalized"));
        }
        if (length - 1.0).abs() <= UNIT_TOLERANCE { rotation } else { rotation / length }
    }

    fn affine(&mut self, matrix: &Mat4, place: &str) -> Affine3A {
        let row = matrix.row(3);
        if !row.abs_diff_eq(glam::Vec4::W, 1e-6) {
            let what = format!("the last row of the matrix is {row}, expected 0 0 0 1; it is ignored");
            self.report.warn(place, what);
        }
        Affine3A::from_mat4(*matrix)
    }

    /// Every skin.
    pub(super) fn binds(&mut self) -> Result<Vec<Bind>> {
        let root = self.document.root();
        let node_count = root.list_len("nodes");
        let mut binds = Vec::new();
        for skin in root.objects("skins")? {
            let listed = skin.list("joints")?;
            self.budget.take(&skin.place, listed.len() as u64, size_of::<(BoneId, Affine3A)>() as u64)?;
            let joints = listed.iter().map(|joint| Ok(BoneId::of(joint.as_index(node_count)?)));
            let joints = joints.collect::<Result<Vec<_>>>()?;
            let joint_from_rest = match skin.get("inverseBindMatrices") {
                Some(reference) => self.inverse_binds(&reference, joints.len())?,
                None => vec![Affine3A::IDENTITY; joints.len()],
            };
            binds.push(Bind { name: skin.name(), joints, joint_from_rest });
        }
        Ok(binds)
    }

    fn inverse_binds(&mut self, reference: &Cursor<'_>, joint_count: usize) -> Result<Vec<Affine3A>> {
        let accessor = Accessor::open(self.document, reference, &mut self.budget)?;
        accessor.expect_components(&[16], "inverse bind matrices")?;
        if accessor.count < joint_count || !accessor.is_float() {
            let what = format!("{} matrices for {joint_count} joints", accessor.count);
            return Err(ReadGltfError::Inconsistent { place: reference.place.clone(), what });
        }
        let matrices = accessor.floats::<16>([0.0; 16], &mut self.budget)?;
        let mut affines = Vec::with_capacity(joint_count);
        for (joint, matrix) in matrices.iter().take(joint_count).enumerate() {
            let place = format!("{}, matrix {joint}", accessor.place);
            if matrix.iter().any(|x| !x.is_finite()) {
                return Err(ReadGltfError::Inconsistent { place, what: "the matrix is not finite".into() });
            }
            affines.push(self.affine(&Mat4::from_cols_array(matrix), &place));
        }
        Ok(affines)
    }

    /// The default scene's name and its meshes, in the order of the nodes that carry them.
    pub(super) fn instances(&mut self, meshes: &[Mesh]) -> Result<(String, Vec<Instance>)> {
        let root = self.document.root();
        let nodes = root.objects("nodes")?;
        let scenes = root.objects("scenes")?;
        let scene = match root.index("scene", scenes.len())? {
            Some(index) => Some(&scenes[index]),
            None => scenes.first(),
        };
        let is_in_scene = match scene {
            Some(scene) => nodes_of_scene(scene, &nodes)?,
            None => vec![true; nodes.len()],
        };
        let bind_count = root.list_len("skins");
        let mut instances = Vec::new();
        for (index, node) in nodes.iter().enumerate().filter(|&(index, _)| is_in_scene[index]) {
            let Some(mesh_index) = node.index("mesh", meshes.len())? else { continue };
            let mesh = &meshes[mesh_index];
            // Every instance of a mesh has its own vertices and triangles once it is bound.
            self.budget.take(&node.place, mesh.vertex_count() as u64, BYTES_PER_PLACED_VERTEX)?;
            self.budget.take(&node.place, mesh.triangles.len() as u64, size_of::<[u32; 3]>() as u64)?;
            let bind = node.index("skin", bind_count)?.map(BindId::of);
            if bind.is_some() && mesh.influences.influence_count() == 0 {
                let what = format!("mesh {mesh_index} has a skin but no weights; it follows its node");
                self.report.warn(&node.place, what);
            }
            let morph_weights = match node.get("weights") {
                Some(_) => numbers(node, "weights", mesh.morphs.len())?,
                None => mesh.default_morph_weights.clone(),
            };
            instances.push(Instance {
                bone: BoneId::of(index),
                mesh: MeshId::of(mesh_index),
                bind,
                morph_weights,
            });
        }
        Ok((scene.map(Cursor::name).unwrap_or_default(), instances))
    }
}

/// A list of exactly `count` numbers; zeros if the list is missing or short, as in viewers.
pub(super) fn numbers(cursor: &Cursor<'_>, key: &str, count: usize) -> Result<Vec<f32>> {
    let mut numbers = vec![0.0; count];
    for (number, item) in numbers.iter_mut().zip(cursor.list(key)?) {
        let value = item.value.as_f64().map(|x| x as f32).filter(|x| x.is_finite());
        *number = value.ok_or_else(|| item.wrong("a number"))?;
    }
    Ok(numbers)
}

/// The nodes reachable from the scene's roots. A node is followed once, so a cycle ends here; the skeleton rejects it later with
/// its bones' names.
fn nodes_of_scene(scene: &Cursor<'_>, nodes: &[Cursor<'_>]) -> Result<Vec<bool>> {
    let mut is_in_scene = vec![false; nodes.len()];
    let mut open = Vec::new();
    for node in scene.list("nodes")? {
        open.push(node.as_index(nodes.len())?);
    }
    while let Some(index) = open.pop() {
        if std::mem::replace(&mut is_in_scene[index], true) {
            continue;
        }
        for child in nodes[index].list("children")? {
            open.push(child.as_index(nodes.len())?);
        }
    }
    Ok(is_in_scene)
}
