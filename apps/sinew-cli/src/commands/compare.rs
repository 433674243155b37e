//! `sinew compare`.

use super::{print_outcome, subject};
use crate::args::parse::parse_picture_size;
use crate::args::{PoseOptions, SkinOptions};
use crate::commands::render::Quality;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use clap::Args;
use sinew::io::{Limits, Report};
use sinew::picture::compare::{CompareOutcome, CompareSettings, ComparedSkin, compare as compare_methods};
use sinew::picture::{CameraChoice, write_png};
use sinew::rig::Pose;
use std::path::PathBuf;

/// `sinew compare`.
#[derive(Args, Debug)]
#[command(after_help = "\
The upper row shows the pose by every method, the lower how far each vertex is from where the first method puts it.
Measures are those of the joints turned most, or of the focus, taken on the deformed vertices: kink of the limb's middle where the bones
begin and end to blend, sharpest turn between them, volume of the joint's part and least section over rest. docs/methods/sdef.md
says how they are defined. Methods use the file's own weights, C, R0 and R1.

Examples:
  sinew compare hero.glb --pose elbow.json --focus lowerarm_l -o elbow.png
  sinew compare fox.glb --clip Run --time 0.3 --methods lbs,dlb,sdef:s=0.3 -o fox.png --json
  sinew compare man.glb --motion walk --time 0.4 --methods lbs,bezier,patches,patches:bend=source -o man.png
  sinew compare hero.pmx --motion dance.vmd --time 2 --methods file,bezier -o hero.png")]
pub(crate) struct Compare {
    /// The model: .glb, .gltf, .vrm, .fbx, .pmx, .pmd or .obj
    #[arg(value_name = "IN")]
    pub(crate) input: PathBuf,
    #[command(flatten)]
    pub(crate) pose: PoseOptions,
    /// The methods, separated by commas: lbs, sbs, sdef, bezier, dlb, cor, delta_mush, with parameters as sdef:s=0.3; patches, of a body that `sinew body` wrote, as patches:volume=held,bend=source,twist=source; file: as the file says
    #[arg(long, value_name = "LIST", default_value = "lbs,sbs,sdef,bezier,dlb")]
    pub(crate) methods: MethodList,
    /// The bone whose joint fills the pictures, by name or #index [default: the whole model]
    #[arg(long, value_name = "BONE")]
    pub(crate) focus: Option<String>,
    /// front, side, back, three-quarter, top, or "eye=x,y,z target=x,y,z fov=35" [default: across the bend of the focus]
    #[arg(long, value_name = "CAMERA")]
    pub(crate) camera: Option<sinew::picture::CameraChoice>,
    /// Width and height of one picture in pixels
    #[arg(long, value_name = "WxH", default_value = "480x480", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// standard, or high: ray-traced soft shadows and ambient occlusion
    #[arg(long, value_enum, default_value = "standard")]
    pub(crate) quality: Quality,
    /// The sheet: .png
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print all numbers as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// Methods separated by commas. A comma is also what separates a method's parameters: a part with `=` and without `:` belongs to the method
/// before it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MethodList(pub(crate) Vec<ComparedSkin>);

impl std::str::FromStr for MethodList {
    type Err = sinew::play::patches::SkinMethodError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut parts: Vec<String> = Vec::new();
        for part in text.split(',') {
            match parts.last_mut() {
                Some(last) if part.contains('=') && !part.contains(':') => *last = format!("{last},{part}"),
                _ => parts.push(part.trim().to_owned()),
            }
        }
        Ok(Self(parts.iter().map(|part| part.parse()).collect::<Result<_, _>>()?))
    }
}

pub(crate) fn run(options: &Compare, limits: &Limits, talk: &Talk) -> Result<()> {
    if sinew::model::extension_of(&options.output) != "png" {
        bail!("{}: a comparison is one picture; write .png", options.output.display());
    }
    if options.camera == Some(CameraChoice::Sheet) {
        bail!("a comparison has one camera for all pictures; use a single view");
    }
    let mut report = Report::default();
    let skin = SkinOptions::default();
    let subject = subject(&options.input, &options.pose, &skin).open(limits, &mut report)?;
    let (character, frames) = (&subject.model.character, subject.frames());
    if frames.fps().is_some() {
        bail!("a comparison shows one pose; add --time");
    }
    let mut pose = Pose::rest(character);
    frames.pose_into(0, &mut pose);
    let settings = CompareSettings {
        methods: options.methods.0.clone(),
        camera: options.camera,
        size: options.size,
        focus: options.focus.clone(),
        quality: options.quality.into(),
    };
    let compared = compare_methods(character, &pose, &settings, &mut report);
    talk.report(&options.input, &report);
    let compared = compared.with_context(|| options.input.display().to_string())?;
    write_png(&options.output, &compared.sheet)?;
    talk.wrote(&options.output);
    let done = CompareOutcome { numbers: compared.numbers, output: options.output.clone() };
    print_outcome(options.is_json, &done, &report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_methods_keep_parameters_together() {
        let list = "lbs,sdef:s=0.3,rotation=nlerp,dlb,file"
            .parse::<MethodList>()
            .expect("three methods and the file");
        assert_eq!(list.0.len(), 4);
        assert_eq!(
            (list.0[1].to_string(), list.0[3]),
            ("sdef:s=0.3,rotation=nlerp".into(), ComparedSkin::File)
        );
        assert!("lbs,magic".parse::<MethodList>().is_err());
    }
}
