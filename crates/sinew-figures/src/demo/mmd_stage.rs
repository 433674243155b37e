//! The figure as a model of MMD: SDEF written into a PMX, a motion into a VMD, both read again, played, and baked for engines.

use super::{Demo, draw, not_the_same};
use anyhow::Result;
use glam::Vec3;
use sinew_geometry::progress::Progress;
use sinew_helpers::{FitRequest, MmdRequest, fit_character};
use sinew_io::{Limits, Report};
use sinew_mmd::vmd::Vmd;
use sinew_model::motion::MotionChoice;
use sinew_model::rigging::{DefaultMethod, RigSettings, rig};
use sinew_model::{Document, Frames, Model, PoseChoice, SaveSettings};
use sinew_picture::{CameraChoice, PictureSettings};
use sinew_render::{Image, contact_sheet};
use sinew_rig::{BoneId, Character, Pose};
use sinew_skin::measures::{JointMeasures, JointRings, joint_probes};
use sinew_skin::{Method, PosedCharacter, SkinSettings};
use std::path::Path;

/// The clip that is written as a motion.
const CLIP: &str = "squat";

/// Its lowest moment.
const TIME_SECS: f64 = 1.4;

/// The joint that bends most there.
const JOINT: &str = "左ひざ";

/// A tenth of what a careful eye sees: two bones' blend, through MMD's units and back.
const TENTH_MM: f32 = 1e-4;

pub(super) fn run(demo: &mut Demo<'_>, figure: &Character) -> Result<()> {
    demo.progress("figure for MMD", 0.84)?;
    let settings = RigSettings { default_method: DefaultMethod::Smoothest, ..RigSettings::default() };
    let (rigged, told) = rig(figure.clone(), &settings)?;
    let rigged = Model::new(rigged);
    let mut rows = write_files(demo, &rigged)?;
    let mut model = read_again(demo.folder)?;
    let motion = MotionChoice::new(demo.folder.join("figure.vmd"));
    let motion = model.add_motion(&motion, &Limits::default(), &mut Report::default())?;
    let moment = PoseChoice::ClipAt { clip: motion, time_secs: TIME_SECS };
    require_same_shape(demo.folder, &rigged.character, &model.character, &moment)?;

    demo.progress("figure for MMD", 0.85)?;
    demo.save("figure-mmd.glb", &model)?;
    let what = "the PMX with the VMD as a clip, IK and following bones baked, for engines";
    rows.push(demo.file_row("figure-mmd.glb", what));

    let settings = PictureSettings { size: (720, 640), ..PictureSettings::default() };
    let own = SkinSettings::authored(&model.character).0;
    let whole = draw(&model.character, &moment, own, &settings, &Progress::none())?;
    let whole = demo.write_picture("figure-mmd.png", &whole)?;
    demo.progress("figure for MMD", 0.86)?;
    let knee = demo.write_picture("figure-mmd-knee.png", &joint_sheet(&model.character, &moment)?)?;

    demo.page.heading("A model for MMD");
    demo.page.paragraph(&format!(
        "MikuMikuDance moves vertices between two bones by SDEF: it turns them about a center of their own instead of blending the \
         bones' matrices, so that bent elbows and knees keep their volume. Each vertex carries the center C and the ends R0 and R1 \
         of its soft range, which hardly any tool can make. Sinew derives them from skeleton and weights, so that any rigged \
         character becomes an SDEF model; here {} of the figure\u{2019}s {} vertices lie between bones. The motion is a VMD, read \
         again and played on the PMX.",
        told.spherical_vertices, told.vertices
    ));
    demo.page.figures([
        (whole, "figure.pmx, moved by figure.vmd and skinned as the file says"),
        (knee, "The same pose of the knee by linear blending (BDEF) and by the file\u{2019}s SDEF"),
    ]);
    let kept = write_helpers(demo, figure)?;
    rows.push(
        demo.file_row(
            "figure-helpers.pmx",
            "the figure with helper bones that follow others, for every viewer",
        ),
    );
    demo.page.paragraph(&format!(
        "MMD has no controllers, but bones that follow a share of another\u{2019}s turn. Helper bones are fitted anew as chains of \
         such bones: figure-helpers.pmx keeps {:.0} % of what the helpers of a glTF file take away, without a single key.",
        100.0 * kept
    ));
    demo.page.table(&["file", "what it is", "size"], &rows);
    demo.page.commands(&[
        "sinew rig figure.glb -o figure.pmx                  # any rigged character as an SDEF model",
        "sinew check figure.pmx                              # is anything wrong with it?",
        "sinew render figure.pmx --motion figure.vmd --time 1.4 -o squat.png",
        "sinew compare figure.pmx --motion figure.vmd --time 1.4 --methods lbs,sdef --focus 左ひざ -o knee.png",
        "sinew convert figure.pmx figure-mmd.glb --motion figure.vmd",
        "sinew fit figure.glb --from bezier --helpers 6 -o figure-helpers.pmx",
    ]);
    Ok(())
}

/// Writes model and motion, and returns their rows of the table of files.
fn write_files(demo: &mut Demo<'_>, rigged: &Model) -> Result<Vec<Vec<String>>> {
    demo.save("figure.pmx", rigged)?;
    let clip = rigged.character.find_clip(CLIP)?;
    let clip = &rigged.character.clips()[clip.index()];
    let bytes = rigged.vmd_bytes(clip, &SaveSettings::default(), &mut Report::default());
    demo.write("figure.vmd", &bytes)?;
    let path = demo.folder.join("figure.vmd");
    let read = std::fs::read(&path)
        .ok()
        .and_then(|bytes| Vmd::read(&bytes, &Limits::default(), &mut Report::default()).ok());
    if read.is_none_or(|read| read.write() != bytes) {
        return Err(not_the_same(&path));
    }
    let pmx = "the figure with SDEF vertices; read and written again, it is the same, byte for byte";
    let vmd = "the clip \u{201c}squat\u{201d} as a motion; read again, it is the same";
    Ok(vec![demo.file_row("figure.pmx", pmx), demo.file_row("figure.vmd", vmd)])
}

/// Writes the figure with helper bones that follow others; the share of what helpers in glTF remove that these do, on poses not fitted.
fn write_helpers(demo: &mut Demo<'_>, figure: &Character) -> Result<f64> {
    let mut request = FitRequest { mmd: Some(MmdRequest::default()), ..FitRequest::default() };
    (request.rig.helpers.helper_count, request.rig.helpers.start_count) = (6, 6);
    (request.rig.pose_count, request.rig.held_out_count) = (80, 50);
    let model = Model::new(figure.clone());
    let fitted = fit_character(&model, &request, &Progress::new(&demo.watch("helpers for MMD", 0.86, 0.88)));
    let mut outcome = fitted?;
    let held_out = outcome.held_out.zip(outcome.append.as_ref().and_then(|append| append.held_out));
    outcome.save(
        model,
        &demo.path("figure-helpers.pmx"),
        &SaveSettings::default(),
        &mut Report::default(),
    )?;
    Ok(held_out.map_or(0.0, |(gltf, mmd)| {
        (mmd.rms_plain - mmd.rms) / (gltf.rms_plain - gltf.rms).max(f64::MIN_POSITIVE)
    }))
}

/// The PMX, opened again; written once more it must be the same.
fn read_again(folder: &Path) -> Result<Model> {
    let path = folder.join("figure.pmx");
    let model = Model::open(&path, &Limits::default(), &mut Report::default())?;
    let again = match &model.document {
        Some(Document::Pmx(document)) => document.to_bytes(),
        _ => Vec::new(),
    };
    match std::fs::read(&path) {
        Ok(bytes) if bytes == again => Ok(model),
        _ => Err(not_the_same(&path)),
    }
}

/// The PMX moved by the VMD must stand as the figure does in its own clip, wherever PMX has the means: at vertices of two bones.
fn require_same_shape(
    folder: &Path,
    figure: &Character,
    model: &Character,
    moment: &PoseChoice,
) -> Result<()> {
    let own_moment = PoseChoice::ClipAt { clip: CLIP.into(), time_secs: TIME_SECS };
    let own = posed(figure, &own_moment, SkinSettings::authored(figure).0)?;
    let read = posed(model, moment, SkinSettings::authored(model).0)?;
    let influences = own.bound().influences();
    let (own_positions, positions) = (&own.surface().positions, &read.surface().positions);
    let is_same = own_positions.len() == positions.len()
        && (0..positions.len())
            .filter(|&vertex| influences.of(vertex).0.len() <= 2)
            .all(|vertex| own_positions[vertex].distance(positions[vertex]) < TENTH_MM);
    if is_same { Ok(()) } else { Err(not_the_same(&folder.join("figure.vmd"))) }
}

fn posed(
    character: &Character,
    moment: &PoseChoice,
    settings: impl Into<SkinSettings>,
) -> Result<PosedCharacter> {
    let mut pose = Pose::rest(character);
    Frames::new(character, moment)?.pose_into(0, &mut pose);
    let mut posed = PosedCharacter::bind(character, settings);
    posed.set(&pose);
    Ok(posed)
}

/// The bent knee from the side, by linear blending and as the file says.
fn joint_sheet(character: &Character, moment: &PoseChoice) -> Result<Image> {
    let bone = character.skeleton().find(JOINT)?;
    let at = posed(character, moment, Method::Lbs)?.head(bone);
    let settings = PictureSettings { size: (480, 480), camera: beside(at), ..PictureSettings::default() };
    let linear = SkinSettings::from(Method::Lbs);
    let own = SkinSettings::authored(character).0;
    let mut cells = Vec::new();
    for (title, skin) in [("linear (BDEF)", linear), ("the file\u{2019}s SDEF", own)] {
        let image = draw(character, moment, skin.clone(), &settings, &Progress::none())?;
        let measures = measures(&posed(character, moment, skin)?, moment, bone)?;
        let words = measures.map_or_else(String::new, |measures| {
            format!(": thinnest section {:.0} %", 100.0 * measures.section_least.unwrap_or(1.0))
        });
        cells.push((image, format!("{title}{words}")));
    }
    Ok(contact_sheet(&cells, 2, None)?)
}

/// What the surface around a joint looks like.
fn measures(posed: &PosedCharacter, moment: &PoseChoice, bone: BoneId) -> Result<Option<JointMeasures>> {
    let (character, bound) = (posed.character(), posed.bound());
    let mut pose = Pose::rest(character);
    Frames::new(character, moment)?.pose_into(0, &mut pose);
    let matrices = bound.posed_from_rest(character, &pose);
    let joints = joint_probes(character, bound, &SkinSettings::from(Method::SDEF), &matrices);
    let Some(joint) = joints.iter().find(|joint| joint.bone == bone) else { return Ok(None) };
    let rings = JointRings::of(bound, joint);
    Ok(Some(JointMeasures::of(bound, joint, &rings, &posed.surface().positions)))
}

/// Straight from the figure's left, so that one leg hides the other, close enough for a knee to fill the picture.
fn beside(joint: Vec3) -> CameraChoice {
    let target = joint + Vec3::new(0.0, 0.0, -0.03);
    CameraChoice::At { eye: target + Vec3::new(1.4, 0.0, 0.0), target, vertical_fov_rad: 0.19 }
}
