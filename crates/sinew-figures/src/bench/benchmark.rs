//! A leg whose truth is known and which bones alone cannot show: 200 cm long, three drivers, five freedoms.
//!
//! It stands for the leg of \[Mukai15\] Sec. 6.1, whose data is not public: as many vertices, poses and freedoms, skin that bends in arcs,
//! twists along the thigh, slides over the knee and bulges by the angles of one or two joints. Lengths are centimetres.

use glam::{DAffine3, DQuat, DVec3};
use rayon::prelude::*;
use sinew_geometry::smooth_step_f64;
use sinew_helpers::{ExampleSet, random_shares};
use sinew_rig::DriverChange;
use std::f64::consts::TAU;

/// Heights of hip, knee and ankle.
const JOINTS_CM: [f64; 3] = [190.0, 105.0, 20.0];
/// Degrees: hip forwards, hip sideways, hip twist, knee, ankle.
const RANGES_DEG: [[f64; 2]; 5] = [[-30.0, 90.0], [-20.0, 45.0], [-30.0, 30.0], [0.0, 130.0], [-30.0, 45.0]];
/// Steps of the grid in each freedom: 6,750 poses, as the source has.
const GRID: [usize; 5] = [9, 5, 5, 6, 5];

/// Which poses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LegPoses {
    /// The grid of 6,750.
    Grid,
    /// So many at random, by a seed.
    Random(usize, u64),
}

/// The leg, `rings` by `segments` vertices: 39 by 17 are the source's 663, 114 by 73 its 8,322.
#[must_use]
pub fn benchmark_leg(rings: usize, segments: usize, poses: LegPoses) -> ExampleSet {
    exaggerated_leg(rings, segments, poses, 1.0)
}

/// The leg with muscles that bulge so many times as much; \[Mukai15\] Sec. 6.4. Its shape at rest is the same.
#[must_use]
pub(crate) fn exaggerated_leg(
    rings: usize,
    segments: usize,
    poses: LegPoses,
    exaggeration: f64,
) -> ExampleSet {
    let (rest, triangles) = rest_mesh(rings, segments);
    let angles = angles(poses);
    let mut set = ExampleSet {
        rest_positions: rest.iter().map(|place| place.as_vec3()).collect(),
        triangles,
        driver_names: ["thigh", "shank", "foot"].map(String::from).to_vec(),
        ..ExampleSet::default()
    };
    for angles in &angles {
        let (matrices, rotations) = bones(angles);
        set.driver_posed_from_rest.extend(matrices);
        set.driver_changes.extend(rotations.map(DriverChange::from));
    }
    set.target_positions = angles
        .par_iter()
        .flat_map_iter(|angles| rest.iter().map(|place| deformed(*place, angles, exaggeration).as_vec3()))
        .collect();
    set
}

fn rest_mesh(rings: usize, segments: usize) -> (Vec<DVec3>, Vec<[u32; 3]>) {
    /// Height and radius.
    const OUTLINE: [[f64; 2]; 11] = [
        [0.0, 7.0],
        [12.0, 7.5],
        [20.0, 6.0],
        [45.0, 8.0],
        [80.0, 11.0],
        [95.0, 9.5],
        [105.0, 10.0],
        [120.0, 12.5],
        [155.0, 17.0],
        [185.0, 19.0],
        [200.0, 19.5],
    ];
    let height = |ring: usize| 200.0 * (1.0 - ring as f64 / (rings - 1) as f64);
    let outline = |y: f64| {
        let above = OUTLINE.iter().position(|[known, _]| *known >= y).unwrap_or(OUTLINE.len() - 1).max(1);
        let ([y0, r0], [y1, r1]) = (OUTLINE[above - 1], OUTLINE[above]);
        r0 + (r1 - r0) * ((y - y0) / (y1 - y0)).clamp(0.0, 1.0)
    };
    let rough: Vec<f64> = (0..rings).map(|ring| outline(height(ring))).collect();
    let smooth = |ring: usize| {
        let parts = [1.0, 4.0, 6.0, 4.0, 1.0].iter().zip(-2i64..);
        let near = |by: i64| rough[(ring as i64 + by).clamp(0, rings as i64 - 1) as usize];
        if rings > 8 { parts.map(|(part, by)| part / 16.0 * near(by)).sum() } else { rough[ring] }
    };
    let mut rest = Vec::with_capacity(rings * segments);
    for ring in 0..rings {
        let (radius, y): (f64, f64) = (smooth(ring), height(ring));
        for segment in 0..segments {
            let (sine, cosine) = (TAU * segment as f64 / segments as f64).sin_cos();
            // The foot leans forwards.
            rest.push(DVec3::new(radius * sine, y, radius * cosine + 6.0 * smooth_step(20.0 - y, 0.0, 20.0)));
        }
    }
    let corner = |ring: usize, segment: usize| (ring * segments + segment % segments) as u32;
    let mut triangles = Vec::new();
    for ring in 0..rings - 1 {
        for segment in 0..segments {
            let [a, b] = [corner(ring, segment), corner(ring, segment + 1)];
            let [c, d] = [corner(ring + 1, segment), corner(ring + 1, segment + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
    }
    (rest, triangles)
}

fn smooth_step(x: f64, from: f64, to: f64) -> f64 {
    smooth_step_f64((x - from) / (to - from))
}

fn angles(poses: LegPoses) -> Vec<[f64; 5]> {
    let angle = |freedom: usize, share: f64| {
        let [least, most] = RANGES_DEG[freedom];
        (least + share * (most - least)).to_radians()
    };
    match poses {
        LegPoses::Grid => (0..GRID.iter().product())
            .map(|index: usize| {
                let mut left = index;
                let mut angles = [0.0; 5];
                // The last freedom fastest.
                for freedom in (0..5).rev() {
                    angles[freedom] =
                        angle(freedom, (left % GRID[freedom]) as f64 / (GRID[freedom] - 1) as f64);
                    left /= GRID[freedom];
                }
                angles
            })
            .collect(),
        LegPoses::Random(count, seed) => (0..count)
            .map(|index| {
                let shares = random_shares(5, seed, index);
                [0, 1, 2, 3, 4].map(|freedom: usize| angle(freedom, shares[freedom]))
            })
            .collect(),
    }
}

/// Skinning matrices and local rotations of the drivers.
fn bones(&[flex, abduct, twist, knee, ankle]: &[f64; 5]) -> ([DAffine3; 3], [DQuat; 3]) {
    let hip = DQuat::from_rotation_z(abduct) * DQuat::from_rotation_x(-flex) * DQuat::from_rotation_y(twist);
    let rotations = [hip, DQuat::from_rotation_x(knee), DQuat::from_rotation_x(-ankle)];
    let mut matrices = [DAffine3::IDENTITY; 3];
    let mut above = DAffine3::IDENTITY;
    for (at, (rotation, height)) in rotations.iter().zip(JOINTS_CM).enumerate() {
        let head = DVec3::Y * height;
        // Rest frames stand upright at the joints: a skinning matrix turns about the joint, after what is above.
        let turn = DAffine3::from_rotation_translation(*rotation, head - *rotation * head);
        above *= turn;
        matrices[at] = above;
    }
    (matrices, rotations)
}

/// Where the truth takes a vertex.
fn deformed(rest: DVec3, &[flex, abduct, twist, knee, ankle]: &[f64; 5], exaggeration: f64) -> DVec3 {
    let y = rest.y;
    let round = rest.x.atan2(rest.z);
    let bump = |center: f64, width: f64| (-0.5 * ((y - center) / width).powi(2)).exp();
    let side = |x: f64| ((1.0 + x) / 2.0).powi(2);
    let (front, back) = (side(round.cos()), side(-round.cos()));
    let (outside, inside) = (side(round.sin()), side(-round.sin()));
    let bend = (knee / 2.0).sin().powi(2);
    // Hamstrings, thigh, calf (which knee and ankle move together), shin, the crease and the side of the hip, and twist.
    let bulge = 6.0 * bend * bump(150.0, 16.0) * back - 3.0 * knee.sin() * bump(150.0, 25.0) * front
        + 4.5 * bend * (1.0 + 0.9 * ankle.sin()) * bump(78.0, 12.0) * back
        + 2.5 * ankle.sin() * bump(72.0, 14.0) * back
        - 1.5 * ankle.sin() * bump(60.0, 15.0) * front
        + 5.0 * flex.max(0.0).sin().powi(2) * bump(178.0, 14.0) * front
        + 4.0 * flex.sin() * abduct.sin() * bump(175.0, 15.0) * outside
        + 3.0 * abduct.sin() * bump(165.0, 20.0) * inside
        + 2.0 * twist.sin() * bump(140.0, 22.0) * (outside - inside);
    let mut place = rest + DVec3::new(round.sin(), 0.0, round.cos()) * (bulge * exaggeration);
    // Skin slides over the knee.
    let slide = 1.0 - knee.cos();
    place.y += 4.0 * slide * bump(107.0, 12.0) * front - 2.0 * slide * bump(103.0, 12.0) * back;
    let [hip, middle, foot] = JOINTS_CM;
    let turned = |place: DVec3, height: f64, turn: DVec3| {
        let head = DVec3::Y * height;
        DQuat::from_scaled_axis(turn) * (place - head) + head
    };
    let below = |height: f64, reach: f64| smooth_step(-y, -(height + reach), -(height - reach));
    place = turned(place, foot, DVec3::X * (-ankle * below(foot, 9.0)));
    place = turned(place, middle, DVec3::X * (knee * below(middle, 14.0)));
    place = turned(place, hip, DVec3::Y * (twist * (0.3 + 0.7 * smooth_step(-y, -200.0, -110.0))));
    // Its w is positive for all angles of the ranges: the shorter way round.
    let swing = (DQuat::from_rotation_z(abduct) * DQuat::from_rotation_x(-flex)).to_scaled_axis();
    turned(place, hip, swing * (0.65 + 0.35 * smooth_step(-y, -200.0, -150.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sum of all coordinates of all 6,750 shapes, from the reference program of the benchmark in 64 bits.
    const REFERENCE_SUM: f64 = 749_750_877.841_924;

    #[test]
    fn the_leg_is_that_of_the_reference_program() {
        let leg = benchmark_leg(39, 17, LegPoses::Grid);
        assert_eq!((leg.rest_positions.len(), leg.triangles.len(), leg.pose_count()), (663, 1292, 6750));
        let sum: f64 = leg
            .target_positions
            .iter()
            .map(|place| f64::from(place.x) + f64::from(place.y) + f64::from(place.z))
            .sum();
        assert!((sum / REFERENCE_SUM - 1.0).abs() < 1e-9, "{sum}");
        leg.examples().check().unwrap();
    }

    #[test]
    fn straight_it_is_at_rest() {
        let rest = rest_mesh(39, 17).0;
        for place in rest {
            assert!(deformed(place, &[0.0; 5], 1.0).distance(place) < 1e-12, "{place}");
        }
        assert!(bones(&[0.0; 5]).0.iter().all(|matrix| matrix.abs_diff_eq(DAffine3::IDENTITY, 1e-12)));
    }
}
