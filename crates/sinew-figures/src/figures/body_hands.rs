//! Hands on hips: a pose that only the body itself can say, because the hands lie on its flanks.

use glam::{DMat3, DQuat, DVec3};
use sinew_body::Flank;
use sinew_body::pose::{BodyPose, BoneMove, PosedBody};

/// From the flank to the wrist, on the left, m.
const WRIST_M: DVec3 = DVec3::new(0.05, 0.0, -0.05);
/// Where elbows, fingers and palms point, on the left.
const ELBOW: DVec3 = DVec3::new(0.7, 0.0, -0.7);
const FINGERS: DVec3 = DVec3::new(-0.25, -0.35, 0.9);
const PALM: DVec3 = DVec3::new(-1.0, 0.0, -0.2);
/// Largest share of an arm's length: elbows do not straighten.
const REACH: f64 = 0.999;
/// The shoulder goes along with the arm, so the wrist is found in a few rounds.
const ROUNDS: usize = 3;

/// Bends both arms until the hands lie on the flanks.
pub(super) fn put_on_hips(posed: &PosedBody, pose: &mut BodyPose) {
    let trunk = posed.rest().tubes.iter().find(|tube| tube.name == "trunk");
    // The first corner of the trunk's rings is on the left; the flank is the middle of the last bay.
    let Some(flank_m) = trunk.map(|tube| tube.tube.row(tube.tube.row_count() - 3)[0]) else { return };
    for flank in [Flank::Left, Flank::Right] {
        for _ in 0..ROUNDS {
            bend_arm(posed, pose, flank, flank_m + WRIST_M);
        }
    }
}

/// Two sides of a triangle, by the law of cosines; then the hand's own direction.
fn bend_arm(posed: &PosedBody, pose: &mut BodyPose, flank: Flank, wrist: DVec3) {
    let figure = posed.figure();
    let find = |name: &str| figure.find(name, flank);
    let (Some(upper), Some(fore), Some(hand)) = (find("upper_arm"), find("forearm"), find("hand")) else {
        return;
    };
    let sided = |way: DVec3| if flank == Flank::Right { way * DVec3::new(-1.0, 1.0, 1.0) } else { way };
    let bones = figure.bones();
    let mut moves = vec![BoneMove::NONE; bones.len()];
    figure.moves_into(pose, &mut moves);
    let shoulder = moves[upper].point(bones[upper].center);
    let [a, b] =
        [bones[fore].center.distance(bones[upper].center), bones[hand].center.distance(bones[fore].center)];
    let to = sided(wrist) - shoulder;
    let c = to.length().min(REACH * (a + b));
    let to = to.normalize_or(DVec3::NEG_Y);
    let cosine = ((a * a + c * c - b * b) / (2.0 * a * c)).clamp(-1.0, 1.0);
    let out = sided(ELBOW).reject_from_normalized(to).normalize_or(DVec3::Z);
    let along_upper = cosine * to + (1.0 - cosine * cosine).sqrt() * out;
    let along_fore = (c * to - a * along_upper).normalize_or(to);
    let axis = along_upper.cross(along_fore);
    let bend_axis = bones[fore].frame.bend_axis;
    let palm = bones[hand].frame.bend_axis.cross(bones[hand].direction);
    let turns = [
        (upper, turn_between([bones[upper].direction, bend_axis], [along_upper, axis])),
        (fore, turn_between([bones[fore].direction, bend_axis], [along_fore, axis])),
        (hand, turn_between([bones[hand].direction, palm], [sided(FINGERS), sided(PALM)])),
    ];
    let mut parent = bones[upper].parent.map_or(DQuat::IDENTITY, |parent| moves[parent].rotation);
    for (bone, turn) in turns {
        pose.turns[bone] = parent.inverse() * turn;
        parent = turn;
    }
}

/// The rotation that takes a direction, and a direction beside it, to two others.
fn turn_between(from: [DVec3; 2], to: [DVec3; 2]) -> DQuat {
    let frame = |[along, beside]: [DVec3; 2]| {
        let along = along.normalize_or(DVec3::X);
        let beside = beside.reject_from_normalized(along).normalize_or(along.any_orthonormal_vector());
        DMat3::from_cols(along, beside, along.cross(beside))
    };
    DQuat::from_mat3(&(frame(to) * frame(from).transpose()))
}
