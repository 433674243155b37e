//! Flesh inside the human: she walks, and her skin follows through.

use super::Demo;
use anyhow::Result;
use sinew_body::character::Look;
use sinew_flesh::{CoveredCharacter, FleshFrames, FleshMotion, FleshPreset, FleshRig, FleshRun};
use sinew_geometry::progress::Progress;
use sinew_geometry::{CoverSettings, CoverSize};
use sinew_io::Report;
use sinew_model::Model;
use sinew_model::motion::{GaitSettings, gait_clip, humanoid_of};
use sinew_render::{Image, contact_sheet};
use sinew_rig::ClipId;
use sinew_scene::body::{MadeBody, PatchedBody};
use sinew_scene::flesh::{FleshArtist, FleshPicture, FleshReport, FleshShow, FleshWriting, PlayedFlesh};
use sinew_skin::Method;
use std::sync::Arc;
use std::time::Instant;

/// Frames a second and seconds of the walk.
const FPS: f64 = 15.0;
const SECONDS: f64 = 2.4;

/// Steps along the edges of patches.
const STEPS: usize = 4;

/// Tetrahedra.
const TETS: usize = 6_000;

/// Where the stage that goes on with this one begins and ends, shares of the demo.
const HELPERS_WINDOW: [f32; 2] = [0.5, 0.65];

/// Pixels of the film and of the stills.
const SIZE: (u32, u32) = (300, 400);

pub(super) fn run(demo: &mut Demo<'_>, made: &MadeBody) -> Result<()> {
    demo.progress("flesh", 0.0)?;
    let PatchedBody { character, deformer } = made.patched(STEPS, Look::Skin)?;
    let mut human = Model::new(character);
    let mut report = Report::default();
    let humanoid = humanoid_of(&human, &mut report)?;
    let clip = gait_clip(&humanoid, &GaitSettings { seconds: SECONDS, ..GaitSettings::walk() })?;
    human.set_clip(clip)?;
    let start = Instant::now();
    let cover = CoverSettings { size: CoverSize::Count(TETS), ..CoverSettings::default() };
    let covered = CoveredCharacter::new(&human.character, &cover)?;
    let rig = Arc::new(FleshRig::new(covered, &FleshPreset::Heavy.settings(), &[])?);
    let setup = start.elapsed();
    demo.progress("flesh", 0.2)?;
    let run = FleshRun::new(&rig, Method::Lbs).with_skin(deformer);
    let clip_id = ClipId::of(human.character.clips().len() - 1);
    let motion = FleshMotion::new(human.character.clips()[clip_id.index()].clone(), FPS);
    let start = Instant::now();
    let frames = run.play(&motion, &Progress::new(&demo.watch("flesh", 0.2, 0.5)))?;
    let told = FleshReport::new(&run, &motion, &frames, (setup, start.elapsed()));
    let film = film(demo, &run, &motion, &frames)?;
    demo.write("flesh-walk.gif", &film)?;
    let inside = demo.write_picture("flesh-inside.png", &inside(&run, &motion, &frames)?)?;
    let path = demo.path("flesh-walk.glb");
    let played = PlayedFlesh { run: &run, motion: &motion, frames: &frames, clip: clip_id, document: None };
    let written = played.write(&path, &FleshWriting::default(), &mut report, &Progress::none())?;
    demo.page.heading("Flesh");
    demo.page.paragraph(
        "Bone, muscle and fat are made inside the same woman, with fibres and the muscles of a human; her bones move them. What swings, bulges \
         and settles is added to the skin, and written as a few morph targets on top of her rig, for any engine.",
    );
    demo.page.figures([
        (film, "Left: the rig alone. Right: with flesh, preset heavy"),
        (inside, "Layers cut open, fibres, muscles (bright where they are short)"),
    ]);
    let morphs: usize = written.morphs.iter().map(|mesh| mesh.morphs).sum();
    let worst_mm = written.morphs.iter().map(|mesh| 1e3 * mesh.worst_error).fold(0.0, f32::max);
    let cells = [
        ("tetrahedra", told.sizes.tetrahedra.to_string()),
        ("muscles", told.sizes.muscles.to_string()),
        ("frames a second", format!("{:.0}", told.times.frames_per_sec)),
        ("farthest from the rig", format!("{:.1} mm", 1e3 * told.farthest_m)),
        ("morph targets", morphs.to_string()),
        ("at most off by", format!("{worst_mm:.1} mm")),
    ];
    demo.page.table(&cells.each_ref().map(|cell| cell.0), &[cells.map(|cell| cell.1).to_vec()]);
    demo.page.commands(&[
        "sinew flesh --motion walk --preset heavy -o walk.mp4 -o walk.glb",
        "sinew flesh hero.glb --clip Run --show muscles,fibres -o run.mp4",
        "sinew flesh init hero.glb -o flesh.toml",
    ]);
    demo.window = HELPERS_WINDOW;
    super::fit_stage::run(demo, &run, &motion, &frames)
}

/// The rig alone and the flesh, side by side.
fn film(demo: &Demo<'_>, run: &FleshRun, motion: &FleshMotion, frames: &Arc<FleshFrames>) -> Result<Vec<u8>> {
    let mut still = FleshFrames::clone(frames);
    still.deviations.iter_mut().flatten().for_each(|away| *away = glam::Vec3::ZERO);
    let picture = FleshPicture { size: SIZE, ..FleshPicture::default() };
    let mut report = Report::default();
    let mut artists =
        [&Arc::new(still), frames].map(|frames| FleshArtist::new(run, motion, frames, &picture, &mut report));
    let count = frames.deviations.len();
    let mut images = Vec::with_capacity(count);
    for frame in 0..count {
        demo.progress("flesh", 0.5 + 0.4 * frame as f32 / count as f32)?;
        let [rig, flesh] = &mut artists;
        let cells = [(rig.draw(frame)?, "rig".to_owned()), (flesh.draw(frame)?, "flesh".to_owned())];
        images.push(contact_sheet(&cells, 2, None)?);
    }
    Ok(sinew_render::encode_gif(&images, FPS as f32, &|_| ())?)
}

fn inside(run: &FleshRun, motion: &FleshMotion, frames: &Arc<FleshFrames>) -> Result<Image> {
    let middle = frames.deviations.len() / 2;
    let mut cells = Vec::new();
    for (show, name) in
        [(FleshShow::Layers, "layers"), (FleshShow::Fibres, "fibres"), (FleshShow::Muscles, "muscles")]
    {
        let picture = FleshPicture { size: SIZE, show: vec![show], ..FleshPicture::default() };
        let mut artist = FleshArtist::new(run, motion, frames, &picture, &mut Report::default());
        cells.push((artist.draw(middle)?, name.to_owned()));
    }
    Ok(contact_sheet(&cells, 3, None)?)
}
