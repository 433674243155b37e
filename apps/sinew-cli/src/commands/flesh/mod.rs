//! `sinew flesh`.

pub(crate) mod args;
mod hints;
mod init;
mod play;
mod tune;

use super::skin_choice;
use crate::args::{Flesh, FleshAction, FleshSource as Options};
use crate::talk::Talk;
use anyhow::Result;
use sinew::io::Limits;
use sinew::scene::flesh::FleshSource;

pub(crate) fn flesh(options: &Flesh, limits: &Limits, talk: &Talk) -> Result<()> {
    match &options.action {
        Some(FleshAction::Init(options)) => init::init(options, limits, talk),
        Some(FleshAction::Tune(options)) => tune::tune(options, limits, talk),
        None => play::play(&options.play, limits, talk),
    }
}

/// What the options that commands share mean.
fn source(options: &Options) -> Result<FleshSource> {
    Ok(FleshSource {
        model: options.input.clone(),
        clip: options.clip.clone(),
        motion: options.motion.clone(),
        path: options.path.clone(),
        config: options.config.clone(),
        preset: options.preset.unwrap_or_default(),
        paints: options.paint.clone(),
        fps: options.fps,
        skin: skin_choice(&options.skin)?,
        ..FleshSource::default()
    })
}
