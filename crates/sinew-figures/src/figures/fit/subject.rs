//! What the figures are measured on: the benchmark's leg, and leg and arm of Sinew's human with muscles.

use super::rows::GoOn;
use super::{DegreeRow, ExampleRow, HelperRow, StepRow};
use crate::bench::{LegPoses, Limb, LimbPoses, benchmark_leg, benchmark_limb};
use anyhow::Result;
use serde::Serialize;
use sinew_helpers::ExampleSet;

/// Examples with what figures say about them.
pub(super) struct Subject {
    /// Begins the names of files.
    pub(super) key: &'static str,
    /// In titles.
    pub(super) name: &'static str,
    /// In which lengths are shown.
    pub(super) unit: &'static str,
    /// Units that a length of the examples has.
    pub(super) units: f64,
    /// What is fitted.
    pub(super) examples: ExampleSet,
    /// What is not.
    pub(super) held_out: ExampleSet,
    /// So many random poses, the same skin.
    pub(super) few: Vec<ExampleSet>,
    /// Whether it stands for the source's leg, whose numbers are then told beside.
    pub(super) is_source: bool,
    /// Numbers of helpers that are tried: 0 first, the four of the maps among them.
    pub(super) helper_counts: Vec<usize>,
    /// Starts of a fit; the source's are always the first.
    pub(super) start_count: usize,
}

/// All numbers of a subject, in its unit.
#[derive(Clone, Debug, Serialize)]
pub struct SubjectFigures {
    /// Begins the names of its files.
    pub key: String,
    /// The unit of all lengths.
    pub unit: String,
    /// Vertices.
    pub vertices: usize,
    /// Poses that are fitted.
    pub poses: usize,
    /// By number of helpers.
    pub helpers: Vec<HelperRow>,
    /// By degree and penalty.
    pub degrees: Vec<DegreeRow>,
    /// By number of examples.
    pub examples: Vec<ExampleRow>,
    /// Seconds of the source's steps, by number of helpers.
    pub steps: Vec<StepRow>,
}

/// Numbers of random poses that are fitted to see how many are needed.
const LEG_EXAMPLES: [usize; 8] = [25, 50, 100, 200, 400, 1600, 3200, 6750];
const HUMAN_EXAMPLES: [usize; 5] = [25, 50, 100, 200, 400];

/// Poses of the human that are fitted, and that are not.
const HUMAN_POSES: [usize; 2] = [600, 300];

/// All three. `go_on` is told the share done.
pub(super) fn subjects(go_on: &GoOn<'_>) -> Result<Vec<Subject>> {
    let leg = Subject {
        key: "leg",
        name: "the benchmark's leg",
        unit: "cm",
        units: 1.0,
        examples: benchmark_leg(39, 17, LegPoses::Grid),
        held_out: benchmark_leg(39, 17, LegPoses::Random(1000, 99)),
        few: LEG_EXAMPLES.map(|count| benchmark_leg(39, 17, LegPoses::Random(count, 1))).into(),
        is_source: true,
        helper_counts: vec![0, 1, 2, 3, 4, 8],
        start_count: 32,
    };
    go_on(0.3)?;
    // Squares along a patch of the human's skin: as fine as a game's model, for figures that take seconds. A hand has many patches.
    let human_leg = human(Limb::Leg, 6, ["human-leg", "the human's leg"])?;
    go_on(0.65)?;
    Ok(vec![leg, human_leg, human(Limb::Arm, 4, ["human-arm", "the human's arm"])?])
}

fn human(limb: Limb, tessellation: usize, [key, name]: [&'static str; 2]) -> Result<Subject> {
    let [fitted, others] = HUMAN_POSES;
    let mut poses = vec![LimbPoses::Random(fitted, 1), LimbPoses::Random(others, 99)];
    poses.extend(HUMAN_EXAMPLES.map(|count| LimbPoses::Random(count, 7)));
    let mut sets = benchmark_limb(limb, tessellation, &poses)?.into_iter();
    let [examples, held_out] = [sets.next(), sets.next()].map(Option::unwrap_or_default);
    Ok(Subject {
        key,
        name,
        unit: "mm",
        units: 1000.0,
        examples,
        held_out,
        few: sets.collect(),
        is_source: false,
        helper_counts: vec![0, 1, 2, 4, 8],
        start_count: 8,
    })
}
