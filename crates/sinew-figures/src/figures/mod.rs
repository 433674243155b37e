//! The figures of \[Hagihara14\], rebuilt with numbers: its models 1 to 7 by every method, and the curves of its figures 1 to 4.
//!
//! [`FigureModel`] builds and poses a model, [`FigureModel::measured`] deforms and measures it, [`write_skinning`] writes everything as
//! pictures and tables.

mod body;
mod body_poses;
mod chain;
mod elastic;
mod fit;
mod flesh;
mod loci;
mod measured;
mod models;
mod sheets;

pub use body::{BodyFigures, write_body};
pub(crate) use body_poses::whole_pose;
pub use elastic::{BetaRow, ElasticFigures, SagRow, TimingRow, write_elastic};
pub use fit::{DegreeRow, ExampleRow, FitFigures, HelperRow, StepRow, SubjectFigures, write_fit};
pub use flesh::{ElbowRow, FleshBetaRow, FleshFigures, JumpRow, write_flesh};
pub use measured::Measured;
pub use models::FigureModel;
pub use sheets::{METHODS, SWEEP};
pub(crate) use sheets::{loci_sheet, model_sheet};
use sinew_io::{OutputError, PendingFile};
use sinew_picture::compare::{MeasureRow, csv, markdown};
use sinew_render::{EncodeError, Image, RenderError};
use sinew_skin::{DEFAULT_S, Method, RotationBlend};
use std::path::{Path, PathBuf};

/// Why figures cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum FiguresError {
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
    /// A picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A picture of a character cannot be drawn.
    #[error(transparent)]
    Picture(#[from] sinew_picture::PictureError),
    /// A body cannot be made.
    #[error(transparent)]
    Body(#[from] sinew_scene::body::BodyError),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Png(#[from] EncodeError),
    /// A scene of soft bodies cannot be played.
    #[error(transparent)]
    Elastic(#[from] sinew_scene::SceneError),
    /// Flesh cannot be made.
    #[error(transparent)]
    Flesh(#[from] sinew_flesh::FleshRigError),
    /// A body cannot be skinned by its patches.
    #[error(transparent)]
    Patches(#[from] sinew_body::pose::PaletteError),
    /// A body is no human.
    #[error(transparent)]
    Humanoid(#[from] sinew_model::motion::HumanoidError),
    /// It cannot jump.
    #[error(transparent)]
    Jump(#[from] sinew_motion::GaitError),
    /// Helper bones cannot be fitted.
    #[error(transparent)]
    Fit(#[from] sinew_helpers::FitError),
    /// A limb of the benchmark.
    #[error("cannot make the benchmark's limb: {message}")]
    Limb {
        /// Why.
        message: String,
    },
    /// Threads cannot be had.
    #[error("cannot start threads: {message}")]
    Threads {
        /// What the system says.
        message: String,
    },
    /// The caller wants no more.
    #[error("interrupted")]
    Interrupted,
}

/// What was written.
#[derive(Clone, Debug)]
pub struct FiguresReport {
    /// One row per model and method, those of the sweep of s at the end.
    pub rows: Vec<MeasureRow>,
    /// Every file.
    pub files: Vec<PathBuf>,
}

/// Writes the figures of the skinning methods to `folder`: a sheet for each model, the center curves, the sweep of s, SBS+ by slerp and by nlerp, `measures.csv` and
/// `table.md`. `size`: pixels of one picture. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_skinning(
    folder: &Path,
    size: (u32, u32),
    on_progress: &dyn Fn(f32) -> bool,
) -> Result<FiguresReport, FiguresError> {
    std::fs::create_dir_all(folder).map_err(|source| FiguresError::Folder { path: folder.into(), source })?;
    let mut writer = Writer { folder, files: Vec::new() };
    let mut rows = Vec::new();
    let models = FigureModel::all();
    for (index, model) in models.iter().enumerate() {
        if !on_progress(index as f32 / (models.len() + 2) as f32) {
            return Err(FiguresError::Interrupted);
        }
        let figures: Vec<Measured> = METHODS.iter().map(|&method| model.measured(method)).collect();
        rows.extend(figures.iter().map(|figure| figure.row(model)));
        writer.picture(&format!("{}.png", model.key), &sheets::model_sheet(model, &figures, size)?)?;
    }
    let hose = FigureModel::wide_cylinder();
    let figures: Vec<Measured> = SWEEP.iter().map(|&s| hose.measured(loci::sdef_at(s))).collect();
    rows.extend(
        figures.iter().map(|figure| MeasureRow { method: named_s(figure.method), ..figure.row(&hose) }),
    );
    writer.picture("sweep-model6.png", &sheets::model_sheet(&hose, &figures, size)?)?;
    writer.picture("sweep-loci.png", &sheets::sweep_drawing((size.0 * 3 / 2, size.1 * 3 / 2))?)?;
    // Fig. 9 to 12 and 16 show other programs, which differ in how they blend rotations: by slerp, or by nlerp.
    for model in models.iter().filter(|model| ["model1", "model2"].contains(&model.key)) {
        let figures: Vec<Measured> = VIEWERS.iter().map(|&method| model.measured(method)).collect();
        rows.extend(figures[1..].iter().map(|figure| figure.row(model)));
        let name = format!("viewers-{}.png", model.key);
        writer.picture(&name, &sheets::model_sheet(model, &figures, size)?)?;
    }
    if !on_progress(0.95) {
        return Err(FiguresError::Interrupted);
    }
    writer.picture("loci.png", &sheets::loci_sheet(size)?)?;
    writer.bytes("measures.csv", csv(&rows).as_bytes())?;
    writer.bytes("table.md", markdown(&rows).as_bytes())?;
    Ok(FiguresReport { rows, files: writer.files })
}

/// SBS+ as other programs compute it.
const VIEWERS: [Method; 2] = [Method::SDEF, Method::Sdef { s: DEFAULT_S, rotation: RotationBlend::Nlerp }];

/// The share said even where it is the usual one.
fn named_s(method: Method) -> String {
    match method {
        Method::Sdef { s, .. } => format!("sdef:s={s}"),
        other => other.to_string(),
    }
}

struct Writer<'a> {
    folder: &'a Path,
    files: Vec<PathBuf>,
}

impl Writer<'_> {
    fn picture(&mut self, name: &str, image: &Image) -> Result<(), FiguresError> {
        self.bytes(name, &image.encode_png()?)
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), FiguresError> {
        let path = self.folder.join(name);
        let mut file = PendingFile::create(&path)?;
        file.write_bytes(bytes)?;
        file.commit()?;
        self.files.push(path);
        Ok(())
    }
}
