//! The cubic from 0 to 1 that is level at both ends.

/// 3t² − 2t³; 0 below 0 and 1 above 1.
pub fn smooth_step(t: f32) -> f32 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// [`smooth_step`] in double precision.
pub fn smooth_step_f64(t: f64) -> f64 {
    let t = t.clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// [`smooth_step`] from 0 at `from` to 1 at `to`, which may be the smaller one.
pub fn smooth_step_between(from: f32, to: f32, value: f32) -> f32 {
    smooth_step((value - from) / (to - from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_level_outside_and_even_about_the_middle() {
        assert_eq!([-1.0, 0.0, 0.5, 1.0, 9.0].map(smooth_step), [0.0, 0.0, 0.5, 1.0, 1.0]);
        assert_eq!([-1.0, 0.25, 9.0].map(smooth_step_f64), [0.0, 0.15625, 1.0]);
        assert_eq!(smooth_step_between(4.0, 2.0, 3.5), 0.15625);
    }
}
