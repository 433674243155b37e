//! The human in motion: a walk past the camera that becomes a run.

use super::Demo;
use anyhow::{Context, Result};
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_scene::film::{Film, FilmSet, FrameStore, Style, finish, shoot};
use sinew_scene::{Reading, SceneChoices};

/// The scene, written beside the film so that a user can film it again.
const SCENE: &str = include_str!("walk-run.toml");

pub(super) fn run(demo: &mut Demo<'_>) -> Result<()> {
    demo.progress("film", 0.0)?;
    demo.write("walk-run.toml", SCENE.as_bytes())?;
    let (choices, mut report) = (SceneChoices::default(), Report::default());
    let film = Film::read(SCENE, &choices, &mut Reading::here(&mut report))?;
    let output = demo.path("walk-run.gif");
    let store = FrameStore::scratch(&output)?;
    let set = FilmSet::new(&film, Style::Shaded, &mut report);
    let frames = 0..film.frame_count();
    let file = film.output(&output, &frames)?;
    shoot(&set, frames, &store, &Progress::new(&demo.watch("film", 0.0, 1.0)))?;
    finish(&store, 0, &file, &Progress::none())?;
    store.remove()?;
    let bytes = std::fs::read(&output).with_context(|| format!("cannot read {output:?}"))?;
    demo.page.heading("Motion and film");
    demo.page.paragraph(
        "The same woman walks past the camera and breaks into a run: her gait is made from speeds over time alone, feet stay where they are set \
         down, and her skin is bent, twisted and bulged by its patches. Another file names her, her motion, two cameras and a cut.",
    );
    demo.page.figures([(bytes, "From walk-run.toml")]);
    demo.page.commands(&[
        "sinew film walk-run.toml --size 1280x720 --fps 30 -o walk-run.mp4",
        "sinew motion walk --speed 1.4 --character hero.glb -o walk.glb",
    ]);
    Ok(())
}
