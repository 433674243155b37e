//! Bakes dual quaternion skinning into two helper bones and two corrective morphs, and writes a rig that plays in any engine.
//!
//! `cargo run --release -p sinew-examples --example 06_helper_rig -- rig.glb`: the sample limb and its elbow.
//! `cargo run --release -p sinew-examples --example 06_helper_rig -- rig.glb model.glb BONE…`: any model, and the bones that shall be well skinned.

use glam::{Affine3A, DAffine3, Quat, Vec3};
use sinew::helpers::{CorrectiveSettings, DriverBinds, FittedHelpers, add_correctives, put_helpers_on};
use sinew::io::{Limits, Report};
use sinew::model::{HelperOutput, Model};
use sinew::rig::{BoneId, BoundSurface, DriverChange, Pose, samples};
use sinew::skin::{Method, PosedCharacter};
use sinew_fit::{ControllerSettings, Examples, HelperSettings, fit_controllers, fit_helpers};
use sinew_geometry::progress::Progress;
use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let output = arguments.first().ok_or("where to? 06_helper_rig rig.glb")?;
    let mut model = match arguments.get(1) {
        Some(path) => Model::open(Path::new(path), &Limits::default(), &mut Report::default())?,
        None => Model::new(samples::limb(16, 24)),
    };
    let character = &model.character;
    let names =
        arguments.get(2..).filter(|names| !names.is_empty()).map_or(vec!["lower".into()], <[_]>::to_vec);
    let bones =
        names.iter().map(|name| character.skeleton().find(name)).collect::<Result<Vec<BoneId>, _>>()?;

    // Poses: the bones turn by up to 60° about axes that lie all over.
    let angle = |at: usize, seed: f32| (2.0 * ((at as f32 + 0.5) * seed).fract() - 1.0) * 1.05;
    let pose = |at: usize| {
        let mut pose = Pose::rest(character);
        for (index, &bone) in bones.iter().enumerate() {
            let shift = index as f32 * 0.1;
            let turn = [0.618_034, 0.754_878, 0.569_84].map(|seed| angle(at, seed + shift));
            pose.turn(bone, Quat::from_scaled_axis(Vec3::from(turn) * 0.6));
        }
        pose
    };
    let poses: Vec<Pose> = (0..150).map(pose).collect();
    let mut target = PosedCharacter::bind(character, Method::Dlb);
    let (drivers, bound) = (DriverBinds::all(character)?, BoundSurface::of(character));
    let (mut shapes, mut matrices) = (Vec::new(), Vec::<DAffine3>::new());
    let mut changes = Vec::<DriverChange>::new();
    for pose in &poses {
        target.set(pose);
        let standing: &[Affine3A] = target.model_from_bone();
        matrices.extend(drivers.posed_from_rest(standing));
        changes.extend(drivers.changes(character, standing));
        shapes.push(target.surface().positions.clone());
    }

    // Where helpers are, how they follow, and the character of that.
    let targets: Vec<Vec3> = shapes.concat();
    let examples = Examples {
        rest_positions: drivers.rest_positions(),
        triangles: bound.triangles(),
        driver_count: drivers.bones().len(),
        driver_posed_from_rest: &matrices,
        target_positions: &targets,
    };
    let settings = HelperSettings { helper_count: 2 * bones.len(), ..HelperSettings::default() };
    let helpers = fit_helpers(&examples, &settings, &Progress::none())?;
    let found = fit_controllers(&examples, &changes, &helpers, &settings, &ControllerSettings::default())?;
    let controllers = &found.controllers;
    let fitted = FittedHelpers { drivers: &drivers, weights: &found.weights, controllers, swings: &[] };
    let rigged = put_helpers_on(character, &fitted, &HelperOutput::default())?;
    let examples: Vec<(Pose, Vec<Vec3>)> =
        poses.iter().map(|pose| pose.of_larger(&rigged)).zip(shapes).collect();
    let correctives = CorrectiveSettings { count: 2, ..CorrectiveSettings::default() };
    let (rigged, summaries) = add_correctives(&rigged, &examples, &correctives)?;
    eprintln!("controllers: {:.2e} m; {summaries:?}", found.errors.rms);
    model.character = rigged;
    model.save(Path::new(output), &mut Report::default())?;
    Ok(())
}
