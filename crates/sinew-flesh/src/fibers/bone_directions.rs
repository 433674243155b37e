//! Which way bones run at a place.

use super::field::principal;
use super::solver::{COMPONENTS, tensor};
use crate::anatomy::{Anatomy, BoneCore};
use glam::Vec3;
use sinew_rig::{BoneId, Skeleton};

/// The directions of a character's bones, to be asked for at any place.
///
/// A bone with several cores (a pelvis, a chest) speaks by the nearest; of several bones that move a place, each speaks by its weight:
/// Σ w d⁻⁴ dir dirᵀ. Directions have no sign, so that two bones that meet head to head agree.
#[derive(Clone, Debug)]
pub struct BoneDirections<'a> {
    cores: &'a [BoneCore],
    /// By bone: its cores, or those of the nearest ancestor that has any.
    cores_of_bone: Vec<Vec<u32>>,
    /// Distances below this count as this, meters.
    near_m: f32,
}

impl<'a> BoneDirections<'a> {
    /// The bones of an anatomy. `spacing`: of its tetrahedra.
    pub fn new(skeleton: &Skeleton, anatomy: &'a Anatomy, spacing: f32) -> Self {
        let mut cores_of_bone = vec![Vec::new(); skeleton.bone_count()];
        for (at, core) in anatomy.cores.iter().enumerate().filter(|(_, core)| core.direction() != Vec3::ZERO)
        {
            cores_of_bone[core.bone.index()].push(at as u32);
        }
        for &bone in skeleton.parents_first() {
            if let (true, Some(parent)) = (cores_of_bone[bone.index()].is_empty(), skeleton.bone(bone).parent)
            {
                cores_of_bone[bone.index()] = cores_of_bone[parent.index()].clone();
            }
        }
        Self { cores: &anatomy.cores, cores_of_bone, near_m: 0.1 * spacing }
    }

    /// The direction at a place that these bones move by these weights; zero where none of them has one.
    pub fn at(&self, place: Vec3, bones: impl Iterator<Item = (BoneId, f32)>) -> Vec3 {
        let mut sum = [0.0; COMPONENTS];
        for (bone, weight) in bones {
            let of_bone = &self.cores_of_bone[bone.index()];
            let distance = |core: &u32| self.cores[*core as usize].axis_distance(place).max(self.near_m);
            let nearest = of_bone.iter().map(distance).fold(f32::INFINITY, f32::min);
            for core in of_bone {
                // As a share of the nearest, so that a bone's voice does not depend on how far it is.
                let strength = f64::from(weight * (nearest / distance(core)).powi(4));
                let of_core = tensor(self.cores[*core as usize].direction().as_dvec3());
                sum.iter_mut().zip(of_core).for_each(|(sum, value)| *sum += strength * value);
            }
        }
        let (direction, ahead) = principal(&sum);
        if ahead > 0.0 { direction } else { Vec3::ZERO }
    }
}
