//! A figure in one smooth skin: posed, drawn, filmed, and written in every format.

use super::{Demo, draw, not_the_same};
use anyhow::Result;
use sinew_geometry::progress::{Progress, Step};
use sinew_io::{Limits, Report};
use sinew_model::inspect::Summary;
use sinew_model::{Frames, Model, PoseChoice};
use sinew_picture::{CameraChoice, PictureSettings, Show, Stage};
use sinew_render::{Image, Quality, View, encode_gif};
use sinew_rig::{Character, Clip, Pose, samples};
use sinew_skin::{Method, PosedCharacter};
use std::ops::ControlFlow;

/// Frames a second of the moving pictures: smooth enough, and half the size of 30.
const FILM_FPS: f64 = 15.0;

/// Returns the figure.
pub(super) fn run(demo: &mut Demo<'_>) -> Result<Character> {
    demo.progress("building the figure", 0.0)?;
    let figure = samples::figure();
    let model = Model::new(figure.clone());

    demo.progress("drawing the figure", 0.05)?;
    let squat = PoseChoice::ClipAt { clip: "squat".into(), time_secs: 1.4 };
    let portrait = |show: Show| {
        let (camera, size, show) = (CameraChoice::View(View::ThreeQuarter), (720, 800), vec![show]);
        PictureSettings { camera, size, show, ..PictureSettings::default() }
    };
    let high = PictureSettings { quality: Quality::High, size: (1280, 800), ..PictureSettings::default() };
    let views =
        PictureSettings { camera: CameraChoice::Sheet, size: (1280, 1280), ..PictureSettings::default() };
    let of_thigh = Show::Weights("LeftUpperLeg".into());
    let mut picture = |name: &str, choice: &PoseChoice, settings: PictureSettings, shares| {
        let image = picture(demo, &figure, choice, &settings, shares)?;
        demo.write_picture(name, &image)
    };
    let hero = picture("figure.png", &hero_choice(), high, (0.05, 0.3))?;
    let sheet = picture("figure-views.png", &PoseChoice::Rest, views, (0.3, 0.4))?;
    let bones = picture("figure-bones.png", &squat, portrait(Show::Bones), (0.4, 0.44))?;
    let wire = picture("figure-wire.png", &squat, portrait(Show::Wire), (0.44, 0.48))?;
    let weights = picture("figure-weights.png", &squat, portrait(of_thigh), (0.48, 0.5))?;
    let film = film(demo, &figure, "wave", (0.5, 0.72))?;

    demo.progress("writing files", 0.72)?;
    let sizes = write_files(demo, &model)?;

    demo.page.heading("A figure");
    demo.page.paragraph(
        "A mannequin of one closed skin, from round cones and cross-sections blended into an implicit surface, with a humanoid \
         skeleton, smooth weights, two clips and a morph.",
    );
    demo.page.figures([(hero, "Waving, drawn with ray-traced light")]);
    demo.page.figures([(sheet, "In rest pose, from four sides"), (film, "The clip \u{201c}wave\u{201d}")]);
    demo.page.figures([
        (bones, "The skeleton in the clip \u{201c}squat\u{201d}"),
        (wire, "The triangles"),
        (weights, "How much the left thigh moves each vertex"),
    ]);
    numbers(demo, &figure, &sizes);
    Ok(figure)
}

/// The moment of the wave with the arm up.
fn hero_choice() -> PoseChoice {
    PoseChoice::ClipAt { clip: "wave".into(), time_secs: 1.1 }
}

/// Draws one pose; `shares` is the part of the demo's progress that it takes.
fn picture(
    demo: &Demo<'_>,
    figure: &Character,
    choice: &PoseChoice,
    settings: &PictureSettings,
    shares: (f32, f32),
) -> Result<Image> {
    let watch = |step: &Step<'_>| {
        // Whether to stop is asked after the picture.
        let share = shares.0 + (shares.1 - shares.0) * step.share as f32;
        let _ = (demo.on_progress)("drawing the figure", share);
        ControlFlow::Continue(())
    };
    let image = draw(figure, choice, Method::Lbs, settings, &Progress::new(&watch))?;
    demo.progress("drawing the figure", shares.1)?;
    Ok(image)
}

/// Films a whole clip.
fn film(demo: &mut Demo<'_>, figure: &Character, clip: &str, shares: (f32, f32)) -> Result<Vec<u8>> {
    let frames = Frames::new(figure, &PoseChoice::Clip { clip: clip.into(), fps: FILM_FPS })?;
    let settings = PictureSettings {
        size: (400, 480),
        camera: CameraChoice::View(View::Front),
        ..PictureSettings::default()
    };
    let mut posed = PosedCharacter::bind(figure, Method::Lbs);
    let mut stage = Stage::new(&mut posed, &frames, &settings, &mut Report::default())?;
    let mut pose = Pose::rest(figure);
    let mut pictures = Vec::new();
    // The last frame of a loop is its first again.
    let count = frames.count().saturating_sub(1).max(1);
    for frame in 0..count {
        demo.progress("filming the figure", shares.0 + (shares.1 - shares.0) * frame as f32 / count as f32)?;
        frames.pose_into(frame, &mut pose);
        posed.set(&pose);
        pictures.push(stage.draw(&posed, &Progress::none())?);
    }
    let gif = encode_gif(&pictures, FILM_FPS as f32, &|_| ())?;
    demo.write(&format!("figure-{clip}.gif"), &gif)?;
    Ok(gif)
}

/// Writes the figure in every format, reads it back where it can be, and returns a table of what was written.
fn write_files(demo: &mut Demo<'_>, model: &Model) -> Result<Vec<Vec<String>>> {
    let mut rows = Vec::new();
    for (name, what) in
        [("figure.glb", "the rigged figure"), ("figure.gltf", "the same, as text with its data beside")]
    {
        let path = demo.save(name, model)?;
        let read = Model::open(&path, &Limits::default(), &mut Report::default())?;
        if read.character.meshes() != model.character.meshes()
            || read.character.clips() != model.character.clips().iter().map(in_gltf).collect::<Vec<_>>()
        {
            return Err(not_the_same(&path));
        }
        rows.push(demo.file_row(name, &format!("{what}; read back, it is the same")));
    }
    let hero = hero_choice();
    rows.push(demo.export(model, &hero, "figure-posed.obj", "the waving pose as OBJ")?);
    rows.push(demo.export(model, &hero, "figure-posed.npy", "its vertices as a NumPy array")?);
    Ok(rows)
}

/// The clip as glTF can hold it: times of 32 bits.
fn in_gltf(clip: &Clip) -> Clip {
    let mut clip = clip.clone();
    let times_secs = clip.tracks.iter_mut().flat_map(|track| &mut track.times_secs);
    times_secs.for_each(|time_secs| *time_secs = f64::from(*time_secs as f32));
    clip
}

fn numbers(demo: &mut Demo<'_>, figure: &Character, sizes: &[Vec<String>]) {
    let summary = Summary::of(figure, &Report::default());
    let rows = [
        ("vertices", summary.vertices.to_string()),
        ("triangles", summary.triangles.to_string()),
        ("bones", summary.bones.len().to_string()),
        ("most influences of a vertex", summary.max_influences.to_string()),
        ("sets of bones", summary.bone_sets.to_string()),
        ("height", format!("{:.2} m", summary.bounds.max[1] - summary.bounds.min[1])),
    ];
    demo.page.table(&["figure", ""], &rows.map(|(what, value)| vec![what.to_owned(), value]));
    demo.page.heading("Files");
    demo.page.table(&["file", "what it is", "size"], sizes);
    demo.page.paragraph("The same from the command line, on any skinned glTF or VRM file:");
    demo.page.commands(&[
        "sinew inspect figure.glb",
        "sinew render figure.glb --clip wave --time 1.1 --quality high -o figure.png",
        "sinew render figure.glb --clip wave -o wave.gif",
        "sinew skin figure.glb --clip squat -o squat.npy",
    ]);
}
