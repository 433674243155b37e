//! How much memory something takes, and how often it asks for some.
#![expect(unsafe_code, reason = "only a global allocator sees what memory is asked for")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The system's allocator, which also counts the bytes that are taken and how often some were asked for. A test makes it its `#[global_allocator]`.
#[derive(Debug)]
pub struct CountingAllocator;

static TAKEN: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static ASKED: AtomicUsize = AtomicUsize::new(0);

/// Held while something is measured: the counts are of the whole process.
static MEASURING: Mutex<()> = Mutex::new(());

/// Held by a test that is measured; the others of its program wait for the end of it.
static ALONE: Mutex<()> = Mutex::new(());

/// Waits for the other tests of this program that ask for this, and keeps them waiting.
pub fn alone() -> MutexGuard<'static, ()> {
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs `work`, and says how many bytes it took at most beside those that were taken before; without a [`CountingAllocator`] none.
/// One measurement waits for another; work that is not measured may not run meanwhile.
pub fn measure_peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let _alone = MEASURING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let before = TAKEN.load(Relaxed);
    PEAK.store(before, Relaxed);
    let result = work();
    (result, PEAK.load(Relaxed).saturating_sub(before))
}

/// Runs `work`, and says how often it asked for memory, on any thread. Waits as [`measure_peak`] does.
///
/// # Panics
/// Without a [`CountingAllocator`], which would find that nothing asks for memory.
pub fn count_allocations(work: impl FnOnce()) -> usize {
    let _alone = MEASURING.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let at_first = ASKED.load(Relaxed);
    drop(std::hint::black_box(Box::new(0u8)));
    let before = ASKED.load(Relaxed);
    assert!(before > at_first, "the test has no CountingAllocator");
    work();
    ASKED.load(Relaxed) - before
}

// SAFETY: every call goes to the system's allocator unchanged; counting takes no memory and cannot fail.
unsafe impl GlobalAlloc for CountingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: the caller keeps the contract, which is the system allocator's own.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        TAKEN.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Old and new may both be there while the system copies.
        count(size);
        TAKEN.fetch_sub(layout.size(), Relaxed);
        // SAFETY: as above.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn count(size: usize) {
    ASKED.fetch_add(1, Relaxed);
    let taken = TAKEN.fetch_add(size, Relaxed) + size;
    PEAK.fetch_max(taken, Relaxed);
}
