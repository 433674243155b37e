//! `sinew motion`.

use super::open;
use crate::args::Motion;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, Report};
use sinew::motion::{
    BakeSettings, Gait, GaitKind, GaitSettings, Mover, Personality, humanoid_map, map_from_toml, map_to_toml,
    standard_body, with_clip,
};
use std::path::Path;

pub(crate) fn motion(options: &Motion, limits: &Limits, talk: &Talk) -> Result<()> {
    if options.motion == "map" {
        return map(options, limits, talk);
    }
    let mut report = Report::default();
    let mover = mover(options, limits, &mut report)?;
    talk.say(&mover.describe());
    let settings = gait_settings(options, GaitKind::Auto);
    let gait = Gait::new(&mover.humanoid, &settings)?;
    let clip = gait.to_clip(&BakeSettings { fps: options.fps, is_in_place: options.in_place });
    let model = with_clip(mover.model, clip)?;
    model.save(&options.output, &mut report)?;
    talk.report(&options.output, &report);
    Ok(())
}

fn mover(options: &Motion, limits: &Limits, report: &mut Report) -> Result<Mover> {
    let model = match &options.character {
        Some(path) => open(path, limits, report)?,
        None => standard_body()?,
    };
    let map = options.map.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        map_from_toml(&text, &model.character).with_context(|| path.display().to_string())
    });
    let map = map.transpose()?;
    let place = options.character.as_deref().unwrap_or(Path::new("Sinew's body"));
    Mover::new(model, map, report).with_context(|| place.display().to_string())
}

fn gait_settings(options: &Motion, _kind: GaitKind) -> GaitSettings {
    let base = match options.motion.as_str() {
        "walk" => GaitSettings::walk(),
        "run" => GaitSettings::run(),
        _ => GaitSettings::default(),
    };
    GaitSettings {
        speed_m_s: options.speed.unwrap_or(base.speed_m_s),
        seconds: options.seconds.unwrap_or(base.seconds),
        is_from_rest: options.from_rest,
        is_to_rest: options.to_rest,
        personality: Personality {
            step_length_m: options.step_length,
            stoop_deg: options.stoop,
            arm_swing: options.arm_swing,
            hip_sway: options.hip_sway,
            stride_width: options.stride_width,
            bounce: options.bounce,
            age_years: options.age,
            variation: options.variation,
        },
        seed: options.seed,
        ..base
    }
}

/// Writes which bones were found.
fn map(options: &Motion, limits: &Limits, talk: &Talk) -> Result<()> {
    let Some(input) = &options.input else { bail!("give a model: sinew motion map IN -o map.toml") };
    let mut report = Report::default();
    let model = open(input, limits, &mut report)?;
    let (map, _) = humanoid_map(&model, &mut report);
    talk.report(input, &report);
    let mut file = sinew::io::PendingFile::create(&options.output)?;
    file.write_bytes(map_to_toml(&model.character, &map).as_bytes())?;
    file.commit()?;
    let missing: Vec<&str> = map.missing().iter().map(|bone| bone.name()).collect();
    if !missing.is_empty() {
        talk.say(&format!("not found: {}", missing.join(", ")));
    }
    talk.say(&format!("wrote {}", options.output.display()));
    Ok(())
}
