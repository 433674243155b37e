//! `sinew render`.

use super::{frames, open_posed, skin_settings, warnings_json, write_png};
use crate::args::Render;
use crate::interrupt;
use crate::talk::Talk;
use anyhow::{Context, Result, bail};
use sinew::io::{Limits, PendingFile, Report};
use sinew::model::Frames;
use sinew::picture::video::VideoWriter;
use sinew::picture::{PictureSettings, Stage};
use sinew::render::Image;
use sinew::rig::Pose;
use sinew::skin::PosedCharacter;
use std::path::Path;

pub(crate) fn render(options: &Render, limits: &Limits, talk: &Talk) -> Result<()> {
    let mut report = Report::default();
    let (model, choice) = open_posed(&options.input, &options.pose, limits, &mut report)?;
    let frames = frames(&model.character, &choice, &options.pose, &options.input, &mut report)?;
    let kind = OutputKind::of(&options.output, frames.fps().is_some())?;
    let skin = skin_settings(&options.skin, &model.character, &mut report)?;
    let mut posed = PosedCharacter::bind(&model.character, skin);
    let settings = settings(options);
    let mut stage = Stage::new(&mut posed, &frames, &settings, &mut report)
        .with_context(|| options.input.display().to_string())?;
    talk.report(&options.input, &report);
    let mut shoot = Shoot { stage: &mut stage, posed: &mut posed, frames: &frames, talk };
    match kind {
        OutputKind::Picture => shoot.picture(&options.output)?,
        OutputKind::Folder => shoot.folder(&options.output)?,
        OutputKind::Gif => shoot.gif(&options.output)?,
        OutputKind::Mp4 => shoot.mp4(&options.output)?,
    }
    talk.say(&format!("wrote {}", options.output.display()));
    if options.is_json {
        let told = serde_json::json!({
            "output": options.output.display().to_string(),
            "frames": frames.count(),
            "fps": frames.fps(),
            "size": [options.size.0, options.size.1],
            "warnings": warnings_json(&report),
        });
        println!("{told:#}");
    }
    Ok(())
}

fn settings(options: &Render) -> PictureSettings {
    PictureSettings {
        camera: options.camera,
        size: options.size,
        show: options.show.clone(),
        quality: options.quality.into(),
        background: options.background,
        has_ground: !options.no_ground,
    }
}

/// What the output's name asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    Picture,
    Folder,
    Gif,
    Mp4,
}

impl OutputKind {
    fn of(output: &Path, is_clip: bool) -> Result<Self> {
        let extension = sinew::model::extension_of(output);
        Ok(match (extension.as_str(), is_clip) {
            ("png", false) => Self::Picture,
            ("gif", true) => Self::Gif,
            ("mp4", true) => Self::Mp4,
            ("", true) => Self::Folder,
            ("png", true) => bail!(
                "{}: a whole clip is many pictures; add --time, or write .gif, .mp4 or a folder",
                output.display()
            ),
            ("gif" | "mp4", false) => {
                bail!("{}: one pose is one picture; write .png, or add --clip", output.display())
            }
            ("", false) => bail!("{}: one pose is written as .png", output.display()),
            (other, _) => {
                bail!("{}: cannot draw to .{other}; known are .png, .gif, .mp4 and folders", output.display())
            }
        })
    }
}

/// A model on its stage, frame by frame.
struct Shoot<'a, 'c> {
    stage: &'a mut Stage,
    posed: &'a mut PosedCharacter,
    frames: &'a Frames<'c>,
    talk: &'a Talk,
}

impl Shoot<'_, '_> {
    fn picture(&mut self, output: &Path) -> Result<()> {
        let mut pose = Pose::rest(self.posed.character());
        let bar = self.talk.progress("drawing", 100);
        let image = self.draw(0, &mut pose, &|share| bar.set_position((100.0 * share) as u64))?;
        bar.finish_and_clear();
        write_png(&image, output)
    }

    fn folder(&mut self, output: &Path) -> Result<()> {
        std::fs::create_dir_all(output).with_context(|| output.display().to_string())?;
        let digits = self.frames.count().to_string().len().max(4);
        self.each(|frame, image| write_png(image, &output.join(format!("frame_{frame:0digits$}.png"))))
    }

    fn gif(&mut self, output: &Path) -> Result<()> {
        let mut pictures = Vec::new();
        self.each(|_, image| {
            pictures.push(image.clone());
            Ok(())
        })?;
        let fps = self.frames.fps().unwrap_or(30.0);
        let bytes = sinew::render::encode_gif(&pictures, fps as f32, &|_| ())
            .with_context(|| output.display().to_string())?;
        let mut file = PendingFile::create(output)?;
        file.write_bytes(&bytes)?;
        Ok(file.commit()?)
    }

    fn mp4(&mut self, output: &Path) -> Result<()> {
        let fps = self.frames.fps().unwrap_or(30.0);
        let mut video: Option<VideoWriter> = None;
        self.each(|_, image| {
            let writer = match &mut video {
                Some(writer) => writer,
                None => video.insert(VideoWriter::start(output, (image.width(), image.height()), fps)?),
            };
            Ok(writer.push(image)?)
        })?;
        Ok(video.context("a clip has at least one frame")?.finish()?)
    }

    /// Draws every frame and hands it to `take`.
    fn each(&mut self, mut take: impl FnMut(usize, &Image) -> Result<()>) -> Result<()> {
        let mut pose = Pose::rest(self.posed.character());
        let bar = self.talk.progress("drawing", self.frames.count());
        for frame in 0..self.frames.count() {
            interrupt::check()?;
            let image = self.draw(frame, &mut pose, &|_| ())?;
            take(frame, &image)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn draw(&mut self, frame: usize, pose: &mut Pose, progress: &(dyn Fn(f32) + Sync)) -> Result<Image> {
        self.frames.pose_into(frame, pose);
        self.posed.set(pose);
        Ok(self.stage.draw(self.posed, progress)?)
    }
}
