//! `sinew body`.

use super::{open, warnings_json};
use crate::args::{Body, BodyList, BodyShow};
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::body::Design;
use sinew::body::character::{CharacterSettings, Look};
use sinew::body::fit::{FitProgress, FitStage};
use sinew::body::survey::{Measure, PRESETS, Population, Sex};
use sinew::io::{Limits, Report};
use sinew::model::Model;
use sinew::picture::write_png;
use sinew::rig::{Character, guess_humanoid};
use sinew::scene::body::{
    BodyReport, BodyRequest, FittedScan, MadeBody, SHEET_VIEWS, VrmMeta, fit_round_count, fit_scan, make,
    read_vertex_list, residual_map, save_vrm, view_sheet,
};
use std::path::Path;

pub(crate) fn body(options: &Body, limits: &Limits, talk: &Talk) -> Result<()> {
    if let Some(list) = options.list {
        print_list(list, options.sex.into());
        return Ok(());
    }
    let Some(output) = &options.output else { bail!("give a file to write with -o") };
    if let (Some(scan), Some(joints)) = (&options.fit, &options.joints) {
        return fit(options, scan, joints, output, limits, talk);
    }
    let made = make(&request(options)?)?;
    made.notes.iter().for_each(|note| talk.say(&format!("note: {note}")));
    let settings = CharacterSettings {
        steps: options.tessellation,
        look: if options.show == Some(BodyShow::Patches) { Look::Patches } else { Look::Skin },
        has_uvs: !options.is_welded,
    };
    let character = made.body.to_character(&settings);
    let losses = save(&made, &character, options, output).with_context(|| output.display().to_string())?;
    talk.report(output, &losses);
    let report = made.report();
    say(talk, &report, &character);
    talk.say(&format!("wrote {}", output.display()));
    if options.is_json {
        let mut json = serde_json::to_value(&report)?;
        json["output"] = output.display().to_string().into();
        json["losses"] = warnings_json(&losses);
        json["humanoid"] = humanoid_json(&character);
        println!("{json:#}");
    }
    Ok(())
}

/// Finds the design that fits a scan.
fn fit(
    options: &Body,
    scan: &Path,
    joints: &Path,
    output: &Path,
    limits: &Limits,
    talk: &Talk,
) -> Result<()> {
    if sinew::model::extension_of(output) != "toml" {
        bail!("{}: a fit writes a design, use .toml", output.display());
    }
    let mut report = Report::default();
    let model = open(scan, limits, &mut report)?;
    talk.report(scan, &report);
    let text = std::fs::read_to_string(joints).with_context(|| joints.display().to_string())?;
    let excluded = options.exclude.as_deref().map(read_excluded).transpose()?.unwrap_or_default();
    talk.say("finding the design; this takes some ten seconds");
    let bar = talk.progress("fit", fit_round_count());
    let mut on_progress = |progress: FitProgress| {
        let (what, before) = match progress.stage {
            FitStage::Coarse => ("rings", 0),
            FitStage::Fine => ("points", fit_round_count() - progress.rounds),
        };
        bar.set_message(format!("{what}, {:.1} mm", 1e3 * progress.distance_m));
        bar.set_position((before + progress.round) as u64);
        !interrupt::is_interrupted()
    };
    let found = fit_scan(&model.character, &text, &excluded, &mut on_progress).map_err(|error| {
        let file = if error.is_in_joints() { joints } else { scan };
        anyhow::Error::new(error).context(file.display().to_string())
    })?;
    bar.finish_and_clear();
    write_design(&found.result.design, output)?;
    if let Some(map) = &options.residuals {
        write_png(map, &residual_map(&found, MAP_SIZE)?)?;
        talk.say(&format!("wrote {}", map.display()));
    }
    tell_fit(&found, output, talk, options.is_json);
    Ok(())
}

fn read_excluded(path: &Path) -> Result<Vec<usize>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    read_vertex_list(&text).with_context(|| path.display().to_string())
}

fn tell_fit(found: &FittedScan, output: &Path, talk: &Talk, is_json: bool) {
    let residuals = &found.result.residuals;
    let (rms_m, p95_m, (vertex, worst_m)) = (residuals.rms_m, residuals.p95_m, residuals.worst);
    talk.say(&format!(
        "{:.1} mm from the mesh (root mean square), 95 % of it under {:.1} mm, {:.1} mm at most (vertex {vertex})",
        1e3 * rms_m,
        1e3 * p95_m,
        1e3 * worst_m.abs(),
    ));
    talk.say(&format!("wrote {}", output.display()));
    if is_json {
        let worst = serde_json::json!({ "vertex": vertex, "distance_m": worst_m });
        let output = output.display().to_string();
        let json = serde_json::json!({ "output": output, "rms_m": rms_m, "p95_m": p95_m, "worst": worst });
        println!("{json:#}");
    }
}

fn write_design(design: &Design, output: &Path) -> Result<()> {
    let mut file = sinew::io::PendingFile::create(output)?;
    file.write_bytes(design.to_toml().as_bytes())?;
    Ok(file.commit()?)
}

fn request(options: &Body) -> Result<BodyRequest> {
    let mut given = Vec::new();
    let named =
        [(Measure::Stature, options.stature), (Measure::Weight, options.weight), (Measure::Age, options.age)];
    given.extend(named.into_iter().filter_map(|(measure, value)| Some((measure, value?))));
    for entry in &options.set {
        let Some((name, value)) = entry.split_once('=') else {
            bail!("--set {entry}: use NAME=VALUE, such as waist=0.78");
        };
        let measure = Measure::find(name).with_context(|| format!("--set {entry}"))?;
        let value = value.trim().parse().with_context(|| format!("--set {entry}: use a number"))?;
        given.push((measure, value));
    }
    let own = options.spec.as_ref().map(|path| {
        let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Design::parse(&text).with_context(|| path.display().to_string())
    });
    Ok(BodyRequest { sex: options.sex.into(), given, preset: options.preset.clone(), own: own.transpose()? })
}

/// Pixels of one view of a residual map, with room for the legend beside the figure.
const MAP_SIZE: (u32, u32) = (760, 900);

/// Pixels of one view on a sheet.
const VIEW_SIZE: (u32, u32) = (480, 900);

/// Writes a model, a picture or a design, and tells what was lost.
fn save(made: &MadeBody, character: &Character, options: &Body, output: &Path) -> Result<Report> {
    let mut losses = Report::default();
    match sinew::model::extension_of(output).as_str() {
        "toml" => write_design(&made.design, output)?,
        "png" => write_png(output, &view_sheet(character, &SHEET_VIEWS, VIEW_SIZE, &[])?)?,
        "vrm" => {
            let name =
                output.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned());
            let meta = VrmMeta { name, authors: options.author.clone() };
            save_vrm(character, &guess_humanoid(character), &meta, output, &mut losses)?;
        }
        _ => Model::new(character.clone()).save(output, &mut losses)?,
    }
    Ok(losses)
}

fn say(talk: &Talk, report: &BodyReport, character: &Character) {
    let mesh = &character.meshes()[0];
    talk.say(&format!(
        "{} vertices, {} triangles, {} + {} patches; {:.2} L, {:.1} kg, {:.3} m²; gap {:.1e} m, {:.1e}° between normals",
        mesh.vertex_count(),
        mesh.triangles.len(),
        report.bezier_patches,
        report.gregory_patches,
        1e3 * report.volume_m3,
        report.mass_kg,
        report.area_m2,
        report.gap_m,
        report.jump_deg,
    ));
}

/// VRM's names and our bones.
fn humanoid_json(character: &Character) -> serde_json::Value {
    let name = |bone| character.skeleton().bone(bone).name.clone().into();
    guess_humanoid(character)
        .iter()
        .map(|(human, bone)| (human.name().to_owned(), name(bone)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

fn print_list(list: BodyList, sex: Sex) {
    match list {
        BodyList::Measures => {
            let population = Population::of(sex);
            for measure in Measure::all() {
                let [low, high] = population.surveyed_range(measure);
                let aliases = measure.aliases().join(", ");
                let shown = if aliases.is_empty() { String::new() } else { format!(" ({aliases})") };
                println!("{}{shown}: {}; {}", measure.name(), measure.about(), measure.show_range(low, high));
            }
        }
        BodyList::Presets => PRESETS.iter().for_each(|preset| println!("{}: {}", preset.name, preset.about)),
    }
}
