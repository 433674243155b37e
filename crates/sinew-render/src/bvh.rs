//! A bounding volume hierarchy over triangles, for rays that ask only whether something is in the way.

use glam::Vec3A;

/// Triangles in a tree of boxes, split by the surface area heuristic over bins.
#[derive(Debug, Default)]
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    triangles: Vec<Leaf>,
}

/// A ray with its reciprocal direction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ray {
    pub(crate) origin: Vec3A,
    pub(crate) direction: Vec3A,
    pub(crate) length: f32,
}

/// Children of an inner node are the next node and `link`; a leaf holds triangles `link..link + count`.
#[derive(Clone, Copy, Debug)]
struct Node {
    low: Vec3A,
    high: Vec3A,
    link: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct Leaf {
    corner: Vec3A,
    edge_b: Vec3A,
    edge_c: Vec3A,
    id: u32,
}

/// A triangle during the build: its box, middle and number in the input.
#[derive(Clone, Copy, Debug)]
struct Item {
    low: Vec3A,
    high: Vec3A,
    middle: Vec3A,
    index: u32,
}

const BIN_COUNT: usize = 16;
const LEAF_SIZE: usize = 4;

/// Depth at which a node becomes a leaf whatever its size, so that the ray's stack cannot run out.
const MAX_DEPTH: usize = 60;

impl Bvh {
    /// Builds the tree over finite triangles, given with an id each.
    pub(crate) fn build(&mut self, input: &[(u32, [Vec3A; 3])]) {
        self.nodes.clear();
        self.triangles.clear();
        let mut items: Vec<Item> = (0..)
            .zip(input)
            .map(|(index, (_, [a, b, c]))| {
                let (low, high) = (a.min(*b).min(*c), a.max(*b).max(*c));
                Item { low, high, middle: (low + high) * 0.5, index }
            })
            .collect();
        if !items.is_empty() {
            self.split(&mut items, input, 0);
        }
    }

    /// Whether a triangle for which `counts(id, weights)` holds lies on the ray.
    pub(crate) fn is_blocked(&self, ray: &Ray, counts: impl Fn(u32, [f32; 3]) -> bool) -> bool {
        if self.nodes.is_empty() {
            return false;
        }
        let inverse = ray.direction.recip();
        let mut stack = [0_u32; MAX_DEPTH + 4];
        let mut height = 1;
        while height > 0 {
            height -= 1;
            let mut index = stack[height] as usize;
            loop {
                let node = &self.nodes[index];
                if !node.is_hit(ray, inverse) {
                    break;
                }
                if node.count > 0 {
                    let leaves = &self.triangles[node.link as usize..][..node.count as usize];
                    if leaves.iter().any(|leaf| leaf.hit(ray).is_some_and(|weights| counts(leaf.id, weights)))
                    {
                        return true;
                    }
                    break;
                }
                stack[height] = node.link;
                height += 1;
                index += 1;
            }
        }
        false
    }

    fn split(&mut self, items: &mut [Item], input: &[(u32, [Vec3A; 3])], depth: usize) {
        let (low, high) = items
            .iter()
            .fold((Vec3A::MAX, Vec3A::MIN), |(low, high), item| (low.min(item.low), high.max(item.high)));
        let index = self.nodes.len();
        self.nodes.push(Node { low, high, link: self.triangles.len() as u32, count: items.len() as u32 });
        let middle = if depth < MAX_DEPTH { best_split(items, half_area(low, high)) } else { None };
        let Some(middle) = middle else {
            self.triangles.extend(items.iter().map(|item| {
                let (id, [a, b, c]) = input[item.index as usize];
                Leaf { corner: a, edge_b: b - a, edge_c: c - a, id }
            }));
            return;
        };
        let (left, right) = items.split_at_mut(middle);
        self.split(left, input, depth + 1);
        let link = self.nodes.len() as u32;
        self.split(right, input, depth + 1);
        self.nodes[index].link = link;
        self.nodes[index].count = 0;
    }
}

impl Node {
    /// Slab test. A ray in a slab's plane gives `0 × ∞`, which the order of the comparisons drops.
    #[inline]
    fn is_hit(&self, ray: &Ray, inverse: Vec3A) -> bool {
        let to_low = (self.low - ray.origin) * inverse;
        let to_high = (self.high - ray.origin) * inverse;
        let enter = to_low.min(to_high).max_element().max(0.0);
        let leave = to_low.max(to_high).min_element().min(ray.length);
        enter <= leave
    }
}

impl Leaf {
    /// Weights of the three corners at the hit, if there is one.
    #[inline]
    fn hit(&self, ray: &Ray) -> Option<[f32; 3]> {
        let p = ray.direction.cross(self.edge_c);
        let determinant = self.edge_b.dot(p);
        if determinant == 0.0 {
            return None;
        }
        let inverse = 1.0 / determinant;
        let offset = ray.origin - self.corner;
        let u = offset.dot(p) * inverse;
        let q = offset.cross(self.edge_b);
        let v = ray.direction.dot(q) * inverse;
        let distance = self.edge_c.dot(q) * inverse;
        let is_hit = u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance > 0.0 && distance < ray.length;
        is_hit.then_some([1.0 - u - v, u, v])
    }
}

fn half_area(low: Vec3A, high: Vec3A) -> f32 {
    let size = (high - low).max(Vec3A::ZERO);
    size.x * size.y + size.y * size.z + size.z * size.x
}

/// Sorts the items to both sides of the best plane and returns where the second side starts; none for a leaf.
fn best_split(items: &mut [Item], area: f32) -> Option<usize> {
    if items.len() <= LEAF_SIZE {
        return None;
    }
    let (low, high) = items
        .iter()
        .fold((Vec3A::MAX, Vec3A::MIN), |(low, high), item| (low.min(item.middle), high.max(item.middle)));
    let size = high - low;
    let scale = Vec3A::splat(BIN_COUNT as f32 * 0.999) / size;
    let mut best: Option<(f32, usize, usize)> = None;
    for axis in (0..3).filter(|&axis| size[axis] > 0.0 && scale[axis].is_finite()) {
        let mut bins = [(Vec3A::MAX, Vec3A::MIN, 0_usize); BIN_COUNT];
        for item in items.iter() {
            let bin = &mut bins[bin_of(item, axis, low, scale)];
            *bin = (bin.0.min(item.low), bin.1.max(item.high), bin.2 + 1);
        }
        let mut right_cost = [0.0; BIN_COUNT];
        let mut side = (Vec3A::MAX, Vec3A::MIN, 0_usize);
        for plane in (1..BIN_COUNT).rev() {
            side = (side.0.min(bins[plane].0), side.1.max(bins[plane].1), side.2 + bins[plane].2);
            right_cost[plane] =
                if side.2 == 0 { f32::INFINITY } else { half_area(side.0, side.1) * side.2 as f32 };
        }
        side = (Vec3A::MAX, Vec3A::MIN, 0);
        for plane in 1..BIN_COUNT {
            let bin = &bins[plane - 1];
            side = (side.0.min(bin.0), side.1.max(bin.1), side.2 + bin.2);
            if side.2 > 0 {
                let cost = half_area(side.0, side.1) * side.2 as f32 + right_cost[plane];
                if cost.is_finite() && best.is_none_or(|(least, _, _)| cost < least) {
                    best = Some((cost, axis, plane));
                }
            }
        }
    }
    let (cost, axis, plane) = best?;
    // A box test costs about as much as a triangle test.
    let is_worth_it = cost + area < area * items.len() as f32 || items.len() > 4 * LEAF_SIZE;
    if !is_worth_it {
        return None;
    }
    // A stable split keeps the tree a function of the input alone.
    items.sort_by_key(|item| bin_of(item, axis, low, scale) >= plane);
    let middle = items.partition_point(|item| bin_of(item, axis, low, scale) < plane);
    (middle > 0 && middle < items.len()).then_some(middle)
}

fn bin_of(item: &Item, axis: usize, low: Vec3A, scale: Vec3A) -> usize {
    (((item.middle[axis] - low[axis]) * scale[axis]) as i32 as usize).min(BIN_COUNT - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A small generator, so that the test needs no crate.
    struct Random(u64);

    impl Random {
        fn next(&mut self) -> f32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f32 / (1 << 24) as f32 - 0.5
        }

        fn vector(&mut self) -> Vec3A {
            Vec3A::new(self.next(), self.next(), self.next())
        }
    }

    #[test]
    fn agrees_with_testing_every_triangle() {
        let mut random = Random(7);
        let mut input: Vec<(u32, [Vec3A; 3])> = (0..500)
            .map(|id| {
                let middle = random.vector() * 2.0;
                (id, [0; 3].map(|_| middle + random.vector() * 0.3))
            })
            .collect();
        // Coincident and flat triangles must not upset the build.
        input.extend((500..540).map(|id| (id, [Vec3A::ONE; 3])));
        let mut bvh = Bvh::default();
        bvh.build(&input);
        let mut hits = 0;
        for _ in 0..2000 {
            let ray = Ray { origin: random.vector() * 3.0, direction: random.vector() * 3.0, length: 1.0 };
            let is_hit = |(id, [a, b, c]): &(u32, [Vec3A; 3])| {
                let leaf = Leaf { corner: *a, edge_b: b - a, edge_c: c - a, id: *id };
                id % 3 != 0 && leaf.hit(&ray).is_some()
            };
            let expected = input.iter().any(is_hit);
            assert_eq!(bvh.is_blocked(&ray, |id, _| id % 3 != 0), expected, "{ray:?}");
            hits += usize::from(expected);
        }
        assert!((100..1900).contains(&hits), "rays of both kinds, found {hits} hits");
    }

    #[test]
    fn an_empty_tree_blocks_nothing() {
        let mut bvh = Bvh::default();
        bvh.build(&[]);
        let ray = Ray { origin: Vec3A::ZERO, direction: Vec3A::X, length: f32::INFINITY };
        assert!(!bvh.is_blocked(&ray, |_, _| true));
    }
}
