//! A character cut into neighborhoods of joints, so that each can be sampled and fitted alone.
//!
//! What a joint does to the skin ends a little way off. Poses that bend a joint and its neighbors are enough for the vertices there: the
//! number of poses then grows with the number of joints and not with its power.

use crate::{DriverBinds, JointRange, Symmetry, joint_ranges};
use glam::Vec3;
use sinew_fit::DriverInput;
use sinew_rig::{BoneId, BoundSurface, Character, HumanoidMap};
use std::collections::BTreeMap;

/// Bones with less than this share of a region's weight, and no more than [`LEAST_SHARE`] of any vertex, are none of its drivers.
const LEAST_WEIGHT: f64 = 0.005;
/// A bone that has this share of any vertex is a driver of its region, however few such vertices there are: a chest whose fit does not know the arm goes
/// astray at the armpit when the arm hangs, three times as far in a walk as the bones alone.
const LEAST_SHARE: f64 = 0.01;
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
    /// The region in [`Regions::list`] whose mirror image this is.
    pub mirror_of: Option<usize>,
    /// Whether it is its own mirror image.
    pub is_middle: bool,
}

/// A character cut into regions.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// No vertex is in two of them.
    pub list: Vec<Region>,
    /// What controllers may see of each driver, by its joint's range.
    pub inputs: Vec<DriverInput>,
    /// Where one side is fitted and mirrored.
    pub symmetry: Option<Symmetry>,
}

impl Regions {
    /// Vertices of all regions, ascending.
    pub fn vertices(&self) -> Vec<u32> {
        let mut vertices: Vec<u32> =
            self.list.iter().flat_map(|region| region.vertices.iter().copied()).collect();
        vertices.sort_unstable();
        vertices
    }

    /// Regions that are fitted themselves, with their places.
    pub(crate) fn own(&self) -> impl Iterator<Item = (usize, &Region)> {
        self.list.iter().enumerate().filter(|(_, region)| region.mirror_of.is_none())
    }
}

impl Region {
    /// Freedoms of all joints together.
    pub fn freedom_count(&self) -> usize {
        self.joints.iter().map(|joint| joint.freedoms.len()).sum()
    }

    /// What controllers see of each of its drivers. `inputs`: of all drivers.
    pub(crate) fn seen(&self, drivers: &DriverBinds, inputs: &[DriverInput]) -> Vec<DriverInput> {
        let of = |&driver: &usize| {
            let mut joints = self.joints.iter().zip(&self.is_seen);
            let is_seen = joints.any(|(joint, is_seen)| *is_seen && joint.bone == drivers.bones()[driver]);
            if is_seen { inputs[driver] } else { DriverInput::None }
        };
        self.drivers.iter().map(of).collect()
    }

    fn join(&mut self, other: Self) {
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

/// Cuts a character into regions. `is_wanted`: joints whose regions are kept; `is_free`: vertices that belong to any. The other vertices are left as
/// they are; with a symmetry it counts for both of a pair.
pub fn regions(
    character: &Character,
    bound: &BoundSurface,
    drivers: &DriverBinds,
    map: Option<&HumanoidMap>,
    symmetry: Option<Symmetry>,
    is_wanted: &dyn Fn(BoneId) -> bool,
    is_free: &dyn Fn(u32) -> bool,
) -> Regions {
    let tree = Tree::new(character, bound, drivers);
    let ranges = joint_ranges(character, map, drivers.bones());
    let inputs: Vec<DriverInput> = ranges.iter().map(JointRange::input).collect();
    let is_wanted = |joint: usize| is_wanted(drivers.bones()[joint]);
    let by_joint = |joints: Vec<(u32, usize)>| {
        let mut by_joint: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        joints.into_iter().for_each(|(vertex, joint)| by_joint.entry(joint).or_default().push(vertex));
        by_joint.into_iter().filter(|(joint, _)| is_wanted(*joint))
    };
    let of_vertices = |joint: &dyn Fn(u32) -> Option<usize>| {
        let free = drivers.vertices().iter().copied().filter(|&vertex| is_free(vertex));
        by_joint(free.filter_map(|vertex| Some((vertex, joint(vertex)?))).collect())
    };
    let mut list: Vec<Region> = Vec::new();
    // Where only one side is wanted, there is nothing to mirror.
    let is_even = |symmetry: &Symmetry| {
        (0..drivers.bones().len()).all(|joint| is_wanted(joint) == is_wanted(symmetry.driver(joint)))
    };
    let Some(symmetry) = symmetry.filter(is_even) else {
        let all = of_vertices(&|vertex| tree.joint_of(vertex))
            .map(|(joint, vertices)| tree.region(joint, vertices, &ranges));
        list.extend(all.filter(|region| region.freedom_count() > 0));
        return Regions { list, inputs, symmetry: None };
    };
    let first_joint =
        |vertex: u32| tree.first_joint(vertex, &symmetry).filter(|_| is_free(symmetry.vertex(vertex)));
    for (joint, vertices) in of_vertices(&first_joint) {
        let region = tree.region(joint, vertices, &ranges);
        if symmetry.driver(joint) == joint {
            list.extend(
                Some(tree.middle(region, &symmetry, &ranges)).filter(|region| region.freedom_count() > 0),
            );
            continue;
        }
        if region.freedom_count() == 0 {
            continue;
        }
        let image = Region { mirror_of: Some(list.len()), ..tree.image(joint, &region, &symmetry, &ranges) };
        list.extend([region, image]);
    }
    Regions { list, inputs: symmetry.inputs(&inputs), symmetry: Some(symmetry) }
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

    /// The joint that a vertex belongs to on the side that is fitted; `None` for vertices that follow their partner. Both of a pair belong to
    /// mirrored joints, and vertices in the middle to a joint in the middle.
    fn first_joint(&self, vertex: u32, symmetry: &Symmetry) -> Option<usize> {
        let partner = symmetry.vertex(vertex);
        if partner == vertex {
            let is_middle = |joint: &usize| symmetry.driver(*joint) == *joint;
            return self.lines[self.joint_of(vertex)?].iter().copied().find(is_middle);
        }
        let decided = match symmetry.is_first(vertex) {
            true => self.joint_of(vertex)?,
            false => symmetry.driver(self.joint_of(partner)?),
        };
        // Of two joints the first is fitted.
        (decided <= symmetry.driver(decided)).then_some(decided)
    }

    /// The mirror image of a region.
    fn image(&self, joint: usize, region: &Region, symmetry: &Symmetry, ranges: &[JointRange]) -> Region {
        let bones = self.drivers.bones();
        let mut vertices: Vec<u32> = region.vertices.iter().map(|&vertex| symmetry.vertex(vertex)).collect();
        vertices.sort_unstable();
        let mut drivers: Vec<usize> = region.drivers.iter().map(|&driver| symmetry.driver(driver)).collect();
        drivers.sort_unstable();
        let range = |range: &JointRange| {
            let at = bones.iter().position(|bone| *bone == range.bone);
            ranges[at.map_or(joint, |at| symmetry.driver(at))].clone()
        };
        Region {
            joint: bones[symmetry.driver(joint)],
            vertices,
            drivers,
            joints: region.joints.iter().map(range).collect(),
            is_seen: region.is_seen.clone(),
            mirror_of: None,
            is_middle: false,
        }
    }

    /// A region in the middle with the partners of all its drivers and joints.
    fn middle(&self, mut region: Region, symmetry: &Symmetry, ranges: &[JointRange]) -> Region {
        let bones = self.drivers.bones();
        region.drivers.extend(region.drivers.clone().iter().map(|&driver| symmetry.driver(driver)));
        region.drivers.sort_unstable();
        region.drivers.dedup();
        for at in 0..region.joints.len() {
            let own = bones.iter().position(|bone| *bone == region.joints[at].bone);
            let Some(partner) = own.map(|own| symmetry.driver(own)) else { continue };
            match region.joints.iter().position(|joint| joint.bone == bones[partner]) {
                Some(other) => {
                    let is_seen = region.is_seen[at] || region.is_seen[other];
                    (region.is_seen[at], region.is_seen[other]) = (is_seen, is_seen);
                }
                None => {
                    region.joints.push(ranges[partner].clone());
                    region.is_seen.push(region.is_seen[at]);
                }
            }
        }
        region.is_middle = true;
        region
    }

    fn region(&self, joint: usize, vertices: Vec<u32>, ranges: &[JointRange]) -> Region {
        let mut weights: BTreeMap<usize, f64> = BTreeMap::new();
        let mut largest: BTreeMap<usize, f64> = BTreeMap::new();
        let mut splits: BTreeMap<usize, f64> = BTreeMap::new();
        for &vertex in &vertices {
            for (driver, weight) in self.drivers.influences(self.bound, vertex) {
                *weights.entry(driver).or_default() += weight;
                let most = largest.entry(driver).or_default();
                *most = weight.max(*most);
            }
            self.parts(vertex)
                .into_iter()
                .for_each(|(joint, split)| *splits.entry(joint).or_default() += split);
        }
        let least = LEAST_WEIGHT * vertices.len() as f64;
        let is_driver = |driver: usize, weight: f64| {
            weight >= least || largest[&driver] >= LEAST_SHARE || driver == joint
        };
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
            mirror_of: None,
            is_middle: false,
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
        let all = regions(&figure, &bound, &drivers, Some(&map), None, &|_| true, &|_| true).list;
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
        let alone =
            regions(&figure, &bound, &drivers, Some(&map), None, &|bone| bone == elbow, &|_| true).list;
        assert_eq!((alone.len(), alone[0].joint), (1, elbow));
    }

    /// Upper arms had 0.4 % of a chest's weight, but 9 % of vertices at the armpit; its helpers were refused, because an arm that hung tore these away.
    #[test]
    fn every_bone_that_moves_a_vertex_by_more_than_a_little_is_a_driver_of_its_region() {
        let figure = samples::figure();
        let map = guess_humanoid(&figure);
        let mut parts = figure.into_parts();
        let joint_of = |human: sinew_rig::HumanoidBone| {
            let bone = map.get(human).expect("a bone of the figure");
            let bound = parts.binds[0].joints.iter().position(|joint| *joint == bone);
            (bone, bound.expect("it moves skin"))
        };
        let (arm, arm_joint) = joint_of(sinew_rig::HumanoidBone::LeftLowerArm);
        let (_, knee_joint) = joint_of(sinew_rig::HumanoidBone::LeftLowerLeg);
        // Two vertices of a leg are moved by an arm a little: far less than a share of the region's weight that counts.
        let influences = &parts.meshes[0].influences;
        let count = parts.meshes[0].positions.len();
        let mut builder = sinew_rig::InfluencesBuilder::with_capacity(count, 4 * count);
        let mut changed = Vec::new();
        for vertex in 0..count {
            let mut row: Vec<(u16, f32)> = influences.pairs(vertex).filter(|pair| pair.1 > 0.0).collect();
            if changed.len() < 2 && row.iter().any(|pair| usize::from(pair.0) == knee_joint && pair.1 < 1.0) {
                row.iter_mut().for_each(|pair| pair.1 *= 0.95);
                row.push((arm_joint as u16, 0.05));
                changed.push(vertex as u32);
            }
            builder.push(row);
        }
        parts.meshes[0].influences = builder.build();
        let figure = Character::new(parts).expect("as many weights as before");
        let bound = BoundSurface::of(&figure);
        let drivers = DriverBinds::all(&figure).unwrap();
        let all = regions(&figure, &bound, &drivers, Some(&map), None, &|_| true, &|_| true).list;
        let arm = drivers.bones().iter().position(|bone| *bone == arm).expect("it moves skin");
        let of = |vertex: &u32| all.iter().find(|region| region.vertices.contains(vertex));
        for region in changed.iter().filter_map(of) {
            assert!(region.drivers.contains(&arm), "{:?}", region.drivers);
            let weight = 0.05 * changed.len() as f64;
            assert!(weight < LEAST_WEIGHT * region.vertices.len() as f64, "the region is too small to tell");
        }
        assert_eq!(changed.len(), 2);
    }

    #[test]
    fn regions_of_a_symmetric_figure_are_mirror_images() {
        let figure = samples::figure();
        let bound = BoundSurface::of(&figure);
        let drivers = DriverBinds::all(&figure).unwrap();
        let map = guess_humanoid(&figure);
        let symmetry = Symmetry::find(&bound, &drivers).unwrap();
        let found =
            regions(&figure, &bound, &drivers, Some(&map), Some(symmetry.clone()), &|_| true, &|_| true);
        let plain = regions(&figure, &bound, &drivers, Some(&map), None, &|_| true, &|_| true);
        let count = |regions: &Regions| regions.vertices().len();
        // But those in the middle of a joint that has a partner.
        assert!(count(&found) + 5 > count(&plain), "{} of {}", count(&found), count(&plain));
        for region in &found.list {
            let first = region.mirror_of.map(|at| &found.list[at]);
            let Some(first) = first.or(region.is_middle.then_some(region)) else { continue };
            let mut images: Vec<u32> = first.vertices.iter().map(|&vertex| symmetry.vertex(vertex)).collect();
            images.sort_unstable();
            assert_eq!(region.vertices, images);
        }
    }
}
