//! Bones and their hierarchy.

use crate::{BoneId, Problem};
use glam::{Affine3A, Vec3};
use sinew_geometry::Trs;

/// Transform of a bone in its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LocalTransform {
    /// Translation, rotation and scale: the usual form, and the only one that clips can animate.
    Trs(Trs),
    /// A matrix with shear, which translation, rotation and scale cannot express.
    Matrix(Affine3A),
}

impl LocalTransform {
    /// Parent from bone.
    pub fn to_affine(self) -> Affine3A {
        match self {
            Self::Trs(trs) => trs.to_affine(),
            Self::Matrix(affine) => affine,
        }
    }

    /// Translation, rotation and scale; for a sheared matrix the nearest.
    pub fn to_trs(self) -> Trs {
        match self {
            Self::Trs(trs) => trs,
            Self::Matrix(affine) => Trs::nearest(&affine),
        }
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        match self {
            Self::Trs(trs) => trs.is_finite(),
            Self::Matrix(affine) => affine.is_finite(),
        }
    }
}

/// One bone: a joint or any other node.
#[derive(Clone, Debug, PartialEq)]
pub struct Bone {
    /// As in the file; may be empty and need not be unique.
    pub name: String,
    /// `None` for a root.
    pub parent: Option<BoneId>,
    /// Rest transform, parent from bone.
    pub rest: LocalTransform,
    /// Where the bone ends, bone space, m; `None` if neither the file nor a child defines it.
    pub tip_in_bone: Option<Vec3>,
}

/// Bones in a forest.
///
/// Invariant: every parent exists and no bone is its own ancestor. Bones keep the order of the file; parents may come after
/// their children.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    bones: Vec<Bone>,
    /// Every bone once, parents before children.
    parents_first: Vec<BoneId>,
}

impl Skeleton {
    /// Checks the hierarchy.
    ///
    /// # Errors
    /// All missing parents, or else all bones on or below a cycle.
    pub fn new(bones: Vec<Bone>) -> Result<Self, Vec<Problem>> {
        let missing: Vec<_> = bones
            .iter()
            .enumerate()
            .filter_map(|(index, bone)| {
                let (id, name, bone_count) = (BoneId::of(index), bone.name.clone(), bones.len());
                let parent = bone.parent.filter(|parent| parent.index() >= bone_count)?;
                Some(Problem::NoSuchParent { bone: id, name, parent, bone_count })
            })
            .collect();
        if !missing.is_empty() {
            return Err(missing);
        }
        let parents_first = parents_first(&bones);
        if parents_first.len() < bones.len() {
            let mut reached = vec![false; bones.len()];
            parents_first.iter().for_each(|bone| reached[bone.index()] = true);
            return Err((0..bones.len())
                .filter(|&index| !reached[index])
                .map(|index| Problem::Cycle { bone: BoneId::of(index), name: bones[index].name.clone() })
                .collect());
        }
        Ok(Self { bones, parents_first })
    }

    /// A bone, its parent, and so on up to the root.
    ///
    /// # Panics
    /// If the id does not belong to this skeleton.
    pub fn upwards(&self, bone: BoneId) -> impl Iterator<Item = BoneId> + '_ {
        std::iter::successors(Some(bone), |&bone| self.bone(bone).parent)
    }

    /// All bones, in the file's order.
    pub fn bones(&self) -> &[Bone] {
        &self.bones
    }

    /// One bone.
    ///
    /// # Panics
    /// If the id does not belong to this skeleton.
    pub fn bone(&self, bone: BoneId) -> &Bone {
        &self.bones[bone.index()]
    }

    /// Number of bones.
    pub fn bone_count(&self) -> usize {
        self.bones.len()
    }

    /// Every bone once, parents before children.
    pub fn parents_first(&self) -> &[BoneId] {
        &self.parents_first
    }

    /// The children of `bone`, in the file's order.
    pub fn children(&self, bone: BoneId) -> impl Iterator<Item = BoneId> + '_ {
        (0..self.bones.len()).map(BoneId::of).filter(move |&child| self.bone(child).parent == Some(bone))
    }

    /// Model from bone for local transforms, one per bone; overwrites `model_from_bone`. For poses use [`crate::Evaluator`], which applies
    /// the logic.
    ///
    /// # Panics
    /// If a slice is not one per bone.
    pub(crate) fn model_from_bone_into(
        &self,
        parent_from_bone: &[Affine3A],
        model_from_bone: &mut [Affine3A],
    ) {
        assert_eq!(parent_from_bone.len(), self.bones.len(), "one local transform per bone");
        assert_eq!(model_from_bone.len(), self.bones.len(), "one model transform per bone");
        for &bone in &self.parents_first {
            let local = parent_from_bone[bone.index()];
            model_from_bone[bone.index()] = match self.bones[bone.index()].parent {
                Some(parent) => model_from_bone[parent.index()] * local,
                None => local,
            };
        }
    }

    /// Model from bone in rest pose, one per bone.
    pub fn rest_model_from_bone(&self) -> Vec<Affine3A> {
        let local: Vec<_> = self.bones.iter().map(|bone| bone.rest.to_affine()).collect();
        let mut model_from_bone = vec![Affine3A::IDENTITY; local.len()];
        self.model_from_bone_into(&local, &mut model_from_bone);
        model_from_bone
    }
}

/// Bones below a root, parents before children, breadth first; bones on or below a cycle are left out.
fn parents_first(bones: &[Bone]) -> Vec<BoneId> {
    let mut first_child = vec![None; bones.len()];
    let mut next_sibling = vec![None; bones.len()];
    let mut order = Vec::with_capacity(bones.len());
    // Backwards, to keep each list of children in the file's order.
    for index in (0..bones.len()).rev() {
        if let Some(parent) = bones[index].parent {
            next_sibling[index] = first_child[parent.index()].replace(index);
        }
    }
    order.extend((0..bones.len()).filter(|&index| bones[index].parent.is_none()).map(BoneId::of));
    let mut next = 0;
    while next < order.len() {
        let mut child: Option<usize> = first_child[order[next].index()];
        while let Some(index) = child {
            order.push(BoneId::of(index));
            child = next_sibling[index];
        }
        next += 1;
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Quat;

    fn bone(name: &str, parent: Option<u32>, rest: Trs) -> Bone {
        Bone {
            name: name.into(),
            parent: parent.map(BoneId),
            rest: LocalTransform::Trs(rest),
            tip_in_bone: None,
        }
    }

    #[test]
    fn children_before_parents_are_posed_right() {
        let turned = Trs {
            translation: Vec3::Y,
            rotation: Quat::from_rotation_z(std::f32::consts::FRAC_PI_2),
            scale: Vec3::ONE,
        };
        let up = Trs::from_translation(Vec3::Y);
        let skeleton = Skeleton::new(vec![
            bone("hand", Some(2), up),
            bone("root", None, up),
            bone("arm", Some(1), turned),
        ])
        .expect("a chain");
        let model_from_bone = skeleton.rest_model_from_bone();
        // Root at (0,1,0), arm at (0,2,0) turned so that its +Y is −X: the hand is at (−1,2,0).
        let hand = model_from_bone[0].transform_point3(Vec3::ZERO);
        assert!(hand.abs_diff_eq(Vec3::new(-1.0, 2.0, 0.0), 1e-6), "{hand}");
        assert_eq!(skeleton.children(BoneId(1)).collect::<Vec<_>>(), [BoneId(2)]);
    }

    #[test]
    fn cycles_and_missing_parents_name_every_bone() {
        let bones = vec![
            bone("a", Some(1), Trs::IDENTITY),
            bone("b", Some(0), Trs::IDENTITY),
            bone("c", None, Trs::IDENTITY),
        ];
        let errors = Skeleton::new(bones).expect_err("a cycle");
        assert_eq!(errors.len(), 2);
        assert_eq!(errors[0].to_string(), "bone 0 (\"a\") is its own ancestor");
        let errors = Skeleton::new(vec![bone("a", Some(7), Trs::IDENTITY)]).expect_err("no such parent");
        assert_eq!(errors[0].to_string(), "bone 0 (\"a\") has parent 7, but there are only 1 bones");
    }
}
