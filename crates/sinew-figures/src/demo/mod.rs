//! The demo: characters from nothing, posed, drawn and written, with a report to look at.
//!
//! One file a stage; [`run`] calls them in order. A stage writes its files, adds its part to the report and says what it did.

mod body_stage;
mod elastic_stage;
mod figure_stage;
mod film_stage;
mod fit_stage;
mod flesh_stage;
mod limb_stage;
mod methods_stage;
mod mmd_stage;
mod people_stage;
mod report_page;

use anyhow::{Error, Result, anyhow};
use report_page::ReportPage;
use sinew_geometry::progress::{Interrupted, Progress, Step};
use sinew_io::Report;
use sinew_model::{Frames, Model, PoseChoice};
use sinew_picture::{PictureSettings, Stage};
use sinew_play::{PosedTake, Targets, write_take};
use sinew_render::Image;
use sinew_rig::Character;
use sinew_skin::{Method, PosedCharacter, SkinSettings};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A file that was written and read back is not the same.
fn not_the_same(path: &Path) -> Error {
    anyhow!("{path:?} differs when read back")
}

/// What the demo tells while it runs: the stage, and how far it is in all, 0 to 1. `false` stops it.
pub type OnProgress<'a> = dyn Fn(&str, f32) -> bool + Sync + 'a;

/// Runs all stages into `folder` and returns the files written, the report first.
///
/// # Errors
/// Something cannot be written, or `on_progress` stops.
pub fn run(folder: &Path, on_progress: &OnProgress<'_>) -> Result<Vec<PathBuf>> {
    crate::make_folder(folder)?;
    let page = ReportPage::new(
        "Sinew demo",
        "Everything below was built in code on this machine, posed, skinned and drawn by Sinew: no download, no GPU, no file read.",
    );
    let mut demo = Demo { folder, page, files: Vec::new(), on_progress, window: [0.0, 0.1] };
    let human = body_stage::run(&mut demo)?;
    people_stage::run(&mut demo)?;
    demo.window = [0.1, 0.35];
    film_stage::run(&mut demo)?;
    demo.window = [0.35, 0.4];
    elastic_stage::run(&mut demo)?;
    demo.window = [0.4, 0.5];
    flesh_stage::run(&mut demo, &human)?;
    demo.window = [0.65, 1.0];
    let figure = figure_stage::run(&mut demo)?;
    mmd_stage::run(&mut demo, &figure)?;
    limb_stage::run(&mut demo)?;
    methods_stage::run(&mut demo)?;
    demo.finish()
}

/// What the stages share.
struct Demo<'a> {
    folder: &'a Path,
    page: ReportPage,
    files: Vec<PathBuf>,
    on_progress: &'a OnProgress<'a>,
    /// Where the present stages begin and end, shares of the whole.
    window: [f32; 2],
}

impl Demo<'_> {
    /// Tells how far the present stages are, 0 to 1; an error if the caller wants no more.
    fn progress(&self, what: &str, share: f32) -> Result<()> {
        if self.goes_on(what, share) { Ok(()) } else { Err(Interrupted.into()) }
    }

    /// As [`Demo::progress`], for callers that ask by themselves.
    fn goes_on(&self, what: &str, share: f32) -> bool {
        let [begin, end] = self.window;
        (self.on_progress)(what, begin + (end - begin) * share)
    }

    /// As [`Demo::goes_on`], for jobs that report by themselves; `from` and `to` are shares of the present stages.
    fn watch(&self, what: &str, from: f32, to: f32) -> impl Fn(&Step<'_>) -> ControlFlow<()> + Sync {
        move |step: &Step<'_>| match self.goes_on(what, from + (to - from) * step.share as f32) {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    /// The path of a file of the demo, noted as written.
    fn path(&mut self, name: &str) -> PathBuf {
        let path = self.folder.join(name);
        self.files.push(path.clone());
        path
    }

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        Ok(crate::write_file(&self.path(name), bytes)?)
    }

    /// Writes a picture and returns its bytes for the report.
    fn write_picture(&mut self, name: &str, image: &Image) -> Result<Vec<u8>> {
        let bytes = image.encode_png()?;
        self.write(name, &bytes)?;
        Ok(bytes)
    }

    /// Writes the posed vertices of `choice` and returns a row for the table of files.
    fn export(&mut self, model: &Model, choice: &PoseChoice, name: &str, what: &str) -> Result<Vec<String>> {
        let path = self.path(name);
        let frames = Frames::new(&model.character, choice)?;
        let posed = PosedCharacter::bind(&model.character, Method::Lbs);
        let mut take = PosedTake::new(model, posed, frames);
        write_take(&mut take, &Targets::file(&path), &mut Report::default(), &Progress::none())?;
        Ok(self.file_row(name, what))
    }

    /// A row for the table of files.
    fn file_row(&self, name: &str, what: &str) -> Vec<String> {
        let bytes = std::fs::metadata(self.folder.join(name)).map_or(0, |metadata| metadata.len()) as f64;
        let (size, unit) = if bytes < 1e5 { (bytes / 1e3, "kB") } else { (bytes / 1e6, "MB") };
        vec![name.to_owned(), what.to_owned(), format!("{size:.1} {unit}")]
    }

    /// Writes a model in the format that its name says.
    fn save(&mut self, name: &str, model: &Model) -> Result<PathBuf> {
        let path = self.path(name);
        model.save(&path, &mut Report::default())?;
        Ok(path)
    }

    /// Writes the report and returns all files, the report first.
    fn finish(mut self) -> Result<Vec<PathBuf>> {
        let page = self.page.finish();
        self.write("report.html", page.as_bytes())?;
        self.progress("done", 1.0)?;
        self.files.rotate_right(1);
        Ok(self.files)
    }
}

/// A character in a pose, drawn.
fn draw(
    character: &Character,
    choice: &PoseChoice,
    skin: impl Into<SkinSettings>,
    settings: &PictureSettings,
    progress: &Progress<'_>,
) -> Result<Image> {
    let mut posed = PosedCharacter::bind(character, skin);
    let frames = Frames::new(character, choice)?;
    let mut stage = Stage::new(&mut posed, &frames, settings, &mut Report::default())?;
    Ok(stage.draw(&posed, progress)?)
}
