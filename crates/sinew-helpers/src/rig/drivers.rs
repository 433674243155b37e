//! The bones of a character as drivers of a fit.
//!
//! A fit knows one rest space; a character may have a mesh of its own rest space under every bind. Binds that share bones tell how their spaces
//! lie to each other: with j the inverse bind matrix of a bone, `K = j₀⁻¹ · j` takes the space of a bind to that of the first.

use glam::{Affine3A, DAffine3, DMat3, DQuat, Mat4, Vec3};
use sinew_rig::{BindId, BoneId, BoundSurface, Character, driver_rotation};

/// Why bones cannot drive.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DriverBindsError {
    /// A bone that no mesh is bound to.
    #[error("bone {name:?} moves no mesh; drivers must be joints of a skin")]
    NoJoint {
        /// The bone.
        name: String,
    },
    /// Binds that disagree about how bones stood.
    #[error(
        "skins {first:?} and {second:?} know bone {bone:?} by different rest poses; bind all meshes in one pose first"
    )]
    RestPoses {
        /// The first skin.
        first: String,
        /// The other.
        second: String,
        /// The bone.
        bone: String,
    },
}

/// Bones that drive, with how they stood when the meshes were bound.
#[derive(Clone, Debug, PartialEq)]
pub struct DriverBinds {
    bones: Vec<BoneId>,
    /// One per driver: bone space from the common rest space.
    bone_from_rest: Vec<Affine3A>,
    /// One per bind: the common rest space from its own.
    rest_from_own: Vec<Affine3A>,
}

/// Matrices that differ by less, with lengths in diagonals of the rest shape, are the same.
const SAME_REST: f32 = 1e-4;

impl DriverBinds {
    /// Takes bones as drivers, in the order in which a fit knows them.
    ///
    /// # Errors
    /// A bone that moves nothing, or meshes that were bound in different poses.
    pub fn new(character: &Character, bones: Vec<BoneId>) -> Result<Self, DriverBindsError> {
        let spaces = RestSpaces::of(character)?;
        let of_bone = |bone: &BoneId| {
            spaces.bone_from_rest[bone.index()].ok_or_else(|| DriverBindsError::NoJoint {
                name: character.skeleton().bone(*bone).name.clone(),
            })
        };
        let bone_from_rest = bones.iter().map(of_bone).collect::<Result<_, _>>()?;
        Ok(Self { bones, bone_from_rest, rest_from_own: spaces.rest_from_own })
    }

    /// All bones that move a mesh, in the skeleton's order.
    ///
    /// # Errors
    /// Meshes that were bound in different poses.
    pub fn all(character: &Character) -> Result<Self, DriverBindsError> {
        Self::new(character, character.joints())
    }

    /// The bones.
    #[must_use]
    pub fn bones(&self) -> &[BoneId] {
        &self.bones
    }

    /// Bone space from the common rest space, one per driver.
    #[must_use]
    pub fn bone_from_rest(&self) -> &[Affine3A] {
        &self.bone_from_rest
    }

    /// The common rest space from that of a bind.
    #[must_use]
    pub fn rest_from_own(&self, bind: BindId) -> Affine3A {
        self.rest_from_own[bind.index()]
    }

    /// All vertices at rest, in the common rest space and the order of [`BoundSurface`]. Meshes without bind are as they are.
    #[must_use]
    pub fn rest_positions(&self, character: &Character, bound: &BoundSurface) -> Vec<Vec3> {
        let mut positions = bound.rest().positions.clone();
        for placed in bound.instances() {
            if let Some(bind) = character.instance(placed.instance).bind {
                let rest_from_own = self.rest_from_own(bind);
                let own = &mut positions[placed.vertices.clone()];
                own.iter_mut().for_each(|place| *place = rest_from_own.transform_point3(*place));
            }
        }
        positions
    }

    /// Skinning matrices of the drivers, from the common rest space, for bones that stand at `model_from_bone`.
    #[must_use]
    pub fn posed_from_rest(&self, model_from_bone: &[Affine3A]) -> Vec<DAffine3> {
        let matrix = |(bone, from_rest): (&BoneId, &Affine3A)| {
            widened(&model_from_bone[bone.index()]) * widened(from_rest)
        };
        self.bones.iter().zip(&self.bone_from_rest).map(matrix).collect()
    }

    /// How each driver has turned in its parent relative to rest, in its own axes: what controllers see.
    #[must_use]
    pub fn rotations(&self, character: &Character, model_from_bone: &[Affine3A]) -> Vec<DQuat> {
        let rotation = |bone: &BoneId| {
            let bone = *bone;
            let known = character.skeleton().bone(bone);
            let parent = known.parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]);
            let local = parent.inverse() * model_from_bone[bone.index()];
            driver_rotation(&known.rest.to_affine(), &local)
        };
        self.bones.iter().map(rotation).collect()
    }
}

fn widened(affine: &Affine3A) -> DAffine3 {
    let matrix3 = DMat3::from_cols_array(&affine.matrix3.to_cols_array().map(f64::from));
    DAffine3 { matrix3, translation: affine.translation.as_dvec3() }
}

/// How the rest spaces of all binds lie to each other.
struct RestSpaces {
    bone_from_rest: Vec<Option<Affine3A>>,
    rest_from_own: Vec<Affine3A>,
}

impl RestSpaces {
    fn of(character: &Character) -> Result<Self, DriverBindsError> {
        let mut spaces = Self {
            bone_from_rest: vec![None; character.skeleton().bone_count()],
            rest_from_own: Vec::with_capacity(character.binds().len()),
        };
        let stands = character.skeleton().rest_model_from_bone();
        let size = BoundSurface::of(character)
            .rest()
            .positions
            .iter()
            .fold(0.0, |size: f32, place| size.max(place.length()));
        // The space that a bind shows in, if its first joint stands as at rest: the way between binds without common bones.
        let shown = |bind: usize| {
            let bind = &character.binds()[bind];
            let (bone, from_own) = (bind.joints.first()?, bind.joint_from_rest.first()?);
            Some(stands[bone.index()] * *from_own)
        };
        for (index, bind) in character.binds().iter().enumerate() {
            let known = |(bone, from_own): (&BoneId, &Affine3A)| {
                Some(spaces.bone_from_rest[bone.index()]?.inverse() * *from_own)
            };
            let joints = || bind.joints.iter().zip(&bind.joint_from_rest);
            let rest_from_own = match joints().find_map(known) {
                Some(rest_from_own) => rest_from_own,
                None => match (shown(0), shown(index)) {
                    (Some(first), Some(own)) => first.inverse() * own,
                    _ => Affine3A::IDENTITY,
                },
            };
            for (bone, from_own) in joints() {
                let from_rest = *from_own * rest_from_own.inverse();
                match spaces.bone_from_rest[bone.index()] {
                    Some(before) if !is_same(&before, &from_rest, size) => {
                        return Err(DriverBindsError::RestPoses {
                            first: character.binds()[0].name.clone(),
                            second: bind.name.clone(),
                            bone: character.skeleton().bone(*bone).name.clone(),
                        });
                    }
                    Some(_) => {}
                    None => spaces.bone_from_rest[bone.index()] = Some(from_rest),
                }
            }
            spaces.rest_from_own.push(rest_from_own);
        }
        Ok(spaces)
    }
}

fn is_same(a: &Affine3A, b: &Affine3A, size: f32) -> bool {
    // Lengths in units of the model, beside entries of the rotation.
    let between = Mat4::from(a.inverse() * *b);
    let scale = Mat4::from_scale(Vec3::splat(size.max(f32::MIN_POSITIVE)));
    (scale.inverse() * between * scale).abs_diff_eq(Mat4::IDENTITY, SAME_REST)
}
