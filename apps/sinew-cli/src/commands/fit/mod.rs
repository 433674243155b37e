//! `sinew fit`.

pub(crate) mod args;
mod character;
mod corrected;
mod exchange;
mod settings;
mod suggest;

use crate::args::Fit as Options;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result, ensure};
use sinew::io::{Limits, OutputError, PendingFile};
use std::path::Path;
use std::time::Instant;

pub(crate) fn fit(options: &Options, limits: &Limits, talk: &Talk) -> Result<()> {
    if let Some(output) = &options.output {
        check_output(output, options.input.is_some() || options.from.is_some())?;
    }
    check_correctives(options)?;
    let begin = Instant::now();
    let mut told = match (&options.input, &options.examples, options.from.as_deref()) {
        (None, _, Some("body")) => character::fit_body(options, limits, talk)?,
        (Some(input), _, Some("body")) => anyhow::bail!(
            "{}: --from body is Sinew's own human and takes no model; leave it out, or name a skinning method",
            input.display()
        ),
        (None, Some(folder), _) => {
            check_of_model(options)?;
            exchange::fit(options, folder, limits, talk)?
        }
        (Some(input), _, _) => character::fit(options, input, limits, talk)?,
        (None, None, Some(source)) => {
            anyhow::bail!("--from {source} needs a model; only --from body has its own")
        }
        (None, None, None) => anyhow::bail!("name a model, or --examples"),
    };
    told["seconds"] = begin.elapsed().as_secs_f64().into();
    if let Some(output) = &options.output {
        told["output"] = output.display().to_string().into();
        talk.wrote(output);
    }
    if options.is_json {
        print_json(&told)?;
    }
    Ok(())
}

/// A name that cannot be written to is refused before anything is fitted.
fn check_output(path: &Path, has_model: bool) -> Result<()> {
    let extension = sinew::model::extension_of(path);
    let known = matches!(extension.as_str(), "json" | "glb" | "gltf" | "vrm");
    ensure!(
        known,
        "{}: cannot write a rig as {extension:?}; known are .glb, .gltf, .vrm and .json",
        path.display()
    );
    ensure!(has_model || extension != "vrm", "{}: a folder of arrays is no VRM; use .glb", path.display());
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        let (path, folder) = (path.to_path_buf(), folder.to_path_buf());
        return Err(OutputError::MissingFolder { path, folder }.into());
    }
    Ok(())
}

/// What names joints and clips needs a model that has them.
fn check_of_model(options: &Options) -> Result<()> {
    let given = [
        ("--joints", &options.samples.joints),
        ("--lock-bones", &options.rig.lock_bones),
        ("--clip", &options.clips),
        ("--held-out-clip", &options.held_out_clips),
    ];
    match given.iter().find(|(_, names)| !names.is_empty()) {
        Some((option, _)) => {
            anyhow::bail!("{option} names what a model has; a folder of arrays has no names")
        }
        None => Ok(()),
    }
}

/// Correctives follow what helpers follow, and only a model can hold them.
fn check_correctives(options: &Options) -> Result<()> {
    if options.rig.correctives == 0 {
        return Ok(());
    }
    ensure!(
        options.rig.helpers > 0,
        "--correctives follow the bones that helpers follow; ask for at least one of --helpers"
    );
    let is_json = options.output.as_ref().is_some_and(|output| sinew::model::extension_of(output) == "json");
    ensure!(
        !is_json,
        "--correctives are morphs of a model, which .json cannot hold; use .glb, .gltf or .vrm"
    );
    Ok(())
}

/// Writes JSON, whole or not at all.
fn write_json(path: &Path, json: &serde_json::Value) -> Result<()> {
    let mut file = PendingFile::create(path)?;
    file.write_bytes(serde_json::to_string(json)?.as_bytes())?;
    file.commit().with_context(|| path.display().to_string())
}
