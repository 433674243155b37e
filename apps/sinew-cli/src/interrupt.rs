//! Ctrl-C: the job stops between two frames, so that temporary files are taken away.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Starts to listen. A second Ctrl-C ends the program at once.
pub(crate) fn watch() {
    // Without a handler Ctrl-C still ends the program; only the tidying up is lost.
    let _ = ctrlc::set_handler(|| {
        if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(130);
        }
    });
}

/// Whether the user wants out.
pub(crate) fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::SeqCst)
}

/// As a job's progress wants to know it.
pub(crate) fn flow() -> ControlFlow<()> {
    if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
