//! Nodes to bones.
//!
//! A file's nodes often stand in a frame of its animation, or as the artist left them. Skins know the pose that they were bound in, which
//! is the rest pose that programs show and that motions of other characters are measured against. So bones of skins rest there, and the
//! file's own pose is kept for clips.

use super::convert::{affine, affine_f32, trs};
use super::error::ReadFbxError;
use crate::Report;
use glam::DAffine3;
use sinew_geometry::Trs;
use sinew_rig::{Bone, BoneId, LocalTransform};

/// Difference of two poses that is rounding: as a share of the skeleton's size for places, as a number for the entries of the 3×3 part.
/// Exporters write matrices and angles apart, to about 1e-6.
const SAME_POSE: f64 = 1e-4;

/// All nodes of a file but its root.
pub(super) struct Nodes<'a> {
    /// Depth first; children in the file's order.
    pub(super) nodes: Vec<&'a ufbx::Node>,
    /// One per node.
    pub(super) bones: Vec<Bone>,
    /// The file's own transform of each node that rests elsewhere.
    pub(super) file_pose: Vec<Option<Trs>>,
    /// By ufbx's own index; `None` for the root.
    bone_of_node: Vec<Option<BoneId>>,
}

impl<'a> Nodes<'a> {
    pub(super) fn new(scene: &'a ufbx::Scene, report: &mut Report) -> Result<Self, ReadFbxError> {
        let nodes = depth_first(scene);
        let mut bone_of_node = vec![None; scene.nodes.len()];
        for (index, node) in nodes.iter().enumerate() {
            bone_of_node[node.element.typed_id as usize] = Some(BoneId::of(index));
        }
        let bone = |node: &&ufbx::Node| Bone {
            name: node.element.name.to_string(),
            parent: node.parent.as_ref().and_then(|parent| bone_of_node[parent.element.typed_id as usize]),
            rest: LocalTransform::Trs(trs(&node.local_transform)),
            tip_in_bone: None,
        };
        let bones: Vec<Bone> = nodes.iter().map(bone).collect();
        let file_pose = vec![None; bones.len()];
        let mut nodes = Self { nodes, bones, file_pose, bone_of_node };
        nodes.rest_in_bind_pose(scene, report);
        Ok(nodes)
    }

    /// The bone of a node; `None` for the root.
    pub(super) fn bone_of(&self, node: &ufbx::Node) -> Option<BoneId> {
        self.bone_by_index(node.element.typed_id)
    }

    /// The bone of a node by ufbx's index.
    pub(super) fn bone_by_index(&self, typed_id: u32) -> Option<BoneId> {
        self.bone_of_node.get(typed_id as usize).copied().flatten()
    }

    /// Moves the bones of skins to where they were bound, if they stand elsewhere.
    fn rest_in_bind_pose(&mut self, scene: &ufbx::Scene, report: &mut Report) {
        let bound = self.bind_pose(scene);
        let size = size_of(&bound);
        let is_moved = |(node, bound): (&&ufbx::Node, &Option<DAffine3>)| {
            bound.is_some_and(|bound| differs(&bound, &affine(&node.node_to_world), size))
        };
        let moved = self.nodes.iter().zip(&bound).filter(|&pair| is_moved(pair)).count();
        if moved == 0 {
            return;
        }
        match self.locals(&bound) {
            Some(rest) => {
                for (index, rest) in rest.into_iter().enumerate() {
                    let file = trs(&self.nodes[index].local_transform);
                    self.bones[index].rest = LocalTransform::Trs(rest);
                    self.file_pose[index] = (rest != file).then_some(file);
                }
                let what =
                    "bones stand in another pose than the skin was bound in; they rest in that of the skin";
                report.warn("nodes", format!("{moved} {what}"));
            }
            None => {
                let what = "bones stand in another pose than the skin was bound in, which is sheared; they rest as the file has them";
                report.warn("nodes", format!("{moved} {what}"));
            }
        }
    }

    /// Where each bone of a skin stood when it was bound, model space; the first skin wins.
    fn bind_pose(&self, scene: &ufbx::Scene) -> Vec<Option<DAffine3>> {
        let mut bound = vec![None; self.nodes.len()];
        for cluster in &scene.skin_clusters {
            let bone = cluster.bone_node.as_ref().and_then(|node| self.bone_of(node));
            let stands = affine(&cluster.bind_to_world);
            let determinant = stands.matrix3.determinant();
            if let Some(bone) = bone.filter(|_| stands.is_finite() && determinant.abs() > f64::MIN_POSITIVE) {
                bound[bone.index()].get_or_insert(stands);
            }
        }
        bound
    }

    /// Each bone in its parent, where bones with a place in `bound` stand there and all others keep the file's transform. `None` if one is
    /// sheared.
    fn locals(&self, bound: &[Option<DAffine3>]) -> Option<Vec<Trs>> {
        let mut stands: Vec<DAffine3> = Vec::with_capacity(bound.len());
        let mut locals = Vec::with_capacity(bound.len());
        for (index, bone) in self.bones.iter().enumerate() {
            let file = affine(&self.nodes[index].node_to_parent);
            // Parents come first.
            let parent = bone.parent.map_or(DAffine3::IDENTITY, |parent| stands[parent.index()]);
            match bound[index] {
                Some(bound) => {
                    let local = parent.inverse() * bound;
                    locals.push(Trs::from_affine(&affine_f32(&local)).filter(Trs::is_finite)?);
                    stands.push(bound);
                }
                None => {
                    locals.push(trs(&self.nodes[index].local_transform));
                    stands.push(parent * file);
                }
            }
        }
        Some(locals)
    }
}

/// All nodes below the root, each before its children.
fn depth_first(scene: &ufbx::Scene) -> Vec<&ufbx::Node> {
    let mut open: Vec<&ufbx::Node> = (&scene.root_node.children).into_iter().collect();
    open.reverse();
    let mut nodes = Vec::with_capacity(scene.nodes.len());
    while let Some(node) = open.pop() {
        nodes.push(node);
        let first = open.len();
        open.extend(&node.children);
        open[first..].reverse();
    }
    nodes
}

/// The largest extent of the bones' places.
fn size_of(bound: &[Option<DAffine3>]) -> f64 {
    let places = || bound.iter().flatten().map(|stands| stands.translation);
    let low = places().reduce(|a, b| a.min(b)).unwrap_or_default();
    let high = places().reduce(|a, b| a.max(b)).unwrap_or_default();
    (high - low).max_element()
}

/// Whether two transforms differ by more than rounding.
fn differs(a: &DAffine3, b: &DAffine3, size: f64) -> bool {
    let scale = a.matrix3.x_axis.length().max(f64::MIN_POSITIVE);
    let turned = (a.matrix3 - b.matrix3).to_cols_array().iter().fold(0.0, |most: f64, x| most.max(x.abs()));
    let moved = (a.translation - b.translation).length();
    turned > SAME_POSE * scale || moved > SAME_POSE * size
}
