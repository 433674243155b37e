//! `sinew bake`: `sinew fit` over clips, with few words.

use crate::args::{Bake, Fit};
use crate::talk::Talk;
use anyhow::Result;
use clap::{Args, FromArgMatches};
use sinew::io::Limits;
use std::ffi::OsString;

pub(crate) fn bake(options: &Bake, limits: &Limits, talk: &Talk) -> Result<()> {
    super::fit(&as_fit(options)?, limits, talk)
}

/// The same as options of `sinew fit`, whose defaults hold for all that is not said.
fn as_fit(options: &Bake) -> Result<Fit> {
    let mut words: Vec<OsString> = vec!["fit".into(), options.input.clone().into()];
    let mut say = |name: &str, value: OsString| words.extend([name.into(), value]);
    say("--from", options.from.clone().into());
    say("--helpers", options.helpers.to_string().into());
    say("--joint-helpers", "4".into());
    say("--fps", options.fps.to_string().into());
    say("-o", options.output.clone().into());
    options.clips.iter().for_each(|clip| say("--clip", clip.clone().into()));
    if options.is_json {
        words.push("--json".into());
    }
    let matches = Fit::augment_args(clap::Command::new("fit")).try_get_matches_from(words)?;
    Ok(Fit::from_arg_matches(&matches)?)
}
