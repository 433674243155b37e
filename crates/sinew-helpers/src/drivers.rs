//! The bones of a character as drivers of a fit.
//!
//! A fit knows one rest space; a character may have a mesh of its own rest space under every bind. Binds that share bones tell how their spaces
//! lie to each other: with j the inverse bind matrix of a bone, `K = j₀⁻¹ · j` takes the space of a bind to that of the first.

use crate::RigError;
use glam::{Affine3A, DAffine3, DQuat, DVec3, Mat4, Vec3};
use sinew_geometry::Bounds;
use sinew_rig::{BindId, BoneId, BoundSurface, Character, DriverChange, driver_change};

/// Bones that drive, with how they stood when the meshes were bound, and the vertices that they move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DriverBinds {
    bones: Vec<BoneId>,
    /// One per driver: bone space from the common rest space.
    bone_from_rest: Vec<Affine3A>,
    /// One per bind: the common rest space from its own.
    rest_from_own: Vec<Affine3A>,
    rest_positions: Vec<Vec3>,
    driver_of_entry: Vec<Option<u16>>,
    vertices: Vec<u32>,
}

/// Matrices that differ by less, with lengths in diagonals of the rest shape, are the same.
const SAME_REST: f32 = 1e-4;

impl DriverBinds {
    /// Takes bones as drivers, in the order in which a fit knows them.
    ///
    /// # Errors
    /// A bone that moves nothing, or meshes that were bound in different poses.
    pub fn new(character: &Character, bones: Vec<BoneId>) -> Result<Self, RigError> {
        Self::of(character, &BoundSurface::of(character), bones)
    }

    /// All bones that move a mesh, in the order of the surface's palette.
    ///
    /// # Errors
    /// No skin at all, or meshes that were bound in different poses.
    pub fn all(character: &Character) -> Result<Self, RigError> {
        let bound = BoundSurface::of(character);
        let mut bones = Vec::new();
        for entry in bound.palette().iter().filter(|entry| entry.bind.is_some()) {
            if !bones.contains(&entry.bone) {
                bones.push(entry.bone);
            }
        }
        let drivers = Self::of(character, &bound, bones)?;
        if drivers.vertices.is_empty() { Err(RigError::NoSkin) } else { Ok(drivers) }
    }

    fn of(character: &Character, bound: &BoundSurface, bones: Vec<BoneId>) -> Result<Self, RigError> {
        let spaces = RestSpaces::of(character, bound)?;
        let of_bone = |bone: &BoneId| {
            spaces.bone_from_rest[bone.index()]
                .ok_or_else(|| RigError::NoJoint { name: character.skeleton().bone(*bone).name.clone() })
        };
        let bone_from_rest = bones.iter().map(of_bone).collect::<Result<_, _>>()?;
        let driver_of = |entry: &sinew_rig::PaletteEntry| {
            entry.bind?;
            bones.iter().position(|bone| *bone == entry.bone).map(|at| at as u16)
        };
        let driver_of_entry: Vec<Option<u16>> = bound.palette().iter().map(driver_of).collect();
        let is_driven = |vertex: &u32| {
            let entries = bound.influences().of(*vertex as usize).0;
            entries.iter().all(|&entry| driver_of_entry[usize::from(entry)].is_some())
        };
        let vertices = (0..bound.vertex_count() as u32).filter(is_driven).collect();
        let rest_positions = spaces.rest_positions(character, bound);
        let rest_from_own = spaces.rest_from_own;
        Ok(Self { bones, bone_from_rest, rest_from_own, rest_positions, driver_of_entry, vertices })
    }

    /// The bones.
    pub fn bones(&self) -> &[BoneId] {
        &self.bones
    }

    /// Bone space from the common rest space, one per driver.
    pub fn bone_from_rest(&self) -> &[Affine3A] {
        &self.bone_from_rest
    }

    /// The common rest space from that of a bind.
    pub fn rest_from_own(&self, bind: BindId) -> Affine3A {
        self.rest_from_own[bind.index()]
    }

    /// Diagonal of the box around all vertices at rest.
    pub fn size(&self) -> f64 {
        f64::from(sinew_geometry::Bounds::of(&self.rest_positions).size().length())
    }

    /// All vertices at rest, in the common rest space and the order of [`BoundSurface`]. Meshes without bind are as they are.
    pub fn rest_positions(&self) -> &[Vec3] {
        &self.rest_positions
    }

    /// Vertices of the surface that drivers alone move, ascending.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices
    }

    /// Where each driver begins, in the common rest space.
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
        let pairs = entries.iter().zip(weights);
        pairs.filter_map(move |(entry, &weight)| Some((driver(entry)?, f64::from(weight))))
    }

    /// Skinning matrices of the drivers, from the common rest space, for bones that stand at `model_from_bone`.
    pub fn posed_from_rest(&self, model_from_bone: &[Affine3A]) -> Vec<DAffine3> {
        // In 32 bits, as the skin that is fitted to was moved.
        let matrix = |(bone, from_rest): (&BoneId, &Affine3A)| {
            let posed = model_from_bone[bone.index()] * *from_rest;
            posed.as_daffine3()
        };
        self.bones.iter().zip(&self.bone_from_rest).map(matrix).collect()
    }

    /// What each driver does in its parent relative to rest: what controllers see.
    pub fn changes(&self, character: &Character, model_from_bone: &[Affine3A]) -> Vec<DriverChange> {
        self.bones.iter().map(|bone| change_of(character, *bone, model_from_bone)).collect()
    }
}

/// How a bone has turned in its parent relative to rest, in its own axes, where bones stand at `model_from_bone`.
pub(crate) fn turn_of(character: &Character, bone: BoneId, model_from_bone: &[Affine3A]) -> DQuat {
    change_of(character, bone, model_from_bone).rotation
}

/// What a bone does in its parent relative to rest, where bones stand at `model_from_bone`.
pub(crate) fn change_of(character: &Character, bone: BoneId, model_from_bone: &[Affine3A]) -> DriverChange {
    let known = character.skeleton().bone(bone);
    let parent = known.parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]);
    let local = parent.inverse() * model_from_bone[bone.index()];
    driver_change(&known.rest.to_affine(), &local)
}

/// How the rest spaces of all binds lie to each other.
struct RestSpaces {
    bone_from_rest: Vec<Option<Affine3A>>,
    rest_from_own: Vec<Affine3A>,
}

impl RestSpaces {
    fn of(character: &Character, bound: &BoundSurface) -> Result<Self, RigError> {
        let mut spaces = Self {
            bone_from_rest: vec![None; character.skeleton().bone_count()],
            rest_from_own: vec![Affine3A::IDENTITY; character.binds().len()],
        };
        let stands = character.skeleton().rest_model_from_bone();
        let size = Bounds::of(&bound.rest().positions).size().length();
        // The space that a bind shows in, if its first joint stands as at rest: the way between binds without common bones.
        let shown = |bind: usize| {
            let bind = &character.binds()[bind];
            let (bone, from_own) = (bind.joints.first()?, bind.joint_from_rest.first()?);
            Some(stands[bone.index()] * *from_own)
        };
        let is_used = |bind: &usize| {
            character.instances().iter().any(|instance| instance.bind == Some(BindId::of(*bind)))
        };
        let used: Vec<usize> = (0..character.binds().len()).filter(is_used).collect();
        for &index in &used {
            let bind = &character.binds()[index];
            let known = |(bone, from_own): (&BoneId, &Affine3A)| {
                Some(spaces.bone_from_rest[bone.index()]?.inverse() * *from_own)
            };
            let joints = || bind.joints.iter().zip(&bind.joint_from_rest);
            let found = joints().find_map(known).or_else(|| Some(shown(used[0])?.inverse() * shown(index)?));
            // One space but for rounding: exactly one, so that bind matrices stay those of the file.
            let is_another = |found: &Affine3A| {
                index > used[0] && found.is_finite() && !is_same(found, &Affine3A::IDENTITY, size)
            };
            let rest_from_own = found.filter(is_another).unwrap_or(Affine3A::IDENTITY);
            for (bone, from_own) in joints() {
                let from_rest = *from_own * rest_from_own.inverse();
                let before = *spaces.bone_from_rest[bone.index()].get_or_insert(from_rest);
                if before != from_rest && !is_same(&before, &from_rest, size) {
                    let name = character.skeleton().bone(*bone).name.clone();
                    return Err(RigError::RestPoses { name });
                }
            }
            spaces.rest_from_own[index] = rest_from_own;
        }
        Ok(spaces)
    }

    fn rest_positions(&self, character: &Character, bound: &BoundSurface) -> Vec<Vec3> {
        let mut positions = bound.rest().positions.clone();
        for placed in bound.instances() {
            if let Some(bind) = character.instance(placed.instance).bind {
                let rest_from_own = self.rest_from_own[bind.index()];
                let own = &mut positions[placed.vertices.clone()];
                own.iter_mut().for_each(|place| *place = rest_from_own.transform_point3(*place));
            }
        }
        positions
    }
}

fn is_same(a: &Affine3A, b: &Affine3A, size: f32) -> bool {
    // Lengths in units of the model, beside entries of the rotation.
    let between = Mat4::from(a.inverse() * *b);
    let scale = Mat4::from_scale(Vec3::splat(size.max(f32::MIN_POSITIVE)));
    (scale.inverse() * between * scale).abs_diff_eq(Mat4::IDENTITY, SAME_REST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;
    use sinew_rig::{Pose, samples};

    /// Matrices have 32 bits.
    const FLOAT: f64 = 1e-6;

    #[test]
    fn rotations_are_relative_to_rest_and_matrices_move_vertices() {
        let limb = samples::limb(8, 8);
        let bound = BoundSurface::of(&limb);
        let drivers = DriverBinds::all(&limb).unwrap();
        let lower = limb.skeleton().find("lower").unwrap();
        let turn = Quat::from_axis_angle(Vec3::new(1.0, 0.5, 0.2).normalize(), 0.8);
        let mut pose = Pose::rest(&limb);
        pose.turn(lower, turn);
        let mut model_from_bone = vec![Affine3A::IDENTITY; limb.skeleton().bone_count()];
        pose.model_from_bone_into(&limb, &mut model_from_bone);
        let at = drivers.bones().iter().position(|bone| *bone == lower).unwrap();
        let changes = drivers.changes(&limb, &model_from_bone);
        for (driver, change) in changes.iter().enumerate() {
            let rotation = change.rotation;
            let expected = if driver == at { turn.as_dquat() } else { DQuat::IDENTITY };
            assert!(rotation.abs_diff_eq(expected, FLOAT), "driver {driver}: {rotation}");
        }
        let matrices = drivers.posed_from_rest(&model_from_bone);
        let expected = bound.posed_from_rest(&limb, &pose)[at];
        let expected = DAffine3::from_cols_array(&expected.to_cols_array().map(f64::from));
        assert!(matrices[at].abs_diff_eq(expected, FLOAT), "{}", matrices[at]);
    }

    #[test]
    fn one_rest_space_leaves_bind_matrices_and_vertices_as_they_are() {
        let figure = samples::figure();
        let (bound, drivers) = (BoundSurface::of(&figure), DriverBinds::all(&figure).unwrap());
        assert_eq!(drivers.rest_positions(), bound.rest().positions);
        for entry in bound.palette().iter().filter(|entry| entry.bind.is_some()) {
            let at = drivers.bones().iter().position(|bone| *bone == entry.bone).unwrap();
            assert_eq!(drivers.bone_from_rest()[at], entry.bone_from_rest);
        }
    }
}
