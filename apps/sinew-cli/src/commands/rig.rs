//! `sinew rig`.

use super::{parsed, print_outcome, print_written, say_programs, skin_choice};
use crate::args::{NameOptions, SkinOptions};
use crate::talk::Talk;
use anyhow::{Result, bail};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::model::rigging::{
    BoxFile, OptimizedReport, RigReport, RigRequest, RigSettings, SphericalSource, rig_file, undo_file,
};
use std::path::{Path, PathBuf};

/// `sinew rig`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes c, r0 and r1 of every vertex between bones (_SDEF_C, _SDEF_R0, _SDEF_R1), methods (_SINEW_VERTEX) and rules (SINEW_skin) into a
glTF file, or SDEF vertices into a PMX; `sinew skin` and `sinew render` then follow them. Without --method it is what the file
says, else sdef; for a .pmx, joint by joint, bezier or sdef, whichever bends less sharply (MMD's viewers show both).
boxes.toml has a [[box]] for each bone: bone = \"LeftArm\", min = [x,y,z], max = [x,y,z], space = \"bone\" (its rest frame) or \"rest\";
a vertex in one box follows that bone, overlaps make linear weights and soft ranges.
--optimize searches weights, c, r0 and r1 of joints for the least sharp turn and the least loss of section over bends from 45° to 130°, for
sdef. Left and right get the same values where both are named. What they had stays in the file (glTF), and --undo restores it.

Examples:
  sinew rig fox.glb --spherical auto -o fox-sdef.glb
  sinew rig hero.glb --spherical auto --calibrate --method bezier --joint \"Spine*=dlb\" -o hero-soft.glb
  sinew rig arm.glb --spherical boxes.toml --json -o arm-soft.glb
  sinew rig hero.glb --method sdef --optimize \"lowerarm*\" --optimize \"calf*\" -o hero-soft.glb
  sinew rig hero-soft.glb --undo -o hero-before.glb
  sinew rig hero.glb --spherical auto -o hero.pmx      any character as an SDEF model of MMD")]
pub(crate) struct Rig {
    /// The model: .glb, .gltf, .vrm, .fbx, .pmx or .pmd
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Source of c, r0 and r1: auto (skeleton and weights), or a file with a box per bone, which also sets the weights
    #[arg(long, value_name = "auto|boxes.toml", default_value = "auto")]
    pub(crate) spherical: PathBuf,
    /// Make each joint's weights linear along its axis, and report the change
    #[arg(long = "calibrate")]
    pub(crate) is_calibrated: bool,
    /// Optimize the joints of these child bones (a name, * for any text) for sdef; may be repeated
    #[arg(long, value_name = "PATTERN")]
    pub(crate) optimize: Vec<String>,
    /// Restore the values that --optimize replaced, and change nothing else
    #[arg(long = "undo", conflicts_with_all = ["optimize", "is_calibrated"])]
    pub(crate) is_undo: bool,
    #[command(flatten)]
    pub(crate) skin: SkinOptions,
    /// The file to write: .glb, .gltf, .vrm or .pmx
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) names: NameOptions,
    /// Print what was written as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

pub(crate) fn run(options: &Rig, limits: &Limits, talk: &Talk) -> Result<()> {
    if options.is_undo {
        return undo(options, limits, talk);
    }
    if options.skin.method.is_some_and(|method| method.patches().is_some()) {
        bail!(
            "--method patches is not a method of a file; every body that `sinew body` writes carries its patches"
        );
    }
    let request = RigRequest {
        input: options.input.clone(),
        output: options.output.clone(),
        settings: RigSettings {
            spherical: match options.spherical.as_path() {
                auto if auto == Path::new("auto") => SphericalSource::Auto,
                file => SphericalSource::Boxes(parsed(file, BoxFile::parse)?),
            },
            is_calibrated: options.is_calibrated,
            choice: skin_choice(&options.skin)?,
            optimized: options.optimize.clone(),
            ..RigSettings::default()
        },
        save: options.names.settings(),
    };
    if options.is_calibrated || matches!(request.settings.spherical, SphericalSource::Boxes(_)) {
        talk.keep_input(&options.input, &options.output, "has other weights")?;
    }
    let mut report = Report::default();
    let done = rig_file(&request, limits, &mut report);
    talk.report(&options.input, &report);
    let done = done?;
    talk.report(&options.output, &done.losses);
    say(talk, &done.rig);
    talk.wrote(&options.output);
    let programs = say_programs(&options.output, limits, talk)?;
    print_written(options.is_json, &done, &report, programs)
}

fn undo(options: &Rig, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let (vertices, losses) = undo_file(&options.input, &options.output, limits, &mut report)?;
    talk.report(&options.input, &report);
    talk.report(&options.output, &losses);
    talk.say(&format!("{vertices} vertices have their former weights, c, r0 and r1 again"));
    talk.wrote(&options.output);
    let done = serde_json::json!({ "undone_vertices": vertices, "output": options.output });
    print_outcome(options.is_json, &done, &report)
}

/// The worst bend before and after.
fn say_optimized(talk: &Talk, joint: &OptimizedReport) {
    let Some(worst) = joint.bends.iter().max_by(|a, b| a.turn_deg[0].total_cmp(&b.turn_deg[0])) else {
        talk.say(&format!("{}: no ring goes around this joint; it stays as it is", joint.bone));
        return;
    };
    let [section, volume] =
        [worst.section_loss, worst.volume_loss].map(|losses| losses.map(|loss| 100.0 * loss));
    talk.say(&format!(
        "{}: {} vertices changed; at {:.0}° the sharpest turn was {:.1}° and is {:.1}°, the section lost {:.1} % and loses {:.1} %, \
         the volume lost {:.1} % and loses {:.1} %",
        joint.bone,
        joint.vertices,
        worst.angle_deg,
        worst.turn_deg[0],
        worst.turn_deg[1],
        section[0],
        section[1],
        volume[0],
        volume[1]
    ));
}

fn say(talk: &Talk, told: &RigReport) {
    told.optimized.iter().for_each(|joint| say_optimized(talk, joint));
    if let Some(boxes) = &told.boxes {
        talk.say(&format!(
            "boxes: {} vertices follow one bone, {} several, {} are in no box and keep their weights; {} boxes move nothing",
            boxes.rigid_vertices, boxes.soft_vertices, boxes.outside_vertices, boxes.unused_boxes
        ));
    }
    if let Some(change) = &told.calibration {
        let count = change.joints.iter().filter(|joint| joint.is_calibrated).count();
        talk.say(&format!(
            "calibrated {} joints ({} left: their weights do not follow the axis): {} vertices changed, by {:.4} in the mean, {:.4} at most",
            count,
            change.joints.len() - count,
            change.vertices, change.mean_change, change.largest_change
        ));
    }
    talk.say(&format!(
        "{} with {} rules for joints; c, r0 and r1 for {} of {} vertices",
        told.method,
        told.joints.len(),
        told.spherical_vertices,
        told.vertices
    ));
}
