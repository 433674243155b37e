//! Files with known contents: small ones in text, and one that Blender wrote.

use super::read_fbx;
use crate::{Folder, Limits, Report};
use glam::{Vec3, Vec4};
use sinew_rig::{AlphaMode, BoundSurface, Channel, Character, Pose};

/// Rounding of f32 in numbers of the order of 1.
const ROUNDING: f32 = 1e-5;

const NODES: &str = include_str!("../../../../fuzz/seeds/fbx/nodes.fbx");
const ARM: &[u8] = include_bytes!("../../../../fuzz/seeds/fbx/arm.fbx");

fn read(bytes: &[u8]) -> (Character, Vec<String>) {
    let (folder, mut report) = (Folder::of_files([]), Report::default());
    let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
    let character = read_fbx(bytes, &resources, &Limits::default(), &mut report).expect("an FBX file");
    (character, report.warnings().iter().map(ToString::to_string).collect())
}

/// All vertices at a time of the first clip, or in rest pose.
fn vertices(character: &Character, time_secs: Option<f64>) -> Vec<Vec3> {
    let bound = BoundSurface::of(character);
    let mut pose = Pose::rest(character);
    if let Some(time_secs) = time_secs {
        pose.set_clip(character, &character.clips()[0], time_secs);
    }
    bound.blended(&bound.posed_from_rest(character, &pose))
}

/// Checks the second corner of the quad, which is at (1, 0, 0) in the file, and the first, which is at 0.
#[track_caller]
fn check(text: &str, time_secs: Option<f64>, first: Vec3, second: Vec3) {
    let (character, _) = read(text.as_bytes());
    let found = vertices(&character, time_secs);
    for (found, expected) in found.iter().zip([first, second]) {
        assert!(found.abs_diff_eq(expected, ROUNDING), "{found}, expected {expected}");
    }
}

#[test]
fn transforms_are_those_of_the_file() {
    // The parent doubles all, the node turns +X to +Y before anything else.
    check(NODES, None, Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 2.0, 0.0));
    // Half-way from 1 to 3.
    check(NODES, Some(0.5), Vec3::new(4.0, 0.0, 0.0), Vec3::new(4.0, 2.0, 0.0));
    check(NODES, Some(9.0), Vec3::new(6.0, 0.0, 0.0), Vec3::new(6.0, 2.0, 0.0));
}

#[test]
fn units_and_axes_become_meters_and_y_up() {
    let inches = NODES.replace(
        "\"UnitScaleFactor\", \"double\", \"Number\", \"\",100",
        "\"UnitScaleFactor\", \"double\", \"Number\", \"\",2.54",
    );
    check(&inches, None, 0.0254 * Vec3::new(2.0, 0.0, 0.0), 0.0254 * Vec3::new(2.0, 2.0, 0.0));
    // Z up, front −Y: y of the file goes back.
    let z_up = NODES
        .replace("\"UpAxis\", \"int\", \"Integer\", \"\",1", "\"UpAxis\", \"int\", \"Integer\", \"\",2")
        .replace("\"FrontAxis\", \"int\", \"Integer\", \"\",2", "\"FrontAxis\", \"int\", \"Integer\", \"\",1")
        .replace(
            "\"FrontAxisSign\", \"int\", \"Integer\", \"\",1",
            "\"FrontAxisSign\", \"int\", \"Integer\", \"\",-1",
        );
    check(&z_up, None, Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 0.0, -2.0));
}

#[test]
fn scales_that_are_not_inherited_stay_with_their_node() {
    let marker =
        "P: \"RotationActive\", \"bool\", \"\", \"\",1\n      P: \"InheritType\", \"enum\", \"\", \"\",1";
    let maya = NODES.replace(
        marker,
        &marker.replace(
            "\"\",1\n      P: \"InheritType\", \"enum\", \"\", \"\",1",
            "\"\",1\n      P: \"InheritType\", \"enum\", \"\", \"\",2",
        ),
    );
    assert_ne!(maya, NODES, "the text has the mode");
    // The place is doubled, the size is not.
    check(&maya, None, Vec3::new(2.0, 0.0, 0.0), Vec3::new(2.0, 1.0, 0.0));
}

#[test]
fn geometric_transforms_move_the_mesh_alone() {
    let moved = NODES.replace(
        "P: \"PreRotation\"",
        "P: \"GeometricTranslation\", \"Vector3D\", \"Vector\", \"\",0,0,5\n      P: \"PreRotation\"",
    );
    check(&moved, None, Vec3::new(2.0, 0.0, 10.0), Vec3::new(2.0, 2.0, 10.0));
}

#[test]
fn a_file_of_blender_has_all_its_parts() {
    let (arm, told) = read(ARM);
    let names: Vec<&str> = arm.skeleton().bones().iter().map(|bone| bone.name.as_str()).collect();
    assert!(["rig", "upper", "lower", "arm", "box"].iter().all(|name| names.contains(name)), "{names:?}");
    assert!(
        arm.skeleton().bones().iter().all(|bone| bone.rest.to_trs().scale.abs_diff_eq(Vec3::ONE, ROUNDING)),
        "no scale of units is left"
    );
    let tube = arm.meshes().iter().find(|mesh| mesh.name.contains("Cylinder")).expect("the tube");
    assert_eq!((tube.groups.len(), tube.uv_sets.len()), (2, 1));
    assert_eq!(tube.colors.len(), tube.positions.len());
    let morphs: Vec<&str> = tube.morphs.iter().map(|morph| morph.name.as_str()).collect();
    assert_eq!(morphs, ["bump", "bulge"]);
    let rigid = arm.instances().iter().filter(|instance| instance.bind.is_none()).count();
    assert_eq!((arm.instances().len(), rigid), (2, 1), "the box hangs on its bone");
    let red = arm.materials().iter().find(|material| material.name == "red").expect("the material");
    assert!(red.base_color.abs_diff_eq(Vec4::new(0.8, 0.2, 0.1, 1.0), 1e-3), "{}", red.base_color);
    assert_eq!(red.alpha_mode, AlphaMode::Opaque);
    let clip = &arm.clips()[0];
    assert!((clip.duration_secs() - 1.0).abs() < 1e-6, "{}", clip.duration_secs());
    assert!(clip.tracks.iter().any(|track| matches!(track.channel, Channel::MorphWeights(..))));
    let posed =
        "nodes: 2 bones stand in another pose than the skin was bound in; they rest in that of the skin";
    assert_eq!(told, [posed], "nothing is lost");
    let places = vertices(&arm, None);
    let high = places.iter().map(|place| place.y).fold(f32::MIN, f32::max);
    let low = places.iter().map(|place| place.y).fold(f32::MAX, f32::min);
    assert!(low.abs() < 1e-4 && high > 0.99 && high < 1.3, "a meter high, standing: {low} to {high}");
}

#[test]
fn errors_name_the_place() {
    let error = |bytes: &[u8], limits: &Limits| {
        let folder = Folder::of_files([]);
        let resources = |name: &str, most: u64| folder.read_similar_name(name, most);
        read_fbx(bytes, &resources, limits, &mut Report::default()).expect_err("damaged").to_string()
    };
    let limits = Limits::default();
    assert!(
        error(&ARM[..ARM.len() / 2], &limits).starts_with("after byte "),
        "{}",
        error(&ARM[..ARM.len() / 2], &limits)
    );
    assert!(error(b"", &limits).contains("empty"));
    assert!(error(b"hello, this is not a model\n", &limits).contains("byte"));
    let told = error(ARM, &Limits::with_max_memory(300_000));
    assert!(told.contains("--max-memory"), "{told}");
}
