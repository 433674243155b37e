//! How well a rig does in poses that it was not fitted to.

use crate::examples::joint_range::Round;
use crate::examples::sampling::{random_shares, rotations};
use crate::{
    ExampleSet, FittedRig, JointRange, Judged, Poser, Region, Regions, RigFitSettings, Scope, Sequence, Turns,
};
use glam::Vec3;
use rayon::prelude::*;
use sinew_rig::{BoneId, Clip, Pose};

/// Where a rig has the vertices of the character in the only pose of examples of all of them.
pub(super) type Placed<'a> = &'a (dyn Fn(&ExampleSet) -> Vec<Vec3> + Sync);

/// Errors on poses of the whole character that were not fitted, metres.
#[derive(Clone, Copy, Debug, Default, serde::Serialize)]
pub struct HeldOut {
    /// Poses.
    pub poses: usize,
    /// RMS of the bones alone, over the vertices of all regions.
    pub rms_plain: f64,
    /// RMS with helpers.
    pub rms: f64,
    /// RMS of the bones alone, over all vertices of the skin.
    pub rms_plain_all: f64,
    /// RMS with helpers, over all vertices of the skin.
    pub rms_all: f64,
    /// Largest error with helpers.
    pub largest: f64,
    /// Largest error of a vertex in rest pose.
    pub largest_at_rest: f64,
}

/// Poses that bend all joints of all regions at once, at random; none of them is fitted.
pub fn held_out_poses(regions: &Regions, settings: &RigFitSettings) -> Vec<Turns> {
    random_poses(regions, settings.helpers.seed ^ 0x6865_6c64, settings.held_out_count, JUDGED_REACHES[0])
}

/// Poses at random, so much of the way from rest, or from a stance, to where the joints' ranges have them.
fn random_poses(regions: &Regions, seed: u64, count: usize, (reach, round): (f64, Round)) -> Vec<Turns> {
    let mut bones: Vec<BoneId> =
        regions.list.iter().flat_map(|region| region.joints.iter().map(|joint| joint.bone)).collect();
    bones.sort_unstable_by_key(|bone| bone.index());
    bones.dedup();
    let known = |bone: &BoneId| {
        let mut joints = regions.list.iter().flat_map(|region| &region.joints);
        joints.find(|joint| joint.bone == *bone).cloned()
    };
    let joints: Vec<_> = bones.iter().filter_map(known).collect();
    let freedom_count = joints.iter().map(|joint| joint.freedoms.len()).sum();
    let turns = |index: usize| -> Turns {
        let shares = random_shares(freedom_count, seed, index);
        let turned = rotations(&joints, &shares).into_iter();
        let joints = joints.iter().zip(turned);
        joints.map(|(joint, turn)| (joint.bone, joint.toward(turn, reach, round))).collect()
    };
    (0..count).map(turns).collect()
}

/// Poses of each kind that helpers are judged on; others than those that are fitted, and than those that are told.
const JUDGED_POSES: usize = 200;
/// How far the kinds are bent: over the whole range, and as far as a walk does, from rest and from how a human stands.
const JUDGED_REACHES: [(f64, Round); 3] = [(1.0, Round::Rest), (0.35, Round::Rest), (0.35, Round::Stance)];
/// Near rest bones alone may be good: there helpers need not take much away, but must leave less than this share, so that none is worse by chance on others.
const NEAR_SHARE: f64 = 0.95;
/// How a human stands about: there helpers must not be seen to be worse.
const STANDING: (f64, Round) = (0.15, Round::Stance);
/// Poses of that kind: there is little between them.
const STANDING_POSES: usize = 60;

/// Frames of the character's own clips that helpers are judged on, of all clips together.
const JUDGED_FRAMES: usize = 40;
/// Of the character's size: where clips hardly bend a joint, less harm is not seen.
pub(crate) const SEEN: f64 = 1e-4;

/// How every region does in poses that were not fitted, near rest or far from it, or standing or in the character's own clips where helpers do harm there;
/// whichever is worst. `None` without vertices. `clips`: [`some_frames`].
pub(super) fn judge(
    poser: &Poser<'_>,
    regions: &Regions,
    placed: Placed<'_>,
    settings: &RigFitSettings,
    clips: &[Sequence],
) -> Vec<Option<Judged>> {
    let judge = Judge::new(poser, regions, placed);
    let mut worst = vec![None::<Judged>; regions.list.len()];
    let stands_at_rest =
        regions.list.iter().flat_map(|region| &region.joints).all(JointRange::stands_at_rest);
    let judged_on = |count: usize, reach: (f64, Round)| {
        let poses = random_poses(regions, settings.helpers.seed ^ 0x6a75_6467, count, reach);
        let of_pose =
            |turns: &Turns| judge.squares(&poser.examples(judge.scope(), std::slice::from_ref(turns)));
        judge.judged(&poses.par_iter().map(of_pose).collect::<Vec<_>>())
    };
    let does_harm = |judged: &Judged| judged.is_seen_to_harm(poser.drivers.size());
    for reach in JUDGED_REACHES {
        if reach.1 == Round::Rest || !stands_at_rest {
            // Of a thousand random rigs, which have no stance to be judged in too, two were worse by chance with this rule.
            let is_strict = reach.0 == 1.0 || stands_at_rest;
            let counts = |judged: &Judged| is_strict || judged.share() > NEAR_SHARE;
            let judged = judged_on(JUDGED_POSES, reach).into_iter();
            keep_worst(&mut worst, judged.map(|judged| judged.filter(counts)).collect());
        }
    }
    if !stands_at_rest {
        let standing = judged_on(STANDING_POSES, STANDING).into_iter();
        keep_worst(&mut worst, standing.map(|judged| judged.filter(does_harm)).collect());
    }
    for clip in clips {
        let played = judge_sequence(poser, regions, placed, clip);
        keep_worst(&mut worst, played.into_iter().map(|judged| judged.filter(does_harm)).collect());
    }
    worst
}

fn keep_worst(worst: &mut [Option<Judged>], judged: Vec<Option<Judged>>) {
    for (worst, found) in worst.iter_mut().zip(judged) {
        let is_worse = |found: &Judged| worst.is_none_or(|known| found.share() > known.share());
        *worst = found.filter(is_worse).or(*worst);
    }
}

/// Some frames of clips of the character but those that are only measured, of many clips few of each.
pub(super) fn some_frames(poser: &Poser<'_>, settings: &RigFitSettings) -> Vec<Sequence> {
    let is_seen = |(at, _): &(usize, &Clip)| !settings.held_out_clips.contains(at);
    let clips: Vec<&Clip> =
        poser.character.clips().iter().enumerate().filter(is_seen).map(|(_, clip)| clip).collect();
    let step = (2 * clips.len()).div_ceil(JUDGED_FRAMES).max(1);
    let frame_count = (JUDGED_FRAMES * step / clips.len().max(1)).clamp(2, JUDGED_FRAMES);
    let play = |clip: &Clip| {
        // Both ends are of the clip.
        poser.play(clip, (frame_count - 1) as f64 / clip.duration_secs().max(1e-3), &[])
    };
    clips.into_iter().step_by(step).map(play).collect()
}

/// Squared error of the bones alone, one per region, over frames of clips; 0 without clips.
pub(super) fn plain_in_clips(poser: &Poser<'_>, regions: &Regions, clips: &[Sequence]) -> Vec<f64> {
    let plain = FittedRig::plain(poser.drivers, poser.bound);
    let mut squares = vec![0.0; regions.list.len()];
    for clip in clips {
        let judged = judge_sequence(poser, regions, &|set| plain.placed(set), clip);
        for ((square, judged), region) in squares.iter_mut().zip(judged).zip(&regions.list) {
            *square += judged.map_or(0.0, |judged| judged.rms_plain.powi(2) * region.vertices.len() as f64);
        }
    }
    squares
}

/// How every region does in a sequence; `None` without vertices.
pub(crate) fn judge_sequence(
    poser: &Poser<'_>,
    regions: &Regions,
    placed: Placed<'_>,
    sequence: &Sequence,
) -> Vec<Option<Judged>> {
    let judge = Judge::new(poser, regions, placed);
    let of_frame = |(pose, shape): (&Pose, &Vec<Vec3>)| {
        let (pose, shape) = (std::slice::from_ref(pose), std::slice::from_ref(shape));
        judge.squares(&poser.sequence(judge.scope(), pose, shape))
    };
    judge.judged(&sequence.poses.par_iter().zip(&sequence.shapes).map(of_frame).collect::<Vec<_>>())
}

/// A rig beside the bones alone, region by region.
struct Judge<'a> {
    regions: &'a Regions,
    placed: Placed<'a>,
    plain: FittedRig,
    drivers: Vec<usize>,
    /// Of each vertex that drivers move.
    region_of: Vec<usize>,
}

/// Squared errors of a pose, with helpers and without, one per region.
type Squares = [Vec<f64>; 2];

impl<'a> Judge<'a> {
    fn new(poser: &Poser<'_>, regions: &'a Regions, placed: Placed<'a>) -> Self {
        let plain = FittedRig::plain(poser.drivers, poser.bound);
        let mut region_of = vec![usize::MAX; plain.vertices.len()];
        for (index, region) in regions.list.iter().enumerate() {
            for vertex in &region.vertices {
                if let Ok(at) = plain.vertices.binary_search(vertex) {
                    region_of[at] = index;
                }
            }
        }
        let drivers = (0..plain.driver_count).collect();
        Self { regions, placed, plain, drivers, region_of }
    }

    fn scope(&self) -> Scope<'_> {
        Scope { vertices: &self.plain.vertices, drivers: &self.drivers }
    }

    fn squares(&self, pose: &ExampleSet) -> Squares {
        self.both(pose).map(|placed| self.by_region(&placed, pose))
    }

    /// Where vertices stand with helpers, and without.
    fn both(&self, pose: &ExampleSet) -> [Vec<Vec3>; 2] {
        [(self.placed)(pose), self.plain.placed(pose)]
    }

    fn by_region(&self, placed: &[Vec3], pose: &ExampleSet) -> Vec<f64> {
        let mut squares = vec![0.0; self.regions.list.len()];
        let targets = pose.target_positions.iter().zip(&self.region_of);
        for (position, (target, &region)) in placed.iter().zip(targets) {
            if let Some(square) = squares.get_mut(region) {
                *square += f64::from(position.distance_squared(*target));
            }
        }
        squares
    }

    fn judged(&self, poses: &[Squares]) -> Vec<Option<Judged>> {
        let of = |(index, region): (usize, &Region)| {
            let count = (region.vertices.len() * poses.len()) as f64;
            let rms =
                |which: usize| (poses.iter().map(|pose| pose[which][index]).sum::<f64>() / count).sqrt();
            (count > 0.0).then(|| Judged { rms: rms(0), rms_plain: rms(1) })
        };
        self.regions.list.iter().enumerate().map(of).collect()
    }
}

/// Measures a rig on poses that bend all joints of all regions at once: as a whole, and region by region; `None` without vertices.
pub(super) fn held_out(
    poser: &Poser<'_>,
    regions: &Regions,
    placed: Placed<'_>,
    settings: &RigFitSettings,
) -> (HeldOut, Vec<Option<Judged>>) {
    let mut poses: Vec<Turns> = vec![Vec::new()];
    poses.extend(held_out_poses(regions, settings));
    let judge = Judge::new(poser, regions, placed);
    let is_fitted: Vec<bool> = judge.region_of.iter().map(|region| *region != usize::MAX).collect();
    let measured: Vec<([Measure; 2], Squares)> = poses
        .par_iter()
        .map(|turns| {
            let set = poser.examples(judge.scope(), std::slice::from_ref(turns));
            let both = judge.both(&set);
            let squares = [0, 1].map(|which| judge.by_region(&both[which], &set));
            (both.map(|placed| Measure::of(&placed, &set, &is_fitted)), squares)
        })
        .collect();
    let (measures, squares): (Vec<[Measure; 2]>, Vec<Squares>) = measured.into_iter().unzip();
    let sum =
        |which: usize| measures[1..].iter().fold(Measure::default(), |sum, pair| sum.plus(&pair[which]));
    let (with, without) = (sum(0), sum(1));
    let fitted = (is_fitted.iter().filter(|is| **is).count() * settings.held_out_count).max(1) as f64;
    let every = (is_fitted.len() * settings.held_out_count).max(1) as f64;
    let whole = HeldOut {
        poses: settings.held_out_count,
        rms_plain: (without.fitted / fitted).sqrt(),
        rms: (with.fitted / fitted).sqrt(),
        rms_plain_all: (without.all / every).sqrt(),
        rms_all: (with.all / every).sqrt(),
        largest: with.largest,
        largest_at_rest: measures[0][0].largest,
    };
    (whole, judge.judged(&squares[1..]))
}

/// Squared errors of a pose.
#[derive(Clone, Copy, Debug, Default)]
struct Measure {
    fitted: f64,
    all: f64,
    largest: f64,
}

impl Measure {
    fn of(positions: &[Vec3], set: &ExampleSet, is_fitted: &[bool]) -> Self {
        let mut measure = Self::default();
        for ((a, b), is_fitted) in positions.iter().zip(&set.target_positions).zip(is_fitted) {
            let square = f64::from(a.distance_squared(*b));
            measure.all += square;
            measure.fitted += if *is_fitted { square } else { 0.0 };
            measure.largest = measure.largest.max(square.sqrt());
        }
        measure
    }

    fn plus(&self, other: &Self) -> Self {
        let largest = self.largest.max(other.largest);
        Self { fitted: self.fitted + other.fitted, all: self.all + other.all, largest }
    }
}
