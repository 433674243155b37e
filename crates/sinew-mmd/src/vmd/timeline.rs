//! Frames and seconds.

/// Frames per second.
pub(super) const FRAMES_PER_SECOND: f64 = 30.0;

/// The time of a frame.
pub(super) fn secs_of_frame(frame: u32) -> f64 {
    f64::from(frame) / FRAMES_PER_SECOND
}

/// Sorts keys by frame; of several at one frame the last wins.
pub(super) fn sort_last_wins<K>(keys: &mut Vec<K>, frame_of: impl Fn(&K) -> u32) {
    keys.sort_by_key(|key| frame_of(key));
    // `dedup` keeps the first of each run, hence the reversal.
    keys.reverse();
    keys.dedup_by_key(|key| frame_of(key));
    keys.reverse();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_equal_frames_stays() {
        let mut keys = vec![(5, 'a'), (1, 'b'), (5, 'c'), (0, 'd'), (5, 'e')];
        sort_last_wins(&mut keys, |key| key.0);
        assert_eq!(keys, [(0, 'd'), (1, 'b'), (5, 'e')]);
    }

    #[test]
    fn every_frame_has_a_time_of_its_own() {
        for frame in (0..100).chain(9_000_000..9_000_100).chain(u32::MAX - 100..u32::MAX) {
            assert!(secs_of_frame(frame) < secs_of_frame(frame + 1), "{frame}");
        }
    }
}
