//! How long work takes: time of the processor where one thread does all of it, so that a busy machine does not count; else time.

use serde::Serialize;
use std::time::{Duration, Instant};

/// What a clock shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ClockKind {
    /// Time of the processor that the calling thread took.
    Processor,
    /// Time that went by.
    #[default]
    Wall,
}

impl ClockKind {
    /// The clock for work that is done on the current pool: called on one of its threads.
    pub(super) fn for_pool() -> Self {
        let is_alone = rayon::current_num_threads() == 1 && rayon::current_thread_index().is_some();
        if is_alone && thread_time().is_some() { Self::Processor } else { Self::Wall }
    }

    /// Milliseconds that a piece of work took.
    pub(super) fn measure<T>(self, work: impl FnOnce() -> T) -> (T, f64) {
        let (start, start_of_thread) = (Instant::now(), thread_time());
        let done = work();
        let taken = match (self, start_of_thread, thread_time()) {
            (Self::Processor, Some(start), Some(end)) => end.saturating_sub(start),
            _ => start.elapsed(),
        };
        (done, 1e3 * taken.as_secs_f64())
    }
}

/// Time of the processor that this thread has had.
#[cfg(unix)]
fn thread_time() -> Option<Duration> {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Some(Duration::new(u64::try_from(time.tv_sec).ok()?, u32::try_from(time.tv_nsec).ok()?))
}

/// Where it is not known, time that goes by is measured.
#[cfg(not(unix))]
fn thread_time() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn sleep_is_no_work() {
        let nap = || std::thread::sleep(Duration::from_millis(30));
        assert!(ClockKind::Processor.measure(nap).1 < 20.0);
        assert!(ClockKind::Wall.measure(nap).1 >= 30.0);
    }
}
