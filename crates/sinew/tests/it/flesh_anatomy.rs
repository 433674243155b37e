//! Sinew's own human inside: layers where they should be, weights that carry the skin, fibres along limbs.

use glam::{Quat, Vec3};
use sinew::body::character::CharacterSettings;
use sinew::flesh::CoveredCharacter;
use sinew::flesh::anatomy::{Anatomy, AnatomySettings};
use sinew::flesh::config::FiberSettings;
use sinew::flesh::fibers::{FiberSolver, natural_constraints};
use sinew::geometry::{CoverSettings, CoverSize};
use sinew::rig::{BoundSurface, Character, HumanoidBone, HumanoidMap, Pose};
use sinew::scene::body::{BodyRequest, make};
use sinew::skin::{Method, SkinSettings};

/// Tetrahedra, as many as soft bodies have by default.
const COUNT: usize = 5_000;

fn human() -> Character {
    let settings = CharacterSettings { steps: 4, has_uvs: false, ..CharacterSettings::default() };
    make(&BodyRequest::default()).expect("the average human can be made").body.to_character(&settings)
}

fn covered(character: &Character) -> CoveredCharacter {
    let size = CoverSize::Count(COUNT);
    let settings = CoverSettings { size, ..CoverSettings::default() };
    CoveredCharacter::new(character, &settings).expect("a human can be covered")
}

/// The share of the points nearest to these bones that are held.
fn held_share(anatomy: &Anatomy, map: &HumanoidMap, bones: &[HumanoidBone]) -> f32 {
    let is_of = |point: &usize| bones.iter().any(|&bone| map.get(bone) == Some(anatomy.bone[*point]));
    let points: Vec<usize> = (0..anatomy.point_count()).filter(is_of).collect();
    assert!(!points.is_empty(), "{bones:?}");
    points.iter().filter(|point| anatomy.is_held[**point]).count() as f32 / points.len() as f32
}

#[test]
fn soft_parts_move_and_bony_ones_are_held() {
    let character = human();
    let covered = covered(&character);
    let map = covered.humanoid.clone().expect("the human's bones are known by name");
    let anatomy = Anatomy::new(&covered.input(&[]), &AnatomySettings::default()).unwrap();
    use HumanoidBone as B;
    for bony in [[B::LeftHand, B::RightHand], [B::LeftFoot, B::RightFoot], [B::Head, B::Head]] {
        let held = held_share(&anatomy, &map, &bony);
        assert!(held > 0.9, "{bony:?}: {held}");
    }
    for soft in
        [[B::LeftUpperLeg, B::RightUpperLeg], [B::Hips, B::Spine], [B::LeftUpperArm, B::RightUpperArm]]
    {
        let held = held_share(&anatomy, &map, &soft);
        assert!((0.05..0.6).contains(&held), "{soft:?}: {held}");
    }
}

#[test]
fn skinned_points_carry_the_skin() {
    let character = human();
    let covered = covered(&character);
    let anatomy = Anatomy::new(&covered.input(&[]), &AnatomySettings::default()).unwrap();
    let particles = anatomy.particle_character(&character, &covered.cover.mesh).unwrap();
    let bound = BoundSurface::of(&particles);
    let settings = SkinSettings::from(Method::Lbs);
    let of_points = sinew::skin::bind(&particles, &bound, &settings);
    let of_skin = sinew::skin::bind(&character, &covered.bound, &settings);
    let mut model_from_bone = vec![Default::default(); character.skeleton().bone_count()];
    let mut errors = Vec::new();
    for seed in 0..8_u32 {
        let mut pose = Pose::rest(&character);
        for (at, &bone) in character.joints().iter().enumerate() {
            // Any axis, up to 0.5 rad at every joint at once.
            let random = |salt: u32| {
                let mixed = (seed * 977 + at as u32 * 131 + salt).wrapping_mul(2_654_435_761) >> 8;
                mixed as f32 / (1 << 24) as f32 - 0.5
            };
            pose.turn(bone, Quat::from_scaled_axis(Vec3::new(random(1), random(2), random(3))));
        }
        pose.model_from_bone_into(&character, &mut model_from_bone);
        let mut posed_points = bound.rest().clone();
        let mut matrices = vec![Default::default(); bound.palette().len()];
        bound.posed_from_rest_into(&model_from_bone, &mut matrices);
        of_points.deform(&mut of_points.workspace(), &matrices, bound.rest(), posed_points.as_mut());
        let mut posed_skin = covered.bound.rest().clone();
        let mut matrices = vec![Default::default(); covered.bound.palette().len()];
        covered.bound.posed_from_rest_into(&model_from_bone, &mut matrices);
        of_skin.deform(&mut of_skin.workspace(), &matrices, covered.bound.rest(), posed_skin.as_mut());
        let carried = covered.cover.embedding.apply(&posed_points.positions);
        errors.extend(carried.iter().zip(&posed_skin.positions).map(|(a, b)| a.distance(*b)));
    }
    errors.sort_by(f32::total_cmp);
    let mean = errors.iter().sum::<f32>() / errors.len() as f32;
    let (most, nearly_all) = (errors[errors.len() - 1], errors[errors.len() * 98 / 100]);
    eprintln!("skin carried by points: mean {mean} m, 98 % below {nearly_all} m, at most {most} m");
    // A spacing is 50 mm: fingers and the web between limbs, 2 % of the vertices, are below what points can show.
    assert!(mean < 0.004 && nearly_all < 0.02, "mean {mean} m, 98 % below {nearly_all} m");
}

#[test]
fn fibres_of_limbs_run_along_their_bones() {
    let character = human();
    let covered = covered(&character);
    let map = covered.humanoid.clone().expect("the human's bones are known by name");
    let input = covered.input(&[]);
    let anatomy = Anatomy::new(&input, &AnatomySettings::default()).unwrap();
    let known = natural_constraints(&input, &anatomy, &FiberSettings::default());
    let field = FiberSolver::new(&covered.cover.mesh).unwrap().solve(&known).unwrap();
    for bone in [HumanoidBone::LeftUpperLeg, HumanoidBone::RightLowerLeg, HumanoidBone::LeftLowerArm] {
        let bone = map.get(bone).expect("a human has limbs");
        let core = anatomy.cores.iter().find(|core| core.bone == bone).expect("limbs have cores");
        let middle = (core.start + core.end) / 2.0;
        let length = core.start.distance(core.end);
        let is_shaft = |point: &usize| {
            let along = (covered.cover.mesh.points()[*point] - middle).dot(core.direction());
            anatomy.bone[*point] == bone && along.abs() < 0.25 * length
        };
        let shaft: Vec<usize> = (0..anatomy.point_count()).filter(is_shaft).collect();
        assert!(shaft.len() > 10);
        for point in shaft {
            let cosine = field.point_directions[point].dot(core.direction()).abs();
            // Limbs are cones: skin leans by up to a dozen degrees.
            assert!(
                cosine > 0.93,
                "{:?}: {}",
                character.skeleton().bone(bone).name,
                cosine.acos().to_degrees()
            );
        }
    }
}
