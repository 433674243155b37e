//! `sinew flesh`.

pub(crate) mod args;
mod hints;
mod play;
mod tune;

use super::skin_choice;
use crate::args::{Flesh, FleshAction, FleshInit, FleshSource as Options};
use crate::talk::Talk;
use anyhow::Result;
use sinew::io::{Limits, Report};
use sinew::play::patches::SkinMethod;
use sinew::scene::flesh::{FleshInitRequest, FleshSource, init_flesh};

pub(crate) fn flesh(options: &Flesh, limits: &Limits, talk: &Talk) -> Result<()> {
    match &options.action {
        Some(FleshAction::Init(options)) => init(options, limits, talk),
        Some(FleshAction::Tune(options)) => tune::tune(options, limits, talk),
        None => play::play(&options.play, limits, talk),
    }
}

/// `sinew flesh init`.
fn init(options: &FleshInit, limits: &Limits, talk: &Talk) -> Result<()> {
    let (model, output) = (options.input.clone(), options.output.clone());
    let mut report = Report::default();
    let request = FleshInitRequest { model: model.clone(), preset: options.preset, output };
    let done = init_flesh(&request, limits, &mut report);
    talk.report(FleshSource { model, ..FleshSource::default() }.place(), &report);
    done.map_err(hints::hinted)?;
    talk.say(&format!("wrote {}: edit it and give it with --config", options.output.display()));
    Ok(())
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
        patches: options.skin.method.and_then(SkinMethod::patches),
        ..FleshSource::default()
    })
}
