//! Draws the frames that are missing, several at once.
//!
//! Frames do not depend on each other, so that threads share nothing but the number of the next frame: each has its artist and a rayon
//! pool of its own, mostly of one thread. Pictures do not depend on the size of the pool.

use super::artist::{Artist, FilmSet};
use super::store::FrameStore;
use crate::SceneError;
use sinew_geometry::progress::Progress;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Artists at work at once; each needs memory for a picture's samples, and more threads go into each picture.
const MOST_ARTISTS: usize = 16;

/// Draws all frames of a range that the store does not have, on as many threads as the current rayon pool has, and returns how many
/// were drawn. Progress is told from any thread after each frame; where it stops, all finished frames are kept.
///
/// # Errors
/// Frames outside the film, a frame that cannot be drawn or kept, or [`SceneError::Interrupted`].
pub fn shoot(
    set: &FilmSet,
    frames: Range<usize>,
    store: &FrameStore,
    progress: &Progress<'_>,
) -> Result<usize, SceneError> {
    let count = set.film.frame_count();
    if frames.is_empty() || frames.end > count {
        return Err(SceneError::Frames { start: frames.start, end: frames.end, count });
    }
    let total = frames.len();
    let missing: Vec<usize> = frames.filter(|frame| !store.has(*frame)).collect();
    let thread_count = rayon::current_num_threads();
    let artist_count = missing.len().clamp(1, thread_count.min(MOST_ARTISTS));
    let work = Work {
        set,
        store,
        missing: &missing,
        next: AtomicUsize::new(0),
        done: AtomicUsize::new(total - missing.len()),
        total,
        is_stopped: AtomicBool::new(false),
        failure: Mutex::new(None),
        progress,
    };
    progress.step(total - missing.len(), total)?;
    std::thread::scope(|scope| {
        for artist in 0..artist_count {
            // What does not divide evenly goes to the first.
            let threads = thread_count / artist_count + usize::from(artist < thread_count % artist_count);
            let work = &work;
            scope.spawn(move || work.run(threads.max(1)));
        }
    });
    match work.failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(missing.len()),
    }
}

struct Work<'a> {
    set: &'a FilmSet,
    store: &'a FrameStore,
    missing: &'a [usize],
    next: AtomicUsize,
    done: AtomicUsize,
    total: usize,
    is_stopped: AtomicBool,
    failure: Mutex<Option<SceneError>>,
    progress: &'a Progress<'a>,
}

impl Work<'_> {
    fn run(&self, threads: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let done = match pool {
            Ok(pool) => pool.install(|| self.draw_all()),
            Err(error) => Err(SceneError::Threads { message: error.to_string() }),
        };
        if let Err(error) = done {
            self.is_stopped.store(true, Ordering::SeqCst);
            let mut failure = self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }

    fn draw_all(&self) -> Result<(), SceneError> {
        let mut artist = Artist::new(self.set);
        while !self.is_stopped.load(Ordering::SeqCst) {
            let Some(&frame) = self.missing.get(self.next.fetch_add(1, Ordering::SeqCst)) else {
                return Ok(());
            };
            let image = artist.draw(frame)?;
            self.store.keep(frame, &image)?;
            let done = 1 + self.done.fetch_add(1, Ordering::SeqCst);
            self.progress.step(done, self.total)?;
        }
        Ok(())
    }
}
