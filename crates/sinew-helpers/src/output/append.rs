//! Chains of bones that follow others, put on the character that they were fitted to, and their keys in its clips.
//!
//! A follower takes a turn in its own axes, so it rests in the axes of the bone that it follows. It is evaluated after all other bones, IK included.

use super::put_on::{NewHelper, NewWeights, free_names, replace_weights};
use crate::{AppendedRig, DriverBinds, Poser, RigError, Scope, Sequence};
use glam::{DAffine3, DQuat, Quat, Vec3};
use sinew_fit::{AppendChain, AppendLink};
use sinew_geometry::Trs;
use sinew_rig::{
    AuthoredSkin, Bone, BoneId, BoneLogic, BoundSurface, Channel, Character, CharacterParts, Clip, Follow,
    LocalTransform, Track,
};

/// Helpers of a clip, frame by frame.
#[derive(Clone, Debug)]
pub(crate) struct BakedAppend {
    /// The clip.
    pub(crate) name: String,
    /// Of each helper the tracks that its last bone gets: translations and rotations, one a frame.
    pub(crate) keys: Vec<(Vec<Vec3>, Vec<Quat>)>,
}

/// The character with followers, their weights, and keys in clips that were baked. It is to be skinned by linear blending.
pub(crate) fn put_append_on(
    character: &Character,
    drivers: &DriverBinds,
    rig: &AppendedRig,
    (baked, fps): (&[BakedAppend], f64),
) -> Result<Character, RigError> {
    if !character.controllers().is_empty() {
        return Err(RigError::HasControllers);
    }
    let bound = BoundSurface::of(character);
    let mut parts = character.clone().into_parts();
    let helpers = add_chains(character, drivers, rig, &mut parts)?;
    let bone_count = rig.driver_count + rig.chains.len();
    let mut weights = vec![0.0; bound.vertex_count() * bone_count];
    for (row, &vertex) in rig.weights.chunks(bone_count).zip(&rig.vertices) {
        weights[vertex as usize * bone_count..][..bone_count].copy_from_slice(row);
    }
    replace_weights(&bound, &NewWeights { drivers, weights: &weights, helpers: &helpers }, &mut parts);
    parts.skin = AuthoredSkin::default();
    for BakedAppend { name, keys } in baked {
        let Some(clip) = parts.clips.iter_mut().find(|clip| clip.name == *name) else { continue };
        add_keys(clip, keys, &helpers, fps);
    }
    Ok(Character::new(parts)?)
}

/// Adds the bones of all chains; returns the last one of each.
fn add_chains(
    character: &Character,
    drivers: &DriverBinds,
    rig: &AppendedRig,
    parts: &mut CharacterParts,
) -> Result<Vec<NewHelper>, RigError> {
    let level = character.bone_logic().iter().map(|logic| logic.level).max().unwrap_or(0) + 1;
    let is_late =
        |bone: BoneId| character.bone_logic().get(bone.index()).is_some_and(|logic| logic.is_after_physics);
    parts.bone_logic.resize(parts.bones.len(), BoneLogic::default());
    let mut helpers = Vec::new();
    for (chain, name) in rig.chains.iter().zip(free_names(character)) {
        let mut parent = drivers.bones()[chain.parent];
        for (at, (link, rest)) in chain.links.iter().zip(local_rests(rig, drivers, chain)).enumerate() {
            let is_last = at + 1 == chain.links.len();
            let rest = rest.ok_or_else(|| RigError::Shear {
                helper: helpers.len() + 1,
                bone: character.skeleton().bone(parent).name.clone(),
            })?;
            let name = if is_last { name.clone() } else { format!("{name}_{}", at + 1) };
            parts.bones.push(Bone {
                name,
                parent: Some(parent),
                rest: LocalTransform::Trs(rest),
                tip_in_bone: None,
            });
            let source = drivers.bones()[link.driver];
            let ratio = link.ratio as f32;
            parts.bone_logic.push(BoneLogic {
                level,
                is_after_physics: is_late(source) || is_late(drivers.bones()[chain.parent]),
                follow: Some(Follow { source, ratio, rotates: true, translates: false, is_local: false }),
                ..BoneLogic::default()
            });
            parent = BoneId::of(parts.bones.len() - 1);
        }
        if let Some(link) = chain.links.last() {
            let bone_from_rest = frame(rig, chain, link).inverse().as_affine3a();
            helpers.push(NewHelper { bone: parent, bone_from_rest });
        }
    }
    Ok(helpers)
}

/// Where a link rests, in the rest space of the fit.
fn frame(rig: &AppendedRig, chain: &AppendChain, link: &AppendLink) -> DAffine3 {
    let axes = rig.axes.at_rest[chain.parent].inverse() * rig.axes.model_from_bone[link.driver];
    DAffine3::from_rotation_translation(axes, link.pivot)
}

/// Where what carries the last link rests.
fn carrier_frame(rig: &AppendedRig, drivers: &DriverBinds, chain: &AppendChain) -> DAffine3 {
    match &chain.links[..] {
        [.., before, _] => frame(rig, chain, before),
        _ => drivers.bone_from_rest()[chain.parent].inverse().as_daffine3(),
    }
}

/// The rest transforms of a chain's bones in their parents; `None` where the parent has a shear.
fn local_rests<'a>(
    rig: &'a AppendedRig,
    drivers: &'a DriverBinds,
    chain: &'a AppendChain,
) -> impl Iterator<Item = Option<Trs>> + 'a {
    let first = drivers.bone_from_rest()[chain.parent].as_daffine3();
    chain.links.iter().scan(first, move |before, link| {
        let own = frame(rig, chain, link);
        let local = *before * own;
        *before = own.inverse();
        Some(Trs::from_affine(&local.as_affine3a()))
    })
}

/// Keys that bring the last bone of each chain to where `baked` has the helper. `baked`: frame by frame, in each frame one per helper.
pub(crate) fn keys_of(
    poser: &Poser<'_>,
    rig: &AppendedRig,
    (name, sequence): (&str, &Sequence),
    baked: &[DAffine3],
) -> BakedAppend {
    let all: Vec<usize> = (0..rig.driver_count).collect();
    let set = poser.sequence(Scope { vertices: &[], drivers: &all }, &sequence.poses, &sequence.shapes);
    let (followed, carriers) = (rig.helpers(&set), rig.carriers(&set));
    let count = rig.chains.len();
    let mut keys = Vec::new();
    for (helper, chain) in rig.chains.iter().enumerate() {
        let Some(link) = chain.links.last() else { continue };
        let (own, below) = (frame(rig, chain, link), carrier_frame(rig, poser.drivers, chain));
        let rest = (below.inverse() * own).to_scale_rotation_translation().1;
        let (mut places, mut turns) = (Vec::new(), Vec::<Quat>::new());
        for frame in 0..set.pose_count() {
            let at = frame * count + helper;
            let local = |matrix: &DAffine3| (carriers[at] * below).inverse() * *matrix * own;
            let (_, wanted, place) = local(&baked[at]).to_scale_rotation_translation();
            let (_, taken, _) = local(&followed[at]).to_scale_rotation_translation();
            places.push(place.as_vec3());
            turns.push(key_turn(rest, wanted, taken, turns.last()));
        }
        keys.push((places, turns));
    }
    BakedAppend { name: name.to_owned(), keys }
}

/// In axes of the bone at rest, its turn is that of the key times the one it takes over. `before`: the last key, from which the shorter way is taken.
fn key_turn(rest: DQuat, wanted: DQuat, followed: DQuat, before: Option<&Quat>) -> Quat {
    let (turn, taken) = (rest.inverse() * wanted, rest.inverse() * followed);
    let key = (rest * turn * taken.inverse()).normalize().as_quat();
    if before.is_some_and(|before| before.dot(key) < 0.0) { -key } else { key }
}

fn add_keys(clip: &mut Clip, keys: &[(Vec<Vec3>, Vec<Quat>)], helpers: &[NewHelper], fps: f64) {
    for ((places, turns), helper) in keys.iter().zip(helpers) {
        let times_secs: Vec<f64> = (0..turns.len()).map(|frame| frame as f64 / fps).collect();
        let channels = [
            Channel::Translation(helper.bone, places.clone()),
            Channel::Rotation(helper.bone, turns.clone()),
        ];
        clip.tracks.extend(channels.map(|channel| Track::linear(times_secs.clone(), channel)));
    }
}
