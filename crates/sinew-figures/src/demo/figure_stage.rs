//! A figure in one smooth skin: posed, drawn, filmed, and written in every format.

use super::report_page::Figure;
use super::{Demo, DemoError};
use sinew_geometry::progress::{Progress, Step};
use sinew_io::{Limits, Report};
use sinew_model::inspect::Summary;
use sinew_model::{Frames, Model, PoseChoice};
use sinew_picture::{CameraChoice, PictureSettings, Show, Stage};
use sinew_render::{Image, Quality, View, encode_gif};
use sinew_rig::{Character, Clip, Pose, samples};
use sinew_skin::Method;
use sinew_skin::PosedCharacter;
use std::ops::ControlFlow;

/// Frames a second of the moving pictures: smooth enough, and half the size of 30.
const FILM_FPS: f64 = 15.0;

/// Returns the figure.
pub(super) fn run(demo: &mut Demo<'_>) -> Result<Character, DemoError> {
    demo.progress("building the figure", 0.0)?;
    let figure = samples::figure();
    let model = Model::new(figure.clone());

    demo.progress("drawing the figure", 0.05)?;
    let hero = picture(demo, &figure, &hero_choice(), &hero_settings(), (0.05, 0.3))?;
    let hero = demo.write_picture("figure.png", &hero)?;
    let sheet =
        PictureSettings { camera: CameraChoice::Sheet, size: (1280, 1280), ..PictureSettings::default() };
    let sheet = picture(demo, &figure, &PoseChoice::Rest, &sheet, (0.3, 0.4))?;
    let sheet = demo.write_picture("figure-views.png", &sheet)?;
    let bones = portrait(vec![Show::Bones]);
    let bones = picture(demo, &figure, &squat_choice(), &bones, (0.4, 0.44))?;
    let bones = demo.write_picture("figure-bones.png", &bones)?;
    let wire = portrait(vec![Show::Wire]);
    let wire = picture(demo, &figure, &squat_choice(), &wire, (0.44, 0.48))?;
    let wire = demo.write_picture("figure-wire.png", &wire)?;
    let weights = portrait(vec![Show::Weights("LeftUpperLeg".into())]);
    let weights = picture(demo, &figure, &squat_choice(), &weights, (0.48, 0.5))?;
    let weights = demo.write_picture("figure-weights.png", &weights)?;
    let film = film(demo, &figure, "wave", (0.5, 0.72))?;

    demo.progress("writing files", 0.72)?;
    let sizes = write_files(demo, &model)?;

    demo.page.heading("A figure");
    demo.page.paragraph(
        "A mannequin of one closed skin, from round cones and cross-sections blended into an implicit surface, with a humanoid \
         skeleton, smooth weights, two clips and a morph.",
    );
    demo.page.figures(&[Figure {
        mime_type: "image/png",
        bytes: &hero,
        caption: "Waving, drawn with ray-traced light",
    }]);
    demo.page.figures(&[
        Figure { mime_type: "image/png", bytes: &sheet, caption: "In rest pose, from four sides" },
        Figure { mime_type: "image/gif", bytes: &film, caption: "The clip \u{201c}wave\u{201d}" },
    ]);
    demo.page.figures(&[
        Figure {
            mime_type: "image/png",
            bytes: &bones,
            caption: "The skeleton in the clip \u{201c}squat\u{201d}",
        },
        Figure { mime_type: "image/png", bytes: &wire, caption: "The triangles" },
        Figure {
            mime_type: "image/png",
            bytes: &weights,
            caption: "How much the left thigh moves each vertex",
        },
    ]);
    numbers(demo, &figure, &sizes);
    Ok(figure)
}

/// The moment of the wave with the arm up.
fn hero_choice() -> PoseChoice {
    PoseChoice::ClipAt { clip: "wave".into(), time_secs: 1.1 }
}

/// The lowest moment of the squat.
fn squat_choice() -> PoseChoice {
    PoseChoice::ClipAt { clip: "squat".into(), time_secs: 1.4 }
}

fn hero_settings() -> PictureSettings {
    PictureSettings { quality: Quality::High, size: (1280, 800), ..PictureSettings::default() }
}

fn portrait(show: Vec<Show>) -> PictureSettings {
    PictureSettings {
        camera: CameraChoice::View(View::ThreeQuarter),
        size: (720, 800),
        show,
        ..PictureSettings::default()
    }
}

/// Draws one pose; `shares` is the part of the demo's progress that it takes.
fn picture(
    demo: &Demo<'_>,
    figure: &Character,
    choice: &PoseChoice,
    settings: &PictureSettings,
    shares: (f32, f32),
) -> Result<Image, DemoError> {
    let frames = Frames::new(figure, choice)?;
    let mut posed = PosedCharacter::bind(figure, Method::Lbs);
    let mut stage = Stage::new(&mut posed, &frames, settings, &mut Report::default())?;
    let watch = |step: &Step<'_>| {
        // Whether to stop is asked after the picture.
        let share = shares.0 + (shares.1 - shares.0) * step.share as f32;
        let _ = (demo.on_progress)("drawing the figure", share);
        ControlFlow::Continue(())
    };
    let image = stage.draw(&posed, &Progress::new(&watch))?;
    demo.progress("drawing the figure", shares.1)?;
    Ok(image)
}

/// Films a whole clip.
fn film(
    demo: &mut Demo<'_>,
    figure: &Character,
    clip: &str,
    shares: (f32, f32),
) -> Result<Vec<u8>, DemoError> {
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
fn write_files(demo: &mut Demo<'_>, model: &Model) -> Result<Vec<Vec<String>>, DemoError> {
    let mut rows = Vec::new();
    for (name, what) in
        [("figure.glb", "the rigged figure"), ("figure.gltf", "the same, as text with its data beside")]
    {
        let path = demo.path(name);
        model.save(&path, &mut Report::default())?;
        let read = Model::open(&path, &Limits::default(), &mut Report::default())?;
        if read.character.meshes() != model.character.meshes()
            || read.character.clips() != model.character.clips().iter().map(in_gltf).collect::<Vec<_>>()
        {
            return Err(DemoError::RoundTrip { path });
        }
        rows.push(vec![
            name.to_owned(),
            format!("{what}; read back, it is the same"),
            super::size_of_file(&path),
        ]);
    }
    let exports = [
        ("figure-posed.obj", hero_choice(), "the waving pose as OBJ"),
        ("figure-posed.npy", hero_choice(), "its vertices as a NumPy array"),
    ];
    for (name, choice, what) in exports {
        rows.push(demo.export(model, &choice, name, what)?);
    }
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
