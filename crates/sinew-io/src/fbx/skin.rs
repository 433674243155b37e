//! Skins: clusters to a bind, their weights to influences.

use super::convert::{affine, affine_f32};
use super::nodes::Nodes;
use crate::Report;
use sinew_rig::{Bind, Influences, InfluencesBuilder};

/// The skin of a mesh.
pub(super) struct Skin<'a> {
    deformer: &'a ufbx::SkinDeformer,
    /// The joint of each cluster; `None` for one without a bone.
    joints: Vec<Option<u16>>,
    pub(super) bind: Bind,
}

/// Dual quaternions: see [`sinew_rig::Mesh::methods`].
const DLB_CODE: u8 = 5;

impl<'a> Skin<'a> {
    /// The first skin of a mesh that has bones.
    pub(super) fn of(mesh: &'a ufbx::Mesh, nodes: &Nodes<'_>, report: &mut Report) -> Option<Self> {
        let place = format!("mesh {:?}", &*mesh.element.name);
        if mesh.skin_deformers.len() > 1 {
            let count = mesh.skin_deformers.len();
            report.warn(&place, format!("{count} skins; the first one is used"));
        }
        let deformer = mesh.skin_deformers.first()?;
        let mut bind = Bind { name: deformer.element.name.to_string(), ..Bind::default() };
        let mut joints = Vec::with_capacity(deformer.clusters.len());
        for cluster in &deformer.clusters {
            let bone = cluster.bone_node.as_ref().and_then(|node| nodes.bone_of(node));
            let joint = bone.and_then(|bone| Some((bone, u16::try_from(bind.joints.len()).ok()?)));
            joints.push(joint.map(|(_, joint)| joint));
            if let Some((bone, _)) = joint {
                bind.joints.push(bone);
                bind.joint_from_rest.push(affine_f32(&affine(&cluster.geometry_to_bone)));
            }
        }
        let without = joints.iter().filter(|joint| joint.is_none()).count();
        if without > 0 {
            report.warn(
                &place,
                format!("{without} clusters of its skin have no bone; their weights are left out"),
            );
        }
        (!bind.joints.is_empty()).then_some(Self { deformer, joints, bind })
    }

    /// The influences of vertices, by the file's vertex of each.
    pub(super) fn influences(&self, sources: &[u32]) -> Influences {
        let mut influences = InfluencesBuilder::with_capacity(sources.len(), 4 * sources.len());
        for &source in sources {
            influences.push(self.weights(source as usize).filter_map(|weight| {
                let joint = self.joints.get(weight.cluster_index as usize).copied().flatten()?;
                Some((joint, weight.weight as f32))
            }));
        }
        influences.build()
    }

    fn weights(&self, source: usize) -> impl Iterator<Item = &ufbx::SkinWeight> {
        let range = self.deformer.vertices.get(source).map_or(0..0, |vertex| {
            let begin = vertex.weight_begin as usize;
            begin..begin + vertex.num_weights as usize
        });
        self.deformer.weights.get(range).unwrap_or_default().iter()
    }

    /// The method of each vertex, or nothing where all are linear.
    pub(super) fn methods(&self, sources: &[u32], report: &mut Report) -> Vec<u8> {
        let share = |source: u32| self.deformer.vertices.get(source as usize).map_or(0.0, |v| v.dq_weight);
        match self.deformer.skinning_method {
            ufbx::SkinningMethod::DualQuaternion => vec![DLB_CODE; sources.len()],
            ufbx::SkinningMethod::BlendedDqLinear => {
                let what = "blends linear and dual quaternion skinning; each vertex gets the heavier one";
                report.warn(format!("skin {:?}", self.bind.name), what);
                sources.iter().map(|&source| if share(source) >= 0.5 { DLB_CODE } else { 0 }).collect()
            }
            _ => Vec::new(),
        }
    }
}
