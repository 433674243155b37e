//! `sinew flesh init`.

use super::hints::hinted;
use crate::args::FleshInit;
use crate::talk::Talk;
use anyhow::Result;
use sinew::io::{Limits, Report};
use sinew::scene::flesh::{FleshInitRequest, FleshSource, init_flesh};

pub(super) fn init(options: &FleshInit, limits: &Limits, talk: &Talk) -> Result<()> {
    let (model, output) = (options.input.clone(), options.output.clone());
    let mut report = Report::default();
    let request = FleshInitRequest { model: model.clone(), preset: options.preset, output };
    let done = init_flesh(&request, limits, &mut report);
    talk.report(FleshSource { model, ..FleshSource::default() }.place(), &report);
    done.map_err(hinted)?;
    talk.say(&format!("wrote {}: edit it and give it with --config", options.output.display()));
    Ok(())
}
