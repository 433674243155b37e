//! `sinew flesh`.

pub(crate) mod args;
mod init;
mod play;
mod source;
mod tune;

use crate::args::{Flesh, FleshAction};
use crate::talk::Talk;
use anyhow::Result;
use sinew::io::Limits;

pub(crate) fn flesh(options: &Flesh, limits: &Limits, talk: &Talk) -> Result<()> {
    match &options.action {
        Some(FleshAction::Init(options)) => init::init(options, limits, talk),
        Some(FleshAction::Tune(options)) => tune::tune(options, limits, talk),
        None => play::play(&options.play, limits, talk),
    }
}
