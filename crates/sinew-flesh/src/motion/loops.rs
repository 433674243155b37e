//! Motions that repeat.

use glam::Vec3;

/// Makes frames end where they begin: what is missing at the end is spread over all of them. `after` is the frame after the last, which
/// should be the first. Tells how much was missing at most, meters.
pub fn close_loop(frames: &mut [Vec<Vec3>], after: &[Vec3]) -> f32 {
    let Some(first) = frames.first() else { return 0.0 };
    let missing: Vec<Vec3> = first.iter().zip(after).map(|(first, after)| *first - *after).collect();
    let count = frames.len() as f32;
    for (frame, deviations) in frames.iter_mut().enumerate() {
        let share = frame as f32 / count;
        deviations.iter_mut().zip(&missing).for_each(|(deviation, missing)| *deviation += *missing * share);
    }
    missing.iter().map(|missing| missing.length()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_spread() {
        let mut frames: Vec<Vec<Vec3>> = (0..4).map(|at| vec![Vec3::X * at as f32]).collect();
        assert_eq!(close_loop(&mut frames, &[Vec3::X * 4.0]), 4.0);
        assert!(frames.iter().all(|frame| frame[0].length() < 1e-6), "{frames:?}");
        assert_eq!(close_loop(&mut [], &[]), 0.0);
    }
}
