//! A tube that bends, twists and bulges, made in code: what linear blending of its two drivers cannot do.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use sinew_fit::{Examples, Mirror};
use sinew_rig::DriverChange;

pub(crate) const RINGS: usize = 15;
pub(crate) const SEGMENTS: usize = 8;
/// Half the length of the tube, metres; the joint is in the middle.
pub(crate) const HALF: f64 = 0.5;
const RADIUS: f64 = 0.1;

/// The tube with all its poses.
pub(crate) struct Tube {
    pub(crate) rest: Vec<Vec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
    pub(crate) matrices: Vec<DAffine3>,
    pub(crate) changes: Vec<DriverChange>,
    pub(crate) targets: Vec<Vec3>,
}

fn rest_place(ring: usize, segment: usize) -> DVec3 {
    let along = HALF * (2.0 * ring as f64 / (RINGS - 1) as f64 - 1.0);
    let angle = std::f64::consts::TAU * segment as f64 / SEGMENTS as f64;
    DVec3::new(RADIUS * angle.sin(), along, RADIUS * angle.cos())
}

/// Where a point goes: the joint's turn sets in over a third of the tube, and the front bulges with the bend.
pub(crate) fn deformed(place: DVec3, bend: f64, twist: f64) -> DVec3 {
    let part = ((place.y / HALF) * 1.5 + 0.5).clamp(0.0, 1.0);
    let part = part * part * (3.0 - 2.0 * part);
    let outward = DVec3::new(place.x, 0.0, place.z) / RADIUS;
    let front = ((1.0 + outward.z) * 0.5).powi(2);
    let bulge = 0.06 * (bend * 0.5).sin().powi(2) * (-(place.y + 0.2).powi(2) / 0.02).exp() * front;
    let turn = DQuat::from_rotation_x(bend * part) * DQuat::from_rotation_y(twist * part);
    turn * (place + outward * bulge)
}

impl Tube {
    /// One pose for each pair of bend and twist, radians.
    pub(crate) fn new(angles: &[(f64, f64)]) -> Self {
        let cells = || (0..RINGS).flat_map(|ring| (0..SEGMENTS).map(move |segment| (ring, segment)));
        let places: Vec<DVec3> = cells().map(|(ring, segment)| rest_place(ring, segment)).collect();
        let index = |ring: usize, segment: usize| (ring * SEGMENTS + segment % SEGMENTS) as u32;
        let triangles = cells().filter(|(ring, _)| ring + 1 < RINGS).flat_map(|(ring, segment)| {
            let (a, b) = (index(ring, segment), index(ring, segment + 1));
            let (c, d) = (index(ring + 1, segment), index(ring + 1, segment + 1));
            [[a, b, c], [b, d, c]]
        });
        let mut tube = Self {
            rest: places.iter().map(|place| place.as_vec3()).collect(),
            triangles: triangles.collect(),
            matrices: Vec::new(),
            changes: Vec::new(),
            targets: Vec::new(),
        };
        for &(bend, twist) in angles {
            let turn = DQuat::from_rotation_x(bend) * DQuat::from_rotation_y(twist);
            tube.matrices.extend([DAffine3::IDENTITY, DAffine3::from_quat(turn)]);
            tube.changes.extend([DriverChange::REST, turn.into()]);
            tube.targets.extend(places.iter().map(|&place| deformed(place, bend, twist).as_vec3()));
        }
        tube
    }

    /// Poses on a grid.
    pub(crate) fn grid() -> Self {
        let bends = (0..9).map(|at| f64::from(at) * 0.25 - 0.2);
        let angles: Vec<(f64, f64)> =
            bends.flat_map(|bend| (0..5).map(move |at| (bend, f64::from(at) * 0.3 - 0.6))).collect();
        Self::new(&angles)
    }

    pub(crate) fn examples(&self) -> Examples<'_> {
        Examples {
            rest_positions: &self.rest,
            triangles: &self.triangles,
            driver_count: 2,
            driver_posed_from_rest: &self.matrices,
            target_positions: &self.targets,
        }
    }

    /// Left and right are x and −x.
    pub(crate) fn mirror(&self) -> Mirror {
        let partner = |at: usize| (at / SEGMENTS * SEGMENTS + (SEGMENTS - at % SEGMENTS) % SEGMENTS) as u32;
        Mirror { vertices: (0..self.rest.len()).map(partner).collect(), drivers: vec![0, 1] }
    }
}
