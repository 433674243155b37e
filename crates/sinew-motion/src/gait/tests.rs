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
    println!(
        "{} m/s: {:?} {} duty {:.3} cycle {cycle:.3}",
        settings.speed_m_s,
        gait.tunings.at(settings.speed_m_s),
        humanoid.hip_height_m(),
        gait.style_at(settings.speed_m_s).duty
    );
    (0..100)
        .map(|at| {
            let pose = gait.pose(cycle * f64::from(at) / 100.0);
            let hips = pose.turns[Hips.index()].expect("hips");
            let leg = humanoid.leg(Side::Right);
            let hip = pose.pelvis + hips * leg.hip_from_pelvis;
            let foot = gait.foot(Side::Right, cycle * f64::from(at) / 100.0);
            let knee = reach(leg, hip, foot.ankle, DVec3::Z);
            knee.knee_rad.to_degrees()
        })
        .collect()
}

#[test]
fn knees_bend_as_those_of_people() {
    for speed_m_s in [0.6, 1.0, 1.4, 1.8] {
        let knees = knees(&GaitSettings { speed_m_s, ..GaitSettings::walk() });
        for (at, knee) in knees.iter().enumerate().step_by(4) {
            print!("{at}:{knee:.0} ");
        }
        println!();
    }
    for speed_m_s in [2.5, 4.0, 6.0] {
        let knees = knees(&GaitSettings { speed_m_s, ..GaitSettings::run() });
        for (at, knee) in knees.iter().enumerate().step_by(4) {
            print!("{at}:{knee:.0} ");
        }
        println!();
    }
}
