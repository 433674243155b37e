//! `sinew render`.

use super::print_outcome;
use crate::args::SubjectOptions;
use crate::args::parse::parse_picture_size;
use crate::talk::Talk;
use anyhow::{Error, Result, anyhow};
use clap::{Args, ValueEnum};
use sinew::io::{Limits, Report};
use sinew::model::extension_of;
use sinew::picture::{PictureError, PictureSettings, Shoot};
use std::path::PathBuf;

/// `sinew render`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew render fox.glb -o fox.png
  sinew render fox.glb --pose pose.json --camera \"eye=1,1.5,3 target=0,1,0 fov=35\" -o fox.png
  sinew render fox.glb --show bones,wire --quality high -o fox.png
  sinew render fox.glb --show weights=Hips -o hips.png
  sinew render fox.glb --method bezier --pose pose.json -o smooth.png
  sinew render fox.glb --clip Run -o run.gif")]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,
    /// front, side, back, three-quarter, top, all (a contact sheet), or "eye=x,y,z target=x,y,z fov=35"
    #[arg(long, value_name = "CAMERA", default_value = "three-quarter")]
    pub(crate) camera: sinew::picture::CameraChoice,
    /// Width and height in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", value_parser = parse_picture_size)]
    pub(crate) size: (u32, u32),
    /// Overlays, comma-separated: bones, wire, weights=BONE
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) show: Vec<sinew::picture::Show>,
    /// standard, or high: ray-traced soft shadows and ambient occlusion
    #[arg(long, value_enum, default_value = "standard")]
    pub(crate) quality: Quality,
    /// Background: studio, white, gray (or grey), or #rrggbb
    #[arg(long, value_name = "COLOR", default_value = "studio")]
    pub(crate) background: sinew::picture::BackgroundChoice,
    /// Leave out the ground and its shadow
    #[arg(long)]
    pub(crate) no_ground: bool,
    /// .png; for a whole clip .gif, .mp4 (needs ffmpeg), or a folder for PNG frames
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// Print what was drawn as JSON
    #[arg(long = "json")]
    pub(crate) is_json: bool,
}

/// How well to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Quality {
    /// A fraction of a second.
    Standard,
    /// Seconds: ray-traced soft shadows and ambient occlusion.
    High,
}

impl From<Quality> for sinew::render::Quality {
    fn from(quality: Quality) -> Self {
        match quality {
            Quality::Standard => Self::Standard,
            Quality::High => Self::High,
        }
    }
}

pub(crate) fn run(options: &Render, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let subject = options.subject.request().open(limits, &mut report);
    if subject.is_err() {
        talk.report(&options.subject.input, &report);
    }
    let subject = subject?;
    let settings = PictureSettings {
        camera: options.camera,
        size: options.size,
        show: options.show.clone(),
        quality: options.quality.into(),
        background: options.background,
        has_ground: !options.no_ground,
    };
    let shoot = Shoot::new(&subject, &settings, &options.output, &mut report)
        .map_err(|error| refusal(error, options))?;
    talk.report(&options.subject.input, &report);
    let done = talk.watch("drawing", |progress| shoot.run(progress))?;
    talk.wrote(&options.output);
    print_outcome(options.is_json, &done, &report)
}

/// Why a model is not drawn, with the options that help.
fn refusal(error: PictureError, options: &Render) -> Error {
    let (output, extension) = (options.output.display(), extension_of(&options.output));
    match error {
        PictureError::OnePicture { .. } => {
            anyhow!("{output}: a whole clip is many pictures; add --time, or write .gif, .mp4 or a folder")
        }
        PictureError::OnePose { .. } if extension.is_empty() => {
            anyhow!("{output}: one pose is written as .png")
        }
        PictureError::OnePose { .. } => {
            anyhow!("{output}: one pose is one picture; write .png, or add --clip")
        }
        PictureError::Kind { .. } => {
            anyhow!("{output}: cannot draw to .{extension}; known are .png, .gif, .mp4 and folders")
        }
        PictureError::Find(_) => Error::new(error).context(options.subject.input.display().to_string()),
        other => other.into(),
    }
}
