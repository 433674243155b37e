//! `sinew motion`.

use super::{open, parsed, print_outcome};
use crate::args::NameOptions;
use crate::args::parse::{parse_key_rate, parse_number};
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::model::motion::{
    MotionChoice, MotionLoadError, MotionOver, Mover, Quadruped, humanoid_map, humanoid_of, map_from_toml,
    map_to_toml,
};
use sinew::model::{Model, write_file};
use sinew::motion::{JumpSettings, Personality};
use sinew::play::motion_choice;
use sinew::rig::HumanoidBone;
use sinew::scene::body::standard_body;
use std::path::{Path, PathBuf};

/// `sinew motion`.
#[derive(Args, Debug)]
#[command(after_help = "\
Without --character it is Sinew's own body that moves. Which bone is which is guessed by names, or read from a VRM file; `sinew motion map`
writes the guess for you to edit.

Examples:
  sinew motion walk --speed 1.4 --seconds 4 -o walk.glb
  sinew motion walk --character hero.glb --from-rest --to-rest --stoop 20 -o hero-walk.glb
  sinew motion run --speed 4 --in-place -o run.bvh
  sinew motion jump --height 0.4 -o jump.glb
  sinew motion gait --path path.toml -o gait.glb       walks and runs: points and speeds of the way
  sinew motion wave.toml -o wave.glb                   key frames
  sinew motion walk --to-rest --then sit --then rise --then run,speed=4,from-rest -o day.glb
  sinew motion walk --over wave.toml --mask 'right arm' -o wave-walk.glb
  sinew motion capture.bvh --character hero.vrm -o hero.glb
  sinew motion dance.vmd --character miku.pmx -o dance.bvh
  sinew motion dance.fbx --character hero.vrm -o hero.glb
  sinew motion map hero.glb -o map.toml")]
pub(crate) struct Motion {
    /// walk, run, gait, jump, stand, sit, rise, trot, map, or a motion: .toml, .json, .bvh, .vmd, .vrma, or a model with a clip (.glb, .gltf, .vrm, .fbx; dance.glb#Run chooses one)
    #[arg(value_name = "MOTION")]
    pub(crate) motion: String,
    /// The model, for `map`
    #[arg(value_name = "IN")]
    pub(crate) input: Option<PathBuf>,
    /// Character to move: .glb, .gltf, .vrm, .fbx, .pmx or .pmd [default: Sinew's own body]
    #[arg(long, value_name = "IN")]
    pub(crate) character: Option<PathBuf>,
    /// Map of human bones [default: from the file, or guessed]
    #[arg(long, value_name = "map.toml")]
    pub(crate) map: Option<PathBuf>,
    /// Speed, m/s [default: 1.4 walking, 3.5 running]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) speed: Option<f64>,
    /// Duration, s [default: 4, or what the path needs]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) seconds: Option<f64>,
    /// Path file: points and speeds over time
    #[arg(long, value_name = "path.toml")]
    pub(crate) path: Option<PathBuf>,
    /// Start from standing
    #[arg(long)]
    pub(crate) from_rest: bool,
    /// End standing
    #[arg(long)]
    pub(crate) to_rest: bool,
    /// Walk in place, for loops
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Step length, m [default: by speed and leg length]
    #[arg(long, value_name = "M", allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) step_length: Option<f64>,
    /// Forward bend of the back, °
    #[arg(long, value_name = "DEG", default_value_t = 0.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) stoop: f64,
    /// Arm swing; 1 is normal
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) arm_swing: f64,
    /// Hip sway; 1 is normal
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) hip_sway: f64,
    /// Distance between the feet; 1 is normal
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) stride_width: f64,
    /// Vertical bounce; 1 is normal
    #[arg(long, value_name = "X", default_value_t = 1.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) bounce: f64,
    /// Age in years; from 60, steps get shorter and arms swing less
    #[arg(long, value_name = "YEARS", default_value_t = 30.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) age: f64,
    /// Variation between steps, 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) variation: f64,
    /// Random seed of --variation
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Jump height, m
    #[arg(long, value_name = "M", default_value_t = 0.35, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) height: f64,
    /// Depth of the crouch before a jump, as a fraction of leg length
    #[arg(long, value_name = "X", default_value_t = 0.22, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) crouch: f64,
    /// Depth of the landing, as a fraction of leg length
    #[arg(long, value_name = "X", default_value_t = 0.16, allow_negative_numbers = true, value_parser = parse_number)]
    pub(crate) landing: f64,
    /// Motion that goes on where the one before ends; also with settings: run,speed=4,seconds=3,from-rest,to-rest
    #[arg(long, value_name = "MOTION")]
    pub(crate) then: Vec<String>,
    /// Time of the blend from one motion to the next, s
    #[arg(long, value_name = "S", default_value_t = 0.4, value_parser = parse_number)]
    pub(crate) blend: f64,
    /// Motion over the others; also with settings: wave.toml,start=2,repeat
    #[arg(long, value_name = "MOTION")]
    pub(crate) over: Vec<String>,
    /// Bones that --over moves: upper body, arms, left arm, right arm, head, or a bone with all below it [default: those of the motion]
    #[arg(long, value_name = "BONES")]
    pub(crate) mask: Vec<String>,
    /// Time in which --over fades in and out, s
    #[arg(long, value_name = "S", default_value_t = 0.4, value_parser = parse_number)]
    pub(crate) fade: f64,
    /// Height of the seat for sit and rise, m [default: by the legs]
    #[arg(long, value_name = "M", value_parser = parse_number)]
    pub(crate) seat: Option<f64>,
    /// Keys per second [default: 60; 120 for runs, jumps and several motions]
    #[arg(long, value_name = "N", value_parser = parse_key_rate)]
    pub(crate) fps: Option<f64>,
    #[command(flatten)]
    pub(crate) names: NameOptions,
    /// .glb, .gltf, .vrm, .bvh, .vmd, .toml or .json
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was made as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Motion, limits: &Limits, talk: &Talk) -> Result<()> {
    if options.motion == "map" {
        return map(options, limits, talk);
    }
    if let Some(input) = &options.input {
        bail!("{}: a model is given with --character", input.display());
    }
    let mut report = Report::default();
    if let Some(model) = animal(options, limits, &mut report)? {
        return run_animal(options, model, &report, talk);
    }
    let mover = mover(options, limits, &mut report)?;
    talk.say(&mover.describe());
    let done = mover.write(&choice(options)?, &options.output, limits, &mut report);
    if matches!(done, Ok(_) | Err(MotionLoadError::Save(_))) {
        talk.report(options.character.as_deref().unwrap_or(Path::new(&options.motion)), &report);
    }
    let done = match done {
        Err(error @ MotionLoadError::Gait(_)) => return Err(error.into()),
        Err(error @ MotionLoadError::Save(_)) => Err(error).with_context(|| place(&options.output))?,
        done => done.with_context(|| options.motion.clone())?,
    };
    talk.report(&options.output, &done.losses);
    let (seconds, tracks) = (done.seconds, done.tracks);
    talk.say(&format!("wrote {}: {seconds:.2} s, {tracks} tracks", place(&options.output)));
    print_outcome(options.is_json, &done, &report)
}

/// The model, where a walk or trot is asked for and the model is no human but has four legs.
fn animal(options: &Motion, limits: &Limits, report: &mut Report) -> Result<Option<Model>> {
    let is_trot = options.motion == "trot";
    let Some(path) = options.character.as_deref().filter(|_| is_trot || options.motion == "walk") else {
        return if is_trot { bail!("trot needs a quadruped: --character dog.glb") } else { Ok(None) };
    };
    let mut of_file = Report::default();
    let model = open(path, limits, &mut of_file)?;
    let is_human = options.map.is_some() || humanoid_of(&model, &mut Report::default()).is_ok();
    if is_human && is_trot {
        bail!("{}: a human does not trot; use run", path.display());
    }
    match Quadruped::new(&model.character) {
        _ if is_human => Ok(None),
        Ok(_) => {
            report.take_in("", &of_file);
            Ok(Some(model))
        }
        // The message of humans names the bones that are missing.
        Err(_) if !is_trot => Ok(None),
        Err(error) => bail!("{}: {error}", path.display()),
    }
}

fn run_animal(options: &Motion, model: Model, report: &Report, talk: &Talk) -> Result<()> {
    let done = model.write_animal(&choice(options)?, &options.output);
    let done = done.with_context(|| options.motion.clone())?;
    talk.say(&done.character);
    talk.report(&options.output, &done.losses);
    let (seconds, tracks) = (done.seconds, done.tracks);
    talk.say(&format!("wrote {}: {seconds:.2} s, {tracks} tracks", place(&options.output)));
    print_outcome(options.is_json, &done, report)
}

fn place(path: &Path) -> String {
    path.display().to_string()
}

fn mover(options: &Motion, limits: &Limits, report: &mut Report) -> Result<Mover> {
    let model = match &options.character {
        Some(path) => open(path, limits, report)?,
        None => standard_body()?,
    };
    let map = options.map.as_deref();
    let map = map.map(|path| parsed(path, |text| map_from_toml(text, &model.character))).transpose()?;
    let place = options.character.as_deref().unwrap_or(Path::new("Sinew's body"));
    Mover::new(model, map, report).with_context(|| place.display().to_string())
}

/// What the options say of the motion.
fn choice(options: &Motion) -> Result<MotionChoice> {
    let base = motion_choice(Path::new(&options.motion), options.path.as_deref())?;
    Ok(MotionChoice {
        speed_m_s: options.speed,
        seconds: options.seconds,
        is_from_rest: options.from_rest,
        is_to_rest: options.to_rest,
        is_in_place: options.in_place,
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
        jump: JumpSettings {
            height_m: options.height,
            crouch: options.crouch,
            landing: options.landing,
            ..JumpSettings::default()
        },
        seat_m: options.seat,
        then: options.then.iter().map(|text| with_settings(text, options)).collect::<Result<_>>()?,
        over: options.over.iter().map(|text| over(text, options)).collect::<Result<_>>()?,
        blend_secs: Some(options.blend),
        fps: options.fps,
        keeps_names: options.names.keeps_names,
        vrm: options.names.vrm.meta(),
        ..base
    })
}

/// A motion with settings after commas, and the words that are none of a motion.
fn split_settings<'a>(text: &'a str, options: &Motion) -> Result<(MotionChoice, Vec<&'a str>)> {
    let mut words = text.split(',');
    let mut choice = MotionChoice::new(words.next().unwrap_or_default());
    choice.seat_m = options.seat;
    let mut others = Vec::new();
    for word in words {
        let number = |value: &str| parse_number(value).map_err(|error| anyhow!("{text:?}: {error}"));
        match word.split_once('=') {
            Some(("speed", value)) => choice.speed_m_s = Some(number(value)?),
            Some(("seconds", value)) => choice.seconds = Some(number(value)?),
            Some(("seat", value)) => choice.seat_m = Some(number(value)?),
            Some(("height", value)) => choice.jump.height_m = number(value)?,
            None if word == "from-rest" => choice.is_from_rest = true,
            None if word == "to-rest" => choice.is_to_rest = true,
            _ => others.push(word),
        }
    }
    Ok((choice, others))
}

fn with_settings(text: &str, options: &Motion) -> Result<MotionChoice> {
    let (choice, others) = split_settings(text, options)?;
    match others.first() {
        None => Ok(choice),
        Some(word) => {
            bail!(
                "{text:?}: unknown setting {word:?}; use speed=, seconds=, seat=, height=, from-rest, to-rest"
            )
        }
    }
}

fn over(text: &str, options: &Motion) -> Result<MotionOver> {
    let (motion, others) = split_settings(text, options)?;
    let mut over = MotionOver { motion, mask: options.mask.clone(), ..MotionOver::default() };
    over.fade_secs = Some(options.fade);
    for word in others {
        match word.split_once('=') {
            Some(("start", value)) => {
                over.start_secs = parse_number(value).map_err(|error| anyhow!("{text:?}: {error}"))?;
            }
            None if word == "repeat" => over.is_repeating = true,
            _ => bail!("{text:?}: unknown setting {word:?}; use start=, repeat, speed=, seconds="),
        }
    }
    Ok(over)
}

/// Writes which bones were found.
fn map(options: &Motion, limits: &Limits, talk: &Talk) -> Result<()> {
    let Some(input) = &options.input else { bail!("give a model: sinew motion map IN -o map.toml") };
    let mut report = Report::default();
    let model = open(input, limits, &mut report)?;
    let (map, _) = humanoid_map(&model, &mut report);
    talk.report(input, &report);
    write_file(&options.output, map_to_toml(&model.character, &map).as_bytes())?;
    let missing: Vec<&str> = map.missing().into_iter().map(HumanoidBone::name).collect();
    talk.say(&format!("{} bones of a human found", map.iter().count()));
    if !missing.is_empty() {
        talk.say(&format!("not found, and needed: {}", missing.join(", ")));
    }
    talk.wrote(&options.output);
    if options.is_json {
        let found: serde_json::Map<_, _> = map
            .iter()
            .map(|(bone, id)| {
                (bone.name().to_owned(), model.character.skeleton().bone(id).name.clone().into())
            })
            .collect();
        print_json(&serde_json::json!({ "bones": found, "missing": missing }))?;
    }
    Ok(())
}
