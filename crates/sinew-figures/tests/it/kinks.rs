//! The kinks and the curve of a joint: the table of reference values, and the law that the source of SBS+ does not state.

use glam::{Affine3A, DVec3, Quat, Vec3};
use sinew::skin::measures::JointProbe;
use sinew::skin::{Method, SoftRange};

/// A child along +Y, `bend` against its parent in rest, turned by 90° about Z; `a` and `b` are how far the soft range reaches.
fn probe(a: f32, b: f32, bend_rad: f32) -> JointProbe {
    let child_axis = Quat::from_rotation_z(bend_rad) * Vec3::Y;
    JointProbe {
        parent_head: Vec3::NEG_Y * 4.0,
        head: Vec3::ZERO,
        child_tip: child_axis * 4.0,
        range: SoftRange { begin: Vec3::NEG_Y * a, end: child_axis * b },
        parent: Affine3A::IDENTITY,
        child: Affine3A::from_rotation_z(std::f32::consts::FRAC_PI_2),
    }
}

/// Degrees: the reference has one decimal.
const KINK_TOLERANCE_DEG: f64 = 0.1;

#[track_caller]
fn check(probe: &JointProbe, method: Method, expected: [f64; 2]) {
    let kink = probe.kink(method).expect("a method with a center curve").to_degrees();
    for (measured, expected) in kink.into_iter().zip(expected) {
        assert!((measured - expected).abs() <= KINK_TOLERANCE_DEG, "{method}: {kink:?}, expected {expected}");
    }
}

#[test]
fn kinks_are_those_of_the_table() {
    // a, b, bend; then LBS and SBS, SBS+, DLB; Bézier has none.
    for (a, b, bend, lbs, sdef, dlb) in [
        (1.0, 1.0, 0.0, [18.4, 18.4], [0.0, 0.0], [35.2, 35.2]),
        (1.0, 2.0, 0.0, [14.0, 21.8], [11.3, 8.1], [25.2, 43.3]),
        (1.0, 1.0, 0.5, [18.4, 18.4], [9.4, 9.4], [35.2, 35.2]),
        (1.0, 2.0, 0.5, [14.0, 21.8], [2.7, 13.5], [25.2, 43.3]),
    ] {
        let probe = probe(a, b, bend);
        check(&probe, Method::Lbs, lbs);
        check(&probe, Method::SBS, lbs);
        check(&probe, Method::SDEF, sdef);
        check(&probe, Method::BEZIER, [0.0, 0.0]);
        check(&probe, Method::Dlb, dlb);
    }
}

#[test]
fn sdef_is_not_always_better_than_lbs() {
    let at_begin = |probe: &JointProbe, method| probe.kink(method).expect("a curve").to_degrees()[0];
    let (uneven, very_uneven, bent) = (probe(1.0, 3.0, 0.0), probe(1.0, 5.0, 0.0), probe(1.0, 1.0, 1.2));
    check(&uneven, Method::Lbs, [11.3, 23.2]);
    assert!((at_begin(&uneven, Method::SDEF) - 18.4).abs() <= KINK_TOLERANCE_DEG);
    assert!(at_begin(&very_uneven, Method::SDEF) > at_begin(&very_uneven, Method::Dlb));
    assert!((at_begin(&bent, Method::SDEF) - 23.0).abs() <= KINK_TOLERANCE_DEG);
    assert!(at_begin(&bent, Method::SDEF) > at_begin(&bent, Method::Lbs));
}

#[test]
fn straight_even_sdef_is_the_bezier_curve_of_the_law() {
    // With y from −1 at r0 to 1 at r1: −(1−y)²/4 e + (1+y)²/4 Re. Tolerance: a few roundings of f32 at length 1.
    const TOLERANCE: f64 = 1e-6;
    for turn_rad in [0.3_f32, 1.0, std::f32::consts::FRAC_PI_2, 2.8] {
        let mut probe = probe(1.0, 1.0, 0.0);
        probe.child = Affine3A::from_rotation_z(turn_rad);
        let turned = probe.child.transform_vector3(Vec3::Y).as_dvec3();
        for step in 0..=40 {
            let share = f64::from(step) / 40.0;
            let y = 2.0 * share - 1.0;
            let law = DVec3::Y * (-(1.0 - y).powi(2) / 4.0) + turned * ((1.0 + y).powi(2) / 4.0);
            for method in [Method::SDEF, Method::BEZIER] {
                let moved = probe.moved(method, share).expect("a curve");
                assert!(moved.distance(law) < TOLERANCE, "{method} at {y}: {moved}, law {law}");
            }
        }
    }
}

#[test]
fn sdef_and_bezier_part_when_the_range_is_uneven_or_the_rest_is_bent() {
    let apart = |probe: &JointProbe| {
        let distance = |step: i32| {
            let moved = |method| probe.moved(method, f64::from(step) / 40.0).expect("a curve");
            moved(Method::SDEF).distance(moved(Method::BEZIER))
        };
        (0..=40).map(distance).fold(0.0, f64::max)
    };
    assert!(apart(&probe(1.0, 2.0, 0.0)) > 0.05);
    assert!(apart(&probe(1.0, 1.0, 0.5)) > 0.02);
}
