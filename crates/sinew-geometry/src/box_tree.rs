//! Boxes within boxes: what lies near a point, without looking at everything.

use crate::Bounds;
use glam::Vec3;

/// A node; its first child follows it, its second follows the first's last descendant.
#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: Bounds,
    /// The node after its last descendant.
    next: u32,
    /// Its items, as a range of `items`; empty for nodes with children.
    items: (u32, u32),
}

/// A balanced binary tree over the boxes of numbered items.
///
/// The items of each node are fixed at construction; their boxes may change, by [`BoxTree::refit`].
#[derive(Clone, Debug, Default)]
pub struct BoxTree {
    nodes: Vec<Node>,
    items: Vec<u32>,
}

/// Items of a node without children. More makes refitting cheaper and questions dearer.
const LEAF_ITEMS: usize = 4;

/// Deeper than any tree of 32 bits of items.
const MOST_DEPTH: usize = 64;

impl BoxTree {
    /// Over items with these boxes.
    pub fn new(boxes: &[Bounds]) -> Self {
        let mut items: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = Vec::with_capacity(boxes.len());
        if !items.is_empty() {
            build(boxes, &mut items, 0, &mut nodes);
        }
        let mut tree = Self { nodes, items };
        tree.refit(|item| boxes[item]);
        tree
    }

    /// Takes over where items are now.
    pub fn refit(&mut self, mut bounds_of: impl FnMut(usize) -> Bounds) {
        for at in (0..self.nodes.len()).rev() {
            let Node { next, items: (start, end), .. } = self.nodes[at];
            self.nodes[at].bounds = if start < end {
                let items = &self.items[start as usize..end as usize];
                items.iter().fold(Bounds::EMPTY, |all, &item| all.union(bounds_of(item as usize)))
            } else {
                let second = self.nodes[at + 1].next as usize;
                debug_assert!(second < next as usize, "two children");
                self.nodes[at + 1].bounds.union(self.nodes[second].bounds)
            };
        }
    }

    /// Everything's box.
    pub fn bounds(&self) -> Bounds {
        self.nodes.first().map_or(Bounds::EMPTY, |root| root.bounds)
    }

    /// Tells all items in nodes that meet a box, always in the same order.
    pub fn visit(&self, wanted: &Bounds, mut tell: impl FnMut(u32)) {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            if !node.bounds.overlaps(wanted) {
                at = node.next as usize;
                continue;
            }
            let (start, end) = node.items;
            self.items[start as usize..end as usize].iter().for_each(|&item| tell(item));
            at += 1;
        }
    }

    /// Looks for what is nearest to a point, and nearer than the root of `square`: `look` is told an item and the least square so
    /// far, and says what the least is now. Says the least at the end.
    pub fn nearest(&self, point: Vec3, square: f32, mut look: impl FnMut(u32, f32) -> f32) -> f32 {
        let mut least = square;
        let (mut stack, mut depth) = ([(0u32, 0.0f32); MOST_DEPTH], 0);
        if let Some(root) = self.nodes.first() {
            stack[0] = (0, root.bounds.square_distance(point));
            depth = 1;
        }
        while depth > 0 {
            depth -= 1;
            let (at, away) = stack[depth];
            if away > least {
                continue;
            }
            let node = &self.nodes[at as usize];
            let (start, end) = node.items;
            if start < end {
                for &item in &self.items[start as usize..end as usize] {
                    least = look(item, least);
                }
                continue;
            }
            let children = [at + 1, self.nodes[at as usize + 1].next];
            let ways = children.map(|child| self.nodes[child as usize].bounds.square_distance(point));
            let near = usize::from(ways[1] < ways[0]);
            // The nearer one on top.
            for child in [1 - near, near] {
                stack[depth] = (children[child], ways[child]);
                depth += 1;
            }
        }
        least
    }
}

/// Splits items in halves along the axis in which their middles are widest apart.
fn build(boxes: &[Bounds], items: &mut [u32], first: u32, nodes: &mut Vec<Node>) {
    let at = nodes.len();
    nodes.push(Node { bounds: Bounds::EMPTY, next: 0, items: (first, first + items.len() as u32) });
    if items.len() > LEAF_ITEMS {
        let middle = |item: u32| boxes[item as usize].center();
        let spread = Bounds::around(items.iter().map(|&item| middle(item)));
        let axis = spread.size().max_position();
        let half = items.len() / 2;
        items.select_nth_unstable_by(half, |&a, &b| {
            middle(a)[axis].total_cmp(&middle(b)[axis]).then(a.cmp(&b))
        });
        let (before, after) = items.split_at_mut(half);
        nodes[at].items = (first, first);
        build(boxes, before, first, nodes);
        build(boxes, after, first + half as u32, nodes);
    }
    nodes[at].next = nodes.len() as u32;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxes(count: usize, turn: f32) -> Vec<Bounds> {
        let wave = |at: usize, k: f32| (at as f32 * k + turn).sin();
        let middle = |at: usize| Vec3::new(wave(at, 12.9), wave(at, 78.2), wave(at, 37.7));
        (0..count).map(|at| Bounds::around([middle(at)]).grown(0.01 + 0.02 * (at % 5) as f32)).collect()
    }

    #[test]
    fn trees_find_what_a_look_at_everything_finds() {
        for count in [0, 1, 4, 5, 9, 300] {
            let mut tree = BoxTree::new(&boxes(count, 0.0));
            let moved = boxes(count, 0.5);
            tree.refit(|item| moved[item]);
            for at in 0..50 {
                let point = boxes(50, 3.0)[at].min() * 1.3;
                let wanted = Bounds::around([point]).grown(0.2);
                let mut found = Vec::new();
                tree.visit(&wanted, |item| found.push(item as usize));
                for item in (0..count).filter(|&item| moved[item].overlaps(&wanted)) {
                    assert!(found.contains(&item), "{item} of {count}");
                }
                let least = tree.nearest(point, 4.0, |item, least| {
                    least.min(moved[item as usize].square_distance(point))
                });
                let expected = moved.iter().map(|item| item.square_distance(point)).fold(4.0, f32::min);
                assert_eq!(least, expected, "{count}");
            }
        }
    }
}
