//! A leg of any number of bones that folds evenly: all its angles grow or shrink by one factor.

use glam::{DQuat, DVec3};

/// Joints of a leg at rest, from the body to the paw's joint.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    joints: Vec<DVec3>,
    /// About this axis a leg folds.
    axis: DVec3,
    /// Length of every bone, and its angle to the bone before (the first: 0), about the axis.
    lengths: Vec<f64>,
    bends: Vec<f64>,
}

/// Less bent joints fold as if they were bent by this, rad.
const LEAST_BEND: f64 = 0.12;
/// Folds are searched up to this factor.
const MOST_FOLD: f64 = 3.0;
const ROUNDS: usize = 50;

impl Chain {
    /// `ahead`: the level direction that the animal looks along.
    pub(crate) fn new(joints: Vec<DVec3>, ahead: DVec3) -> Self {
        let axis = DVec3::Y.cross(ahead).normalize_or(DVec3::X);
        let ways: Vec<DVec3> = joints.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let lengths = ways.iter().map(|way| way.length()).collect();
        let mut bends: Vec<f64> = vec![0.0];
        for pair in ways.windows(2) {
            let flat = |way: DVec3| way.reject_from_normalized(axis).normalize_or(DVec3::NEG_Y);
            let (a, b) = (flat(pair[0]), flat(pair[1]));
            let bend = a.cross(b).dot(axis).atan2(a.dot(b));
            // A straight joint folds against the one before it.
            let sign = if bend.abs() > 1e-3 { bend.signum() } else { -bends[bends.len() - 1].signum() };
            bends.push(sign * bend.abs().max(LEAST_BEND));
        }
        Self { joints, axis, lengths, bends }
    }

    pub(crate) fn start(&self) -> DVec3 {
        self.joints[0]
    }

    pub(crate) fn end(&self) -> DVec3 {
        self.joints[self.joints.len() - 1]
    }

    /// The greatest usable distance of both ends.
    pub(crate) fn reach_m(&self) -> f64 {
        0.997 * self.lengths.iter().sum::<f64>()
    }

    /// Ways of the bones with all bends times a factor, in the plane of (down, ahead), from the first straight down.
    fn folded(&self, factor: f64) -> Vec<DVec3> {
        let mut angle = 0.0;
        let bones = self.lengths.iter().zip(&self.bends);
        let way = |(&length, &bend): (&f64, &f64)| {
            angle += factor * bend;
            DQuat::from_axis_angle(self.axis, angle) * DVec3::NEG_Y * length
        };
        bones.map(way).collect()
    }

    /// Ways of the bones from `start` to `end`; an end out of reach is approached.
    fn ways(&self, start: DVec3, end: DVec3) -> Vec<DVec3> {
        let goal = (end - start).length();
        let span = |factor: f64| self.folded(factor).into_iter().sum::<DVec3>().length();
        let (mut low, mut high) = (0.0, MOST_FOLD);
        // The more folded, the shorter, as far as legs fold.
        while span(high) > goal && high < 20.0 {
            high *= 1.3;
        }
        for _ in 0..ROUNDS {
            let middle = 0.5 * (low + high);
            if span(middle) > goal { low = middle } else { high = middle }
        }
        let ways = self.folded(0.5 * (low + high));
        let sum: DVec3 = ways.iter().copied().sum();
        // First within the plane of the leg, then aside.
        let flat = (end - start).reject_from_normalized(self.axis).normalize_or(DVec3::NEG_Y);
        let from = sum.normalize_or(DVec3::NEG_Y);
        let pitch = from.cross(flat).dot(self.axis).atan2(from.dot(flat));
        let turn = DQuat::from_axis_angle(self.axis, pitch);
        let aside = DQuat::from_rotation_arc(flat, (end - start).normalize_or(DVec3::NEG_Y));
        ways.into_iter().map(|way| aside * turn * way).collect()
    }

    /// Rotations of the bones from rest, model space, that take the end from its place to `end`, with the start at `start`.
    pub(crate) fn turns(&self, start: DVec3, end: DVec3) -> Vec<DQuat> {
        // From the bones' own directions, so that the end is met exactly.
        let rest: Vec<DVec3> = self.joints.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let posed = self.ways(start, end);
        let turn = |(rest, posed): (&DVec3, &DVec3)| {
            let unit = |way: &DVec3| way.normalize_or(DVec3::NEG_Y);
            let (a, b) = (unit(rest), unit(posed));
            let flat = |way: DVec3| way.reject_from_normalized(self.axis).normalize_or(DVec3::NEG_Y);
            let (fa, fb) = (flat(a), flat(b));
            let pitch = fa.cross(fb).dot(self.axis).atan2(fa.dot(fb));
            let in_plane = DQuat::from_axis_angle(self.axis, pitch);
            DQuat::from_rotation_arc(in_plane * a, b) * in_plane
        };
        rest.iter().zip(&posed).map(turn).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Chain {
        /// Where the end is when bones are rotated so: the bones' own lengths and directions at rest.
        fn reached(&self, start: DVec3, turns: &[DQuat]) -> DVec3 {
            let ways = self.joints.windows(2).zip(turns);
            start + ways.map(|(pair, turn)| *turn * (pair[1] - pair[0])).sum::<DVec3>()
        }
    }

    #[test]
    fn the_end_is_reached_with_bones_of_their_length() {
        let joints =
            vec![DVec3::new(0.1, 0.5, -0.28), DVec3::new(0.1, 0.33, -0.23), DVec3::new(0.1, 0.17, -0.33)];
        let chain = Chain::new(joints, DVec3::Z);
        let none = chain.turns(chain.start(), chain.end());
        assert!(none.iter().all(|turn| turn.angle_between(DQuat::IDENTITY) < 1e-6));
        for shift in [DVec3::new(0.0, 0.05, 0.1), DVec3::new(0.02, 0.0, -0.1), DVec3::new(0.0, 0.1, 0.0)] {
            let end = chain.end() + shift;
            let turns = chain.turns(chain.start(), end);
            let found = chain.reached(chain.start(), &turns);
            assert!(found.distance(end) < 1e-6, "{shift}: {found} {end}");
        }
    }
}
