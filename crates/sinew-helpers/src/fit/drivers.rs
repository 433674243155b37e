//! The bones of a character as a fit sees them.

use glam::{Affine3A, DAffine3, DMat3, DQuat, DVec3, Mat3A};
use sinew_geometry::Bounds;
use sinew_rig::{BoneId, BoundSurface, Character};

/// Bind matrices of one bone may differ by this fraction of the model's size between meshes.
const BIND_TOLERANCE: f32 = 1e-4;

/// Why helpers cannot be fitted to a character.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DriversError {
    /// No skin at all.
    #[error("no mesh of the model is bound to bones; bind it first, or name another model")]
    NoSkin,
    /// Two meshes that know a bone by different rest poses.
    #[error(
        "bone {name:?} has different bind matrices in two meshes; bring the meshes to one bind pose first, or join them"
    )]
    Binds {
        /// The bone.
        name: String,
    },
}

/// All bones that move the skin, and the vertices that they move.
#[derive(Clone, Debug)]
pub struct Drivers {
    bones: Vec<BoneId>,
    bone_from_rest: Vec<Affine3A>,
    /// Rotation of each driver in its parent, at rest.
    rest_rotations: Vec<DQuat>,
    parents: Vec<Option<BoneId>>,
    driver_of_entry: Vec<Option<u16>>,
    vertices: Vec<u32>,
}

impl Drivers {
    /// Of a character and its surface.
    ///
    /// # Errors
    /// No skin, or meshes in different bind poses.
    pub fn of(character: &Character, bound: &BoundSurface) -> Result<Self, DriversError> {
        let size = Bounds::of(&bound.rest().positions).size().length();
        let skeleton = character.skeleton();
        let mut drivers = Self {
            bones: Vec::new(),
            bone_from_rest: Vec::new(),
            rest_rotations: Vec::new(),
            parents: Vec::new(),
            driver_of_entry: Vec::new(),
            vertices: Vec::new(),
        };
        for entry in bound.palette() {
            if entry.bind.is_none() {
                drivers.driver_of_entry.push(None);
                continue;
            }
            let at = match drivers.bones.iter().position(|bone| *bone == entry.bone) {
                Some(at) => {
                    if !is_alike(&drivers.bone_from_rest[at], &entry.bone_from_rest, size) {
                        let name = skeleton.bone(entry.bone).name.clone();
                        return Err(DriversError::Binds { name });
                    }
                    at
                }
                None => {
                    let bone = skeleton.bone(entry.bone);
                    drivers.bones.push(entry.bone);
                    drivers.bone_from_rest.push(entry.bone_from_rest);
                    drivers.rest_rotations.push(rotation_of(&bone.rest.to_affine()));
                    drivers.parents.push(bone.parent);
                    drivers.bones.len() - 1
                }
            };
            drivers.driver_of_entry.push(Some(at as u16));
        }
        let is_skinned = |vertex: &u32| {
            let entries = bound.influences().of(*vertex as usize).0;
            entries.iter().all(|&entry| drivers.driver_of_entry[usize::from(entry)].is_some())
        };
        drivers.vertices = (0..bound.vertex_count() as u32).filter(is_skinned).collect();
        if drivers.vertices.is_empty() { Err(DriversError::NoSkin) } else { Ok(drivers) }
    }

    /// The bones, in the order of a fit's drivers.
    #[must_use]
    pub fn bones(&self) -> &[BoneId] {
        &self.bones
    }

    /// Vertices of the surface that bones move, ascending.
    #[must_use]
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Inverse bind matrices, one per driver.
    #[must_use]
    pub fn bone_from_rest(&self) -> &[Affine3A] {
        &self.bone_from_rest
    }

    /// Where each driver begins, rest space.
    #[must_use]
    pub fn heads(&self) -> Vec<DVec3> {
        self.bone_from_rest.iter().map(|matrix| matrix.inverse().translation.as_dvec3()).collect()
    }

    /// The drivers of a vertex of [`vertices`](Self::vertices), with their weights.
    pub fn influences<'a>(
        &'a self,
        bound: &'a BoundSurface,
        vertex: u32,
    ) -> impl Iterator<Item = (usize, f64)> + 'a {
        let (entries, weights) = bound.influences().of(vertex as usize);
        let driver = |entry: &u16| self.driver_of_entry[usize::from(*entry)].map(usize::from);
        entries
            .iter()
            .zip(weights)
            .filter_map(move |(entry, &weight)| Some((driver(entry)?, f64::from(weight))))
    }

    /// Skinning matrices, for bones that stand at `model_from_bone`.
    #[must_use]
    pub fn posed_from_rest(&self, model_from_bone: &[Affine3A]) -> Vec<DAffine3> {
        let matrix = |(bone, rest): (&BoneId, &Affine3A)| wide(&(model_from_bone[bone.index()] * *rest));
        self.bones.iter().zip(&self.bone_from_rest).map(matrix).collect()
    }

    /// Rotations in the parent relative to rest, in each driver's own axes.
    #[must_use]
    pub fn rotations(&self, model_from_bone: &[Affine3A]) -> Vec<DQuat> {
        let rotation = |at: usize| {
            let parent = self.parents[at].map_or(Affine3A::IDENTITY, |bone| model_from_bone[bone.index()]);
            let local = parent.inverse() * model_from_bone[self.bones[at].index()];
            (self.rest_rotations[at].inverse() * rotation_of(&local)).normalize()
        };
        (0..self.bones.len()).map(rotation).collect()
    }
}

fn is_alike(a: &Affine3A, b: &Affine3A, size: f32) -> bool {
    a.matrix3.abs_diff_eq(b.matrix3, BIND_TOLERANCE)
        && a.translation.abs_diff_eq(b.translation, BIND_TOLERANCE * size)
}

fn wide(matrix: &Affine3A) -> DAffine3 {
    let columns = matrix.to_cols_array().map(f64::from);
    DAffine3::from_cols_array(&columns)
}

/// The rotation of a matrix without shear; scale does not count.
fn rotation_of(matrix: &Affine3A) -> DQuat {
    let Mat3A { x_axis, y_axis, z_axis } = matrix.matrix3;
    let [x, y, z] = [x_axis, y_axis, z_axis].map(|axis| axis.normalize_or_zero().as_dvec3());
    let mirror = if x.cross(y).dot(z) < 0.0 { -1.0 } else { 1.0 };
    let rotation = DQuat::from_mat3(&DMat3::from_cols(x, y, z * mirror));
    if rotation.is_finite() && rotation.length_squared() > 0.0 {
        rotation.normalize()
    } else {
        DQuat::IDENTITY
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use sinew_rig::{Pose, samples};

    /// Matrices have 32 bits.
    const FLOAT: f64 = 1e-6;

    #[test]
    fn rotations_are_relative_to_rest_and_matrices_move_vertices() {
        let limb = samples::limb(8, 8);
        let bound = BoundSurface::of(&limb);
        let drivers = Drivers::of(&limb, &bound).unwrap();
        let lower = limb.skeleton().find("lower").unwrap();
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.5, 0.2).normalize(), 0.8);
        let mut pose = Pose::rest(&limb);
        pose.turn(lower, turn);
        let mut model_from_bone = vec![Affine3A::IDENTITY; limb.skeleton().bone_count()];
        pose.model_from_bone_into(&limb, &mut model_from_bone);
        let at = drivers.bones().iter().position(|bone| *bone == lower).unwrap();
        let rotations = drivers.rotations(&model_from_bone);
        for (driver, rotation) in rotations.iter().enumerate() {
            let expected = if driver == at { turn.as_dquat() } else { DQuat::IDENTITY };
            assert!(rotation.abs_diff_eq(expected, FLOAT), "driver {driver}: {rotation}");
        }
        let matrices = drivers.posed_from_rest(&model_from_bone);
        let expected = bound.posed_from_rest(&limb, &pose);
        assert!(matrices[at].abs_diff_eq(wide(&expected[at]), FLOAT), "{}", matrices[at]);
    }
}
