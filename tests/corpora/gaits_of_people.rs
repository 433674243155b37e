//! Walks, runs and captured motions on Sinew's own body and on other people's characters: feet do not slide, limbs do not break.

#[path = "../../crates/sinew-motion/tests/it/support/mod.rs"]
#[expect(dead_code, reason = "shared with the tests of sinew-motion")]
mod support;

use self::support::{Measured, SolePoints, measure};
use sinew::body::character::CharacterSettings;
use sinew::body::survey::Measure;
use sinew::io::bvh::{Bvh, BvhScale};
use sinew::io::{Limits, Report};
use sinew::mmd::vmd::Vmd;
use sinew::model::motion::Mover;
use sinew::model::{Model, extension_of};
use sinew::motion::{GaitSettings, Humanoid, Key, KeyClip, KeyTrack, RetargetSettings, gait_clip, retarget};
use sinew::rig::{Character, Clip, Evaluator, HumanoidBone, Pose, guess_humanoid};
use sinew::scene::body::{BodyRequest, make};
use std::path::PathBuf;

/// What contact may drift, and what may be below the ground.
const MOST_M: f32 = 1e-3;

fn body(stature_m: Option<f64>) -> Character {
    let given = stature_m.map(|stature| vec![(Measure::Stature, stature)]).unwrap_or_default();
    let made = make(&BodyRequest { given, ..BodyRequest::default() }).expect("a body");
    made.body.to_character(&CharacterSettings { steps: 4, ..CharacterSettings::default() })
}

fn measured(character: &Character, clip: &Clip) -> Measured {
    measure(character, clip, &SolePoints::of_feet(character, &guess_humanoid(character)))
}

#[test]
fn sinews_body_walks_and_runs_in_three_sizes() {
    for stature in [1.60, 1.75, 1.92] {
        let character = body(Some(stature));
        let human = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let walks = [0.6, 1.0, 1.4, 1.8].map(|speed_m_s| GaitSettings {
            speed_m_s,
            seconds: 3.0,
            ..GaitSettings::walk()
        });
        let runs =
            [2.5, 4.0, 6.0].map(|speed_m_s| GaitSettings { speed_m_s, seconds: 2.0, ..GaitSettings::run() });
        for (settings, most_deg) in
            walks.iter().map(|walk| (walk, 0.5)).chain(runs.iter().map(|run| (run, 1.5)))
        {
            let clip = gait_clip(&human, settings).expect("a gait");
            let found = measured(&character, &clip);
            eprintln!("{stature} m, {} m/s: {found:?}", settings.speed_m_s);
            assert!(
                found.drift_m < MOST_M && found.below_m < MOST_M,
                "{stature} {}: {found:?}",
                settings.speed_m_s
            );
            assert!(found.jerk_deg < most_deg, "{stature} {}: {found:?}", settings.speed_m_s);
        }
    }
}

/// Models of the corpus that are humans.
const PEOPLE: [&str; 3] =
    ["characters/quaternius-human-male.glb", "gltf/CesiumMan.glb", "pmx/yw_test_model.pmx"];

fn corpus(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("SINEW_CORPUS").map(PathBuf::from);
    if folder.is_none() {
        eprintln!("{test}: SINEW_CORPUS is not set, public files are skipped");
    }
    folder
}

#[test]
fn other_peoples_characters_walk() {
    let Some(folder) = corpus("other_peoples_characters_walk") else { return };
    for name in PEOPLE {
        let path = folder.join(name);
        let mut report = Report::default();
        let model = Model::open(&path, &Limits::default(), &mut report).expect("a model");
        let mover = Mover::new(model, None, &mut report).expect("a human");
        let character = &mover.model.character;
        let settings = GaitSettings { speed_m_s: 1.2, seconds: 3.0, ..GaitSettings::walk() };
        let clip = gait_clip(&mover.humanoid, &settings).expect("a walk");
        let found = measured(character, &clip);
        eprintln!("{name} ({}): {found:?}", extension_of(&path));
        assert!(found.drift_m < MOST_M && found.below_m < MOST_M, "{name}: {found:?}");
        assert!(found.jerk_deg < 0.5 && found.touching_share > 0.5, "{name}: {found:?}");
        assert_limbs_whole(character, &clip, name);
    }
}

/// A walk as VMD, with the legs' IK switched off in it, moves an MMD model as the clip does, at whole frames.
#[test]
fn a_walk_in_vmd_moves_feet_to_the_same_places() {
    let Some(folder) = corpus("a_walk_in_vmd_moves_feet_to_the_same_places") else { return };
    let mut report = Report::default();
    let model = Model::open(&folder.join(PEOPLE[2]), &Limits::default(), &mut report).expect("a model");
    let mover = Mover::new(model, None, &mut report).expect("a human");
    let character = &mover.model.character;
    let clip =
        gait_clip(&mover.humanoid, &GaitSettings { seconds: 2.0, ..GaitSettings::walk() }).expect("a walk");
    let bytes = Vmd::from_clip(character, &clip, &mut report).write();
    let again = Vmd::read(&bytes, &Limits::default(), &mut report).expect("our own VMD").to_clip(
        character,
        "again",
        &mut report,
    );
    for frame in 0..=60 {
        let secs = f64::from(frame) / 30.0;
        for bone in ["左足首", "右足首", "頭", "右手首", "左つま先"] {
            let (a, b) = (
                support::place_of(character, &clip, bone, secs),
                support::place_of(character, &again, bone, secs),
            );
            assert!(a.distance(b) < VMD_ROUNDING_M, "{bone} in frame {frame}: {a} {b}");
        }
    }
}

/// Turns in 32 bits through MMD's axes and back, down the chain of a leg.
const VMD_ROUNDING_M: f32 = 1e-4;

/// Knees and elbows bend as a human's do, and bones keep their lengths.
#[track_caller]
fn assert_limbs_whole(character: &Character, clip: &Clip, name: &str) {
    let map = guess_humanoid(character);
    let mut evaluator = Evaluator::new(character);
    let mut pose = Pose::rest(character);
    let mut matrices = vec![glam::Affine3A::IDENTITY; character.skeleton().bone_count()];
    let mut twist_most = 0.0f32;
    let rest = character.skeleton().rest_model_from_bone();
    for frame in 0..(clip.duration_secs() * 30.0) as usize {
        pose.set_clip(character, clip, frame as f64 / 30.0);
        evaluator.model_from_bone_into(character, &pose, &mut matrices);
        let at = |bone: HumanoidBone| matrices[map.get(bone).expect("a limb").index()];
        let place = |bone: HumanoidBone| glam::Vec3::from(at(bone).translation);
        use HumanoidBone::{
            Hips, LeftFoot, LeftHand, LeftLowerArm, LeftLowerLeg, LeftUpperArm, LeftUpperLeg,
        };
        for (upper, lower, end) in
            [(LeftUpperLeg, LeftLowerLeg, LeftFoot), (LeftUpperArm, LeftLowerArm, LeftHand)]
        {
            for side in [0, 1] {
                let [upper, lower, end] =
                    [upper, lower, end].map(|bone| if side == 0 { bone } else { bone.mirrored() });
                let (a, b, c) = (place(upper), place(lower), place(end));
                let (thigh, shank) = ((b - a).normalize(), (c - b).normalize());
                // How the lower bone is twisted about itself beyond what bending takes it to.
                let turned = |bone: HumanoidBone| {
                    let id = map.get(bone).expect("a limb").index();
                    (
                        glam::Mat3::from(matrices[id].matrix3) * glam::Mat3::from(rest[id].matrix3).inverse(),
                        id,
                    )
                };
                let (upper_turn, upper_id) = turned(upper);
                let (lower_turn, lower_id) = turned(lower);
                let end_id = map.get(end).expect("a limb").index();
                let rest_lower =
                    glam::Vec3::from(rest[end_id].translation - rest[lower_id].translation).normalize();
                let rest_upper =
                    glam::Vec3::from(rest[lower_id].translation - rest[upper_id].translation).normalize();
                let carried = (upper_turn * rest_lower).normalize();
                let bent = glam::Quat::from_rotation_arc(carried, shank);
                let side_axis = rest_upper.any_orthonormal_vector();
                let expected = (bent * (upper_turn * side_axis)).reject_from(shank).normalize_or_zero();
                let found = (lower_turn * side_axis).reject_from(shank).normalize_or_zero();
                twist_most = twist_most.max(expected.angle_between(found).to_degrees());
                if matches!(lower, LeftLowerLeg | HumanoidBone::RightLowerLeg) {
                    let ahead = glam::Mat3::from(at(Hips).matrix3)
                        * (glam::Mat3::from(rest[map.get(Hips).expect("hips").index()].matrix3).inverse()
                            * glam::Vec3::Z);
                    let knee = b - 0.5 * (a + c);
                    assert!(
                        knee.dot(ahead) > -0.02 * a.distance(c),
                        "{name} frame {frame}: a knee bends backward"
                    );
                }
                assert!(
                    thigh.angle_between(shank).to_degrees() < 150.0,
                    "{name} frame {frame}: {lower} folds"
                );
            }
        }
    }
    eprintln!("{name}: limbs twist by at most {twist_most:.0}°");
    // Forearms turn by 90° and more between palms up and down.
    assert!(twist_most < 120.0, "{name}: limbs twist by {twist_most}°");
}

#[test]
fn captured_motions_keep_contact_on_the_body() {
    let Some(folder) = corpus("captured_motions_keep_contact_on_the_body") else { return };
    let character = body(None);
    let human = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    for (name, least_touching) in [("bvh/02_01.bvh", 0.4), ("bvh/02_03.bvh", 0.15)] {
        let bytes = std::fs::read(folder.join(name)).expect("a motion");
        let mut report = Report::default();
        let bvh = Bvh::read(&bytes, &Limits::default(), &mut report).expect("BVH");
        let source = bvh.to_character("captured", BvhScale::Guessed, &mut report).expect("a skeleton");
        let of_source = Humanoid::new(&source, &guess_humanoid(&source)).expect("a human");
        let clip = retarget(&source, &of_source, &source.clips()[0], &human, &RetargetSettings::default())
            .expect("a motion");
        let found = measured(&character, &clip);
        eprintln!("{name}: {found:?}");
        assert!(found.drift_m < 2.0 * MOST_M && found.below_m < 2.0 * MOST_M, "{name}: {found:?}");
        assert!(found.touching_share > least_touching, "{name}: {found:?}");
        assert_limbs_whole(&character, &clip, name);
        // The way is the source's, larger by the ratio of the hips' heights.
        let way = |character: &Character, clip: &Clip, bone: &str| {
            support::place_of(character, clip, bone, clip.duration_secs()).with_y(0.0)
                - support::place_of(character, clip, bone, 0.0).with_y(0.0)
        };
        let ratio = (human.hip_height_m() / of_source.hip_height_m()) as f32;
        let (theirs, ours) =
            (way(&source, &source.clips()[0], "Hips") * ratio, way(&character, &clip, "pelvis"));
        assert!(theirs.distance(ours) < 0.05 * theirs.length() + 0.03, "{name}: {theirs} {ours}");
    }
}

/// Each finger curls in its own plane, so that a fist is no wider than the knuckles.
#[test]
fn fingers_that_curl_close_to_a_fist() {
    let character = body(None);
    let human = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let bend = |degrees: f64| vec![Key { bend: Some(degrees), ..Key::default() }];
    let bends = [("Proximal", 78.0), ("Intermediate", 95.0), ("Distal", 52.0)];
    let track = ["Index", "Middle", "Ring", "Little"].into_iter().flat_map(|finger| {
        bends.map(|(part, degrees)| KeyTrack { bone: format!("left{finger}{part}"), keys: bend(degrees) })
    });
    let keys = KeyClip { track: track.collect(), ..KeyClip::default() };
    let clip = keys.to_clip_of_human(&character, &human).expect("a fist");
    let place = |finger: &str, part: &str| {
        support::place_of(&character, &clip, &format!("{finger}_{part}.left"), 0.0)
    };
    for pair in ["index", "middle", "ring", "little"].windows(2) {
        let gap = |part: &str| place(pair[0], part).distance(place(pair[1], part));
        let (knuckles, tips) = (gap("proximal"), gap("distal"));
        eprintln!("{pair:?}: {tips} m, knuckles {knuckles} m");
        assert!(tips < 1.15 * knuckles, "{pair:?}: {tips} m, knuckles {knuckles} m");
    }
}

/// Rms difference that curves of joint angles of the walk may have from a captured walk of the same speed, degrees.
const MOST_RMS_DEG: f64 = 6.0;
/// What feet may slide, and what may be below the ground, in a walk of our own, m.
const MOST_SLIDE_M: f32 = 3e-4;
const MOST_BELOW_M: f32 = 4e-4;
/// Samples of one cycle.
const CYCLE_SAMPLES: usize = 100;

#[test]
fn the_walk_bends_joints_as_a_captured_walk_of_its_speed() {
    let Some(folder) = corpus("the_walk_bends_joints_as_a_captured_walk_of_its_speed") else { return };
    let bytes = std::fs::read(folder.join("bvh/02_01.bvh")).expect("a motion");
    let mut report = Report::default();
    let bvh = Bvh::read(&bytes, &Limits::default(), &mut report).expect("BVH");
    let source = bvh.to_character("captured", BvhScale::Guessed, &mut report).expect("a skeleton");
    let of_source = Humanoid::new(&source, &guess_humanoid(&source)).expect("a human");
    let character = body(None);
    let human = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    // Both on one body, so that bones of rest poses do not differ.
    let captured = retarget(&source, &of_source, &source.clips()[0], &human, &RetargetSettings::default())
        .expect("a motion");
    let (theirs, speed_m_s) = cycle(&character, &captured);
    let settings = GaitSettings { speed_m_s, seconds: 6.0, ..GaitSettings::walk() };
    let walk = gait_clip(&human, &settings).expect("a walk");
    let (ours, _) = cycle(&character, &walk);
    let names = ["hip", "knee", "ankle"];
    for (joint, name) in names.into_iter().enumerate() {
        let rms = rms(&ours[joint], &theirs[joint]);
        let least = |curve: &[f64]| curve.iter().copied().fold(f64::INFINITY, f64::min);
        let [least_ours, least_theirs] = [&ours, &theirs].map(|curves| least(&curves[joint]));
        eprintln!(
            "{name} at {speed_m_s:.2} m/s: {rms:.1}° rms, least {least_ours:.1}°, captured {least_theirs:.1}°"
        );
        assert!(rms <= MOST_RMS_DEG, "{name}: {rms}°");
    }
    let found = measured(&character, &walk);
    eprintln!("{found:?}");
    assert!(found.drift_m <= MOST_SLIDE_M && found.below_m <= MOST_BELOW_M, "{found:?}");
}

/// Angles of hip, knee and ankle over one cycle from strike to strike, degrees, mean of both sides; and the speed, m/s.
fn cycle(character: &Character, clip: &Clip) -> ([Vec<f64>; 3], f64) {
    use HumanoidBone::{LeftFoot, RightFoot};
    let walker = Walker::new(character, clip);
    let mut mean: [Vec<f64>; 3] = std::array::from_fn(|_| vec![0.0; CYCLE_SAMPLES]);
    let mut speeds = 0.0;
    for foot in [LeftFoot, RightFoot] {
        let [from, to] = walker.strikes(foot);
        for sample in 0..CYCLE_SAMPLES {
            let secs = from + (to - from) * sample as f64 / CYCLE_SAMPLES as f64;
            let angles = walker.angles(foot, secs);
            mean.iter_mut().zip(angles).for_each(|(curve, angle)| curve[sample] += 0.5 * angle);
        }
        speeds += 0.5 * f64::from(walker.hips(to).distance(walker.hips(from))) / (to - from);
    }
    (mean, speeds)
}

fn rms(a: &[f64], b: &[f64]) -> f64 {
    (a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>() / a.len() as f64).sqrt()
}

/// A character that walks in one direction.
struct Walker<'a> {
    character: &'a Character,
    clip: &'a Clip,
    map: sinew::rig::HumanoidMap,
    ahead: glam::Vec3,
}

impl<'a> Walker<'a> {
    fn new(character: &'a Character, clip: &'a Clip) -> Self {
        let map = guess_humanoid(character);
        let mut walker = Self { character, clip, map, ahead: glam::Vec3::Z };
        walker.ahead = (walker.hips(clip.duration_secs()) - walker.hips(0.0)).normalize();
        walker
    }

    fn matrices(&self, secs: f64) -> Vec<glam::Affine3A> {
        let mut pose = Pose::rest(self.character);
        let mut matrices = vec![glam::Affine3A::IDENTITY; self.character.skeleton().bone_count()];
        pose.set_clip(self.character, self.clip, secs);
        Evaluator::new(self.character).model_from_bone_into(self.character, &pose, &mut matrices);
        matrices
    }

    fn bone(&self, bone: HumanoidBone) -> usize {
        self.map.get(bone).expect("a bone of a human").index()
    }

    /// Place of the hips over the ground.
    fn hips(&self, secs: f64) -> glam::Vec3 {
        glam::Vec3::from(self.matrices(secs)[self.bone(HumanoidBone::Hips)].translation).with_y(0.0)
    }

    /// Two times one cycle apart, in the middle of the motion, at which a foot is farthest ahead of the hips.
    fn strikes(&self, foot: HumanoidBone) -> [f64; 2] {
        const RATE: f64 = 120.0;
        let reach = |frame: usize| {
            let secs = frame as f64 / RATE;
            let foot = glam::Vec3::from(self.matrices(secs)[self.bone(foot)].translation);
            (foot - self.hips(secs)).dot(self.ahead)
        };
        let frames = (self.clip.duration_secs() * RATE) as usize;
        let reaches: Vec<f32> = (0..=frames).map(reach).collect();
        // Farther than at any time within a third of a second, which is less than half a cycle of a walk.
        let near = (RATE / 3.0) as usize;
        let is_strike = |&frame: &usize| {
            let around = &reaches[frame - near..=frame + near];
            around.iter().all(|&other| other <= reaches[frame]) && reaches[frame] > 0.1
        };
        let found: Vec<usize> = (near..=frames - near).filter(is_strike).collect();
        assert!(found.len() > 1, "two strikes of a foot: {found:?}");
        let first = (found.len() - 2) / 2;
        [found[first] as f64 / RATE, found[first + 1] as f64 / RATE]
    }

    /// Flexion of hip, knee and ankle from the rest pose, in the plane of the walk, degrees.
    fn angles(&self, foot: HumanoidBone, secs: f64) -> [f64; 3] {
        use HumanoidBone::{
            Hips, LeftFoot, LeftLowerLeg, LeftUpperLeg, RightFoot, RightLowerLeg, RightUpperLeg,
        };
        let chain = match foot {
            RightFoot => [Hips, RightUpperLeg, RightLowerLeg, RightFoot],
            _ => [Hips, LeftUpperLeg, LeftLowerLeg, LeftFoot],
        };
        let (matrices, rest) = (self.matrices(secs), self.character.skeleton().rest_model_from_bone());
        // How far what points down at rest now points ahead.
        let pitch = |bone: HumanoidBone| {
            let bone = self.bone(bone);
            let turn = matrices[bone].matrix3 * rest[bone].matrix3.inverse();
            let down = turn * -glam::Vec3A::Y;
            f64::from(down.dot(self.ahead.into()).atan2(-down.y)).to_degrees()
        };
        let [hips, thigh, shank, foot] = chain.map(pitch);
        [thigh - hips, thigh - shank, foot - shank]
    }
}
