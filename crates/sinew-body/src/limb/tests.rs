//! Bends and twists of straight round tubes, against the measured tables.

use super::bend::{Fold, place_rows};
use super::*;
use crate::Patch;
use crate::quadrature::{BodyRules, PatchRule};
use crate::ring::{Ring, RingFrame};
use crate::testing::{EXACT, JUMP_DEG, LAST_BIT, ROUNDING};
use crate::tube::{BayShape, Station};
use glam::{DQuat, DVec2, DVec3};
use proptest::prelude::*;
use std::ops::Range;

/// A joint of a limb and the settings of its tube.
#[derive(Clone, Debug, PartialEq)]
struct LimbJoint {
    /// The bay that begins at the joint's ring; at least one.
    bay: usize,
    /// The joint in rest.
    joint: Joint,
    /// Settings of the fold.
    bend: BendSettings,
    /// Bays of the bone before the joint that take up its twist; ends at `bay`.
    twist_bays: Range<usize>,
    /// Distribution of the twist.
    spread: TwistSpread,
    /// Muscles that swell as the joint bends.
    bulges: Vec<MuscleBulge>,
    /// Treatment of the volume.
    volume: VolumeMode,
}

impl LimbJoint {
    /// The bays whose shape the joint changes.
    fn moved_bays(&self) -> Range<usize> {
        let around = self.twist_bays.start.min(self.bay - 1)..self.bay + 1;
        self.bulges
            .iter()
            .fold(around, |bays, muscle| bays.start.min(muscle.bay)..bays.end.max(muscle.bay + 1))
    }
}

/// The two angles of a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct JointAngles {
    /// Turn about the joint's axis, right-handed; zero in rest.
    bend_rad: f64,
    /// Turn about the bone before the joint, right-handed about its direction; zero in rest.
    twist_rad: f64,
}

/// Poses a whole limb: `posed` becomes `rest` with every joint bent and twisted. `joints` go from the root outward. Does not allocate.
///
/// # Panics
/// If `angles` and `joints` differ in number, or `posed` or the workspace in layout from `rest`.
fn pose_limb(
    workspace: &mut VolumeWorkspace,
    rest: &Tube,
    joints: &[LimbJoint],
    angles: &[JointAngles],
    posed: &mut Tube,
) {
    assert_eq!(joints.len(), angles.len(), "two angles per joint");
    posed.copy_from(rest);
    for (limb, angle) in joints.iter().zip(angles).rev() {
        match limb.volume {
            VolumeMode::Free => {
                bend(posed, limb.bay, &limb.joint, angle.bend_rad, &limb.bend);
                swell_and_twist(limb, angle, posed);
            }
            VolumeMode::Held => pose_joint_holding_volume(workspace, limb, angle, posed),
        }
    }
}

fn pose_joint_holding_volume(
    workspace: &mut VolumeWorkspace,
    limb: &LimbJoint,
    angle: &JointAngles,
    posed: &mut Tube,
) {
    if *angle == JointAngles::default() {
        return;
    }
    let bays = limb.moved_bays();
    let volume = posed.bay_volume(&workspace.rule, bays.clone());
    bend_holding_volume(workspace, posed, (limb.bay, &limb.joint), angle.bend_rad, &limb.bend);
    swell_and_twist(limb, angle, posed);
    hold_volume(posed, bays, volume, &workspace.rule);
}

fn swell_and_twist(limb: &LimbJoint, angle: &JointAngles, posed: &mut Tube) {
    for muscle in &limb.bulges {
        bulge(posed, muscle, angle.bend_rad);
    }
    let axis = TwistAxis { origin: limb.joint.center, direction: limb.joint.bone_before };
    twist(posed, limb.twist_bays.clone(), &axis, angle.twist_rad, limb.spread);
}

/// Normal jumps of a join that is smooth.
const SMOOTH_DEG: f64 = 1e-8;

/// A straight tube along X of elliptic section: radii r along Y, `flat` r along Z.
fn straight(patch_count: usize, bays: usize, length: f64, radii: DVec2) -> Tube {
    let station = |k: usize| {
        let place = length * k as f64 / bays as f64;
        Station::straight(Ring::new(RingFrame::new(DVec3::X * place, DVec3::X, DVec3::Y), radii))
    };
    let stations: Vec<Station> = (0..=bays).map(station).collect();
    Tube::from_stations(patch_count, &stations, &vec![BayShape::default(); bays])
}

const RADIUS: f64 = 0.05;

/// Two bays of 0.25 m, the joint at their common ring, bending toward +Z for positive angles.
fn elbow() -> (Tube, Joint) {
    let joint =
        Joint { center: DVec3::X * 0.25, axis: DVec3::NEG_Y, bone_before: DVec3::X, bone_beyond: DVec3::X };
    (straight(4, 2, 0.5, DVec2::splat(RADIUS)), joint)
}

fn exact() -> PatchRule {
    PatchRule::tensor(6)
}

#[test]
fn rows_of_a_bend_have_the_measured_volumes() {
    let (rest, joint) = elbow();
    for (deg, ratio) in [(15.0, 1.002), (45.0, 1.017), (90.0, 1.061), (130.0, 1.071)] {
        let mut tube = rest.clone();
        place_rows(&mut tube, 1, &Fold::new(&joint, f64::to_radians(deg), &BendSettings::default()));
        let found = tube.volume(&exact()) / rest.volume(&exact());
        assert!((found - ratio).abs() < 6e-4, "{deg}: {found}");
        assert!(tube.worst_ring(21).gap_m < LAST_BIT);
    }
}

#[test]
fn a_bend_is_smooth_before_the_fold_and_keeps_the_bone() {
    let (rest, joint) = elbow();
    for deg in [-100.0, -45.0, 1e-3, 15.0, 45.0, 75.0, 100.0f64] {
        let mut tube = rest.clone();
        let report = bend(&mut tube, 1, &joint, deg.to_radians(), &BendSettings::default());
        assert_eq!(report, BendReport::default(), "{deg}");
        assert!(tube.worst_ring(41).jump_deg < SMOOTH_DEG, "{deg}: {:?}", tube.worst_ring(41));
        assert!(tube.worst_seam(41).jump_deg < SMOOTH_DEG, "{deg}: {:?}", tube.worst_seam(41));
        let end = tube.row(8).iter().copied().sum::<DVec3>() / 16.0;
        assert!((end.distance(joint.center) - 0.25).abs() < EXACT, "{deg}");
        let ratio = tube.volume(&exact()) / rest.volume(&exact());
        assert!((0.99..1.08).contains(&ratio), "{deg}: {ratio}");
    }
}

#[test]
fn the_rule_alone_creases_seams_off_the_axis() {
    // On a plain ellipse whose corners lie on the axis all points beside a side seam lie in one plane, and nothing shows.
    let (plain, joint) = elbow();
    let off = plain.points().iter().map(|point| DQuat::from_rotation_x(0.2) * *point);
    let mut turned = plain.clone();
    turned.points_from_row_mut(0).iter_mut().zip(off).for_each(|(point, new)| *point = new);
    let angle = 60f64.to_radians();
    let fold = Fold::new(&joint, angle, &BendSettings::default());
    for (rest, least, most) in [(plain, 0.0, SMOOTH_DEG), (turned, 0.5, 30.0)] {
        let (mut raw, mut repaired) = (rest.clone(), rest.clone());
        place_rows(&mut raw, 1, &fold);
        bend(&mut repaired, 1, &joint, angle, &BendSettings::default());
        let crease = raw.worst_seam(41).jump_deg;
        assert!((least..most).contains(&crease), "{crease}");
        assert!(
            repaired.worst_seam(41).jump_deg < SMOOTH_DEG && repaired.worst_ring(41).jump_deg < SMOOTH_DEG
        );
    }
}

#[test]
fn no_bend_is_the_rest() {
    let (rest, joint) = elbow();
    let mut tube = rest.clone();
    bend(
        &mut tube,
        1,
        &joint,
        0.0,
        &BendSettings { roundness: 0.5, outside_scale: 0.7, ..BendSettings::default() },
    );
    assert!(tube.points().iter().zip(rest.points()).all(|(a, b)| a.distance(*b) < LAST_BIT));
}

/// All control points of the bay before lie behind the bisector plane, all of the bay beyond before it: the hulls cannot cross.
fn is_separated(tube: &Tube, joint: &Joint, angle: f64) -> bool {
    let tm = DQuat::from_axis_angle(joint.axis, 0.5 * angle) * joint.bone_before;
    let beyond = |row: usize| tube.row(row).iter().map(move |&point| (point - joint.center).dot(tm));
    let slack = 1e-12;
    (0..=4).all(|row| beyond(row).all(|x| x < slack)) && (4..=8).all(|row| beyond(row).all(|x| x > -slack))
}

#[test]
fn bays_never_cross() {
    let (rest, joint) = elbow();
    for deg in [30.0, 90.0, 110.0, 130.0, 145.0, 160.0f64] {
        for roundness in [0.0, 0.8] {
            let mut tube = rest.clone();
            let settings = BendSettings { roundness, ..BendSettings::default() };
            let report = bend(&mut tube, 1, &joint, deg.to_radians(), &settings);
            assert!(is_separated(&tube, &joint, deg.to_radians()) || report.far_crossings > 0, "{deg}");
            assert_eq!(report.far_crossings > 0, deg > 155.0, "{deg}");
            assert_eq!(report.folded_points > 0, deg > 102.7, "{deg}");
            assert!(tube.worst_seam(21).jump_deg < JUMP_DEG, "{deg}: {:?}", tube.worst_seam(21));
        }
    }
}

#[test]
fn fingertips_and_other_counts_bend_smoothly() {
    for patch_count in [2, 3, 4, 5, 8] {
        let station = |x: f64| {
            Station::straight(Ring::new(
                RingFrame::new(DVec3::X * x, DVec3::X, DVec3::Y),
                DVec2::splat(0.008),
            ))
        };
        let stations = [station(0.0), station(0.025)];
        let pole = crate::tube::Pole { tip: DVec3::X * 0.045, direction: DVec3::X, fullness: 1.05 };
        let rest = Tube::from_stations(patch_count, &stations, &[BayShape::default()])
            .with_pole(&stations[1], &pole);
        let joint = Joint {
            center: DVec3::X * 0.025,
            axis: DVec3::NEG_Y,
            bone_before: DVec3::X,
            bone_beyond: DVec3::X,
        };
        for deg in [-30.0, 30.0, 37.0f64] {
            let mut tube = rest.clone();
            bend(&mut tube, 1, &joint, deg.to_radians(), &BendSettings::default());
            assert!(tube.worst_ring(21).jump_deg < 1e-7, "{patch_count} {deg}: {:?}", tube.worst_ring(21));
            assert!(tube.worst_seam(21).jump_deg < 1e-5, "{patch_count} {deg}: {:?}", tube.worst_seam(21));
        }
    }
}

#[test]
fn roundness_sharpens_the_outside_only() {
    let (rest, joint) = elbow();
    let (mut round, mut sharp) = (rest.clone(), rest.clone());
    let angle = std::f64::consts::FRAC_PI_2;
    bend(&mut round, 1, &joint, angle, &BendSettings::default());
    bend(&mut sharp, 1, &joint, angle, &BendSettings { roundness: 0.6, ..BendSettings::default() });
    // Column 4 is +Z, the inside; column 12 the outside.
    let leg = |tube: &Tube, column: usize| tube.row(3)[column].distance(tube.row(4)[column]);
    assert!((leg(&sharp, 12) / leg(&round, 12) - 0.4).abs() < ROUNDING);
    assert!((leg(&sharp, 4) / leg(&round, 4) - 1.0).abs() < ROUNDING);
    assert!(sharp.worst_ring(21).jump_deg < SMOOTH_DEG && sharp.worst_seam(21).jump_deg < SMOOTH_DEG);
}

#[test]
fn holding_at_a_right_angle_only_turns() {
    let (rest, joint) = elbow();
    let settings = BendSettings { hold_beyond_rad: std::f64::consts::FRAC_PI_2, ..BendSettings::default() };
    let (mut right, mut more) = (rest.clone(), rest.clone());
    bend(&mut right, 1, &joint, 90f64.to_radians(), &settings);
    bend(&mut more, 1, &joint, 120f64.to_radians(), &settings);
    let turn = DQuat::from_axis_angle(joint.axis, 15f64.to_radians());
    for (a, b) in right.row(4).iter().zip(more.row(4)) {
        assert!((turn * (*a - joint.center)).distance(*b - joint.center) < EXACT);
    }
}

#[test]
fn volume_is_held_exactly_in_bends() {
    let (rest, joint) = elbow();
    let volume = rest.volume(&exact());
    for deg in [15.0, 45.0, 90.0, 130.0, 145.0f64] {
        let mut tube = rest.clone();
        bend(&mut tube, 1, &joint, deg.to_radians(), &BendSettings::default());
        let factor = hold_volume(&mut tube, 0..2, volume, &exact());
        assert!((tube.volume(&exact()) / volume - 1.0).abs() < ROUNDING, "{deg}");
        assert!((0.8..1.1).contains(&factor), "{deg}: {factor}");
        assert!(tube.worst_seam(21).jump_deg < JUMP_DEG, "{deg}: {:?}", tube.worst_seam(21));
    }
}

#[test]
fn the_outside_alone_holds_the_volume_of_a_bend() {
    let (rest, joint) = elbow();
    let mut workspace = VolumeWorkspace::new(&rest);
    let volume = rest.volume(&exact());
    for deg in [-60.0, 15.0, 45.0, 90.0, 130.0, 145.0f64] {
        let mut tube = rest.clone();
        let settings = BendSettings::default();
        let (scale, _) =
            bend_holding_volume(&mut workspace, &mut tube, (1, &joint), deg.to_radians(), &settings);
        let ratio = tube.volume(&exact()) / volume;
        assert!((ratio - 1.0).abs() < 1e-6 || scale == 0.8, "{deg}: {ratio} by {scale}");
        assert!(tube.worst_seam(21).jump_deg < JUMP_DEG);
    }
}

/// A tube of 0.3 m in `bays` bays, and its axis.
fn forearm(bays: usize, flat: f64) -> (Tube, TwistAxis) {
    let tube = straight(4, bays, 0.3, DVec2::new(RADIUS, flat * RADIUS));
    (tube, TwistAxis { origin: DVec3::ZERO, direction: DVec3::X })
}

fn least_radius<'a>(patches: impl IntoIterator<Item = &'a Patch>) -> f64 {
    let mut least = f64::INFINITY;
    for patch in patches {
        for k in 0..=40 {
            for u in [0.0, 0.25, 0.5, 0.75, 1.0] {
                let point = patch.position(u, f64::from(k) / 40.0);
                least = least.min(point.with_x(0.0).length());
            }
        }
    }
    least / RADIUS
}

#[test]
fn rows_rotated_by_their_share_pinch_and_crease_as_measured() {
    let table = [
        (90.0, [(1, 0.925, 0.903), (2, 0.981, 0.975), (4, 0.995, 0.994), (8, 0.999, 0.998)]),
        (180.0, [(1, 0.729, 0.673), (2, 0.925, 0.903), (4, 0.981, 0.975), (8, 0.995, 0.994)]),
    ];
    for (deg, rows) in table {
        for (bays, radius, volume) in rows {
            let (rest, axis) = forearm(bays, 1.0);
            let mut tube = rest.clone();
            for row in 0..tube.row_count() {
                let share = row as f64 / (tube.row_count() - 1) as f64;
                let turn = DQuat::from_axis_angle(axis.direction, share * f64::to_radians(deg));
                tube.row_mut(row).iter_mut().for_each(|point| *point = turn * *point);
            }
            let patches: Vec<Patch> = tube.patches().collect();
            assert!((least_radius(&patches) - radius).abs() < 1.1e-3, "{deg} {bays}");
            let ratio = tube.volume(&exact()) / rest.volume(&exact());
            assert!((ratio - volume).abs() < 1.1e-3, "{deg} {bays}: {ratio}");
            if bays == 2 {
                let crease = if deg == 90.0 { 2.9 } else { 11.6 };
                assert!((tube.worst_ring(21).jump_deg - crease).abs() < 0.1, "{:?}", tube.worst_ring(21));
            }
        }
    }
}

#[test]
fn hermite_rows_keep_radius_volume_and_smoothness() {
    for (deg, most) in [(90.0, 5e-5), (180.0, 3e-4)] {
        for flat in [1.0, 0.6] {
            let (rest, axis) = forearm(2, flat);
            let mut tube = rest.clone();
            twist(&mut tube, 0..2, &axis, f64::to_radians(deg), TwistSpread::Even);
            let ratio = tube.volume(&exact()) / rest.volume(&exact());
            assert!((ratio - 1.0).abs() < most, "{deg}: {ratio}");
            assert!(tube.worst_ring(41).jump_deg < SMOOTH_DEG, "{:?}", tube.worst_ring(41));
            assert!(tube.worst_seam(41).jump_deg < SMOOTH_DEG, "{:?}", tube.worst_seam(41));
        }
    }
}

#[test]
fn a_smooth_spread_joins_to_untwisted_bays_of_any_section() {
    for (count, deg) in [(1, 90.0), (2, 90.0), (2, 180.0)] {
        let (rest, axis) = forearm(count + 2, 0.6);
        let mut tube = rest.clone();
        twist(&mut tube, 1..1 + count, &axis, f64::to_radians(deg), TwistSpread::Smooth);
        assert!(tube.worst_ring(41).jump_deg < SMOOTH_DEG, "{:?}", tube.worst_ring(41));
        let ratio = tube.volume(&exact()) / rest.volume(&exact());
        assert!((ratio - 1.0).abs() < 0.01, "{count} {deg}: {ratio}");
    }
}

#[test]
fn the_sources_twist_keeps_the_radius() {
    let tube = straight(2, 1, 0.3, DVec2::splat(RADIUS));
    let axis = TwistAxis { origin: DVec3::ZERO, direction: DVec3::X };
    for deg in [45.0, 90.0, 150.0, -90.0f64] {
        let patches = source_twist(&tube, 0, &axis, deg.to_radians());
        for patch in &patches {
            for k in 0..=400 {
                let (u, w) = (f64::from(k % 21) / 20.0, f64::from(k / 21) / 19.0);
                let radius = patch.position(u, w.min(1.0)).with_x(0.0).length() / RADIUS;
                assert!((0.9994..1.0003).contains(&radius), "{deg}: {radius}");
            }
        }
        for k in 0..4 {
            let (patch, next) = (&patches[k], &patches[(k + 1) % 4]);
            let found = crate::g1::compare_edges((patch, crate::Side::U1), (next, crate::Side::U0), 21);
            assert!(found.gap_m < ROUNDING && found.jump_deg < 0.1, "{deg} {k}: {found:?}");
        }
    }
    // Untreated, figure 22: rows 3 and 4 turned by 90°.
    let mut plain = tube.clone();
    let turn = DQuat::from_axis_angle(DVec3::X, std::f64::consts::FRAC_PI_2);
    for row in [3, 4] {
        plain.row_mut(row).iter_mut().for_each(|point| *point = turn * *point);
    }
    plain.row_mut(2).iter_mut().for_each(|point| *point = 0.5 * (*point + turn * *point));
    assert!((least_radius(&plain.patches().collect::<Vec<_>>()) - 0.707).abs() < 0.001);
}

/// The upper arm shortened by a fifth between its rings.
fn shortened() -> (Tube, f64) {
    let long = straight(4, 1, 0.3, DVec2::splat(RADIUS));
    (straight(4, 1, 0.24, DVec2::splat(RADIUS)), long.volume(&exact()))
}

#[test]
fn a_shortened_arm_keeps_its_volume_by_round_rows() {
    let (mut tube, volume) = shortened();
    hold_volume(&mut tube, 0..1, volume, &exact());
    assert!((tube.volume(&exact()) / volume - 1.0).abs() < 1e-13);
    let radius = tube.patch(0, 0).position(0.3, 0.5).with_x(0.0).length();
    assert!((radius - 0.0608).abs() < 1e-4, "{radius}");
}

#[test]
fn a_shortened_arm_keeps_its_volume_by_centers_with_four_lobes() {
    let (tube, volume) = shortened();
    let mut patches: Vec<Patch> = tube.patches().collect();
    let rules = BodyRules::for_reports();
    let directions: Vec<DVec3> = patches.iter().map(|patch| patch.normal(0.5, 0.5)).collect();
    let missing = volume - tube.volume(&exact());
    let length = hold_volume_by_centers(&mut patches, &directions, missing, &rules);
    let grown = rules.volume_of(&patches) - tube.patches().map(|patch| exact().volume(&patch)).sum::<f64>();
    assert!((grown / missing - 1.0).abs() < ROUNDING && length > 0.0);
    let radius = |u: f64| patches[0].position(u, 0.5).with_x(0.0).length();
    assert!((radius(0.0) - 0.05).abs() < 1e-4 && (radius(0.5) - 0.073).abs() < 1e-3, "{}", radius(0.5));
}

#[test]
fn a_muscle_rises_by_its_height() {
    let (rest, _) = elbow();
    let mut tube = rest.clone();
    bulge(&mut tube, &MuscleBulge { bay: 0, patch: 1, height_m: 0.01 }, std::f64::consts::FRAC_PI_2);
    let rise = tube.patch(0, 1).position(0.5, 0.5).distance(rest.patch(0, 1).position(0.5, 0.5));
    assert!((rise - 0.01).abs() < EXACT);
    assert!(tube.worst_seam(21).jump_deg < SMOOTH_DEG && tube.worst_ring(21).jump_deg < SMOOTH_DEG);
}

proptest! {
    #[test]
    fn any_elbow_bends_without_crossing(
        lengths in prop::array::uniform2(0.2f64..0.35),
        radii in prop::array::uniform2(0.03f64..0.055),
        middle in 0.03f64..0.06,
        flare in prop::array::uniform2(-0.3f64..0.3),
        off_bone in -0.008f64..0.008,
        roundness in 0.0f64..0.9,
        deg in -140.0f64..140.0,
    ) {
        let joint_at = DVec3::X * lengths[0];
        let station = |x: f64, off: f64| Station::straight(Ring::new(
            RingFrame::new(DVec3::new(x, 0.0, off), DVec3::X, DVec3::Y), DVec2::from_array(radii)));
        let mut elbow = station(lengths[0], off_bone);
        elbow.legs.flare = DVec2::from_array(flare);
        let stations = [station(0.0, 0.0), elbow, station(lengths[0] + lengths[1], 0.0)];
        let bay = BayShape { middle: Some(crate::tube::MiddleRing::new(DVec2::splat(middle))), ..BayShape::default() };
        let rest = Tube::from_stations(4, &stations, &[bay.clone(), bay]);
        let joint = Joint { center: joint_at, axis: DVec3::NEG_Y, bone_before: DVec3::X, bone_beyond: DVec3::X };
        let angle = deg.to_radians();
        let mut tube = rest.clone();
        let report = bend(&mut tube, 1, &joint, angle, &BendSettings { roundness, ..BendSettings::default() });
        prop_assert!(is_separated(&tube, &joint, angle) || report.far_crossings > 0, "{:?}", report);
        prop_assert!(tube.worst_seam(11).jump_deg < JUMP_DEG, "{:?}", tube.worst_seam(11));
        prop_assert!(report.folded_points > 0 || tube.worst_ring(11).jump_deg < JUMP_DEG, "{:?}", tube.worst_ring(11));
        let ratio = tube.volume(&exact()) / rest.volume(&exact());
        // A sharp outside at 140° costs a short arm a sixth of its volume.
        prop_assert!((0.75..1.2).contains(&ratio), "{}", ratio);
        // A small change of the pose is a small change of the skin.
        let mut near = rest.clone();
        bend(&mut near, 1, &joint, angle + 1e-6, &BendSettings { roundness, ..BendSettings::default() });
        let most = tube.points().iter().zip(near.points()).map(|(a, b)| a.distance(*b)).fold(0.0, f64::max);
        prop_assert!(most < 1e-5, "{}", most);
    }

    #[test]
    fn a_posed_finger_stays_closed_and_smooth(
        bends in prop::array::uniform2(-0.6f64..1.1),
        twists in prop::array::uniform2(-1.0f64..1.0),
        taper in -0.2f64..0.2,
        is_held in prop::bool::ANY,
    ) {
        let mut stations: Vec<Station> = (0..4)
            .map(|k| Station::straight(Ring::new(
                RingFrame::new(DVec3::X * 0.04 * f64::from(k), DVec3::X, DVec3::Y), DVec2::new(0.009, 0.008))))
            .collect();
        stations[1].legs.flare = DVec2::splat(taper);
        let rest = Tube::from_stations(4, &stations, &vec![BayShape::default(); 3]);
        let limb = |bay: usize| LimbJoint {
            bay,
            joint: Joint {
                center: DVec3::X * 0.04 * bay as f64,
                axis: DVec3::NEG_Y,
                bone_before: DVec3::X,
                bone_beyond: DVec3::X,
            },
            bend: BendSettings::default(),
            twist_bays: bay - 1..bay,
            spread: TwistSpread::Smooth,
            bulges: vec![MuscleBulge { bay: 0, patch: 0, height_m: 0.001 }],
            volume: if is_held { VolumeMode::Held } else { VolumeMode::Free },
        };
        let angles = [0, 1].map(|k| JointAngles { bend_rad: bends[k], twist_rad: twists[k] });
        let mut posed = rest.clone();
        pose_limb(&mut VolumeWorkspace::new(&rest), &rest, &[limb(1), limb(2)], &angles, &mut posed);
        prop_assert!(posed.worst_ring(11).jump_deg < JUMP_DEG, "{:?}", posed.worst_ring(11));
        prop_assert!(posed.worst_seam(11).jump_deg < JUMP_DEG, "{:?}", posed.worst_seam(11));
        let ratio = posed.volume(&exact()) / rest.volume(&exact());
        let room = if is_held { 1e-10 } else { 0.15 };
        prop_assert!((ratio - 1.0).abs() < room, "{}", ratio);
    }
}
