//! Threads and rates of frames.

use super::*;
use sinew::rig::samples;

/// How much the rate of frames may change a motion, as a share of how far it goes.
const RATE_SHARE: f32 = 0.02;

#[test]
fn one_thread_and_two_give_the_same_bits() {
    let character = samples::figure();
    // Enough particles that threads share them.
    let rig = rig_of(&character, &natural(), 9000);
    assert!(rig.anatomy.point_count() > 2048, "{}", rig.anatomy.point_count());
    let clip = Clip { tracks: character.clips()[1].tracks.clone(), name: "squat".into() };
    let motion = FleshMotion { speed: 4.0, ..once(&clip, 30.0) };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| play(&rig, &motion))
    };
    assert!(with(1) == with(2), "the number of threads shows");
}

#[test]
fn the_rate_of_frames_does_not_change_the_motion() {
    let character = samples::figure();
    let rig = rig_of(&character, &natural(), 1200);
    let clip = &character.clips()[1];
    let motion = |fps: f64| FleshMotion { speed: 2.0, ..once(clip, fps) };
    const FINE: f64 = 720.0;
    let fine = &play(&rig, &motion(FINE)).deviations;
    let amplitude = fine.iter().flatten().map(|away| away.length()).fold(0.0, f32::max);
    for fps in [24.0, 30.0, 60.0, 144.0] {
        let found = &play(&rig, &motion(fps)).deviations;
        let apart = found.iter().enumerate().flat_map(|(frame, found)| {
            let same = &fine[(frame as f64 * FINE / fps).round() as usize];
            found.iter().zip(same).map(|(a, b)| a.distance(*b))
        });
        let worst = apart.fold(0.0, f32::max);
        assert!(worst < RATE_SHARE * amplitude, "{fps} frames a second: {worst} m of {amplitude} m");
    }
}
