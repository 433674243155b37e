//! A teddy.

use super::parts::{Shells, color, drop_on, ellipsoid, skin_of};
use super::{Examples, MadeBody, shaped};
use glam::{Quat, Vec3, Vec4};
use sinew_geometry::{
    CoverError, CoverSettings, CoverSize, Grid, RoundCone, TetMesh, cover, ellipsoid_distance, smooth_min,
    smooth_step_between,
};

const FUR: [u8; 3] = [176, 116, 66];
const CREAM: [u8; 3] = [240, 216, 176];
const BLACK: [u8; 3] = [22, 18, 18];
const WHITE: [u8; 3] = [250, 250, 250];
const BOW: [u8; 3] = [196, 40, 52];

/// Edge of the cells in which the skin is found, metres.
const CELL: f32 = 0.0085;

/// Spacing of the tetrahedra, metres: 1,280 particles or a little more.
const SPACING: f32 = 0.0463;

/// A teddy that stands with arms and legs apart, 0.7 m high, of some 1,280 particles in a left and a right group; with arms raised, legs
/// drawn up, a fat belly, and a nod.
///
/// # Errors
/// Never: its surface can be covered.
pub fn teddy() -> Result<MadeBody, CoverError> {
    let skin = skin();
    let settings =
        CoverSettings { size: CoverSize::Spacing(SPACING), join_m: 0.03, ..CoverSettings::default() };
    let covered = cover(&skin.mesh, &settings)?;
    let (tets, embedding, surface, colors) = (covered.mesh, covered.embedding, skin.mesh, skin.colors);
    let groups = tets.points().iter().map(|point| u16::from(point.x < 0.0)).collect();
    let examples = examples(&tets);
    Ok(MadeBody { name: "teddy", tets, surface, colors, embedding, examples, groups })
}

/// On both sides alike.
fn mirrored(point: Vec3) -> Vec3 {
    Vec3::new(point.x.abs(), point.y, point.z)
}

const SHOULDER: Vec3 = Vec3::new(0.085, 0.275, 0.005);
const HAND: Vec3 = Vec3::new(0.235, 0.19, 0.03);
const HIP: Vec3 = Vec3::new(0.07, 0.07, 0.01);
const FOOT: Vec3 = Vec3::new(0.115, -0.085, 0.03);
const EAR: Vec3 = Vec3::new(0.1, 0.535, -0.005);
const NECK: Vec3 = Vec3::new(0.0, 0.33, 0.0);

fn trunk(p: Vec3) -> f32 {
    let chest = ellipsoid_distance(p - Vec3::new(0.0, 0.2, 0.0), Vec3::new(0.128, 0.152, 0.108));
    let belly = ellipsoid_distance(p - Vec3::new(0.0, 0.165, 0.03), Vec3::new(0.115, 0.115, 0.1));
    smooth_min(chest, belly, 0.05)
}

fn skull(p: Vec3) -> f32 {
    ellipsoid_distance(p - Vec3::new(0.0, 0.435, 0.01), Vec3::new(0.132, 0.115, 0.112))
}

fn arm(p: Vec3) -> f32 {
    RoundCone { start: SHOULDER, end: HAND, start_radius: 0.047, end_radius: 0.052 }.distance(p)
}

fn leg(p: Vec3) -> f32 {
    let thigh = RoundCone { start: HIP, end: FOOT, start_radius: 0.066, end_radius: 0.058 }.distance(p);
    let foot = ellipsoid_distance(p - FOOT - Vec3::new(0.006, -0.02, 0.035), Vec3::new(0.058, 0.05, 0.088));
    smooth_min(thigh, foot, 0.04)
}

fn fur(point: Vec3) -> f32 {
    let p = mirrored(point);
    let at = |center: Vec3, semi_axes: Vec3| ellipsoid_distance(p - center, semi_axes);
    let cheeks = at(Vec3::new(0.04, 0.405, 0.045), Vec3::new(0.075, 0.062, 0.07));
    let muzzle = at(Vec3::new(0.0, 0.402, 0.105), Vec3::new(0.058, 0.045, 0.05));
    let ear_place = Quat::from_rotation_z(0.5) * (p - EAR);
    let ear = ellipsoid_distance(ear_place, Vec3::new(0.05, 0.052, 0.028));
    // A hollow in front of each ear.
    let hollow = ellipsoid_distance(ear_place - Vec3::Z * 0.034, Vec3::new(0.034, 0.036, 0.02));
    let ear = sinew_geometry::smooth_max(ear, -hollow, 0.012);
    let tail = at(Vec3::new(0.0, 0.1, -0.105), Vec3::splat(0.036));
    let body = smooth_min(smooth_min(trunk(p), leg(p), 0.035), arm(p), 0.035);
    let body = smooth_min(body, tail, 0.015);
    let head = smooth_min(smooth_min(skull(p), cheeks, 0.03), ear, 0.016);
    smooth_min(smooth_min(head, muzzle, 0.02), body, 0.03)
}

/// How much of the cream patches there is at a point of the fur.
fn cream(point: Vec3) -> f32 {
    let p = mirrored(point);
    let inside = |center: Vec3, semi_axes: Vec3, turn: Quat| {
        smooth_step_between(0.004, -0.004, ellipsoid_distance(turn * (p - center), semi_axes))
    };
    let straight = Quat::IDENTITY;
    let muzzle = inside(Vec3::new(0.0, 0.4, 0.125), Vec3::new(0.06, 0.047, 0.062), straight);
    let belly = inside(Vec3::new(0.0, 0.165, 0.13), Vec3::new(0.085, 0.1, 0.09), straight);
    let ear = inside(EAR + Vec3::Z * 0.035, Vec3::new(0.037, 0.039, 0.034), Quat::from_rotation_z(0.5))
        * smooth_step_between(0.002, 0.014, skull(p));
    let sole = inside(FOOT + Vec3::new(0.008, -0.02, 0.14), Vec3::new(0.042, 0.04, 0.045), straight);
    let palm = inside(HAND + Vec3::new(0.038, -0.02, 0.03), Vec3::new(0.035, 0.035, 0.035), straight);
    muzzle.max(belly).max(ear).max(sole).max(palm)
}

fn skin() -> Shells {
    let grid = Grid::covering(Vec3::new(-0.31, -0.17, -0.17), Vec3::new(0.31, 0.61, 0.2), CELL);
    let body = skin_of(&grid, fur, 1e-3);
    let (brown, light) = (color(FUR), color(CREAM));
    let colors: Vec<Vec4> = body.positions.iter().map(|place| brown.lerp(light, cream(*place))).collect();
    let mut shells = Shells::default();
    shells.add_colored(&body, colors);
    let turn = Quat::IDENTITY;
    for side in [-1.0, 1.0] {
        let at = |x: f32, y: f32, z: f32| Vec3::new(side * x, y, z);
        shells.add(&ellipsoid(at(0.047, 0.455, 0.112), Vec3::new(0.0155, 0.0175, 0.012), turn, 12), BLACK);
        shells.add(&ellipsoid(at(0.043, 0.462, 0.1225), Vec3::splat(0.0042), turn, 6), WHITE);
        // The bow's loops.
        let lean = Quat::from_rotation_z(side * 0.25);
        shells.add(&ellipsoid(at(0.042, 0.317, 0.104), Vec3::new(0.036, 0.024, 0.016), lean, 12), BOW);
    }
    shells.add(&ellipsoid(Vec3::new(0.0, 0.424, 0.151), Vec3::new(0.02, 0.014, 0.011), turn, 12), BLACK);
    shells.add(&ellipsoid(Vec3::new(0.0, 0.315, 0.108), Vec3::new(0.013, 0.015, 0.014), turn, 10), BOW);
    add_mouth(&mut shells);
    shells
}

/// Stitches from the nose down to a smile.
fn add_mouth(shells: &mut Shells) {
    let smile = (-4i8..=4).map(|at| {
        let t = f32::from(at) / 4.0;
        Vec3::new(0.031 * t, 0.3815 + 0.011 * t * t, 0.3)
    });
    let line = (0..=2u8).map(|at| Vec3::new(0.0, 0.414 - 0.0155 * f32::from(at), 0.3));
    for stitches in [smile.collect::<Vec<_>>(), line.collect()] {
        let places: Vec<Vec3> =
            stitches.iter().map(|place| drop_on(&fur, *place, Vec3::NEG_Z, 0.0006)).collect();
        for (from, to) in places.iter().zip(&places[1..]) {
            let way = *to - *from;
            let turn = Quat::from_rotation_arc(Vec3::X, way.normalize());
            let semi_axes = Vec3::new(0.62 * way.length(), 0.0024, 0.0024);
            shells.add(&ellipsoid(from.midpoint(*to), semi_axes, turn, 6), BLACK);
        }
    }
}

/// Shares of particles in a motion, made even over neighbours: limbs then bend over a length that the tetrahedra can show, and what lies near
/// but is not joined stays apart.
fn even_shares(tets: &TetMesh, share: impl Fn(Vec3) -> f32) -> Vec<f32> {
    const ROUNDS: usize = 3;
    let mut shares: Vec<f32> = tets.points().iter().map(|point| share(*point)).collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![(0.0f32, 0.0f32); shares.len()];
        for tet in tets.tets() {
            let mean = tet.iter().map(|&corner| shares[corner as usize]).sum::<f32>() / 4.0;
            for &corner in tet {
                let (sum, count) = &mut sums[corner as usize];
                *sum += mean;
                *count += 1.0;
            }
        }
        shares.iter_mut().zip(&sums).for_each(|(share, (sum, count))| *share = sum / count.max(1.0));
    }
    shares
}

/// Every particle turned about a root by its share of an angle. `axis` is that of the left side; the right one mirrors it.
fn turned(tets: &TetMesh, shares: &[f32], root: Vec3, axis: Vec3, angle: f32) -> Vec<Vec3> {
    let turn = |(point, share): (&Vec3, &f32)| {
        let side = if point.x < 0.0 { -1.0 } else { 1.0 };
        let root = Vec3::new(side * root.x, root.y, root.z);
        let axis = Vec3::new(axis.x, side * axis.y, side * axis.z);
        Quat::from_axis_angle(axis, angle * share) * (*point - root) + root
    };
    tets.points().iter().zip(shares).map(turn).collect()
}

fn examples(tets: &TetMesh) -> Examples {
    // What is nearer to a limb than to the trunk goes with the limb.
    let of_arms = even_shares(tets, |point| {
        let p = mirrored(point);
        smooth_step_between(0.0, 0.06, trunk(p) - arm(p))
    });
    let of_legs = even_shares(tets, |point| {
        let p = mirrored(point);
        smooth_step_between(-0.02, 0.06, trunk(p) - leg(p))
    });
    let of_head = even_shares(tets, |point| {
        smooth_step_between(NECK.y - 0.03, NECK.y + 0.06, point.y)
            * smooth_step_between(0.26, 0.2, point.x.abs())
    });
    let nod = |(point, share): (&Vec3, &f32)| {
        let turn = Quat::from_rotation_z(0.5 * share) * Quat::from_rotation_x(0.3 * share);
        turn * (*point - NECK) + NECK
    };
    let fat = |point: Vec3| {
        let center = Vec3::new(0.0, 0.17, 0.02);
        let from = (point - center) / Vec3::new(0.19, 0.17, 0.17);
        let grown = 1.0 + 0.55 * smooth_step_between(1.15, 0.3, from.length());
        center + (point - center) * Vec3::new(grown, 1.0 + 0.3 * (grown - 1.0), grown)
    };
    vec![
        ("arms up", turned(tets, &of_arms, SHOULDER, Vec3::Z, 1.3)),
        ("legs up", turned(tets, &of_legs, HIP + Vec3::Z * 0.01, Vec3::X, -1.1)),
        ("fat", shaped(tets, fat)),
        ("nod", tets.points().iter().zip(&of_head).map(nod).collect()),
    ]
}
