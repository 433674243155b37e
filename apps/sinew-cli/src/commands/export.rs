//! `sinew export`.

use super::{open, warnings_json};
use crate::args::{Export, ExportControllers, ExportWhat};
use crate::talk::Talk;
use anyhow::{Context, Result};
use sinew::helpers::scripts::{SaveScriptError, SheetError, save_script};
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
        Err(SaveScriptError::Sheet(SheetError::NoControllers | SheetError::Name { .. })) => &options.input,
        _ => &options.output,
    };
    let files = saved.with_context(|| place.display().to_string())?;
    let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    talk.say(&format!("wrote {}", names.join(" and ")));
    if options.is_json {
        let controllers = model.character.controllers();
        let told = serde_json::json!({
            "outputs": names,
            "helpers": controllers.helpers.len(),
            "correctives": controllers.morphs.len(),
            "coefficients": controllers.coefficient_count(),
            "warnings": warnings_json(&report),
        });
        println!("{told:#}");
    }
    Ok(())
}
