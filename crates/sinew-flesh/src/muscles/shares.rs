//! How much of each muscle is in each particle, and which way its fibres run there.

use super::muscle_set::MuscleSet;
use glam::Vec3;
use sinew_geometry::smooth_step_between;

/// Points in and round the flesh: those of a tetrahedral cover. Lists of one length.
#[derive(Clone, Copy, Debug)]
pub struct FleshPoints<'a> {
    /// One per point, model space at rest, metres.
    pub positions: &'a [Vec3],
    /// One per point: 0 at the bone, 1 at the skin and outside.
    pub depths: &'a [f32],
    /// One per point, metres: above 0 inside the skin, below 0 outside.
    pub skin_distances_m: &'a [f32],
}

/// Why points have no muscles.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SharesError {
    /// Lists of different lengths.
    #[error(
        "there are {positions} positions, {depths} depths and {skin_distances} distances from the skin; give one of each per point"
    )]
    Lengths {
        /// Positions.
        positions: usize,
        /// Depths.
        depths: usize,
        /// Distances.
        skin_distances: usize,
    },
    /// A number that is none.
    #[error("point {point} has a position, depth or distance from the skin that is no finite number")]
    NotFinite {
        /// Which.
        point: usize,
    },
    /// A blur that is none.
    #[error("the blur is {blur_m} m; use 0 or more")]
    Blur {
        /// As given.
        blur_m: f32,
    },
}

/// A share of a muscle in a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MuscleShare {
    /// Place in [`MuscleSet::muscles`].
    pub muscle: u32,
    /// How much of the point it is, above 0, at most 1.
    pub share: f32,
    /// Its fibre there, from origin to insertion, unit, model space at rest.
    pub fibre: Vec3,
}

/// A direction that fibres should have at a particle, without sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FibreConstraint {
    /// The point.
    pub particle: u32,
    /// Unit, model space at rest.
    pub direction: Vec3,
    /// How much it counts, 0 to 1.
    pub weight: f32,
}

/// Muscles of every point.
///
/// Invariant: shares of a point are above 0 and sum to at most 1; muscles rise within a point.
#[derive(Clone, Debug, PartialEq)]
pub struct MuscleShares {
    /// Where each point's shares begin, and the end of the last.
    starts: Vec<u32>,
    shares: Vec<MuscleShare>,
}

/// Shares below this are none.
const LEAST_SHARE: f32 = 1e-3;
/// Depths between which muscle begins above the bone.
const BONE_EDGE: [f32; 2] = [0.0, 0.12];

impl MuscleShares {
    /// Shares of muscles at points. `blur_m` softens muscles thinner than what points can show: half of the distance between points is
    /// a good choice, 0 is exact.
    ///
    /// # Errors
    /// Lists of different lengths, numbers that are not finite, a negative blur.
    pub fn new(set: &MuscleSet, points: &FleshPoints<'_>, blur_m: f32) -> Result<Self, SharesError> {
        check(points, blur_m)?;
        let mut shares = Self { starts: vec![0], shares: Vec::new() };
        for point in 0..points.positions.len() {
            let first = shares.shares.len();
            shares.add_point(set, points, point, blur_m);
            limit_sum(&mut shares.shares[first..]);
            shares.starts.push(shares.shares.len() as u32);
        }
        Ok(shares)
    }

    /// How many points there are.
    pub fn point_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// The muscles of a point.
    pub fn of(&self, point: usize) -> &[MuscleShare] {
        &self.shares[self.starts[point] as usize..self.starts[point + 1] as usize]
    }

    /// Directions for a fibre field, point by point; shares are the weights.
    pub fn fibre_constraints(&self) -> Vec<FibreConstraint> {
        let of_point = |point: usize| {
            self.of(point).iter().map(move |share| FibreConstraint {
                particle: point as u32,
                direction: share.fibre,
                weight: share.share,
            })
        };
        (0..self.point_count()).flat_map(of_point).collect()
    }

    fn add_point(&mut self, set: &MuscleSet, points: &FleshPoints<'_>, point: usize, blur_m: f32) {
        let position = points.positions[point];
        let outside_m = (-points.skin_distances_m[point]).max(0.0);
        let above_bone = smooth_step_between(BONE_EDGE[0], BONE_EDGE[1], points.depths[point]);
        for (muscle, of) in set.muscles().iter().enumerate() {
            let (mut share, mut fibre) = (0.0_f32, Vec3::ZERO);
            for strip in &of.strips {
                let at = strip.at(position, outside_m, blur_m);
                share = share.max(at.share);
                // All strips of a muscle run from origin to insertion, so that directions can be added.
                fibre += at.fibre * at.share;
            }
            share *= above_bone;
            let Some(fibre) = fibre.try_normalize().filter(|_| share >= LEAST_SHARE) else { continue };
            self.shares.push(MuscleShare { muscle: muscle as u32, share, fibre });
        }
    }
}

fn limit_sum(shares: &mut [MuscleShare]) {
    let sum: f32 = shares.iter().map(|share| share.share).sum();
    if sum > 1.0 {
        shares.iter_mut().for_each(|share| share.share /= sum);
    }
}

fn check(points: &FleshPoints<'_>, blur_m: f32) -> Result<(), SharesError> {
    let (positions, depths) = (points.positions.len(), points.depths.len());
    let skin_distances = points.skin_distances_m.len();
    if positions != depths || positions != skin_distances {
        return Err(SharesError::Lengths { positions, depths, skin_distances });
    }
    if !(blur_m >= 0.0 && blur_m.is_finite()) {
        return Err(SharesError::Blur { blur_m });
    }
    let is_finite = |point: usize| {
        points.positions[point].is_finite()
            && points.depths[point].is_finite()
            && points.skin_distances_m[point].is_finite()
    };
    match (0..positions).find(|&point| !is_finite(point)) {
        Some(point) => Err(SharesError::NotFinite { point }),
        None => Ok(()),
    }
}
