//! Gaits that look like those of people.

use super::*;
use crate::humanoid::Humanoid;
use sinew_rig::{guess_humanoid, samples};

/// The right knee's bend over a cycle, degrees, from touch-down, at every hundredth.
fn knees(settings: &GaitSettings) -> Vec<f64> {
    let character = samples::figure();
    let humanoid = Humanoid::new(&character, &guess_humanoid(&character)).expect("a human");
    let gait = Gait::new(&humanoid, settings).expect("a gait");
    let cycle = gait.style_at(settings.speed_m_s).cycle_secs;
    (0..100)
        .map(|at| {
            let pose = gait.pose(cycle * f64::from(at) / 100.0);
            let hips = pose.turns[Hips.index()].expect("hips");
            let leg = humanoid.leg(Side::Right);
            let hip = pose.pelvis + hips * leg.hip_from_pelvis;
            let foot = gait.foot(Side::Right, cycle * f64::from(at) / 100.0);
            let knee = reach(leg, hip, foot.ankle, DVec3::Z);
            knee.knee_rad().to_degrees()
        })
        .collect()
}

/// The greatest within a share of the cycle.
fn greatest(knees: &[f64], part: std::ops::Range<usize>) -> f64 {
    knees[part].iter().copied().fold(0.0, f64::max)
}

/// Ranges about what gait laboratories report: some 20° after touch-down (36° in the walk of CMU 02_01, which the feet are fitted to) and 60° in
/// the swing when walking, 40° to 60° and 90° to 130°
/// when running.
#[test]
fn knees_bend_as_those_of_people() {
    for speed_m_s in [0.6, 1.0, 1.4, 1.8] {
        let knees = knees(&GaitSettings { speed_m_s, ..GaitSettings::walk() });
        let (stance, swing) = (greatest(&knees, 0..40), greatest(&knees, 60..95));
        assert!((12.0..36.0).contains(&stance), "{speed_m_s} m/s: {stance} in stance");
        assert!((55.0..75.0).contains(&swing), "{speed_m_s} m/s: {swing} in swing");
    }
    for speed_m_s in [2.5, 4.0, 6.0] {
        let knees = knees(&GaitSettings { speed_m_s, ..GaitSettings::run() });
        let (stance, swing) = (greatest(&knees, 0..20), greatest(&knees, 40..90));
        assert!((30.0..68.0).contains(&stance), "{speed_m_s} m/s: {stance} in stance");
        assert!((88.0..140.0).contains(&swing), "{speed_m_s} m/s: {swing} in swing");
    }
}
