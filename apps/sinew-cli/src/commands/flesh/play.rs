//! Flesh in motion, to files.

use super::source::{Prepared, Subject, paints, place, prepare};
use crate::args::FleshPlay;
use crate::commands::{check_folder, say_morphs, warnings_json};
use crate::interrupt;
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::flesh::{FleshFrames, FleshMotion, FleshRig, FleshRun};
use sinew::io::{Limits, Report};
use sinew::play::BasisSettings;
use sinew::scene::flesh::{FleshOutput, FleshPicture, FleshReport, FleshWriting, FleshWritten, PlayedFlesh};
use std::time::Instant;

pub(super) fn play(options: &FleshPlay, limits: &Limits, talk: &Talk) -> Result<()> {
    let source = &options.source;
    let at = || place(source.input.as_ref()).display().to_string();
    let prepared = prepare(source, limits, talk)?;
    let Prepared { subject: Subject { model, clip, skin }, settings, skinning, report, .. } = &prepared;
    let motion = prepared.motion(source.fps, options.speed, options.is_loop);
    let writing = FleshWriting {
        picture: FleshPicture {
            camera: options.camera,
            size: options.size,
            quality: options.quality.into(),
            show: options.show.clone(),
            ..FleshPicture::default()
        },
        basis: BasisSettings { tolerance_m: options.tolerance as f32 * 1e-3, most: options.morphs },
    };
    for path in &options.output {
        check_folder(path)?;
        FleshOutput::of(path, &motion, &writing.picture)?;
    }
    let start = Instant::now();
    let paints = paints(source, &model.character, settings, limits)?;
    let covered = prepared.covered(source, options.tets)?;
    let rig = FleshRig::new(covered, settings, &paints).with_context(|| match &source.config {
        Some(config) => config.display().to_string(),
        None => at(),
    })?;
    let setup = start.elapsed();
    tell_rig(&rig, &at(), talk);
    let run = FleshRun::new(&rig, skinning.clone());
    let run = match skin {
        Some(skin) => run.with_skin(skin.clone()),
        None => run,
    };
    let start = Instant::now();
    let frames = simulate(&run, &motion, talk)?;
    let told = FleshReport::new(&run, &motion, &frames, (setup, start.elapsed()));
    tell_motion(&told, options.is_loop, talk);
    let document = model.gltf();
    let played = PlayedFlesh { run: &run, motion: &motion, frames: &frames, clip: *clip, document };
    let files = write(&played, &writing, options, talk)?;
    if options.is_json {
        let mut json = serde_json::to_value(&told)?;
        json["files"] = serde_json::to_value(&files)?;
        json["notes"] = rig.notes.iter().map(String::as_str).collect();
        json["warnings"] = warnings_json(report);
        print_json(&json)?;
    }
    Ok(())
}

fn tell_rig(rig: &FleshRig<'_>, at: &str, talk: &Talk) {
    rig.notes.iter().for_each(|note| talk.say(&format!("note: {at}: {note}")));
    let mesh = &rig.covered.cover.mesh;
    talk.say(&format!(
        "{} tetrahedra of {:.1} cm, {} points, {} of them free; {} muscles",
        mesh.tets().len(),
        100.0 * rig.covered.cover.spacing,
        mesh.points().len(),
        rig.anatomy.is_held.iter().filter(|held| !**held).count(),
        rig.muscles.muscles().len(),
    ));
}

fn simulate(run: &FleshRun<'_>, motion: &FleshMotion<'_>, talk: &Talk) -> Result<FleshFrames> {
    let bar = talk.progress("simulating", FleshRun::frame_count(motion));
    let frames = run.play(motion, &mut |frame| {
        bar.set_position(frame as u64);
        !interrupt::is_interrupted()
    })?;
    bar.finish_and_clear();
    match frames {
        Some(frames) => Ok(frames),
        None => bail!("interrupted"),
    }
}

fn tell_motion(told: &FleshReport, is_loop: bool, talk: &Talk) {
    let percent = |volumes: &[f64]| {
        let (least, most) = volumes.iter().fold((f64::MAX, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
        format!("{:+.1} to {:+.1} %", 100.0 * (least - 1.0), 100.0 * (most - 1.0))
    };
    talk.say(&format!(
        "{}: {} frames, {:.0} a second; skin leaves the rig by {:.1} mm at most, {:.2} mm rms; volume {} ({} by skinning alone)",
        told.clip,
        told.frames,
        told.times.frames_per_sec,
        1e3 * told.farthest_m,
        1e3 * told.rms_m,
        percent(&told.volumes),
        percent(&told.skinned_volumes),
    ));
    if is_loop {
        talk.say(&format!("the loop closes within {:.2} mm, spread over it", 1e3 * told.seam_m));
    }
    if let [first, ..] = told.jumps[..] {
        talk.say(&format!(
            "warning: the character jumps to another place {} times, first before frame {first}; flesh is carried along there",
            told.jumps.len()
        ));
    }
}

fn write(
    played: &PlayedFlesh<'_>,
    writing: &FleshWriting,
    options: &FleshPlay,
    talk: &Talk,
) -> Result<Vec<FleshWritten>> {
    let mut files = Vec::new();
    for path in &options.output {
        let name = path.display().to_string();
        let mut report = Report::default();
        let written = talk.watch(&name, |progress| played.write(path, writing, &mut report, progress));
        let written = written.with_context(|| name.clone())?;
        talk.report(path, &report);
        talk.say(&format!("wrote {name}"));
        say_morphs(&written.morphs, options.tolerance, talk);
        files.push(written);
    }
    Ok(files)
}
