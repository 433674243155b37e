//! Bakes the controllers of helpers into clips, as plain tracks for any player.

use crate::controllers::{Swing, helper_change};
use crate::key_reduction::kept_keys;
use crate::straight_tracks::{straight_tracks, turn_missed};
use crate::{
    BoneId, BoundSurface, Channel, Character, Clip, Evaluator, HELPER_NUMBERS, InstanceId, Pose, Track,
};
use glam::{Affine3A, DVec3, Quat, Vec3};
use sinew_geometry::{SpringState, Trs};

/// Settings of baking helpers.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HelperBake {
    /// Samples per second. Above 0. Default 30.
    pub fps: f64,
    /// Maximum error of any vertex at any sample when keys are removed; m, above 0. Default 1e-4, invisible on a human.
    pub tolerance_m: f32,
}

impl Default for HelperBake {
    fn default() -> Self {
        Self { fps: 30.0, tolerance_m: 1e-4 }
    }
}

/// A looping clip is played this often before its first frame.
const WARM_ROUNDS: usize = 2;

/// Share of the tolerance for each of translation, rotation and scale.
const SHARE: f32 = 1.0 / 3.0;

/// The clip with tracks for all helpers and all morphs with controllers, replacing existing ones. Swinging helpers start at rest at the
/// clip's first frame, or in the loop's steady state for a looping clip. Every helper gets a track, which makes players with controllers
/// show the same. Splines of other bones become lines within the tolerance, because not every player reads their tangents.
///
/// # Panics
/// If rate or tolerance is not above 0, or the clip does not belong to this character.
pub fn bake_helpers(character: &Character, clip: &Clip, settings: &HelperBake) -> Clip {
    let HelperBake { fps, tolerance_m } = *settings;
    assert!(fps.is_finite() && fps > 0.0, "invalid frame rate {fps}");
    assert!(tolerance_m.is_finite() && tolerance_m > 0.0, "invalid tolerance {tolerance_m} m");
    let controllers = character.controllers();
    let mut tracks = straight_tracks(character, without_own(character, clip), SHARE * tolerance_m);
    let times_secs = sample_times(clip, fps);
    let samples = Samples::of(character, &Clip { name: String::new(), tracks: tracks.clone() }, &times_secs);
    let reaches = reaches(character);
    for (helper, (controller, numbers)) in controllers.helpers.iter().zip(&samples.helpers).enumerate() {
        let locals = locals_of(character, controller.bone, numbers);
        let limits = (SHARE * tolerance_m, reaches[helper]);
        helper_tracks(character, controller.bone, &times_secs, &locals, limits, &mut tracks);
    }
    let is_baked = |instance: InstanceId| samples.morphs.iter().any(|(baked, _)| *baked == instance);
    tracks
        .retain(|track| !matches!(&track.channel, Channel::MorphWeights(instance, _) if is_baked(*instance)));
    for (instance, weights) in samples.morphs {
        tracks.push(morph_track(character, instance, &times_secs, &weights, tolerance_m));
    }
    Clip { name: clip.name.clone(), tracks }
}

/// The tracks that drive no helper.
fn without_own(character: &Character, clip: &Clip) -> Vec<Track> {
    let helpers = &character.controllers().helpers;
    let is_own = |bone: BoneId| helpers.iter().any(|helper| helper.bone == bone);
    clip.tracks.iter().filter(|track| !track.channel.bone().is_some_and(is_own)).cloned().collect()
}

/// 0, 1/fps, 2/fps … and the end.
fn sample_times(clip: &Clip, fps: f64) -> Vec<f64> {
    let mut times: Vec<f64> = (0..clip.frame_count(fps)).map(|frame| frame as f64 / fps).collect();
    let (end, last) = (clip.duration_secs(), times.last().copied().unwrap_or(0.0));
    if end - last > 1e-6 {
        times.push(end);
    }
    times
}

struct Samples {
    /// By helper, one entry per sample.
    helpers: Vec<Vec<[f64; HELPER_NUMBERS]>>,
    /// Instances with morphs that follow, one row per sample.
    morphs: Vec<(InstanceId, Vec<Vec<f32>>)>,
}

impl Samples {
    fn of(character: &Character, clip: &Clip, times_secs: &[f64]) -> Self {
        let controllers = character.controllers();
        let mut evaluator = Evaluator::new(character);
        let mut pose = Pose::rest(character);
        let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        let mut swinging = Swinging::of(character, clip, times_secs);
        let follows = |mesh| controllers.morphs.iter().any(|morph| morph.mesh == mesh);
        let mut samples = Self {
            helpers: vec![Vec::with_capacity(times_secs.len()); controllers.helpers.len()],
            morphs: (0..character.instances().len())
                .map(InstanceId::of)
                .filter(|instance| follows(character.instance(*instance).mesh))
                .map(|instance| (instance, Vec::new()))
                .collect(),
        };
        for &time_secs in times_secs {
            pose.set_clip(character, clip, time_secs);
            evaluator.model_from_bone_into(character, &pose, &mut model_from_bone);
            let said = evaluator.helper_numbers().iter();
            let pulls = swinging.pulls(character, &model_from_bone, time_secs);
            let helpers = controllers.helpers.iter().zip(said).zip(pulls).zip(&mut samples.helpers);
            for (((controller, said), pull), list) in helpers {
                list.push(controller.swing.map_or(*said, |swing| swing.add(said, *pull)));
            }
            // All morphs of an instance are one track: those with controllers may be baked already, the others stay as in the clip.
            controllers.morphs.iter().for_each(|morph| {
                pose.set_morph(character, morph.mesh, morph.morph as usize, 0.0);
            });
            pose.forget_morph_keys();
            let shown = evaluator.morph_weights(character, &pose);
            for (instance, rows) in &mut samples.morphs {
                rows.push(shown[instance.index()].clone());
            }
        }
        samples
    }
}

/// The masses of swinging helpers over time.
struct Swinging {
    states: Vec<Option<SpringState>>,
    pulls: Vec<DVec3>,
    time_secs: Option<f64>,
}

impl Swinging {
    /// At rest, or in the state after a round of the clip.
    fn of(character: &Character, clip: &Clip, times_secs: &[f64]) -> Self {
        let helpers = &character.controllers().helpers;
        let mut swinging = Self {
            states: vec![None; helpers.len()],
            pulls: vec![DVec3::ZERO; helpers.len()],
            time_secs: None,
        };
        if !character.controllers().swings() || !clip.comes_round(character) {
            return swinging;
        }
        let mut evaluator = Evaluator::new(character);
        let mut pose = Pose::rest(character);
        let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        for _ in 0..WARM_ROUNDS {
            for &time_secs in times_secs {
                pose.set_clip(character, clip, time_secs);
                evaluator.model_from_bone_into(character, &pose, &mut model_from_bone);
                swinging.pulls(character, &model_from_bone, time_secs);
            }
            swinging.time_secs = None;
        }
        swinging
    }

    /// The pull of each mass at a time after the previous one, or at the start of a round.
    fn pulls(&mut self, character: &Character, model_from_bone: &[Affine3A], time_secs: f64) -> &[DVec3] {
        let skeleton = character.skeleton();
        let helpers = character.controllers().helpers.iter().zip(&mut self.states).zip(&mut self.pulls);
        for ((helper, state), pull) in helpers {
            let Some(Swing { spring, .. }) = &helper.swing else { continue };
            let bone = skeleton.bone(helper.bone);
            let parent = bone.parent.map_or(Affine3A::IDENTITY, |parent| model_from_bone[parent.index()]);
            let stands = Trs::nearest(&(parent * bone.rest.to_affine()));
            let place = stands.translation.as_dvec3();
            let state = state.get_or_insert(SpringState::at_rest(place));
            match self.time_secs {
                Some(before) => spring.step(state, place, (time_secs - before).max(f64::MIN_POSITIVE)),
                None => state.go_on_from(place),
            }
            *pull = spring.pull(state, stands.rotation.as_dquat());
        }
        self.time_secs = Some(time_secs);
        &self.pulls
    }
}

fn locals_of(character: &Character, bone: BoneId, numbers: &[[f64; HELPER_NUMBERS]]) -> Vec<Trs> {
    let rest = character.skeleton().bone(bone).rest.to_affine();
    let mut locals: Vec<Trs> = Vec::with_capacity(numbers.len());
    for numbers in numbers {
        let stands = rest * helper_change(numbers);
        let mut local = Trs::nearest(&stands);
        // Some engines interpolate keys without a sign check: keep neighbors in the same hemisphere.
        if locals.last().is_some_and(|before| before.rotation.dot(local.rotation) < 0.0) {
            local.rotation = -local.rotation;
        }
        locals.push(local);
    }
    locals
}

/// Maximum displacement of a vertex per radian of each helper, m.
fn reaches(character: &Character) -> Vec<f32> {
    let bound = BoundSurface::of(character);
    let rest = character.skeleton().rest_model_from_bone();
    let reach = |bone: BoneId| {
        let scale = Vec3::from(rest[bone.index()].matrix3.x_axis).length();
        let mut reach = 0.0f32;
        for (vertex, place) in bound.rest().positions.iter().enumerate() {
            let (entries, weights) = bound.influences().of(vertex);
            for (&entry, &weight) in entries.iter().zip(weights) {
                let entry = &bound.palette()[usize::from(entry)];
                if entry.bone == bone {
                    reach =
                        reach.max(weight * scale * entry.bone_from_rest.transform_point3(*place).length());
                }
            }
        }
        reach
    };
    character.controllers().helpers.iter().map(|helper| reach(helper.bone)).collect()
}

fn helper_tracks(
    character: &Character,
    bone: BoneId,
    times_secs: &[f64],
    locals: &[Trs],
    (allowed_m, reach_m): (f32, f32),
    tracks: &mut Vec<Track>,
) {
    let skeleton = character.skeleton();
    let parent = skeleton.bone(bone).parent.map(|parent| skeleton.rest_model_from_bone()[parent.index()]);
    let metres = parent.map_or(1.0, |parent| Vec3::from(parent.matrix3.x_axis).length());
    let vectors = |pick: fn(&Trs) -> Vec3, per_unit_m: f32| {
        let keys = kept_keys(times_secs, |from, to, share, at| {
            let line = pick(&locals[from]).lerp(pick(&locals[to]), share);
            line.distance(pick(&locals[at])) * per_unit_m / allowed_m
        });
        let values: Vec<Vec3> = keys.iter().map(|&key| pick(&locals[key])).collect();
        (keys, values)
    };
    let (keys, values) = vectors(|local| local.translation, metres);
    tracks.push(Track::between(times_secs, &keys, Channel::Translation(bone, values)));

    let keys = kept_keys(times_secs, |from, to, share, at| {
        let (first, last) = (locals[from].rotation, locals[to].rotation);
        turn_missed(first, last, share, locals[at].rotation) * reach_m / allowed_m
    });
    let values: Vec<Quat> = keys.iter().map(|&key| locals[key].rotation).collect();
    tracks.push(Track::between(times_secs, &keys, Channel::Rotation(bone, values)));

    let rest = skeleton.bone(bone).rest.to_trs().scale;
    let (keys, values) =
        vectors(|local| local.scale, reach_m / rest.abs().max_element().max(f32::MIN_POSITIVE));
    let is_still = values.len() == 1 && values[0].abs_diff_eq(rest, 1e-6 * rest.abs().max_element());
    if !is_still {
        tracks.push(Track::between(times_secs, &keys, Channel::Scale(bone, values)));
    }
}

fn morph_track(
    character: &Character,
    instance: InstanceId,
    times_secs: &[f64],
    weights: &[Vec<f32>],
    tolerance_m: f32,
) -> Track {
    let farthest = |deltas: &[Vec3]| deltas.iter().map(|delta| delta.length()).fold(0.0, f32::max);
    let morphs = &character.mesh_of(instance).morphs;
    let sizes: Vec<f32> = morphs.iter().map(|morph| farthest(&morph.position_deltas)).collect();
    let keys = kept_keys(times_secs, |from, to, share, at| {
        let rows = weights[from].iter().zip(&weights[to]).zip(&weights[at]).zip(&sizes);
        rows.map(|(((from, to), at), size)| (from + (to - from) * share - at).abs() * size).sum::<f32>()
            / (SHARE * tolerance_m)
    });
    let kept = keys.iter().flat_map(|&key| weights[key].clone()).collect();
    Track::between(times_secs, &keys, Channel::MorphWeights(instance, kept))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Bone, ControllerBasis, ControllerDriver, HelperController, HelperControllers, Interpolation,
        LocalTransform, samples,
    };
    use sinew_geometry::Spring;

    /// A tolerance that drops no key that matters.
    const FINE_M: f32 = 1e-6;

    /// The limb with a helper on its lower half that follows the elbow's bend.
    fn helped(swing: Option<Swing>) -> Character {
        let mut parts = samples::limb(8, 4).into_parts();
        let rest = LocalTransform::Trs(Trs::from_translation(Vec3::new(0.0, 0.05, 0.02)));
        parts.bones.push(Bone { name: "helper_1".into(), parent: Some(BoneId(1)), rest, tip_in_bone: None });
        let helper = BoneId::of(parts.bones.len() - 1);
        parts.binds[0].joints.push(helper);
        let from_rest = Affine3A::from_translation(-Vec3::new(0.0, 0.35, 0.02));
        parts.binds[0].joint_from_rest.push(from_rest);
        parts.controllers = HelperControllers {
            drivers: vec![ControllerDriver::turning(BoneId(1), vec![DVec3::X])],
            basis: ControllerBasis::Monomials(vec![vec![0], vec![0, 0]]),
            helpers: vec![HelperController {
                bone: helper,
                terms: vec![
                    (1, [0.01, 0.0, 0.0, -0.4, 0.1, 0.0, 0.0]),
                    (2, [0.0, 0.02, 0.0, 0.0, 0.2, 0.0, 0.1]),
                ],
                swing,
            }],
            ..HelperControllers::default()
        };
        Character::new(parts).expect("a limb with a helper")
    }

    fn stands(character: &Character, clip: &Clip, time_secs: f64) -> Affine3A {
        let mut pose = Pose::rest(character);
        pose.set_clip(character, clip, time_secs);
        let mut found = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        pose.model_from_bone_into(character, &mut found);
        found[character.controllers().helpers[0].bone.index()]
    }

    #[test]
    fn a_baked_clip_stands_as_controllers_do_at_every_sample() {
        let character = helped(None);
        let clip = &character.clips()[0];
        let settings = HelperBake { fps: 30.0, tolerance_m: 1e-4 };
        let baked = bake_helpers(&character, clip, &settings);
        let keys: usize = baked.tracks[clip.tracks.len()..].iter().map(|track| track.times_secs.len()).sum();
        assert!(keys > 6 && keys < 2 * clip.frame_count(30.0), "{keys} keys");
        let mut moved = 0.0f32;
        for frame in 0..clip.frame_count(30.0) {
            let time_secs = frame as f64 / 30.0;
            let (said, plain) = (stands(&character, clip, time_secs), stands(&character, &baked, time_secs));
            // A third for the place; turns and scales are allowed as much at the reach of the helper.
            let apart = said.translation.distance(plain.translation);
            assert!(apart <= 0.5e-4, "{apart} at {time_secs}");
            moved = moved.max(said.translation.distance(stands(&character, clip, 0.0).translation));
        }
        assert!(moved > 0.01, "{moved}");
        // Baking again changes nothing.
        assert_eq!(bake_helpers(&character, &baked, &settings), baked);
    }

    /// A mass that pulls a helper against where it is carried, by 1 mm for 1 m/s².
    fn swing() -> Swing {
        let spring = Spring { frequency_hz: 4.0, damping: 0.4, limit: 8.0 };
        let mut gains = [[0.0; HELPER_NUMBERS]; 3];
        (0..3).for_each(|axis| gains[axis][axis] = 1e-3);
        Swing { spring, gains }
    }

    /// The whole limb is carried along x: still, then fast, then still.
    fn carried() -> Clip {
        let keys = [(0.0, 0.0), (0.5, 0.0), (1.0, 1.0), (3.0, 1.0)];
        let channel = Channel::Translation(BoneId(0), keys.map(|(_, x)| Vec3::X * x).to_vec());
        let times_secs = keys.map(|(time, _)| time).to_vec();
        Clip {
            name: "carried".into(),
            tracks: vec![Track { times_secs, interpolation: Interpolation::Linear, channel }],
        }
    }

    #[test]
    fn helpers_that_swing_stay_behind_and_come_to_rest() {
        let (character, at_once) = (helped(Some(swing())), helped(None));
        let settings = HelperBake { fps: 60.0, tolerance_m: FINE_M };
        let bake = |character: &Character| bake_helpers(character, &carried(), &settings);
        let (swinging, plain) = (bake(&character), bake(&at_once));
        let off = |time_secs: f64| {
            stands(&character, &swinging, time_secs).translation.x
                - stands(&at_once, &plain, time_secs).translation.x
        };
        assert!(off(0.4).abs() < 1e-7, "{}", off(0.4));
        let start = (30..45).map(|frame| off(f64::from(frame) / 60.0)).fold(0.0, f32::min);
        let stop = (60..75).map(|frame| off(f64::from(frame) / 60.0)).fold(0.0, f32::max);
        assert!(start < -2e-3 && stop > 2e-3, "{start} {stop}");
        // Never more than the limit says, and at rest in the end.
        assert!(start > -8e-3 && stop < 8e-3 && off(3.0).abs() < 1e-5, "{start} {stop} {}", off(3.0));
    }

    #[test]
    fn a_round_begins_as_it_ends() {
        let character = helped(Some(swing()));
        let turn = |angle: f32| Quat::from_rotation_z(angle);
        let channel = Channel::Rotation(BoneId(0), vec![turn(0.0), turn(0.6), turn(-0.6), turn(0.0)]);
        let round = Clip {
            name: "round".into(),
            tracks: vec![Track {
                times_secs: vec![0.0, 0.2, 0.6, 0.8],
                interpolation: Interpolation::Linear,
                channel,
            }],
        };
        assert!(round.comes_round(&character) && carried().comes_round(&character));
        let baked = bake_helpers(&character, &round, &HelperBake { fps: 60.0, tolerance_m: FINE_M });
        let (first, last) = (stands(&character, &baked, 0.0), stands(&character, &baked, 0.8));
        let rest = stands(&helped(None), &round, 0.0);
        assert!(first.translation.distance(rest.translation) > 1e-4, "it swings in its first frame");
        assert!(first.translation.distance(last.translation) < 1e-4, "{first:?} {last:?}");
    }

    #[test]
    fn what_the_pose_asks_of_a_helper_comes_on_top() {
        let character = helped(None);
        let helper = character.controllers().helpers[0].bone;
        let mut pose = Pose::rest(&character);
        pose.turn(BoneId(1), Quat::from_rotation_x(0.9));
        let mut found = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        pose.model_from_bone_into(&character, &mut found);
        let before = found[helper.index()];
        let turn = Quat::from_rotation_z(0.3);
        pose.turn(helper, turn);
        pose.model_from_bone_into(&character, &mut found);
        assert!(found[helper.index()].abs_diff_eq(before * Affine3A::from_quat(turn), 1e-5));
    }

    #[test]
    fn damaged_controllers_are_refused_by_name() {
        let refused = |change: &dyn Fn(&mut HelperControllers), expected: &str| {
            let mut parts = helped(None).into_parts();
            change(&mut parts.controllers);
            let problems = Character::new(parts).expect_err(expected).to_string();
            assert!(problems.contains(expected), "{problems:?} does not say {expected:?}");
        };
        refused(&|c| c.drivers[0].bone = BoneId(77), "bone 77, which does not exist");
        refused(&|c| c.drivers[0].bone = c.helpers[0].bone, "or below it");
        refused(&|c| c.drivers[0].axes.clear(), "one to three axes");
        refused(&|c| c.helpers[0].terms[1].0 = 3, "function 3, but there are 3");
        refused(&|c| c.helpers[0].terms[1].1[2] = f64::NAN, "not finite");
        refused(
            &|c| c.basis = ControllerBasis::Monomials(vec![vec![0], vec![1]]),
            "input 1, but the drivers have 1",
        );
        let still = Spring { frequency_hz: 4.0, damping: 0.0, limit: 8.0 };
        refused(&|c| c.helpers[0].swing = Some(Swing { spring: still, ..swing() }), "its swing is invalid");
    }
}
