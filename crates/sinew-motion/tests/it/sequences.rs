//! Motions one after the other: no joint jumps, feet that stand do not slide, and every motion goes on where the one before ended.

use crate::support::{SolePoints, measure, place_of, stick};
use sinew_motion::{
    BakeSettings, GaitSettings, Humanoid, Key, KeyClip, KeyTrack, Layer, Part, Posture, PostureKind,
    PostureSettings, Sequence, SequenceError, gait_clip, mask, sequence,
};
use sinew_rig::{Character, Clip, guess_humanoid};

/// What standing feet may move, and what may be below the ground.
const MOST_M: f32 = 1e-3;
/// Of any bone, from frame to frame at 240 Hz: what runs themselves have.
const MOST_JERK_DEG: f32 = 1.5;

fn wave(character: &Character, humanoid: &Humanoid) -> Clip {
    let key =
        |time: f64, bend: f64, side: f64| Key { time, bend: Some(bend), side: Some(side), ..Key::default() };
    let keys = vec![key(0.0, 0.0, 10.0), key(0.6, 20.0, 120.0), key(1.6, 20.0, 120.0), key(2.2, 0.0, 10.0)];
    let track = vec![KeyTrack { bone: "rightUpperArm".into(), keys }];
    KeyClip { track, ..KeyClip::default() }.to_clip_of_human(character, humanoid).expect("a wave")
}

fn posture(humanoid: &Humanoid, kind: PostureKind) -> Clip {
    let settings = PostureSettings { kind, seconds: 2.0, ..PostureSettings::default() };
    Posture::new(humanoid, &settings).expect("a posture").to_clip(&BakeSettings::default())
}

/// Walks, stops, waves while standing, sits down, gets up and runs off.
fn clips(humanoid: &Humanoid) -> Vec<Clip> {
    let walk = GaitSettings { seconds: 4.0, is_to_rest: true, speed_m_s: 1.2, ..GaitSettings::walk() };
    let run = GaitSettings { seconds: 3.0, is_from_rest: true, ..GaitSettings::run() };
    vec![
        gait_clip(humanoid, &walk).expect("a walk"),
        posture(humanoid, PostureKind::Stand),
        posture(humanoid, PostureKind::Sit),
        posture(humanoid, PostureKind::Rise),
        gait_clip(humanoid, &run).expect("a run"),
    ]
}

fn joined<'a>(clips: &'a [Clip], layers: Vec<Layer<'a>>) -> Sequence<'a> {
    let mut parts: Vec<Part<'a>> = Vec::new();
    for clip in clips {
        let start = parts.last().map_or(0.0, |last| last.start_secs + last.seconds());
        parts.push(Part::new(clip, start));
    }
    let seconds = parts.last().map_or(0.0, |last| last.start_secs + last.seconds());
    Sequence { name: "day".into(), parts, layers, seconds, fps: 120.0 }
}

#[test]
fn a_day_has_no_jumps_and_no_sliding_feet() {
    for stature in [1.5, 1.75] {
        let character = stick(stature, 0.2);
        let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let clips = clips(&humanoid);
        let wave = wave(&character, &humanoid);
        let day = joined(&clips, vec![Layer::new(&wave, 4.2)]);
        let clip = sequence(&character, Some(&humanoid), &day).expect("a sequence");
        let found = measure(&character, &clip, &SolePoints::of_stick(&character));
        eprintln!("{stature} m: {found:?}");
        assert!(found.drift_m < MOST_M && found.below_m < MOST_M, "{found:?}");
        assert!(found.jerk_deg < MOST_JERK_DEG, "{found:?}");
        // Where the walk ended it stands, and the run goes on from there.
        let hips = |secs: f64| place_of(&character, &clip, "hips", secs);
        let stood = hips(day.parts[1].start_secs + 1.0);
        assert!(stood.z > 2.5, "{stood}");
        assert!((hips(day.parts[4].start_secs).z - stood.z).abs() < 0.12);
        assert!(hips(day.seconds).z > stood.z + 3.0);
        let hand = |secs: f64| place_of(&character, &clip, "rightHand", secs).y;
        assert!(hand(5.5) > hand(4.1) + 0.3 * stature, "it waves while it stands");
    }
}

#[test]
fn cutting_a_walk_short_does_not_jump() {
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let walk = gait_clip(&humanoid, &GaitSettings { seconds: 2.0, ..GaitSettings::walk() }).expect("a walk");
    let stand = posture(&humanoid, PostureKind::Stand);
    let parts = vec![Part::new(&walk, 0.0), Part { blend_secs: 0.8, ..Part::new(&stand, 1.3) }];
    let cut = Sequence { name: String::new(), parts, layers: Vec::new(), seconds: 3.0, fps: 120.0 };
    let clip = sequence(&character, Some(&humanoid), &cut).expect("a sequence");
    let found = measure(&character, &clip, &SolePoints::of_stick(&character));
    eprintln!("{found:?}");
    assert!(found.jerk_deg < MOST_JERK_DEG, "{found:?}");
}

#[test]
fn a_repeated_walk_travels_on() {
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let walk = gait_clip(&humanoid, &GaitSettings { seconds: 2.0, ..GaitSettings::walk() }).expect("a walk");
    let parts = vec![Part { is_repeating: true, ..Part::new(&walk, 0.0) }];
    let cut = Sequence { name: String::new(), parts, layers: Vec::new(), seconds: 6.0, fps: 120.0 };
    let clip = sequence(&character, Some(&humanoid), &cut).expect("a sequence");
    assert!((place_of(&character, &clip, "hips", 6.0).z - 8.4).abs() < 0.4);
}

#[test]
fn impossible_sequences_are_refused() {
    let character = stick(1.75, 0.0);
    let map = guess_humanoid(&character);
    let humanoid = Humanoid::new(&character, &map).expect("a human");
    let stand = posture(&humanoid, PostureKind::Stand);
    let of = |parts: Vec<Part<'_>>, layers: Vec<Layer<'_>>| {
        let all = Sequence { name: String::new(), parts, layers, seconds: 2.0, fps: 60.0 };
        sequence(&character, Some(&humanoid), &all).expect_err("no sequence")
    };
    assert_eq!(of(Vec::new(), Vec::new()), SequenceError::Empty);
    let parts = vec![Part::new(&stand, 1.0), Part::new(&stand, 0.5)];
    assert!(matches!(of(parts, Vec::new()), SequenceError::Order { index: 1, .. }));
    let part = Part { speed: 0.0, ..Part::new(&stand, 0.0) };
    assert!(matches!(of(vec![part], Vec::new()), SequenceError::OutOfRange { name: "speed", .. }));
    let bones = mask(&character, &map, &["leftUpperLeg".into()]).expect("a leg");
    let layer = Layer { bones, ..Layer::new(&stand, 0.0) };
    assert!(matches!(of(vec![Part::new(&stand, 0.0)], vec![layer]), SequenceError::LayerBone { .. }));
    assert!(matches!(mask(&character, &map, &["tail".into()]), Err(SequenceError::UnknownMask { .. })));
}
