//! From sequences of skins in time to swings.

use faer::Mat;
use glam::{DAffine3, DQuat, DVec3};
use rayon::prelude::*;
use sinew_geometry::{Spring, SpringState};
use sinew_rig::{DriverChange, HELPER_NUMBERS, Swing};

use super::normal::{NUMBERS, Normal};
use crate::controllers::{Controllers, ParentPose};
use crate::error::HelperError;
use crate::examples::Examples;
use crate::numeric::solve_spd;

/// Frames of the examples that follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Take {
    /// How many.
    pub frame_count: usize,
    /// Whether the end is the beginning of another round; else it begins at rest.
    pub is_loop: bool,
}

/// Swings that were fitted.
#[derive(Clone, Debug)]
pub struct SwingFit {
    /// One per helper; empty where they do not help.
    pub swings: Vec<Swing>,
    /// RMS error of the controllers alone.
    pub static_rms: f64,
    /// RMS error with swings.
    pub rms: f64,
}

/// Springs that are tried: swings a second, damping, and the limit as a multiple of what the mass pulls with by itself.
const FREQUENCIES_HZ: [f64; 6] = [3.0, 4.0, 5.0, 6.5, 8.0, 10.0];
const DAMPINGS: [f64; 4] = [0.25, 0.5, 0.8, 1.2];
const LIMITS: [f64; 4] = [0.25, 0.5, 1.0, 4.0];
/// Every helper begins with the one in the middle.
const FIRST: (f64, f64, f64) = (6.5, 0.8, 0.5);

/// Passes over all helpers in which each takes the spring that leaves least.
const PASSES: usize = 3;
/// Added to the diagonal, as a share of it. Motions are short, and what fits them alone does not hold for others.
const RIDGE: f64 = 0.03;
/// Added as well, as a share of what the helper that moves most skin has there: one that moves hardly any would have to go far to be of use, and would be
/// anywhere in another motion.
const FLOOR: f64 = 3e-3;
/// A loop is played so often before it counts.
const WARM_ROUNDS: usize = 2;
/// Entries that a pull's axes and a helper's numbers have.
const ENTRIES: usize = 3 * NUMBERS;

/// Fits a swing to each helper. The examples are frames at a fixed rate, take by take; `changes`, `weights` and `controllers` are those of
/// [`controller_errors`](crate::controller_errors).
///
/// # Errors
/// If something does not match.
pub fn fit_swings(
    examples: &Examples<'_>,
    changes: &[DriverChange],
    weights: &[f64],
    controllers: &Controllers,
    (takes, fps): (&[Take], f64),
) -> Result<SwingFit, HelperError> {
    examples.check()?;
    controllers.check()?;
    let (driver_count, helper_count) = (examples.driver_count, controllers.helpers.len());
    let counts = [
        ("changes of drivers", changes.len(), examples.pose_count() * driver_count),
        ("weights", weights.len(), examples.vertex_count() * (driver_count + helper_count)),
        ("driver inputs", controllers.inputs.len(), driver_count),
        ("frames of takes", takes.iter().map(|take| take.frame_count).sum(), examples.pose_count()),
    ];
    if let Some(&(what, found, expected)) = counts.iter().find(|(_, found, expected)| found != expected) {
        return Err(HelperError::Count { what, found, expected });
    }
    if !(fps.is_finite() && fps > 0.0) {
        return Err(HelperError::Rate { fps });
    }
    let motion = Motion::new(examples, changes, controllers, (takes, fps));
    let still = motion.left(examples, weights, controllers, &[]);
    let static_rms = rms(&still);
    if helper_count == 0 || static_rms == 0.0 {
        return Ok(SwingFit { swings: Vec::new(), static_rms, rms: static_rms });
    }
    let turns = motion.parents.iter().map(|parent| parent.rotation).collect();
    let normal = Normal::new(examples, weights, controllers, turns, &still);
    let found = search(&motion, &normal);
    // Turns are not linear: a shorter way may be better than the whole one, and none better than any.
    let tried = [1.0, 0.7, 0.5, 0.25].map(|share| {
        let scaled =
            |swing: &Swing| Swing { gains: swing.gains.map(|row| row.map(|gain| gain * share)), ..*swing };
        let swings: Vec<Swing> = found.iter().map(scaled).collect();
        (rms(&motion.left(examples, weights, controllers, &swings)), swings)
    });
    let best = tried.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
    let (rms, swings) = best.filter(|(rms, _)| *rms < static_rms).unwrap_or((static_rms, Vec::new()));
    Ok(SwingFit { swings, static_rms, rms })
}

/// Skinning matrices of helpers that swing, frame by frame, in each frame one per helper; as [`fit_swings`] measures them.
///
/// # Panics
/// If there are not as many swings as helpers, or takes do not have as many frames as the examples.
pub fn swinging_helpers(
    examples: &Examples<'_>,
    changes: &[DriverChange],
    controllers: &Controllers,
    swings: &[Swing],
    takes: (&[Take], f64),
) -> Vec<DAffine3> {
    assert_eq!(swings.len(), controllers.helpers.len(), "a swing for each helper");
    let motion = Motion::new(examples, changes, controllers, takes);
    let pulls = motion.all_pulls(swings);
    (0..examples.pose_count()).flat_map(|frame| motion.helpers(controllers, swings, &pulls, frame)).collect()
}

/// How helpers are carried, and what controllers say, frame by frame.
struct Motion {
    parents: Vec<ParentPose>,
    said: Vec<[f64; HELPER_NUMBERS]>,
    helper_count: usize,
    takes: Vec<Take>,
    fps: f64,
}

impl Motion {
    fn new(
        examples: &Examples<'_>,
        changes: &[DriverChange],
        controllers: &Controllers,
        (takes, fps): (&[Take], f64),
    ) -> Self {
        let (mut parents, mut said) = (Vec::new(), Vec::new());
        for (pose, changes) in changes.chunks(examples.driver_count).enumerate() {
            let (drivers, values) = (examples.drivers(pose), controllers.values(changes));
            parents.extend(controllers.helpers.iter().map(|helper| helper.frame.parent_pose(drivers)));
            said.extend(controllers.helpers.iter().map(|helper| helper.numbers(&values)));
        }
        Self { parents, said, helper_count: controllers.helpers.len(), takes: takes.to_vec(), fps }
    }

    fn pulls(&self, helper: usize, spring: &Spring) -> Vec<DVec3> {
        let mut pulls = Vec::with_capacity(self.parents.len() / self.helper_count);
        let mut first = 0;
        for take in &self.takes {
            let place = |frame: usize| &self.parents[(first + frame) * self.helper_count + helper];
            let mut state: Option<SpringState> = None;
            let rounds = if take.is_loop { 1 + WARM_ROUNDS } else { 1 };
            let begin = pulls.len();
            for _ in 0..rounds {
                pulls.truncate(begin);
                for frame in 0..take.frame_count {
                    let parent = place(frame);
                    let state = state.get_or_insert(SpringState::at_rest(parent.center));
                    match frame {
                        0 => state.go_on_from(parent.center),
                        _ => spring.step(state, parent.center, 1.0 / self.fps),
                    }
                    pulls.push(spring.pull(state, DQuat::from_mat3(&parent.rotation)));
                }
            }
            first += take.frame_count;
        }
        pulls
    }

    fn all_pulls(&self, swings: &[Swing]) -> Vec<Vec<DVec3>> {
        swings.iter().enumerate().map(|(helper, swing)| self.pulls(helper, &swing.spring)).collect()
    }

    /// Skinning matrices of all helpers in a frame; without swings as controllers say.
    fn helpers<'a>(
        &'a self,
        controllers: &'a Controllers,
        swings: &'a [Swing],
        pulls: &'a [Vec<DVec3>],
        frame: usize,
    ) -> impl Iterator<Item = DAffine3> + 'a {
        controllers.helpers.iter().enumerate().map(move |(helper, controller)| {
            let at = frame * self.helper_count + helper;
            let said = self.said[at];
            let numbers = swings.get(helper).map_or(said, |swing| swing.add(&said, pulls[helper][frame]));
            controller.frame.matrix(&self.parents[at], &numbers)
        })
    }

    /// What is left over of the targets, frame by frame.
    fn left(
        &self,
        examples: &Examples<'_>,
        weights: &[f64],
        controllers: &Controllers,
        swings: &[Swing],
    ) -> Vec<DVec3> {
        let pulls = self.all_pulls(swings);
        let vertex_count = examples.vertex_count();
        let mut left = vec![DVec3::ZERO; examples.pose_count() * vertex_count];
        left.par_chunks_mut(vertex_count).enumerate().for_each(|(frame, left)| {
            let mut bones = examples.drivers(frame).to_vec();
            bones.extend(self.helpers(controllers, swings, &pulls, frame));
            let targets = &examples.target_positions[frame * vertex_count..];
            let rows = weights.chunks(bones.len()).zip(examples.rest_positions).zip(targets);
            for (left, ((row, rest), target)) in left.iter_mut().zip(rows) {
                let rest = rest.as_dvec3();
                let parts = row.iter().zip(&bones).filter(|(weight, _)| **weight != 0.0);
                let place: DVec3 = parts.map(|(weight, bone)| bone.transform_point3(rest) * *weight).sum();
                *left = target.as_dvec3() - place;
            }
        });
        left
    }
}

fn rms(left: &[DVec3]) -> f64 {
    (left.iter().map(|left| left.length_squared()).sum::<f64>() / left.len().max(1) as f64).sqrt()
}

/// A spring of a helper, with its pulls and what they do.
#[derive(Clone)]
struct Choice {
    spring: Spring,
    pulls: Vec<DVec3>,
    /// By numbers, then axes.
    gains: [f64; ENTRIES],
}

impl Choice {
    /// What it does to the helper's numbers in a frame.
    fn numbers(&self, frame: usize) -> [f64; NUMBERS] {
        let pull = self.pulls[frame].to_array();
        std::array::from_fn(|number| (0..3).map(|axis| self.gains[3 * number + axis] * pull[axis]).sum())
    }
}

fn search(motion: &Motion, normal: &Normal) -> Vec<Swing> {
    let choice = |helper: usize, (frequency_hz, damping, limit): (f64, f64, f64)| {
        let free = Spring { frequency_hz, damping, limit: f64::MAX };
        let usual = rms(&motion.pulls(helper, &free));
        let spring = Spring { limit: limit * usual.max(1e-9), ..free };
        Choice { pulls: motion.pulls(helper, &spring), spring, gains: [0.0; ENTRIES] }
    };
    let mut choices: Vec<Choice> = (0..motion.helper_count).map(|helper| choice(helper, FIRST)).collect();
    solve_all(normal, &mut choices);
    let tries: Vec<(f64, f64, f64)> = FREQUENCIES_HZ
        .iter()
        .flat_map(|&f| DAMPINGS.iter().flat_map(move |&z| LIMITS.iter().map(move |&limit| (f, z, limit))))
        .collect();
    for _ in 0..PASSES {
        for helper in 0..choices.len() {
            let own = OwnProblem::new(normal, &choices, helper);
            let solved: Vec<(f64, Choice)> =
                tries.par_iter().filter_map(|&spring| own.solve(choice(helper, spring))).collect();
            // The first of equals, so that nothing depends on threads.
            let best = solved.into_iter().reduce(|a, b| if b.0 > a.0 { b } else { a });
            if let Some((_, best)) = best {
                choices[helper] = best;
            }
        }
        solve_all(normal, &mut choices);
    }
    let swing = |choice: &Choice| {
        let mut gains = [[0.0; HELPER_NUMBERS]; 3];
        for (at, gain) in choice.gains.iter().enumerate() {
            gains[at % 3][at / 3] = *gain;
        }
        Swing { spring: choice.spring, gains }
    };
    choices.iter().map(swing).collect()
}

/// All gains at once, with springs as they are.
fn solve_all(normal: &Normal, choices: &mut [Choice]) {
    let size = choices.len() * ENTRIES;
    let mut matrix = Mat::<f64>::zeros(size, size);
    let mut right = Mat::<f64>::zeros(size, 1);
    for frame in 0..normal.frame_count() {
        for (a, b, block) in normal.blocks(frame) {
            let (pull, other) = (choices[a].pulls[frame].to_array(), choices[b].pulls[frame].to_array());
            for (i, row) in block.iter().enumerate() {
                for (j, entry) in row.iter().enumerate() {
                    for (x, pull) in pull.iter().enumerate() {
                        for (y, other) in other.iter().enumerate() {
                            // The lower half is read: the later helper's rows.
                            let (p, q) = (b * ENTRIES + 3 * j + y, a * ENTRIES + 3 * i + x);
                            matrix[(p, q)] += entry * pull * other;
                        }
                    }
                }
            }
        }
        for (helper, choice) in choices.iter().enumerate() {
            let pull = choice.pulls[frame].to_array();
            for (number, wanted) in normal.right(frame, helper).iter().enumerate() {
                for (axis, pull) in pull.iter().enumerate() {
                    right[(helper * ENTRIES + 3 * number + axis, 0)] += wanted * pull;
                }
            }
        }
    }
    let heaviest = normal.heaviest();
    for (helper, choice) in choices.iter().enumerate() {
        for (entry, floor) in floors(&heaviest, &choice.pulls).into_iter().enumerate() {
            matrix[(helper * ENTRIES + entry, helper * ENTRIES + entry)] += floor;
        }
    }
    let Some(solution) = solve_spd(&matrix, &right, RIDGE) else { return };
    for (helper, choice) in choices.iter_mut().enumerate() {
        choice.gains = std::array::from_fn(|entry| solution[(helper * ENTRIES + entry, 0)]);
    }
}

/// What is added to the diagonal of a helper with these pulls.
fn floors(heaviest: &[f64; NUMBERS], pulls: &[DVec3]) -> [f64; ENTRIES] {
    let squares = pulls.iter().map(|pull| *pull * *pull).sum::<DVec3>().to_array();
    std::array::from_fn(|entry| FLOOR * heaviest[entry / 3] * squares[entry % 3])
}

/// What one helper should do while the others stay as they are.
struct OwnProblem<'a> {
    normal: &'a Normal,
    helper: usize,
    /// What vertices want of its numbers, frame by frame.
    wanted: Vec<[f64; NUMBERS]>,
    heaviest: [f64; NUMBERS],
}

impl<'a> OwnProblem<'a> {
    fn new(normal: &'a Normal, choices: &[Choice], helper: usize) -> Self {
        let wanted = |frame: usize| {
            let mut wanted = *normal.right(frame, helper);
            for (a, b, block) in
                normal.blocks(frame).filter(|(a, b, _)| a != b && (*a == helper || *b == helper))
            {
                let numbers = choices[if a == helper { b } else { a }].numbers(frame);
                for (i, wanted) in wanted.iter_mut().enumerate() {
                    let entry = |j: usize| if a == helper { block[i][j] } else { block[j][i] };
                    *wanted -= (0..NUMBERS).map(|j| entry(j) * numbers[j]).sum::<f64>();
                }
            }
            wanted
        };
        let wanted = (0..normal.frame_count()).map(wanted).collect();
        Self { normal, helper, wanted, heaviest: normal.heaviest() }
    }

    /// The best gains for its pulls, and how much of the squared error they take, ridge counted.
    fn solve(&self, mut choice: Choice) -> Option<(f64, Choice)> {
        let mut matrix = Mat::<f64>::zeros(ENTRIES, ENTRIES);
        let mut right = Mat::<f64>::zeros(ENTRIES, 1);
        let block = self.normal.own_block(self.helper);
        for (wanted, pull) in self.wanted.iter().zip(&choice.pulls) {
            let pull = pull.to_array();
            for i in 0..ENTRIES {
                right[(i, 0)] += wanted[i / 3] * pull[i % 3];
                for j in 0..=i {
                    matrix[(i, j)] += block[i / 3][j / 3] * pull[i % 3] * pull[j % 3];
                }
            }
        }
        for (entry, floor) in floors(&self.heaviest, &choice.pulls).into_iter().enumerate() {
            matrix[(entry, entry)] += floor;
        }
        let solution = solve_spd(&matrix, &right, RIDGE)?;
        choice.gains = std::array::from_fn(|entry| solution[(entry, 0)]);
        Some(((0..ENTRIES).map(|entry| right[(entry, 0)] * choice.gains[entry]).sum(), choice))
    }
}
