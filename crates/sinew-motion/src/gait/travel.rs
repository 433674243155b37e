//! Distance and phase of a gait over time.

use super::settings::{GaitSettings, SpeedKey};
use crate::curve::{ramp, smoothstep};

/// Phase, way and speed over time, in a table.
#[derive(Clone, Debug)]
pub(super) struct Travel {
    start_secs: f64,
    rows: Vec<Progress>,
}

/// State of a gait at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Progress {
    /// Cycles of the right leg; whole at its touch-down.
    pub(super) phase: f64,
    /// Meters from the position at time 0.
    pub(super) way_m: f64,
    /// The speed of the planned steps, m/s.
    pub(super) speed: f64,
    /// The body's share of that speed: 0 standing.
    pub(super) activity: f64,
}

/// Rows of the table per second.
const RATE: f64 = 480.0;

/// Standing time before the first step and after the last, s.
const STAND_SECS: f64 = 0.4;

/// Cycles for starting and stopping.
const START_CYCLES: f64 = 1.1;

/// The phase at the start; from rest the right leg swings soon after.
const PHASE_FROM_REST: f64 = 0.5;

impl Travel {
    /// Integrates speeds. `cycle_secs` returns the time of a cycle at a speed.
    pub(super) fn new(settings: &GaitSettings, cycle_secs: impl Fn(f64) -> f64) -> Self {
        let slowest = settings.speeds.iter().map(|key| key.speed).fold(settings.speed_m_s, f64::min);
        let lead_secs = 2.5 * cycle_secs(slowest);
        let before = (lead_secs * RATE).ceil() as usize;
        let count = before + ((settings.seconds + lead_secs) * RATE).ceil() as usize + 1;
        let start_secs = -(before as f64) / RATE;
        let mut rows = Vec::with_capacity(count);
        let (mut phase, mut way_m) = (0.0, 0.0);
        let mut last: Option<[f64; 2]> = None;
        for row in 0..count {
            let t = start_secs + row as f64 / RATE;
            let speed = speed_at(settings, t);
            let activity = activity_at(settings, t, &cycle_secs);
            let rates = [1.0 / cycle_secs(speed), speed * activity];
            if let Some(before) = last {
                phase += 0.5 * (before[0] + rates[0]) / RATE;
                way_m += 0.5 * (before[1] + rates[1]) / RATE;
            }
            last = Some(rates);
            rows.push(Progress { phase, way_m, speed, activity });
        }
        let mut travel = Self { start_secs, rows };
        let origin = travel.at(0.0);
        let phase_at_origin = if settings.is_from_rest { PHASE_FROM_REST } else { 0.0 };
        for row in &mut travel.rows {
            row.phase += phase_at_origin - origin.phase;
            row.way_m -= origin.way_m;
        }
        travel
    }

    /// Constant beyond the ends of the table.
    pub(super) fn at(&self, t: f64) -> Progress {
        let place = ((t - self.start_secs) * RATE).clamp(0.0, (self.rows.len() - 1) as f64);
        let row = (place as usize).min(self.rows.len() - 2);
        let (from, to, share) = (&self.rows[row], &self.rows[row + 1], place - row as f64);
        let lerp = |a: f64, b: f64| a + (b - a) * share;
        // Speeds change linearly between rows.
        let (v0, v1) = (from.speed * from.activity, to.speed * to.activity);
        Progress {
            phase: lerp(from.phase, to.phase),
            way_m: from.way_m + (v0 * share + 0.5 * (v1 - v0) * share * share) / RATE,
            speed: lerp(from.speed, to.speed),
            activity: lerp(from.activity, to.activity),
        }
    }

    /// Time of a phase; clamped to the table's ends.
    pub(super) fn time_of(&self, phase: f64) -> f64 {
        let next = self.rows.partition_point(|row| row.phase <= phase).clamp(1, self.rows.len() - 1);
        let (from, to) = (&self.rows[next - 1], &self.rows[next]);
        let share = ((phase - from.phase) / (to.phase - from.phase)).clamp(0.0, 1.0);
        self.start_secs + ((next - 1) as f64 + share) / RATE
    }

    /// The phases of the first and last row.
    pub(super) fn phases(&self) -> [f64; 2] {
        [self.rows[0].phase, self.rows[self.rows.len() - 1].phase]
    }
}

/// Minimum time for starting or stopping.
pub(super) fn rest_secs(cycle_secs: f64) -> f64 {
    STAND_SECS + START_CYCLES * cycle_secs
}

fn speed_at(settings: &GaitSettings, t: f64) -> f64 {
    let keys: &[SpeedKey] = &settings.speeds;
    let next = keys.partition_point(|key| key.time <= t);
    match (next.checked_sub(1).map(|before| keys[before]), keys.get(next)) {
        (None, None) => settings.speed_m_s,
        (Some(key), None) => key.speed,
        (None, Some(key)) => key.speed,
        (Some(from), Some(to)) => {
            from.speed + (to.speed - from.speed) * smoothstep((t - from.time) / (to.time - from.time))
        }
    }
}

fn activity_at(settings: &GaitSettings, t: f64, cycle_secs: &impl Fn(f64) -> f64) -> f64 {
    let mut activity = 1.0;
    if settings.is_from_rest {
        let needed = START_CYCLES * cycle_secs(speed_at(settings, 0.0));
        activity *= ramp(t, STAND_SECS, STAND_SECS + needed);
    }
    if settings.is_to_rest {
        let needed = START_CYCLES * cycle_secs(speed_at(settings, settings.seconds));
        let end = settings.seconds - STAND_SECS;
        activity *= 1.0 - ramp(t, end - needed, end);
    }
    activity
}
