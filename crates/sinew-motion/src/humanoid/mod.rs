//! A human for motions: no names, no bone axes, no rest pose of a file.
//!
//! Motions are made for a *neutral* human, who looks along +Z, +Y up, left along +X, arms stretched out to both sides, feet level and
//! straight ahead. [`Humanoid`] has the transforms of one character's bones in that pose, whatever the file's rest pose and axes. A pose is
//! then a list of rotations from neutral ([`HumanoidPose`]) that fits everyone.

mod align;
mod feet;
mod pose;
mod sole_points;
mod t_pose;

pub(crate) use align::rotation_of;
pub(crate) use feet::Foot;
pub(crate) use pose::LocalPose;
pub use pose::{Ground, HumanoidPose};
pub(crate) use sole_points::moved_with;

use align::Alignment;
use glam::{DAffine3, DQuat, DVec3};
use sinew_rig::{BoneId, Character, HumanoidBone, HumanoidMap, Pose};

/// A side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Right,
}

impl Side {
    pub(crate) const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The bone of this side, given the left one.
    pub(crate) fn of(self, left: HumanoidBone) -> HumanoidBone {
        if self == Self::Left { left } else { left.mirrored() }
    }

    /// +1 to the left, −1 to the right: the sign along +X.
    pub(crate) fn sign(self) -> f64 {
        if self == Self::Left { 1.0 } else { -1.0 }
    }
}

/// Error of treating a character as a human.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum HumanoidError {
    #[error(
        "unknown human bones: {}; add them to a map",
        names(.missing)
    )]
    Missing { missing: Vec<HumanoidBone> },
    #[error("{upper} and {lower} start at the same place, so the limb has no length; check the map")]
    NoLength { upper: HumanoidBone, lower: HumanoidBone },
    #[error("{child} is not below {parent} in the hierarchy; check the map")]
    NotBelow { child: HumanoidBone, parent: HumanoidBone },
    #[error(
        "the feet are not below the hips in rest pose (+Y must be up); check the map, or rotate the model"
    )]
    NotUpright,
}

fn names(bones: &[HumanoidBone]) -> String {
    bones.iter().map(|bone| bone.name()).collect::<Vec<_>>().join(", ")
}

/// One human bone at rest.
#[derive(Clone, Debug)]
struct RestBone {
    id: BoneId,
    /// Canonical axes from bone, in the file's rest pose; rotation only.
    rest: DQuat,
    /// The same in neutral pose.
    neutral: DQuat,
    /// Its start in rest pose, canonical axes, m.
    head: DVec3,
    /// The human bone that carries it.
    carrier: Option<HumanoidBone>,
    /// Canonical axes from its parent in the file, in rest pose.
    parent_rest: DQuat,
}

/// Measures of a leg, m.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    /// Start of the thigh, from the middle between both, canonical axes.
    pub(crate) hip_from_pelvis: DVec3,
    pub(crate) thigh_m: f64,
    pub(crate) shank_m: f64,
    pub(crate) foot: Foot,
}

impl Leg {
    pub(crate) fn length_m(&self) -> f64 {
        self.thigh_m + self.shank_m
    }
}

/// Maps a character's bones to those of a human.
#[derive(Clone, Debug)]
pub struct Humanoid {
    map: HumanoidMap,
    bones: Vec<Option<RestBone>>,
    /// A rotation about +Y: canonical axes, in which it looks along +Z, from the model's.
    canonical_from_model: DQuat,
    /// The bone that carries the hips in the file, model space, rest pose.
    model_from_hips_parent: DAffine3,
    /// Start of the hips' bone, from the middle between both thighs, canonical axes, rest pose.
    hips_from_pelvis: DVec3,
    legs: [Leg; 2],
    stature_m: f64,
    /// Palm of each hand in neutral pose, canonical axes, unit.
    palms: [DVec3; 2],
    /// Chains that would move limbs.
    reaches: Vec<BoneId>,
    root: Option<Root>,
}

/// The bone that carries the whole character over the ground.
#[derive(Clone, Debug)]
struct Root {
    id: BoneId,
    /// Model from its parent, at rest.
    model_from_parent: DAffine3,
    /// Model from it, at rest.
    model_from_root: DAffine3,
}

impl Root {
    /// The topmost joint above the hips. Nodes that are no joints carry no skin, and often have the axes of another program.
    fn of(character: &Character, map: &HumanoidMap, alignment: &Alignment) -> Option<Self> {
        let hips = map.get(HumanoidBone::Hips)?;
        let joints = character.joints();
        let above = character.skeleton().upwards(hips).skip(1);
        let id = above.filter(|bone| joints.binary_search(bone).is_ok()).last()?;
        let root = Self {
            id,
            model_from_parent: alignment.model_from_parent(character, id),
            model_from_root: alignment.model_from_bone(id),
        };
        let is_sound = root.model_from_parent.inverse().is_finite() && map.humanoid_bone(id).is_none();
        is_sound.then_some(root)
    }

    /// Where it stands, model space.
    fn ground(&self, model_from_root: &DAffine3) -> Ground {
        let moved = *model_from_root * self.model_from_root.inverse();
        let ahead = moved.transform_vector3(DVec3::Z);
        Ground { place: moved.translation.with_y(0.0), heading_rad: ahead.x.atan2(ahead.z) }
    }

    /// In its parent, moved from rest.
    fn local(&self, moved: &DAffine3) -> (DVec3, DQuat) {
        let local = self.model_from_parent.inverse() * *moved * self.model_from_root;
        (local.translation, rotation_of(&local))
    }
}

impl Humanoid {
    /// Analyzes a character.
    ///
    /// # Errors
    /// If required bones are missing or not connected.
    pub fn new(character: &Character, map: &HumanoidMap) -> Result<Self, HumanoidError> {
        let missing = map.missing();
        if !missing.is_empty() {
            return Err(HumanoidError::Missing { missing });
        }
        let alignment = Alignment::new(character, map)?;
        let feet = feet::feet(character, map, &alignment);
        Self::assemble(character, map, alignment, feet)
    }

    /// The map that it was made with.
    pub fn map(&self) -> &HumanoidMap {
        &self.map
    }

    /// Height of the hip joints when standing, m.
    pub fn hip_height_m(&self) -> f64 {
        let heights = self.legs.iter().map(|leg| leg.length_m() + leg.foot.ankle_height_m());
        heights.fold(f64::INFINITY, f64::min) - self.lowest_hip()
    }

    /// Body height estimated from the legs, m.
    pub fn stature_m(&self) -> f64 {
        self.stature_m
    }

    fn lowest_hip(&self) -> f64 {
        self.legs.iter().map(|leg| leg.hip_from_pelvis.y).fold(f64::INFINITY, f64::min)
    }

    /// The joint above the hips that motions over the ground move; without one the hips travel.
    pub fn root(&self) -> Option<BoneId> {
        self.root.as_ref().map(|root| root.id)
    }

    /// Where the root bone stands, canonical axes, by model-space transforms of all bones.
    pub(crate) fn ground_of(&self, model_from_bone: &[glam::Affine3A]) -> Ground {
        let Some(root) = &self.root else { return Ground::default() };
        let ground = root.ground(&model_from_bone[root.id.index()].as_daffine3());
        // Canonical axes differ by a turn about the same axis, which headings do not show.
        Ground { place: self.canonical_from_model * ground.place, ..ground }
    }

    /// Bones with chains that end at, or rotate, a human bone.
    pub(crate) fn reaches(&self) -> &[BoneId] {
        &self.reaches
    }

    pub(crate) fn leg(&self, side: Side) -> &Leg {
        &self.legs[side as usize]
    }

    /// The palm's normal in neutral pose, canonical axes.
    pub(crate) fn palm(&self, side: Side) -> DVec3 {
        self.palms[side as usize]
    }

    pub(crate) fn has(&self, bone: HumanoidBone) -> bool {
        self.bones[bone.index()].is_some()
    }

    /// Canonical axes from the model's.
    pub(crate) fn canonical_from_model(&self) -> DQuat {
        self.canonical_from_model
    }

    /// The character's bone and its rotation in neutral pose, canonical axes.
    pub(crate) fn neutral(&self, bone: HumanoidBone) -> Option<(BoneId, DQuat)> {
        self.bone(bone).map(|rest| (rest.id, rest.neutral))
    }

    fn bone(&self, bone: HumanoidBone) -> Option<&RestBone> {
        self.bones[bone.index()].as_ref()
    }

    /// Direction of a bone towards another in neutral pose, canonical axes.
    pub(crate) fn neutral_way(&self, from: HumanoidBone, to: HumanoidBone) -> Option<DVec3> {
        let (start, end) = (self.bone(from)?, self.bone(to)?);
        let neutral_from_rest = start.neutral * start.rest.inverse();
        (neutral_from_rest * (end.head - start.head)).try_normalize()
    }

    fn assemble(
        character: &Character,
        map: &HumanoidMap,
        alignment: Alignment,
        feet: [Foot; 2],
    ) -> Result<Self, HumanoidError> {
        let mut bones: Vec<Option<RestBone>> = vec![None; HumanoidBone::COUNT];
        for (bone, id) in map.iter() {
            bones[bone.index()] = Some(alignment.rest_bone(character, map, bone, id, &feet));
        }
        let head = |bone: HumanoidBone| alignment.head(map, bone);
        let pelvis_rest = 0.5 * (head(HumanoidBone::LeftUpperLeg) + head(HumanoidBone::RightUpperLeg));
        let [left, right] = feet;
        let legs = [
            alignment.leg(map, Side::Left, pelvis_rest, left)?,
            alignment.leg(map, Side::Right, pelvis_rest, right)?,
        ];
        let hips = map.get(HumanoidBone::Hips).map_or(BoneId(0), |hips| hips);
        let palms = Side::BOTH.map(|side| alignment.palm(map, side));
        Ok(Self {
            map: map.clone(),
            canonical_from_model: alignment.canonical_from_model,
            model_from_hips_parent: alignment.model_from_parent(character, hips),
            hips_from_pelvis: head(HumanoidBone::Hips) - pelvis_rest,
            stature_m: alignment.stature_m(map, &legs),
            legs,
            palms,
            bones,
            reaches: reaches_of(character, map),
            root: Root::of(character, map, &alignment),
        })
    }
}

/// Chains of bones that end at, or rotate, a human bone.
fn reaches_of(character: &Character, map: &HumanoidMap) -> Vec<BoneId> {
    let pulls = |bone: &sinew_rig::BoneLogic| {
        bone.reach.as_ref().is_some_and(|reach| {
            let links = reach.links.iter().map(|link| link.bone).chain([reach.effector]);
            links.into_iter().any(|link| map.humanoid_bone(link).is_some())
        })
    };
    let logic = character.bone_logic().iter().enumerate();
    logic.filter(|(_, bone)| pulls(bone)).map(|(index, _)| BoneId::of(index)).collect()
}

/// Rest transforms of all bones, model space.
fn rest_matrices(character: &Character) -> Vec<DAffine3> {
    let mut model_from_bone = vec![glam::Affine3A::IDENTITY; character.skeleton().bone_count()];
    Pose::rest(character).model_from_bone_into(character, &mut model_from_bone);
    model_from_bone.iter().map(glam::Affine3A::as_daffine3).collect()
}
