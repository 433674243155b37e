//! Films of a small limb: what is refused, and what must not change a frame.

use super::*;
use crate::{Reading, SceneChoices, SceneError};
use sinew_geometry::progress::{Progress, Step};
use sinew_io::{Limits, Report};
use sinew_model::Model;
use sinew_picture::{PictureError, PictureKind};
use sinew_rig::samples;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// A folder with a limb that bends for two seconds.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let limb = Model::new(samples::limb(10, 12));
    limb.save(&folder.path().join("limb.glb"), &mut Report::default()).expect("saved");
    folder
}

const CHARACTER: &str = "[[character]]\nname = \"limb\"\nfile = \"limb.glb\"\nmotion = { clip = \"bend\" }\n";
const SCENE: &str = "[film]\nsize = [64, 48]\nfps = 6\n\
    [[character]]\nname = \"limb\"\nfile = \"limb.glb\"\nmotion = { clip = \"bend\", start = 0.25 }\n\
    [[camera]]\neye = { orbit = { follow = \"limb\", bone = \"lower\" }, keys = [{ time = 0, distance = 2 }, { time = 2, azimuth = 60 }] }\n\
    target = { follow = \"limb\", smooth = 0.5 }\n";

fn open(folder: &Path, text: &str, choices: &SceneChoices) -> Result<Arc<Film>, SceneError> {
    let report = &mut Report::default();
    Film::read(text, choices, &mut Reading { folder, limits: Limits::default(), report })
}

/// What is wrong with how a scene is refused; nothing if the answer holds all that is expected.
fn answer_without(text: &str, expected: &[&str]) -> Option<String> {
    let folder = folder();
    let said = match open(folder.path(), text, &SceneChoices::default()) {
        Ok(_) => return Some(format!("accepted: {text}")),
        Err(error) => error.to_string(),
    };
    let missing = expected.iter().find(|part| !said.contains(**part))?;
    Some(format!("{text}\nsaid: {said}\nwithout: {missing}"))
}

#[test]
fn mistakes_are_told_with_line_and_remedy() {
    let mut wrong = Vec::new();
    let mut check_refused = |text: &str, expected: &[&str]| wrong.extend(answer_without(text, expected));
    let with = |rest: &str| format!("{CHARACTER}{rest}");
    let camera = |eye: &str, target: &str| with(&format!("[[camera]]\neye = {eye}\ntarget = {target}\n"));
    check_refused("", &["no [[character]]"]);
    check_refused(
        "[film]\nsiez = [1, 2]\n",
        &["line 2, column 1: film: unknown key `siez`", "did you mean `size`?"],
    );
    check_refused(
        "[film]\nduration = 0\n",
        &["line 2, column 12: film.duration", "no frames", "seconds above 0"],
    );
    check_refused("[film]\nsize = [0, 20]\n", &["line 2, column 8: film.size", "whole numbers from 1"]);
    check_refused(
        "[film]\nfps = \"many\"\n",
        &["line 2, column 7: film.fps: expected a number, found a text"],
    );
    check_refused("[film\n", &["line 1"]);
    check_refused(
        "[[character]]\nfile = \"no.glb\"\n",
        &["line 1: character \"character 1\": \"no.glb\"", "No such file"],
    );
    check_refused(
        "[[character]]\nname = \"x\"\n",
        &["line 1, column 1: character \"x\": choose a character"],
    );
    check_refused(&with("[[character.motion]]\n"), &["line 5, column", "duplicate key"]);
    let motion = |text: &str| format!("[[character]]\nfile = \"limb.glb\"\nmotion = {text}\n");
    check_refused(
        &motion("{ clip = \"bent\" }"),
        &["line 3", "unknown clip \"bent\"; did you mean \"bend\"?"],
    );
    check_refused(&motion("{ walk = { speed = 1.4 } }"), &["line 3", "move humans", "hips"]);
    check_refused(
        &motion("{ walk = { sped = 1.4 } }"),
        &["line 3", "unknown key `sped`; did you mean `seed` or `speed`"],
    );
    check_refused(&motion("{ file = \"no.vmd\" }"), &["no.vmd", "No such file"]);
    check_refused(&motion("{ clip = \"bend\", sped = 2 }"), &["unknown key `sped`; did you mean `speed`"]);
    check_refused(
        &motion("[{ clip = \"bend\", start = 1 }, { clip = \"bend\", start = 1 }]"),
        &["one after the other"],
    );
    check_refused(
        &motion("[{ clip = \"bend\", repeat = true }, { clip = \"bend\" }]"),
        &["the motion before repeats"],
    );
    let skin = |text: &str| format!("[[character]]\nfile = \"limb.glb\"\n{text}\n");
    check_refused(
        &skin("method = \"patches\""),
        &["line 1", "character", "the model carries no body design"],
    );
    check_refused(&skin("method = \"patches:bend=own\""), &["line 3", "use bisector or source"]);
    check_refused(&skin("method = \"magic\""), &["line 3", "unknown method \"magic\""]);
    check_refused(
        &skin("joints = { lover = \"dlb\" }"),
        &["unknown bone \"lover\"; did you mean \"lower\"?"],
    );
    check_refused(&skin(""), &["nothing moves", "duration"]);
    check_refused(
        &camera("[0, 1, 3]", "[0, 1, 3]"),
        &["line 5: camera \"camera 1\" at 0.000 s: eye and target are the same"],
    );
    check_refused(&camera("[0, 5, 0]", "[0, 1, 0]"), &["straight down"]);
    check_refused(&camera("[0, -1, 3]", "[0, 1, 0]"), &["inside the ground", "raise its eye"]);
    let dive = "{ keys = [{ time = 0, at = [0, 1, 3] }, { time = 2, at = [0, -1, 3] }] }";
    check_refused(&camera(dive, "[0, 1, 0]"), &["at 1.0", "inside the ground"]);
    check_refused(&camera("[0.01, 0.15, 0]", "[0, 0.2, 3]"), &["it is inside \"limb\"", "from the bone"]);
    check_refused(
        &camera("[0, 1, 3]", "{ follow = \"lamb\" }"),
        &["line 7", "\"lamb\"; did you mean \"limb\"?"],
    );
    let bone = "{ follow = \"limb\", bone = \"lover\" }";
    check_refused(&camera("[0, 1, 3]", bone), &["unknown bone \"lover\"; did you mean \"lower\"?"]);
    check_refused(&camera("[0, 1]", "[0, 0, 0]"), &["line 6", "expected 3 numbers, found 2"]);
    let lens = |text: &str| camera("[0, 1, 3]", &format!("[0, 0, 0]\n{text}"));
    check_refused(&lens("fov = 0"), &["line 8", "field of view 0° is out of range; use 1° to 170°"]);
    check_refused(&lens("focal = -5"), &["line 8", "use lengths above 0"]);
    check_refused(&lens("fov = 30\nfocal = 50"), &["remove one of the two"]);
    let keys = "fov = [{ time = 1, fov = 30 }, { time = 1, fov = 40 }]";
    check_refused(&lens(keys), &["not after the previous key"]);
    let two = camera("[0, 1, 3]", "[0, 0, 0]") + "[[camera]]\neye = [1, 1, 3]\ntarget = [0, 0, 0]\n";
    check_refused(&two, &["2 cameras need [[cut]]"]);
    check_refused(&format!("{two}[[cut]]\ntime = 1\ncamera = \"camera 1\"\n"), &["first cut is at 1 s"]);
    check_refused(
        &format!("{two}[[cut]]\ntime = 0\ncamera = \"far\"\n"),
        &["line 12", "no camera is named \"far\""],
    );
    check_refused(&format!("{CHARACTER}{CHARACTER}"), &["line 5", "two characters are named \"limb\""]);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

fn shaded_set(film: &Arc<Film>) -> FilmSet {
    FilmSet::new(film, Style::Shaded, &mut Report::default())
}

fn store_in(folder: &Path, film: &Film) -> (FrameStore, Found) {
    FrameStore::open(&folder.join("film.mp4"), &film.digest()).expect("a store")
}

fn bytes_of(store: &FrameStore, count: usize) -> Vec<Vec<u8>> {
    (0..count).map(|frame| std::fs::read(store.path(frame)).expect("a frame")).collect()
}

#[test]
fn frames_depend_on_neither_threads_nor_style_nor_the_frames_before() {
    let folder = folder();
    let film = open(folder.path(), SCENE, &SceneChoices::default()).expect("a film");
    assert_eq!(film.frame_count(), 14, "2.25 s of 6 frames");
    let shot = |threads: usize| {
        let scratch = tempfile::tempdir().expect("a folder");
        let (store, _) = store_in(scratch.path(), &film);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let drawn =
            pool.install(|| shoot(&shaded_set(&film), 0..14, &store, &Progress::none())).expect("drawn");
        assert_eq!(drawn, 14);
        bytes_of(&store, 14)
    };
    let (one, three) = (shot(1), shot(3));
    assert!(one == three, "1 and 3 threads");
    // Backward, in both styles, and by the player alone: the same joints to the last bit.
    let mut shaded = Artist::new(&shaded_set(&film));
    let mut lines = Artist::new(&FilmSet::new(&film, Style::Lines, &mut Report::default()));
    let mut player = film.player();
    let mut digests = Vec::new();
    for frame in (0..14).rev() {
        let image = shaded.draw(frame).expect("drawn");
        assert!(image.encode_png_quickly().expect("encoded") == one[frame], "frame {frame}");
        lines.draw(frame).expect("drawn");
        player.set_bones(film.time_secs(frame));
        assert_eq!(shaded.joint_digest(), lines.joint_digest(), "frame {frame}");
        assert_eq!(shaded.joint_digest(), player.joint_digest(), "frame {frame}");
        digests.push(player.joint_digest());
    }
    assert_ne!(digests[0], digests[6], "the limb moves");
}

#[test]
fn a_stopped_film_goes_on_and_a_changed_one_starts_anew() {
    let folder = folder();
    let film = open(folder.path(), SCENE, &SceneChoices::default()).expect("a film");
    let (store, found) = store_in(folder.path(), &film);
    assert_eq!(found, Found::Nothing);
    let watch = |step: &Step<'_>| match step.done {
        ..5 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    };
    let stopped = shoot(&shaded_set(&film), 0..14, &store, &Progress::new(&watch));
    assert!(matches!(stopped, Err(SceneError::Interrupted(_))));
    // Half a frame and a frame under its temporary name, as a killed program leaves them.
    let whole = std::fs::read(store.path(0)).expect("a frame");
    std::fs::write(store.path(12), &whole[..whole.len() / 2]).expect("written");
    std::fs::write(store.path(12).with_file_name(".frame_000013.png.tmp"), b"x").expect("written");
    drop(store);
    let (store, found) = store_in(folder.path(), &film);
    let Found::Frames(kept) = found else { panic!("{found:?}") };
    assert!((5..14).contains(&kept), "{kept}");
    let drawn = shoot(&shaded_set(&film), 0..14, &store, &Progress::none()).expect("drawn");
    assert_eq!(drawn, 14 - kept);
    let fresh = tempfile::tempdir().expect("a folder");
    let (other, _) = store_in(fresh.path(), &film);
    shoot(&shaded_set(&film), 0..14, &other, &Progress::none()).expect("drawn");
    assert!(bytes_of(&store, 14) == bytes_of(&other, 14), "the same frames");
    let changed =
        open(folder.path(), &SCENE.replace("0.25", "0.5"), &SceneChoices::default()).expect("a film");
    let (own, found) = store_in(folder.path(), &changed);
    assert_eq!(
        (found, own.has(0), store.has(0)),
        (Found::Busy, false, true),
        "a run beside does not disturb"
    );
    drop(own);
    let frame = store.path(3);
    drop(store);
    assert_eq!(store_in(folder.path(), &changed).1, Found::Changed);
    std::fs::remove_file(FrameStore::folder_of(&folder.path().join("film.mp4")).join("film.json"))
        .expect("removed");
    std::fs::write(frame, b"mine").expect("written");
    let foreign = FrameStore::open(&folder.path().join("film.mp4"), &film.digest());
    assert!(matches!(foreign, Err(SceneError::ForeignFolder { .. })));
}

#[test]
fn the_digest_knows_text_files_and_choices() {
    let folder = folder();
    let of =
        |text: &str, choices: &SceneChoices| open(folder.path(), text, choices).expect("a film").digest();
    let first = of(SCENE, &SceneChoices::default());
    assert_eq!(first, of(SCENE, &SceneChoices::default()));
    assert_ne!(first, of(&format!("{SCENE}\n# a word"), &SceneChoices::default()));
    assert_ne!(first, of(SCENE, &SceneChoices { size: Some((32, 32)), ..SceneChoices::default() }));
    let thinner = Model::new(samples::limb(10, 8));
    thinner.save(&folder.path().join("limb.glb"), &mut Report::default()).expect("saved");
    assert_ne!(first, of(SCENE, &SceneChoices::default()));
}

#[test]
fn cameras_are_the_same_at_every_frame_rate() {
    let folder = folder();
    let at =
        |fps: f64| open(folder.path(), SCENE, &SceneChoices { fps: Some(fps), ..SceneChoices::default() });
    let (slow, fast) = (at(8.0).expect("a film"), at(96.0).expect("a film"));
    for frame in 0..slow.frame_count() {
        let time = slow.time_secs(frame);
        assert_eq!(fast.time_secs(12 * frame), time);
        assert_eq!(slow.view(time).1, fast.view(time).1, "at {time} s");
    }
}

#[test]
fn motions_start_hold_repeat_and_come_from_other_files() {
    let folder = folder();
    let text = |motion: &str| {
        let character = format!(
            "[[character]]\nname = \"limb\"\nfile = \"limb.glb\"\nat = [1, 0, 0]\nmotion = {motion}\n"
        );
        format!("[film]\nsize = [16, 16]\nfps = 4\nduration = 8\n{character}")
    };
    let digest = |motion: &str, time_secs: f64| {
        let film = open(folder.path(), &text(motion), &SceneChoices::default()).expect("a film");
        let mut player = film.player();
        player.set_bones(time_secs);
        player.joint_digest()
    };
    let plain = "{ clip = \"bend\" }";
    assert_eq!(digest(plain, 2.0), digest(plain, 7.0), "the end is held");
    assert_eq!(digest(plain, 0.5), digest("{ clip = 0, start = 1.5 }", 2.0), "later");
    assert_eq!(digest(plain, 0.0), digest("{ clip = 0, start = 1.5 }", 1.0), "before it starts");
    assert_eq!(digest(plain, 1.0), digest("{ clip = 0, speed = 0.5 }", 2.0), "slower");
    assert_eq!(digest(plain, 1.5), digest("{ clip = 0, from = 1 }", 0.5), "from the middle");
    assert_eq!(digest(plain, 0.5), digest("{ clip = 0, repeat = true }", 6.5), "again");
    assert_eq!(digest(plain, 0.5), digest("{ file = \"limb.glb\" }", 0.5), "from a file");
    let place = |motion: &str, time_secs: f64| {
        let film = open(folder.path(), &text(motion), &SceneChoices::default()).expect("a film");
        let mut player = film.player();
        player.set_bones(time_secs);
        player.joints().collect::<Vec<_>>()
    };
    // What one motion after the other does, once the blend is over: as each alone, but for the keys of the joined clip.
    let near = |a: &[glam::Vec3], b: &[glam::Vec3]| a.iter().zip(b).all(|(a, b)| a.distance(*b) < 1e-4);
    let two = "[{ clip = 0 }, { clip = 0, start = 3, from = 0.5, blend = 0.25 }]";
    assert!(near(&place(two, 1.0), &place(plain, 1.0)));
    assert!(near(&place(two, 3.5), &place(plain, 1.0)));
    assert!(near(&place(two, 3.0), &place(plain, 3.0)), "the second starts where the first ended");
    assert_ne!(digest(plain, 0.0), digest(plain, 1.0));
}

#[test]
fn every_kind_of_output_is_known_or_refused() {
    let folder = folder();
    let film = open(folder.path(), SCENE, &SceneChoices::default()).expect("a film");
    let output = |name: &str, frames: std::ops::Range<usize>| film.output(&folder.path().join(name), &frames);
    let refused = |name: &str| match output(name, 0..9) {
        Err(SceneError::Picture(error)) => error,
        _ => panic!("{name} is refused"),
    };
    assert!(matches!(refused("a.png"), PictureError::OnePicture { count: 9, .. }));
    assert!(matches!(refused("a.webm"), PictureError::Kind { .. }));
    assert!(matches!(output("a.gif", 0..900_000), Err(SceneError::Frames { count: 14, .. })));
    let (store, _) = store_in(folder.path(), &film);
    let outside =
        shoot(&FilmSet::new(&film, Style::Lines, &mut Report::default()), 0..99, &store, &Progress::none());
    assert!(matches!(outside, Err(SceneError::Frames { count: 14, .. })));
    shoot(&FilmSet::new(&film, Style::Lines, &mut Report::default()), 2..5, &store, &Progress::none())
        .expect("drawn");
    for (name, kind, frames) in [
        ("a.gif", PictureKind::Gif, 2..5),
        ("all", PictureKind::Folder, 2..5),
        ("a.png", PictureKind::Picture, 2..3),
    ] {
        let file = output(name, frames).expect("known");
        assert_eq!(file.kind(), kind, "{name}");
        finish(&store, 2, &file, &Progress::none()).expect("written");
        assert!(folder.path().join(name).exists(), "{name}");
    }
    assert!(folder.path().join("all/frame_000004.png").exists());
    store.remove().expect("removed");
    assert!(!FrameStore::folder_of(&folder.path().join("film.mp4")).exists());
}

#[test]
fn the_scenes_in_documents_and_models_are_read() {
    let document = include_str!("../../../../docs/formats/scene.md");
    let (_, rest) = document.split_once("```toml\n").expect("an example");
    let (example, _) = rest.split_once("```").expect("its end");
    assert_eq!(SceneFile::parse(example).expect("right").characters.len(), 1);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/scenes");
    let text = std::fs::read_to_string(folder.join("exercise.toml")).expect("a scene");
    let film = open(&folder, &text, &SceneChoices::default()).expect("a film");
    assert_eq!((film.frame_count(), film.size()), (300, (1280, 720)));
}

/// Joints of runners change their way by up to 10 mm from one 120th of a second to the next; a jump is far more.
const MOST_CHANGE_M: f32 = 0.02;

#[test]
fn nobody_jumps_from_one_motion_to_the_next() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/scenes");
    let text = std::fs::read_to_string(folder.join("day.toml")).expect("a scene");
    let film = open(&folder, &text, &SceneChoices::default()).expect("a film");
    let mut player = film.player();
    let mut before: [Vec<glam::Vec3>; 2] = Default::default();
    for frame in 0..2200 {
        let secs = f64::from(frame) / 120.0;
        player.set_bones(secs);
        let now: Vec<glam::Vec3> = player.joints().collect();
        for ((a, b), c) in before[0].iter().zip(&before[1]).zip(&now) {
            let change = (*c - *b - (*b - *a)).length();
            assert!(change < MOST_CHANGE_M, "a joint jumps by {change} m at {secs} s");
        }
        before.rotate_left(1);
        before[1] = now;
    }
}
