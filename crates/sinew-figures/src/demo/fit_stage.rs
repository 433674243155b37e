//! The walk with flesh, baked into helper bones: a plain rig that any engine plays.

use super::Demo;
use anyhow::Result;
use sinew_fit::{BasisKind, ControllerSettings, HelperSettings, Penalty};
use sinew_flesh::{FleshFrames, FleshMotion, FleshRun, FleshSkin};
use sinew_geometry::progress::Progress;
use sinew_helpers::{
    BakedSequence, DriverBinds, Poser, RigFitSettings, Sequence, SequenceSettings, fit_sequences,
    follow_sequence, put_fit_on, regions,
};
use sinew_io::Report;
use sinew_model::{Frames, Model, PoseChoice};
use sinew_picture::{CameraChoice, PictureSettings, Stage};
use sinew_render::{View, contact_sheet};
use sinew_rig::{BoundSurface, Character, Pose};
use sinew_skin::{Method, PosedCharacter};
use std::sync::Arc;
use std::time::Instant;

/// Helpers.
const HELPERS: usize = 12;

/// Poses of each joint that keep the rest of the skin in place.
const STILL_POSES: usize = 12;

const SIZE: (u32, u32) = (300, 400);

pub(super) fn run(
    demo: &mut Demo<'_>,
    run: &FleshRun,
    motion: &FleshMotion,
    frames: &Arc<FleshFrames>,
) -> Result<()> {
    demo.progress("helper bones", 0.0)?;
    let rig = run.rig();
    let character = rig.character();
    let sequence = sequence(run, motion, frames);
    let bound = BoundSurface::of(character);
    let drivers = DriverBinds::all(character)?;
    let deformer = sinew_skin::bind(character, &bound, &Method::Lbs.into()).into();
    let poser = Poser { character, bound: &bound, drivers: &drivers, deformer };
    let joints =
        regions(character, &bound, &drivers, rig.covered.humanoid.as_ref(), None, &|_| true, &|_| true);
    let helpers = HelperSettings {
        helper_count: HELPERS,
        // A few seconds instead of half a minute, for a little more error.
        start_count: 2,
        start_poses: 40,
        start_vertices: 400,
        refine_poses: 60,
        refine_vertices: 1000,
        refine_sweeps: 15,
        full_sweeps: 4,
        ..HelperSettings::default()
    };
    let controllers = ControllerSettings {
        basis: BasisKind::Polynomial { degree: 1, across_drivers: false },
        penalty: Penalty::PerPose(1e-3),
        ..ControllerSettings::default()
    };
    let settings =
        RigFitSettings { controllers, joint_helpers: HELPERS, helpers, ..RigFitSettings::default() };
    let asked = SequenceSettings { rig: &settings, still_poses: STILL_POSES, follow_fps: Some(motion.fps) };
    let start = Instant::now();
    let watch = demo.watch("helper bones", 0.0, 0.6);
    let (fitted, _) = fit_sequences(&poser, &joints, &[&sequence], &asked, &Progress::new(&watch))?;
    drop(watch);
    let (helpers, errors) = follow_sequence(&poser, &fitted, &sequence, &settings.helpers)?;
    let secs = start.elapsed().as_secs_f64();
    let baked = BakedSequence { name: motion.clip.name.clone(), helpers };
    let model = Model::new(put_fit_on(character, &drivers, &fitted, &[baked], motion.fps)?);
    demo.save("walk.glb", &model)?;
    demo.progress("helper bones", 0.7)?;
    let film = film(demo, (run, motion, frames), &model.character)?;
    demo.write("helpers-walk.gif", &film)?;
    demo.page.heading("Helper bones");
    demo.page.paragraph(
        "What flesh and patches do to the skin, put into twelve more bones and new weights: walk.glb is a plain skinned model, and moves so in any engine. In other motions, \
         masses on springs at the helpers, which are in the file, say where these go.",
    );
    demo.page.figures([(film, "Left: flesh and patches. Right: linear blend skinning with helper bones")]);
    let millimetres = |rms: f64| format!("{:.2} mm", 1e3 * rms);
    demo.page.table(
        &["helpers", "bones alone are off by", "with helpers", "removed", "seconds"],
        &[vec![
            fitted.helper_count().to_string(),
            millimetres(errors.rms_plain),
            millimetres(errors.rms_baked),
            format!("{:.0} %", 100.0 * (1.0 - errors.rms_baked / errors.rms_plain.max(f64::MIN_POSITIVE))),
            format!("{secs:.1}"),
        ]],
    );
    demo.page.commands(&[
        "sinew bake hero.glb --from flesh --clip Run -o run.glb",
        "sinew fit hero.glb --from bezier --helpers 8 -o rig.glb",
        "sinew export controllers rig.glb --for blender -o rig.py",
    ]);
    Ok(())
}

/// Poses and shapes of all frames.
fn sequence(run: &FleshRun, motion: &FleshMotion, frames: &Arc<FleshFrames>) -> Sequence {
    let mut skin = FleshSkin::new(run, motion, frames);
    let mut sequence = Sequence { is_loop: motion.is_loop, ..Sequence::default() };
    for frame in 0..skin.frame_count() {
        skin.set_positions(frame);
        sequence.poses.push(skin.pose().clone());
        sequence.shapes.push(skin.positions().to_vec());
    }
    sequence
}

/// What was wanted and what a plain rig shows, side by side.
fn film(
    demo: &Demo<'_>,
    (run, motion, frames): (&FleshRun, &FleshMotion, &Arc<FleshFrames>),
    plain: &Character,
) -> Result<Vec<u8>> {
    let picture = sinew_scene::flesh::FleshPicture {
        camera: CameraChoice::View(View::Side),
        size: SIZE,
        ..sinew_scene::flesh::FleshPicture::default()
    };
    let mut report = Report::default();
    let mut wanted = sinew_scene::flesh::FleshArtist::new(run, motion, frames, &picture, &mut report);
    let choice = PoseChoice::Clip { clip: motion.clip.name.clone(), fps: motion.fps };
    let poses = Frames::new(plain, &choice)?;
    let mut posed = PosedCharacter::bind(plain, Method::Lbs);
    let mut pose = Pose::rest(plain);
    let mut images = Vec::new();
    let count = frames.deviations.len().min(poses.count());
    for frame in 0..count {
        demo.progress("helper bones", 0.7 + 0.3 * frame as f32 / count as f32)?;
        poses.pose_into(frame, &mut pose);
        posed.set(&pose);
        // The same camera as beside it: one that looks at this frame alone, from where the other does.
        let camera = wanted.camera_at(frame);
        let settings = PictureSettings {
            camera: CameraChoice::At {
                eye: camera.eye,
                target: camera.target,
                vertical_fov_rad: camera.vertical_fov_rad,
            },
            size: SIZE,
            ..PictureSettings::default()
        };
        let one = PoseChoice::ClipAt { clip: motion.clip.name.clone(), time_secs: frame as f64 / motion.fps };
        let mut stage = Stage::new(&mut posed, &Frames::new(plain, &one)?, &settings, &mut report)?;
        posed.set(&pose);
        let shown = stage.draw(&posed, &Progress::none())?;
        let cells = [(wanted.draw(frame)?, "flesh".to_owned()), (shown, "helper bones".to_owned())];
        images.push(contact_sheet(&cells, 2, None)?);
    }
    Ok(sinew_render::encode_gif(&images, motion.fps as f32, &|_| ())?)
}
