//! How muscles that shorten raise what lies on them.
//!
//! Points of tetrahedra are too coarse to show a biceps: an arm is two or three of them thick. So what a muscle does to the shape is worked
//! out where it is seen, at points and at vertices alike: the shape that flesh settles in has the bulge in it, and what flesh adds to that
//! is motion alone.

use super::drive::Contraction;
use super::muscle_set::MuscleSet;
use glam::Vec3;

/// What every muscle does to each of some points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MuscleBulge {
    /// Points that a muscle moves, in order.
    points: Vec<u32>,
    /// Where the moves of each of them begin, and the end of the last.
    starts: Vec<u32>,
    moves: Vec<Move>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Move {
    muscle: u32,
    /// Where the point goes at rest, meters, for a muscle that grows by 1 across its fibers.
    way: Vec3,
}

/// Ways shorter than this are none, meters.
const LEAST_M: f32 = 1e-5;

impl MuscleBulge {
    /// For points at rest, model space, meters.
    pub fn new(set: &MuscleSet, positions: &[Vec3]) -> Self {
        let mut bulge = Self { points: Vec::new(), starts: vec![0], moves: Vec::new() };
        for (point, position) in positions.iter().enumerate() {
            let first = bulge.moves.len();
            for (muscle, of) in set.muscles().iter().enumerate() {
                // Strips of one muscle lie in each other's edges: the one that moves the point farthest does.
                let ways = of.strips.iter().map(|strip| strip.bulge(*position));
                let way =
                    ways.fold(Vec3::ZERO, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
                if way.length() > LEAST_M {
                    bulge.moves.push(Move { muscle: muscle as u32, way });
                }
            }
            if bulge.moves.len() > first {
                bulge.points.push(point as u32);
                bulge.starts.push(bulge.moves.len() as u32);
            }
        }
        bulge
    }

    /// Every point that muscles move, with where it goes at rest for these contractions, meters.
    ///
    /// # Panics
    /// If there are fewer contractions than muscles.
    pub fn moved<'a>(&'a self, contractions: &'a [Contraction]) -> impl Iterator<Item = (usize, Vec3)> + 'a {
        self.points.iter().enumerate().map(|(at, &point)| {
            let own = &self.moves[self.starts[at] as usize..self.starts[at + 1] as usize];
            let way = own.iter().map(|to| to.way * (contractions[to.muscle as usize].across - 1.0)).sum();
            (point as usize, way)
        })
    }
}
