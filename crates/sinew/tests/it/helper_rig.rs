//! A fit of helpers as a character: what plays is what was fitted.

use glam::{Affine3A, DAffine3, DQuat, DVec3, Quat, Vec3};
use sinew::helpers::{
    CorrectiveSettings, DriverBinds, FittedHelpers, RigError, add_correctives, put_helpers_on,
};
use sinew::model::{Frames, HelperOutput, Model, PoseChoice};
use sinew::rig::{
    BindId, BoneId, BoundSurface, Channel, Character, Clip, ControllerRun, DriverChange, InstanceId, Pose,
    Swing, samples,
};
use sinew::skin::{Method, PosedCharacter};
use sinew_fit::{
    BasisKind, ControllerFit, ControllerSettings, Examples, HelperMotion, HelperSettings, Penalty,
    fit_controllers, fit_helpers,
};
use sinew_geometry::Spring;
use sinew_geometry::progress::Progress;

/// Of the model's diagonal.
const TOLERANCE: f32 = 1e-5;

struct Scene {
    character: Character,
    drivers: DriverBinds,
    poses: Vec<Pose>,
    shapes: Vec<Vec<Vec3>>,
    found: ControllerFit,
}

fn model_from_bone(character: &Character, pose: &Pose) -> Vec<Affine3A> {
    let mut found = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    pose.model_from_bone_into(character, &mut found);
    found
}

/// The limb, fitted to dual quaternions: they keep its width where linear blending does not.
fn scene(motion: HelperMotion, basis: BasisKind) -> Scene {
    let character = samples::limb(12, 16);
    let elbow = character.skeleton().find("lower").expect("a bone of the limb");
    let poses: Vec<Pose> = (0..60)
        .map(|at| {
            let (bend, twist) = (0.04 * at as f32, 0.9 * (0.7 * at as f32).sin());
            let mut pose = Pose::rest(&character);
            pose.turn(elbow, Quat::from_rotation_x(bend) * Quat::from_rotation_y(twist));
            pose
        })
        .collect();
    let mut target = PosedCharacter::bind(&character, Method::Dlb);
    let shapes: Vec<Vec<Vec3>> = poses
        .iter()
        .map(|pose| {
            target.set(pose);
            target.surface().positions.clone()
        })
        .collect();
    let (drivers, bound) = (DriverBinds::all(&character).expect("one bind"), BoundSurface::of(&character));
    let rest = drivers.rest_positions().to_vec();
    let standing: Vec<Vec<Affine3A>> = poses.iter().map(|pose| model_from_bone(&character, pose)).collect();
    let matrices: Vec<DAffine3> = standing.iter().flat_map(|bones| drivers.posed_from_rest(bones)).collect();
    let changes: Vec<DriverChange> =
        standing.iter().flat_map(|bones| drivers.changes(&character, bones)).collect();
    let targets: Vec<Vec3> = shapes.iter().flatten().copied().collect();
    let examples = Examples {
        rest_positions: &rest,
        triangles: bound.triangles(),
        driver_count: drivers.bones().len(),
        driver_posed_from_rest: &matrices,
        target_positions: &targets,
    };
    let settings = HelperSettings { helper_count: 2, motion, ..HelperSettings::default() };
    let fit = fit_helpers(&examples, &settings, &Progress::none()).expect("examples of the limb");
    let of_controllers = ControllerSettings { basis, penalty: Penalty::PerPose(0.0), ..Default::default() };
    let found = fit_controllers(&examples, &changes, &fit, &settings, &of_controllers)
        .expect("the fit is of these examples");
    Scene { character, drivers, poses, shapes, found }
}

impl Scene {
    fn quadratic() -> Self {
        scene(HelperMotion::Rigid, BasisKind::Polynomial { degree: 2, across_drivers: true })
    }

    fn fitted(&self) -> FittedHelpers<'_> {
        FittedHelpers {
            drivers: &self.drivers,
            weights: &self.found.weights,
            controllers: &self.found.controllers,
            swings: &[],
        }
    }

    fn rigged(&self) -> Character {
        let settings = HelperOutput { tolerance: 0.3 * TOLERANCE, ..HelperOutput::default() };
        put_helpers_on(&self.character, &self.fitted(), &settings).expect("the fit is of the limb")
    }

    /// The skin as the fit means it, in 64 bits.
    fn meant(&self, pose: &Pose) -> Vec<Vec3> {
        let standing = model_from_bone(&self.character, pose);
        let drivers = self.drivers.posed_from_rest(&standing);
        let changes = self.drivers.changes(&self.character, &standing);
        let helpers = self.found.controllers.posed_from_rest(&changes, &drivers);
        let bones = [drivers, helpers].concat();
        let rest = self.drivers.rest_positions();
        let place = |(place, weights): (&Vec3, &[f64])| {
            let parts = bones
                .iter()
                .zip(weights)
                .map(|(bone, weight)| bone.transform_point3(place.as_dvec3()) * *weight);
            parts.sum::<DVec3>().as_vec3()
        };
        rest.iter().zip(self.found.weights.chunks(bones.len())).map(place).collect()
    }
}

fn at_clip(character: &Character, clip: &Clip, time_secs: f64) -> Pose {
    let mut pose = Pose::rest(character);
    pose.set_clip(character, clip, time_secs);
    pose
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len(), "the same vertices");
    a.iter().zip(b).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max)
}

fn size(character: &Character) -> f32 {
    PosedCharacter::bind(character, Method::Lbs).bounds().size().length()
}

/// Without the tracks of helpers and correctives.
fn bare(character: &Character, clip: &Clip) -> Clip {
    let is_helper = |bone: &BoneId| character.skeleton().bone(*bone).name.starts_with("helper_");
    let is_kept = |channel: &Channel| match channel {
        Channel::Translation(bone, _) | Channel::Rotation(bone, _) | Channel::Scale(bone, _) => {
            !is_helper(bone)
        }
        _ => false,
    };
    Clip {
        name: clip.name.clone(),
        tracks: clip.tracks.iter().filter(|track| is_kept(&track.channel)).cloned().collect(),
    }
}

#[test]
fn a_baked_clip_and_controllers_show_what_was_fitted() {
    let scene = Scene::quadratic();
    let rigged = scene.rigged();
    let allowed = TOLERANCE * size(&scene.character);
    let names: Vec<&str> = rigged.skeleton().bones().iter().map(|bone| bone.name.as_str()).collect();
    assert_eq!(names, ["upper", "lower", "end", "helper_1", "helper_2"]);
    let (before, baked) = (&scene.character.clips()[0], &rigged.clips()[0]);
    let unbaked = bare(&rigged, baked);
    assert_eq!(unbaked.tracks, before.tracks);
    let mut posed = PosedCharacter::bind(&rigged, Method::Lbs);
    let (mut linear, mut moved) = (PosedCharacter::bind(&scene.character, Method::Lbs), 0.0f32);
    for frame in 0..before.frame_count(30.0) {
        let time_secs = frame as f64 / 30.0;
        let meant = scene.meant(&at_clip(&scene.character, before, time_secs));
        for clip in [baked, &unbaked] {
            posed.set(&at_clip(&rigged, clip, time_secs));
            let apart = apart(&posed.surface().positions, &meant);
            assert!(apart < allowed, "{apart} of {allowed} at {time_secs}");
        }
        linear.set(&at_clip(&scene.character, before, time_secs));
        moved = moved.max(apart(&linear.surface().positions, &meant));
    }
    assert!(moved > 100.0 * allowed, "helpers do something: {moved}");
    // A tenth of a millimetre of a human needs far fewer keys than samples: 2 helpers, 2 tracks each.
    let loose = put_helpers_on(&scene.character, &scene.fitted(), &HelperOutput::default()).unwrap();
    let tracks = &loose.clips()[0].tracks[before.tracks.len()..];
    let keys: usize = tracks.iter().map(|track| track.times_secs.len()).sum();
    assert!(tracks.len() == 4 && keys < 2 * before.frame_count(30.0), "{keys} keys");
}

#[test]
fn poses_that_were_fitted_come_out_and_are_nearer_than_linear_blends() {
    let scene = Scene::quadratic();
    let rigged = scene.rigged();
    let (mut posed, mut linear) =
        (PosedCharacter::bind(&rigged, Method::Lbs), PosedCharacter::bind(&scene.character, Method::Lbs));
    let rms = |a: &[Vec3], b: &[Vec3]| {
        (a.iter().zip(b).map(|(a, b)| f64::from(a.distance_squared(*b))).sum::<f64>() / a.len() as f64).sqrt()
    };
    for (pose, shape) in scene.poses.iter().zip(&scene.shapes).skip(30).step_by(10) {
        posed.set(&pose.of_larger(&rigged));
        linear.set(pose);
        let (with, without) =
            (rms(&posed.surface().positions, shape), rms(&linear.surface().positions, shape));
        assert!(with < 0.3 * without, "{with} of {without}");
    }
}

#[test]
fn every_kind_of_controller_is_carried_over() {
    for (motion, basis) in [
        (HelperMotion::Similarity, BasisKind::Polynomial { degree: 3, across_drivers: false }),
        (HelperMotion::Rigid, BasisKind::Radial { centers: 6 }),
    ] {
        let scene = scene(motion, basis);
        let rigged = scene.rigged();
        let mut posed = PosedCharacter::bind(&rigged, Method::Lbs);
        for pose in scene.poses.iter().step_by(7) {
            posed.set(&pose.of_larger(&rigged));
            let apart = apart(&posed.surface().positions, &scene.meant(pose));
            // Coefficients of 7 digits that cancel cost some of them.
            assert!(apart < 5.0 * TOLERANCE * size(&rigged), "{basis:?}: {apart}");
        }
    }
}

#[test]
fn a_file_brings_everything_back_in_little_room() {
    let scene = Scene::quadratic();
    let rigged = scene.rigged();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rig.gltf");
    let mut report = sinew::io::Report::default();
    Model::new(rigged.clone()).save(&path, &mut report).unwrap();
    assert!(report.is_empty(), "{report:?}");
    let again = Model::open(&path, &sinew::io::Limits::default(), &mut report).unwrap().character;
    assert_eq!(again.controllers(), rigged.controllers());
    let text = std::fs::read_to_string(&path).unwrap();
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let extension = json["extensions"]["SINEW_helper_controllers"].to_string();
    assert!(extension.len() <= 2 * 1536, "{} bytes for 2 helpers", extension.len());
    let pose = scene.poses[40].of_larger(&rigged);
    let (mut one, mut other) =
        (PosedCharacter::bind(&rigged, Method::Lbs), PosedCharacter::bind(&again, Method::Lbs));
    one.set(&pose);
    // The file has a node more, which carries the mesh.
    other.set(&pose.of_larger(&again));
    assert!(apart(&one.surface().positions, &other.surface().positions) < 1e-6);
}

#[test]
fn meshes_of_other_rest_spaces_get_the_same_helpers() {
    let scene = Scene::quadratic();
    let mut parts = scene.character.clone().into_parts();
    // The same mesh again, turned and at a hundredth of the size, as exporters write it.
    let rest_from_own = Affine3A::from_rotation_z(0.7) * Affine3A::from_scale(Vec3::splat(100.0));
    let (mut mesh, mut bind) = (parts.meshes[0].clone(), parts.binds[0].clone());
    let own_from_rest = rest_from_own.inverse();
    mesh.positions.iter_mut().for_each(|place| *place = own_from_rest.transform_point3(*place));
    bind.joint_from_rest.iter_mut().for_each(|matrix| *matrix *= rest_from_own);
    let mut instance = parts.instances[0].clone();
    (instance.mesh, instance.bind) = (sinew::rig::MeshId(1), Some(BindId(1)));
    let mut carrier = parts.bones[0].clone();
    (carrier.name, carrier.parent) = ("carrier".into(), None);
    instance.bone = BoneId::of(parts.bones.len());
    parts.bones.push(carrier);
    parts.meshes.push(mesh);
    parts.binds.push(bind);
    parts.instances.push(instance);
    let double = Character::new(parts).unwrap();
    let drivers = DriverBinds::new(&double, scene.drivers.bones().to_vec()).unwrap();
    let rest = drivers.rest_positions();
    let count = rest.len() / 2;
    assert!(apart(&rest[..count], &rest[count..]) < 1e-5);
    let weights = scene.found.weights.repeat(2);
    let fitted = FittedHelpers { drivers: &drivers, weights: &weights, ..scene.fitted() };
    let rigged = put_helpers_on(&double, &fitted, &HelperOutput::default()).unwrap();
    let mut posed = PosedCharacter::bind(&rigged, Method::Lbs);
    let mut pose = Pose::rest(&rigged);
    pose.turn(rigged.skeleton().find("lower").unwrap(), Quat::from_rotation_x(1.3));
    posed.set(&pose);
    let positions = &posed.surface().positions;
    assert!(apart(&positions[..count], &positions[count..]) < 1e-4 * size(&scene.character));
}

#[test]
fn correctives_show_what_bones_cannot_reach() {
    let mut scene = Scene::quadratic();
    // A muscle that swells with the bend, which no bone does.
    let bound = BoundSurface::of(&scene.character);
    let swell = |shape: &mut Vec<Vec3>, bend: f32| {
        for (place, rest) in shape.iter_mut().zip(&bound.rest().positions) {
            let near = (-(rest.y - 0.15).powi(2) / 0.003).exp() * rest.z.max(0.0);
            *place += Vec3::Z * (0.8 * bend * near);
        }
    };
    scene.shapes.iter_mut().enumerate().for_each(|(at, shape)| swell(shape, 0.04 * at as f32));
    let rigged = scene.rigged();
    let examples: Vec<(Pose, Vec<Vec3>)> =
        scene.poses.iter().map(|pose| pose.of_larger(&rigged)).zip(scene.shapes.clone()).collect();
    let settings = CorrectiveSettings { count: 3, ..CorrectiveSettings::default() };
    let (corrected, summaries) = add_correctives(&rigged, &examples, &settings).unwrap();
    let summary = &summaries[0];
    assert!((1..=3).contains(&summary.morphs), "{summary:?}");
    assert!(summary.rms_after < 0.5 * summary.rms_before, "{summary:?}");
    assert!(summary.rms_best <= summary.rms_after * 1.0001, "{summary:?}");

    // What was summed up shows, in poses and in the baked clip.
    let mut posed = PosedCharacter::bind(&corrected, Method::Lbs);
    let mut before = PosedCharacter::bind(&rigged, Method::Lbs);
    let (mut with, mut without) = (0.0f64, 0.0f64);
    for (pose, shape) in &examples {
        posed.set(&pose.of_larger(&corrected));
        before.set(pose);
        let square =
            |a: &[Vec3]| a.iter().zip(shape).map(|(a, b)| f64::from(a.distance_squared(*b))).sum::<f64>();
        with += square(&posed.surface().positions);
        without += square(&before.surface().positions);
    }
    assert!(with < 0.25 * without, "{with} {without}");
    let (baked, allowed) = (&corrected.clips()[0], 3e-4);
    let unbaked = bare(&corrected, baked);
    let weights =
        baked.tracks.iter().find(|track| matches!(track.channel, Channel::MorphWeights(InstanceId(0), _)));
    assert!(weights.is_some(), "a track of morph weights");
    for frame in 0..baked.frame_count(30.0) {
        posed.set(&at_clip(&corrected, baked, frame as f64 / 30.0));
        let shown = posed.surface().positions.clone();
        posed.set(&at_clip(&corrected, &unbaked, frame as f64 / 30.0));
        let apart = apart(&shown, &posed.surface().positions);
        assert!(apart < allowed, "frame {frame}: {apart}");
    }
}

#[test]
fn swings_come_along() {
    let scene = Scene::quadratic();
    let spring = Spring { frequency_hz: 4.0, damping: 0.5, limit: 10.0 };
    let swings = vec![Swing { spring, gains: [[2e-3, 0.0, 2e-3, 0.0, 0.01, 0.0, 0.0]; 3] }; 2];
    let fitted = FittedHelpers { swings: &swings, ..scene.fitted() };
    let rigged = put_helpers_on(&scene.character, &fitted, &HelperOutput::default()).unwrap();
    assert!(rigged.controllers().swings());
    let still = scene.rigged();
    let (mut lagging, mut at_once) =
        (PosedCharacter::bind(&rigged, Method::Lbs), PosedCharacter::bind(&still, Method::Lbs));
    let mut most = 0.0f32;
    for frame in 0..30 {
        let time_secs = f64::from(frame) / 30.0;
        lagging.set(&at_clip(&rigged, &rigged.clips()[0], time_secs));
        at_once.set(&at_clip(&still, &still.clips()[0], time_secs));
        most = most.max(apart(&lagging.surface().positions, &at_once.surface().positions));
    }
    assert!(most > 1e-4, "helpers lag: {most}");

    // A clip that was never baked lags as much wherever frames are asked for.
    let mut parts = rigged.clone().into_parts();
    parts.clips = rigged.clips().iter().map(|clip| bare(&rigged, clip)).collect();
    let unbaked = Character::new(parts).unwrap();
    let choice = PoseChoice::Clip { clip: "bend".into(), fps: 30.0 };
    let (frames, mut pose) = (Frames::new(&unbaked, &choice).unwrap(), Pose::rest(&unbaked));
    let mut played = PosedCharacter::bind(&unbaked, Method::Lbs);
    for frame in 0..frames.count() {
        frames.pose_into(frame, &mut pose);
        played.set(&pose);
        lagging.set(&at_clip(&rigged, &rigged.clips()[0], frame as f64 / 30.0));
        let apart = apart(&played.surface().positions, &lagging.surface().positions);
        assert!(apart < 1e-4 * size(&rigged), "frame {frame}: {apart}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let scene = Scene::quadratic();
    let refused = |fitted: &FittedHelpers<'_>, settings: &HelperOutput, expected: &str| {
        let error = put_helpers_on(&scene.character, fitted, settings).expect_err(expected).to_string();
        assert!(error.contains(expected), "{error:?} does not say {expected:?}");
    };
    let plain = HelperOutput::default();
    refused(
        &FittedHelpers { weights: &scene.found.weights[1..], ..scene.fitted() },
        &plain,
        "weights, found",
    );
    refused(&scene.fitted(), &HelperOutput { fps: 0.0, ..plain }, "the frame rate must be above 0");
    refused(&scene.fitted(), &HelperOutput { tolerance: f32::NAN, ..plain }, "tolerance must be above 0");
    // Vertices that were not fitted keep their weights.
    let nothing = vec![0.0; scene.found.weights.len()];
    let kept =
        put_helpers_on(&scene.character, &FittedHelpers { weights: &nothing, ..scene.fitted() }, &plain);
    assert_eq!(kept.unwrap().meshes()[0].influences, scene.character.meshes()[0].influences);
    let rigged = scene.rigged();
    let again = put_helpers_on(&rigged, &scene.fitted(), &plain);
    assert!(matches!(again, Err(RigError::HasControllers)));
    let no_joint = DriverBinds::new(&scene.character, vec![BoneId(2)]).unwrap_err().to_string();
    assert!(no_joint.contains("\"end\" moves no mesh"), "{no_joint}");
    let none =
        add_correctives(&scene.character, &[], &CorrectiveSettings::default()).unwrap_err().to_string();
    assert!(none.contains("no controllers"), "{none}");
    let none = add_correctives(&rigged, &[], &CorrectiveSettings::default()).unwrap_err().to_string();
    assert!(none.contains("no examples"), "{none}");
}

#[test]
fn a_frame_of_controllers_is_quick() {
    let scene = Scene::quadratic();
    let rigged = scene.rigged();
    let mut run = ControllerRun::new(rigged.controllers());
    let rotations = vec![DQuat::from_rotation_x(0.4); rigged.controllers().drivers.len()];
    let start = std::time::Instant::now();
    for _ in 0..10_000 {
        std::hint::black_box(run.run(rigged.controllers(), std::hint::black_box(rotations.iter().copied())));
    }
    let micros = start.elapsed().as_secs_f64() * 100.0;
    // Generous: machines that run tests have other work.
    assert!(micros < 20.0, "{micros} µs a frame");
}
