//! Regions with their rest shapes.

use super::{RegionTables, Rings};
use glam::{DMat3, DVec3, Vec3};
use serde::{Deserialize, Serialize};
use sinew_geometry::simd::{BLOCK_LANES, Lanes};
use sinew_geometry::symmetric_eigen;

/// What regions are made of.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RegionMaterial {
    /// Square of the speed of sound, E / ρ: Young's modulus over density, m²/s². With it, stiffness depends neither on the size of
    /// regions nor on their number: a region of mean radius ℓ that is stretched by ε pulls its members back by (E / ρ) ε / ℓ.
    pub square_speed: f32,
    /// How many times stiffer the material is against a change of volume than against one of shape: 3 λ / E with Lamé's λ. 0 for
    /// one that does not care (Poisson's ratio 0), 13 for one of Poisson's ratio 0.45, 50 for flesh. The higher, the more
    /// iterations are needed.
    pub bulk: f32,
}

impl Default for RegionMaterial {
    /// Soft rubber: 500 m²/s² is half a megapascal at the density of water.
    fn default() -> Self {
        Self { square_speed: 500.0, bulk: 0.0 }
    }
}

/// How much of the stiffness holds what is not linear within a region, from 0 to 1. At 1, as in \[Koyama13\], coarse regions are too
/// stiff in bending, by a third where a bar is four cells thick; at 0 nothing holds motions that change no region's linear map.
const BOUND_SHARE: f32 = 0.05;

/// Regions of particles with their rest shapes.
#[derive(Clone, Debug)]
pub struct Regions {
    pub(crate) tables: RegionTables,
    rest: Vec<DVec3>,
    masses: Vec<f64>,
    pub(crate) most_extra_m: f32,
}

/// Chebyshev's weights add at most this share of the mean thickness of regions to an iteration. Far from rest errors may grow a little
/// before they shrink, and the weights turn a little into an explosion: without a limit, 1 in 1,000 scrambled bodies rings for ever, and
/// of bodies of bulk 50 one in ten. When larger, some still do (1 in 60 of bulk 50 at 0.6); when smaller, blows are met more softly.
const MOST_EXTRA: f64 = 0.25;

/// Directions with less than this share of a region's spread are flat: nothing is learnt about them.
const FLAT: f64 = 1e-2;

impl Regions {
    /// Regions of particles at rest.
    ///
    /// - `rest`: one per particle, model space, meters.
    /// - `masses`: one per particle, kilograms.
    /// - `members`: a list per region.
    /// - `material`: of each region.
    ///
    /// # Degenerate input
    /// A region of one particle, or whose particles are all at one place, wants nothing. A flat or straight region turns with what it
    /// has, and nothing across.
    ///
    /// # Panics
    /// If a list names a particle that is not there.
    pub fn bind(
        rest: &[Vec3],
        masses: &[f32],
        members: &Rings,
        material: impl Fn(usize) -> RegionMaterial,
    ) -> Self {
        let regions_of = members.inverted(rest.len());
        let counts: Vec<f64> = (0..rest.len()).map(|at| regions_of.list(at).len() as f64).collect();
        let rest: Vec<DVec3> = rest.iter().map(|point| point.as_dvec3()).collect();
        let shared: Vec<f64> =
            masses.iter().zip(&counts).map(|(&mass, &count)| f64::from(mass) / count.max(1.0)).collect();
        let block_count = members.len().div_ceil(BLOCK_LANES);
        let mut tables = RegionTables {
            members: members.clone(),
            pairs: Vec::with_capacity(members.member_count()),
            shares: counts
                .iter()
                .map(|&count| if count > 0.0 { (1.0 / count) as f32 } else { 0.0 })
                .collect(),
            regions_of: (regions_of != *members).then_some(regions_of),
            centers: vec![[Lanes::ZERO; 3]; block_count],
            evens: vec![[Lanes::ZERO; 6]; block_count],
            stiffness: vec![Lanes::ZERO; block_count],
            bulk_shares: vec![Lanes::ZERO; block_count],
            bound_share: BOUND_SHARE,
            flats: vec![[Lanes::ZERO; 6]; block_count],
            fibers: Vec::new(),
        };
        let (mut most_bulk, mut thickness_sum) = (0.0f32, 0.0);
        for region in 0..members.len() {
            let shape = Shape::of(members.list(region), &rest, &shared);
            tables.pairs.extend(shape.pairs(members.list(region), &rest, &shared));
            let (block, lane) = (region / BLOCK_LANES, region % BLOCK_LANES);
            for (lanes, value) in tables.centers[block].iter_mut().zip(shape.center.to_array()) {
                lanes.0[lane] = value as f32;
            }
            for (lanes, value) in tables.flats[block].iter_mut().zip(shape.flat()) {
                lanes.0[lane] = value as f32;
            }
            for (lanes, value) in tables.evens[block].iter_mut().zip(shape.even()) {
                lanes.0[lane] = value as f32;
            }
            let material = material(region);
            let bulk = material.bulk.max(0.0);
            tables.stiffness[block].0[lane] = shape.stiffness(material) * (1.0 + bulk);
            tables.bulk_shares[block].0[lane] = bulk / (1.0 + bulk);
            most_bulk = most_bulk.max(bulk);
            thickness_sum += shape.thickness_m();
        }
        if tables.flats.iter().flatten().all(|lanes| *lanes == Lanes::ZERO) {
            tables.flats.clear();
        }
        if most_bulk == 0.0 {
            tables.bulk_shares.clear();
        }
        // Of the stiffness that keeps the shape.
        tables.bound_share /= 1.0 + most_bulk;
        let most_extra_m = if thickness_sum > 0.0 {
            (MOST_EXTRA * thickness_sum / members.len() as f64) as f32
        } else {
            f32::INFINITY
        };
        Self { tables, rest, masses: shared, most_extra_m }
    }

    /// How many regions there are.
    pub fn len(&self) -> usize {
        self.tables.region_count()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many particles the regions were made for.
    pub fn particle_count(&self) -> usize {
        self.rest.len()
    }

    /// Mass of each region, kilograms: its share of its members'.
    pub(crate) fn masses(&self) -> Vec<f64> {
        let of =
            |region: usize| self.tables.members.list(region).iter().map(|&at| self.masses[at as usize]).sum();
        (0..self.len()).map(of).collect()
    }

    /// The stiffest region's k, 1/s².
    pub fn most_stiffness(&self) -> f32 {
        self.tables.stiffness.iter().flat_map(|lanes| lanes.0).fold(0.0, f32::max)
    }

    /// The linear map that takes each region's rest shape to `points`, nearest in the sense of least squares (A_r of \[Koyama13\]
    /// Eq. 1).
    pub fn linear_maps(&self, points: &[Vec3]) -> Vec<DMat3> {
        (0..self.len())
            .map(|region| {
                let list = self.tables.members.list(region);
                let shape = Shape::of(list, &self.rest, &self.masses);
                shape.map_to(list, &self.rest, &self.masses, points)
            })
            .collect()
    }

    /// The linear maps of the rest shape: the identity, but for directions in which a region is flat.
    pub(crate) fn rest_maps(&self) -> Vec<DMat3> {
        self.linear_maps(&self.rest.iter().map(|point| point.as_vec3()).collect::<Vec<_>>())
    }
}

/// A region's rest shape.
struct Shape {
    mass: f64,
    center: DVec3,
    /// The inverse of Σ m̃ q qᵀ, without flat directions.
    inverse: DMat3,
    /// The projection on flat directions.
    flat: DMat3,
    /// The smallest eigenvalue of Σ m̃ q qᵀ, without flat directions.
    thinnest: f64,
}

impl Shape {
    fn of(members: &[u32], rest: &[DVec3], masses: &[f64]) -> Self {
        let of = |member: &u32| (rest[*member as usize], masses[*member as usize]);
        let mass: f64 = members.iter().map(|member| of(member).1).sum();
        let weighted: DVec3 = members.iter().map(|member| of(member).0 * of(member).1).sum();
        let center = if mass > 0.0 { weighted / mass } else { DVec3::ZERO };
        let mut moment = DMat3::ZERO;
        for (point, mass) in members.iter().map(of) {
            let q = point - center;
            moment += DMat3::from_cols(q * q.x, q * q.y, q * q.z) * mass;
        }
        let (axes, sizes) = symmetric_eigen(&moment);
        let largest = sizes.max_element();
        let is_flat = |size: f64| size <= FLAT * largest || largest < 1e-30;
        let invert = |size: f64| if is_flat(size) { 0.0 } else { 1.0 / size };
        let inverses = DVec3::new(invert(sizes.x), invert(sizes.y), invert(sizes.z));
        let inverse = axes * DMat3::from_diagonal(inverses) * axes.transpose();
        let flats = DVec3::select(inverses.cmpeq(DVec3::ZERO), DVec3::ONE, DVec3::ZERO);
        let flat = axes * DMat3::from_diagonal(flats) * axes.transpose();
        let thinnest = if inverses == DVec3::ZERO { 0.0 } else { 1.0 / inverses.max_element() };
        Self { mass, center, inverse, flat, thinnest }
    }

    fn pairs(&self, members: &[u32], rest: &[DVec3], masses: &[f64]) -> Vec<[f32; 4]> {
        let pair = |&member: &u32| {
            let (point, mass) = (rest[member as usize], masses[member as usize]);
            let b = self.inverse * (point - self.center) * mass;
            let share = if self.mass > 0.0 { mass / self.mass } else { 0.0 };
            [b.x as f32, b.y as f32, b.z as f32, share as f32]
        };
        members.iter().map(pair).collect()
    }

    fn map_to(&self, members: &[u32], rest: &[DVec3], masses: &[f64], points: &[Vec3]) -> DMat3 {
        let mut spread = DMat3::ZERO;
        for &member in members {
            let q = rest[member as usize] - self.center;
            let p = points[member as usize].as_dvec3() * masses[member as usize];
            spread += DMat3::from_cols(p * q.x, p * q.y, p * q.z);
        }
        spread * self.inverse
    }

    /// The inverse of the moment, scaled to 1 along the thinnest axis, by xx, yy, zz, xy, xz, yz.
    fn even(&self) -> [f64; 6] {
        entries(&(self.inverse * self.thinnest))
    }

    /// The projection on flat directions, by xx, yy, zz, xy, xz, yz.
    fn flat(&self) -> [f64; 6] {
        entries(&self.flat)
    }

    /// Root of the mean square of distances from the center along the thinnest axis.
    fn thickness_m(&self) -> f64 {
        if self.mass > 0.0 { (self.thinnest / self.mass).sqrt() } else { 0.0 }
    }

    /// k = (E / ρ) Σ m̃ / λ, with λ the smallest eigenvalue of Σ m̃ q qᵀ. With [`Shape::even`], the energy of a small strain ε is then
    /// ½ E |ε|² per volume.
    fn stiffness(&self, material: RegionMaterial) -> f32 {
        let square = self.thinnest / self.mass;
        if square > 1e-18 { (f64::from(material.square_speed) / square).min(1e12) as f32 } else { 0.0 }
    }
}

/// A symmetric matrix by xx, yy, zz, xy, xz, yz.
fn entries(m: &DMat3) -> [f64; 6] {
    [m.x_axis.x, m.y_axis.y, m.z_axis.z, m.x_axis.y, m.x_axis.z, m.y_axis.z]
}
