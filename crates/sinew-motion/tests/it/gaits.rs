//! Walks and runs on three body sizes: feet that stand do not slide and are not below the ground, joints turn without jumps, the speed is
//! that asked for.

use crate::support::{SolePoints, measure, place_of, stick};
use sinew_motion::{
    BakeSettings, Gait, GaitError, GaitKind, GaitSettings, Humanoid, Personality, SpeedKey, gait_clip,
};
use sinew_rig::{Character, guess_humanoid, samples};

/// Millimetres of the requirement, for drift and depth.
const MOST_M: f32 = 1e-3;
const WALK_JERK_DEG: f32 = 0.5;
const RUN_JERK_DEG: f32 = 1.5;
const STATURES_M: [f32; 3] = [1.5, 1.75, 1.98];

#[track_caller]
fn check(
    character: &Character,
    points: &SolePoints,
    hips: &str,
    settings: &GaitSettings,
    most_jerk_deg: f32,
) {
    let humanoid = Humanoid::new(character, &guess_humanoid(character)).expect("a human");
    let clip = gait_clip(&humanoid, settings).expect("a gait");
    let found = measure(character, &clip, points);
    let told = format!("{} m/s, hips {:.2} m: {found:?}", settings.speed_m_s, humanoid.hip_height_m());
    eprintln!("{told}");
    assert!(found.drift_m < MOST_M, "drift: {told}");
    assert!(found.below_m < MOST_M, "below: {told}");
    assert!(found.jerk_deg < most_jerk_deg, "jerk: {told}");
    assert!(found.touching_share > 0.3, "hardly ever on the ground: {told}");
    // The mean over the whole clip; waves of the pelvis along the way are below 2 cm.
    let way = place_of(character, &clip, hips, settings.seconds).z - place_of(character, &clip, hips, 0.0).z;
    let speed = f64::from(way) / settings.seconds;
    assert!((speed / settings.speed_m_s - 1.0).abs() < 0.01, "speed {speed}: {told}");
}

#[test]
fn walks_keep_feet_on_the_ground() {
    for stature in STATURES_M {
        for speed_m_s in [0.6, 1.0, 1.4, 1.8] {
            let character = stick(stature, 0.0);
            let points = SolePoints::of_stick(&character);
            let settings = GaitSettings { speed_m_s, seconds: 8.0, ..GaitSettings::walk() };
            check(&character, &points, "hips", &settings, WALK_JERK_DEG);
        }
    }
}

#[test]
fn runs_keep_feet_on_the_ground() {
    for stature in STATURES_M {
        for speed_m_s in [2.5, 4.0, 6.0] {
            let character = stick(stature, 0.0);
            let points = SolePoints::of_stick(&character);
            let settings = GaitSettings { speed_m_s, seconds: 5.0, ..GaitSettings::run() };
            check(&character, &points, "hips", &settings, RUN_JERK_DEG);
        }
    }
}

#[test]
fn feet_of_a_mesh_stay_on_the_ground() {
    let character = samples::figure();
    let points = SolePoints::of_mesh(&character, &["LeftFoot", "RightFoot", "LeftToes", "RightToes"]);
    let walk = GaitSettings { seconds: 5.0, ..GaitSettings::walk() };
    check(&character, &points, "Hips", &walk, WALK_JERK_DEG);
    let run = GaitSettings { seconds: 5.0, ..GaitSettings::run() };
    check(&character, &points, "Hips", &run, RUN_JERK_DEG);
}

/// Drift, depth and jerk of a gait that is not steady; steps there are no test of speed.
#[track_caller]
fn check_unsteady(settings: &GaitSettings, most_jerk_deg: f32) {
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let clip = gait_clip(&humanoid, settings).expect("a gait");
    let found = measure(&character, &clip, &SolePoints::of_stick(&character));
    eprintln!("{found:?}");
    assert!(found.drift_m < MOST_M && found.below_m < MOST_M, "{found:?}");
    assert!(found.jerk_deg < most_jerk_deg, "{found:?}");
}

#[test]
fn setting_off_and_stopping_do_not_slide() {
    let settings = GaitSettings {
        speed_m_s: 1.3,
        seconds: 6.0,
        is_from_rest: true,
        is_to_rest: true,
        ..GaitSettings::walk()
    };
    check_unsteady(&settings, WALK_JERK_DEG);
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let clip = gait_clip(&humanoid, &settings).expect("a walk");
    // It stands at both ends, feet side by side.
    for (from, to) in [(0.0, 0.3), (5.7, 6.0)] {
        let moved =
            place_of(&character, &clip, "hips", from).distance(place_of(&character, &clip, "hips", to));
        // The first heel may begin to rise, which takes the pelvis along a little.
        assert!(moved < 0.01, "moves by {moved} between {from} and {to}");
        let feet = ["leftFoot", "rightFoot"].map(|foot| place_of(&character, &clip, foot, to));
        assert!((feet[0].z - feet[1].z).abs() < 0.08, "{feet:?}");
    }
}

#[test]
fn curves_and_changes_of_speed_do_not_slide() {
    let path = vec![[0.0, 0.0], [0.0, 3.0], [1.5, 5.0], [4.0, 5.5], [6.0, 4.0]];
    check_unsteady(
        &GaitSettings { speed_m_s: 1.2, seconds: 8.0, path, ..GaitSettings::walk() },
        WALK_JERK_DEG,
    );
    let key = |time: f64, speed: f64| SpeedKey { time, speed };
    let speeds = vec![key(0.0, 1.2), key(2.0, 1.2), key(5.0, 3.4), key(7.0, 3.4)];
    check_unsteady(
        &GaitSettings { kind: GaitKind::Auto, speeds, seconds: 8.0, ..GaitSettings::default() },
        1.5,
    );
    let personality =
        Personality { variation: 1.0, stoop_deg: 20.0, age_years: 80.0, ..Personality::default() };
    check_unsteady(
        &GaitSettings { personality, seconds: 6.0, speed_m_s: 1.0, ..GaitSettings::walk() },
        WALK_JERK_DEG,
    );
}

#[test]
fn axes_and_rest_poses_of_bones_do_not_matter() {
    let settings = GaitSettings { seconds: 2.0, ..GaitSettings::walk() };
    let made = [stick(1.75, 0.0), stick(1.75, 0.37)].map(|character| {
        let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
        let clip = gait_clip(&humanoid, &settings).expect("a walk");
        (character, clip)
    });
    for bone in ["head", "leftHand", "rightFoot", "rightToes", "leftMiddleDistal"] {
        for at in 0..20 {
            let secs = 0.1 * f64::from(at);
            let [a, b] = made.each_ref().map(|(character, clip)| place_of(character, clip, bone, secs));
            assert!(a.distance(b) < 1e-4, "{bone} at {secs}: {a} {b}");
        }
    }
}

#[test]
fn gaits_in_place_stay_and_the_same_seed_gives_the_same_steps() {
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let uneven = Personality { variation: 1.0, ..Personality::default() };
    let settings = GaitSettings { seconds: 2.0, personality: uneven, seed: 5, ..GaitSettings::walk() };
    let gait = Gait::new(&humanoid, &settings).expect("a walk");
    let clip = gait.to_clip(&BakeSettings { is_in_place: true, ..BakeSettings::default() });
    assert!(place_of(&character, &clip, "hips", 2.0).z.abs() < 0.05);
    assert_eq!(gait_clip(&humanoid, &settings), gait_clip(&humanoid, &settings));
    assert_ne!(
        gait_clip(&humanoid, &settings),
        gait_clip(&humanoid, &GaitSettings { seed: 6, ..settings.clone() })
    );
}

#[test]
fn impossible_gaits_are_refused() {
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let refused = |settings: GaitSettings| gait_clip(&humanoid, &settings).expect_err("no such gait");
    let walk = |speed_m_s: f64| GaitSettings { speed_m_s, ..GaitSettings::walk() };
    for speed in [0.0, -1.0, f64::NAN] {
        assert!(matches!(refused(walk(speed)), GaitError::TooSlow { .. }), "{speed}");
    }
    assert!(matches!(refused(walk(50.0)), GaitError::TooFast { .. }));
    assert!(matches!(refused(walk(3.0)), GaitError::WalkTooFast { .. }));
    assert!(matches!(
        refused(GaitSettings { speed_m_s: 1.2, ..GaitSettings::run() }),
        GaitError::RunTooSlow { .. }
    ));
    let key = |time: f64| SpeedKey { time, speed: 1.0 };
    let speeds = vec![key(1.0), key(0.5)];
    assert!(matches!(
        refused(GaitSettings { speeds, ..GaitSettings::default() }),
        GaitError::SpeedOrder { .. }
    ));
    assert!(matches!(
        refused(GaitSettings { seconds: f64::INFINITY, ..walk(1.0) }),
        GaitError::Duration { .. }
    ));
}
