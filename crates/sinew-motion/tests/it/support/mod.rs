//! Stick humans, and measures of how they move.

use glam::{Affine3A, Mat3, Quat, Vec3};
use sinew_geometry::Trs;
use sinew_rig::{Bone, BoneId, Character, CharacterParts, Clip, Evaluator, LocalTransform, Pose};

/// Joints of a stick human of 1 m: name, parent, place; left ones stand for both sides.
const JOINTS: [(&str, &str, [f32; 3]); 17] = [
    ("hips", "", [0.0, 0.55, 0.0]),
    ("spine", "hips", [0.0, 0.60, 0.0]),
    ("chest", "spine", [0.0, 0.70, 0.0]),
    ("neck", "chest", [0.0, 0.83, -0.01]),
    ("head", "neck", [0.0, 0.90, 0.0]),
    ("leftUpperLeg", "hips", [0.05, 0.53, 0.0]),
    ("leftLowerLeg", "leftUpperLeg", [0.05, 0.285, 0.004]),
    ("leftFoot", "leftLowerLeg", [0.05, 0.045, 0.0]),
    ("leftToes", "leftFoot", [0.05, 0.012, 0.075]),
    ("leftShoulder", "chest", [0.02, 0.81, 0.0]),
    ("leftUpperArm", "leftShoulder", [0.11, 0.81, 0.0]),
    ("leftLowerArm", "leftUpperArm", [0.24, 0.71, 0.0]),
    ("leftHand", "leftLowerArm", [0.35, 0.63, 0.01]),
    ("leftMiddleProximal", "leftHand", [0.40, 0.59, 0.01]),
    ("leftMiddleIntermediate", "leftMiddleProximal", [0.42, 0.575, 0.01]),
    ("leftMiddleDistal", "leftMiddleIntermediate", [0.435, 0.56, 0.01]),
    ("jaw", "head", [0.0, 0.93, 0.03]),
];

/// Where toes end, for a human of 1 m.
const TOE_TIP: [f32; 3] = [0.05, 0.005, 0.115];

/// A stick human, arms in an A. `roll` turns the axes of every bone, each otherwise, which no motion may show.
pub(crate) fn stick(stature_m: f32, roll: f32) -> Character {
    let mut places: Vec<(String, String, Vec3)> = Vec::new();
    for (name, parent, place) in JOINTS {
        let place = Vec3::from(place) * stature_m;
        places.push((name.into(), parent.into(), place));
        if name.starts_with("left") {
            let right = |text: &str| text.replacen("left", "right", 1);
            places.push((right(name), right(parent), place * Vec3::new(-1.0, 1.0, 1.0)));
        }
    }
    let turn = |index: usize| {
        let axis = Vec3::new(1.0, 0.3 * index as f32, -0.7).normalize();
        Quat::from_axis_angle(axis, roll * (1.0 + index as f32))
    };
    let find = |name: &str| places.iter().position(|(found, _, _)| found == name);
    let bones = places.iter().enumerate().map(|(index, (name, parent, place))| {
        let parent = find(parent);
        let (origin, parent_turn) =
            parent.map_or((Vec3::ZERO, Quat::IDENTITY), |at| (places[at].2, turn(at)));
        let back = parent_turn.inverse();
        let is_toes = name.ends_with("Toes");
        let mut tip = Vec3::from(TOE_TIP) * stature_m;
        tip.x *= place.x.signum();
        Bone {
            name: name.clone(),
            parent: parent.map(BoneId::of),
            rest: LocalTransform::Trs(Trs {
                translation: back * (*place - origin),
                rotation: (back * turn(index)).normalize(),
                scale: Vec3::ONE,
            }),
            tip_in_bone: is_toes.then(|| turn(index).inverse() * (tip - *place)),
        }
    });
    Character::new(CharacterParts {
        name: "stick".into(),
        bones: bones.collect(),
        ..CharacterParts::default()
    })
    .expect("a stick human")
}

/// Points of the soles, each with the bone that it belongs to and its place in that bone.
pub(crate) struct SolePoints(Vec<(BoneId, Vec3)>);

impl SolePoints {
    /// Heel, ball and tip of both feet of a stick human.
    pub(crate) fn of_stick(character: &Character) -> Self {
        let rest = character.skeleton().rest_model_from_bone();
        let mut points = Vec::new();
        for side in ["left", "right"] {
            let bone = |name: &str| character.skeleton().find(&format!("{side}{name}")).expect("a foot");
            let (foot, toes) = (bone("Foot"), bone("Toes"));
            let (ankle, ball) = (rest[foot.index()].translation, rest[toes.index()].translation);
            let tip = rest[toes.index()]
                .transform_point3(character.skeleton().bone(toes).tip_in_bone.expect("toes have a tip"));
            let heel = Vec3::from(ankle) - Vec3::Z * 0.6 * ankle.y;
            for (bone, place) in [(foot, heel), (toes, ball.into()), (toes, tip)] {
                let on_ground = place.with_y(0.0);
                points.push((bone, rest[bone.index()].inverse().transform_point3(on_ground)));
            }
        }
        Self(points)
    }

    /// Vertices that follow one bone of the feet alone, of any human with a mesh: of bones that hang from a foot or follow it.
    #[allow(dead_code, reason = "sinew-tests uses it")]
    pub(crate) fn of_feet(character: &Character, map: &sinew_rig::HumanoidMap) -> Self {
        use sinew_rig::HumanoidBone::{LeftFoot, RightFoot};
        let skeleton = character.skeleton();
        let mut bones: Vec<BoneId> = [LeftFoot, RightFoot].iter().filter_map(|&bone| map.get(bone)).collect();
        for _ in 0..3 {
            for &bone in skeleton.parents_first() {
                let hangs = skeleton.bone(bone).parent.is_some_and(|parent| bones.contains(&parent));
                let logic = character.bone_logic().get(bone.index()).and_then(|logic| logic.follow.as_ref());
                let follows =
                    logic.is_some_and(|follow| follow.ratio == 1.0 && bones.contains(&follow.source));
                if (hangs || follows) && !bones.contains(&bone) {
                    bones.push(bone);
                }
            }
        }
        let names: Vec<String> = bones.iter().map(|bone| format!("#{bone}")).collect();
        Self::of_mesh(character, &names.iter().map(String::as_str).collect::<Vec<_>>())
    }

    /// Vertices that follow the foot or the toes alone, of a character with a mesh.
    pub(crate) fn of_mesh(character: &Character, names: &[&str]) -> Self {
        let bones: Vec<BoneId> =
            names.iter().map(|name| character.skeleton().find(name).expect("a bone of a foot")).collect();
        let bound = sinew_rig::BoundSurface::of(character);
        let mut points = Vec::new();
        for (vertex, &rest) in bound.rest().positions.iter().enumerate() {
            let (entries, weights) = bound.influences().of(vertex);
            let strongest =
                entries.iter().zip(weights).max_by(|a, b| a.1.total_cmp(b.1)).expect("an influence");
            let entry = &bound.palette()[usize::from(*strongest.0)];
            if *strongest.1 > 0.98 && bones.contains(&entry.bone) {
                points.push((entry.bone, entry.bone_from_rest.transform_point3(rest)));
            }
        }
        assert!(points.len() > 7, "{} vertices of feet", points.len());
        Self(points)
    }
}

/// What a motion does wrong, if anything.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    /// How far a point of a sole moves over the ground while it touches it, metres.
    pub(crate) drift_m: f32,
    /// How far a point of a sole is below the ground, metres.
    pub(crate) below_m: f32,
    /// How much the turn of a bone in its parent from one frame to the next changes to the frame after, degrees.
    pub(crate) jerk_deg: f32,
    pub(crate) worst_bone: String,
    pub(crate) worst_secs: f64,
    /// Seconds in which some point touches, of all.
    pub(crate) touching_share: f32,
}

/// Frames a second of measures.
pub(crate) const RATE: f64 = 240.0;

/// A point that is less above the ground touches it.
const TOUCHING_M: f32 = 3e-4;

/// Measures a clip at 240 Hz.
pub(crate) fn measure(character: &Character, clip: &Clip, points: &SolePoints) -> Measured {
    let count = (clip.duration_secs() * RATE).floor() as usize;
    let mut pose = Pose::rest(character);
    let mut evaluator = Evaluator::new(character);
    let mut matrices = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    let mut touched: Vec<Option<Vec3>> = vec![None; points.0.len()];
    let mut measured = Measured::default();
    let mut turns: [Vec<Quat>; 3] = Default::default();
    let mut touching = 0;
    for frame in 0..count {
        pose.set_clip(character, clip, frame as f64 / RATE);
        evaluator.model_from_bone_into(character, &pose, &mut matrices);
        let mut is_touching = false;
        for ((bone, place), touched) in points.0.iter().zip(&mut touched) {
            let point = matrices[bone.index()].transform_point3(*place);
            measured.below_m = measured.below_m.max(-point.y);
            if point.y > TOUCHING_M {
                *touched = None;
                continue;
            }
            is_touching = true;
            let began = *touched.get_or_insert(point);
            measured.drift_m = measured.drift_m.max((point - began).with_y(0.0).length());
        }
        touching += usize::from(is_touching);
        turns.rotate_left(1);
        turns[2] = pose
            .parent_from_bone()
            .iter()
            .map(|local| Quat::from_mat3(&Mat3::from(local.matrix3)).normalize())
            .collect();
        if frame >= 2 {
            let [before, now, after] = &turns;
            for (bone, ((before, now), after)) in before.iter().zip(now).zip(after).enumerate() {
                let step = |from: Quat, to: Quat| turn_vector(from.inverse() * to);
                let change = (step(*now, *after) - step(*before, *now)).length().to_degrees();
                if change > measured.jerk_deg {
                    measured.jerk_deg = change;
                    measured.worst_bone = character.skeleton().bone(BoneId::of(bone)).name.clone();
                    measured.worst_secs = frame as f64 / RATE;
                }
            }
        }
    }
    measured.touching_share = touching as f32 / count as f32;
    measured
}

fn turn_vector(turn: Quat) -> Vec3 {
    let turn = if turn.w < 0.0 { -turn } else { turn };
    // Small turns: the vector part is half the angle, and in f32 better than an arc cosine.
    let vector = turn.xyz();
    let length = vector.length();
    if length < 1e-9 { Vec3::ZERO } else { vector * (2.0 * length.atan2(turn.w) / length) }
}

/// Where a bone is at a time.
pub(crate) fn place_of(character: &Character, clip: &Clip, bone: &str, secs: f64) -> Vec3 {
    let mut pose = Pose::rest(character);
    pose.set_clip(character, clip, secs);
    let mut matrices = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
    pose.model_from_bone_into(character, &mut matrices);
    matrices[character.skeleton().find(bone).expect("a bone").index()].translation.into()
}
