//! `sinew rig`.

use super::{parsed, print_outcome, skin_choice};
use crate::args::{NameOptions, SkinOptions};
use crate::talk::Talk;
use anyhow::Result;
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::model::rigging::{BoxFile, RigReport, RigRequest, RigSettings, SphericalSource, rig_file};
use std::path::{Path, PathBuf};

/// `sinew rig`.
#[derive(Args, Debug)]
#[command(after_help = "\
Writes c, r0 and r1 of every vertex between bones (_SDEF_C, _SDEF_R0, _SDEF_R1), methods (_SINEW_METHOD) and rules (SINEW_skin) into a
glTF file, or SDEF vertices into a PMX; `sinew skin` and `sinew render` then follow them. Without --method it is what the file
says, else sdef; for a .pmx sdef:s=0.9, which keeps elbows fuller (any s is written into R0 and R1, so that MMD needs not know it).
boxes.toml has a [[box]] for each bone: bone = \"LeftArm\", min = [x,y,z], max = [x,y,z], space = \"bone\" (its rest frame) or \"rest\";
a vertex in one box follows that bone, overlaps make linear weights and soft ranges.

Examples:
  sinew rig fox.glb --spherical auto -o fox-sdef.glb
  sinew rig hero.glb --spherical auto --calibrate --method bezier --joint \"Spine*=dlb\" -o hero-soft.glb
  sinew rig arm.glb --spherical boxes.toml --json -o arm-soft.glb
  sinew rig hero.glb --spherical auto -o hero.pmx      any character as an SDEF model of MMD")]
pub(crate) struct Rig {
    /// The model: .glb, .gltf, .vrm, .pmx or .pmd
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    /// Source of c, r0 and r1: auto (skeleton and weights), or a file with a box per bone, which also sets the weights
    #[arg(long, value_name = "auto|boxes.toml", default_value = "auto")]
    pub(crate) spherical: PathBuf,
    /// Make each joint's weights linear along its axis, and report the change
    #[arg(long = "calibrate")]
    pub(crate) is_calibrated: bool,
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
            ..RigSettings::default()
        },
        save: options.names.settings(),
    };
    let mut report = Report::default();
    let done = rig_file(&request, limits, &mut report);
    talk.report(&options.input, &report);
    let done = done?;
    talk.report(&options.output, &done.losses);
    say(talk, &done.rig);
    talk.wrote(&options.output);
    print_outcome(options.is_json, &done, &report)
}

fn say(talk: &Talk, told: &RigReport) {
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
