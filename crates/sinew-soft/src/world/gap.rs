//! How far a part of one body is from a part of another.

use crate::contact::{Across, Skin};
use glam::{Vec3, Vec4};
use sinew_geometry::triangle::plane_shares;

/// What touches what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Parts {
    /// A particle of ours and a triangle of theirs.
    Face {
        /// Of ours.
        particle: u32,
        /// Of theirs; the one under the particle at the moment.
        triangle: u32,
        /// 1 where the particle is to be on the side of the triangle's normal, −1 for the other.
        side: f32,
        /// How far beyond an edge where the surface ends the particle is still over it, by shares: [`NEW_BEYOND`] or
        /// [`KNOWN_BEYOND`].
        beyond: f32,
    },
    /// An edge of ours and one of theirs.
    Edges {
        /// Ours.
        ours: [u32; 2],
        /// Theirs.
        theirs: [u32; 2],
        /// The sign by which ours × theirs is the way from them to us.
        side: f32,
        /// How far beyond their ends edges still touch, by shares.
        beyond: f32,
    },
}

/// The surface of a body that others touch.
#[derive(Clone, Copy)]
pub(super) struct Surface<'a> {
    pub(super) skin: &'a Skin,
    /// Normals at each triangle's corners, at the beginning of the step. Between them they blend, so that a particle that lies on an
    /// edge of two triangles is not pushed by one and then by the other.
    pub(super) corner_normals: &'a [[Vec3; 3]],
}

/// How parts lie to each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gap {
    /// Particles with their shares in our point; shares may be 0.
    pub(super) ours: [(u32, f32); 2],
    /// The same of their point.
    pub(super) theirs: [(u32, f32); 3],
    /// From them to us, unit.
    pub(super) normal: Vec3,
    /// Along the normal; negative inside, meters.
    pub(super) distance_m: f32,
}

/// Corners that rest on corners are over the triangle but for rounding.
pub(super) const NEW_BEYOND: f32 = 0.02;

/// What touched in the last step leaves later than it came. Were both the same, corners that rest on corners and edges on edges would
/// come and go for ever.
pub(super) const KNOWN_BEYOND: f32 = 0.15;

/// Triangles that a point may cross in an iteration.
const MOST_HOPS: usize = 6;

impl Parts {
    /// The gap between parts of bodies at these places; none where they are not opposite each other. Glides on to the triangle under
    /// the particle.
    pub(super) fn gap(&mut self, ours: &[Vec4], theirs: &[Vec4], surface: Surface<'_>) -> Option<Gap> {
        match self {
            Self::Face { particle, triangle, side, beyond } => {
                let point = ours[*particle as usize].truncate();
                let (shares, flat) = face_under(point, triangle, *beyond, (theirs, surface.skin))?;
                let corners = surface.skin.triangles[*triangle as usize];
                let [a, b, c] = surface.corner_normals[*triangle as usize];
                let round = (a * shares.x + b * shares.y + c * shares.z).normalize_or(flat);
                let first = theirs[corners[0] as usize].truncate();
                Some(Gap {
                    ours: [(*particle, 1.0), (*particle, 0.0)],
                    theirs: [(corners[0], shares.x), (corners[1], shares.y), (corners[2], shares.z)],
                    // A triangle that has been turned about faces away from its corners' normals.
                    normal: if round.dot(flat) > 0.5 { round } else { flat } * *side,
                    distance_m: flat.dot(point - first) * *side,
                })
            }
            Self::Edges { ours: [a, b], theirs: [c, d], side, beyond } => {
                let edges = [ours[*a as usize], ours[*b as usize], theirs[*c as usize], theirs[*d as usize]]
                    .map(Vec4::truncate);
                let (along, normal) = edge_shares(edges)?;
                if !along.into_iter().all(|along| (-*beyond..=1.0 + *beyond).contains(&along)) {
                    return None;
                }
                let normal = normal * *side;
                Some(Gap {
                    ours: [(*a, 1.0 - along[0]), (*b, along[0])],
                    theirs: [(*c, 1.0 - along[1]), (*d, along[1]), (*d, 0.0)],
                    normal,
                    distance_m: normal.dot(edges[0] - edges[2]),
                })
            }
        }
    }
}

impl Gap {
    /// Our point less theirs, by values of particles.
    pub(super) fn between(&self, ours: &[Vec4], theirs: &[Vec4]) -> Vec3 {
        let sum = |values: &[Vec4], shares: &[(u32, f32)]| {
            shares.iter().fold(Vec4::ZERO, |sum, &(at, share)| sum + values[at as usize] * share)
        };
        (sum(ours, &self.ours) - sum(theirs, &self.theirs)).truncate()
    }
}

/// Goes from triangle to triangle until a point is over it: shares of its corners, and its normal.
fn face_under(
    point: Vec3,
    triangle: &mut u32,
    beyond: f32,
    (places, skin): (&[Vec4], &Skin),
) -> Option<(Vec3, Vec3)> {
    let mut last = u32::MAX;
    for hop in 0..MOST_HOPS {
        let [a, b, c] = skin.triangles[*triangle as usize].map(|corner| places[corner as usize].truncate());
        let normal = (b - a).cross(c - a).try_normalize()?;
        let shares = plane_shares(point, [a, b, c]);
        if !shares.is_finite() {
            return None;
        }
        let lowest = shares.min_position();
        if shares[lowest] >= 0.0 {
            return Some((shares, normal));
        }
        match skin.across[*triangle as usize][lowest] {
            // In a dent, a point may be over neither of two triangles.
            Across::Smooth(next) if next != last && hop + 1 < MOST_HOPS => {
                (last, *triangle) = (*triangle, next)
            }
            Across::Out if shares[lowest] < -beyond => return None,
            _ => {
                let inside = shares.max(Vec3::ZERO);
                return Some((inside / inside.element_sum(), normal));
            }
        }
    }
    None
}

/// Normals at the corners of all triangles, of the triangles' normals.
pub(super) fn write_corner_normals(skin: &Skin, normals: &[Vec3], corner_normals: &mut Vec<[Vec3; 3]>) {
    corner_normals.clear();
    corner_normals.extend((0..skin.triangles.len()).map(|triangle| {
        [0, 1, 2].map(|corner| {
            let round = skin.smooth_round(triangle, corner);
            round.iter().map(|&other| normals[other as usize]).sum::<Vec3>().normalize_or_zero()
        })
    }));
}

/// How far along each of two edges, from 0 to 1, their lines are nearest, and the direction of the first × the second. None where they
/// are parallel.
///
/// With a₀ + s u and b₀ + t v on the lines, r = a₀ − b₀ and n = u × v: r + s u − t v is along n, so that
/// s |n|² = −r · (v × n) and t |n|² = −r · (u × n).
pub(super) fn edge_shares([a, b, c, d]: [Vec3; 4]) -> Option<([f32; 2], Vec3)> {
    /// Sine of the least angle between edges, squared.
    const PARALLEL: f32 = 0.01;
    let (u, v, r) = (b - a, d - c, a - c);
    let n = u.cross(v);
    let square = n.length_squared();
    let is_apart = square > PARALLEL * u.length_squared() * v.length_squared();
    if !is_apart {
        return None;
    }
    Some(([-r.dot(v.cross(n)) / square, -r.dot(u.cross(n)) / square], n / square.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_geometry::TetMesh;

    #[test]
    fn edges_are_nearest_where_they_cross() {
        let edges = [Vec3::ZERO, Vec3::X * 2.0, Vec3::new(0.5, 1.0, -1.0), Vec3::new(0.5, 1.0, 3.0)];
        let (along, normal) = edge_shares(edges).unwrap();
        assert_eq!(along, [0.25, 0.25]);
        assert_eq!(normal, Vec3::NEG_Y);
        assert!(edge_shares([Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::X + Vec3::Y]).is_none());
    }

    #[test]
    fn a_point_glides_over_a_side_and_leaves_it_at_the_edge() {
        let mesh = TetMesh::lattice([4, 2, 2], Vec3::new(0.4, 0.2, 0.2));
        let skin = Skin::of_tets(&mesh, 0.0).unwrap();
        let places: Vec<Vec4> = mesh.points().iter().map(|point| point.extend(0.0)).collect();
        let is_top = |corners: &[u32; 3]| corners.iter().all(|&at| mesh.points()[at as usize].y > 0.19);
        let top = skin.triangles.iter().position(is_top).unwrap() as u32;
        let normal = |corners: &[u32; 3]| {
            let [a, b, c] = corners.map(|corner| mesh.points()[corner as usize]);
            (b - a).cross(c - a).normalize()
        };
        let normals: Vec<Vec3> = skin.triangles.iter().map(normal).collect();
        let mut corner_normals = Vec::new();
        write_corner_normals(&skin, &normals, &mut corner_normals);
        let surface = Surface { skin: &skin, corner_normals: &corner_normals };
        let mut parts = Parts::Face { particle: 0, triangle: top, side: 1.0, beyond: NEW_BEYOND };
        for step in 0..=20 {
            let point = Vec3::new(0.01 + 0.019 * step as f32, 0.22, 0.01);
            let gap = parts.gap(&[point.extend(0.0)], &places, surface).unwrap();
            assert!((gap.distance_m - 0.02).abs() < 1e-6 && gap.normal.y > 0.999);
            let between = gap.between(&[point.extend(0.0)], &places);
            assert!((between - Vec3::Y * 0.02).length() < 1e-6, "{between}");
        }
        let beyond = Vec3::new(0.42, 0.22, 0.01);
        assert!(parts.gap(&[beyond.extend(0.0)], &places, surface).is_none());
    }
}
