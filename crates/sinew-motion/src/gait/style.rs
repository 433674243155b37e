//! The numbers of a gait at one speed.
//!
//! After \[Boulic90\] for walking and \[Bruderlin96\] for running, as `docs/methods/gait.md` has them.
//!
//! | paper | here | meaning |
//! |---|---|---|
//! | `Ht` | `hip_height_m` | height of the hip joint |
//! | `RV` | `relative_speed` | speed over `Ht`, 1/s |
//! | `Dc` | `cycle_secs` | two steps |
//! | `Dsm` | `duty` | share of the cycle that a foot is on the ground |
//! | `tc`, `tf` | `contact_secs`, `flight_secs` | a running step on the ground and in the air |
//!
//! Departures: joint angles of the legs are not used directly; feet and pelvis move on smooth curves with the tables' timing and heights, and
//! the legs follow by inverse kinematics. Timing and angles of feet in walking are fitted to a captured walk (CMU 02_01): the curves of hip,
//! knee and ankle of the whole cycle, by random search. Curves of the trunk and arms are those of the tables, limited to their lowest four frequencies.

use super::settings::{GaitKind, Personality};
use crate::curve::{Harmonics, ramp};
use crate::humanoid::Humanoid;
use std::f64::consts::{PI, TAU};

pub(super) const GRAVITY: f64 = 9.81;

/// Motion of a foot around one step, times as shares of contact or swing, rad, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct FootStyle {
    /// Toes up when the heel touches down.
    pub(super) strike_pitch: f64,
    /// Share of the contact after which the foot is level.
    pub(super) flat_share: f64,
    /// Share of the contact after which the heel rises.
    pub(super) heel_off_share: f64,
    /// Heels rise by this power of time: slowly at first, then faster.
    pub(super) heel_power: f64,
    /// Heel up when the toes leave.
    pub(super) off_pitch: f64,
    /// Maximum pitch with the heel up in the air, and its time as a share of the swing.
    pub(super) swing_pitch: f64,
    pub(super) swing_pitch_share: f64,
    /// Time when the toes are up again, as a share of the swing.
    pub(super) toes_up_share: f64,
    /// Additional height of the foot in the middle of the swing.
    pub(super) clearance_m: f64,
    /// Shares of the swing in which the foot speeds up and slows down.
    pub(super) rise_share: f64,
    pub(super) fall_share: f64,
    /// From the middle line to a foot.
    pub(super) half_width_m: f64,
    pub(super) toe_out_rad: f64,
}

/// Motion of trunk and arms, as functions of the right leg's phase, rad and m.
#[derive(Clone, Debug)]
pub(super) struct BodyStyle {
    pub(super) lateral_m: f64,
    pub(super) fore_m: f64,
    pub(super) fore_phase: f64,
    pub(super) tilt_rad: f64,
    /// Mean of the tilt of the pelvis, forward.
    pub(super) tilt_mean_rad: f64,
    pub(super) list: Harmonics,
    pub(super) torsion_rad: f64,
    pub(super) thorax_rad: f64,
    pub(super) lean_rad: f64,
    /// Flexion of the right arm.
    pub(super) shoulder: Harmonics,
    pub(super) elbow: Harmonics,
    pub(super) abduction_rad: f64,
}

/// A gait at one speed.
#[derive(Clone, Debug)]
pub(super) struct Style {
    pub(super) cycle_secs: f64,
    pub(super) duty: f64,
    pub(super) foot: FootStyle,
    pub(super) body: BodyStyle,
    /// 0 walking, 1 running.
    pub(super) run_share: f64,
    /// Usable share of a leg's length: at 0.998 the knee is bent by 7°. Larger: knees snap straight and jerk, more so at higher speeds.
    /// Smaller: the gait is crouched.
    pub(super) reach_share: f64,
    /// Range over which that limit sets in, m for hips 1 m high.
    pub(super) softness: f64,
    /// What is added to the phase of the passage over a foot that lets the pelvis be highest.
    pub(super) over_shift: f64,
    /// Half the height of a walk's waves.
    bob_m: f64,
    /// Of a running step.
    contact_secs: f64,
    flight_secs: f64,
}

/// Speeds at which one body's gaits change, m/s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SpeedLimits {
    /// Below, standing.
    pub(super) slowest: f64,
    /// Above, no walk: v² = 0.6 g L.
    pub(super) fastest_walk: f64,
    /// Below, no run: v² = 0.35 g L.
    pub(super) slowest_run: f64,
    pub(super) fastest: f64,
    /// The middle of the transition: v² = 0.5 g L.
    pub(super) change: f64,
}

impl SpeedLimits {
    pub(super) fn of(humanoid: &Humanoid) -> Self {
        let froude = |number: f64| (number * GRAVITY * humanoid.hip_height_m()).sqrt();
        Self {
            slowest: 0.1,
            fastest_walk: froude(0.6),
            slowest_run: froude(0.35),
            fastest: froude(11.0),
            change: froude(0.5),
        }
    }
}

/// Half the range of speeds over which a walk becomes a run, m/s.
const CHANGE_HALF_WIDTH: f64 = 0.2;

impl Style {
    /// The time of a cycle alone.
    pub(super) fn cycle_secs_of(
        humanoid: &Humanoid,
        kind: GaitKind,
        speed: f64,
        personality: &Personality,
    ) -> f64 {
        let share = run_share(humanoid, kind, speed);
        let walk = walk_cycle_secs(humanoid, speed, personality)[1];
        walk + (2.0 * run_step_secs(humanoid, speed, personality) - walk) * share
    }

    pub(super) fn new(humanoid: &Humanoid, kind: GaitKind, speed: f64, personality: &Personality) -> Self {
        match run_share(humanoid, kind, speed) {
            0.0 => walk(humanoid, speed, personality),
            1.0 => run(humanoid, speed, personality),
            share => mix(&walk(humanoid, speed, personality), &run(humanoid, speed, personality), share),
        }
    }

    /// Height of the pelvis over its mean, by the phase of the right leg.
    pub(super) fn vertical_m(&self, phase: f64) -> f64 {
        let walk = self.bob_m * (TAU * (2.0 * phase - 0.27)).sin();
        (1.0 - self.run_share) * walk + self.run_share * self.run_vertical_m(phase)
    }

    /// The body under a force that is half a sine over the contact and zero in flight, exactly; from touch-down.
    fn run_vertical_m(&self, phase: f64) -> f64 {
        let (tc, tf) = (self.contact_secs, self.flight_secs);
        let step_secs = tc + tf;
        let s = (2.0 * phase).rem_euclid(1.0) * step_secs;
        if s > tc {
            let s = s - tc;
            return 0.5 * GRAVITY * (tf * s - s * s);
        }
        // F over mass: (π/2) g (tf + tc)/tc sin(π s/tc), integrated twice with the speed −g tf/2 at touch-down.
        let peak = 0.5 * PI * GRAVITY * step_secs / tc;
        let wave = peak * tc * tc / (PI * PI) * (PI * s / tc).sin();
        -wave + (peak * tc / PI - 0.5 * GRAVITY * tf) * s - 0.5 * GRAVITY * s * s
    }
}

fn run_share(humanoid: &Humanoid, kind: GaitKind, speed: f64) -> f64 {
    match kind {
        GaitKind::Walk => 0.0,
        GaitKind::Run => 1.0,
        GaitKind::Auto => {
            let change = SpeedLimits::of(humanoid).change;
            ramp(speed, change - CHANGE_HALF_WIDTH, change + CHANGE_HALF_WIDTH)
        }
    }
}

fn degrees(points: &[(f64, f64)]) -> Harmonics {
    let radians: Vec<(f64, f64)> = points.iter().map(|&(at, value)| (at, value.to_radians())).collect();
    Harmonics::through(&radians)
}

fn relative_speed(humanoid: &Humanoid, speed: f64) -> f64 {
    (speed / humanoid.hip_height_m()).max(0.05)
}

/// RLc = 1.346 √RV, by the formula and with the requested step.
fn walk_cycle_secs(humanoid: &Humanoid, speed: f64, personality: &Personality) -> [f64; 2] {
    let (ht, rv) = (humanoid.hip_height_m(), relative_speed(humanoid, speed));
    // Faster than 1.8 leg lengths per second the formula's steps exceed the reach without jerks; they grow less there.
    let shortened = 1.0 - 0.15 * (rv - 1.8).clamp(0.0, 1.0);
    let natural_m = 1.346 * rv.sqrt() * ht * shortened * personality.step_factor();
    let wished_m = personality.step_length_m.map_or(natural_m, |step| 2.0 * step);
    [natural_m / (rv * ht), wished_m / (rv * ht)]
}

fn run_step_secs(humanoid: &Humanoid, speed: f64, personality: &Personality) -> f64 {
    let per_minute = (60.0 * speed).min(400.0);
    let natural_m = (0.1394 + 0.00465 * per_minute) * (humanoid.stature_m() / 1.8).sqrt();
    personality.step_length_m.unwrap_or(natural_m * personality.step_factor()) / speed
}

/// Relative speeds up to which feet move as in the captured walk, and from which they move as in the tables: that walk is of one speed, and its
/// constants would bend the knees of fast walkers by 44° in stance.
const MEASURED_UP_TO: f64 = 1.38;
const TABLES_FROM: f64 = 1.85;

/// After docs/methods/gait.md, walking.
fn walk(humanoid: &Humanoid, speed: f64, personality: &Personality) -> Style {
    let ht = humanoid.hip_height_m();
    let rv = relative_speed(humanoid, speed);
    let measured = 1.0 - ((rv - MEASURED_UP_TO) / (TABLES_FROM - MEASURED_UP_TO)).clamp(0.0, 1.0);
    let fit = |measured_value: f64, table: f64| table + measured * (measured_value - table);
    let [natural_secs, cycle_secs] = walk_cycle_secs(humanoid, speed, personality);
    // Ds = 0.752 Dc − 0.143, for the formula's cycle at this speed; slightly less, as measured walks have it.
    let duty =
        ((0.752 * natural_secs - 0.143) / natural_secs - fit(0.055, 0.01) - 0.012 * (rv - 1.5).max(0.0))
            .clamp(0.54, 0.72);
    let slow = |high: f64| if rv < 0.5 { 4.0 * high * (rv - rv * rv) } else { high };
    let k = ((rv - 1.3) / 1.7).clamp(0.0, 1.0);
    let m = ((rv - 0.5) / 0.8).clamp(0.0, 1.0);
    let elbow = match rv {
        rv if rv < 0.5 => [(0.05, 6.0 * rv + 3.0), (0.5, 34.0 * rv + 3.0), (0.9, 10.0 * rv + 3.0)],
        rv if rv < 1.3 => [(0.05, 8.0 * m + 6.0), (0.5 + 0.01 * m, 24.0 * m + 20.0), (0.9, 9.0 * m + 8.0)],
        _ => [(0.05, 14.0 - 6.0 * k), (0.51 + 0.04 * k, 44.0 + 26.0 * k), (0.9 - 0.1 * k, 17.0 - 6.0 * k)],
    };
    let arm = personality.arm_factor();
    let swing = 9.88 * rv * arm;
    // A relaxed arm hangs slightly bent, and bends less than the table's when it hardly swings.
    let elbow = elbow.map(|(at, value)| (at, 8.0 + (0.35 + 0.4 * arm) * value));
    Style {
        cycle_secs,
        duty,
        run_share: 0.0,
        reach_share: fit(0.998, 0.9965) - 0.020 * (rv - 1.2).clamp(0.0, 1.0),
        softness: fit(0.0146, 0.022),
        over_shift: fit(-0.003, 0.0),
        foot: FootStyle {
            strike_pitch: (fit(21.8, 14.0) * rv).min(25.0).to_radians(),
            flat_share: fit(0.14, 0.17),
            heel_off_share: fit(0.606, 0.46) - 0.06 * k,
            heel_power: fit(2.98, 1.75),
            off_pitch: (fit(25.9, 40.0) + 15.0 * rv).min(72.0).to_radians(),
            swing_pitch: (fit(38.7, 48.0) + 16.0 * rv).min(84.0).to_radians(),
            swing_pitch_share: fit(0.144, 0.18),
            toes_up_share: fit(0.833, 0.76),
            clearance_m: fit(0.0435, 0.034) * ht,
            rise_share: fit(0.33, 0.25) + 0.13 * (rv - 1.4).clamp(0.0, 0.7),
            fall_share: fit(0.365, 0.27),
            half_width_m: 0.052 * ht * personality.width_factor(),
            toe_out_rad: (8.5 - 1.4 * rv).to_radians(),
        },
        body: BodyStyle {
            lateral_m: slow(0.032) * 0.8 * ht * personality.hip_sway,
            fore_m: slow(0.021) * fit(0.74, 0.6) * ht,
            fore_phase: 2.0 * (0.625 - duty),
            tilt_rad: slow(2.0).to_radians(),
            tilt_mean_rad: fit(slow(-2.4), 0.0).to_radians(),
            list: list_of_walk((1.66 * rv).min(4.0) * personality.hip_sway),
            torsion_rad: (4.0 * rv).min(9.0).to_radians() * personality.hip_sway,
            thorax_rad: (2.0 + 2.0 * rv).min(8.0).to_radians() * (0.4 + 0.6 * arm),
            lean_rad: (1.0 + 1.2 * rv).to_radians(),
            shoulder: Harmonics::of(|t| (2.0 - 0.35 * swing - swing * (TAU * t).cos()).to_radians()),
            elbow: degrees(&elbow),
            abduction_rad: 7.5_f64.to_radians(),
        },
        bob_m: (fit(0.0114, 0.0125) * rv).min(0.026) * ht * personality.bounce,
        contact_secs: 0.35,
        flight_secs: 0.01,
    }
}

/// The pelvis drops on the side of the swinging leg; left down is negative.
fn list_of_walk(a: f64) -> Harmonics {
    Harmonics::of(|t| {
        let tenth = TAU * 10.0;
        let list = match t {
            t if t < 0.15 => -a + a * (tenth * t / 3.0).cos(),
            t if t < 0.5 => -a - a * (tenth * (t - 0.15) / 7.0).cos(),
            t if t < 0.65 => a - a * (tenth * (t - 0.5) / 3.0).cos(),
            t => a + a * (tenth * (t - 0.65) / 7.0).cos(),
        };
        list.to_radians()
    })
}

/// After docs/methods/gait.md, running.
fn run(humanoid: &Humanoid, speed: f64, personality: &Personality) -> Style {
    let ht = humanoid.hip_height_m();
    let stature = humanoid.stature_m();
    let s = ((speed - 2.5) / 5.5).clamp(0.0, 1.0);
    let step_secs = run_step_secs(humanoid, speed, personality);
    // The body covers about one leg length on a foot. More bounce leaves less time on the ground.
    let natural_contact = (0.53 * stature / speed).min(0.85 * step_secs);
    let flight_secs =
        ((step_secs - natural_contact) * personality.bounce).clamp(0.02 * step_secs, 0.6 * step_secs);
    let contact_secs = step_secs - flight_secs;
    let duty = 0.5 * contact_secs / step_secs;
    let arm = personality.arm_factor();
    let swing = (25.0 + 25.0 * s) * arm;
    let strike = 0.7 - 0.9 * s;
    Style {
        cycle_secs: 2.0 * step_secs,
        duty,
        run_share: 1.0,
        reach_share: 0.996 - 0.017 * ((speed / (GRAVITY * ht).sqrt() - 1.2) / 0.9).clamp(0.0, 1.1),
        softness: 0.03,
        over_shift: 0.0,
        foot: FootStyle {
            strike_pitch: (8.0 * strike).max(1.0).to_radians(),
            flat_share: 0.22,
            heel_off_share: 0.5 - 0.08 * s,
            heel_power: 1.75,
            off_pitch: (58.0 + 8.0 * s).to_radians(),
            swing_pitch: (92.0 + 30.0 * s).to_radians(),
            swing_pitch_share: 0.30,
            toes_up_share: 0.86,
            clearance_m: (0.13 + 0.21 * s) * ht,
            rise_share: 0.18 - 0.03 * s,
            fall_share: 0.24 - 0.08 * s,
            half_width_m: 0.030 * ht * personality.width_factor(),
            toe_out_rad: 4.0_f64.to_radians(),
        },
        body: BodyStyle {
            lateral_m: 0.012 * ht * personality.hip_sway,
            fore_m: 0.0,
            fore_phase: 0.0,
            tilt_rad: 2.0_f64.to_radians(),
            tilt_mean_rad: 0.0,
            list: {
                let a = (5.0 + 2.0 * s) * 0.7 * personality.hip_sway;
                Harmonics::of(|t| (-a * (TAU * (t + 0.08)).sin()).to_radians())
            },
            torsion_rad: (8.0 + 4.0 * s).to_radians() * personality.hip_sway,
            thorax_rad: (12.0 + 8.0 * s).to_radians() * 0.8 * (0.4 + 0.6 * arm),
            lean_rad: (5.0 + 9.0 * s).to_radians(),
            shoulder: Harmonics::of(|t| (-8.0 - swing * (TAU * t).cos()).to_radians()),
            elbow: Harmonics::of(|t| (85.0 - 12.0 * (TAU * t).cos()).to_radians()),
            abduction_rad: 17.0_f64.to_radians(),
        },
        bob_m: 0.0,
        contact_secs,
        flight_secs,
    }
}

/// Between a walk and a run.
fn mix(walk: &Style, run: &Style, share: f64) -> Style {
    let lerp = |a: f64, b: f64| a + (b - a) * share;
    let curves = |a: &Harmonics, b: &Harmonics| Harmonics::of(|t| lerp(a.at(t), b.at(t)));
    // All numbers of a part, then its curves.
    macro_rules! between {
        ($type:ident, $part:ident: $($number:ident)* $(; $($curve:ident)*)?) => {
            $type {
                $($number: lerp(walk.$part.$number, run.$part.$number),)*
                $($($curve: curves(&walk.$part.$curve, &run.$part.$curve),)*)?
            }
        };
    }
    Style {
        cycle_secs: lerp(walk.cycle_secs, run.cycle_secs),
        duty: lerp(walk.duty, run.duty),
        run_share: share,
        reach_share: lerp(walk.reach_share, run.reach_share),
        softness: lerp(walk.softness, run.softness),
        over_shift: lerp(walk.over_shift, run.over_shift),
        foot: between!(FootStyle, foot: strike_pitch flat_share heel_off_share heel_power off_pitch swing_pitch
            swing_pitch_share toes_up_share clearance_m rise_share fall_share half_width_m toe_out_rad),
        body: between!(BodyStyle, body: lateral_m fore_m fore_phase tilt_rad tilt_mean_rad torsion_rad thorax_rad lean_rad
            abduction_rad; list shoulder elbow),
        bob_m: walk.bob_m,
        contact_secs: run.contact_secs,
        flight_secs: run.flight_secs,
    }
}
