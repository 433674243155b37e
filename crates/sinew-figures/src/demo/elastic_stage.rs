//! Soft bodies that follow examples: one short scene, filmed.

use super::Demo;
use anyhow::Result;
use sinew_geometry::progress::Progress;
use sinew_io::Report;
use sinew_scene::elastic::{ElasticArtist, ElasticReport, ElasticScene, Playback};
use sinew_scene::{Reading, SceneChoices};

/// The scene, written beside the film so that a user can play it again.
const SCENE: &str = include_str!("jelly.toml");

pub(super) fn run(demo: &mut Demo<'_>) -> Result<()> {
    demo.progress("soft bodies", 0.0)?;
    demo.write("jelly.toml", SCENE.as_bytes())?;
    let (choices, mut report) = (SceneChoices::default(), Report::default());
    let scene = ElasticScene::read(SCENE, &choices, &mut Reading::here(&mut report))?;
    let count = scene.frame_count();
    let playback = Playback::of(&scene, &Progress::new(&demo.watch("soft bodies", 0.0, 0.1)))?;
    let mut artist = ElasticArtist::new(&scene, &playback)?;
    let mut images = Vec::with_capacity(count);
    for frame in 0..count {
        demo.progress("soft bodies", 0.1 + 0.8 * frame as f32 / count as f32)?;
        images.push(artist.draw(frame)?);
    }
    let bytes = sinew_render::encode_gif(&images, scene.fps() as f32, &|_| ())?;
    demo.write("jelly.gif", &bytes)?;
    let told = ElasticReport::of(&scene, &playback);
    demo.page.heading("Soft bodies that follow examples");
    demo.page.paragraph(
        "Each body knows a shape besides its own. What happens to it decides how much of that shape it takes on: it twists or bends when it \
         strikes the floor, and comes back. Stiffness is physical, and does not change with the length of a step.",
    );
    demo.page.figures([(bytes, "From jelly.toml")]);
    let weights =
        |list: &[f32]| list.iter().map(|weight| format!("{weight:.2}")).collect::<Vec<_>>().join(", ");
    let rows: Vec<Vec<String>> = told
        .bodies
        .iter()
        .map(|body| {
            let (name, examples) = (body.name.clone(), body.examples.join(", "));
            let [most, last] = [&body.most_weights, &body.last_weights].map(|list| weights(list));
            vec![name, body.particles.to_string(), examples, most, last]
        })
        .collect();
    let header = ["body", "particles", "example", "greatest weight", "weight at the end"];
    demo.page.table(&header, &rows);
    demo.page.paragraph(&format!(
        "A step of {} particles took {:.2} ms, {:.0} times faster than real time.",
        told.particles, told.times.median_ms, told.times.real_time_factor
    ));
    demo.page.commands(&["sinew elastic jelly.toml --size 1280x720 --fps 60 -o jelly.mp4 -o jelly.glb"]);
    Ok(())
}
