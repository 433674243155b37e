//! Draws the frames that are missing, several at once.
//!
//! Frames do not depend on each other, so that threads share nothing but the number of the next frame: each has its artist and a rayon
//! pool of its own, mostly of one thread. Pictures do not depend on the size of the pool.

use super::artist::{Artist, FilmSet};
use super::error::FilmError;
use super::store::FrameStore;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// How far a film is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Frames that are done, those found included.
    pub done: usize,
    /// All that are wanted.
    pub total: usize,
}

/// Artists at work at once; each needs memory for a picture's samples, and more threads go into each picture.
const MOST_ARTISTS: usize = 16;

/// Draws all frames of a range that the store does not have, on as many threads as the current rayon pool has, and returns how many
/// were drawn. `on_progress` is called from any thread after each frame; `false` stops the work, with all finished frames kept.
///
/// # Errors
/// Frames outside the film, a frame that cannot be drawn or kept, or [`FilmError::Interrupted`].
pub fn shoot(
    set: &FilmSet<'_>,
    frames: Range<usize>,
    store: &FrameStore,
    on_progress: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<usize, FilmError> {
    if frames.is_empty() || frames.end > set.film.frame_count() {
        return Err(FilmError::Frames {
            start: frames.start,
            end: frames.end,
            count: set.film.frame_count(),
        });
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
        on_progress,
    };
    if !on_progress(Progress { done: total - missing.len(), total }) {
        return Err(FilmError::Interrupted);
    }
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
    set: &'a FilmSet<'a>,
    store: &'a FrameStore,
    missing: &'a [usize],
    next: AtomicUsize,
    done: AtomicUsize,
    total: usize,
    is_stopped: AtomicBool,
    failure: Mutex<Option<FilmError>>,
    on_progress: &'a (dyn Fn(Progress) -> bool + Sync),
}

impl Work<'_> {
    fn run(&self, threads: usize) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let done = match pool {
            Ok(pool) => pool.install(|| self.draw_all()),
            Err(error) => Err(FilmError::Threads { message: error.to_string() }),
        };
        if let Err(error) = done {
            self.is_stopped.store(true, Ordering::SeqCst);
            let mut failure = self.failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            failure.get_or_insert(error);
        }
    }

    fn draw_all(&self) -> Result<(), FilmError> {
        let mut artist = Artist::new(self.set);
        while !self.is_stopped.load(Ordering::SeqCst) {
            let Some(&frame) = self.missing.get(self.next.fetch_add(1, Ordering::SeqCst)) else {
                return Ok(());
            };
            let image = artist.draw(frame)?;
            self.store.keep(frame, &image)?;
            let done = 1 + self.done.fetch_add(1, Ordering::SeqCst);
            if !(self.on_progress)(Progress { done, total: self.total }) {
                return Err(FilmError::Interrupted);
            }
        }
        Ok(())
    }
}
