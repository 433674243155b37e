//! Points of a body that must not pass each other, or a place.
//!
//! A [`World`](crate::World) finds out by itself what touches, by the skins of bodies. Where a body is embedded in something else, a
//! character's flesh in its skin, only the caller knows: it says which points face each other, along which normal, and how far apart they
//! must stay at least.

use super::{SoftBody, StepSettings};
use glam::{Vec3, Vec4};

/// A point of a body with shares of four particles; shares of 0 where there are fewer.
pub type SharedPoint = [(u32, f32); 4];

/// Keeps two points of a body, or a point of it and one of the world, apart during the next step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Barrier {
    /// The point that is kept away.
    pub ours: SharedPoint,
    /// The point that it is kept away from; all shares are 0 for the world's origin.
    pub theirs: SharedPoint,
    /// From theirs to ours, unit.
    pub normal: Vec3,
    /// The least of normal · (ours − theirs), metres.
    pub least_m: f32,
    /// How far what keeps it away moves in the step beside what `theirs` does, metres.
    pub carried: Vec3,
    /// Coulomb's coefficient.
    pub friction: f32,
}

/// Barriers of the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Barriers {
    pub(super) list: Vec<Barrier>,
    /// How far goals let each particle go: 1 for one without any, 0 for one that is held.
    yields: Vec<f32>,
    is_touched: Vec<bool>,
    /// Whether the next pass goes from the last to the first.
    is_backward: bool,
}

/// Points mostly made of held particles are moved by those that are free, but not by more than this allows: the sum of their squared shares
/// counts as no less.
const LEAST_SQUARE: f32 = 0.15;

impl SoftBody {
    /// What keeps points of the body apart in the next steps; call it again when it changes.
    ///
    /// # Panics
    /// If a barrier names a particle that is not there.
    pub fn set_barriers(&mut self, barriers: impl IntoIterator<Item = Barrier>) {
        self.barriers.list.clear();
        self.barriers.list.extend(barriers);
        let count = self.particle_count();
        let named = self.barriers.list.iter().flat_map(|barrier| barrier.ours.iter().chain(&barrier.theirs));
        assert!(named.clone().all(|(at, _)| (*at as usize) < count), "barriers of this body");
    }

    /// How many barriers pushed in the last step.
    pub fn barrier_touch_count(&self) -> usize {
        self.barriers.is_touched.iter().filter(|is_touched| **is_touched).count()
    }

    /// Makes barriers ready for a step that has begun.
    pub(crate) fn begin_barriers(&mut self, settings: &StepSettings) {
        let Self { barriers, predicted, particle_stiffness, .. } = self;
        barriers.is_touched.clear();
        if barriers.list.is_empty() {
            return;
        }
        barriers.is_touched.resize(barriers.list.len(), false);
        let square_secs = settings.dt_secs * settings.dt_secs;
        barriers.yields.clear();
        let yields = predicted
            .iter()
            .zip(particle_stiffness)
            .map(|(predicted, stiffness)| predicted.w / (1.0 + predicted.w * square_secs * *stiffness));
        barriers.yields.extend(yields);
        barriers.is_backward = false;
    }

    /// Moves points apart after an iteration, in turn from the first and from the last: of many that lean on the same particles, the last
    /// would always have its way.
    pub(crate) fn keep_apart(&mut self) {
        let Self { barriers: Barriers { list, yields, is_touched, is_backward }, positions, before, .. } =
            self;
        let mut part = |at: usize| is_touched[at] |= list[at].part(yields, before, positions);
        if *is_backward {
            (0..list.len()).rev().for_each(&mut part);
        } else {
            (0..list.len()).for_each(&mut part);
        }
        *is_backward = !*is_backward;
    }
}

impl Barrier {
    /// Ours less theirs, by values of particles.
    fn between(&self, values: &[Vec4]) -> Vec3 {
        let sum = |point: &SharedPoint| {
            point.iter().fold(Vec4::ZERO, |sum, &(at, share)| sum + values[at as usize] * share)
        };
        (sum(&self.ours) - sum(&self.theirs)).truncate()
    }

    /// Moves both points apart if they are too near; whether they were.
    fn part(&self, yields: &[f32], before: &[Vec4], positions: &mut [Vec4]) -> bool {
        let between = self.between(positions);
        let push = self.least_m - self.normal.dot(between);
        // Also where it is not a number.
        if !(push > 0.0 && push.is_finite()) {
            return false;
        }
        let yielding = |point: &SharedPoint| -> f32 {
            point.iter().map(|&(at, share)| share * yields[at as usize]).sum()
        };
        let (ours, theirs) = (yielding(&self.ours), yielding(&self.theirs));
        if ours + theirs <= 0.0 {
            return false;
        }
        let slide = between - self.between(before) - self.carried;
        let slide = slide - self.normal * self.normal.dot(slide);
        let (length, most) = (slide.length(), self.friction.max(0.0) * push);
        let held = if length <= most { slide } else { slide * (most / length) };
        let way = (self.normal * push - held).extend(0.0) / (ours + theirs);
        move_point(&self.ours, way * ours, yields, positions);
        move_point(&self.theirs, way * -theirs, yields, positions);
        true
    }
}

/// Moves a point by moving its free particles by their shares. Their masses do not count: outside the skin some are so light that they
/// would take everything upon them, and tangle.
fn move_point(point: &SharedPoint, way: Vec4, yields: &[f32], positions: &mut [Vec4]) {
    let is_free = |at: u32| yields[at as usize] > 0.0;
    let square: f32 = point.iter().filter(|(at, _)| is_free(*at)).map(|(_, share)| share * share).sum();
    let way = way / square.max(LEAST_SQUARE);
    for &(at, share) in point.iter().filter(|(at, _)| is_free(*at)) {
        positions[at as usize] += way * share;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POINT: SharedPoint = [(0, 1.0), (0, 0.0), (0, 0.0), (0, 0.0)];
    const OTHER: SharedPoint = [(1, 1.0), (1, 0.0), (1, 0.0), (1, 0.0)];

    fn barrier() -> Barrier {
        Barrier {
            ours: POINT,
            theirs: OTHER,
            normal: Vec3::Y,
            least_m: 0.0,
            carried: Vec3::ZERO,
            friction: 0.5,
        }
    }

    #[test]
    fn the_softer_side_gives_way_more_and_friction_holds_by_coulomb() {
        let before = [Vec4::Y * 0.1, Vec4::ZERO];
        let mut positions = [Vec4::new(0.02, -0.03, 0.0, 0.0), Vec4::ZERO];
        assert!(barrier().part(&[1.0, 0.5], &before, &mut positions));
        assert!(
            (positions[0].y + 0.01).abs() < 1e-6 && (positions[1].y + 0.01).abs() < 1e-6,
            "{positions:?}"
        );
        // Of a slide of 0.02, half of the push of 0.03 is held.
        assert!((positions[0].x - positions[1].x - 0.005).abs() < 1e-6, "{positions:?}");
        assert!(!barrier().part(&[1.0, 0.5], &before, &mut positions), "apart");
    }

    #[test]
    fn held_points_stay_and_the_world_keeps_out() {
        let before = [Vec4::ZERO; 2];
        let mut positions = [Vec4::Y * -0.1, Vec4::ZERO];
        assert!(!barrier().part(&[0.0, 0.0], &before, &mut positions), "both are held");
        let floor = Barrier { theirs: [(0, 0.0); 4], least_m: 0.2, friction: 0.0, ..barrier() };
        assert!(floor.part(&[1.0, 1.0], &before, &mut positions));
        assert!((positions[0].y - 0.2).abs() < 1e-6 && positions[1] == Vec4::ZERO, "{positions:?}");
    }
}
