//! Motions and poses of MMD come back byte for byte, mean what they say, and are refused or read within bounds when damaged.
//!
//! `SINEW_DAMAGE` sets the number of damaged files of each kind, for longer runs.

use glam::{Quat, Vec3};
use sinew_geometry::Trs;
use sinew_io::{Limits, Report};
use sinew_mmd::vmd::Vmd;
use sinew_mmd::vpd::Vpd;
use sinew_rig::{
    Bone, BoneId, BoneLogic, Channel, Character, CharacterParts, Instance, InstanceId, LocalTransform, Mesh,
    MeshId, MorphTarget, Pose, Reach,
};
use sinew_tests::{Prng, measure_peak, motions};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The longest that a file may take.
const MOST_TIME: Duration = Duration::from_secs(1);
/// What a damaged file of a few kilobytes may take of memory.
const MOST_MEMORY: usize = 4 << 20;
/// Damaged files of each kind.
const CASES: u64 = 8_000;

/// Bones センター and 左足ＩＫ, which reaches, and a mesh with morph あ.
fn character() -> Character {
    let bone = |name: &str, rest: Vec3| Bone {
        name: name.into(),
        parent: None,
        rest: LocalTransform::Trs(Trs::from_translation(rest)),
        tip_in_bone: None,
    };
    let reach = Reach { effector: BoneId(0), iterations: 1, step_rad: 1.0, links: Vec::new() };
    let parts = CharacterParts {
        bones: vec![bone("センター", Vec3::new(0.0, 0.64, 0.0)), bone("左足ＩＫ", Vec3::ZERO)],
        bone_logic: vec![BoneLogic::default(), BoneLogic { reach: Some(reach), ..BoneLogic::default() }],
        meshes: vec![Mesh {
            morphs: vec![MorphTarget { name: "あ".into(), ..MorphTarget::default() }],
            default_morph_weights: vec![0.0],
            ..Mesh::default()
        }],
        instances: vec![Instance { bone: BoneId(0), mesh: MeshId(0), bind: None, morph_weights: vec![0.0] }],
        ..CharacterParts::default()
    };
    Character::new(parts).expect("it is put together right")
}

/// Reads a motion and does all that is done with motions; the error's words where it is refused.
fn use_vmd(bytes: &[u8]) -> Result<Vmd, String> {
    let (character, mut report) = (character(), Report::default());
    let vmd = Vmd::read(bytes, &Limits::default(), &mut report).map_err(|error| error.to_string())?;
    assert_eq!(vmd.write(), bytes, "it does not come back");
    let clip = vmd.to_clip(&character, "motion", &mut report);
    let again = Vmd::from_clip(&character, &clip, &mut report);
    let again = Vmd::read(&again.write(), &Limits::default(), &mut report).expect("it was just written");
    let mut parts = character.clone().into_parts();
    parts.clips = vec![clip, again.to_clip(&character, "again", &mut report)];
    Character::new(parts).expect("clips are always right");
    Ok(vmd)
}

/// The same for a pose.
fn use_vpd(bytes: &[u8]) -> Result<Vpd, String> {
    let (character, mut report) = (character(), Report::default());
    let mut vpd = Vpd::read(bytes, &Limits::default(), &mut report).map_err(|error| error.to_string())?;
    assert_eq!(vpd.write(&mut report), bytes, "it does not come back");
    vpd.apply(&character, &mut Pose::rest(&character), &mut report);
    vpd.model_file.push('!');
    let written = vpd.write(&mut report);
    Vpd::read(&written, &Limits::default(), &mut report).expect("it was just written");
    Ok(vpd)
}

/// Public motions or poses; none, and a line that says so, where there is no corpus.
fn corpus(test: &str, extension: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = std::env::var_os("SINEW_CORPUS").map(PathBuf::from) else {
        eprintln!("{test}: SINEW_CORPUS is not set, public motions are skipped");
        return Vec::new();
    };
    let entries = std::fs::read_dir(folder.join("vmd")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    assert!(!paths.is_empty(), "SINEW_CORPUS names a folder without vmd/*.{extension}");
    let read = |path: PathBuf| {
        let bytes = std::fs::read(&path).expect("the folder lists it");
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn public_motions_and_poses_come_back() {
    let _alone = sinew_tests::alone();
    for (path, bytes) in corpus("mmd_motions", "vmd") {
        use_vmd(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    for (path, bytes) in corpus("mmd_motions", "vpd") {
        use_vpd(&bytes).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
}

#[test]
fn the_motion_means_what_it_says() {
    let _alone = sinew_tests::alone();
    let vmd = use_vmd(&motions::vmd()).expect("it is whole");
    let counts = [vmd.bones.len(), vmd.morphs.len(), vmd.cameras.len(), vmd.lights.len(), vmd.shadows.len()];
    assert_eq!((counts, vmd.properties.len()), ([4, 3, 2, 1, 1], 2));
    assert_eq!(vmd.model_name.decode(), "ミク");
    let character = character();
    let clip = vmd.to_clip(&character, "", &mut Report::default());
    let mut pose = Pose::rest(&character);
    pose.set_clip(&character, &clip, 1.0);
    let found = pose.parent_from_bone()[0].translation;
    assert!(found.abs_diff_eq(Vec3::new(0.0, 0.68, 0.02).into(), 1e-6), "{found}");
    assert_eq!((pose.morph_weights(InstanceId(0)), pose.is_reaching()), (&[0.5][..], &[true, true][..]));
    pose.set_clip(&character, &clip, 0.25);
    assert_eq!((pose.morph_weights(InstanceId(0)), pose.is_reaching()), (&[0.75][..], &[true, false][..]));
    let is_eased = |channel: &Channel| matches!(channel, Channel::Translation(BoneId(0), _));
    assert!(clip.tracks.iter().any(|track| is_eased(&track.channel)), "{clip:?}");
}

#[test]
fn the_pose_means_what_it_says() {
    let _alone = sinew_tests::alone();
    let vpd = use_vpd(&motions::vpd()).expect("it is whole");
    let character = character();
    let mut pose = Pose::rest(&character);
    vpd.apply(&character, &mut pose, &mut Report::default());
    let (_, rotation, translation) = pose.parent_from_bone()[0].to_scale_rotation_translation();
    assert!(translation.abs_diff_eq(Vec3::new(0.02, 1.44, 0.12), 1e-6), "{translation}");
    assert!(rotation.abs_diff_eq(Quat::from_xyzw(0.0, -0.6, 0.0, 0.8), 1e-6), "{rotation}");
    assert_eq!(pose.morph_weights(InstanceId(0)), [0.75]);
}

/// Words that are put into files to break them.
const WORDS: [&[u8]; 12] = [
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\x7f",
    b"\0\0\0\0",
    b"\0\0\xc0\x7f",
    b"\0\0\x80\xff",
    b"{",
    b"}",
    b"//",
    b";",
    b"\n",
    b"1e39",
    b"\x83",
];

/// A file with one to four things wrong.
fn damaged(original: &[u8], random: &mut Prng) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len());
        let run = at..(at + random.below(40)).min(bytes.len());
        match random.below(7) {
            0 if random.one_in(4) => bytes.truncate(at),
            1 => drop(bytes.drain(run)),
            2 => {
                let repeated = bytes[run].to_vec();
                bytes.splice(at..at, repeated);
            }
            3 => bytes[run].iter_mut().for_each(|byte| *byte = random.bits() as u8),
            4 => drop(bytes.splice(at..at, random.pick(&WORDS).iter().copied())),
            5 => {
                let word = *random.pick(&WORDS);
                let end = (at + word.len()).min(bytes.len());
                bytes.splice(at..end, word.iter().copied());
            }
            _ => bytes.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        }
    }
    bytes
}

/// Reads damaged files; panics of readers are the test's own. Every refusal must begin with one of `places`.
#[track_caller]
fn check_damage<T>(title: &str, original: &[u8], places: &str, read: fn(&[u8]) -> Result<T, String>) {
    let _alone = sinew_tests::alone();
    let count = std::env::var("SINEW_DAMAGE").ok().and_then(|text| text.parse().ok()).unwrap_or(CASES);
    let (mut read_count, mut peak, mut slowest) = (0, 0, Duration::ZERO);
    for seed in 0..count {
        let bytes = damaged(original, &mut Prng::new(seed));
        let start = Instant::now();
        let (result, memory) = measure_peak(|| read(&bytes));
        (peak, slowest) = (peak.max(memory), slowest.max(start.elapsed()));
        match result {
            Ok(_) => read_count += 1,
            Err(error) => assert!(error.starts_with(places), "{title} {seed}: no place in {error:?}"),
        }
        assert!(memory <= MOST_MEMORY, "{title} {seed}: takes {memory} bytes");
        assert!(start.elapsed() <= MOST_TIME, "{title} {seed}: takes {:?}", start.elapsed());
    }
    eprintln!("{title}: {count} damaged, {read_count} read, slowest {slowest:.1?}, peak {peak} bytes");
    assert!(read_count > count / 100 && read_count < count, "{title}: {read_count} of {count} could be read");
}

#[test]
fn damaged_motions_are_read_or_refused_within_bounds() {
    check_damage("vmd", &motions::vmd(), "byte ", use_vmd);
}

#[test]
fn damaged_poses_are_read_or_refused_within_bounds() {
    check_damage("vpd", &motions::vpd(), "line ", use_vpd);
}
