//! The figures of \[Hagihara14\], rebuilt with numbers: its models 1 to 7 by every method, and the curves of its figures 1 to 4.
//!
//! [`FigureModel`] builds and poses a model, [`FigureModel::measured`] deforms and measures it, [`write_skinning`] writes everything as
//! pictures and tables.

mod body;
mod body_hands;
mod body_nets;
mod body_people_sheet;
mod body_pose_sheet;
mod body_poses;
mod chain;
mod elastic;
mod fit;
mod flesh;
mod loci;
mod measured;
mod models;
mod sheets;

use anyhow::Result;
pub use body::{BodyFigures, write_body};
pub(crate) use body_poses::whole_pose;
pub use elastic::{BetaRow, ElasticFigures, SagRow, TimingRow, write_elastic};
pub use fit::{DegreeRow, ExampleRow, FitFigures, HelperRow, StepRow, SubjectFigures, write_fit};
pub use flesh::{ElbowRow, FleshBetaRow, FleshFigures, JumpRow, write_flesh};
use glam::Vec3;
pub use measured::Measured;
pub use models::FigureModel;
pub use sheets::{METHODS, SWEEP};
pub(crate) use sheets::{loci_sheet, model_sheet};
use sinew_geometry::progress::Interrupted;
use sinew_picture::chart::{COLORS, Chart, Curve};
use sinew_picture::compare::{MeasureRow, csv, markdown, title_of};
use sinew_render::{
    Camera, Image, Overlay, OverlayDepth, RenderError, RenderSettings, Renderer, Rgba8, Scene,
};
use sinew_skin::{DEFAULT_S, Method, RotationBlend};
use std::path::{Path, PathBuf};

/// Told the share done; `false` stops.
pub type OnShare<'a> = dyn Fn(f32) -> bool + 'a;

fn go_on(on_progress: &OnShare<'_>, share: f32) -> Result<()> {
    if on_progress(share) { Ok(()) } else { Err(Interrupted.into()) }
}

/// What was written.
#[derive(Clone, Debug)]
pub struct FiguresReport {
    /// One row per model and method, those of the sweep of s at the end.
    pub rows: Vec<MeasureRow>,
    /// Every file.
    pub files: Vec<PathBuf>,
}

/// Writes the figures of the skinning methods to `folder`: a sheet for each model, the center curves, the sweep of s, SBS+ by slerp and by nlerp, weights that are not linear, `measures.csv`
/// and `table.md`. `size`: pixels of one picture. `on_progress` is told the share done; `false` stops.
///
/// # Errors
/// Something cannot be drawn or written, or `on_progress` stops.
pub fn write_skinning(folder: &Path, size: Size, on_progress: &OnShare<'_>) -> Result<FiguresReport> {
    let mut writer = Writer::new(folder)?;
    let mut rows = Vec::new();
    let models = FigureModel::all();
    for (index, model) in models.iter().enumerate() {
        go_on(on_progress, index as f32 / (models.len() + 2) as f32)?;
        let mut figures: Vec<Measured> = METHODS.iter().map(|&method| model.measured(method)).collect();
        rows.extend(figures.iter().map(|figure| figure.row(model)));
        if model.key == "model1" {
            // Fig. 8: f2 alone, the straight line from r0 to r1.
            figures.insert(2, model.measured(loci::sdef_at(0.0)));
        }
        let title = format!("Model {} ({} of the source)", model.title, model.source);
        let sheet = sheets::titled_sheet((model, &figures), &title, named_f2, size)?;
        writer.picture(&format!("{}.png", model.key), &sheet)?;
    }
    let hose = FigureModel::wide_cylinder();
    let figures: Vec<Measured> = SWEEP.iter().map(|&s| hose.measured(loci::sdef_at(s))).collect();
    rows.extend(
        figures.iter().map(|figure| MeasureRow { method: named_s(figure.method), ..figure.row(&hose) }),
    );
    let title = "Model 6 by SBS+ (Eq. 22), from s = 1, which is SBS, to s = 0, a straight line";
    let name = |figure: &Measured| match figure.method {
        Method::Sdef { s, .. } => format!("s = {s}"),
        other => title_of(other),
    };
    writer.picture("sweep-model6.png", &sheets::titled_sheet((&hose, &figures), title, name, size)?)?;
    writer.picture("sweep-loci.png", &sheets::sweep_drawing((size.0 * 3 / 2, size.1 * 3 / 2))?)?;
    // Fig. 9 to 12 and 16 show other programs, which differ in how they blend rotations: by slerp, or by nlerp.
    for model in models.iter().filter(|model| ["model1", "model2"].contains(&model.key)) {
        let figures = VIEWERS.map(|method| model.measured(method));
        rows.push(figures[1].row(model));
        let source = if model.key == "model1" { "fig. 9–13" } else { "fig. 16 and 17" };
        let title = format!("Model {} by SBS+ as programs differ ({source} of the source)", model.title);
        let sheet = sheets::viewer_sheet(model, &figures, &title, size)?;
        writer.picture(&format!("viewers-{}.png", model.key), &sheet)?;
    }
    write_weights(&mut writer, &mut rows, size)?;
    go_on(on_progress, 0.95)?;
    writer.picture("loci.png", &sheets::loci_sheet(size)?)?;
    writer.bytes("measures.csv", csv(&rows).as_bytes())?;
    writer.bytes("table.md", markdown(&rows).as_bytes())?;
    Ok(FiguresReport { rows, files: writer.files })
}

/// Models 2 and 6 with weights by smoothstep, and calibrated: weights that are not linear bend the middle of the curve, as in the source's fig. 16 to 18.
fn write_weights(writer: &mut Writer<'_>, rows: &mut Vec<MeasureRow>, size: Size) -> Result<()> {
    let strips = [
        (FigureModel::strip_bent(), "linear"),
        (FigureModel::strip_smoothstep(), "smoothstep"),
        (FigureModel::strip_smoothstep().calibrated("model2-calibrated"), "calibrated: as linear"),
    ];
    let hoses =
        [FigureModel::wide_smoothstep(), FigureModel::wide_smoothstep().calibrated("model6-calibrated")];
    for model in strips[1..].iter().map(|(model, _)| model).chain(&hoses) {
        rows.extend([Method::SDEF, Method::BEZIER].map(|method| model.measured(method).row(model)));
    }
    // Calibrated weights are linear between r0 and r1, whatever they were.
    let title = "Model 2: weights linear, smoothstep, and smoothstep calibrated, which is linear (fig. 16–18 of the source)";
    writer.picture("weights-model2.png", &sheets::weight_sheet(&strips, title, size)?)
}

/// The method's name; the straight line is f2 of the source.
fn named_f2(figure: &Measured) -> String {
    match figure.method {
        Method::Sdef { s: 0.0, .. } => "f2 alone".into(),
        other => title_of(other),
    }
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

impl<'a> Writer<'a> {
    fn new(folder: &'a Path) -> Result<Self> {
        crate::make_folder(folder)?;
        Ok(Self { folder, files: Vec::new() })
    }

    fn picture(&mut self, name: &str, image: &Image) -> Result<()> {
        self.bytes(name, &image.encode_png()?)
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<()> {
        let path = self.folder.join(name);
        crate::write_file(&path, bytes)?;
        self.files.push(path);
        Ok(())
    }
}

/// A table: its head, and a line for each row.
fn table<T>(head: &str, rows: &[T], line: impl Fn(&T) -> String) -> String {
    rows.iter().fold(format!("{head}\n"), |text, row| format!("{text}{}\n", line(row)))
}

/// Pixels, width and height.
type Size = (u32, u32);

/// A curve with dots, of a color by number.
fn curve(number: usize, name: &str, points: Vec<[f64; 2]>) -> Curve {
    Curve { name: name.into(), color: COLORS[number % COLORS.len()], points, has_dots: true }
}

/// Curves over the names of the two axes.
fn chart(title: &str, [x_name, y_name]: [&str; 2], y_range: [f64; 2], curves: Vec<Curve>) -> Chart {
    let [title, x_name, y_name] = [title, x_name, y_name].map(String::from);
    Chart { title, x_name, y_name, is_log_x: false, y_range, curves }
}

/// A line that nothing hides.
fn line(points: Vec<Vec3>, closed: bool, width_px: f32, color: Rgba8) -> Overlay {
    Overlay::Polyline { points, closed, width_px, color, depth: OverlayDepth::XRay }
}

/// A scene at standard quality.
fn drawn(scene: &Scene, camera: &Camera, (width, height): Size) -> Result<Image, RenderError> {
    let settings = RenderSettings { width, height, ..RenderSettings::default() };
    Renderer::new().render(scene, camera, &settings)
}
