//! A character cut into neighborhoods of joints, so that each can be sampled and fitted alone.
//!
//! What a joint does to the skin ends a little way off. Poses that bend a joint and its neighbors are enough for the vertices there: the
//! number of poses then grows with the number of joints and not with its power.

use crate::{DriverBinds, JointRange, joint_ranges};
use glam::{DVec3, Vec3};
use sinew_rig::{BoneId, BoundSurface, Character, HumanoidMap};
use std::collections::BTreeMap;

/// Bones with less than this share of a region's weight are none of its drivers.
const LEAST_WEIGHT: f64 = 0.005;
/// Joints that part a region's weights less than this share of the one that parts them most are bent, but not seen by controllers.
const LEAST_SPLIT: f64 = 0.05;

/// The skin round one joint.
#[derive(Clone, Debug)]
pub struct Region {
    /// Its joint, which is that of this bone in its parent.
    pub joint: BoneId,
    /// Vertices of the surface, ascending. No vertex is in two regions.
    pub vertices: Vec<u32>,
    /// Places in [`DriverBinds::bones`], ascending.
    pub drivers: Vec<usize>,
    /// Joints that move drivers against each other.
    pub joints: Vec<JointRange>,
    /// Whether controllers see the joint; one per joint.
    pub is_seen: Vec<bool>,
    /// Joints whose regions these are: 1, or 2 where both sides are joined.
    pub side_count: usize,
}

impl Region {
    /// Freedoms of all joints together.
    pub fn freedom_count(&self) -> usize {
        self.joints.iter().map(|joint| joint.freedoms.len()).sum()
    }

    fn join(&mut self, other: Self) {
        self.side_count += other.side_count;
        self.vertices.extend(other.vertices);
        self.vertices.sort_unstable();
        self.drivers.extend(other.drivers);
        self.drivers.sort_unstable();
        self.drivers.dedup();
        for (joint, is_seen) in other.joints.into_iter().zip(other.is_seen) {
            match self.joints.iter().position(|own| own.bone == joint.bone) {
                Some(at) => self.is_seen[at] |= is_seen,
                None => {
                    self.joints.push(joint);
                    self.is_seen.push(is_seen);
                }
            }
        }
    }
}

/// Cuts a character into regions. `is_wanted`: joints whose regions are kept; the vertices of others are left as they are.
pub fn regions(
    character: &Character,
    bound: &BoundSurface,
    drivers: &DriverBinds,
    map: Option<&HumanoidMap>,
    is_wanted: &dyn Fn(BoneId) -> bool,
) -> Vec<Region> {
    let tree = Tree::new(character, bound, drivers);
    let ranges = joint_ranges(character, map, drivers.bones());
    let mut by_joint: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for &vertex in drivers.vertices() {
        if let Some(joint) = tree.joint_of(vertex) {
            by_joint.entry(joint).or_default().push(vertex);
        }
    }
    let region = |(joint, vertices): (usize, Vec<u32>)| tree.region(joint, vertices, &ranges);
    let wanted = by_joint.into_iter().filter(|(joint, _)| is_wanted(drivers.bones()[*joint]));
    wanted.map(region).filter(|region| region.freedom_count() > 0).collect()
}

/// Joins regions into one.
///
/// # Panics
/// If there are none.
pub(crate) fn join_all(regions: Vec<Region>) -> Region {
    let joined = regions.into_iter().reduce(|mut all, region| {
        all.join(region);
        all
    });
    joined.expect("at least one region")
}

/// Joins the regions of mirrored joints, so that both sides can be fitted alike. Regions in the middle, and those without the other side,
/// stay as they are.
pub fn join_mirrored(regions: Vec<Region>, drivers: &DriverBinds) -> Vec<Region> {
    let heads = drivers.heads();
    let size = heads.iter().map(|head| head.length()).fold(0.0, f64::max);
    let head = |region: &Region| {
        let at = drivers.bones().iter().position(|bone| *bone == region.joint);
        at.map_or(DVec3::ZERO, |at| heads[at])
    };
    let mut joined: Vec<Region> = Vec::new();
    for region in regions {
        let image = head(&region) * DVec3::new(-1.0, 1.0, 1.0);
        let is_partner = |other: &&mut Region| head(other).distance(image) < SAME_PLACE * size;
        match joined.iter_mut().find(is_partner) {
            Some(partner) => partner.join(region),
            None => joined.push(region),
        }
    }
    joined
}

/// Joints nearer to a mirror image than this fraction of the skeleton's size are it.
const SAME_PLACE: f64 = 1e-3;

struct Tree<'a> {
    bound: &'a BoundSurface,
    drivers: &'a DriverBinds,
    /// Of each driver: itself and all drivers above it.
    lines: Vec<Vec<usize>>,
    children: Vec<Vec<usize>>,
    /// Where each driver begins, rest space.
    heads: Vec<Vec3>,
}

impl<'a> Tree<'a> {
    fn new(character: &Character, bound: &'a BoundSurface, drivers: &'a DriverBinds) -> Self {
        let bones = drivers.bones();
        let line = |&bone: &BoneId| {
            let up = character.skeleton().upwards(bone);
            up.filter_map(|bone| bones.iter().position(|other| *other == bone)).collect::<Vec<usize>>()
        };
        let lines: Vec<Vec<usize>> = bones.iter().map(line).collect();
        let mut children = vec![Vec::new(); bones.len()];
        for line in &lines {
            if let [child, parent, ..] = line[..] {
                children[parent].push(child);
            }
        }
        let heads = drivers.heads().iter().map(|head| head.as_vec3()).collect();
        Self { bound, drivers, lines, children, heads }
    }

    /// How much of a vertex's weight each joint moves, for joints that part it.
    fn parts(&self, vertex: u32) -> Vec<(usize, f64)> {
        let mut moved: BTreeMap<usize, f64> = BTreeMap::new();
        for (driver, weight) in self.drivers.influences(self.bound, vertex) {
            self.lines[driver].iter().for_each(|&joint| *moved.entry(joint).or_default() += weight);
        }
        moved.into_iter().map(|(joint, share)| (joint, share * (1.0 - share).max(0.0))).collect()
    }

    /// The joint that parts a vertex's weights most; of a vertex on one bone, that bone's nearer end.
    fn joint_of(&self, vertex: u32) -> Option<usize> {
        let parts = self.parts(vertex);
        let most = parts.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))?;
        if most.1 > 1e-4 {
            return Some(most.0);
        }
        let heaviest = self.drivers.influences(self.bound, vertex).max_by(|a, b| a.1.total_cmp(&b.1))?.0;
        let place = self.drivers.rest_positions()[vertex as usize];
        let ends = [heaviest].into_iter().chain(self.children[heaviest].iter().copied());
        ends.min_by(|&a, &b| self.heads[a].distance(place).total_cmp(&self.heads[b].distance(place)))
    }

    fn region(&self, joint: usize, vertices: Vec<u32>, ranges: &[JointRange]) -> Region {
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        let mut splits: BTreeMap<usize, f64> = BTreeMap::new();
        for &vertex in &vertices {
            for (driver, weight) in self.drivers.influences(self.bound, vertex) {
                *weights.entry(driver).or_default() += weight;
            }
            self.parts(vertex)
                .into_iter()
                .for_each(|(joint, split)| *splits.entry(joint).or_default() += split);
        }
        let least = LEAST_WEIGHT * vertices.len() as f64;
        let is_driver = |driver: usize, weight: f64| weight >= least || driver == joint;
        let mut kept: Vec<usize> = weights
            .iter()
            .filter(|&(&driver, &weight)| is_driver(driver, weight))
            .map(|(&at, _)| at)
            .collect();
        // Both sides of its joint belong to a region, also where all weight is on one.
        kept.extend(self.lines[joint].iter().take(2));
        kept.sort_unstable();
        kept.dedup();
        let below = |at: usize| kept.iter().filter(|&&driver| self.lines[driver].contains(&at)).count();
        let bent: Vec<usize> = (0..self.lines.len())
            .filter(|&at| at == joint || (1..kept.len()).contains(&below(at)))
            .filter(|&at| !ranges[at].freedoms.is_empty())
            .collect();
        let split = |at: usize| splits.get(&at).copied().unwrap_or(0.0);
        let most = bent.iter().map(|&at| split(at)).fold(0.0, f64::max);
        Region {
            joint: self.drivers.bones()[joint],
            vertices,
            drivers: kept,
            is_seen: bent.iter().map(|&at| at == joint || split(at) >= LEAST_SPLIT * most).collect(),
            joints: bent.iter().map(|&at| ranges[at].clone()).collect(),
            side_count: 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_rig::{guess_humanoid, samples};

    #[test]
    fn a_figure_falls_into_regions_with_few_freedoms() {
        let figure = samples::figure();
        let bound = BoundSurface::of(&figure);
        let drivers = DriverBinds::all(&figure).unwrap();
        let map = guess_humanoid(&figure);
        let all = regions(&figure, &bound, &drivers, Some(&map), &|_| true);
        let mut taken: Vec<u32> = all.iter().flat_map(|region| region.vertices.iter().copied()).collect();
        let count = taken.len();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), count, "no vertex is in two regions");
        for region in &all {
            let name = &figure.skeleton().bone(region.joint).name;
            assert!(region.drivers.len() >= 2, "{name}: {:?}", region.drivers);
            assert!(region.freedom_count() <= 16, "{name}: {}", region.freedom_count());
        }
        let elbow = map.get(sinew_rig::HumanoidBone::LeftLowerArm).unwrap();
        let alone = regions(&figure, &bound, &drivers, Some(&map), &|bone| bone == elbow);
        assert_eq!((alone.len(), alone[0].joint), (1, elbow));
    }
}
