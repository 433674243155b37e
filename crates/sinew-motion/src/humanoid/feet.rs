//! Feet: the ankle above the sole, and the rolling sole.

use super::Side;
use super::align::Alignment;
use super::sole_points::{SurfacePoints, moved_with};
use crate::sole::{Outline, pitched};
use glam::{DQuat, DVec2, DVec3};
use sinew_rig::HumanoidBone::{LeftFoot, LeftToes};
use sinew_rig::{BoneId, Character, HumanoidMap};

/// A foot in neutral pose: level, straight ahead. Lengths in m, (forward, up) from the ankle.
#[derive(Clone, Debug)]
pub(crate) struct Foot {
    /// From rest to level and straight ahead.
    pub(crate) neutral_from_rest: DQuat,
    /// The same for the toes; differs if the character rests on tiptoe.
    pub(crate) toes_neutral_from_rest: DQuat,
    /// Height of the sole in rest pose.
    pub(crate) sole_y: f64,
    /// The whole foot with straight toes, about the ankle.
    whole: Outline,
    toes: Option<Toes>,
}

#[derive(Clone, Debug)]
struct Toes {
    /// Where toes bend.
    joint: DVec2,
    /// About that joint.
    outline: Outline,
    /// How far plain skinning takes vertices between foot and toes below the ground, m, by the bend of the toes in steps of
    /// [`SINK_STEP_RAD`].
    sink: Vec<f64>,
}

/// Steps and number of the table of [`Toes::sink`].
const SINK_STEP_RAD: f64 = 0.05;
const SINK_STEPS: usize = 32;
/// Depth that is left, m: lifting a foot by it too would leave the ground with all rigid parts of the toes.
const LEFT_SINK_M: f64 = 2.5e-4;

impl Toes {
    /// What raises the toes so that no vertex sinks when they are bent, m.
    fn lift(&self, bend_rad: f64) -> f64 {
        let place = (bend_rad.max(0.0) / SINK_STEP_RAD).min((SINK_STEPS - 1) as f64);
        let row = (place as usize).min(SINK_STEPS - 2);
        let Some((from, to)) = self.sink.get(row).zip(self.sink.get(row + 1)) else { return 0.0 };
        from + (to - from) * (place - row as f64)
    }

    /// The table: `mixed` are vertices about the joint with their share of the toes, `sole_y` the ground.
    fn sink_of(mixed: &[(DVec2, f64)], sole_y: f64) -> Vec<f64> {
        let depth = |bend: f64| {
            let height = |&(point, share): &(DVec2, f64)| {
                share * point.y + (1.0 - share) * pitched(point, -bend).y - sole_y
            };
            let lowest = mixed.iter().map(height).fold(0.0, f64::min);
            // Sets in without a corner.
            let deep = (-lowest - LEFT_SINK_M).max(0.0);
            deep * deep / (deep + 1e-4)
        };
        (0..SINK_STEPS).map(|step| depth(step as f64 * SINK_STEP_RAD)).collect()
    }
}

/// Toes stay on the ground until the foot has pitched by this; then they roll too. A human's bend by 50° to 60° at most.
const TOES_BEND_RAD: f64 = 0.75;
/// Pitch range over which the toes' roll sets in.
const TOES_BEND_SOFT_RAD: f64 = 0.35;

impl Foot {
    pub(crate) fn ankle_height_m(&self) -> f64 {
        -self.whole.lowest_height()
    }

    /// From the ankle back to the heel and ahead to the tip, level.
    pub(crate) fn reach(&self) -> [f64; 2] {
        self.whole.reach()
    }

    /// Distance of the ball in front of the ankle.
    pub(crate) fn ball(&self) -> f64 {
        let [_, tip] = self.reach();
        self.toes.as_ref().map_or(0.7 * tip, |toes| toes.joint.x)
    }

    pub(crate) fn has_toes(&self) -> bool {
        self.toes.is_some()
    }

    /// The pitch of toes that stay on the ground while they can.
    pub(crate) fn planted_toes(&self, pitch_rad: f64) -> f64 {
        let over = -pitch_rad - TOES_BEND_RAD;
        let soft = TOES_BEND_SOFT_RAD;
        match () {
            () if pitch_rad >= 0.0 => pitch_rad,
            () if over <= -soft => 0.0,
            () if over >= soft => -over,
            () => -(over + soft) * (over + soft) / (4.0 * soft),
        }
    }

    /// Position of the ankle when the sole rolls on the ground: (forward from its level position, up). `toes_rad` counts below 0.
    pub(crate) fn ankle(&self, pitch_rad: f64, toes_rad: f64) -> DVec2 {
        match &self.toes {
            Some(toes) if pitch_rad < 0.0 => {
                let joint = toes.outline.joint_when_rolled(toes_rad.min(0.0));
                let lift = toes.lift(toes_rad.min(0.0) - pitch_rad);
                DVec2::new(toes.joint.x, lift) + joint - pitched(toes.joint, pitch_rad)
            }
            _ => self.whole.joint_when_rolled(pitch_rad),
        }
    }
}

/// Both feet, left first.
pub(super) fn feet(character: &Character, map: &HumanoidMap, alignment: &Alignment) -> [Foot; 2] {
    let points = SurfacePoints::of(character, alignment);
    Side::BOTH.map(|side| foot(character, map, alignment, &points, side))
}

/// Minimum vertices to determine a sole, or toes.
const FEWEST_VERTICES: usize = 8;
const FEWEST_OF_TOES: usize = 3;

fn foot(
    character: &Character,
    map: &HumanoidMap,
    alignment: &Alignment,
    points: &SurfacePoints,
    side: Side,
) -> Foot {
    let foot_bone = map.get(side.of(LeftFoot)).unwrap_or(BoneId(0));
    let toes_bone = map.get(side.of(LeftToes));
    let ankle = alignment.head_of(foot_bone);
    let mut moved = moved_with(character, foot_bone);
    let toes_moved = toes_bone.map_or_else(Vec::new, |toes| moved_with(character, toes));
    moved.extend(toes_moved.iter().copied().filter(|bone| !moved.contains(bone)).collect::<Vec<_>>());
    let mut whole = points.following(&moved);
    let mut toes_points = points.following(&toes_moved);
    let ahead = direction(character, alignment, foot_bone, toes_bone, &whole);
    if whole.len() < FEWEST_VERTICES {
        whole = sole_of_bones(character, alignment, foot_bone, toes_bone, ahead);
        toes_points = whole.clone();
    }
    let seen = |point: DVec3| DVec2::new((point - ankle).dot(ahead), point.y - ankle.y);
    let slope = outline_or_point(whole.iter().map(|&point| seen(point))).flat_slope();
    let level = |point: DVec3| pitched(seen(point), -slope);
    // Straight ahead, then level: rotating about +X lowers the toes, so a slope is removed by rotating by it.
    let straight = DQuat::from_rotation_y(-ahead.x.atan2(ahead.z));
    let neutral_from_rest = DQuat::from_rotation_x(slope) * straight;
    let mut foot = Foot {
        neutral_from_rest,
        toes_neutral_from_rest: neutral_from_rest,
        sole_y: 0.0,
        whole: outline_or_point(whole.iter().map(|&point| level(point))),
        toes: None,
    };
    // Toes without their own surface do not bend: the foot rolls as one.
    if let Some(toes) = toes_bone.filter(|_| toes_points.len() >= FEWEST_OF_TOES) {
        let joint = level(alignment.head_of(toes));
        let own: Vec<DVec2> = toes_points.iter().map(|&point| level(point)).collect();
        let others =
            whole.iter().filter(|point| !toes_points.contains(point)).map(|&point| level(point)).collect();
        let foot_only: Vec<BoneId> =
            moved.iter().copied().filter(|bone| !toes_moved.contains(bone)).collect();
        let mixed: Vec<(DVec2, f64)> = points
            .between(&foot_only, &toes_moved)
            .into_iter()
            .map(|(point, share)| (level(point), share))
            .collect();
        foot.set_toes(joint, own, others, &mixed);
    }
    foot.sole_y = ankle.y - foot.ankle_height_m();
    foot
}

fn outline_or_point(points: impl IntoIterator<Item = DVec2>) -> Outline {
    Outline::of(points).unwrap_or_else(|| Outline::of([DVec2::ZERO]).expect("a point is an outline"))
}

/// Toes turned up by more than this in a level foot are bent, as on tiptoe; less is their shape.
const BENT_TOES_RAD: f64 = 0.2;

impl Foot {
    /// Straightens toes that rest bent, and computes their outline.
    fn set_toes(&mut self, joint: DVec2, own: Vec<DVec2>, others: Vec<DVec2>, mixed: &[(DVec2, f64)]) {
        let from_joint = own.iter().map(|&point| point - joint).filter(|point| point.x >= 0.0);
        let bend = Outline::of(from_joint).map_or(0.0, |outline| outline.flat_slope());
        let bend = if bend.abs() > BENT_TOES_RAD { bend } else { 0.0 };
        let straightened: Vec<DVec2> =
            own.iter().map(|&point| joint + pitched(point - joint, -bend)).collect();
        self.toes_neutral_from_rest = DQuat::from_rotation_x(bend) * self.neutral_from_rest;
        if bend != 0.0 {
            self.whole = outline_or_point(others.into_iter().chain(straightened.iter().copied()));
        }
        // Toes are on the ground with the sole, even if their own vertices are slightly above it.
        let ball = DVec2::new(joint.x, self.whole.lowest_height());
        let ahead = straightened.into_iter().filter(|point| point.x >= joint.x);
        let outline = Outline::of(ahead.chain([ball]).map(|point| point - joint));
        let mixed: Vec<(DVec2, f64)> = mixed.iter().map(|&(point, share)| (point - joint, share)).collect();
        let sink = Toes::sink_of(&mixed, ball.y - joint.y);
        self.toes = outline.map(|outline| Toes { joint, outline, sink });
    }
}

/// Where the foot points, level.
fn direction(
    character: &Character,
    alignment: &Alignment,
    foot: BoneId,
    toes: Option<BoneId>,
    surface: &[DVec3],
) -> DVec3 {
    let ankle = alignment.head_of(foot);
    let by_bones = toes.map(|toes| alignment.head_of(toes)).or_else(|| alignment.tip_of(character, foot));
    let foremost = || {
        let farthest = surface.iter().max_by(|a, b| a.z.total_cmp(&b.z)).copied();
        farthest.unwrap_or(ankle + DVec3::Z)
    };
    let way = by_bones.map(|to| (to - ankle).with_y(0.0)).filter(|way| way.length() > 0.02 && way.z > 0.0);
    way.unwrap_or_else(|| (foremost() - ankle).with_y(0.0))
        .try_normalize()
        .filter(|way| way.z > 0.2)
        .unwrap_or(DVec3::Z)
}

/// Heel, ball and tip without a surface: the sole is on the ground if the lowest bone is close to it, else at that bone.
fn sole_of_bones(
    character: &Character,
    alignment: &Alignment,
    foot: BoneId,
    toes: Option<BoneId>,
    ahead: DVec3,
) -> Vec<DVec3> {
    let ankle = alignment.head_of(foot);
    let ball = toes.map(|toes| alignment.head_of(toes));
    let tip = toes.unwrap_or(foot);
    let tip = alignment.tip_of(character, tip).or(ball);
    let lowest =
        [Some(ankle), ball, tip].into_iter().flatten().map(|point| point.y).fold(f64::INFINITY, f64::min);
    let sole = if (0.0..0.06).contains(&lowest) { 0.0 } else { lowest - 0.01 };
    // An ankle is about half as far in front of the heel as it is high, and a foot two and a half times as long as high.
    let height = (ankle.y - sole).max(0.01);
    let reach = tip.map_or(2.0 * height, |tip| (tip - ankle).dot(ahead).max(height));
    let along = |way: f64| (ankle + ahead * way).with_y(sole);
    vec![along(-0.6 * height), along(0.5 * reach), along(reach)]
}
