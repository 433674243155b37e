//! Feet of a public PMX model arrive at their goals, and its motions play the same from a glTF file.

use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_io::{GltfDocument, Limits, Report};
use sinew_mmd::pmx::{Pmx, PmxDocument};
use sinew_rig::{BoneId, Channel, Character, Clip, Evaluator, Interpolation, Pose, Track, bake, bake_clip};
use sinew_tests::corpus_bytes;

/// How far an effector may end from its goal, as a share of the leg's length: 0.8 mm here. Chains stop at 0.008 mm or after the
/// iterations that the file asks for, and the toes' goals rest 0.05 mm beyond their reach.
const REACH_TOLERANCE: f32 = 1e-3;

/// How far bones may stand from where they stood before the motion was baked, metres, and how far the entries of their rotations.
const BAKE_TOLERANCE: f32 = 1e-4;

/// A bone's name, its shift in metres, and its turn in degrees about x, y and z; right-handed.
type Change = (&'static str, [f32; 3], [f32; 3]);

/// Poses in which all feet can get to where they shall be.
const POSES: [(&str, &[Change]); 8] = [
    ("rest", &[]),
    ("center lowered", &[("センター", [0.0, -0.2, 0.0], [0.0; 3])]),
    ("center lowered, turned and moved", &[("センター", [0.05, -0.3, 0.08], [10.0, 25.0, 5.0])]),
    ("feet lifted", &[("右足ＩＫ", [0.0, 0.25, 0.0], [0.0; 3]), ("左足ＩＫ", [0.0, 0.4, 0.0], [0.0; 3])]),
    (
        "a step forward",
        &[
            ("センター", [0.0, -0.12, 0.0], [0.0; 3]),
            ("右足ＩＫ", [0.0, 0.05, 0.3], [-20.0, 0.0, 0.0]),
            ("左足ＩＫ", [0.0, 0.03, -0.25], [35.0, 0.0, 0.0]),
        ],
    ),
    (
        "legs apart",
        &[
            ("センター", [0.0, -0.1, 0.0], [0.0; 3]),
            ("右足ＩＫ", [-0.25, 0.0, 0.0], [0.0; 3]),
            ("左足ＩＫ", [0.2, 0.1, 0.05], [0.0; 3]),
        ],
    ),
    (
        "feet turned",
        &[
            ("センター", [0.0, -0.05, 0.0], [0.0; 3]),
            ("右足ＩＫ", [0.0; 3], [0.0, -40.0, 0.0]),
            ("左足ＩＫ", [0.0, 0.1, 0.1], [-25.0, 30.0, 10.0]),
        ],
    ),
    (
        "a kick, with the knee turned beforehand",
        &[
            ("右足ＩＫ", [-0.05, 0.5, 0.45], [-45.0, 0.0, 0.0]),
            ("右足", [0.0; 3], [-30.0, 10.0, 5.0]),
            ("右ひざ", [0.0; 3], [20.0, 0.0, 0.0]),
        ],
    ),
];

/// The model; `None`, and a line that says so, where there is no corpus.
fn model() -> Option<Character> {
    let files = corpus_bytes("mmd_rig", "pmx", "pmx");
    let (_, bytes) = files.iter().find(|(name, _)| name == "yw_test_model.pmx")?;
    let pmx = Pmx::read(bytes, &Limits::default(), &mut Report::default()).expect("it is whole");
    let character = PmxDocument::from_pmx(pmx).to_character(&mut Report::default());
    Some(character.expect("every file becomes a character"))
}

fn bone(character: &Character, name: &str) -> BoneId {
    character.skeleton().find(name).unwrap_or_else(|_| panic!("no bone {name:?}"))
}

fn turn(degrees: [f32; 3]) -> Quat {
    let [x, y, z] = degrees.map(f32::to_radians);
    Quat::from_rotation_z(z) * Quat::from_rotation_y(y) * Quat::from_rotation_x(x)
}

fn posed(character: &Character, changes: &[Change]) -> Vec<Affine3A> {
    let mut pose = Pose::rest(character);
    for &(name, shift, degrees) in changes {
        let change = Trs { translation: shift.into(), rotation: turn(degrees), scale: Vec3::ONE };
        pose.change(bone(character, name), &change);
    }
    let mut model_from_bone = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    Evaluator::new(character).model_from_bone_into(character, &pose, &mut model_from_bone);
    model_from_bone
}

/// A chain's goal, its links' lengths and what they hang from.
struct Chain {
    goal: BoneId,
    effector: BoneId,
    /// The link that hangs from no other.
    root: BoneId,
    length_m: f32,
}

fn chains(character: &Character) -> Vec<Chain> {
    let heads = character.skeleton().rest_model_from_bone();
    let chain_of = |(goal, logic): (usize, &sinew_rig::BoneLogic)| {
        let reach = logic.reach.as_ref()?;
        let joints: Vec<BoneId> =
            std::iter::once(reach.effector).chain(reach.links.iter().map(|link| link.bone)).collect();
        let head = |bone: BoneId| heads[bone.index()].translation;
        let length_m = joints.windows(2).map(|pair| head(pair[0]).distance(head(pair[1]))).sum();
        let root = *joints.last()?;
        Some(Chain { goal: BoneId::of(goal), effector: reach.effector, root, length_m })
    };
    character.bone_logic().iter().enumerate().filter_map(chain_of).collect()
}

#[test]
fn feet_and_toes_arrive_at_goals_within_reach() {
    let Some(character) = model() else { return };
    let chains = chains(&character);
    assert_eq!(chains.len(), 4, "two legs, two feet");
    let leg_m = chains.iter().map(|chain| chain.length_m).fold(0.0, f32::max);
    let mut worst = (0.0, String::new());
    for (title, changes) in POSES {
        let model_from_bone = posed(&character, changes);
        for chain in &chains {
            let place = |bone: BoneId| model_from_bone[bone.index()].translation;
            let name = &character.skeleton().bone(chain.goal).name;
            let away_m = place(chain.goal).distance(place(chain.root));
            assert!(
                away_m <= chain.length_m + REACH_TOLERANCE * leg_m,
                "{title}: {name} is {away_m} m away, the chain {} m long",
                chain.length_m
            );
            let miss = place(chain.goal).distance(place(chain.effector)) / leg_m;
            eprintln!("{title}: {name} is missed by {miss:.1e} of the leg");
            if miss > worst.0 {
                worst = (miss, format!("{name} in {title:?}"));
            }
        }
    }
    eprintln!("mmd_rig: worst miss {:.1e} of the leg's {leg_m:.3} m, {}", worst.0, worst.1);
    assert!(worst.0 <= REACH_TOLERANCE, "{worst:?}");
}

/// A dance of two seconds: the center sinks and sways, feet step and turn, arms and head turn, one leg's chain is off for a while.
fn dance(character: &Character) -> Clip {
    let mut tracks = Vec::new();
    let shifts: [(&str, [[f32; 3]; 3]); 3] = [
        ("センター", [[0.0; 3], [0.06, -0.25, 0.05], [-0.05, -0.1, 0.0]]),
        ("右足ＩＫ", [[0.0; 3], [-0.1, 0.15, 0.2], [0.0, 0.05, -0.1]]),
        ("左足ＩＫ", [[0.0; 3], [0.1, 0.0, 0.0], [0.05, 0.3, 0.1]]),
    ];
    for (name, shifts) in shifts {
        let bone = bone(character, name);
        let rest = character.skeleton().bone(bone).rest.to_trs().translation;
        let values = shifts.map(|shift| rest + Vec3::from(shift)).to_vec();
        tracks.push((Channel::Translation(bone, values), Interpolation::Linear));
    }
    let turns: [(&str, [[f32; 3]; 3]); 7] = [
        ("上半身", [[0.0; 3], [15.0, 20.0, 5.0], [-10.0, -15.0, 0.0]]),
        ("腰", [[0.0; 3], [5.0, 15.0, 4.0], [-4.0, -12.0, 2.0]]),
        ("右足ＩＫ", [[0.0; 3], [20.0, 15.0, 0.0], [-15.0, 0.0, 5.0]]),
        ("右腕", [[0.0; 3], [30.0, -40.0, 20.0], [0.0, 10.0, 60.0]]),
        ("左腕捩", [[0.0; 3], [50.0, 10.0, 0.0], [-40.0, 0.0, 0.0]]),
        ("両目", [[0.0; 3], [8.0, 12.0, 0.0], [-5.0, -10.0, 0.0]]),
        ("右ひざ", [[0.0; 3], [10.0, 0.0, 0.0], [40.0, 0.0, 0.0]]),
    ];
    for (name, turns) in turns {
        let channel = Channel::Rotation(bone(character, name), turns.map(turn).to_vec());
        tracks.push((channel, Interpolation::Linear));
    }
    let switch = Channel::Reach(bone(character, "左足ＩＫ"), vec![true, false, true]);
    tracks.push((switch, Interpolation::Step));
    let track = |(channel, interpolation)| Track { times_secs: vec![0.0, 0.9, 2.0], interpolation, channel };
    Clip { name: "dance".into(), tracks: tracks.into_iter().map(track).collect() }
}

#[test]
fn a_baked_motion_plays_the_same_from_a_gltf_file() {
    let Some(character) = model() else { return };
    let mut parts = character.clone().into_parts();
    parts.clips = vec![dance(&character)];
    let character = Character::new(parts).expect("the tracks are of its bones");
    let written = GltfDocument::from_character(&bake(&character, 30.0), &mut Report::default());
    let glb = written.to_glb().expect("it is small");
    let resources = |_: &str, _: u64| Ok(Vec::new());
    let document = GltfDocument::read(glb, &resources, &Limits::default(), &mut Report::default());
    let document = document.expect("it was just written");
    let played = document.to_character(&mut Report::default()).expect("it was just written");
    let times = bake_clip(&character, &character.clips()[0], 30.0)
        .tracks
        .into_iter()
        .map(|track| track.times_secs)
        .max_by_key(Vec::len)
        .expect("it moves");
    assert_eq!(times.len(), 61, "two seconds");
    let bones = character.skeleton().bones();
    let (mut poses, mut evaluators) =
        ([&character, &played].map(Pose::rest), [&character, &played].map(Evaluator::new));
    let mut matrices = [&character, &played].map(|one| vec![Affine3A::IDENTITY; one.skeleton().bone_count()]);
    let mut worst = (0.0, 0.0, String::new());
    for (frame, time) in times.into_iter().enumerate() {
        for (index, one) in [&character, &played].into_iter().enumerate() {
            poses[index].set_clip(one, &one.clips()[0], time);
            evaluators[index].model_from_bone_into(one, &poses[index], &mut matrices[index]);
        }
        for (index, bone) in bones.iter().enumerate() {
            let same = self::bone(&played, &bone.name);
            let (expected, found) = (matrices[0][index], matrices[1][same.index()]);
            let away_m = expected.translation.distance(found.translation);
            let turned = expected
                .matrix3
                .to_cols_array()
                .iter()
                .zip(found.matrix3.to_cols_array())
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f32::max);
            if away_m > worst.0 {
                worst = (away_m, worst.1, format!("{} in frame {frame}", bone.name));
            }
            worst.1 = f32::max(worst.1, turned);
        }
    }
    eprintln!(
        "mmd_rig: baked bones stand off by {:.1e} m ({}), rotations by {:.1e}",
        worst.0, worst.2, worst.1
    );
    assert!(worst.0 <= BAKE_TOLERANCE && worst.1 <= BAKE_TOLERANCE, "{worst:?}");
}
