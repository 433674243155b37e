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
mod report_page;

use report_page::ReportPage;
use sinew_geometry::progress::{Progress, Step};
use sinew_io::{OutputError, PendingFile, Report};
use sinew_model::rigging::RigError;
use sinew_model::{Frames, Model, OpenError, PoseChoice, PoseChoiceError, SaveError};
use sinew_picture::PictureError;
use sinew_play::{PosedTake, TakeError, Targets, write_take};
use sinew_render::{EncodeError, Image, RenderError};
use sinew_rig::FindError;
use sinew_skin::{Method, PosedCharacter};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Why the demo stopped.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    /// The folder cannot be made.
    #[error("cannot create the folder {path:?}: {source}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A model cannot be saved.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// A model that was just saved cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A motion does not move a figure.
    #[error(transparent)]
    Motion(#[from] sinew_model::motion::MotionLoadError),
    /// A posed shape cannot be written.
    #[error(transparent)]
    Take(#[from] TakeError),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Picture(#[from] PictureError),
    /// A contact sheet cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A body of the demo's own cannot be made.
    #[error(transparent)]
    Body(#[from] sinew_scene::body::BodyError),
    /// A scene of the demo's cannot be filmed, played or written.
    #[error(transparent)]
    Scene(#[from] sinew_scene::SceneError),
    /// The demo's human cannot be skinned by its patches.
    #[error(transparent)]
    Patches(#[from] sinew_body::pose::PaletteError),
    /// The demo's human is none.
    #[error(transparent)]
    Humanoid(#[from] sinew_model::motion::HumanoidError),
    /// The demo's human cannot walk.
    #[error(transparent)]
    Gait(#[from] sinew_model::motion::GaitError),
    /// The demo's human gets no flesh.
    #[error(transparent)]
    Flesh(#[from] sinew_flesh::FleshRigError),
    /// The demo's helper bones cannot be fitted.
    #[error(transparent)]
    Fit(#[from] sinew_helpers::FitError),
    /// A figure of the demo's body cannot be drawn.
    #[error(transparent)]
    Figures(#[from] crate::figures::FiguresError),
    /// A picture or film that cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A bone or clip of the demo's own characters is missing.
    #[error(transparent)]
    Find(#[from] FindError),
    /// A pose of the demo's own does not fit.
    #[error(transparent)]
    Pose(#[from] PoseChoiceError),
    /// The demo's figure cannot be rigged.
    #[error(transparent)]
    Rig(#[from] RigError),
    /// A file that was written and read back is not the same.
    #[error("{path:?} differs when read back")]
    RoundTrip {
        /// The file.
        path: PathBuf,
    },
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}

/// What the demo tells while it runs: the stage, and how far it is in all, 0 to 1. `false` stops it.
pub type OnProgress<'a> = dyn Fn(&str, f32) -> bool + Sync + 'a;

/// Runs all stages into `folder` and returns the files written, the report first.
///
/// # Errors
/// Something cannot be written, or `on_progress` stops.
pub fn run(folder: &Path, on_progress: &OnProgress<'_>) -> Result<Vec<PathBuf>, DemoError> {
    std::fs::create_dir_all(folder).map_err(|source| DemoError::Folder { path: folder.into(), source })?;
    let page = ReportPage::new(
        "Sinew demo",
        "Everything below was built in code on this machine, posed, skinned and drawn by Sinew: no download, no GPU, no file read.",
    );
    let mut demo = Demo { folder, page, files: Vec::new(), on_progress, window: [0.0, 0.1] };
    let human = body_stage::run(&mut demo)?;
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
    fn progress(&self, what: &str, share: f32) -> Result<(), DemoError> {
        if self.goes_on(what, share) { Ok(()) } else { Err(DemoError::Interrupted) }
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

    fn write(&mut self, name: &str, bytes: &[u8]) -> Result<(), DemoError> {
        let mut file = PendingFile::create(self.path(name))?;
        file.write_bytes(bytes)?;
        Ok(file.commit()?)
    }

    /// Writes a picture and returns its bytes for the report.
    fn write_picture(&mut self, name: &str, image: &Image) -> Result<Vec<u8>, DemoError> {
        let bytes = image.encode_png()?;
        self.write(name, &bytes)?;
        Ok(bytes)
    }

    /// Writes the posed vertices of `choice` and returns a row for the table of files.
    fn export(
        &mut self,
        model: &Model,
        choice: &PoseChoice,
        name: &str,
        what: &str,
    ) -> Result<Vec<String>, DemoError> {
        let path = self.path(name);
        let frames = Frames::new(&model.character, choice)?;
        let posed = PosedCharacter::bind(&model.character, Method::Lbs);
        let mut take = PosedTake::new(model, posed, frames);
        write_take(&mut take, &Targets::file(&path), &mut Report::default(), &Progress::none())?;
        Ok(vec![name.to_owned(), what.to_owned(), size_of_file(&path)])
    }

    /// Writes the report and returns all files, the report first.
    fn finish(mut self) -> Result<Vec<PathBuf>, DemoError> {
        let page = std::mem::replace(&mut self.page, ReportPage::new("", ""));
        self.write("report.html", page.finish().as_bytes())?;
        self.progress("done", 1.0)?;
        self.files.rotate_right(1);
        Ok(self.files)
    }
}

fn size_of_file(path: &Path) -> String {
    let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
    if bytes < 100_000 {
        format!("{:.1} kB", bytes as f64 / 1e3)
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}
