//! `sinew fit`, and `sinew bake`, which is the same over clips with few words.

pub(crate) mod args;

use super::{check_folder, open, say_programs, set_losses, warnings_json};
use crate::args::{MotionOptions, NameOptions};
use crate::interrupt;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result, anyhow, bail, ensure};
use args::{Bake, ControllerKind, Fit, HelperCount, HelperOptions, Lambda, SamplingKind, SymmetricKind};
use sinew::body::character::Look;
use sinew::fit::{
    BasisKind, ControllerSettings, HelperError, HelperMotion, HelperSettings, Penalty, SettingsError,
};
use sinew::geometry::progress::{Progress, Step, one_at_a_time};
use sinew::helpers::{
    AppendReport, CONTROLLERS, ConstraintLoss, CorrectiveReport, FitError, FitOutcome, FitRequest, FitSource,
    JudgedJoint, MmdRequest, RigError, RigFitSettings, Sampling, SequenceReport, Suggestions, Symmetric,
    fit_character, fit_deformer, fit_exchange, read_exchange,
};
use sinew::io::{Limits, Report};
use sinew::model::{Model, bake_springs_into_clips, extension_of};
use sinew::play::patches::SkinMethod;
use sinew::rig::{Deformer, SpringPlay};
use sinew::scene::body::{BodyRequest, make};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

/// Files, and what is asked of them.
struct Asked<'a> {
    input: Option<&'a Path>,
    examples: Option<&'a Path>,
    held_out: Option<&'a Path>,
    from: Option<&'a str>,
    output: Option<&'a Path>,
    motions: &'a MotionOptions,
    names: &'a NameOptions,
    /// How spring bones are baked into the clips.
    springs: SpringPlay,
    is_json: bool,
    /// The source if it is flesh.
    flesh: FitSource,
    /// All but the source.
    request: FitRequest,
}

pub(crate) fn fit(options: &Fit, limits: &Limits, talk: &Talk) -> Result<()> {
    let preset = options.flesh.preset.clone();
    let asked = Asked {
        input: options.input.as_deref(),
        examples: options.examples.as_deref(),
        held_out: options.held_out.as_deref(),
        from: options.from.as_deref(),
        output: options.output.as_deref(),
        motions: &options.motions,
        names: &options.names,
        springs: SpringPlay::Off,
        is_json: options.is_json,
        flesh: FitSource::Flesh { tet_count: options.flesh.tets, preset },
        request: FitRequest {
            rig: RigFitSettings {
                joint_helpers: options.rig.joint_helpers,
                helpers: helper_settings(&options.rig, limits),
                controllers: controller_settings(&options.rig),
                sampling: options.samples.sampling.into(),
                pose_count: options.samples.count,
                symmetric: options.rig.symmetric.into(),
                is_auto: options.rig.helpers == HelperCount::Auto,
                most_helpers: options.rig.lod,
                ..RigFitSettings::default()
            },
            joints: options.samples.joints.clone(),
            locked_bones: options.rig.lock_bones.clone(),
            locked_paint: options.rig.lock_paint.clone(),
            keys: options.keys.clone(),
            shifts: options.shifts.clone(),
            clips: options.clips.clone(),
            held_out_clips: options.held_out_clips.clone(),
            fps: options.fps,
            correctives: options.rig.correctives,
            suggestions: suggestions(options),
            resume: options.resume.clone(),
            mmd: mmd(options.output.as_deref(), options.writes_motions, &options.names)?,
            limits: *limits,
            ..FitRequest::default()
        },
    };
    run(asked, limits, talk)
}

pub(crate) fn bake(options: &Bake, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut request = FitRequest { clips: options.clips.clone(), fps: options.fps, ..FitRequest::default() };
    request.rig.joint_helpers = 4;
    request.rig.helpers.helper_count = options.helpers;
    request.rig.helpers.max_bytes = limits.max_memory;
    let is_mmd = extension_of(&options.output) == "pmx";
    // The motion is what is wanted.
    request.mmd = mmd(Some(&options.output), is_mmd, &options.names)?;
    let asked = Asked {
        input: Some(&options.input),
        examples: None,
        held_out: None,
        from: Some(&options.from),
        output: Some(&options.output),
        motions: &options.motions,
        names: &options.names,
        springs: options.springs.play(),
        is_json: options.is_json,
        flesh: FitSource::Flesh { tet_count: 5000, preset: "natural".to_owned() },
        request,
    };
    run(asked, limits, talk)
}

/// What a .pmx asks of the fit.
fn mmd(output: Option<&Path>, bakes_clips: bool, names: &NameOptions) -> Result<Option<MmdRequest>> {
    if output.is_some_and(|output| extension_of(output) == "pmx") {
        return Ok(Some(MmdRequest { bakes_clips, keeps_names: names.keeps_names }));
    }
    ensure!(!bakes_clips, "--vmd needs a .pmx as output; other formats hold clips themselves");
    ensure!(!names.keeps_names, "--keep-names is for .pmx; other formats keep names anyway");
    Ok(None)
}

fn helper_settings(options: &HelperOptions, limits: &Limits) -> HelperSettings {
    let mut settings = HelperSettings {
        helper_count: match options.helpers {
            HelperCount::Total(count) => count,
            HelperCount::Auto => HelperSettings::default().helper_count,
        },
        max_influences: options.max_influences,
        motion: match (options.is_similarity, options.has_fixed_length) {
            (true, _) => HelperMotion::Similarity,
            (_, true) => HelperMotion::FixedLength,
            _ => HelperMotion::Rigid,
        },
        seed: options.seed,
        start_count: options.starts,
        full_sweeps: options.iterations,
        tolerance: options.tolerance,
        max_bytes: limits.max_memory,
        ..HelperSettings::default()
    };
    settings.rules.smoothness = options.smooth;
    settings.rules.locality = options.local;
    settings
}

fn controller_settings(options: &HelperOptions) -> ControllerSettings {
    let (degree, across_drivers) = (options.degree, !options.is_within_drivers);
    ControllerSettings {
        basis: match options.controller {
            ControllerKind::Poly => BasisKind::Polynomial { degree, across_drivers },
            ControllerKind::Rbf => BasisKind::Radial { centers: options.centers },
        },
        penalty: match (options.coefficients, options.lambda) {
            (Some(most), _) => Penalty::Coefficients(most),
            (None, Lambda::Auto) => Penalty::Auto,
            (None, Lambda::PerPose(price)) => Penalty::PerPose(price),
        },
        ..ControllerSettings::default()
    }
}

impl From<SymmetricKind> for Symmetric {
    fn from(kind: SymmetricKind) -> Self {
        match kind {
            SymmetricKind::Auto => Self::Auto,
            SymmetricKind::On => Self::On,
            SymmetricKind::Off => Self::Off,
        }
    }
}

impl From<SamplingKind> for Sampling {
    fn from(kind: SamplingKind) -> Self {
        match kind {
            SamplingKind::Low => Self::LowDiscrepancy,
            SamplingKind::Grid => Self::Grid,
            SamplingKind::Adaptive => Self::Adaptive,
        }
    }
}

/// Suggested poses go beside the output, or to the examples.
fn suggestions(options: &Fit) -> Option<Suggestions> {
    let examples = options.examples.as_deref().unwrap_or(Path::new(""));
    let folder = match &options.output {
        None if examples.is_dir() => examples,
        output => output.as_deref().unwrap_or(examples).parent().unwrap_or(Path::new("")),
    };
    let (folder, degree): (PathBuf, usize) = (folder.to_path_buf(), options.rig.degree);
    options.suggest.map(|count| Suggestions { count, degree, folder })
}

fn run(mut asked: Asked<'_>, limits: &Limits, talk: &Talk) -> Result<()> {
    if let Some(output) = asked.output {
        check_output(output, asked.input.is_some() || asked.from.is_some())?;
        if let Some(input) = asked.input {
            talk.keep_input(input, output, "has other weights")?;
        }
    }
    check_correctives(&asked)?;
    let begin = Instant::now();
    let mut told = match (asked.input, asked.examples, asked.from) {
        (None, _, Some("body")) => fit_body(&mut asked, talk)?,
        (Some(input), _, Some("body")) => bail!(
            "{}: --from body is Sinew's own human and takes no model; leave it out, or name a skinning method",
            input.display()
        ),
        (None, Some(folder), _) => {
            check_of_model(&asked.request, asked.motions)?;
            ensure!(
                !asked.request.rig.is_auto,
                "--helpers auto needs a model; a folder of arrays needs a number"
            );
            fit_arrays(&asked, folder, limits, talk)?
        }
        (Some(input), _, _) => fit_file(&mut asked, input, limits, talk)?,
        (None, None, Some(source)) => bail!("--from {source} needs a model; only --from body has its own"),
        (None, None, None) => bail!("name a model, or --examples"),
    };
    told["seconds"] = begin.elapsed().as_secs_f64().into();
    if let Some(output) = asked.output {
        told["output"] = output.display().to_string().into();
        talk.wrote(output);
        told["programs"] = say_programs(output, limits, talk)?;
    }
    if asked.is_json {
        print_json(&told)?;
    }
    Ok(())
}

/// A name that cannot be written to is refused before anything is fitted.
fn check_output(path: &Path, has_model: bool) -> Result<()> {
    let extension = extension_of(path);
    let known = matches!(extension.as_str(), "json" | "glb" | "gltf" | "vrm" | "pmx");
    ensure!(
        known,
        "{}: cannot write a rig as {extension:?}; known are .glb, .gltf, .vrm, .pmx and .json",
        path.display()
    );
    let needs_model = matches!(extension.as_str(), "vrm" | "pmx");
    ensure!(
        has_model || !needs_model,
        "{}: a folder of arrays cannot be written as .{extension}; use .glb",
        path.display()
    );
    check_folder(path)
}

/// What names joints and clips needs a model that has them.
fn check_of_model(request: &FitRequest, motions: &MotionOptions) -> Result<()> {
    ensure!(motions.is_empty(), "--motion needs a model; a folder of arrays has no bones by name");
    ensure!(request.locked_paint.is_none(), "--lock-paint needs a model; a folder of arrays is not painted");
    let given = [
        ("--joints", &request.joints),
        ("--lock-bones", &request.locked_bones),
        ("--clip", &request.clips),
        ("--held-out-clip", &request.held_out_clips),
    ];
    match given.iter().find(|(_, names)| !names.is_empty()) {
        Some((option, _)) => bail!("{option} names what a model has; a folder of arrays has no names"),
        None => Ok(()),
    }
}

/// Correctives follow what helpers follow, and only a model can hold them.
fn check_correctives(asked: &Asked<'_>) -> Result<()> {
    if asked.request.correctives == 0 {
        return Ok(());
    }
    ensure!(
        asked.request.rig.helpers.helper_count > 0,
        "--correctives follow the bones that helpers follow; ask for at least one of --helpers"
    );
    ensure!(
        asked.output.is_none_or(|output| extension_of(output) != "json"),
        "--correctives are morph targets; .json cannot store them; use .glb, .gltf or .vrm"
    );
    ensure!(
        asked.request.mmd.is_none(),
        "--correctives follow controllers; .pmx cannot store them; use .glb, .gltf or .vrm"
    );
    Ok(())
}

fn fit_file(asked: &mut Asked<'_>, input: &Path, limits: &Limits, talk: &Talk) -> Result<serde_json::Value> {
    let mut report = Report::default();
    let mut model = open(input, limits, &mut report)?;
    let place = || input.display().to_string();
    for motion in asked.motions.choices()? {
        let name = model
            .add_motion(&motion, limits, &mut report)
            .with_context(|| motion.place(input).display().to_string())?;
        asked.request.clips.push(name);
    }
    model.character = bake_springs_into_clips(&model.character, asked.springs);
    rest_for(&mut model, asked.output, &mut report)?;
    talk.report(input, &report);
    asked.request.source = match (asked.from, asked.examples) {
        (Some("flesh"), _) => asked.flesh.clone(),
        (Some(source), _) => source_named(source).with_context(place)?,
        (None, Some(path)) => FitSource::Shapes(path.to_path_buf()),
        (None, None) => return Err(anyhow!("name --from or --examples")).with_context(place),
    };
    let mut told = fit_model(asked, model, None, talk).with_context(place)?;
    told["warnings"] = warnings_json(&report);
    Ok(told)
}

/// A method, or patches.
fn source_named(source: &str) -> Result<FitSource> {
    let method = source
        .parse::<SkinMethod>()
        .map_err(|error| anyhow!("--from {source}: {error}; or flesh, or body without a model"))?;
    Ok(match method {
        SkinMethod::Skinning(method) => FitSource::Method(method),
        SkinMethod::Patches(modes) => FitSource::Patches(modes),
    })
}

/// Helpers of a .vrm count from the pose that it rests in.
fn rest_for(model: &mut Model, output: Option<&Path>, report: &mut Report) -> Result<()> {
    match output.filter(|output| extension_of(output) == "vrm") {
        Some(output) => model.rest_in_t_pose(report).with_context(|| output.display().to_string()),
        None => Ok(()),
    }
}

/// Steps along the edges of the patches of Sinew's own human.
const HUMAN_STEPS: usize = 6;

/// Sinew's own human, with the shapes that its patches give.
fn fit_body(asked: &mut Asked<'_>, talk: &Talk) -> Result<serde_json::Value> {
    ensure!(
        asked.request.clips.is_empty() && asked.request.held_out_clips.is_empty() && asked.motions.is_empty(),
        "--from body is bent joint by joint; leave --clip and --motion out"
    );
    let body = make(&BodyRequest::default())?.patched(HUMAN_STEPS, Look::Skin)?;
    fit_model(asked, Model::new(body.character), Some(body.deformer), talk).context("Sinew's body")
}

/// `own`: what moves the model's skin, where that is no source.
fn fit_model(
    asked: &Asked<'_>,
    model: Model,
    own: Option<Arc<dyn Deformer>>,
    talk: &Talk,
) -> Result<serde_json::Value> {
    let request = &asked.request;
    let words = |step: &Step<'_>| match step.residual.filter(|rms| rms.is_finite()) {
        Some(rms) => format!("{}, RMS {:.3} mm", step.job, 1e3 * rms),
        None => step.job.to_owned(),
    };
    let fitted = with_bar(talk, words, |progress| match own {
        Some(deformer) => fit_deformer(&model, deformer, request, progress),
        None => fit_character(&model, request, progress),
    });
    let mut outcome = fitted.map_err(with_options)?;
    say_outcome(&outcome, asked.from.unwrap_or_default(), talk);
    if let Some(output) = asked.output {
        let mut losses = Report::default();
        let saved = outcome.save(model, output, &asked.names.settings(), &mut losses);
        talk.say_all("VRM: ", outcome.constraints.iter().flatten().map(constraint_text));
        saved.map_err(|error| of_output(error, output))?;
        talk.report(output, &losses);
        outcome.motion_files.iter().for_each(|file| talk.wrote(file));
        let mut told = serde_json::to_value(&outcome)?;
        set_losses(&mut told, &losses)?;
        return Ok(told);
    }
    Ok(serde_json::to_value(&outcome)?)
}

/// A folder of arrays, without a model.
fn fit_arrays(asked: &Asked<'_>, folder: &Path, limits: &Limits, talk: &Talk) -> Result<serde_json::Value> {
    let read = |path: &Path| read_exchange(path, limits).with_context(|| path.display().to_string());
    let place = || folder.display().to_string();
    let (arrays, held_out) = (read(folder)?, asked.held_out.map(read).transpose()?);
    let mut times = StageTimes::new();
    let words = |step: &Step<'_>| {
        times.note(step.stage);
        format!("fitting, RMS {:.4}", step.residual.unwrap_or(f64::INFINITY))
    };
    let fitted =
        with_bar(talk, words, |progress| fit_exchange(&arrays, held_out.as_ref(), &asked.request, progress));
    let outcome = fitted.map_err(|error| match (error, asked.held_out) {
        (FitError::HeldOut { found, expected }, Some(path)) => anyhow!(
            "{}: {} vertices and {} bones, {} has {} and {}",
            path.display(),
            found.0,
            found.1,
            folder.display(),
            expected.0,
            expected.1
        ),
        (error @ FitError::Rig(RigError::MirrorVertex { .. } | RigError::MirrorDriver { .. }), _) => {
            with_options(error)
        }
        (error, _) => match (&error, &asked.request.resume) {
            (FitError::Interrupted, Some(state)) => anyhow::Error::from(error)
                .context(format!("saved {}; the same command goes on", state.display())),
            _ => with_options(error).context(place()),
        },
    })?;
    talk.say(&format!(
        "{} helpers: RMS {:.4}, with controllers {:.4} ({} coefficients), largest {:.3}",
        outcome.helpers, outcome.rmse, outcome.rmse_controllers, outcome.coefficients, outcome.largest
    ));
    if let Some(made) = &outcome.correctives {
        let morphs: usize = made.meshes.iter().map(|mesh| mesh.morphs).sum();
        talk.say(&format!("{morphs} correctives: RMS {:.4} on {} poses", made.rmse, made.examples));
    }
    if let Some(output) = asked.output {
        outcome.save(&arrays, output).map_err(|error| of_output(error, output))?;
    }
    let mut told = serde_json::to_value(&outcome)?;
    told["seconds_by_stage"] = times.seconds.into();
    Ok(told)
}

/// Works with a bar, whose words are those of each step.
fn with_bar<T>(
    talk: &Talk,
    mut words: impl FnMut(&Step<'_>) -> String + Send,
    work: impl FnOnce(&Progress<'_>) -> T,
) -> T {
    let bar = talk.progress("fitting", 100);
    let watch = one_at_a_time(|step| {
        bar.set_position((100.0 * step.share) as u64);
        bar.set_message(words(step));
        interrupt::flow()
    });
    let done = work(&Progress::new(&watch));
    bar.finish_and_clear();
    done
}

/// What is wrong with a file that is written is said of it.
fn of_output(error: FitError, output: &Path) -> anyhow::Error {
    match error {
        FitError::Save(error) => anyhow::Error::new(error).context(output.display().to_string()),
        error => with_options(error),
    }
}

/// The error with the options that help.
fn with_options(error: FitError) -> anyhow::Error {
    let names_none =
        |option: &str, pattern: &str| anyhow!("{option} {pattern:?} names no bone that moves skin");
    let hint = match &error {
        FitError::Joints { pattern } => return names_none("--joints", pattern),
        FitError::LockedBones { pattern } => return names_none("--lock-bones", pattern),
        FitError::Keys { pattern } => return anyhow!("--keys {pattern:?} names no shape key"),
        FitError::Paint { from, source } => return anyhow!("--lock-paint {from}: {source}"),
        FitError::AutoHelpers => "; --helpers auto needs --from METHOD without --clip",
        FitError::NoClip => {
            return anyhow!("--from flesh needs --clip or --motion, the motion that flesh follows");
        }
        FitError::NoRegion => "; leave --joints out, or name others",
        FitError::SeveralClips => "; give --clip once",
        FitError::NoPose { .. } => ", or name the --clip that shapes are frames of",
        FitError::FrameCount { .. } => "; give another --fps",
        FitError::CorrectiveMemory { .. } => " or allow more with --max-memory",
        FitError::Symmetric { .. }
        | FitError::Rig(
            RigError::MirrorVertex { .. } | RigError::MirrorDriver { .. } | RigError::MirrorWeights { .. },
        ) => "; leave --symmetric out",
        FitError::Helpers(HelperError::Settings(SettingsError::Memory { .. })) => ", or raise --max-memory",
        _ => return error.into(),
    };
    anyhow!("{error}{hint}")
}

fn say_outcome(outcome: &FitOutcome, source: &str, talk: &Talk) {
    talk.say_all("note: ", outcome.notes.iter().cloned());
    for pose in &outcome.suggestions {
        talk.say(&format!("make next: {} (doubt {:.2}): {}", pose.joint, pose.doubt, pose.turns));
    }
    if let Some((held_out, removed)) = outcome.held_out.zip(outcome.removed) {
        talk.say(&format!(
            "{} helpers; {} poses not fitted: {:.3} mm from {source}, bones alone {:.3} mm: {:.1} % removed",
            outcome.helpers,
            held_out.poses,
            1e3 * held_out.rms,
            1e3 * held_out.rms_plain,
            100.0 * removed
        ));
    }
    let refused = outcome.regions.iter().filter_map(|region| Some((&region.joint, region.refused?)));
    talk.say_all(
        "",
        refused.map(|(joint, judged)| {
            let (with, plain) = (1e3 * judged.rms, 1e3 * judged.rms_plain);
            format!(
                "{joint:?} keeps its plain skin; helpers were {with:.3} mm off, bones alone {plain:.3} mm"
            )
        }),
    );
    outcome.sequences.iter().for_each(|sequence| say_sequence(sequence, talk));
    if let Some(made) = &outcome.correctives {
        say_correctives(made, &outcome.sequences, talk);
    }
    if let Some(append) = &outcome.append {
        say_append(append, outcome, talk);
    }
}

fn say_append(append: &AppendReport, outcome: &FitOutcome, talk: &Talk) {
    let refused = append.refused.iter().map(|refusal| {
        format!(
            "MMD: {:?} keeps its plain skin; helpers that follow other bones were {:.3} mm off, bones alone {:.3} mm",
            refusal.joint,
            1e3 * refusal.judged.rms,
            1e3 * refusal.judged.rms_plain
        )
    });
    talk.say_all("", refused);
    if let Some((with, controllers)) = append.held_out.zip(outcome.held_out) {
        talk.say(&format!(
            "MMD: {} bones follow others; poses not fitted: {:.3} mm off, glTF {:.3} mm, bones alone {:.3} mm: {}",
            append.links,
            1e3 * with.rms,
            1e3 * controllers.rms,
            1e3 * with.rms_plain,
            kept(with.rms_plain, controllers.rms, with.rms)
        ));
    }
    for motion in &append.motions {
        talk.say(&format!(
            "MMD, {}: {:.3} mm off ({}), with keys in .vmd {:.3} mm ({}), glTF {:.3} mm, bones alone {:.3} mm",
            motion.name,
            1e3 * motion.rms,
            kept(motion.rms_plain, motion.rms_gltf, motion.rms),
            1e3 * motion.rms_baked,
            kept(motion.rms_plain, motion.rms_gltf, motion.rms_baked),
            1e3 * motion.rms_gltf,
            1e3 * motion.rms_plain
        ));
    }
}

/// Share of what helpers in glTF remove of the error of bones alone.
fn kept(plain: f64, gltf: f64, with: f64) -> String {
    match plain > gltf {
        true => format!("{:.1} % of what glTF removes", 100.0 * (plain - with) / (plain - gltf)),
        false => "glTF removes nothing".to_owned(),
    }
}

/// How an error compares with that of bones alone; nothing where bones alone have none to speak of.
fn change(rms: f64, plain: f64) -> String {
    let percent = 100.0 * (1.0 - rms / plain.max(f64::MIN_POSITIVE));
    match percent < 0.0 {
        _ if plain < NO_ERROR_M => String::new(),
        true => format!(" ({:.1} % worse)", -percent),
        false => format!(" ({percent:.1} % removed)"),
    }
}

/// An error of which no share is told, m: 1 µm.
const NO_ERROR_M: f64 = 1e-6;

fn say_sequence(SequenceReport { errors, name, is_fitted, worse, .. }: &SequenceReport, talk: &Talk) {
    let name = super::clip_called(name);
    let told = |what: &str, rms: f64| format!("{what} {:.3} mm{}", 1e3 * rms, change(rms, errors.rms_plain));
    let baked = (errors.rms_baked != errors.rms_controllers).then_some(errors.rms_baked);
    let kinds = [
        ("baked", baked),
        ("controllers", Some(errors.rms_controllers)),
        ("with lag and swing", errors.rms_following),
    ];
    let kinds: Vec<String> = kinds.into_iter().filter_map(|(what, rms)| Some(told(what, rms?))).collect();
    talk.say(&format!(
        "{name}{}: bones alone {:.3} mm; {}",
        if *is_fitted { "" } else { ", not fitted" },
        1e3 * errors.rms_plain,
        kinds.join(", ")
    ));
    if baked.is_none() && !worse.is_empty() {
        let of = |JudgedJoint { joint, judged }: &JudgedJoint| {
            format!("{joint} ({:.3} mm, bones alone {:.3} mm)", 1e3 * judged.rms, 1e3 * judged.rms_plain)
        };
        let joints: Vec<String> = worse.iter().map(of).collect();
        talk.say(&format!("warning: in {name:?} worse than bones alone: {}", joints.join(", ")));
    }
    let played = errors.rms_following.unwrap_or(errors.rms_controllers);
    if !is_fitted && played > errors.rms_plain {
        talk.say(&format!(
            "warning: in {name:?} controllers are worse than bones alone; name it with --clip too, so that it is simulated and baked"
        ));
    }
}

fn say_correctives(made: &CorrectiveReport, sequences: &[SequenceReport], talk: &Talk) {
    for mesh in &made.meshes {
        talk.say(&format!(
            "{} correctives of {:?}: {} examples {:.3} mm off, without {:.3} mm",
            mesh.morphs,
            mesh.mesh,
            made.examples,
            1e3 * mesh.rms_after,
            1e3 * mesh.rms_before
        ));
    }
    for (sequence, rms) in sequences.iter().zip(&made.rms_by_sequence) {
        talk.say(&format!("{} with correctives: {:.3} mm", sequence.name, 1e3 * rms));
    }
    if let Some(rms) = made.rms_held_out {
        talk.say(&format!("poses not fitted, with correctives: {:.3} mm", 1e3 * rms));
    }
}

fn constraint_text(loss: &ConstraintLoss) -> String {
    let how = match &loss.source {
        Some(source) => format!("follows {source:?} by {:.2}", loss.weight),
        None => "does not follow any single bone and moves only in baked clips".to_owned(),
    };
    format!(
        "{:?} {how}; {:.2} mm off its controller, {:.2} mm standing still",
        loss.helper,
        1e3 * loss.rms,
        1e3 * loss.rms_still
    )
}

/// Seconds of the parts of a fit.
struct StageTimes {
    since: Instant,
    stage: String,
    seconds: serde_json::Map<String, serde_json::Value>,
}

impl StageTimes {
    fn new() -> Self {
        Self { since: Instant::now(), stage: "starts".to_owned(), seconds: serde_json::Map::new() }
    }

    /// A step of the stage before is done, and `stage` comes; or controllers are done.
    fn note(&mut self, stage: &str) {
        let passed = std::mem::replace(&mut self.since, Instant::now()).elapsed().as_secs_f64();
        if stage == CONTROLLERS {
            CONTROLLERS.clone_into(&mut self.stage);
        }
        let before = self.seconds.get(&self.stage).and_then(serde_json::Value::as_f64);
        self.seconds.insert(self.stage.clone(), (before.unwrap_or(0.0) + passed).into());
        stage.clone_into(&mut self.stage);
    }
}
