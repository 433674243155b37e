//! `sinew render`.

use super::{subject, warnings_json};
use crate::args::Render;
use crate::talk::Talk;
use anyhow::{Error, Result, anyhow};
use sinew::io::{Limits, Report};
use sinew::model::extension_of;
use sinew::picture::{PictureError, PictureSettings, Shoot};

pub(crate) fn render(options: &Render, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let subject = subject(&options.input, &options.pose, &options.skin).open(limits, &mut report)?;
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
    talk.report(&options.input, &report);
    let done = talk.watch("drawing", |progress| shoot.run(progress))?;
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let mut json = serde_json::to_value(&done)?;
        json["warnings"] = warnings_json(&report);
        println!("{json:#}");
    }
    Ok(())
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
        PictureError::Find(_) => Error::new(error).context(options.input.display().to_string()),
        other => other.into(),
    }
}
