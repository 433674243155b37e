//! Hand-written key frames: bone, time, value, interpolation.

use crate::human_keys::{JointAngles, has_angles, share_of_shoulder, shoulder_of};
use crate::humanoid::Humanoid;
use crate::key_feet::{FootSide, FootTrack, with_feet};
use glam::{Affine3A, DQuat, EulerRot, Quat, Vec2, Vec3};
use serde::{Deserialize, Serialize};
use sinew_geometry::Trs;
use sinew_rig::{
    BoneId, Channel, Character, Clip, Easing, HumanoidBone, HumanoidMap, Interpolation, Track, nearest_names,
};

/// A hand-written motion. See `docs/formats/clip.md`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyClip {
    /// Of the clip.
    #[serde(default)]
    pub name: String,
    /// The order of three angles. Default `xyz`.
    #[serde(default)]
    pub order: EulerOrder,
    /// The axes of values. Default: the model's.
    #[serde(default)]
    pub axes: AxesChoice,
    /// The hips' height of the human that lengths are for, m; lengths are scaled to the character. Default: lengths are the character's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hip_height: Option<f64>,
    /// One per bone.
    #[serde(default)]
    pub track: Vec<KeyTrack>,
    /// Where the feet of a human stand; none or both. Legs follow.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub foot: Vec<FootTrack>,
}

/// The axes of angles, the first outermost: `xyz` is Rx·Ry·Rz.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "the names say it")]
pub enum EulerOrder {
    #[default]
    Xyz,
    Xzy,
    Yxz,
    Yzx,
    Zxy,
    Zyx,
}

impl EulerOrder {
    /// glam's name for it, and the axes in order.
    fn parts(self) -> (EulerRot, [usize; 3]) {
        match self {
            Self::Xyz => (EulerRot::XYZ, [0, 1, 2]),
            Self::Xzy => (EulerRot::XZY, [0, 2, 1]),
            Self::Yxz => (EulerRot::YXZ, [1, 0, 2]),
            Self::Yzx => (EulerRot::YZX, [1, 2, 0]),
            Self::Zxy => (EulerRot::ZXY, [2, 0, 1]),
            Self::Zyx => (EulerRot::ZYX, [2, 1, 0]),
        }
    }

    /// Degrees about x, y and z.
    fn turn(self, degrees: [f64; 3]) -> Quat {
        let radians = degrees.map(|angle| angle.to_radians() as f32);
        let (order, axes) = self.parts();
        let [a, b, c] = axes.map(|axis| radians[axis]);
        Quat::from_euler(order, a, b, c).normalize()
    }

    fn degrees(self, turn: Quat) -> [f64; 3] {
        let (order, axes) = self.parts();
        let (a, b, c) = turn.as_dquat().to_euler(order);
        let mut degrees = [0.0; 3];
        for (axis, angle) in axes.into_iter().zip([a, b, c]) {
            degrees[axis] = angle.to_degrees();
        }
        degrees
    }
}

/// The axes of rotations and translations; both relative to rest, and carried along by the bone's parent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxesChoice {
    /// The model's: x left, y up, z forward.
    #[default]
    Model,
    /// The bone's own in rest pose.
    Bone,
}

/// All keys of a bone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeyTrack {
    /// The bone's name, `#` and its index, or a human bone such as `leftUpperArm`.
    pub bone: String,
    /// In order of time.
    pub keys: Vec<Key>,
}

/// A value at a time. Missing values are unchanged; every key of a track has the same values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// Seconds.
    pub time: f64,
    /// Degrees about x, y and z.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rotate: Option<[f64; 3]>,
    /// The same as a quaternion x, y, z, w.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quaternion: Option<[f64; 4]>,
    /// Bend of a human's joint from standing with hanging arms, °: limbs and trunk forward, knees and elbows closed, hands and fingers
    /// towards the palm, feet up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bend: Option<f64>,
    /// The same to the side, °: limbs away from the body, the trunk to the left, shoulders up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<f64>,
    /// The same about the bone, °: limbs inward, the trunk to the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub twist: Option<f64>,
    /// Meters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub translate: Option<[f64; 3]>,
    /// Interpolation from the previous key. Default: linear.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ease: Option<KeyEase>,
}

/// Interpolation from one key to the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum KeyEase {
    /// `linear`, `step`, `smooth`, `in`, `out` or `in-out`.
    Named(String),
    /// The inner points x₁, y₁, x₂, y₂ of a curve of time, as in CSS.
    Curve([f64; 4]),
}

/// Error of applying keys to a character.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum KeyClipError {
    #[error("unknown bone {name:?}{}", near_text(.nearest))]
    UnknownBone { name: String, nearest: Vec<String> },
    #[error("the model has no known bone for {bone}; use its bone name, or add it to the map")]
    NotMapped { bone: HumanoidBone },
    #[error("{first:?} and {second:?} are the same bone; remove one")]
    Twice { first: String, second: String },
    /// A key, counted from 0.
    #[error("{bone:?}, key {index} (at {time} s): {what}")]
    Key { bone: String, index: usize, time: f64, what: &'static str },
    #[error("{bone:?} has no keys; add one or remove the track")]
    NoKeys { bone: String },
    #[error("{bone:?}: bend, side and twist need a joint of a human; use rotate")]
    NoAngles { bone: String },
    #[error("feet need a human and a key list for each side; found {count} lists")]
    Feet { count: usize },
    /// A key of a foot, counted from 0.
    #[error("{side} foot, key {index}: {what}")]
    FootKey { side: &'static str, index: usize, what: &'static str },
    #[error("{bone:?} follows the feet; remove its track or the feet")]
    LegBone { bone: String },
    #[error("hip_height = {value} is out of range; use 0.1 to 10")]
    HipHeight { value: f64 },
}

fn near_text(nearest: &[String]) -> String {
    let quoted: Vec<String> = nearest.iter().map(|name| format!("{name:?}")).collect();
    if quoted.is_empty() { String::new() } else { format!("; did you mean {}?", quoted.join(" or ")) }
}

impl KeyClip {
    /// The clip for a character.
    ///
    /// # Errors
    /// All problems, not only the first. Feet and joint angles need [`Self::to_clip_of_human`].
    pub fn to_clip(&self, character: &Character, map: &HumanoidMap) -> Result<Clip, Vec<KeyClipError>> {
        match self.foot.len() {
            0 => self.tracks(character, map, None),
            count => Err(vec![KeyClipError::Feet { count }]),
        }
    }

    /// The clip for a human: joints by angles and feet that stand, too.
    ///
    /// # Errors
    /// All problems, not only the first.
    pub fn to_clip_of_human(
        &self,
        character: &Character,
        humanoid: &Humanoid,
    ) -> Result<Clip, Vec<KeyClipError>> {
        let clip = self.tracks(character, humanoid.map(), Some(humanoid))?;
        if self.foot.is_empty() {
            return Ok(clip);
        }
        let feet = self.feet(humanoid)?;
        let scale = self.hip_height.map_or(1.0, |height| humanoid.hip_height_m() / height);
        Ok(with_feet(character, humanoid, &clip, &feet, scale))
    }

    /// Both feet, left first.
    fn feet(&self, humanoid: &Humanoid) -> Result<[&FootTrack; 2], Vec<KeyClipError>> {
        let of = |side: FootSide| {
            let mut found = self.foot.iter().filter(|track| track.side == side);
            found.next().filter(|_| found.next().is_none())
        };
        let (Some(left), Some(right)) = (of(FootSide::Left), of(FootSide::Right)) else {
            return Err(vec![KeyClipError::Feet { count: self.foot.len() }]);
        };
        let mut errors = Vec::new();
        for (side, track) in [("left", left), ("right", right)] {
            if let Some((index, what)) = track.problem() {
                errors.push(KeyClipError::FootKey { side, index, what });
            }
        }
        for track in &self.track {
            let bone = HumanoidBone::from_name(&track.bone);
            let is_leg = |bone: HumanoidBone| {
                std::iter::successors(Some(bone), |bone| bone.parent())
                    .any(|bone| matches!(bone, HumanoidBone::LeftUpperLeg | HumanoidBone::RightUpperLeg))
            };
            if bone.is_some_and(|bone| humanoid.has(bone) && is_leg(bone)) {
                errors.push(KeyClipError::LegBone { bone: track.bone.clone() });
            }
        }
        if errors.is_empty() { Ok([left, right]) } else { Err(errors) }
    }

    fn tracks(
        &self,
        character: &Character,
        map: &HumanoidMap,
        humanoid: Option<&Humanoid>,
    ) -> Result<Clip, Vec<KeyClipError>> {
        let mut errors = Vec::new();
        if let Some(value) = self.hip_height.filter(|height| !(0.1..=10.0).contains(height)) {
            errors.push(KeyClipError::HipHeight { value });
        }
        let mut tracks = Vec::new();
        let mut seen: Vec<(BoneId, &str)> = Vec::new();
        let rest = character.skeleton().rest_model_from_bone();
        let given: Vec<BoneId> =
            self.track.iter().filter_map(|track| find(character, map, &track.bone).ok()).collect();
        for track in &self.track {
            let bone = match find(character, map, &track.bone) {
                Ok(bone) => bone,
                Err(error) => {
                    errors.push(error);
                    continue;
                }
            };
            if let Some((_, first)) = seen.iter().find(|(found, _)| *found == bone) {
                errors.push(KeyClipError::Twice { first: (*first).into(), second: track.bone.clone() });
                continue;
            }
            seen.push((bone, &track.bone));
            match checked(track) {
                Ok(easing) => {
                    let frame = RestFrame::new(character, &rest, bone, self.axes);
                    let human = map.humanoid_bone(bone).zip(humanoid).filter(|(bone, _)| has_angles(*bone));
                    let has_angles = track.keys.iter().any(Key::has_angles);
                    if human.is_none() && has_angles {
                        errors.push(KeyClipError::NoAngles { bone: track.bone.clone() });
                        continue;
                    }
                    let shoulder = human.filter(|_| has_angles).and_then(|(arm, _)| shoulder_of(arm));
                    let shoulder = shoulder.and_then(|bone| Some((bone, map.get(bone)?)));
                    let shoulder = shoulder.filter(|(_, bone)| !given.contains(bone));
                    let moved = Moved { bone, frame, human, shoulder };
                    tracks.extend(self.tracks_of(track, &moved, &easing));
                }
                Err(error) => errors.push(error),
            }
        }
        if errors.is_empty() { Ok(Clip { name: self.name.clone(), tracks }) } else { Err(errors) }
    }

    /// The tracks of a bone, and of the shoulder that goes along with it.
    fn tracks_of(
        &self,
        track: &KeyTrack,
        Moved { bone, frame, human, shoulder }: &Moved<'_>,
        easing: &Interpolation,
    ) -> Vec<Track> {
        let (human, shoulder) = (*human, *shoulder);
        let times_secs: Vec<f64> = track.keys.iter().map(|key| key.time).collect();
        let made = |channel: Channel| Track {
            times_secs: times_secs.clone(),
            interpolation: easing.clone(),
            channel,
        };
        let turn = |key: &Key| {
            let by_angles = || {
                let (bone, humanoid) = human.filter(|_| key.has_angles())?;
                let turn = key.angles().turn(humanoid, bone);
                let before = shoulder.map_or(DQuat::IDENTITY, |_| share_of_shoulder(bone, turn));
                Some(humanoid.local_turn(bone, before.inverse() * turn)?.as_quat())
            };
            by_angles().or_else(|| key.turn(self.order).map(|turn| frame.rotation(turn)))
        };
        let turns: Option<Vec<Quat>> = track.keys.iter().map(turn).collect();
        let of_shoulder = |key: &Key| {
            let ((arm, humanoid), (bone, _)) = human.zip(shoulder)?;
            let turn = share_of_shoulder(arm, key.angles().turn(humanoid, arm));
            Some(humanoid.local_turn(bone, turn)?.as_quat())
        };
        let shoulder_turns: Option<Vec<Quat>> = track.keys.iter().map(of_shoulder).collect();
        let scale =
            self.hip_height.zip(human).map_or(1.0, |(height, (_, human))| human.hip_height_m() / height);
        let shifts: Option<Vec<Vec3>> = track
            .keys
            .iter()
            .map(|key| {
                key.translate
                    .map(|shift| frame.translation(Vec3::from(shift.map(|value| (value * scale) as f32))))
            })
            .collect();
        // Smooth tracks store tangents beside their values.
        let is_smooth = *easing == Interpolation::CubicSpline;
        let eased = |turns: Vec<Quat>| if is_smooth { smooth_turns(&times_secs, &turns) } else { turns };
        let shifts =
            shifts.map(|shifts| if is_smooth { smooth_shifts(&times_secs, &shifts) } else { shifts });
        let rotation = turns.map(|turns| made(Channel::Rotation(*bone, eased(turns))));
        let translation = shifts.map(|shifts| made(Channel::Translation(*bone, shifts)));
        let along = shoulder.zip(shoulder_turns);
        let along = along.map(|((_, bone), turns)| made(Channel::Rotation(bone, eased(turns))));
        rotation.into_iter().chain(translation).chain(along).collect()
    }

    /// A clip in editable form: degrees along the model's axes, one key at each of the clip's. Splines become straight lines between keys;
    /// scales, morphs and switches of chains are left out. Returns the number of left-out tracks.
    pub fn from_clip(character: &Character, clip: &Clip) -> (Self, usize) {
        let rest = character.skeleton().rest_model_from_bone();
        let mut made = Self { name: clip.name.clone(), ..Self::default() };
        let mut left_out = 0;
        for track in &clip.tracks {
            let bone = match &track.channel {
                Channel::Rotation(bone, _) | Channel::Translation(bone, _) => *bone,
                _ => {
                    left_out += 1;
                    continue;
                }
            };
            let frame = RestFrame::new(character, &rest, bone, made.axes);
            let plain = track.without_easing();
            let keys = plain.times_secs.iter().map(|&time| {
                let ease =
                    (plain.interpolation == Interpolation::Step).then(|| KeyEase::Named("step".into()));
                let rotate =
                    plain.rotation_at(time).map(|turn| made.order.degrees(frame.change_of_rotation(turn)));
                let translate = plain
                    .vector_at(time)
                    .map(|shift| frame.change_of_translation(shift).to_array().map(f64::from));
                Key { time, rotate, translate, ease, ..Key::default() }
            });
            made.add(character, bone, keys.collect());
        }
        (made, left_out)
    }

    /// Joins rotations and translations of a bone with the same key times. Otherwise translations are sampled at the rotations' times, because
    /// the reader rejects a bone that is listed twice.
    fn add(&mut self, character: &Character, bone: BoneId, keys: Vec<Key>) {
        let name = name_of(character, bone);
        let Some(there) = self.track.iter_mut().find(|track| track.bone == name) else {
            self.track.push(KeyTrack { bone: name, keys });
            return;
        };
        for key in &mut there.keys {
            let nearest =
                keys.iter().min_by(|a, b| (a.time - key.time).abs().total_cmp(&(b.time - key.time).abs()));
            if let Some(nearest) = nearest {
                key.rotate = key.rotate.or(nearest.rotate);
                key.translate = key.translate.or(nearest.translate);
            }
        }
    }
}

/// The name by which a bone is found again.
fn name_of(character: &Character, bone: BoneId) -> String {
    let name = &character.skeleton().bone(bone).name;
    if character.skeleton().find(name) == Ok(bone) { name.clone() } else { format!("#{bone}") }
}

/// What a track moves.
struct Moved<'a> {
    bone: BoneId,
    frame: RestFrame,
    /// Which bone of a human it is, if its joint has angles.
    human: Option<(HumanoidBone, &'a Humanoid)>,
    /// The shoulder that goes along with it.
    shoulder: Option<(HumanoidBone, BoneId)>,
}

impl Key {
    /// Whether it gives angles of a joint.
    fn has_angles(&self) -> bool {
        self.bend.is_some() || self.side.is_some() || self.twist.is_some()
    }

    fn angles(&self) -> JointAngles {
        let angle = |given: Option<f64>| given.unwrap_or(0.0);
        JointAngles { bend: angle(self.bend), side: angle(self.side), twist: angle(self.twist) }
    }

    fn turn(&self, order: EulerOrder) -> Option<Quat> {
        let given =
            self.quaternion.map(|values| Quat::from_array(values.map(|value| value as f32)).normalize());
        given.or_else(|| self.rotate.map(|degrees| order.turn(degrees)))
    }
}

fn find(character: &Character, map: &HumanoidMap, name: &str) -> Result<BoneId, KeyClipError> {
    if let Ok(bone) = character.skeleton().find(name) {
        return Ok(bone);
    }
    if let Some(bone) = HumanoidBone::from_name(name) {
        return map.get(bone).ok_or(KeyClipError::NotMapped { bone });
    }
    let own = character.skeleton().bones().iter().map(|bone| bone.name.as_str());
    let of_humans = map.iter().map(|(bone, _)| bone.name());
    let nearest = nearest_names(name, own.chain(of_humans));
    Err(KeyClipError::UnknownBone { name: name.into(), nearest })
}

/// Checks keys and returns their interpolation.
fn checked(track: &KeyTrack) -> Result<Interpolation, KeyClipError> {
    let wrong = |index: usize, what: &'static str| {
        let time = track.keys.get(index).map_or(0.0, |key| key.time);
        Err(KeyClipError::Key { bone: track.bone.clone(), index, time, what })
    };
    let Some(first) = track.keys.first() else {
        return Err(KeyClipError::NoKeys { bone: track.bone.clone() });
    };
    let kinds = |key: &Key| {
        (key.rotate.is_some() || key.quaternion.is_some() || key.has_angles(), key.translate.is_some())
    };
    for (index, key) in track.keys.iter().enumerate() {
        let numbers = key
            .rotate
            .iter()
            .flatten()
            .chain(key.quaternion.iter().flatten())
            .chain(key.translate.iter().flatten())
            .chain([&key.bend, &key.side, &key.twist].into_iter().flatten());
        if !key.time.is_finite() || key.time < 0.0 || key.time > 1e6 {
            return wrong(index, "the time must be 0 or more");
        }
        if numbers.into_iter().any(|value| !value.is_finite() || value.abs() > 1e6) {
            return wrong(index, "the values must be finite");
        }
        if index > 0 && key.time <= track.keys[index - 1].time {
            return wrong(index, "keys must be in order of time");
        }
        if key.rotate.is_some() && key.quaternion.is_some() {
            return wrong(index, "give rotate or quaternion, not both");
        }
        if key.has_angles() && (key.rotate.is_some() || key.quaternion.is_some()) {
            return wrong(index, "give bend, side and twist, or rotate, not both");
        }
        if key.quaternion.is_some_and(|values| values.iter().map(|value| value * value).sum::<f64>() < 1e-12)
        {
            return wrong(index, "the quaternion has length 0; use [0, 0, 0, 1] for no rotation");
        }
        if kinds(key) == (false, false) {
            return wrong(index, "give rotate, quaternion, bend or translate");
        }
        if kinds(key) != kinds(first) {
            return wrong(index, "every key of a bone needs the same values: rotate, translate or both");
        }
    }
    interpolation(track).or_else(|(index, what)| wrong(index, what))
}

/// One curve per key, or one rule for all.
fn interpolation(track: &KeyTrack) -> Result<Interpolation, (usize, &'static str)> {
    let is_step = |key: &Key| matches!(&key.ease, Some(KeyEase::Named(name)) if name == "step");
    // The first key's ease is not used.
    let later = track.keys.get(1..).unwrap_or_default();
    if !later.is_empty() && later.iter().all(is_step) {
        return Ok(Interpolation::Step);
    }
    let is_smooth = |key: &Key| matches!(&key.ease, Some(KeyEase::Named(name)) if name == "smooth");
    if !later.is_empty() && later.iter().all(is_smooth) {
        return Ok(Interpolation::CubicSpline);
    }
    let mut easings = Vec::with_capacity(track.keys.len());
    for (index, key) in track.keys.iter().enumerate() {
        let easing = match &key.ease {
            None => Easing::LINEAR,
            Some(KeyEase::Curve([x1, y1, x2, y2])) => {
                let is_fine =
                    [x1, x2].iter().all(|x| (0.0..=1.0).contains(*x)) && y1.is_finite() && y2.is_finite();
                if !is_fine {
                    return Err((index, "the curve's x is out of range; use 0 to 1"));
                }
                curve(*x1, *y1, *x2, *y2)
            }
            Some(KeyEase::Named(name)) => match name.as_str() {
                "linear" => Easing::LINEAR,
                "in" => curve(0.42, 0.0, 1.0, 1.0),
                "out" => curve(0.0, 0.0, 0.58, 1.0),
                "in-out" => curve(0.42, 0.0, 0.58, 1.0),
                "step" | "smooth" if index == 0 => Easing::LINEAR,
                "smooth" => return Err((index, "use smooth for all keys of a bone, or for none")),
                "step" => return Err((index, "use step for all keys of a bone, or for none")),
                _ => {
                    return Err((
                        index,
                        "unknown ease; use linear, step, smooth, in, out, in-out or [x1, y1, x2, y2]",
                    ));
                }
            },
        };
        easings.push([easing; 3]);
    }
    let is_linear = easings.iter().all(|easing| easing[0] == Easing::LINEAR);
    Ok(if is_linear { Interpolation::Linear } else { Interpolation::Eased(easings) })
}

/// In-tangent, value and out-tangent of every key: the slope of the chord between the neighbors, and none at both ends.
fn with_tangents<T: Copy>(times: &[f64], values: &[T], rate: impl Fn(T, T, f32) -> T, zero: T) -> Vec<T> {
    let last = values.len() - 1;
    let slope = |at: usize| {
        if at == 0 || at == last {
            return zero;
        }
        rate(values[at - 1], values[at + 1], (times[at + 1] - times[at - 1]) as f32)
    };
    (0..values.len()).flat_map(|at| [slope(at), values[at], slope(at)]).collect()
}

fn smooth_shifts(times: &[f64], values: &[Vec3]) -> Vec<Vec3> {
    with_tangents(times, values, |from, to, secs| (to - from) / secs, Vec3::ZERO)
}

fn smooth_turns(times: &[f64], values: &[Quat]) -> Vec<Quat> {
    // Signs continuous from key to key.
    let mut near: Vec<Quat> = Vec::with_capacity(values.len());
    for &value in values {
        let is_far = near.last().is_some_and(|last| last.dot(value) < 0.0);
        near.push(if is_far { -value } else { value });
    }
    with_tangents(
        times,
        &near,
        |from, to, secs| (to - from) * (1.0 / secs),
        Quat::from_xyzw(0.0, 0.0, 0.0, 0.0),
    )
}

fn curve(x1: f64, y1: f64, x2: f64, y2: f64) -> Easing {
    Easing { start: Vec2::new(x1 as f32, y1 as f32), end: Vec2::new(x2 as f32, y2 as f32) }
}

/// Converts changes from rest to local transforms of one bone.
struct RestFrame {
    local: Trs,
    /// Model from the bone's parent, and from the bone itself, for turns along the model's axes; the bone's own axes without.
    model: Option<(Affine3A, Quat)>,
}

impl RestFrame {
    fn new(character: &Character, rest: &[Affine3A], bone: BoneId, axes: AxesChoice) -> Self {
        let skeleton = character.skeleton();
        let local = skeleton.bone(bone).rest.to_trs();
        let parent = skeleton.bone(bone).parent.map_or(Affine3A::IDENTITY, |parent| rest[parent.index()]);
        let turn = Trs::nearest(&parent).rotation;
        Self { local, model: (axes == AxesChoice::Model).then_some((parent, turn)) }
    }

    fn rotation(&self, change: Quat) -> Quat {
        let turned = match self.model {
            Some((_, parent)) => parent.inverse() * change * parent * self.local.rotation,
            None => self.local.rotation * change,
        };
        turned.normalize()
    }

    fn change_of_rotation(&self, rotation: Quat) -> Quat {
        let change = match self.model {
            Some((_, parent)) => parent * rotation * self.local.rotation.inverse() * parent.inverse(),
            None => self.local.rotation.inverse() * rotation,
        };
        change.normalize()
    }

    fn translation(&self, change: Vec3) -> Vec3 {
        self.local.translation
            + match self.model {
                Some((parent, _)) => parent.inverse().transform_vector3(change),
                None => self.local.rotation * (self.local.scale * change),
            }
    }

    fn change_of_translation(&self, translation: Vec3) -> Vec3 {
        let change = translation - self.local.translation;
        match self.model {
            Some((parent, _)) => parent.transform_vector3(change),
            None => self.local.rotation.inverse() * change / self.local.scale,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{Pose, guess_humanoid, samples};

    fn key(time: f64, rotate: [f64; 3]) -> Key {
        Key { time, rotate: Some(rotate), ..Key::default() }
    }

    fn clip_of(bone: &str, keys: Vec<Key>) -> KeyClip {
        KeyClip { track: vec![KeyTrack { bone: bone.into(), keys }], ..KeyClip::default() }
    }

    fn place(character: &Character, clip: &Clip, bone: &str, secs: f64) -> Vec3 {
        let mut pose = Pose::rest(character);
        pose.set_clip(character, clip, secs);
        let mut matrices = vec![Affine3A::IDENTITY; character.skeleton().bone_count()];
        pose.model_from_bone_into(character, &mut matrices);
        matrices[character.skeleton().find(bone).expect("a bone").index()].translation.into()
    }

    #[test]
    fn a_raised_arm_goes_up_whatever_axes_its_bone_has() {
        let character = samples::figure();
        let map = guess_humanoid(&character);
        // The left arm points to +X and down; about +Z it goes up.
        let keys = clip_of("leftUpperArm", vec![key(0.0, [0.0; 3]), key(1.0, [0.0, 0.0, 90.0])]);
        let clip = keys.to_clip(&character, &map).expect("a clip");
        let (low, high) =
            (place(&character, &clip, "LeftHand", 0.0), place(&character, &clip, "LeftHand", 1.0));
        let shoulder = place(&character, &clip, "LeftUpperArm", 0.0);
        let (before, after) = (low - shoulder, high - shoulder);
        assert!(after.abs_diff_eq(Vec3::new(-before.y, before.x, before.z), 1e-5), "{before} {after}");
    }

    #[test]
    fn a_shoulder_without_keys_rises_with_its_arm() {
        let character = samples::figure();
        let map = guess_humanoid(&character);
        let humanoid = Humanoid::new(&character, &map).expect("a human");
        let up = |time: f64| Key { time, bend: Some(0.0), side: Some(180.0 * time), ..Key::default() };
        let mut keys = clip_of("leftUpperArm", vec![up(0.0), up(0.5), up(1.0)]);
        let joints = |keys: &KeyClip, secs: f64| {
            let clip = keys.to_clip_of_human(&character, &humanoid).expect("a clip");
            ["LeftUpperArm", "LeftHand"].map(|bone| place(&character, &clip, bone, secs))
        };
        let ([low, _], [high, hand]) = (joints(&keys, 0.0), joints(&keys, 1.0));
        assert!(high.y > low.y + 0.01, "{low} {high}");
        let way = (hand - high).normalize();
        assert!(way.y > 0.99, "the arm keeps its direction: {way}");
        // With keys of its own it does what they say.
        let still = Key { bend: Some(0.0), ..Key::default() };
        keys.track.push(KeyTrack { bone: "leftShoulder".into(), keys: vec![still] });
        let [held, hand] = joints(&keys, 1.0);
        let way = (hand - held).normalize();
        assert!(held.distance(low) < 1e-5 && way.y > 0.99, "{low} {held} {way}");
    }

    #[test]
    fn a_clip_written_and_read_moves_alike() {
        let character = samples::figure();
        let map = guess_humanoid(&character);
        for clip in character.clips() {
            let (keys, _) = KeyClip::from_clip(&character, clip);
            let again = keys.to_clip(&character, &map).expect("our own keys");
            for track in &again.tracks {
                for &time in &track.times_secs {
                    for bone in ["LeftHand", "RightFoot", "Head"] {
                        let (a, b) =
                            (place(&character, clip, bone, time), place(&character, &again, bone, time));
                        assert!(a.abs_diff_eq(b, 1e-4), "{bone} {time}: {a} {b}");
                    }
                }
            }
        }
    }

    #[test]
    fn eases_are_curves_and_nonsense_is_told() {
        let character = samples::figure();
        let map = guess_humanoid(&character);
        let eased = |ease: KeyEase| {
            let last = Key { ease: Some(ease), ..key(1.0, [0.0, 90.0, 0.0]) };
            clip_of("head", vec![key(0.0, [0.0; 3]), last]).to_clip(&character, &map)
        };
        let early = eased(KeyEase::Named("in".into())).expect("a clip");
        let angle = |clip: &Clip, t: f64| {
            clip.tracks[0]
                .rotation_at(t)
                .expect("a turn")
                .angle_between(clip.tracks[0].rotation_at(0.0).expect("a turn"))
        };
        assert!(angle(&early, 0.3) < 0.3 * angle(&early, 1.0));
        assert!(matches!(
            eased(KeyEase::Named("step".into())).expect("a clip").tracks[0].interpolation,
            Interpolation::Step
        ));
        let told = |clip: KeyClip| clip.to_clip(&character, &map).expect_err("a mistake")[0].to_string();
        assert!(
            eased(KeyEase::Named("bounce".into())).expect_err("a mistake")[0].to_string().contains("in-out")
        );
        assert!(told(clip_of("hed", vec![key(0.0, [0.0; 3])])).contains("did you mean \"Head\""));
        assert!(told(clip_of("leftEye", vec![key(0.0, [0.0; 3])])).contains("map"));
        assert!(
            told(clip_of("head", vec![key(1.0, [0.0; 3]), key(0.5, [0.0; 3])])).contains("order of time")
        );
        assert!(told(clip_of("head", vec![Key::default()])).contains("give rotate"));
        assert!(told(clip_of("head", vec![key(0.0, [f64::NAN, 0.0, 0.0])])).contains("finite"));
        assert!(told(clip_of("head", Vec::new())).contains("no keys"));
        let mut twice = clip_of("head", vec![key(0.0, [0.0; 3])]);
        twice.track.push(KeyTrack { bone: "Head".into(), keys: vec![key(0.0, [0.0; 3])] });
        assert!(told(twice).contains("same bone"));
    }
}
