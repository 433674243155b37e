//! Which option mends what a job on flesh complains of.

use anyhow::{Error, anyhow};
use sinew::flesh::FleshRigError;
use sinew::scene::flesh::FleshJobError;
use sinew::scene::flesh::tune::{ExamplesError, TuneError};

/// The error with what to do about it on the command line. Errors of other jobs come out bare: what helps there is known elsewhere.
pub(super) fn hinted(error: FleshJobError) -> Error {
    match error {
        FleshJobError::At { place, source } => hinted(*source).context(place),
        FleshJobError::Paint { text, source } => hinted(*source).context(format!("--paint {text}")),
        FleshJobError::Open(error) => error.into(),
        FleshJobError::Motion(error) => error.into(),
        FleshJobError::Output(error) => error.into(),
        error => match hint(&error) {
            Some(text) => anyhow!(text),
            None => error.into(),
        },
    }
}

fn hint(error: &FleshJobError) -> Option<String> {
    Some(match error {
        FleshJobError::NoClip => format!("{error}; use --motion walk, run, jump or a file"),
        FleshJobError::WhichClip { names } => which_clip(names),
        FleshJobError::Tune(TuneError::Rig(FleshRigError::Interrupted(_))) => {
            format!("{error} before the first run was done")
        }
        FleshJobError::Tune(TuneError::PaintedLayers(_)) => {
            format!("{error}; leave layers out with --only stiffness,damping,beta,fibres")
        }
        FleshJobError::Tune(TuneError::Examples(ExamplesError::FrameCount { .. })) => {
            format!("{error}; say with --fps how fast they were recorded, and with --loop and --speed how")
        }
        FleshJobError::Tune(TuneError::Examples(ExamplesError::NoFollowThrough { .. })) => {
            format!("{error}; were they recorded with flesh, and with the same --method?")
        }
        _ => return None,
    })
}

/// What to do where nothing says which motion is meant.
fn which_clip(names: &[String]) -> String {
    const MOST_NAMED: usize = 30;
    let count = names.len();
    let more = if count > MOST_NAMED { format!(" and {} more", count - MOST_NAMED) } else { String::new() };
    let named = names[..count.min(MOST_NAMED)].join(", ");
    format!("which motion? Use --motion walk, run, jump or a file, or --clip with one of {named}{more}")
}
