//! `sinew body`.

use super::{open, parsed};
use crate::output::{print, print_json};
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use sinew::body::character::{CharacterSettings, Look};
use sinew::body::survey::{Measure, PRESETS, Population, Sex};
use sinew::body::{Design, Template};
use sinew::geometry::progress::Progress;
use sinew::io::{Limits, Report};
use sinew::picture::write_png;
use sinew::scene::body::{
    BodyFile, BodyOutcome, BodyRequest, MeasureLine, OwnTemplate, ShapeRequest, fit_scan, make,
    read_vertex_list, residual_map,
};
use std::path::{Path, PathBuf};

/// `sinew body`.
#[derive(Args, Debug)]
#[command(after_help = "\
Measures that are given are met or the miss is reported, the rest is completed from a survey of people (ANSUR II); what is unusual is
reported, what cannot be is refused with a range to use. A design (--spec) is laid over the measured body; one that places every joint and
names no base is built as it is.

Examples:
  sinew body --stature 1.72 --weight 68 --sex female --age 30 --set waist=0.78 -o me.glb
  sinew body --preset athletic -o athlete.png          front, side, back and three-quarter
  sinew body --preset tall --show patches -o tall.glb  Bézier and Gregory patches colored
  sinew body --weight 70 -o me.toml                    the design, to be changed and given with --spec
  sinew body --spec me.toml --report -o me.png         every measure, read back from the surface
  sinew body --template quadruped -o dog.glb           a four-legged animal
  sinew body --age 4 -o child.png                      children from 2 years and old people, from shapes of people
  sinew body --muscle 1 --weight 100 -o strong.png     a build; --fat and --shape likewise
  sinew body --random 7 --sex female -o anyone.glb     a person drawn by growth charts and surveys
  sinew body --preset slim --author me -o me.vrm       with VRM's map of human bones
  sinew body --fit scan.obj --joints joints.json --residuals map.png -o me.toml
  sinew body --list measures")]
pub(crate) struct Body {
    /// Height, m
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    pub(crate) stature: Option<f64>,
    /// Weight, kg
    #[arg(long, value_name = "KG", allow_negative_numbers = true)]
    pub(crate) weight: Option<f64>,
    /// Age, years
    #[arg(long, value_name = "YEARS", allow_negative_numbers = true)]
    pub(crate) age: Option<f64>,
    /// Sex; the survey's data for it complete the missing measures [default: the design's, else male]
    #[arg(long, value_enum)]
    pub(crate) sex: Option<BodySex>,
    /// Any measure, m, such as waist=0.78; repeatable. List them with `--list measures`
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) set: Vec<String>,
    /// Build to start from. List them with `--list presets`
    #[arg(long, value_name = "NAME")]
    pub(crate) preset: Option<String>,
    /// Muscle, -1 to 1; 0 is usual
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) muscle: Option<f64>,
    /// Fat, -1 to 2; 0 is lean, 1 very heavy. A given weight goes before it
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) fat: Option<f64>,
    /// Proportions, -1 (uncommon) to 1 (broad shoulders, long legs)
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    pub(crate) shape: Option<f64>,
    /// A random person of the sex, drawn by growth charts and surveys; what is given is kept
    // TOML has no larger whole numbers, and designs keep the seed.
    #[arg(long, value_name = "SEED", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub(crate) random: Option<u64>,
    /// Design file; its values override the measured ones
    #[arg(long, value_name = "me.toml")]
    pub(crate) spec: Option<PathBuf>,
    /// Layout of the body: human, quadruped, or a template file [default: the design's, else human]
    #[arg(long, value_name = "human|quadruped|my.toml", conflicts_with = "fit")]
    pub(crate) template: Option<String>,
    /// Mesh to fit a design to; needs --joints and -o NAME.toml
    #[arg(long, value_name = "scan.obj", requires = "joints", conflicts_with_all = ["stature", "weight", "age", "set", "preset", "spec", "muscle", "fat", "shape", "random"])]
    pub(crate) fit: Option<PathBuf>,
    /// Joint positions of the mesh: {"elbow": [x, y, z], ...}, by the template's names or MakeHuman's
    #[arg(long, value_name = "joints.json", requires = "fit")]
    pub(crate) joints: Option<PathBuf>,
    /// File of vertices to ignore (ears, toes): indices from 0, one per line
    #[arg(long, value_name = "vertices.txt", requires = "fit")]
    pub(crate) exclude: Option<PathBuf>,
    /// Write a picture of the mesh colored by its distance to the fitted body
    #[arg(long, value_name = "map.png", requires = "fit")]
    pub(crate) residuals: Option<PathBuf>,
    /// Author of a .vrm file; repeatable
    #[arg(long, value_name = "NAME", default_value = "unknown")]
    pub(crate) author: Vec<String>,
    /// Tessellation steps per patch edge, an even number; fills use half
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(4..=64))]
    pub(crate) tessellation: usize,
    /// patches: color Bézier and Gregory patches
    #[arg(long, value_enum)]
    pub(crate) show: Option<BodyShow>,
    /// Merge vertices where patches meet; drops texture coordinates
    #[arg(long = "weld")]
    pub(crate) is_welded: bool,
    /// List measures or presets
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) list: Option<BodyList>,
    /// .glb, .gltf, .vrm, .obj, .pmx for a model, .png for a picture sheet, .toml for the design
    #[arg(short, long, value_name = "OUT", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Write all values into a .toml design, not only its base and what differs
    #[arg(long = "whole")]
    pub(crate) is_whole: bool,
    /// Print every measure: requested or completed, read from the body, and the error
    #[arg(long = "report")]
    pub(crate) has_report: bool,
    /// Print all measures as JSON: requested, completed, and read from the body
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Women or men.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodySex {
    /// 1,986 women.
    Female,
    /// 4,082 men.
    Male,
}

impl From<BodySex> for sinew::body::survey::Sex {
    fn from(sex: BodySex) -> Self {
        match sex {
            BodySex::Female => Self::Female,
            BodySex::Male => Self::Male,
        }
    }
}

/// What is shown on a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyShow {
    /// The kinds of patches.
    Patches,
}

/// What `--list` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum BodyList {
    /// Names, meaning and the survey's range.
    Measures,
    /// Names and meaning.
    Presets,
}

pub(crate) fn run(options: &Body, limits: &Limits, talk: &Talk) -> Result<()> {
    if let Some(list) = options.list {
        print_list(list, options.sex.unwrap_or(BodySex::Male).into());
        return Ok(());
    }
    let Some(output) = &options.output else { bail!("give a file to write with -o") };
    if let (Some(scan), Some(joints)) = (&options.fit, &options.joints) {
        return fit(options, scan, joints, output, limits, talk);
    }
    if let Some(spec) = &options.spec {
        talk.keep_input(spec, output, "has none of your comments")?;
    }
    let made = make(&request(options)?)?;
    talk.say_all("note: ", made.notes.iter().map(ToString::to_string));
    let done = made.save(&BodyFile {
        output: output.clone(),
        character: CharacterSettings {
            steps: options.tessellation,
            look: if options.show == Some(BodyShow::Patches) { Look::Patches } else { Look::Skin },
            has_uvs: !options.is_welded,
        },
        is_whole: options.is_whole,
        authors: options.author.clone(),
    })?;
    talk.report(output, &done.losses);
    say(talk, &done);
    talk.wrote(output);
    if options.has_report && !options.is_json {
        done.report.measures.iter().for_each(print_measure);
    }
    if options.is_json { print_json(&serde_json::to_value(&done)?) } else { Ok(()) }
}

/// One line of the report: name, value, what the surface has, the error, and how it was read.
fn print_measure(line: &MeasureLine) {
    let Some(read) = line.measured else { return };
    let (scale, unit) = if line.unit == "m" { (1e3, "mm") } else { (1.0, line.unit.as_str()) };
    let asked = if line.is_given { "given" } else { "survey" };
    let error = line.value.zip(line.error).map_or_else(String::new, |(value, error)| {
        format!("  {asked} {value:9.4}  error {:+8.1} {unit}", scale * error)
    });
    let how = line.how.map_or_else(String::new, |how| format!("  {how}"));
    let pose = line.pose.map_or_else(String::new, |pose| format!(" ({pose})"));
    let missed = if line.is_missed { "  MISSED" } else { "" };
    print(format_args!("{:22} {read:9.4} {}{error}{how}{pose}{missed}", line.name, line.unit));
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
    let text = sinew::model::read_text(joints).with_context(|| joints.display().to_string())?;
    let excluded = options.exclude.as_deref().map(|path| parsed(path, read_vertex_list)).transpose()?;
    talk.say("finding the design; this takes some ten seconds");
    let job =
        |progress: &Progress<'_>| fit_scan(&model.character, &text, &excluded.unwrap_or_default(), progress);
    let found = talk.watch("fit", job).map_err(|error| {
        let file = if error.is_in_joints() { joints } else { scan };
        anyhow::Error::new(error).context(file.display().to_string())
    })?;
    let done = found.save(output)?;
    if let Some(map) = &options.residuals {
        write_png(map, &residual_map(&found, MAP_SIZE)?)?;
        talk.wrote(map);
    }
    talk.say(&format!(
        "{:.1} mm from the mesh (root mean square), 95 % of it under {:.1} mm, {:.1} mm at most (vertex {})",
        1e3 * done.rms_m,
        1e3 * done.p95_m,
        1e3 * done.worst.distance_m.abs(),
        done.worst.vertex
    ));
    talk.wrote(output);
    if options.is_json { print_json(&done) } else { Ok(()) }
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
    let own = options.spec.as_deref().map(|path| parsed(path, Design::parse)).transpose()?;
    let named = options.template.clone().or_else(|| own.as_ref()?.base.template.clone());
    let template = named.map(|name| template(&name)).transpose()?;
    let sex = options.sex.map(Into::into);
    let shape =
        ShapeRequest { muscle: options.muscle, fat: options.fat, shape: options.shape, seed: options.random };
    Ok(BodyRequest { sex, given, preset: options.preset.clone(), own, template, shape })
}

/// A template that ships, or one of a file.
fn template(name: &str) -> Result<OwnTemplate> {
    if let Some(shipped) = OwnTemplate::shipped(name) {
        return Ok(shipped);
    }
    let path = Path::new(name);
    if !path.exists() && path.extension().is_none() {
        bail!("--template {name}: unknown template; use human, quadruped or a file such as my.toml");
    }
    Ok(OwnTemplate { name: name.to_owned(), template: parsed(path, Template::parse)? })
}

/// Pixels of one view of a residual map, with room for the legend beside the figure.
const MAP_SIZE: (u32, u32) = (760, 900);

fn say(talk: &Talk, done: &BodyOutcome) {
    let report = &done.report;
    talk.say(&format!(
        "{} vertices, {} triangles, {} + {} patches; {:.2} L, {:.1} kg, {:.3} m²; gap {:.1e} m, {:.1e}° between normals",
        done.vertices,
        done.triangles,
        report.bezier_patches,
        report.gregory_patches,
        1e3 * report.volume_m3,
        report.mass_kg,
        report.area_m2,
        report.gap_m,
        report.jump_deg,
    ));
}

fn print_list(list: BodyList, sex: Sex) {
    match list {
        BodyList::Measures => {
            let population = Population::of(sex);
            for measure in Measure::all() {
                let [low, high] = population.surveyed_range(measure);
                let aliases = measure.aliases().join(", ");
                let shown = if aliases.is_empty() { String::new() } else { format!(" ({aliases})") };
                print(format_args!(
                    "{}{shown}: {}; {}",
                    measure.name(),
                    measure.about(),
                    measure.show_range(low, high)
                ));
            }
        }
        BodyList::Presets => {
            PRESETS.iter().for_each(|preset| print(format_args!("{}: {}", preset.name, preset.about)))
        }
    }
}
