//! The order in which the values of an attribute are stored.

use crate::corners::{Corners, NONE, next, previous};
use crate::error::Result;
use crate::memory::Memory;

/// Values in their order.
#[derive(Debug)]
pub(crate) struct Sequence {
    /// A corner with each value.
    pub(crate) corners: Vec<u32>,
    /// The value of each vertex; `NONE` for vertices without triangles.
    pub(crate) value_of_vertex: Vec<u32>,
}

/// How triangles are visited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    DepthFirst,
    /// Vertices that many visited triangles predict come first.
    PredictionDegree,
}

pub(crate) fn sequence<C: Corners>(corners: &C, order: Order, memory: &mut Memory) -> Result<Sequence> {
    let triangle_count = corners.corner_count() / 3;
    let mut walker = Walker {
        corners,
        is_triangle_visited: memory.filled("visited triangles", false, triangle_count)?,
        sequence: Sequence {
            corners: memory.with_room("order of values", corners.vertex_count())?,
            value_of_vertex: memory.filled("order of values", NONE, corners.vertex_count())?,
        },
    };
    // Each triangle adds at most one corner to the stacks.
    memory.take::<u32>("order of values", 2 * triangle_count)?;
    match order {
        Order::DepthFirst => walker.walk_depth_first(),
        Order::PredictionDegree => walker.walk_by_degree(memory)?,
    }
    Ok(walker.sequence)
}

struct Walker<'a, C> {
    corners: &'a C,
    is_triangle_visited: Vec<bool>,
    sequence: Sequence,
}

/// Stacks of the order by degree: of visited tips, of tips that two triangles predict, of all others.
const PRIORITY_COUNT: usize = 3;

impl<C: Corners> Walker<'_, C> {
    fn is_visited(&self, corner: u32) -> bool {
        self.is_triangle_visited.get(corner as usize / 3).copied().unwrap_or(true)
    }

    fn is_known(&self, vertex: u32) -> bool {
        self.sequence.value_of_vertex.get(vertex as usize).is_none_or(|&value| value != NONE)
    }

    /// Adds the vertex of a corner unless it is there; whether it is new.
    fn add(&mut self, corner: u32) -> bool {
        let vertex = self.corners.vertex(corner);
        let is_new = !self.is_known(vertex);
        if is_new {
            self.sequence.value_of_vertex[vertex as usize] = self.sequence.corners.len() as u32;
            self.sequence.corners.push(corner);
        }
        is_new
    }

    fn walk_depth_first(&mut self) {
        let mut stack = Vec::new();
        for first in (0..self.corners.corner_count() as u32).step_by(3) {
            if self.is_visited(first) {
                continue;
            }
            self.add(next(first));
            self.add(previous(first));
            stack.push(first);
            while let Some(corner) = stack.pop() {
                if let Some((left, right)) = self.run_depth_first(corner) {
                    stack.extend([left, right]);
                }
            }
        }
    }

    /// Goes from triangle to triangle until none is left, or until both neighbors are.
    fn run_depth_first(&mut self, mut corner: u32) -> Option<(u32, u32)> {
        while !self.is_visited(corner) {
            self.is_triangle_visited[corner as usize / 3] = true;
            let is_new = self.add(corner);
            let (left, right) = (self.corners.left(corner), self.corners.right(corner));
            if is_new && !self.corners.is_on_border(self.corners.vertex(corner)) {
                corner = right;
                continue;
            }
            corner = match (self.is_visited(left), self.is_visited(right)) {
                (false, false) => return Some((left, right)),
                (false, true) => left,
                _ => right,
            };
        }
        None
    }

    fn walk_by_degree(&mut self, memory: &mut Memory) -> Result<()> {
        let mut degrees = memory.filled("degrees of vertices", 0u32, self.corners.vertex_count())?;
        for first in (0..self.corners.corner_count() as u32).step_by(3) {
            if self.is_visited(first) {
                continue;
            }
            for corner in [next(first), previous(first), first] {
                self.add(corner);
            }
            let mut stacks: [Vec<u32>; PRIORITY_COUNT] = Default::default();
            stacks[0].push(first);
            let mut best = 0;
            while let Some((priority, corner)) =
                (best..PRIORITY_COUNT).find_map(|at| Some((at, stacks[at].pop()?)))
            {
                best = priority;
                self.run_by_degree(corner, &mut degrees, &mut stacks, &mut best);
            }
        }
        Ok(())
    }

    /// Goes from triangle to triangle while the next is at least as good as all that wait.
    fn run_by_degree(
        &mut self,
        mut corner: u32,
        degrees: &mut [u32],
        stacks: &mut [Vec<u32>; PRIORITY_COUNT],
        best: &mut usize,
    ) {
        'triangles: while !self.is_visited(corner) {
            self.is_triangle_visited[corner as usize / 3] = true;
            self.add(corner);
            let (left, right) = (self.corners.left(corner), self.corners.right(corner));
            let is_right_visited = self.is_visited(right);
            for (neighbor, may_follow) in [(left, is_right_visited), (right, true)] {
                if self.is_visited(neighbor) {
                    continue;
                }
                let priority = self.priority(neighbor, degrees);
                if may_follow && priority <= *best {
                    corner = neighbor;
                    continue 'triangles;
                }
                stacks[priority].push(neighbor);
                *best = priority.min(*best);
            }
            return;
        }
    }

    fn priority(&self, corner: u32, degrees: &mut [u32]) -> usize {
        let vertex = self.corners.vertex(corner);
        if self.is_known(vertex) {
            return 0;
        }
        degrees[vertex as usize] += 1;
        if degrees[vertex as usize] > 1 { 1 } else { 2 }
    }
}
