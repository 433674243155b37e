//! Optimizes the joints of SBS+: c, r0, r1 and weights for the least kink and the least loss of section over a range of bends.
//!
//! Derived parameters follow the file's weights, which are rarely made for spherical methods: painted or automatic weights often change within
//! a few centimeters, so that the whole bend falls on two rows of the mesh. Here seven numbers of a joint are searched: where a ramp of weights
//! begins and ends on the axis and its shape, how far the weights follow it, r0 and r1, and how far the centers move from the axis to the middle of the
//! limb. The joint's surface is moved by the method's own code in every bend and measured by rings ([`crate::measures`]).
//!
//! The loss of a candidate is the sum over bends of its sharpest turn and its lost section, each relative to that of the file's own values.
//! What is worse than these in any bend costs more than it can win elsewhere, so that no bend gets worse.
//!
//! Joints that are mirror images of each other are searched together and get the same seven numbers: the loss has several valleys, and rings follow the
//! triangles, which are seldom mirror images; each side would end in a valley of its own.

mod written;

use crate::anchors::Anchors;
use crate::axis::Axis;
use crate::measures::{JointMeasures, JointRings, ProbedJoint, joint_probes};
use crate::palette_joints::PaletteJoints;
use crate::skin::given_ranges;
use crate::{BoneFrame, DEFAULT_S, JointHead, RestVertex, RotationBlend, SkinSettings, authored, sdef};
use glam::{Affine3A, Quat, Vec3};
use sinew_geometry::Bounds;
use sinew_rig::{BoneId, BoundSurface, Character, InvalidCharacter};
use written::{joined, with_vertices};

/// What a joint loses in one pose.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointLoss {
    /// The sharpest turn between rings that the pose adds, both ends included, rad.
    pub turn_rad: f64,
    /// 1 less the least section over rest.
    pub section: f64,
    /// 1 less the volume between the first and the last ring over rest: mean section times length. A bend over more of the limb cuts its corner.
    pub volume: f64,
}

/// A bend that a joint is optimized for, with what it loses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BendLoss {
    /// How far the child is turned, rad.
    pub angle_rad: f64,
    /// By the values that the file had.
    pub before: JointLoss,
    /// By the new ones.
    pub after: JointLoss,
}

/// A joint that was optimized.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimizedJoint {
    /// The child bone.
    pub bone: BoneId,
    /// Vertices with new values.
    pub vertices: usize,
    /// The bends; empty for a joint whose surface has no rings, which stays as it is.
    pub bends: Vec<BendLoss>,
}

/// Bends of the search, degrees. Other angles are left for judging it.
const ANGLES_DEG: [f32; 4] = [45.0, 75.0, 105.0, 130.0];

/// Optimizes every joint with vertices whose child bone `is_chosen`, for SBS+ with s = ½ and slerp. The new values are the meshes' own: weights, and c,
/// r0 and r1 of vertices of two bones; vertices of more keep theirs.
///
/// # Errors
/// None for an existing character; the parts are checked again.
pub fn optimize_joints(
    character: Character,
    settings: &SkinSettings,
    is_chosen: impl Fn(&str) -> bool,
) -> Result<(Character, Vec<OptimizedJoint>), InvalidCharacter> {
    let bound = BoundSurface::of(&character);
    let rest = vec![Affine3A::IDENTITY; bound.palette().len()];
    let mut chosen: Vec<ProbedJoint> = Vec::new();
    for joint in joint_probes(&character, &bound, settings, &rest) {
        let is_new = !chosen.iter().any(|other| other.bone == joint.bone);
        if is_new && is_chosen(&character.skeleton().bone(joint.bone).name) {
            chosen.push(joint);
        }
    }
    let tolerance = MIRROR_TOLERANCE * Bounds::of(&bound.rest().positions).size().length();
    let groups = mirrored_groups(&chosen, tolerance);
    let mut character = character;
    let mut optimized = Vec::new();
    for group in groups {
        let bound = BoundSurface::of(&character);
        let joints = joint_probes(&character, &bound, settings, &rest);
        let found = |bone: &BoneId| joints.iter().find(|joint| joint.bone == *bone);
        let sides: Vec<Side<'_>> = group
            .iter()
            .filter_map(found)
            .map(|&joint| Side::new(&character, &bound, settings, joint))
            .collect();
        let mut changed = Vec::new();
        for search in Search::of(sides, tolerance) {
            let (best, bends) = search.run();
            for (side, bends) in search.sides.iter().zip(bends) {
                let states = side.changed(&best);
                optimized.push(OptimizedJoint { bone: side.joint.bone, vertices: states.len(), bends });
                changed.push(states);
            }
        }
        let changed = joined(&bound, changed);
        if !changed.is_empty() {
            character = with_vertices(character, &bound, &changed)?;
        }
    }
    Ok((character, optimized))
}

/// Joints whose ends are this share of the model's size from mirror images of each other's are the two sides of a character.
const MIRROR_TOLERANCE: f32 = 2e-3;

/// Joints, those that are mirror images of each other together.
fn mirrored_groups(joints: &[ProbedJoint], tolerance: f32) -> Vec<Vec<BoneId>> {
    let ends = |joint: &ProbedJoint| [joint.probe.parent_head, joint.probe.head, joint.probe.child_tip];
    let is_image = |a: &ProbedJoint, b: &ProbedJoint| {
        let pairs = ends(a).into_iter().zip(ends(b));
        pairs.map(|(a, b)| a.distance(b * Vec3::new(-1.0, 1.0, 1.0))).all(|gap| gap <= tolerance)
    };
    let mut groups: Vec<Vec<BoneId>> = Vec::new();
    for (at, joint) in joints.iter().enumerate() {
        if groups.iter().flatten().any(|bone| *bone == joint.bone) {
            continue;
        }
        let is_free = |other: &&ProbedJoint| !groups.iter().flatten().any(|bone| *bone == other.bone);
        let image = joints[at + 1..].iter().filter(is_free).find(|other| is_image(joint, other));
        groups.push(std::iter::once(joint.bone).chain(image.map(|image| image.bone)).collect());
    }
    groups
}

/// A candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Candidate {
    /// Where the ramp begins and ends, and r0 and r1, as distances from the joint; how far weights follow the ramp, 0 to 1; how far centers
    /// move from the axis to the middle of the limb, 0 to 1; from a linear ramp (0) to a smooth one (1), or away from it.
    values: [f32; 7],
}

const RAMP_BACK: usize = 0;
const RAMP_FORTH: usize = 1;
const R0: usize = 2;
const R1: usize = 3;
const FOLLOW: usize = 4;
const MIDDLE: usize = 5;
const SHAPE: usize = 6;

/// A candidate with what it costs.
struct Judged {
    candidate: Candidate,
    cost: f64,
    losses: Vec<JointLoss>,
}

/// Lengths of ramps to start from, in derived soft ranges.
const SCALES: [f32; 6] = [0.75, 1.0, 1.5, 2.0, 3.0, 4.0];

/// A vertex that the joint moves, with its values in the file.
#[derive(Clone, Debug)]
struct State {
    vertex: usize,
    entries: Vec<u16>,
    weights: Vec<f32>,
    center: Vec3,
    anchors: Vec<Vec3>,
    heads: Vec<JointHead>,
    /// Places of the parent and of the child among its bones; `None` where one is missing: it stays as it is.
    pair: Option<[usize; 2]>,
    /// How far a candidate changes it, 0 to 1.
    follow: f32,
    along: f32,
    foot: Vec3,
    /// From the axis to the middle of the limb.
    offset: Vec3,
}

/// The search for a joint, or for a joint and its mirror image: both get the same values, so that a symmetric character stays so.
struct Search<'a> {
    sides: Vec<Side<'a>>,
    lowest: [f32; 7],
    highest: [f32; 7],
}

/// One joint of a search.
struct Side<'a> {
    bound: &'a BoundSurface,
    joint: ProbedJoint,
    axis: Axis,
    rings: JointRings,
    states: Vec<State>,
    /// Whether a palette entry moves with the child.
    moves: Vec<bool>,
    /// Rotations of the bends.
    turns: Vec<Quat>,
    /// Lengths of the soft range on the parent and on the child.
    derived: [f32; 2],
}

/// If two bones have less of a vertex than this, its weights stay; from here to 1 they change more and more.
const LEAST_PAIR_WEIGHT: f32 = 0.2;

/// Changes fade out towards the ends of the rings over this share of the way from the joint, so that the skin beyond continues.
const FADE_SHARE: f32 = 0.3;

/// Sections lost by less than this cannot be seen; ratios of them mean nothing.
const LEAST_LOSS: f64 = 0.01;

/// Rounds of the search; each halves the steps.
const ROUNDS: usize = 5;

/// Two sides are alike if so large a share of their vertices have an image on the other side, within the tolerance of place and of weights.
const ALIKE_SHARE: f64 = 0.9;
const ALIKE_WEIGHTS: f32 = 0.05;

impl<'a> Side<'a> {
    fn new(
        character: &Character,
        bound: &'a BoundSurface,
        settings: &SkinSettings,
        joint: ProbedJoint,
    ) -> Self {
        let joints = PaletteJoints::of(character, bound);
        let axis = Axis::of(&joints, joint.parent_entry, joint.child_entry);
        let rings = JointRings::reaching(bound, &joint);
        let given = given_ranges(character, bound, &joints, settings);
        let anchors = Anchors::derive(&joints, bound, &given, &authored::spherical(character, bound));
        let child_bone = joint.bone;
        let moves = bound
            .palette()
            .iter()
            .map(|entry| character.skeleton().upwards(entry.bone).any(|bone| bone == child_bone))
            .collect();
        let derived = [joint.probe.range.begin, joint.probe.range.end].map(|end| end.distance(axis.head));
        let mut side =
            Self { bound, axis, states: Vec::new(), moves, turns: bends(&axis), derived, rings, joint };
        side.states = side.states_of(&joints, &anchors);
        side
    }

    /// Between which values is searched.
    fn limits(&self) -> [[f32; 7]; 2] {
        let [back, forth] = self.rings.range().map_or([0.0; 2], |[from, to]| [-from as f32, to as f32]);
        let [least_back, least_forth] = self.derived.map(|end| 0.2 * end);
        let lowest = [least_back, least_forth, 0.0, 0.0, 0.0, 0.0, -0.5];
        [lowest, [back, forth, 2.0 * back, 2.0 * forth, 1.0, 1.5, 1.0]]
    }

    /// Whether the skin is the mirror image of another joint's. Measures cannot tell: rings follow the triangles, and few meshes cut the quads of both sides
    /// alike.
    fn is_image_of(&self, other: &Self, tolerance: f32) -> bool {
        let soft = |side: &Self| -> Vec<(Vec3, f32)> {
            let of = |state: &State| {
                let [parent, child] = state.pair.filter(|_| state.follow > 0.0)?;
                let share = state.weights[parent] / (state.weights[parent] + state.weights[child]);
                Some((side.bound.rest().positions[state.vertex], share))
            };
            side.states.iter().filter_map(of).collect()
        };
        let (own, others) = (soft(self), soft(other));
        let has_image = |(place, share): &&(Vec3, f32)| {
            let image = *place * Vec3::new(-1.0, 1.0, 1.0);
            others.iter().any(|(other, weight)| {
                other.distance(image) <= tolerance && (weight - share).abs() <= ALIKE_WEIGHTS
            })
        };
        let count = own.iter().filter(has_image).count();
        count as f64 >= ALIKE_SHARE * own.len().max(others.len()) as f64
    }

    fn has_rings(&self) -> bool {
        !self.states.is_empty() && self.rings.count() >= 4
    }

    fn states_of(&self, joints: &PaletteJoints, anchors: &Anchors) -> Vec<State> {
        let Some([from, to]) = self.rings.range() else { return Vec::new() };
        let (from, to) = (from as f32, to as f32);
        let rest_positions = &self.bound.rest().positions;
        let centers = self.rings.centers(rest_positions);
        let stations = self.rings.stations();
        let touched = self.rings.vertices();
        let reach = 1.5 * self.rings.greatest_radius(rest_positions) as f32;
        let (parent, child) = (self.joint.parent_entry, self.joint.child_entry);
        let mut states = Vec::new();
        for (vertex, &position) in rest_positions.iter().enumerate() {
            let (entries, weights) = self.bound.influences().of(vertex);
            let (foot, along) = self.axis.foot(position);
            let share = |wanted: u16| {
                let own = entries.iter().zip(weights).filter(|&(&entry, _)| entry == wanted);
                own.map(|(_, &weight)| weight).sum::<f32>()
            };
            let both = share(parent) + share(child);
            let is_inside = along > from && along < to && position.distance(foot) <= reach;
            let is_changed = both > LEAST_PAIR_WEIGHT && is_inside;
            if !is_changed && touched.binary_search(&(vertex as u32)).is_err() {
                continue;
            }
            let (center, ranges, heads) = anchors.of(vertex);
            let mut state = State {
                vertex,
                entries: entries.to_vec(),
                weights: weights.to_vec(),
                center,
                anchors: ranges.to_vec(),
                heads: heads.to_vec(),
                pair: None,
                follow: if is_changed { follow(both, [from, to], along) } else { 0.0 },
                along,
                foot,
                offset: offset_at(&self.axis, &stations, &centers, along),
            };
            if !is_changed {
                states.push(state);
                continue;
            }
            if let [only] = *entries {
                // A rigid vertex may become soft.
                let other = if only == parent { child } else { parent };
                state.entries = vec![only, other];
                state.weights = vec![1.0, 0.0];
                state.center = foot;
                let end = |entry: u16| {
                    if entry == parent { self.joint.probe.range.begin } else { self.joint.probe.range.end }
                };
                state.anchors = vec![end(only), end(other)];
                state.heads = vec![joints.head(only, other)];
            }
            let at = |wanted: u16| state.entries.iter().position(|&entry| entry == wanted);
            state.pair = at(parent).zip(at(child)).map(|(parent, child)| [parent, child]);
            states.push(state);
        }
        states
    }

    /// A state's weights, center and anchors by a candidate.
    fn apply(&self, candidate: &Candidate, state: &State, out: &mut State) {
        out.weights.clone_from(&state.weights);
        out.anchors.clone_from(&state.anchors);
        out.center = state.center;
        let Some([parent, child]) = state.pair else { return };
        let values = &candidate.values;
        let both = state.weights[parent] + state.weights[child];
        let own = state.weights[parent] / both;
        let length = values[RAMP_BACK] + values[RAMP_FORTH];
        let ramp = ((values[RAMP_FORTH] - state.along) / length).clamp(0.0, 1.0);
        let ramp = ramp + values[SHAPE] * (ramp * ramp * (3.0 - 2.0 * ramp) - ramp);
        let t = own + (ramp - own) * values[FOLLOW] * state.follow;
        (out.weights[parent], out.weights[child]) = (both * t, both * (1.0 - t));
        if state.entries.len() == 2 {
            let ends = [self.axis.back * values[R0], self.axis.forth * values[R1]];
            for (at, end) in [(parent, ends[0]), (child, ends[1])] {
                out.anchors[at] = state.anchors[at].lerp(self.axis.head + end, state.follow);
            }
            let middle = state.foot + state.offset * values[MIDDLE];
            out.center = state.center.lerp(middle, state.follow);
        }
    }

    /// The losses of a candidate in all bends; of the file's own values for `None`.
    fn losses(&self, candidate: Option<&Candidate>) -> Vec<JointLoss> {
        let mut states = self.states.clone();
        if let Some(candidate) = candidate {
            self.states.iter().zip(&mut states).for_each(|(state, out)| self.apply(candidate, state, out));
        }
        let rest_positions = &self.bound.rest().positions;
        let mut posed = rest_positions.clone();
        let of_bend = |turn: &Quat| {
            let head = self.axis.head;
            let matrix = Affine3A::from_translation(head)
                * Affine3A::from_quat(*turn)
                * Affine3A::from_translation(-head);
            let frame = BoneFrame::new(&matrix);
            let bones: Vec<BoneFrame> =
                self.moves.iter().map(|&moves| if moves { frame } else { BoneFrame::IDENTITY }).collect();
            for state in &states {
                let rest = RestVertex {
                    position: rest_positions[state.vertex],
                    joints: &state.entries,
                    weights: &state.weights,
                    center: state.center,
                    anchors: &state.anchors,
                    heads: &state.heads,
                };
                posed[state.vertex] =
                    sdef::move_vertex(&rest, &bones, DEFAULT_S, RotationBlend::Slerp).position;
            }
            let mut joint = self.joint;
            (joint.probe.parent, joint.probe.child) = (Affine3A::IDENTITY, matrix);
            let measures = JointMeasures::of_rings(&joint, &self.rings, [rest_positions, &posed]);
            let section = measures.section_least.map_or(0.0, |least| (1.0 - least).max(0.0));
            let volume =
                measures.section.zip(measures.length).map_or(0.0, |(section, length)| 1.0 - section * length);
            JointLoss { turn_rad: measures.largest_turn_rad(), section, volume }
        };
        self.turns.iter().map(of_bend).collect()
    }

    /// The states that a candidate changes.
    fn changed(&self, candidate: &Option<Candidate>) -> Vec<State> {
        let Some(candidate) = candidate else { return Vec::new() };
        let new = |state: &State| {
            let mut out = state.clone();
            self.apply(candidate, state, &mut out);
            out
        };
        self.states.iter().filter(|state| state.pair.is_some() && state.follow > 0.0).map(new).collect()
    }
}

impl<'a> Search<'a> {
    /// One search for two joints that are alike, one for each where they are not.
    fn of(sides: Vec<Side<'a>>, tolerance: f32) -> Vec<Self> {
        let is_pair = matches!(&sides[..], [a, b] if a.is_image_of(b, tolerance));
        match is_pair {
            true => vec![Self::new(sides)],
            false => sides.into_iter().map(|side| Self::new(vec![side])).collect(),
        }
    }

    fn new(sides: Vec<Side<'a>>) -> Self {
        let limits: Vec<_> = sides.iter().map(Side::limits).collect();
        let of = |which: usize, pick: fn(f32, f32) -> f32| {
            std::array::from_fn(|at| {
                limits.iter().map(|limits| limits[which][at]).reduce(pick).unwrap_or(0.0)
            })
        };
        Self { lowest: of(0, f32::max), highest: of(1, f32::min), sides }
    }

    /// The losses of all bends, side by side.
    fn losses(&self, candidate: Option<&Candidate>) -> Vec<JointLoss> {
        self.sides.iter().flat_map(|side| side.losses(candidate)).collect()
    }

    /// The best candidate found, and what it wins.
    /// The bends: of each side.
    fn run(&self) -> (Option<Candidate>, Vec<Vec<BendLoss>>) {
        if !self.sides.iter().all(Side::has_rings) {
            return (None, vec![Vec::new(); self.sides.len()]);
        }
        let before = self.losses(None);
        let judged = |candidate: Candidate| {
            let losses = self.losses(Some(&candidate));
            Judged { candidate, cost: cost(&before, &losses), losses }
        };
        let mean = |end: usize| {
            self.sides.iter().map(|side| side.derived[end]).sum::<f32>() / self.sides.len() as f32
        };
        let derived = [mean(0), mean(1)];
        // The costs of narrow and wide ramps have valleys between them: each is searched from its own start.
        let of_scale = |scale: f32| {
            let [back, forth] = [scale * derived[0], scale * derived[1]];
            let start = |[follow, shape]: [f32; 2]| {
                judged(self.clamped([back, forth, back, forth, follow, 0.0, shape]))
            };
            let starts = [[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [1.0, 1.0]].map(start).into_iter();
            let best = starts.min_by(|a, b| a.cost.total_cmp(&b.cost))?;
            Some(self.descend(best, ROUNDS, &judged))
        };
        let found = SCALES.into_iter().filter_map(of_scale).min_by(|a, b| a.cost.total_cmp(&b.cost));
        match found.filter(|found| found.cost < cost_of_nothing(before.len())) {
            Some(found) => (Some(found.candidate), self.bend_losses(&before, &found.losses)),
            None => (None, self.bend_losses(&before, &before)),
        }
    }

    fn bend_losses(&self, before: &[JointLoss], after: &[JointLoss]) -> Vec<Vec<BendLoss>> {
        let mut first = 0;
        let of_side = |side: &Side<'_>| {
            let own = first..first + side.turns.len();
            first = own.end;
            bend_losses(&side.turns, &before[own.clone()], &after[own])
        };
        self.sides.iter().map(of_side).collect()
    }

    /// Steps along one number at a time while it wins, then halves the steps.
    fn descend(&self, start: Judged, rounds: usize, judged: &dyn Fn(Candidate) -> Judged) -> Judged {
        let mut best = start;
        let mut steps = self.lowest;
        for (at, step) in steps.iter_mut().enumerate() {
            *step = 0.25 * (self.highest[at] - self.lowest[at]);
        }
        for _ in 0..rounds {
            while self.step(&steps, &mut best, judged) {}
            steps.iter_mut().for_each(|step| *step *= 0.5);
        }
        best
    }

    /// One step along each number; whether one of them won.
    fn step(&self, steps: &[f32; 7], best: &mut Judged, judged: &dyn Fn(Candidate) -> Judged) -> bool {
        let mut is_better = false;
        for (at, sign) in (0..steps.len()).flat_map(|at| [(at, 1.0), (at, -1.0)]) {
            let mut values = best.candidate.values;
            values[at] += sign * steps[at];
            let tried = self.clamped(values);
            if tried == best.candidate {
                continue;
            }
            let found = judged(tried);
            if found.cost < best.cost - LEAST_GAIN {
                (*best, is_better) = (found, true);
            }
        }
        is_better
    }

    fn clamped(&self, values: [f32; 7]) -> Candidate {
        let mut values = values;
        for (at, value) in values.iter_mut().enumerate() {
            *value = value.clamp(self.lowest[at], self.highest[at].max(self.lowest[at]));
        }
        Candidate { values }
    }
}

/// A gain below this is not worth another round.
const LEAST_GAIN: f64 = 1e-3;

/// What getting worse than the file's own values costs.
const WORSE_FACTOR: f64 = 50.0;

/// How much more a turn counts than a section: it is what shows.
const TURN_SHARE: f64 = 3.0;

/// A bend within this share of its former loss counts as kept.
const KEPT_SHARE: f64 = 0.9;

/// Volume that a joint may lose for a softer bend, and what more costs.
const KEPT_VOLUME: f64 = 0.1;
const SHRUNK_FACTOR: f64 = 20.0;

fn cost(before: &[JointLoss], after: &[JointLoss]) -> f64 {
    let of = |(before, after): (&JointLoss, &JointLoss)| {
        let turn = after.turn_rad / before.turn_rad.max(1e-3);
        let section = after.section.max(LEAST_LOSS) / before.section.max(LEAST_LOSS);
        let worse = |ratio: f64| WORSE_FACTOR * (ratio - KEPT_SHARE).max(0.0).powi(2);
        let is_seen = after.section > LEAST_LOSS;
        let shrunk = (after.volume - before.volume - KEPT_VOLUME).max(0.0);
        TURN_SHARE * turn
            + section
            + worse(turn)
            + if is_seen { worse(section) } else { 0.0 }
            + SHRUNK_FACTOR * shrunk
    };
    before.iter().zip(after).map(of).sum()
}

/// What the file's own values cost: without a penalty for being as they are.
fn cost_of_nothing(bend_count: usize) -> f64 {
    bend_count as f64 * (TURN_SHARE + 1.0)
}

fn bend_losses(turns: &[Quat], before: &[JointLoss], after: &[JointLoss]) -> Vec<BendLoss> {
    let bend = |((turn, &before), &after): ((&Quat, &JointLoss), &JointLoss)| BendLoss {
        angle_rad: f64::from(turn.to_axis_angle().1),
        before,
        after,
    };
    turns.iter().zip(before).zip(after).map(bend).collect()
}

/// How far a vertex follows: by its bones' share, and less towards the ends of the rings.
fn follow(both: f32, [from, to]: [f32; 2], along: f32) -> f32 {
    let by_weight = ((both - LEAST_PAIR_WEIGHT) / (1.0 - LEAST_PAIR_WEIGHT)).clamp(0.0, 1.0);
    // Each end on its own: at a shoulder the rings stop soon on the trunk's side.
    let room = |end: f32| (along - end).abs() / (FADE_SHARE * end.abs()).max(f32::MIN_POSITIVE);
    by_weight * room(from).min(room(to)).clamp(0.0, 1.0)
}

/// From the axis to the rings' centers, at a place between two rings.
fn offset_at(axis: &Axis, stations: &[f64], centers: &[glam::DVec3], along: f32) -> Vec3 {
    let offset = |at: usize| {
        let station = stations[at] as f32;
        let on_axis = if station < 0.0 { axis.back * -station } else { axis.forth * station };
        centers[at].as_vec3() - axis.head - on_axis
    };
    let next = stations.partition_point(|&station| station < f64::from(along)).clamp(1, stations.len() - 1);
    let [before, after] = [stations[next - 1] as f32, stations[next] as f32];
    let share = ((along - before) / (after - before)).clamp(0.0, 1.0);
    offset(next - 1).lerp(offset(next), share)
}

/// Rotations of the bends.
fn bends(axis: &Axis) -> Vec<Quat> {
    let turn = |axis: Vec3| ANGLES_DEG.map(|angle| Quat::from_axis_angle(axis, angle.to_radians()));
    axis.bends().into_iter().flat_map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Method, PosedCharacter};
    use sinew_geometry::{TriangleMesh, Trs};
    use sinew_rig::{InfluencesBuilder, LocalTransform, Mesh, Pose, samples};

    /// The sample's limb, with weights that change within 3 cm.
    fn steep_limb(sides: u32, rows: u32) -> Character {
        let mut parts = samples::limb(sides, rows).into_parts();
        let mesh = &mut parts.meshes[0];
        let mut influences = InfluencesBuilder::with_capacity(mesh.vertex_count(), 0);
        for position in &mesh.positions {
            let lower = 0.5 + 0.5 * ((position.y - 0.3) / 0.015).tanh();
            let lower = if lower < 1e-3 {
                0.0
            } else if lower > 0.999 {
                1.0
            } else {
                lower
            };
            influences.push([(0, 1.0 - lower), (1, lower)]);
        }
        mesh.influences = influences.build();
        Character::new(parts).expect("right")
    }

    fn loss(character: &Character, degrees: f32) -> JointLoss {
        let mut posed = PosedCharacter::bind(character, Method::SDEF);
        let mut pose = Pose::rest(character);
        let lower = character.skeleton().find("lower").expect("of the sample");
        pose.turn(lower, Quat::from_rotation_z(degrees.to_radians()));
        posed.set(&pose);
        let matrices = posed.bound().posed_from_rest(character, &pose);
        let joint = joint_probes(character, posed.bound(), &Method::SDEF.into(), &matrices)[0];
        let rings = JointRings::of(posed.bound(), &joint);
        let measures = JointMeasures::of(posed.bound(), &joint, &rings, &posed.surface().positions);
        JointLoss {
            turn_rad: measures.largest_turn_rad(),
            section: 1.0 - measures.section_least.expect("a limb"),
            volume: 0.0,
        }
    }

    #[test]
    fn steep_weights_turn_half_as_sharply_afterwards() {
        let limb = steep_limb(16, 60);
        let (optimized, joints) =
            optimize_joints(limb.clone(), &Method::SDEF.into(), |bone| bone == "lower").expect("right");
        assert_eq!(joints.len(), 1);
        assert!(joints[0].vertices > 30 && joints[0].bends.len() == 16, "{joints:?}");
        // Bends that the search did not use.
        for degrees in [90.0, 120.0] {
            let (before, after) = (loss(&limb, degrees), loss(&optimized, degrees));
            assert!(after.turn_rad < 0.6 * before.turn_rad, "{degrees}°: {before:?}, {after:?}");
            assert!(after.section <= before.section.max(LEAST_LOSS), "{degrees}°: {before:?}, {after:?}");
        }
    }

    #[test]
    fn joints_that_are_not_chosen_stay() {
        let limb = steep_limb(16, 60);
        let (same, joints) = optimize_joints(limb.clone(), &Method::SDEF.into(), |_| false).expect("right");
        assert!(joints.is_empty() && same == limb, "nothing was chosen");
    }

    /// Two steep limbs beside each other: mirror images but for the diagonals of their quads, and for weights that are off by up to 0.01 on one side.
    fn two_limbs() -> Character {
        let mut parts = steep_limb(6, 24).into_parts();
        let (bones, bind, own) = (parts.bones.clone(), parts.binds[0].clone(), parts.meshes[0].clone());
        let (mut shape, count) = (TriangleMesh::default(), own.positions.len());
        (parts.bones, parts.clips) = (Vec::new(), Vec::new());
        (parts.binds[0].joints, parts.binds[0].joint_from_rest) = (Vec::new(), Vec::new());
        let mut influences = InfluencesBuilder::with_capacity(2 * count, 0);
        for (at, aside) in [Vec3::X * 0.2, Vec3::X * -0.2].into_iter().enumerate() {
            shape.positions.extend(own.positions.iter().map(|place| *place + aside));
            shape
                .triangles
                .extend(own.triangles.iter().map(|corners| corners.map(|c| c + (at * count) as u32)));
            for vertex in 0..count {
                let off = if at == 0 { 0.0 } else { 0.01 * (vertex as f32).sin() };
                let painted = |(joint, weight): (u16, f32)| {
                    let is_soft = (0.02..0.98).contains(&weight);
                    let off = if joint == 0 { -off } else { off };
                    (joint + 2 * at as u16, if is_soft { weight + off } else { weight })
                };
                influences.push(own.influences.pairs(vertex).map(painted));
            }
            for bone in &bones {
                let mut bone = bone.clone();
                bone.name.push_str([".left", ".right"][at]);
                match bone.parent {
                    Some(parent) => bone.parent = Some(BoneId::of(parent.index() + at * bones.len())),
                    None => bone.rest = LocalTransform::Trs(Trs::from_translation(aside)),
                }
                parts.bones.push(bone);
            }
            let joints = bind.joints.iter().map(|joint| BoneId::of(joint.index() + at * bones.len()));
            parts.binds[0].joints.extend(joints);
            let from_rest =
                bind.joint_from_rest.iter().map(|matrix| *matrix * Affine3A::from_translation(-aside));
            parts.binds[0].joint_from_rest.extend(from_rest);
        }
        let mut mesh = Mesh::from_triangles("limbs", shape, None);
        mesh.influences = influences.build();
        parts.meshes = vec![mesh];
        Character::new(parts).expect("right")
    }

    #[test]
    fn both_sides_of_a_symmetric_character_get_the_same_values() {
        let (limbs, settings) = (two_limbs(), Method::SDEF.into());
        let bound = BoundSurface::of(&limbs);
        let rest = vec![Affine3A::IDENTITY; bound.palette().len()];
        let sides = joint_probes(&limbs, &bound, &settings, &rest).into_iter();
        let sides = sides.map(|joint| Side::new(&limbs, &bound, &settings, joint)).collect();
        assert_eq!(Search::of(sides, 1e-3).len(), 1, "one search for both sides");
        let (optimized, joints) =
            optimize_joints(limbs.clone(), &settings, |bone| bone.starts_with("lower")).expect("right");
        assert_eq!(joints.len(), 2);
        assert!(joints[0].vertices > 30 && joints[1].vertices > 30, "{joints:?}");
        let mesh = &optimized.meshes()[0];
        let count = mesh.positions.len() / 2;
        let share = |vertex: usize, joint: u16| {
            mesh.influences.pairs(vertex).filter(|pair| pair.0 == joint).map(|pair| pair.1).sum::<f32>()
        };
        for vertex in 0..count {
            let [left, right] = [share(vertex, 1), share(vertex + count, 3)];
            // What was painted, where weights follow the ramp in part.
            assert!((left - right).abs() <= 0.011, "at {}: {left}, {right}", mesh.positions[vertex]);
        }
    }
}
