//! Muscles on whole humans.

use super::*;
use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::{TriangleMesh, Trs, shapes};
use sinew_rig::{
    Bone, BoneId, BoundSurface, Character, CharacterParts, HumanoidBone, HumanoidMap, LocalTransform, Pose,
    guess_humanoid, samples,
};
use std::f32::consts::PI;
use std::sync::LazyLock;

/// Angles of single-precision matrices.
const ANGLE_TOLERANCE_RAD: f64 = 2e-3;

/// How a stick human rests.
#[derive(Clone, Copy)]
struct Rest {
    /// Arms against straight out: 0 is T pose, 90° hanging.
    arms_down_rad: f32,
    /// Elbows folded.
    elbow_rad: f32,
    /// Knees folded.
    knee_rad: f32,
    /// The whole human turned about the vertical.
    yaw_rad: f32,
    /// Bone axes differ with this.
    axes: u32,
}

impl Rest {
    const T_POSE: Self = Self { arms_down_rad: 0.0, elbow_rad: 0.0, knee_rad: 0.0, yaw_rad: 0.0, axes: 0 };
}

const POSES: [Rest; 7] = [
    Rest::T_POSE,
    Rest { arms_down_rad: 0.8, axes: 1, ..Rest::T_POSE },
    Rest { arms_down_rad: 1.5, axes: 2, ..Rest::T_POSE },
    Rest { arms_down_rad: 0.7, yaw_rad: 2.0, axes: 3, ..Rest::T_POSE },
    Rest { arms_down_rad: 1.4, elbow_rad: 0.9, knee_rad: 0.2, axes: 4, ..Rest::T_POSE },
    Rest { elbow_rad: 0.2, knee_rad: 0.1, axes: 5, ..Rest::T_POSE },
    Rest { arms_down_rad: 0.8, elbow_rad: 1.2, knee_rad: 0.9, yaw_rad: -0.7, axes: 6 },
];

/// A direction that hangs, out or down, of the left arm.
fn arm_direction(rest: &Rest) -> Vec3 {
    Vec3::new(rest.arms_down_rad.cos(), -rest.arms_down_rad.sin(), 0.0)
}

/// Name, parent and head of the left and middle bones of a stick human that looks along +Z.
fn heads(rest: &Rest) -> Vec<(HumanoidBone, Vec3)> {
    use HumanoidBone::{
        Chest, Head, Hips, LeftFoot, LeftHand, LeftLowerArm, LeftLowerLeg, LeftShoulder, LeftToes,
        LeftUpperArm, LeftUpperLeg, Neck, Spine,
    };
    let arm = arm_direction(rest);
    // Elbows fold to the front, knees to the back.
    let forearm = arm * rest.elbow_rad.cos() + Vec3::Z * rest.elbow_rad.sin();
    let shank = Vec3::new(0.0, -rest.knee_rad.cos(), -rest.knee_rad.sin());
    let (shoulder, hip) = (Vec3::new(0.19, 1.42, 0.0), Vec3::new(0.09, 0.92, 0.0));
    let (elbow, knee) = (shoulder + arm * 0.3, hip + Vec3::NEG_Y * 0.43);
    let ankle = knee + shank * 0.42;
    vec![
        (Hips, Vec3::new(0.0, 0.98, 0.0)),
        (Spine, Vec3::new(0.0, 1.1, 0.0)),
        (Chest, Vec3::new(0.0, 1.25, 0.0)),
        (Neck, Vec3::new(0.0, 1.48, 0.0)),
        (Head, Vec3::new(0.0, 1.58, 0.0)),
        (LeftShoulder, Vec3::new(0.03, 1.42, 0.0)),
        (LeftUpperArm, shoulder),
        (LeftLowerArm, elbow),
        (LeftHand, elbow + forearm * 0.26),
        (LeftUpperLeg, hip),
        (LeftLowerLeg, knee),
        (LeftFoot, ankle),
        (LeftToes, ankle + Vec3::new(0.0, -0.06, 0.13)),
    ]
}

/// A human without skin, with bones turned at random about their heads.
fn stick_human(rest: &Rest) -> (Character, HumanoidMap) {
    let yaw = Quat::from_rotation_y(rest.yaw_rad);
    let mut all: Vec<(HumanoidBone, Vec3)> = Vec::new();
    for (bone, head) in heads(rest) {
        all.push((bone, yaw * head));
        if bone.mirrored() != bone {
            all.push((bone.mirrored(), yaw * (head * Vec3::new(-1.0, 1.0, 1.0))));
        }
    }
    all.sort_by_key(|(bone, _)| bone.index());
    let axes = |at: usize| {
        let seed = (at as u32 + 31 * rest.axes) as f32 * if rest.axes == 0 { 0.0 } else { 1.0 };
        Quat::from_euler(glam::EulerRot::XYZ, 1.3 * seed, 0.7 * seed, 2.1 * seed)
    };
    let placed: Vec<Affine3A> = all
        .iter()
        .enumerate()
        .map(|(at, &(_, head))| Affine3A::from_rotation_translation(axes(at), head))
        .collect();
    let place_of = |bone: HumanoidBone| all.iter().position(|&(known, _)| known == bone);
    let bones = all.iter().enumerate().map(|(at, &(bone, _))| {
        // The nearest bone above that there is.
        let above = std::iter::successors(bone.parent(), |up| up.parent()).find_map(place_of);
        let parent_from_model = above.map_or(Affine3A::IDENTITY, |parent| placed[parent].inverse());
        let (_, rotation, translation) = (parent_from_model * placed[at]).to_scale_rotation_translation();
        Bone {
            name: bone.name().into(),
            parent: above.map(BoneId::of),
            rest: LocalTransform::Trs(Trs { translation, rotation, ..Trs::IDENTITY }),
            tip_in_bone: None,
        }
    });
    let parts = CharacterParts { name: "stick".into(), bones: bones.collect(), ..CharacterParts::default() };
    let character = Character::new(parts).unwrap();
    let map = guess_humanoid(&character);
    assert_eq!(map.missing(), [], "the stick human has VRM's names");
    (character, map)
}

fn model_from_bone(character: &Character, pose: &Pose) -> Vec<Affine3A> {
    let mut matrices = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    pose.model_from_bone_into(character, &mut matrices);
    matrices
}

/// Turns a bone along the model's axes from how it rests; parents must be at rest.
fn turn_in_model(character: &Character, map: &HumanoidMap, pose: &mut Pose, bone: HumanoidBone, turn: Quat) {
    let id = map.get(bone).unwrap();
    let rest = model_from_bone(character, &Pose::rest(character))[id.index()];
    let (_, upright, _) = rest.to_scale_rotation_translation();
    pose.turn(id, upright.inverse() * turn * upright);
}

/// The angles after one bone has turned, for a human of this rest pose.
fn angles_after(rest: &Rest, bone: HumanoidBone, turn: Quat) -> JointAngles {
    let (character, map) = stick_human(rest);
    let body = BodyFrames::new(&character, &map).unwrap();
    let mut pose = Pose::rest(&character);
    let yaw = Quat::from_rotation_y(rest.yaw_rad);
    turn_in_model(&character, &map, &mut pose, bone, yaw * turn * yaw.inverse());
    JointAngles::of(&body, &model_from_bone(&character, &pose))
}

#[track_caller]
fn check_angle(found: Option<f64>, expected_rad: f32, what: &str) {
    let found = found.expect("the stick human has the bones");
    assert!(
        (found - f64::from(expected_rad)).abs() < ANGLE_TOLERANCE_RAD,
        "{what}: {found} is not {expected_rad}"
    );
}

#[test]
fn angles_at_rest_are_those_of_the_rest_pose() {
    for rest in &POSES {
        let angles = angles_after(rest, HumanoidBone::Head, Quat::IDENTITY);
        for side in Side::BOTH {
            check_angle(angles.get(Joint::Elbow, side), rest.elbow_rad, "elbow");
            check_angle(angles.get(Joint::Knee, side), rest.knee_rad, "knee");
            check_angle(
                angles.get(Joint::ShoulderElevation, side),
                PI / 2.0 - rest.arms_down_rad,
                "elevation",
            );
            check_angle(angles.get(Joint::ShoulderForward, side), 0.0, "forward");
            check_angle(angles.get(Joint::HipFlexion, side), 0.0, "hip");
            check_angle(angles.get(Joint::TrunkFlexion, side), 0.0, "trunk");
            check_angle(angles.get(Joint::ShoulderShrug, side), 0.0, "shrug");
            // The shank leans back by the knee's bend while the foot is level.
            check_angle(angles.get(Joint::Ankle, side), rest.knee_rad, "ankle");
        }
    }
}

#[test]
fn bends_are_found_whatever_the_axes_and_the_rest_pose() {
    use HumanoidBone::{Chest, LeftFoot, LeftLowerArm, LeftLowerLeg, LeftUpperArm, LeftUpperLeg};
    let bend = 0.6;
    for rest in &POSES {
        let arm = arm_direction(rest);
        let fold_elbow = Quat::from_axis_angle(arm.cross(Vec3::Z).normalize(), bend);
        let angles = angles_after(rest, LeftLowerArm, fold_elbow);
        check_angle(angles.get(Joint::Elbow, Side::Left), rest.elbow_rad + bend, "elbow");
        check_angle(angles.get(Joint::Elbow, Side::Right), rest.elbow_rad, "the other elbow");
        let angles = angles_after(rest, LeftLowerLeg, Quat::from_rotation_x(bend));
        check_angle(angles.get(Joint::Knee, Side::Left), rest.knee_rad + bend, "knee");
        let angles = angles_after(rest, LeftUpperLeg, Quat::from_rotation_x(-bend));
        check_angle(angles.get(Joint::HipFlexion, Side::Left), bend, "hip");
        check_angle(angles.get(Joint::Knee, Side::Left), rest.knee_rad, "knee of a raised thigh");
        let angles = angles_after(rest, LeftUpperLeg, Quat::from_rotation_z(bend));
        check_angle(angles.get(Joint::HipAbduction, Side::Left), bend, "hip aside");
        let angles = angles_after(rest, LeftFoot, Quat::from_rotation_x(bend));
        check_angle(angles.get(Joint::Ankle, Side::Left), rest.knee_rad - bend, "toes down");
        let angles = angles_after(rest, LeftUpperArm, Quat::from_rotation_z(0.3));
        let elevation = PI / 2.0 - rest.arms_down_rad + 0.3;
        check_angle(angles.get(Joint::ShoulderElevation, Side::Left), elevation, "arm raised");
        let angles = angles_after(rest, Chest, Quat::from_rotation_x(bend));
        check_angle(angles.get(Joint::TrunkFlexion, Side::Right), bend, "bow");
        let angles = angles_after(rest, Chest, Quat::from_rotation_y(bend));
        check_angle(angles.get(Joint::TrunkTwist, Side::Left), bend, "turn to the left");
        check_angle(angles.get(Joint::TrunkTwist, Side::Right), -bend, "the same seen from the right");
    }
}

#[test]
fn an_elbow_bent_backwards_is_below_zero_and_a_bend_aside_is_a_fold() {
    let rest = Rest { axes: 7, ..Rest::T_POSE };
    let back = angles_after(&rest, HumanoidBone::LeftLowerArm, Quat::from_rotation_y(0.3));
    check_angle(back.get(Joint::Elbow, Side::Left), -0.3, "backwards");
    let down = angles_after(&rest, HumanoidBone::LeftLowerArm, Quat::from_rotation_z(-0.3));
    check_angle(down.get(Joint::Elbow, Side::Left), 0.3, "downwards");
}

#[test]
fn wrists_bend_towards_the_palm() {
    // T pose without fingers: the palm is taken to look down and a little ahead.
    let rest = Rest { axes: 8, ..Rest::T_POSE };
    let down = angles_after(&rest, HumanoidBone::LeftHand, Quat::from_rotation_z(-0.5));
    let up = angles_after(&rest, HumanoidBone::LeftHand, Quat::from_rotation_z(0.5));
    let (down, up) = (down.get(Joint::Wrist, Side::Left).unwrap(), up.get(Joint::Wrist, Side::Left).unwrap());
    assert!(down > 0.4 && up < -0.4, "{down} {up}");
}

#[test]
fn shrugs_and_crossed_arms_are_seen() {
    let rest = Rest { arms_down_rad: 1.5, axes: 9, ..Rest::T_POSE };
    let shrug = angles_after(&rest, HumanoidBone::LeftShoulder, Quat::from_rotation_z(0.3));
    check_angle(shrug.get(Joint::ShoulderShrug, Side::Left), 0.3, "shrug");
    let across = angles_after(&rest, HumanoidBone::LeftUpperArm, Quat::from_rotation_z(-0.5));
    check_angle(across.get(Joint::ShoulderAcross, Side::Left), 0.5 - (PI / 2.0 - 1.5), "across");
    let ahead = angles_after(&rest, HumanoidBone::LeftUpperArm, Quat::from_rotation_x(-0.5));
    assert!(ahead.get(Joint::ShoulderForward, Side::Left).unwrap() > 0.45, "{ahead:?}");
    let bent = angles_after(&rest, HumanoidBone::Chest, Quat::from_rotation_z(-0.4));
    check_angle(bent.get(Joint::TrunkSideBend, Side::Left), 0.4, "to the left");
    check_angle(bent.get(Joint::TrunkSideBend, Side::Right), -0.4, "away from the right");
}

#[test]
fn fronts_of_arms_look_ahead_in_every_rest_pose() {
    for rest in &POSES {
        let (character, map) = stick_human(rest);
        let body = BodyFrames::new(&character, &map).unwrap();
        let ahead = (Quat::from_rotation_y(rest.yaw_rad) * Vec3::Z).as_dvec3();
        for side in Side::BOTH {
            for segment in [Segment::UpperArm, Segment::UpperLeg, Segment::Trunk] {
                let frame = body.segment(segment, side).unwrap();
                assert!(frame.front.dot(ahead) > 0.999, "{segment:?} {side:?} {}", frame.front);
                assert!(frame.outer.dot(frame.front).abs() < 1e-9, "perpendicular");
            }
            let left = Quat::from_rotation_y(rest.yaw_rad) * Vec3::X;
            let outer = body.segment(Segment::UpperLeg, side).unwrap().outer;
            assert!(outer.dot(left.as_dvec3()) * side.sign() > 0.999, "{side:?} {outer}");
        }
    }
}

/// The sample figure with its skin at rest, made once.
fn figure() -> (Character, BodyFrames, TriangleMesh) {
    static FIGURE: LazyLock<(Character, BodyFrames, TriangleMesh)> = LazyLock::new(made_figure);
    FIGURE.clone()
}

fn made_figure() -> (Character, BodyFrames, TriangleMesh) {
    let character = samples::figure();
    let bound = BoundSurface::of(&character);
    let skin =
        TriangleMesh { positions: bound.rest().positions.clone(), triangles: bound.triangles().to_vec() };
    let body = BodyFrames::new(&character, &guess_humanoid(&character)).unwrap();
    (character, body, skin)
}

fn muscles_of_figure() -> (Character, BodyFrames, TriangleMesh, MuscleSet) {
    let (character, body, skin) = figure();
    let set =
        MuscleSet::place(&human_muscles(), &body, &SkinProbe::new(&skin.positions, &skin.triangles)).unwrap();
    (character, body, skin, set)
}

#[test]
fn a_figure_has_all_muscles_and_they_meet_its_skin() {
    let (.., set) = muscles_of_figure();
    assert_eq!(set.muscles().len(), 2 * human_muscles().len());
    assert_eq!(set.notes(), []);
    assert_eq!(set.find("biceps.left").map(|at| set.muscles()[at].side), Ok(Side::Left));
    let reported = set.find("bicep.left").unwrap_err().to_string();
    assert!(reported.contains("biceps.left"), "{reported}");
}

#[test]
fn left_and_right_are_mirrored() {
    let (.., set) = muscles_of_figure();
    // Rays hit other triangles of a mesh that is not mirrored triangle by triangle.
    let tolerance_m = 0.004;
    for pair in set.muscles().chunks(2) {
        let [left, right] = pair else { unreachable!("both sides") };
        for (left_strip, right_strip) in left.strips.iter().zip(&right.strips) {
            for (a, b) in left_strip.sections().iter().zip(right_strip.sections()) {
                let mirrored = b.center * Vec3::new(-1.0, 1.0, 1.0);
                assert!(a.center.distance(mirrored) < tolerance_m, "{}: {} {mirrored}", left.name, a.center);
            }
        }
    }
}

#[test]
fn muscles_lie_below_the_skin() {
    let (_, _, skin, set) = muscles_of_figure();
    let field = sinew_geometry::WindingField::new(&skin);
    for muscle in set.muscles() {
        for strip in &muscle.strips {
            let inside =
                strip.sections().iter().filter(|section| field.at(section.center.as_dvec3()).abs() > 0.5);
            let share = inside.count() as f32 / strip.sections().len() as f32;
            assert!(share > 0.9, "{}: {share} of the path is inside the skin", muscle.name);
        }
    }
}

/// Shares at places of limbs: halfway from the axis to the skin.
fn shares_at(body: &BodyFrames, set: &MuscleSet, places: &[(Segment, f64, f64, f64)]) -> MuscleShares {
    let position = |&(segment, along, angle_deg, radius_m): &(Segment, f64, f64, f64)| {
        let frame = body.segment(segment, Side::Left).unwrap();
        (frame.axis_point(along) + frame.direction(along, f64::to_radians(angle_deg)) * radius_m).as_vec3()
    };
    let positions: Vec<Vec3> = places.iter().map(position).collect();
    let (depths, distances) = (vec![0.5; positions.len()], vec![0.01; positions.len()]);
    let points = FleshPoints { positions: &positions, depths: &depths, skin_distances_m: &distances };
    MuscleShares::new(set, &points, 0.0).unwrap()
}

#[test]
fn muscles_are_where_anatomy_has_them() {
    let (_, body, _, set) = muscles_of_figure();
    let cases = [
        ((Segment::UpperArm, 0.5, 0.0, 0.028), "biceps.left"),
        ((Segment::UpperArm, 0.5, 170.0, 0.028), "triceps.left"),
        ((Segment::UpperLeg, 0.5, 0.0, 0.055), "quadriceps.left"),
        ((Segment::UpperLeg, 0.5, 175.0, 0.055), "hamstrings.left"),
        ((Segment::LowerLeg, 0.28, 165.0, 0.035), "calf.left"),
    ];
    let shares = shares_at(&body, &set, &cases.map(|(place, _)| place));
    for (point, (_, name)) in cases.iter().enumerate() {
        let muscle = set.find(name).unwrap() as u32;
        let share = shares.of(point).iter().find(|share| share.muscle == muscle);
        let share = share.unwrap_or_else(|| panic!("{name} is not at its place: {:?}", shares.of(point)));
        assert!(share.share > 0.5, "{name}: {}", share.share);
        let sum: f32 = shares.of(point).iter().map(|share| share.share).sum();
        assert!(sum <= 1.0 + 1e-6, "{name}: shares sum to {sum}");
        assert!((share.fiber.length() - 1.0).abs() < 1e-5, "{name}: {}", share.fiber);
    }
    let along = body.segment(Segment::UpperArm, Side::Left).unwrap().along.as_vec3();
    let constraints = shares.fiber_constraints();
    assert!(constraints[0].particle == 0 && constraints[0].direction.dot(along) > 0.95, "{constraints:?}");
}

#[test]
fn points_that_are_none_are_refused() {
    let (.., set) = muscles_of_figure();
    let points = |positions: &'static [Vec3], depths: &'static [f32]| FleshPoints {
        positions,
        depths,
        skin_distances_m: &[0.0],
    };
    let lengths = MuscleShares::new(&set, &points(&[Vec3::ZERO], &[]), 0.0);
    assert_eq!(lengths, Err(MuscleError::Lengths { positions: 1, depths: 0, skin_distances: 1 }));
    let not_finite = MuscleShares::new(&set, &points(&[Vec3::NAN], &[0.5]), 0.0);
    assert_eq!(not_finite, Err(MuscleError::NotFinite { point: 0 }));
    let blur = MuscleShares::new(&set, &points(&[Vec3::ZERO], &[0.5]), -1.0);
    assert_eq!(blur, Err(MuscleError::Blur { blur_m: -1.0 }));
}

#[test]
fn a_human_without_hands_has_no_forearm_muscles_and_is_reported_so() {
    let (character, _, skin) = figure();
    let mut map = guess_humanoid(&character);
    map.remove(HumanoidBone::LeftHand);
    let body = BodyFrames::new(&character, &map).unwrap();
    let set =
        MuscleSet::place(&human_muscles(), &body, &SkinProbe::new(&skin.positions, &skin.triangles)).unwrap();
    assert!(
        set.find("brachioradialis.left").is_err() && set.find("brachioradialis.right").is_ok(),
        "left only"
    );
    let reported: Vec<String> = set.notes().iter().map(ToString::to_string).collect();
    assert!(
        reported.iter().any(|note| note.contains("forearmFlexors.left") && note.contains("leftHand")),
        "{reported:?}"
    );
    let drive = MuscleDrive::new(&body, &set, DriveSettings::default()).unwrap();
    let idle: Vec<String> = drive.idle().iter().map(ToString::to_string).collect();
    assert!(idle.iter().any(|note| note.starts_with("triceps.left") && note.contains("elbow")), "{idle:?}");
}

#[test]
fn no_skin_is_reported_and_a_usual_thickness_taken() {
    let (_, body, _) = figure();
    let far = shapes::sphere(0.1, 8, 8);
    let far: Vec<Vec3> = far.positions.iter().map(|position| position + 50.0 * Vec3::X).collect();
    let set = MuscleSet::place(&human_muscles(), &body, &SkinProbe::new(&far, &[[0, 1, 2]])).unwrap();
    assert_eq!(set.muscles().len(), 2 * human_muscles().len());
    assert_eq!(set.notes().len(), set.muscles().len());
}

#[test]
fn bad_muscles_are_refused_together() {
    let (_, body, skin) = figure();
    let mut specs = human_muscles();
    specs[0].strips[0].width = f64::NAN;
    specs[1].drivers[0].curve[0][1] = -1.0;
    specs[3].name = specs[2].name.clone();
    let probe = SkinProbe::new(&skin.positions, &skin.triangles);
    let errors = MuscleSet::place(&specs, &body, &probe).unwrap_err();
    assert_eq!(errors.len(), 3, "{errors:?}");
}

/// Contractions of the figure's left arm with elbows folded.
fn folded(strength: f64, elbow_rad: f32) -> (MuscleSet, Vec<Contraction>) {
    let (character, body, _, set) = muscles_of_figure();
    let settings = DriveSettings { strength, ..DriveSettings::default() };
    let drive = MuscleDrive::new(&body, &set, settings).unwrap();
    assert_eq!(drive.idle(), []);
    let mut pose = Pose::rest(&character);
    pose.turn(body.map().get(HumanoidBone::LeftLowerArm).unwrap(), Quat::from_rotation_x(elbow_rad));
    let mut contractions = vec![Contraction::default(); drive.muscle_count()];
    drive.contractions_into(&model_from_bone(&character, &pose), &drive.slack(), &mut contractions);
    (set, contractions)
}

#[test]
fn nothing_is_shortened_at_rest_or_without_strength() {
    for (strength, elbow_rad) in [(1.0, 0.0), (0.0, 1.5)] {
        for contraction in folded(strength, elbow_rad).1 {
            assert!(
                (contraction.along - 1.0).abs() < 1e-4 && (contraction.across - 1.0).abs() < 1e-4,
                "{contraction:?}"
            );
        }
    }
}

#[test]
fn a_folded_elbow_shortens_biceps_and_stretches_triceps_at_one_volume() {
    let (set, contractions) = folded(1.0, 1.9);
    let of = |name: &str| contractions[set.find(name).unwrap()];
    let (biceps, triceps) = (of("biceps.left"), of("triceps.left"));
    assert!(biceps.along < 0.85 && triceps.along > 1.08, "{biceps:?} {triceps:?}");
    assert!((of("biceps.right").along - 1.0).abs() < 1e-4, "the other arm rests");
    for contraction in contractions {
        let volume = contraction.along * contraction.across * contraction.across;
        assert!((volume - 1.0).abs() < 1e-5, "{volume}");
    }
}

#[test]
fn tension_bulges_without_motion_and_no_faster_than_muscles_can() {
    let (character, body, _, set) = muscles_of_figure();
    let drive = MuscleDrive::new(&body, &set, DriveSettings::default()).unwrap();
    let rest = model_from_bone(&character, &Pose::rest(&character));
    let biceps = set.find("biceps.left").unwrap();
    let mut wanted = vec![0.0; drive.muscle_count()];
    wanted[biceps] = 7.0;
    wanted[biceps + 1] = f64::NAN;
    let mut tensions = drive.slack();
    tensions.advance(&wanted, 0.02);
    assert!((tensions.now()[biceps] - 0.24).abs() < 1e-12, "{}", tensions.now()[biceps]);
    tensions.advance(&wanted, 10.0);
    assert_eq!((tensions.now()[biceps], tensions.now()[biceps + 1]), (1.0, 0.0));
    let mut contractions = vec![Contraction::default(); drive.muscle_count()];
    drive.contractions_into(&rest, &tensions, &mut contractions);
    assert!((contractions[biceps].along - 0.92).abs() < 1e-4, "{:?}", contractions[biceps]);
    assert!((contractions[biceps + 1].along - 1.0).abs() < 1e-4, "{:?}", contractions[biceps + 1]);
}

#[test]
fn bones_at_no_place_leave_muscles_as_at_rest() {
    let (_, body, _, set) = muscles_of_figure();
    let drive = MuscleDrive::new(&body, &set, DriveSettings::default()).unwrap();
    let nowhere = vec![Affine3A::from_translation(Vec3::NAN); body.map().iter().count().max(64)];
    let nowhere = &nowhere[..figure().0.skeleton().bone_count()];
    let mut contractions = vec![Contraction::default(); drive.muscle_count()];
    drive.contractions_into(nowhere, &drive.slack(), &mut contractions);
    for contraction in contractions {
        assert!(contraction.along.is_finite() && contraction.across.is_finite(), "{contraction:?}");
    }
    let settings = DriveSettings { strength: f64::NAN, ..DriveSettings::default() };
    assert!(MuscleDrive::new(&body, &set, settings).is_err(), "a strength that is not a number");
}

#[test]
fn who_has_no_thighs_or_lies_down_has_no_front() {
    let (character, mut map) = stick_human(&Rest::T_POSE);
    map.remove(HumanoidBone::RightUpperLeg);
    let missing = BodyFrames::new(&character, &map);
    assert_eq!(missing, Err(MuscleError::BoneMissing { bone: HumanoidBone::RightUpperLeg }));
    let (character, mut map) = stick_human(&Rest::T_POSE);
    let (thigh, knee) =
        (map.get(HumanoidBone::LeftUpperLeg).unwrap(), map.get(HumanoidBone::LeftLowerLeg).unwrap());
    let (other, other_knee) =
        (map.get(HumanoidBone::RightUpperLeg).unwrap(), map.get(HumanoidBone::RightLowerLeg).unwrap());
    map.set(HumanoidBone::LeftUpperLeg, knee);
    map.set(HumanoidBone::LeftLowerLeg, thigh);
    map.set(HumanoidBone::RightUpperLeg, other_knee);
    map.set(HumanoidBone::RightLowerLeg, other);
    assert_eq!(BodyFrames::new(&character, &map), Err(MuscleError::NotUpright));
}
