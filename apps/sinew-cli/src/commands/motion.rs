//! `sinew motion`.

use super::{open, warnings_json};
use crate::args::Motion;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, Report};
use sinew::model::motion::{
    Mover, PathFile, humanoid_map, load_motion, map_from_toml, map_to_toml, save_motion,
};
use sinew::motion::{
    BakeSettings, Gait, GaitSettings, GroundPath, Jump, JumpSettings, Personality, RetargetSettings,
};
use sinew::rig::{Clip, HumanoidBone};
use sinew::scene::body::standard_body;
use std::path::Path;

pub(crate) fn motion(options: &Motion, limits: &Limits, talk: &Talk) -> Result<()> {
    if options.motion == "map" {
        return map(options, limits, talk);
    }
    if let Some(input) = &options.input {
        bail!("{}: a model is given with --character", input.display());
    }
    let mut report = Report::default();
    let mover = mover(options, limits, &mut report)?;
    talk.say(&mover.describe());
    let clip = clip(options, &mover, limits, &mut report)?;
    talk.report(options.character.as_deref().unwrap_or(Path::new(&options.motion)), &report);
    let (seconds, tracks) = (clip.duration_secs(), clip.tracks.len());
    let (hips_m, described) = (mover.humanoid.hip_height_m(), mover.describe());
    let mut losses = Report::default();
    save_motion(mover.model, clip, options.fps.unwrap_or(60.0), &options.output, &mut losses)
        .with_context(|| options.output.display().to_string())?;
    talk.report(&options.output, &losses);
    talk.say(&format!("wrote {}: {seconds:.2} s, {tracks} tracks", options.output.display()));
    if options.is_json {
        let told = serde_json::json!({
            "output": options.output.display().to_string(),
            "seconds": seconds,
            "tracks": tracks,
            "hip_height_m": hips_m,
            "character": described,
            "warnings": warnings_json(&report),
            "losses": warnings_json(&losses),
        });
        println!("{told:#}");
    }
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

fn clip(options: &Motion, mover: &Mover, limits: &Limits, report: &mut Report) -> Result<Clip> {
    let bake = BakeSettings { fps: options.fps.unwrap_or(60.0), is_in_place: options.in_place };
    match options.motion.as_str() {
        "walk" | "run" | "gait" => {
            let gait = Gait::new(&mover.humanoid, &gait_settings(options)?)?;
            let fps = options.fps.unwrap_or_else(|| gait.natural_fps());
            Ok(gait.to_clip(&BakeSettings { fps, ..bake }))
        }
        "jump" => {
            let settings = JumpSettings {
                height_m: options.height,
                crouch: options.crouch,
                landing: options.landing,
                ..JumpSettings::default()
            };
            // Feet leave the ground fast: at 60 keys splines would dip below it.
            let bake = BakeSettings { fps: options.fps.unwrap_or(120.0), ..bake };
            Ok(Jump::new(&mover.humanoid, &settings)?.to_clip(&bake))
        }
        file => {
            let settings = RetargetSettings {
                fps: bake.fps,
                is_in_place: options.in_place,
                ..RetargetSettings::default()
            };
            let path = Path::new(file);
            let loaded =
                load_motion(path, (&mover.model.character, &mover.humanoid), &settings, limits, report);
            Ok(loaded.with_context(|| path.display().to_string())?)
        }
    }
}

fn gait_settings(options: &Motion) -> Result<GaitSettings> {
    let base = match options.motion.as_str() {
        "walk" => GaitSettings::walk(),
        "run" => GaitSettings::run(),
        _ => GaitSettings::default(),
    };
    let speed_m_s = options.speed.unwrap_or(base.speed_m_s);
    let path = options.path.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        PathFile::parse(&text).with_context(|| path.display().to_string())
    });
    let path = path.transpose()?.unwrap_or_default();
    // What the whole way takes, where one is given.
    let needed = match path.points.is_empty() || speed_m_s <= 0.0 {
        true => base.seconds,
        false => GroundPath::through(&path.points)?.length_m() / speed_m_s,
    };
    let last_change = path.speeds.last().map_or(0.0, |key| key.time + 1.0);
    Ok(GaitSettings {
        speed_m_s,
        speeds: path.speeds,
        path: path.points,
        seconds: options.seconds.unwrap_or(needed.max(last_change)),
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
    })
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
    let missing: Vec<&str> = map.missing().into_iter().map(HumanoidBone::name).collect();
    talk.say(&format!("{} bones of a human found", map.iter().count()));
    if !missing.is_empty() {
        talk.say(&format!("not found, and needed: {}", missing.join(", ")));
    }
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let found: serde_json::Map<_, _> = map
            .iter()
            .map(|(bone, id)| {
                (bone.name().to_owned(), model.character.skeleton().bone(id).name.clone().into())
            })
            .collect();
        println!("{:#}", serde_json::json!({ "bones": found, "missing": missing }));
    }
    Ok(())
}
