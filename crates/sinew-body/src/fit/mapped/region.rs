//! The part of a target beyond a ring: cut off at a plane, without inner parts, holes closed.

use super::super::nearest::TriangleTree;
use super::super::target::TargetMesh;
use glam::DVec3;
use std::collections::{BTreeMap, BTreeSet};

/// A plane; its normal points to the far side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cut {
    pub(super) at: DVec3,
    pub(super) normal: DVec3,
}

/// A vertex of the region.
#[derive(Clone, Copy, Debug)]
pub(super) struct RegionPoint {
    pub(super) at: DVec3,
    /// The outward normal; zero if there is none.
    pub(super) normal: DVec3,
    /// False for the centers of closed holes, which are not on the target.
    pub(super) counts: bool,
}

/// A disc of triangles: one border, no holes.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) points: Vec<RegionPoint>,
    /// Neighbors of each point.
    pub(super) neighbors: Vec<Vec<usize>>,
    /// Triangles, including those that close holes.
    pub(super) triangles: Triangles,
    /// The mirror point of each, if any.
    pub(super) images: Vec<Option<usize>>,
    /// Points on the cut, in order around it.
    pub(super) border: Vec<usize>,
    /// The point where the tip is.
    pub(super) tip: usize,
}

type Triangles = Vec<[usize; 3]>;

impl Region {
    pub(super) fn beyond(
        target: &TargetMesh,
        is_inner: &[bool],
        cut: &Cut,
        tip: DVec3,
    ) -> Result<Self, &'static str> {
        let (positions, triangles, on_cut) = clip(target, is_inner, cut);
        let triangles = component_near(&positions, triangles, tip)
            .ok_or("no part of the target is beyond the first ring")?;
        let loops = border_loops(&triangles)
            .ok_or("the target's surface there has edges with more than two triangles")?;
        let on_cut_share = |found: &Vec<usize>| found.iter().filter(|&&point| on_cut[point]).count();
        let outer = (0..loops.len()).max_by_key(|&k| on_cut_share(&loops[k]));
        let outer = outer.ok_or("the target there has no border")?;
        if 2 * on_cut_share(&loops[outer]) < loops[outer].len() {
            return Err("the first ring's plane does not cut the target in one loop");
        }
        let (triangles, positions) = split_at(triangles, positions, tip);
        Ok(Self::assemble(&positions, &triangles, &loops, outer))
    }

    /// Points on the surface inside triangles, bulged by the normals at their corners: the mean of the middle's projections on the corners'
    /// tangent planes, as in \[Boubekeur08\]. With the corners of each triangle.
    pub(super) fn inner_points(&self) -> impl Iterator<Item = (DVec3, [usize; 3])> + '_ {
        let is_real = |triangle: &&[usize; 3]| triangle.iter().all(|&point| self.points[point].counts);
        self.triangles.iter().filter(is_real).map(|&triangle| {
            let corners = triangle.map(|point| self.points[point]);
            let middle = corners.iter().map(|corner| corner.at).sum::<DVec3>() / 3.0;
            let bulge = |corner: &RegionPoint| (corner.at - middle).dot(corner.normal) * corner.normal;
            (middle + BULGE * corners.iter().map(bulge).sum::<DVec3>() / 3.0, triangle)
        })
    }

    /// Numbers the used points and closes all loops but the outer one by fans.
    fn assemble(positions: &[DVec3], triangles: &Triangles, loops: &[Vec<usize>], outer: usize) -> Self {
        let mut number: BTreeMap<usize, usize> = BTreeMap::new();
        let mut points = Vec::new();
        let mut closed: Triangles = Vec::new();
        for triangle in triangles {
            let mine = triangle.map(|point| {
                *number.entry(point).or_insert_with(|| {
                    points.push(RegionPoint { at: positions[point], normal: DVec3::ZERO, counts: true });
                    points.len() - 1
                })
            });
            closed.push(mine);
        }
        for (k, hole) in loops.iter().enumerate() {
            if k != outer {
                let middle = points.len();
                let mean = hole.iter().map(|&point| positions[point]).sum::<DVec3>() / hole.len() as f64;
                points.push(RegionPoint { at: mean, normal: DVec3::ZERO, counts: false });
                let around = |k: usize| number[&hole[k % hole.len()]];
                closed.extend((0..hole.len()).map(|k| [middle, around(k + 1), around(k)]));
            }
        }
        let mut neighbors = vec![Vec::new(); points.len()];
        for triangle in &closed {
            for k in 0..3 {
                let (a, b) = (triangle[k], triangle[(k + 1) % 3]);
                neighbors[a].push(b);
                neighbors[b].push(a);
            }
        }
        for list in &mut neighbors {
            list.sort_unstable();
            list.dedup();
        }
        for &[a, b, c] in &closed {
            let area = (points[b].at - points[a].at).cross(points[c].at - points[a].at);
            let is_real = [a, b, c].iter().all(|&point| points[point].counts);
            [a, b, c].iter().filter(|_| is_real).for_each(|&point| points[point].normal += area);
        }
        points.iter_mut().for_each(|point| point.normal = point.normal.normalize_or_zero());
        let border = loops[outer].iter().map(|point| number[point]).collect();
        let images = images_of(&points);
        // The tip was added last.
        let tip = number[&(positions.len() - 1)];
        Region { points, neighbors, triangles: closed, images, border, tip }
    }
}

/// Splits the triangle nearest to a point into three that meet there.
fn split_at(mut triangles: Triangles, mut positions: Vec<DVec3>, at: DVec3) -> (Triangles, Vec<DVec3>) {
    let tree = TriangleTree::new(triangles.iter().map(|t| t.map(|point| positions[point])).collect());
    if let Some(found) = tree.nearest(at, f64::INFINITY, |_| true) {
        let middle = positions.len();
        positions.push(found.point);
        let [a, b, c] = triangles.swap_remove(found.triangle);
        triangles.extend([[a, b, middle], [b, c, middle], [c, a, middle]]);
    }
    (triangles, positions)
}

/// Factor on the bulge: at one edges bulge too far.
const BULGE: f64 = 0.75;

/// Maximum distance of a point from its mirror image, m.
const IMAGE_M: f64 = 5e-4;

fn images_of(points: &[RegionPoint]) -> Vec<Option<usize>> {
    // Sorted by height: only points of nearly the same height are compared.
    let mut order: Vec<usize> = (0..points.len()).collect();
    order.sort_by(|&a, &b| points[a].at.y.total_cmp(&points[b].at.y));
    let image_of = |point: &RegionPoint| {
        let image = point.at.with_x(-point.at.x);
        let first = order.partition_point(|&other| points[other].at.y < image.y - IMAGE_M);
        let near = order[first..].iter().take_while(|&&other| points[other].at.y <= image.y + IMAGE_M);
        near.copied()
            .filter(|&other| points[other].at.distance(image) < IMAGE_M)
            .min_by(|&a, &b| points[a].at.distance(image).total_cmp(&points[b].at.distance(image)))
    };
    points.iter().map(image_of).collect()
}

/// Triangles beyond the plane, with those across it cut; and whether each vertex is on the plane.
fn clip(target: &TargetMesh, is_inner: &[bool], cut: &Cut) -> (Vec<DVec3>, Triangles, Vec<bool>) {
    let mut positions = target.positions().to_vec();
    let mut on_cut = vec![false; positions.len()];
    let height: Vec<f64> = positions.iter().map(|&at| (at - cut.at).dot(cut.normal)).collect();
    let mut crossings: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut triangles = Vec::new();
    for triangle in target.triangles() {
        let corners = triangle.map(|vertex| vertex as usize);
        if corners.iter().any(|&corner| is_inner[corner]) {
            continue;
        }
        let mut polygon: Vec<usize> = Vec::new();
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            if height[a] > 0.0 {
                polygon.push(a);
            }
            if (height[a] > 0.0) != (height[b] > 0.0) {
                let crossing = *crossings.entry((a.min(b), a.max(b))).or_insert_with(|| {
                    let share = height[a] / (height[a] - height[b]);
                    positions.push(positions[a].lerp(positions[b], share));
                    on_cut.push(true);
                    positions.len() - 1
                });
                polygon.push(crossing);
            }
        }
        triangles.extend((2..polygon.len()).map(|k| [polygon[0], polygon[k - 1], polygon[k]]));
    }
    (positions, triangles, on_cut)
}

/// The connected triangles with the vertex nearest to a point.
fn component_near(positions: &[DVec3], triangles: Triangles, tip: DVec3) -> Option<Triangles> {
    let mut group: Vec<usize> = (0..positions.len()).collect();
    fn root(group: &mut [usize], mut at: usize) -> usize {
        while group[at] != at {
            group[at] = group[group[at]];
            at = group[at];
        }
        at
    }
    for &[a, b, c] in &triangles {
        for other in [b, c] {
            let (first, second) = (root(&mut group, a), root(&mut group, other));
            group[first.max(second)] = first.min(second);
        }
    }
    let nearest = triangles
        .iter()
        .flatten()
        .min_by(|&&a, &&b| positions[a].distance(tip).total_cmp(&positions[b].distance(tip)))?;
    let wanted = root(&mut group, *nearest);
    Some(triangles.into_iter().filter(|triangle| root(&mut group, triangle[0]) == wanted).collect())
}

/// Loops of edges with a triangle on one side only; `None` if an edge has more than two triangles.
fn border_loops(triangles: &Triangles) -> Option<Vec<Vec<usize>>> {
    let mut sides = BTreeSet::new();
    for triangle in triangles {
        for k in 0..3 {
            if !sides.insert((triangle[k], triangle[(k + 1) % 3])) {
                return None;
            }
        }
    }
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for &(a, b) in sides.iter().filter(|&&(a, b)| !sides.contains(&(b, a))) {
        next.entry(a).or_default().push(b);
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = next.iter().next() {
        let mut found = vec![start];
        let mut at = start;
        // Where loops touch in a vertex, any continuation closes some loop.
        while let Some(list) = next.get_mut(&at) {
            let to = list.pop()?;
            if list.is_empty() {
                next.remove(&at);
            }
            if to == start {
                break;
            }
            found.push(to);
            at = to;
        }
        loops.push(found);
    }
    Some(loops)
}
