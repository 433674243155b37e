//! Lays the muscles of a human under the skin of a character and draws them, each in a color of its own, at rest and with bent limbs.
//!
//! Run: `cargo run --release -p sinew-examples --example 04_muscles -- man muscles.png`, with `man`, `woman` or a model's file; a `flesh.toml` after
//! that changes the muscles.

use glam::{DQuat, DVec3, Vec3, Vec4};
use sinew::body::character::CharacterSettings;
use sinew::body::survey::Sex;
use sinew::flesh::config::FleshSettings;
use sinew::flesh::muscles::{
    BodyFrames, Contraction, FleshPoints, MuscleDrive, MuscleSet, MuscleShares, Segment, Side, SkinProbe,
};
use sinew::io::{Limits, Report};
use sinew::model::Model;
use sinew::render::{
    Camera, Ground, Image, Material, Object, RenderSettings, Renderer, Scene, TextStyle, View, contact_sheet,
    linear_from_rgb8, srgb_from_linear,
};
use sinew::rig::{BoneId, Character, HumanoidBone, Pose, guess_humanoid};
use sinew::scene::body::{BodyRequest, make};
use sinew::skin::{Method, PosedCharacter};
use std::path::Path;

/// One picture of the sheet, pixels.
const SIZE: (u32, u32) = (620, 760);
/// Colors are taken from a little below the skin, where muscles are, metres.
const BELOW_M: f32 = 0.012;
/// Muscles fade at their edges over about this, metres.
const BLUR_M: f32 = 0.008;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let who = arguments.next().unwrap_or_else(|| "man".into());
    let output = arguments.next().unwrap_or_else(|| "muscles.png".into());
    let settings = match arguments.next() {
        Some(file) => sinew::flesh::config::read(&std::fs::read_to_string(file)?)?,
        None => FleshSettings::default(),
    };
    let character = open(&who)?;
    let caption = Path::new(&who).file_stem().map_or(who.clone(), |stem| stem.to_string_lossy().into_owned());

    let map = guess_humanoid(&character);
    let body = BodyFrames::new(&character, &map)?;
    let skin = sinew::flesh::rest_surface(&character);
    let probe = SkinProbe::new(&skin.positions, &skin.triangles);
    let set = MuscleSet::place(&settings.muscles.list, &body, &probe).map_err(|errors| errors[0].clone())?;
    let drive = MuscleDrive::new(&body, &set, settings.muscles.drive)?;
    set.notes().iter().for_each(|note| eprintln!("{note}"));
    drive.idle().iter().for_each(|note| eprintln!("{note}"));

    let mut posed = PosedCharacter::bind(&character, Method::Dlb);
    let colors = vertex_colors(&set, &posed)?;
    let mut cells = Vec::new();
    for view in [View::Front, View::Side, View::Back] {
        cells.push((drawn(&posed, &skin.triangles, &colors, view)?, format!("{caption}, rest")));
    }
    cells.push((legend(&set)?, "muscles".to_owned()));
    posed.set(&bent(&character, &body, &posed));
    for view in [View::Front, View::Side, View::Back] {
        cells.push((drawn(&posed, &skin.triangles, &colors, view)?, "elbows and knees bent".to_owned()));
    }
    cells.push((lengths(&set, &drive, &posed)?, "length of bellies".to_owned()));
    std::fs::write(output, contact_sheet(&cells, 4, None)?.encode_png()?)?;
    Ok(())
}

fn open(who: &str) -> Result<Character, Box<dyn std::error::Error>> {
    let sex = match who {
        "man" => Sex::Male,
        "woman" => Sex::Female,
        file => {
            return Ok(Model::open(Path::new(file), &Limits::default(), &mut Report::default())?.character);
        }
    };
    let body = make(&BodyRequest { sex: Some(sex), ..BodyRequest::default() })?.body;
    Ok(body.to_character(&CharacterSettings::default()))
}

/// Skin, mixed with the colors of the muscles below it.
fn vertex_colors(set: &MuscleSet, rest: &PosedCharacter) -> Result<Vec<Vec4>, Box<dyn std::error::Error>> {
    let surface = rest.surface();
    let below =
        surface.positions.iter().zip(&surface.normals).map(|(place, normal)| place - normal * BELOW_M);
    let count = surface.positions.len();
    let (positions, depths, distances) = (below.collect::<Vec<_>>(), vec![0.8; count], vec![BELOW_M; count]);
    let points = FleshPoints { positions: &positions, depths: &depths, skin_distances_m: &distances };
    let shares = MuscleShares::new(set, &points, BLUR_M)?;
    let skin = Vec3::splat(0.62);
    let color = |vertex: usize| {
        let muscles = shares.of(vertex);
        let left: f32 = 1.0 - muscles.iter().map(|share| share.share).sum::<f32>();
        let mixed = muscles.iter().fold(skin * left.max(0.0), |sum, share| {
            sum + color_of(set, share.muscle as usize) * share.share
        });
        mixed.extend(1.0)
    };
    Ok((0..count).map(color).collect())
}

/// Linear light; left and right have one color.
fn color_of(set: &MuscleSet, muscle: usize) -> Vec3 {
    let name = |at: usize| set.muscles()[at].name.split('.').next().unwrap_or_default();
    let mut names: Vec<&str> = Vec::new();
    for at in 0..=muscle {
        if !names.contains(&name(at)) {
            names.push(name(at));
        }
    }
    let place = names.iter().position(|&known| known == name(muscle)).unwrap_or(0) as f32;
    // Steps of the golden angle keep neighbours in the list apart.
    let hue = (place * 0.381_966).fract() * std::f32::consts::TAU;
    let lightness = if (place as u32).is_multiple_of(2) { 0.72 } else { 0.48 };
    let wave = |shift: f32| (255.0 * (lightness + 0.27 * (hue + shift).cos())) as u8;
    linear_from_rgb8([wave(0.0), wave(-2.094), wave(2.094)])
}

fn drawn(
    posed: &PosedCharacter,
    triangles: &[[u32; 3]],
    colors: &[Vec4],
    view: View,
) -> Result<Image, Box<dyn std::error::Error>> {
    let positions = posed.surface().positions.clone();
    let camera = Camera::frame(view, positions.iter().copied(), SIZE.0 as f32 / SIZE.1 as f32);
    let lowest = posed.bounds().min().y;
    let material = Material { double_sided: true, ..Material::default() };
    let object =
        Object { vertex_colors: colors.to_vec(), ..Object::new(positions, triangles.to_vec(), material) };
    let scene = Scene { objects: vec![object], ground: Ground::Plane { y: lowest }, ..Scene::default() };
    let settings = RenderSettings { width: SIZE.0, height: SIZE.1, ..RenderSettings::default() };
    Ok(Renderer::new().render(&scene, &camera, &settings)?)
}

fn legend(set: &MuscleSet) -> Result<Image, Box<dyn std::error::Error>> {
    let mut image = Image::filled(SIZE.0, SIZE.1, [246, 246, 244, 255])?;
    let left = set.muscles().iter().enumerate().filter(|(_, muscle)| muscle.side == Side::Left);
    for (line, (at, muscle)) in left.enumerate() {
        let [r, g, b] = color_of(set, at).to_array().map(|light| (255.0 * srgb_from_linear(light)) as u8);
        let style = TextStyle { size_px: 34.0, color: [r, g, b, 255], ..TextStyle::default() };
        style.draw(&mut image, &muscle.name, 30.0, 50.0 + 38.0 * line as f32);
    }
    Ok(image)
}

fn lengths(
    set: &MuscleSet,
    drive: &MuscleDrive,
    posed: &PosedCharacter,
) -> Result<Image, Box<dyn std::error::Error>> {
    let mut contractions = vec![Contraction::default(); drive.muscle_count()];
    drive.contractions_into(posed.model_from_bone(), &drive.slack(), &mut contractions);
    let mut image = Image::filled(SIZE.0, SIZE.1, [246, 246, 244, 255])?;
    let left = set.muscles().iter().zip(&contractions).filter(|(muscle, _)| muscle.side == Side::Left);
    for (line, (muscle, contraction)) in left.enumerate() {
        let style = TextStyle { size_px: 26.0, ..TextStyle::default() };
        let text = format!("{}: {:.2} long, {:.2} wide", muscle.name, contraction.along, contraction.across);
        style.draw(&mut image, &text, 30.0, 50.0 + 38.0 * line as f32);
    }
    Ok(image)
}

/// Elbows by 110°, knees and hips by 70°, whatever axes bones have: limbs turn about what is across their rest.
fn bent(character: &Character, body: &BodyFrames, rest: &PosedCharacter) -> Pose {
    let mut pose = Pose::rest(character);
    // Feet that are held by the rig's own logic would keep legs straight.
    for bone in (0..character.skeleton().bone_count()).map(BoneId::of) {
        pose.set_reaching(bone, false);
    }
    for side in Side::BOTH {
        let of = |left: HumanoidBone| if side == Side::Left { left } else { left.mirrored() };
        let mut turn = |bone: HumanoidBone, segment: Segment, degrees: f64| {
            let (Some(id), Ok(frame)) = (body.map().get(of(bone)), body.segment(segment, side)) else {
                return;
            };
            let across: DVec3 = frame.along.cross(frame.front);
            let in_model = DQuat::from_axis_angle(across, degrees.to_radians());
            let model_from_bone = rest.model_from_bone()[id.index()];
            let (_, upright, _) = model_from_bone.to_scale_rotation_translation();
            pose.turn(id, upright.inverse() * in_model.as_quat() * upright);
        };
        turn(HumanoidBone::LeftLowerArm, Segment::LowerArm, 110.0);
        turn(HumanoidBone::LeftUpperLeg, Segment::UpperLeg, 70.0);
        turn(HumanoidBone::LeftLowerLeg, Segment::LowerLeg, -70.0);
    }
    pose
}
