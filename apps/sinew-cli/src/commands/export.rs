//! `sinew export`.

use super::{open, warnings_json};
use crate::args::{Export, ExportControllers, ExportWhat};
use crate::talk::Talk;
use anyhow::{Context, Result, anyhow};
use sinew::helpers::scripts::{ScriptError, save_script};
use sinew::io::{Limits, Report};

pub(crate) fn export(options: &Export, limits: &Limits, talk: &Talk) -> Result<()> {
    match &options.what {
        ExportWhat::Controllers(options) => controllers(options, limits, talk),
    }
}

fn controllers(options: &ExportControllers, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let model = open(&options.input, limits, &mut report)?;
    talk.report(&options.input, &report);
    let saved = save_script(&model.character, options.program.into(), &options.output);
    // What is wrong with the model is said of the model.
    let place = match &saved {
        Err(ScriptError::NoControllers | ScriptError::Name { .. }) => &options.input,
        _ => &options.output,
    };
    let saved = saved.map_err(with_options).with_context(|| place.display().to_string())?;
    talk.say(&format!("wrote {}", saved.outputs.join(" and ")));
    if options.is_json {
        let mut told = serde_json::to_value(&saved)?;
        told["warnings"] = warnings_json(&report);
        println!("{told:#}");
    }
    Ok(())
}

/// The error with the command and options that help.
fn with_options(error: ScriptError) -> anyhow::Error {
    let hint = match &error {
        ScriptError::NoControllers => "; sinew fit makes some",
        ScriptError::TooManyDrivers { .. } => "; fit with a larger --lambda or fewer driving bones",
        _ => return error.into(),
    };
    anyhow!("{error}{hint}")
}
