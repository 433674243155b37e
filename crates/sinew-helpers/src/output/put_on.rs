//! A fit's helpers, weights and controllers, put on the character that it was made for.

use super::convert::{convert, convert_swing};
use crate::{DriverBinds, RigError};
use glam::Affine3A;
use sinew_fit::Controllers;
use sinew_geometry::{Bounds, Trs};
use sinew_model::HelperOutput;
use sinew_rig::{
    AuthoredSkin, BindId, Bone, BoneId, BoundInstance, BoundSurface, Character, CharacterParts, HelperBake,
    Influences, InfluencesBuilder, LocalTransform, MeshId, Swing, bake_helpers,
};

/// What a fit found.
#[derive(Clone, Copy, Debug)]
pub struct FittedHelpers<'a> {
    /// The bones that drove it.
    pub drivers: &'a DriverBinds,
    /// One per vertex of [`BoundSurface`] and bone, vertex by vertex, drivers first: [`sinew_fit::HelperFit::weights`], or those of the controllers.
    /// A vertex with none keeps those it has.
    pub weights: &'a [f64],
    /// How helpers follow; centers in the rest space of the drivers.
    pub controllers: &'a Controllers,
    /// Lag and swing of each helper; empty where all follow at once.
    pub swings: &'a [Swing],
}

/// The character with helper joints, their weights, controllers, and all clips baked. It is to be skinned by linear blending: what it says about
/// other methods is left out. Materials, morphs and all else stay; meshes that no skin moves stay on their bones.
///
/// # Errors
/// The fit is not of this character, or the settings cannot be used.
pub fn put_helpers_on(
    character: &Character,
    fitted: &FittedHelpers<'_>,
    settings: &HelperOutput,
) -> Result<Character, RigError> {
    let bound = BoundSurface::of(character);
    check(character, &bound, fitted, settings)?;
    let mut parts = character.clone().into_parts();
    let helpers = add_helpers(character, fitted, &mut parts)?;
    let FittedHelpers { drivers, weights, .. } = *fitted;
    replace_weights(&bound, &NewWeights { drivers, weights, helpers: &helpers }, &mut parts);
    parts.skin = AuthoredSkin::default();
    let bones: Vec<BoneId> = helpers.iter().map(|helper| helper.bone).collect();
    parts.controllers = convert(fitted.controllers, fitted.drivers.bones(), &bones);
    for (controller, swing) in parts.controllers.helpers.iter_mut().zip(fitted.swings) {
        let moves = swing.gains.iter().flatten().any(|gain| *gain != 0.0);
        controller.swing = moves.then(|| convert_swing(swing));
    }
    with_baked_clips(parts, &settings.bake(Bounds::of(&bound.rest().positions).size().length()))
}

/// The character of these parts, with all clips baked anew.
pub(super) fn with_baked_clips(mut parts: CharacterParts, bake: &HelperBake) -> Result<Character, RigError> {
    let mut clips = std::mem::take(&mut parts.clips);
    let still = Character::new(parts)?;
    clips.iter_mut().for_each(|clip| *clip = bake_helpers(&still, clip, bake));
    Ok(Character::new(CharacterParts { clips, ..still.into_parts() })?)
}

fn check(
    character: &Character,
    bound: &BoundSurface,
    fitted: &FittedHelpers<'_>,
    settings: &HelperOutput,
) -> Result<(), RigError> {
    if !character.controllers().is_empty() {
        return Err(RigError::HasControllers);
    }
    fitted.controllers.check()?;
    let (drivers, helpers) = (fitted.drivers.bones().len(), fitted.controllers.helpers.len());
    let counts = [
        ("driver inputs", fitted.controllers.inputs.len(), drivers),
        ("weights", fitted.weights.len(), bound.vertex_count() * (drivers + helpers)),
        ("swings", if fitted.swings.is_empty() { helpers } else { fitted.swings.len() }, helpers),
    ];
    if let Some(&(what, found, expected)) = counts.iter().find(|(_, found, expected)| found != expected) {
        return Err(RigError::Count { what, found, expected });
    }
    Ok(settings.check()?)
}

/// A bone that was added for a helper.
pub(super) struct NewHelper {
    pub(super) bone: BoneId,
    /// Bone space from the common rest space.
    pub(super) bone_from_rest: Affine3A,
}

/// Weights that take the place of a character's own: as in [`FittedHelpers`].
pub(super) struct NewWeights<'a> {
    pub(super) drivers: &'a DriverBinds,
    pub(super) weights: &'a [f64],
    pub(super) helpers: &'a [NewHelper],
}

/// Names for helpers that no bone has.
pub(super) fn free_names(character: &Character) -> impl Iterator<Item = String> + '_ {
    let is_taken = |name: &str| character.skeleton().bones().iter().any(|bone| bone.name == name);
    (1..).map(|number| format!("helper_{number}")).filter(move |name| !is_taken(name))
}

/// Adds a joint for each helper, at its center, with the axes of rest space.
fn add_helpers(
    character: &Character,
    fitted: &FittedHelpers<'_>,
    parts: &mut CharacterParts,
) -> Result<Vec<NewHelper>, RigError> {
    let mut names = free_names(character);
    let mut helpers = Vec::new();
    for (helper, controller) in fitted.controllers.helpers.iter().enumerate() {
        let frame = &controller.frame;
        let parent = fitted.drivers.bones()[frame.parent];
        let center = Affine3A::from_translation(frame.center.as_vec3());
        let stands = fitted.drivers.bone_from_rest()[frame.parent] * center;
        let rest = Trs::from_affine(&stands).ok_or_else(|| RigError::Shear {
            helper: helper + 1,
            bone: character.skeleton().bone(parent).name.clone(),
        })?;
        let bone_from_rest = Affine3A::from_translation(-frame.center.as_vec3());
        helpers.push(NewHelper { bone: BoneId::of(parts.bones.len()), bone_from_rest });
        parts.bones.push(Bone {
            name: names.next().unwrap_or_default(),
            parent: Some(parent),
            rest: LocalTransform::Trs(rest),
            tip_in_bone: None,
        });
        if !parts.bone_logic.is_empty() {
            parts.bone_logic.push(sinew_rig::BoneLogic::default());
        }
    }
    Ok(helpers)
}

pub(super) fn replace_weights(bound: &BoundSurface, new: &NewWeights<'_>, parts: &mut CharacterParts) {
    let mut is_rewritten = vec![false; parts.meshes.len()];
    for placed in bound.instances() {
        let instance = parts.instances[placed.instance.index()].clone();
        let Some(bind) = instance.bind else { continue };
        let influences = influences_of(placed, bind, new, parts);
        let mut mesh = parts.meshes[instance.mesh.index()].clone();
        mesh.influences = influences;
        mesh.spherical.clear();
        mesh.methods.clear();
        if !is_rewritten[instance.mesh.index()] {
            is_rewritten[instance.mesh.index()] = true;
            parts.meshes[instance.mesh.index()] = mesh;
        } else if parts.meshes[instance.mesh.index()] != mesh {
            // Placed twice and fitted differently at each place.
            parts.instances[placed.instance.index()].mesh = MeshId::of(parts.meshes.len());
            parts.meshes.push(mesh);
        }
    }
}

/// The weights of an instance, on joints of its bind; joints that the bind lacks are added to it.
fn influences_of(
    placed: &BoundInstance,
    bind_id: BindId,
    new: &NewWeights<'_>,
    parts: &mut CharacterParts,
) -> Influences {
    let NewWeights { drivers, weights, helpers } = *new;
    let rest_from_own = drivers.rest_from_own(bind_id);
    let bone_count = drivers.bones().len() + helpers.len();
    let before = parts.meshes[parts.instances[placed.instance.index()].mesh.index()].influences.clone();
    let bind = &mut parts.binds[bind_id.index()];
    let mut joint_of: Vec<Option<u16>> = vec![None; bone_count];
    let mut joint = |bone: usize| {
        *joint_of[bone].get_or_insert_with(|| {
            let (id, from_rest) = match bone.checked_sub(drivers.bones().len()) {
                None => (drivers.bones()[bone], drivers.bone_from_rest()[bone]),
                Some(helper) => (helpers[helper].bone, helpers[helper].bone_from_rest),
            };
            let known = bind.joints.iter().position(|known| *known == id);
            known.unwrap_or_else(|| {
                bind.joints.push(id);
                bind.joint_from_rest.push(from_rest * rest_from_own);
                bind.joints.len() - 1
            }) as u16
        })
    };
    let mut builder = InfluencesBuilder::with_capacity(placed.vertices.len(), 4 * placed.vertices.len());
    for vertex in placed.vertices.clone() {
        let row = &weights[vertex * bone_count..][..bone_count];
        let above = row.iter().enumerate().filter(|(_, weight)| **weight as f32 > 0.0);
        let mut influences: Vec<(u16, f32)> =
            above.map(|(bone, weight)| (joint(bone), *weight as f32)).collect();
        if influences.is_empty() {
            influences = before.pairs(vertex - placed.vertices.start).collect();
        }
        builder.push(influences);
    }
    builder.build()
}
