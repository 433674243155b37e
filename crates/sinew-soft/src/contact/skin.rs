//! What of a body others touch.

use super::ContactError;
use crate::missing_corner;
use glam::Vec3;
use sinew_geometry::{Bounds, BoxTree, TetMesh};
use std::collections::BTreeMap;

/// The surface of a body, as far as contact needs it. Made once; bodies of one kind can share it.
#[derive(Clone, Debug)]
pub struct Skin {
    pub(crate) tets: Vec<[u32; 4]>,
    /// Counter-clockwise from outside.
    pub(crate) triangles: Vec<[u32; 3]>,
    /// Per triangle, what lies across the edge opposite each corner.
    pub(crate) across: Vec<[Across; 3]>,
    /// Particles that must stay out of others.
    pub(crate) probes: Vec<u32>,
    /// Triangles round each probe, end to end, and where each one's begin.
    round: (Vec<u32>, Vec<u32>),
    /// Triangles round each corner of each triangle that go on about as it does, itself among them, end to end, and where each
    /// corner's begin.
    smooth_round: (Vec<u32>, Vec<u32>),
    /// Sharp edges that stand out.
    pub(crate) ridges: Vec<Ridge>,
    /// Rest places of the body's particles, as far as `tets` and `triangles` name them.
    pub(crate) rest: Vec<Vec3>,
    /// Trees over `triangles`, `tets` and `ridges`, at rest.
    pub(crate) trees: SkinTrees,
    /// Mean length of the triangles' edges, meters.
    pub(crate) edge_m: f32,
    pub(crate) margin_m: f32,
}

/// Where a skin's parts are at some time.
#[derive(Clone, Debug, Default)]
pub(crate) struct SkinTrees {
    pub(crate) triangles: BoxTree,
    pub(crate) tets: BoxTree,
    pub(crate) ridges: BoxTree,
}

/// What lies across a triangle's edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Across {
    /// A triangle that goes on about as this one.
    Smooth(u32),
    /// The surface falls away, or ends.
    Out,
    /// The surface rises.
    In,
}

/// A sharp edge between two triangles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ridge {
    pub(crate) corners: [u32; 2],
    pub(crate) triangles: [u32; 2],
}

/// Neighbors whose normals are farther apart than this, by their dot product (40°), meet in an edge. Less, and round bodies of
/// coarse triangles are full of edges; more, and points glide round corners.
const SMOOTH: f32 = 0.77;

impl Skin {
    /// Of a solid: its surface is the tetrahedra's. Others stay `margin_m` away, meters.
    ///
    /// # Errors
    /// If the margin is negative or not a number.
    pub fn of_tets(mesh: &TetMesh, margin_m: f32) -> Result<Self, ContactError> {
        check_margin(margin_m, 0.0)?;
        Ok(Self::new(mesh.points().to_vec(), mesh.tets().to_vec(), mesh.boundary(), margin_m))
    }

    /// Of a sheet without volume, as of cloth: both sides are outside, and others stay `margin_m` away from it, half its thickness.
    /// Triangles that share an edge must be wound alike.
    ///
    /// # Errors
    /// If a triangle names a particle that `rest` does not have, or the margin is not positive.
    pub fn of_sheet(rest: &[Vec3], triangles: &[[u32; 3]], margin_m: f32) -> Result<Self, ContactError> {
        check_margin(margin_m, f32::MIN_POSITIVE)?;
        let count = rest.len();
        if let Some((triangle, number)) = missing_corner(triangles, count) {
            return Err(ContactError::Corner { triangle, what: "particle", number, count });
        }
        Ok(Self::new(rest.to_vec(), Vec::new(), triangles.to_vec(), margin_m))
    }

    /// Of particles alone, as of a chain: they stay `margin_m` out of others, but nothing stays out of them.
    ///
    /// # Errors
    /// If the margin is negative or not a number.
    pub fn of_particles(particles: &[u32], margin_m: f32) -> Result<Self, ContactError> {
        check_margin(margin_m, 0.0)?;
        let mut skin = Self::new(Vec::new(), Vec::new(), Vec::new(), margin_m);
        skin.probes = particles.to_vec();
        skin.probes.sort_unstable();
        skin.probes.dedup();
        skin.round = (vec![0; skin.probes.len() + 1], Vec::new());
        Ok(skin)
    }

    fn new(rest: Vec<Vec3>, tets: Vec<[u32; 4]>, triangles: Vec<[u32; 3]>, margin_m: f32) -> Self {
        let mut probes = triangles.as_flattened().to_vec();
        probes.sort_unstable();
        probes.dedup();
        let at = |corner: u32| rest[corner as usize];
        let edges = triangles.iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]);
        let length: f32 = edges.map(|(a, b)| at(a).distance(at(b))).sum();
        let edge_m = length / (3 * triangles.len()).max(1) as f32;
        let (across, ridges) = edges_of(&rest, &triangles, !tets.is_empty());
        let box_of = |corners: &[u32]| Bounds::around(corners.iter().map(|&corner| at(corner)));
        let trees = SkinTrees {
            triangles: BoxTree::new(&triangles.iter().map(|corners| box_of(corners)).collect::<Vec<_>>()),
            tets: BoxTree::new(&tets.iter().map(|corners| box_of(corners)).collect::<Vec<_>>()),
            ridges: BoxTree::new(&ridges.iter().map(|ridge| box_of(&ridge.corners)).collect::<Vec<_>>()),
        };
        let round = triangles_round(&probes, &triangles);
        let smooth_round = smooth_round(&rest, &triangles, (&probes, &round), !tets.is_empty());
        Self { tets, triangles, across, probes, round, smooth_round, ridges, rest, trees, edge_m, margin_m }
    }

    /// How far others stay away, meters.
    pub fn margin_m(&self) -> f32 {
        self.margin_m
    }

    /// Triangles round a probe, by its number among the probes.
    pub(crate) fn round(&self, probe: usize) -> &[u32] {
        &self.round.1[self.round.0[probe] as usize..self.round.0[probe + 1] as usize]
    }

    /// Triangles round a corner of a triangle over which the surface is smooth.
    pub(crate) fn smooth_round(&self, triangle: usize, corner: usize) -> &[u32] {
        let at = 3 * triangle + corner;
        &self.smooth_round.1[self.smooth_round.0[at] as usize..self.smooth_round.0[at + 1] as usize]
    }

    /// Whether both sides are outside.
    pub(crate) fn is_sheet(&self) -> bool {
        self.tets.is_empty()
    }

    /// Whether a body of so many particles can have it.
    pub(crate) fn check(&self, particle_count: usize) -> Result<(), ContactError> {
        let named = self.tets.as_flattened().iter().chain(&self.probes).max();
        match named {
            Some(&particle) if particle as usize >= particle_count => {
                Err(ContactError::Body { particle: particle as usize, particle_count })
            }
            _ => Ok(()),
        }
    }
}

fn check_margin(margin_m: f32, least: f32) -> Result<(), ContactError> {
    if margin_m >= least && margin_m.is_finite() { Ok(()) } else { Err(ContactError::Margin { margin_m }) }
}

/// Triangles round each probe, end to end, after where each one's begin.
fn triangles_round(probes: &[u32], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<u32>) {
    let mut pairs: Vec<(u32, u32)> = (0..)
        .zip(triangles)
        .flat_map(|(triangle, corners)| corners.map(|corner| (corner, triangle)))
        .collect();
    pairs.sort_unstable();
    let starts = probes.iter().map(|&probe| pairs.partition_point(|pair| pair.0 < probe) as u32);
    let starts = starts.chain([pairs.len() as u32]).collect();
    (starts, pairs.into_iter().map(|pair| pair.1).collect())
}

/// For each corner of each triangle, those round it that face about as the triangle does; all, of a sheet.
fn smooth_round(
    rest: &[Vec3],
    triangles: &[[u32; 3]],
    (probes, round): (&[u32], &(Vec<u32>, Vec<u32>)),
    is_solid: bool,
) -> (Vec<u32>, Vec<u32>) {
    let (mut starts, mut all) = (vec![0], Vec::new());
    for (triangle, corners) in triangles.iter().enumerate() {
        let own = normal_of(rest, triangles[triangle]);
        for corner in corners {
            let probe = probes.partition_point(|probe| probe < corner);
            let list = &round.1[round.0[probe] as usize..round.0[probe + 1] as usize];
            all.extend(list.iter().copied().filter(|&other| {
                let other = other as usize;
                !is_solid || other == triangle || own.dot(normal_of(rest, triangles[other])) > SMOOTH
            }));
            starts.push(all.len() as u32);
        }
    }
    (starts, all)
}

/// A triangle's normal, unit.
fn normal_of(places: &[Vec3], corners: [u32; 3]) -> Vec3 {
    let [a, b, c] = corners.map(|corner| places[corner as usize]);
    (b - a).cross(c - a).normalize_or_zero()
}

/// What lies across the edges of triangles, and which edges are ridges. A sheet bends, and has none.
fn edges_of(rest: &[Vec3], triangles: &[[u32; 3]], is_solid: bool) -> (Vec<[Across; 3]>, Vec<Ridge>) {
    // Of each edge by its corners, the triangles with the corner opposite.
    let mut sides: BTreeMap<[u32; 2], Vec<(u32, usize)>> = BTreeMap::new();
    for (triangle, corners) in triangles.iter().enumerate() {
        for corner in 0..3 {
            let (a, b) = (corners[(corner + 1) % 3], corners[(corner + 2) % 3]);
            sides.entry([a.min(b), a.max(b)]).or_default().push((triangle as u32, corner));
        }
    }
    let normal = |triangle: u32| normal_of(rest, triangles[triangle as usize]);
    let mut across = vec![[Across::Out; 3]; triangles.len()];
    let mut ridges = Vec::new();
    for (corners, sides) in &sides {
        let [(first, first_corner), (second, second_corner)] = sides[..] else { continue };
        let far = rest[triangles[second as usize][second_corner] as usize] - rest[corners[0] as usize];
        let (one, other) = if !is_solid || normal(first).dot(normal(second)) > SMOOTH {
            (Across::Smooth(second), Across::Smooth(first))
        } else if normal(first).dot(far) > 0.0 {
            (Across::In, Across::In)
        } else {
            ridges.push(Ridge { corners: *corners, triangles: [first, second] });
            (Across::Out, Across::Out)
        };
        across[first as usize][first_corner] = one;
        across[second as usize][second_corner] = other;
    }
    (across, ridges)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_twelve_rows_of_ridges() {
        let skin = Skin::of_tets(&TetMesh::lattice([3, 2, 2], Vec3::new(0.3, 0.2, 0.2)), 0.0).unwrap();
        assert_eq!(skin.ridges.len(), 4 * (3 + 2 + 2));
        assert_eq!(skin.probes.len(), 36 - 2);
        let smooth = skin.across.as_flattened().iter().filter(|across| matches!(across, Across::Smooth(_)));
        assert_eq!(smooth.count(), 3 * skin.triangles.len() - 2 * skin.ridges.len());
    }

    #[test]
    fn wrong_skins_are_refused() {
        let rest = [Vec3::ZERO, Vec3::X, Vec3::Y];
        let wrong = Skin::of_sheet(&rest, &[[0, 1, 3]], 0.01).unwrap_err();
        assert_eq!(wrong, ContactError::Corner { triangle: 0, what: "particle", number: 3, count: 3 });
        assert!(Skin::of_sheet(&rest, &[[0, 1, 2]], 0.0).is_err());
        assert!(Skin::of_particles(&[0], f32::NAN).is_err());
        let skin = Skin::of_sheet(&rest, &[[0, 1, 2]], 0.01).unwrap();
        assert!(skin.check(3).is_ok() && skin.check(2).is_err());
    }
}
