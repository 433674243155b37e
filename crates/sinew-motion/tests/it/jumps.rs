//! A jump is ballistic in the air, and feet stand before and after.

use crate::support::{RATE, SolePoints, measure, place_of, stick};
use sinew_motion::{BakeSettings, Humanoid, Jump, JumpSettings};
use sinew_rig::guess_humanoid;

const GRAVITY: f64 = 9.81;

#[test]
fn flight_is_ballistic_and_feet_are_planted_before_and_after() {
    for stature in [1.5, 1.75, 1.98] {
        for height_m in [0.1, 0.35, 0.6] {
            let character = stick(stature, 0.0);
            let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
            let settings = JumpSettings { height_m, ..JumpSettings::default() };
            let jump = Jump::new(&humanoid, &settings).expect("a jump");
            let clip = jump.to_clip(&BakeSettings { fps: 120.0, ..BakeSettings::default() });
            let [off, down] = jump.flight_secs();
            let height = |secs: f64| {
                let (left, right) = (
                    place_of(&character, &clip, "leftUpperLeg", secs),
                    place_of(&character, &clip, "rightUpperLeg", secs),
                );
                f64::from(0.5 * (left.y + right.y))
            };
            // The parabola's apex, and its curvature over pieces of a quarter of the flight.
            let rise =
                (0..200).map(|at| height(off + (down - off) * f64::from(at) / 199.0)).fold(0.0, f64::max)
                    - height(off);
            assert!((rise / height_m - 1.0).abs() < 0.01, "rises {rise} of {height_m}");
            let step = (down - off) / 8.0;
            for at in 1..=7 {
                let t = off + step * f64::from(at);
                let fall = (height(t - step) - 2.0 * height(t) + height(t + step)) / (step * step);
                assert!((fall / -GRAVITY - 1.0).abs() < 0.01, "{fall} m/s² at {t}");
            }
            let found = measure(&character, &clip, &SolePoints::of_stick(&character));
            eprintln!("{stature} {height_m}: {found:?} flight {:.3}", down - off);
            assert!(found.drift_m < 1e-3 && found.below_m < 1e-3, "{found:?}");
            let standing = 1.0 - (down - off) / clip.duration_secs();
            assert!(
                (f64::from(found.touching_share) - standing).abs() < 4.0 / RATE / clip.duration_secs() + 0.02,
                "{standing} {found:?}"
            );
        }
    }
}

#[test]
fn impossible_jumps_are_refused() {
    let character = stick(1.75, 0.0);
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let told =
        |settings: JumpSettings| Jump::new(&humanoid, &settings).expect_err("no such jump").to_string();
    assert!(told(JumpSettings { height_m: 0.0, ..JumpSettings::default() }).contains("height_m"));
    assert!(told(JumpSettings { height_m: 5.0, ..JumpSettings::default() }).contains("0.03 to 1.2"));
    assert!(told(JumpSettings { crouch: f64::NAN, ..JumpSettings::default() }).contains("crouch"));
}
