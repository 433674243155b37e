//! Flesh in motion, to files.

use super::hints::hinted;
use super::source;
use crate::args::FleshPlay;
use crate::commands::{say_morphs, say_programs};
use crate::output::print_json;
use crate::talk::Talk;
use anyhow::Result;
use sinew::io::{Limits, Report};
use sinew::play::BasisSettings;
use sinew::scene::flesh::{FleshOutcome, FleshPicture, FleshReport, FleshRequest, FleshSource, play_flesh};

pub(super) fn play(options: &FleshPlay, limits: &Limits, talk: &Talk) -> Result<()> {
    let request = request(options)?;
    let mut report = Report::default();
    let done = talk.watch("flesh", |progress| play_flesh(&request, limits, &mut report, progress));
    let place = request.source.place();
    talk.report(place, &report);
    let done = done.map_err(hinted)?;
    talk.say_all(&format!("note: {}: ", place.display()), done.notes.iter().cloned());
    tell_flesh(&done, talk);
    tell_motion(&done.report, options.is_loop, talk);
    let mut programs = Vec::new();
    for (written, report) in done.files.iter().zip(&done.file_reports) {
        talk.report(&written.file, report);
        talk.say(&format!("wrote {}", written.file.display()));
        say_morphs(&written.morphs, options.tolerance, talk);
        programs.push(say_programs(&written.file, limits, talk)?);
    }
    if options.is_json {
        let mut json = serde_json::to_value(&done)?;
        json["programs"] = programs.into();
        print_json(&json)?;
    }
    Ok(())
}

fn request(options: &FleshPlay) -> Result<FleshRequest> {
    let (tets, speed, is_loop) = (options.tets, options.speed, options.is_loop);
    Ok(FleshRequest {
        source: FleshSource { tets, speed, is_loop, ..source(&options.source)? },
        outputs: options.output.clone(),
        picture: FleshPicture {
            camera: options.camera,
            size: options.size,
            quality: options.quality.into(),
            show: options.show.clone(),
            ..FleshPicture::default()
        },
        basis: BasisSettings { tolerance_m: options.tolerance as f32 * 1e-3, most: options.morphs },
        vrm: options.vrm.meta(),
    })
}

fn tell_flesh(done: &FleshOutcome, talk: &Talk) {
    let sizes = &done.report.sizes;
    talk.say(&format!(
        "{} tetrahedra of {:.1} cm, {} points, {} of them free; {} muscles",
        sizes.tetrahedra,
        100.0 * done.spacing_m,
        sizes.particles,
        sizes.particles - sizes.held,
        sizes.muscles,
    ));
}

fn tell_motion(told: &FleshReport, is_loop: bool, talk: &Talk) {
    let percent = |volumes: &[f64]| {
        let (least, most) = volumes.iter().fold((f64::MAX, 0.0f64), |(a, b), v| (a.min(*v), b.max(*v)));
        format!("{:+.1} to {:+.1} %", 100.0 * (least - 1.0), 100.0 * (most - 1.0))
    };
    talk.say(&format!(
        "{}: {} frames, {:.0} a second; skin leaves the rig by {:.1} mm at most, {:.2} mm rms; volume {} ({} by skinning alone)",
        crate::commands::clip_called(&told.clip),
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
