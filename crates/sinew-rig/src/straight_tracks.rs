//! Converts splines to lines, for programs that do not read tangents.
//!
//! glTF's cubic splines store a tangent on both sides of each key. Blender's importer ignores them and uses its own curve through the
//! keys, which on a walk is 4 mm off between the last two. Lines mean the same everywhere except for rotations, which some programs
//! interpolate along the arc and others along its chord; keys are dense enough for either.

use crate::clip::finer_times;
use crate::key_reduction::kept_keys;
use crate::{BoundSurface, Channel, Character, Interpolation, Track};
use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::{Bounds, slerp};

/// Minimum pieces between two keys before unneeded ones are removed. A line over an eighth of the time has a 64th of the error of one
/// over all of it.
const LEAST_PIECES: f64 = 8.0;

/// Pieces per second, if keys are far apart: a foot swung at 30 m/s² leaves a line of that length by 0.07 mm.
const PIECES_PER_SECOND: f64 = 240.0;

/// Assumed length of objects on a bone without vertices, such as a tool in a hand, as a share of the model's diagonal.
const LEAST_REACH: f32 = 0.1;

/// The tracks with lines instead of splines; each may move a vertex by `allowed_m` from its spline. Tracks of morphs keep theirs.
pub(crate) fn straight_tracks(character: &Character, tracks: Vec<Track>, allowed_m: f32) -> Vec<Track> {
    let is_spline = |track: &Track| track.interpolation == Interpolation::CubicSpline;
    if !tracks.iter().any(is_spline) {
        return tracks;
    }
    let stands = character.skeleton().rest_model_from_bone();
    let reaches = reaches_below(character, &stands);
    let straight = |track: Track| {
        if !is_spline(&track) {
            return track;
        }
        let times_secs = finer_times(&track.times_secs, PIECES_PER_SECOND, LEAST_PIECES);
        let (keys, channel) = match &track.channel {
            Channel::Translation(bone, _) => {
                let parent = character.skeleton().bone(*bone).parent;
                let metres = parent.map_or(1.0, |parent| length_of_unit(&stands[parent.index()]));
                let (keys, values) = vectors(&track, &times_secs, metres / allowed_m);
                (keys, Channel::Translation(*bone, values))
            }
            Channel::Scale(bone, _) => {
                let (keys, values) = vectors(&track, &times_secs, reaches[bone.index()] / allowed_m);
                (keys, Channel::Scale(*bone, values))
            }
            Channel::Rotation(bone, _) => {
                let (keys, values) = rotations(&track, &times_secs, reaches[bone.index()] / allowed_m);
                (keys, Channel::Rotation(*bone, values))
            }
            Channel::MorphWeights(..) | Channel::Reach(..) => return track,
        };
        Track::between(&times_secs, &keys, channel)
    };
    tracks.into_iter().map(straight).collect()
}

/// In rad; exact for small angles too, where a cosine is not.
pub(crate) fn angle_between(a: Quat, b: Quat) -> f32 {
    let apart = (a - b).length().min((a + b).length());
    4.0 * (0.5 * apart).min(1.0).asin()
}

/// Error of a rotation against the interpolation of two others, by the worse of both kinds of players: along the arc, or along its chord.
pub(crate) fn turn_missed(from: Quat, to: Quat, share: f32, found: Quat) -> f32 {
    let near = if from.dot(to) < 0.0 { -to } else { to };
    let chord = (from * (1.0 - share) + near * share).normalize();
    angle_between(slerp(from, to, share), found).max(angle_between(chord, found))
}

fn length_of_unit(stands: &Affine3A) -> f32 {
    Vec3::from(stands.matrix3.x_axis).length()
}

/// Displacement per radian of each bone of the farthest vertex on it or below it, m.
fn reaches_below(character: &Character, stands: &[Affine3A]) -> Vec<f32> {
    let (skeleton, bound) = (character.skeleton(), BoundSurface::of(character));
    let least = LEAST_REACH * Bounds::of(&bound.rest().positions).diagonal();
    let mut reaches = vec![least; skeleton.bone_count()];
    for (vertex, place) in bound.rest().positions.iter().enumerate() {
        let (entries, _) = bound.influences().of(vertex);
        for &entry in entries {
            let entry = &bound.palette()[usize::from(entry)];
            let in_model = stands[entry.bone.index()] * entry.bone_from_rest;
            let place = in_model.transform_point3(*place);
            for bone in skeleton.upwards(entry.bone) {
                let distance = place.distance(Vec3::from(stands[bone.index()].translation));
                reaches[bone.index()] = reaches[bone.index()].max(distance);
            }
        }
    }
    reaches
}

fn vectors(track: &Track, times_secs: &[f64], per_unit: f32) -> (Vec<usize>, Vec<Vec3>) {
    let samples: Vec<Vec3> = times_secs.iter().filter_map(|&time| track.vector_at(time)).collect();
    let keys = with_both_ends(times_secs, |from, to, share, at| {
        samples[from].lerp(samples[to], share).distance(samples[at]) * per_unit
    });
    let values = keys.iter().map(|&key| samples[key]).collect();
    (keys, values)
}

fn rotations(track: &Track, times_secs: &[f64], per_radian: f32) -> (Vec<usize>, Vec<Quat>) {
    let samples: Vec<Quat> = times_secs.iter().filter_map(|&time| track.rotation_at(time)).collect();
    let keys = with_both_ends(times_secs, |from, to, share, at| {
        turn_missed(samples[from], samples[to], share, samples[at]) * per_radian
    });
    let mut values: Vec<Quat> = Vec::with_capacity(keys.len());
    for &key in &keys {
        let value = samples[key];
        let is_far = values.last().is_some_and(|before| before.dot(value) < 0.0);
        values.push(if is_far { -value } else { value });
    }
    (keys, values)
}

/// The needed keys, always with the last: the clip keeps its length even if nothing moves.
fn with_both_ends(times_secs: &[f64], miss: impl Fn(usize, usize, f32, usize) -> f32) -> Vec<usize> {
    let mut keys = kept_keys(times_secs, miss);
    if keys.len() == 1 && times_secs.len() > 1 {
        keys.push(times_secs.len() - 1);
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BoneId, Clip, Pose, samples};

    /// Of an angle in f32.
    const ROUNDING: f32 = 1e-6;

    /// Seconds and a value with its tangent on both sides: an elbow that swings like a pendulum, a shoulder that moves like one.
    fn swinging() -> Vec<Track> {
        let times_secs: Vec<f64> = (0..9).map(|key| f64::from(key) * 0.25).collect();
        let angle = |time: f64| 0.8 * (3.0 * time).sin();
        let turn = |time: f64| Quat::from_rotation_x(angle(time) as f32);
        let tangent = |time: f64| (turn(time + 1e-3) - turn(time - 1e-3)) * (1.0 / 2e-3);
        let turns = times_secs.iter().flat_map(|&time| [tangent(time), turn(time), tangent(time)]).collect();
        let place = |time: f64| Vec3::Y * angle(time) as f32;
        let speed = |time: f64| Vec3::Y * (2.4 * (3.0 * time).cos()) as f32;
        let places = times_secs.iter().flat_map(|&time| [speed(time), place(time), speed(time)]).collect();
        let spline = |channel| Track {
            times_secs: times_secs.clone(),
            interpolation: Interpolation::CubicSpline,
            channel,
        };
        vec![
            spline(Channel::Rotation(BoneId(1), turns)),
            spline(Channel::Translation(BoneId(0), places)),
            spline(Channel::Rotation(BoneId(0), vec![Quat::IDENTITY; 27])),
        ]
    }

    #[test]
    fn lines_show_every_vertex_where_splines_do() {
        let limb = samples::limb(8, 4);
        let allowed_m = 1e-4;
        let splines = swinging();
        let lines = straight_tracks(&limb, splines.clone(), allowed_m);
        assert!(lines.iter().all(|track| track.interpolation == Interpolation::Linear));
        assert!(lines[0].times_secs.len() > 9, "a pendulum needs more keys than splines do");
        assert_eq!(lines[2].times_secs, [0.0, 2.0], "what stands still keeps its length");
        let bound = BoundSurface::of(&limb);
        let shape = |tracks: &[Track], time: f64| {
            let mut pose = Pose::rest(&limb);
            let clip = Clip { name: String::new(), tracks: tracks.to_vec() };
            pose.set_clip(&limb, &clip, time);
            bound.blended(&bound.posed_from_rest(&limb, &pose))
        };
        let mut worst = 0.0f32;
        for step in 0..=400 {
            let time = f64::from(step) / 200.0;
            let (expected, found) = (shape(&splines, time), shape(&lines, time));
            worst = expected.iter().zip(&found).map(|(a, b)| a.distance(*b)).fold(worst, f32::max);
        }
        // Two tracks, and a tenth for what lies between the places that were looked at.
        assert!(worst < 2.2 * allowed_m, "{worst}");
        assert!(worst > 0.2 * allowed_m, "{worst}: far more keys than are needed");
    }

    #[test]
    fn lines_stay_as_they_are() {
        let limb = samples::limb(8, 4);
        let once = straight_tracks(&limb, swinging(), 1e-4);
        assert_eq!(straight_tracks(&limb, once.clone(), 1e-6), once);
    }

    #[test]
    fn a_wide_turn_is_missed_by_its_chord() {
        let (from, to) = (Quat::IDENTITY, Quat::from_rotation_z(2.0));
        assert!(turn_missed(from, to, 0.25, Quat::from_rotation_z(0.5)) > 0.01);
        assert!(turn_missed(from, to, 0.5, Quat::from_rotation_z(1.0)) < ROUNDING, "half way both agree");
        assert!(turn_missed(from, -to, 0.5, Quat::from_rotation_z(1.0)) < ROUNDING, "the shorter way");
    }
}
