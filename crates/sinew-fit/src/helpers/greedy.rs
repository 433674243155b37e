//! The source's own way, step by step: to see how the error falls and where time goes.
//!
//! After \[Mukai15\] Alg. 1, in the order of its Sec. 4.3: a new helper at the worst vertex, then weights and transforms of all
//! so far; when all are in, both in turn. On all poses and
//! from one start, where [`fit_helpers`](super::fit_helpers) races many starts on few poses.
//!
//! Departures: the pass that finds transforms also sums what weights need, so that its time holds a part of what the source counts as weights.

use std::ops::ControlFlow;

use super::relax::{FEW_NODES, Miss, ROUNDS, Relaxation};
use super::rules::check;
use super::seeds::{insert, worst};
use super::settings::HelperSettings;
use super::sweep::sweep;
use super::view::View;
use crate::error::HelperError;
use crate::examples::Examples;

/// What was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GreedyStep {
    /// A helper was put in.
    Insertion,
    /// Helpers were moved, and what weights need was summed.
    Transforms,
    /// Weights were found.
    Weights,
}

/// Where the source's way stands after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GreedyProgress {
    /// The step.
    pub step: GreedyStep,
    /// Helpers there are.
    pub helper_count: usize,
    /// Sweeps since all helpers are in; `None` before.
    pub sweep: Option<usize>,
    /// RMS error at the last weights, in the unit of the positions. It never rises, except where a helper was taken out.
    pub rms_error: f64,
}

/// Goes through the source's algorithm on all poses: helpers one by one, then [`HelperSettings::full_sweeps`] sweeps, whether the error still falls or
/// not. `on_step` is called after every step; where it breaks, that is all.
///
/// # Errors
/// As [`fit_helpers`](super::fit_helpers).
pub fn greedy_steps(
    examples: &Examples<'_>,
    settings: &HelperSettings,
    on_step: &mut dyn FnMut(&GreedyProgress) -> ControlFlow<()>,
) -> Result<(), HelperError> {
    examples.check()?;
    check(settings, examples)?;
    let all = |count: usize| (0..count as u32).collect::<Vec<u32>>();
    let view = View::new(*examples, all(examples.pose_count()), all(examples.vertex_count()));
    let relaxation = Relaxation::new(settings, view);
    // Told step by step, and stopped from inside: the walk itself has nothing to return.
    let _ = walk(&relaxation, settings, on_step);
    Ok(())
}

fn walk(
    relaxation: &Relaxation<'_>,
    settings: &HelperSettings,
    on_step: &mut dyn FnMut(&GreedyProgress) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let rings = relaxation.view.examples.rings();
    let how = (settings.motion, settings.rules.mirror.as_ref(), settings.helper_count);
    let (mut solution, mut miss) = relaxation.drivers_only();
    let mut tell = |step: GreedyStep, helper_count: usize, sweep: Option<usize>, miss: &Miss| {
        on_step(&GreedyProgress { step, helper_count, sweep, rms_error: relaxation.rms(miss) })
    };
    tell(GreedyStep::Weights, 0, None, &miss)?;
    // A helper that is taken out again is tried elsewhere once for each helper asked for.
    for _ in 0..2 * settings.helper_count {
        if solution.helper_count >= settings.helper_count {
            break;
        }
        let seed = worst(&relaxation.view, &miss.errors, &rings);
        insert(&relaxation.view, &mut solution, &seed, how);
        tell(GreedyStep::Insertion, solution.helper_count, None, &miss)?;
        // Sec. 4.3: weights first, a new helper has none yet.
        miss = relaxation.weigh(&mut solution, FEW_NODES);
        tell(GreedyStep::Weights, solution.helper_count, None, &miss)?;
        let moments = sweep(&relaxation.view, &mut solution, relaxation.motion, ROUNDS);
        tell(GreedyStep::Transforms, solution.helper_count, None, &miss)?;
        miss = relaxation.weigh_with(&moments, &mut solution, FEW_NODES);
        tell(GreedyStep::Weights, solution.helper_count, None, &miss)?;
        relaxation.prune(&mut solution, &mut miss);
    }
    for number in 1..=settings.full_sweeps {
        let moments = sweep(&relaxation.view, &mut solution, relaxation.motion, ROUNDS);
        tell(GreedyStep::Transforms, solution.helper_count, Some(number), &miss)?;
        miss = relaxation.weigh_with(&moments, &mut solution, FEW_NODES);
        tell(GreedyStep::Weights, solution.helper_count, Some(number), &miss)?;
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DAffine3, DQuat, DVec3, Vec3};

    /// A strip on one driver that turns about z, whose far half lags behind it.
    struct Strip {
        rest: Vec<Vec3>,
        drivers: Vec<DAffine3>,
        targets: Vec<Vec3>,
    }

    impl Strip {
        fn examples(&self) -> Examples<'_> {
            Examples {
                rest_positions: &self.rest,
                triangles: &[],
                driver_count: 1,
                driver_posed_from_rest: &self.drivers,
                target_positions: &self.targets,
            }
        }
    }

    fn strip() -> Strip {
        let rest: Vec<Vec3> =
            (0..40).map(|at| Vec3::new((at / 2) as f32 * 0.1, (at % 2) as f32 * 0.1, 0.0)).collect();
        let turns: Vec<DQuat> = (0..16).map(|pose| DQuat::from_rotation_z(f64::from(pose) * 0.08)).collect();
        let drivers = turns.iter().map(|turn| DAffine3::from_quat(*turn)).collect();
        let lagging = |turn: &DQuat, place: &Vec3| {
            let lag = f64::from((place.x - 1.0).max(0.0));
            *turn * DQuat::from_rotation_z(-0.5 * lag * turn.z) * place.as_dvec3() + DVec3::Z * lag * turn.z
        };
        let targets =
            turns.iter().flat_map(|turn| rest.iter().map(move |place| lagging(turn, place).as_vec3()));
        let targets = targets.collect();
        Strip { rest, drivers, targets }
    }

    fn walked(settings: &HelperSettings) -> Vec<GreedyProgress> {
        let mut told = Vec::new();
        greedy_steps(&strip().examples(), settings, &mut |progress| {
            told.push(*progress);
            ControlFlow::Continue(())
        })
        .unwrap();
        told
    }

    #[test]
    fn every_step_is_told_and_the_error_never_rises() {
        let settings =
            HelperSettings { helper_count: 2, full_sweeps: 6, min_vertices: 0, ..HelperSettings::default() };
        let told = walked(&settings);
        let count = |step: GreedyStep| told.iter().filter(|progress| progress.step == step).count();
        assert_eq!(count(GreedyStep::Insertion), 2);
        assert_eq!(count(GreedyStep::Transforms), 2 + 6);
        assert_eq!(count(GreedyStep::Weights), 1 + 2 * 2 + 6);
        let errors: Vec<f64> = told.iter().map(|progress| progress.rms_error).collect();
        let is_falling = errors.windows(2).all(|pair| pair[1] <= pair[0] * (1.0 + 1e-12));
        assert!(is_falling, "{errors:?}");
        assert!(errors[errors.len() - 1] < 0.5 * errors[0], "{errors:?}");
        assert_eq!(told.last().unwrap().sweep, Some(6));
    }

    #[test]
    fn it_stops_when_told_to() {
        let strip = strip();
        let examples = strip.examples();
        let mut steps = 0;
        let settings = HelperSettings::default();
        greedy_steps(&examples, &settings, &mut |_| {
            steps += 1;
            if steps == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
        assert_eq!(steps, 3);
        let wrong = HelperSettings { max_influences: 0, ..HelperSettings::default() };
        assert!(greedy_steps(&examples, &wrong, &mut |_| ControlFlow::Continue(())).is_err());
    }
}
