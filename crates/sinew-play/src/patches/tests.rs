//! Characters that carry designs, against the body itself.

use super::*;
use glam::{Quat, Vec3};
use sinew_body::character::{CharacterSettings, Look};
use sinew_body::limb::{BendMode, TwistMode, VolumeMode};
use sinew_body::pose::PatchDeformer;
use sinew_body::{Body, Design, Template, build};
use sinew_rig::{AuthoredBody, BoundSurface, Character, Pose};
use sinew_skin::PosedCharacter;
use std::sync::Arc;

const STEPS: usize = 4;
/// Vertices of both are of the same patches; matrices are in single precision.
const SAME_M: f32 = 1e-6;

fn design() -> Design {
    Design::parse("lengths.thigh = 0.45").expect("right")
}

fn carried(has_uvs: bool) -> (Body, Character) {
    let body = build(&Template::human(), &design()).expect("right");
    let character = body.to_character(&CharacterSettings { steps: STEPS, look: Look::Skin, has_uvs });
    (body, character.with_body(Some(authored_body("human", &design(), STEPS))))
}

fn turned(character: &Character) -> Pose {
    let mut pose = Pose::rest(character);
    for (bone, turn) in [
        ("forearm.left", Quat::from_rotation_x(1.4)),
        ("hand.left", Quat::from_rotation_y(0.9)),
        ("shank.right", Quat::from_rotation_x(1.0)),
    ] {
        pose.turn(character.skeleton().find(bone).expect("a bone"), turn);
    }
    pose
}

fn shape(posed: &mut PosedCharacter) -> Vec<Vec3> {
    let pose = turned(posed.character());
    posed.set(&pose);
    posed.surface().positions.clone()
}

#[test]
fn vertices_are_those_of_the_body_itself_in_every_mode() {
    for text in [
        "patches",
        "patches:volume=held",
        "patches:bend=source",
        "patches:twist=source",
        "patches:volume=held,bend=source,twist=untreated",
    ] {
        let modes: PatchModes = text.parse().expect("right");
        let (body, plain) = carried(false);
        let bound = BoundSurface::of(&plain);
        let order: Vec<usize> = bound.palette().iter().map(|entry| entry.bone.index()).collect();
        let own = PatchDeformer::new(body.clone(), &body.tessellate(STEPS), &order).expect("a body");
        let expected = shape(&mut PosedCharacter::with_deformer(&plain, Arc::new(modes.apply(own))));
        let rest = &bound.rest().positions;
        let split = carried(true).1;
        let deformer = bind_patches(&split, modes).expect("it carries its design");
        let found = shape(&mut PosedCharacter::with_deformer(&split, deformer));
        let at = |place: Vec3| rest.iter().position(|found| *found == place).expect("a vertex of both");
        for (vertex, place) in BoundSurface::of(&split).rest().positions.iter().enumerate() {
            let off = found[vertex].distance(expected[at(*place)]);
            assert!(off <= SAME_M, "{text}: vertex {vertex} {off}");
        }
    }
}

#[test]
fn what_no_longer_fits_is_refused() {
    let message = |character: &Character| match bind_patches(character, PatchModes::default()) {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    };
    let (_, right) = carried(true);
    assert_eq!(message(&right), "none");
    assert!(message(&right.with_body(None)).starts_with("the model carries no body design"));
    let with = |change: fn(&mut AuthoredBody)| {
        let mut body = right.body().expect("carried").clone();
        change(&mut body);
        message(&right.with_body(Some(body)))
    };
    assert!(with(|body| body.steps = 6).contains("the mesh no longer fits"), "other places");
    assert!(with(|body| body.steps = 5).contains("SINEW_body.steps 5 is out of range"));
    assert!(
        with(|body| body.design = "rings = [".into())
            .starts_with("SINEW_body.design: the design is not valid TOML")
    );
    assert!(with(|body| body.design = "rings.wrong.girth = 1.0".into()).contains("rings.wrong"));
    assert!(with(|body| body.template = "nobody".into()).starts_with("SINEW_body.template: "));
    let longer = with(|body| body.design = "lengths.thigh = 0.5".into());
    assert!(longer.starts_with("the skeleton no longer fits the body's design: bone"), "{longer}");
    let mut parts = right.clone().into_parts();
    parts.meshes[0].positions[7] += 0.002 * Vec3::Y;
    let moved = message(&Character::new(parts).expect("right"));
    assert!(moved.contains("vertex 7 of mesh \"body\" is"), "{moved}");
    let mut parts = right.clone().into_parts();
    parts.bones[3].name = "other".into();
    assert!(message(&Character::new(parts).expect("right")).contains("does not move the mesh"));
}

#[test]
fn modes_are_read_written_and_mistakes_explained() {
    let all = PatchModes {
        volume: VolumeMode::Held,
        bend: BendMode::Source,
        twist: TwistMode::Source,
        ..PatchModes::default()
    }
    .without_muscles();
    let text = "patches:volume=held,bend=source,twist=source,muscles=slack";
    assert_eq!((text.parse(), all.to_string().as_str()), (Ok(all), text));
    assert_eq!(PatchModes::default().to_string(), "patches");
    for (wrong, said) in [
        ("patches:volume=all", "unknown value volume=all; use free or held"),
        ("patches:p=1", "patches have no parameter \"p\"; use volume, bend, twist or muscles"),
        ("patchs", "delta_mush or patches; did you mean \"patches\"?"),
        ("sdef:s=2", "s=2 is out of range"),
    ] {
        let error = wrong.parse::<SkinMethod>().expect_err("wrong").to_string();
        assert!(error.contains(said), "{wrong}: {error}");
    }
}

#[test]
fn helpers_and_morphs_go_along() {
    let (_, right) = carried(true);
    let mut parts = right.clone().into_parts();
    // As a fit does: one more bone in the skin, and a mesh that a morph moves by 1 cm.
    let helper = sinew_rig::BoneId::of(parts.bones.len());
    parts.bones.push(sinew_rig::Bone { name: "helper".into(), ..parts.bones[0].clone() });
    parts.binds[0].joints.push(helper);
    parts.binds[0].joint_from_rest.push(glam::Affine3A::IDENTITY);
    let more = Character::new(parts).expect("right");
    let of = |character: &Character| {
        let deformer = bind_patches(character, PatchModes::default()).expect("it carries its design");
        shape(&mut PosedCharacter::with_deformer(character, deformer))
    };
    assert_eq!(of(&more), of(&right));
}
