//! The shape in which regions with blended stretches are content.
//!
//! Minimizes Σ m |F_r − R_r S̃_r|² + s Σ m̃ |x − c_r − F_r q|² over places and rotations, as a body at rest does: turn by turn the best rotations
//! for the places and the best places for the rotations, the latter by one factor for all blends. The first rotations come from the
//! examples: between neighboring regions each example turns by a little, those turns are blended, and are added up from a root.
//! A bar bent by more than a circle thus begins bent, not cut off at half a turn.

use super::band::BandFactor;
use crate::regions::Regions;
use glam::{DMat3, DQuat, DVec3, Vec3};
use sinew_geometry::nearest_rotation;

/// Share s of what is not linear within a region; that of bodies.
const BOUND_SHARE: f64 = 0.05;

/// Turns of rotations and places. The first rotations are right but for what blends of several examples do not agree on; what is left
/// after these moves no place by a hundredth of an edge on bars of 24 cells.
const ROUNDS: usize = 8;

/// Examples and equations of a body.
pub(super) struct Rebuilder {
    rest: Vec<DVec3>,
    /// Members with their b, and the mass, of each region.
    regions: Vec<Region>,
    /// Of each example: stretches and rotations of regions.
    examples: Vec<Vec<(DMat3, DQuat)>>,
    /// Regions in the order in which turns are added up, each with the one that it is reached from; roots have themselves.
    order: Vec<(usize, usize)>,
    factor: BandFactor,
    /// Weight that holds the whole in place.
    pin: f64,
}

struct Region {
    members: Vec<(u32, DVec3)>,
    mass: f64,
}

impl Rebuilder {
    pub(super) fn new(rest: &[Vec3], regions: &Regions, shapes: &[Vec<Vec3>]) -> Self {
        let rest: Vec<DVec3> = rest.iter().map(|point| point.as_dvec3()).collect();
        let masses = regions.masses();
        let mut list = Vec::with_capacity(regions.len());
        let mut entries = Vec::new();
        let mut links: Vec<Vec<u32>> = vec![Vec::new(); rest.len()];
        for (region, &mass) in masses.iter().enumerate() {
            let Some((members, pairs)) = regions.tables.members(region) else { continue };
            let slope = |pair: &[f32; 4]| DVec3::new(pair[0].into(), pair[1].into(), pair[2].into());
            let center: DVec3 =
                members.iter().zip(pairs).map(|(&at, pair)| rest[at as usize] * f64::from(pair[3])).sum();
            for (&row, a) in members.iter().zip(pairs) {
                links[row as usize].extend(members.iter().filter(|&&other| other != row));
                for (&column, b) in members.iter().zip(pairs) {
                    entries.push((row, column, mass * slope(a).dot(slope(b))));
                }
            }
            // x_i − Σ (w + b · q_i) x of each member, with its share of the mass, per square of the region's size.
            let size: f64 = members
                .iter()
                .zip(pairs)
                .map(|(&at, pair)| f64::from(pair[3]) * rest[at as usize].distance_squared(center))
                .sum::<f64>()
                .max(1e-30);
            for (&own, pair) in members.iter().zip(pairs) {
                let q = rest[own as usize] - center;
                let part = |at: usize| {
                    let other = &pairs[at];
                    let is_own = if members[at] == own { 1.0 } else { 0.0 };
                    is_own - f64::from(other[3]) - slope(other).dot(q)
                };
                let weight = 3.0 * BOUND_SHARE * mass * f64::from(pair[3]) / size;
                for row in 0..members.len() {
                    for column in 0..members.len() {
                        entries.push((members[row], members[column], weight * part(row) * part(column)));
                    }
                }
            }
            let members = members.iter().zip(pairs).map(|(&at, pair)| (at, slope(pair))).collect();
            list.push(Region { members, mass });
        }
        for list in &mut links {
            list.sort_unstable();
            list.dedup();
        }
        let largest = entries.iter().map(|entry| entry.2).fold(0.0, f64::max).max(1e-30);
        let pin = 1e-7 * largest;
        entries.extend((0..rest.len() as u32).map(|at| (at, at, pin)));
        let of_example = |shape: &Vec<Vec3>| {
            let of_map = |map: DMat3| {
                let rotation = nearest_rotation(&map);
                (rotation.transpose() * map, DQuat::from_mat3(&rotation))
            };
            regions.linear_maps(shape).into_iter().map(of_map).collect()
        };
        let examples = shapes.iter().map(of_example).collect();
        let factor = BandFactor::new(&links, &entries);
        let order = spread(&list, rest.len());
        Self { rest, regions: list, examples, order, factor, pin }
    }

    /// The shape of a blend.
    pub(super) fn shape(&self, weights: &[(usize, f32)]) -> Vec<Vec3> {
        let mut rotations = self.first_rotations(weights);
        let targets: Vec<DMat3> =
            (0..self.regions.len()).map(|region| self.stretch(region, weights)).collect();
        let mut places = self.places(&rotations, &targets, &self.rest);
        for _ in 0..ROUNDS {
            for (region, rotation) in rotations.iter_mut().enumerate() {
                // The rotation nearest to F S̃, as in the passes of a step.
                *rotation = nearest_rotation(&(self.map(region, &places) * targets[region]));
            }
            places = self.places(&rotations, &targets, &places);
        }
        places.iter().map(|place| place.as_vec3()).collect()
    }

    fn stretch(&self, region: usize, weights: &[(usize, f32)]) -> DMat3 {
        let term = |&(example, weight): &(usize, f32)| {
            (self.examples[example][region].0 - DMat3::IDENTITY) * f64::from(weight)
        };
        weights.iter().map(term).fold(DMat3::IDENTITY, |sum, term| sum + term)
    }

    /// From the root outward: R_s = R_r exp Σ w log(R_rᵀ R_s).
    fn first_rotations(&self, weights: &[(usize, f32)]) -> Vec<DMat3> {
        let mut turns = vec![DQuat::IDENTITY; self.regions.len()];
        for &(region, from) in &self.order {
            let log = |&(example, weight): &(usize, f32)| {
                let of = &self.examples[example];
                // A root turns by all that the example turns it by.
                let before = if region == from { DQuat::IDENTITY } else { of[from].1 };
                let turn = before.conjugate() * of[region].1;
                // The shorter way round: both signs are the same turn.
                let turn = if turn.w < 0.0 { -turn } else { turn };
                turn.to_scaled_axis() * f64::from(weight)
            };
            let sum: DVec3 = weights.iter().map(log).sum();
            let before = if region == from { DQuat::IDENTITY } else { turns[from] };
            turns[region] = (before * DQuat::from_scaled_axis(sum)).normalize();
        }
        turns.iter().map(|turn| DMat3::from_quat(*turn)).collect()
    }

    fn map(&self, region: usize, places: &[DVec3]) -> DMat3 {
        let mut map = DMat3::ZERO;
        for (member, b) in &self.regions[region].members {
            let place = places[*member as usize];
            map += DMat3::from_cols(place * b.x, place * b.y, place * b.z);
        }
        map
    }

    fn places(&self, rotations: &[DMat3], targets: &[DMat3], last: &[DVec3]) -> Vec<DVec3> {
        // Where the whole lies does not matter; that it does not wander off does.
        let mut right: Vec<DVec3> = last.iter().map(|place| *place * self.pin).collect();
        for ((region, rotation), target) in self.regions.iter().zip(rotations).zip(targets) {
            let wanted = *rotation * *target * region.mass;
            for (member, b) in &region.members {
                right[*member as usize] += wanted * *b;
            }
        }
        self.factor.solve(&right)
    }
}

/// Regions in an order in which each but the first of a part shares a particle with an earlier one.
fn spread(regions: &[Region], particle_count: usize) -> Vec<(usize, usize)> {
    let mut holders: Vec<Vec<usize>> = vec![Vec::new(); particle_count];
    for (region, of) in regions.iter().enumerate() {
        of.members.iter().for_each(|(member, _)| holders[*member as usize].push(region));
    }
    let mut is_listed = vec![false; regions.len()];
    let mut order: Vec<(usize, usize)> = Vec::with_capacity(regions.len());
    for seed in 0..regions.len() {
        if std::mem::replace(&mut is_listed[seed], true) {
            continue;
        }
        let mut at = order.len();
        order.push((seed, seed));
        while at < order.len() {
            let from = order[at].0;
            for (member, _) in &regions[from].members {
                for &region in &holders[*member as usize] {
                    if !std::mem::replace(&mut is_listed[region], true) {
                        order.push((region, from));
                    }
                }
            }
            at += 1;
        }
    }
    order
}
