//! Frames and seconds.

/// Frames a second.
pub(super) const FRAMES_PER_SECOND: f64 = 30.0;

/// The time of a frame.
pub(super) fn secs_of_frame(frame: u32) -> f32 {
    (f64::from(frame) / FRAMES_PER_SECOND) as f32
}

/// Sorts keys by frame; of several at one frame the last stays.
pub(super) fn sort_last_wins<K>(keys: &mut Vec<K>, frame_of: impl Fn(&K) -> u32) {
    keys.sort_by_key(|key| frame_of(key));
    keep_last_of_equal(keys, |key| frame_of(key));
}

/// Takes out keys whose frame has the same time as a later one's: from 2¹⁹ frames on, a time of 32 bits cannot tell neighbors apart.
/// The keys ascend. Returns how many were taken out.
pub(super) fn merge_same_times<K>(keys: &mut Vec<K>, frame_of: impl Fn(&K) -> u32) -> usize {
    let count = keys.len();
    keep_last_of_equal(keys, |key| secs_of_frame(frame_of(key)).to_bits());
    count - keys.len()
}

/// Of neighbors with the same value of `part` the last stays.
fn keep_last_of_equal<K>(keys: &mut Vec<K>, part: impl Fn(&K) -> u32) {
    // `dedup` keeps the first of each run, so the run is looked at from its end.
    keys.reverse();
    keys.dedup_by_key(|key| part(key));
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
    fn times_ascend_after_merging_up_to_the_last_frame() {
        let mut frames: Vec<u32> =
            (0..100).chain(9_000_000..9_000_100).chain([u32::MAX - 1, u32::MAX]).collect();
        let dropped = merge_same_times(&mut frames, |&frame| frame);
        assert!(dropped > 0 && frames[..100] == Vec::from_iter(0..100), "{dropped}");
        assert_eq!(frames.last(), Some(&u32::MAX));
        let times: Vec<f32> = frames.iter().map(|&frame| secs_of_frame(frame)).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
    }
}
