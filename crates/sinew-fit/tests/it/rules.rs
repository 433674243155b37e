//! What weights respect, on the tube.

use crate::support::{fit, quick, tube::Tube};
use sinew_fit::{HelperFit, HelperMotion, HelperSettings, WeightRules};

const ROUNDING: f64 = 1e-9;

fn with(rules: WeightRules, helper_count: usize) -> HelperSettings {
    HelperSettings { rules, ..quick(helper_count) }
}

/// Half and half above the joint, all on the first driver below.
fn given(tube: &Tube) -> Vec<f64> {
    tube.rest.iter().flat_map(|place| if place.y > 0.0 { [0.5, 0.5] } else { [1.0, 0.0] }).collect()
}

#[test]
fn locked_vertices_and_drivers_keep_their_weights() {
    let tube = Tube::grid();
    let locked_vertices = vec![3, 40, 100];
    let rules = WeightRules { driver_weights: given(&tube), locked_vertices, ..WeightRules::default() };
    let fitted = fit(&tube, &with(rules, 2));
    for vertex in [3, 40, 100] {
        assert_eq!(
            fitted.weights[vertex * 4..][..4],
            [&given(&tube)[vertex * 2..][..2], &[0.0, 0.0]].concat()
        );
    }
    let rules =
        WeightRules { driver_weights: given(&tube), locked_drivers: vec![1], ..WeightRules::default() };
    let fitted = fit(&tube, &with(rules, 2));
    for (row, given) in fitted.weights.chunks(4).zip(given(&tube).chunks(2)) {
        assert!((row[1] - given[1]).abs() < ROUNDING, "{row:?}");
        assert!((row.iter().sum::<f64>() - 1.0).abs() < ROUNDING && row.iter().all(|&weight| weight >= 0.0));
    }
}

fn roughness(tube: &Tube, fit: &HelperFit) -> f64 {
    let bone_count = 2 + fit.helper_count;
    let row = |vertex: u32| &fit.weights[vertex as usize * bone_count..][..bone_count];
    let along = |a: u32, b: u32| row(a).iter().zip(row(b)).map(|(a, b)| (a - b).powi(2)).sum::<f64>();
    tube.triangles.iter().map(|&[a, b, c]| along(a, b) + along(b, c) + along(c, a)).sum()
}

#[test]
fn smooth_weights_are_smoother_for_a_little_error() {
    let tube = Tube::grid();
    let rough = fit(&tube, &quick(3));
    let smooth = fit(&tube, &with(WeightRules { smoothness: 1.0, ..WeightRules::default() }, 3));
    assert!(roughness(&tube, &smooth) < 0.7 * roughness(&tube, &rough), "{}", roughness(&tube, &smooth));
    assert!(smooth.errors.rms < 2.5 * rough.errors.rms, "{} {}", smooth.errors.rms, rough.errors.rms);
}

#[test]
fn local_helpers_reach_less_far() {
    let tube = Tube::grid();
    let reach = |fit: &HelperFit| -> f64 {
        let bone_count = 2 + fit.helper_count;
        let rows = fit.weights.chunks(bone_count).zip(&tube.rest);
        let far = |(row, place): (&[f64], &glam::Vec3)| -> f64 {
            let pairs = row[2..].iter().zip(&fit.homes);
            pairs.map(|(weight, home)| (weight * home.distance(place.as_dvec3())).powi(2)).sum()
        };
        rows.map(far).sum::<f64>().sqrt()
    };
    let free = fit(&tube, &quick(3));
    let local = fit(&tube, &with(WeightRules { locality: 0.1, ..WeightRules::default() }, 3));
    assert!(reach(&local) < 0.7 * reach(&free), "{} {}", reach(&local), reach(&free));
}

#[test]
fn mirrored_weights_are_alike_and_helpers_come_in_pairs() {
    let tube = Tube::grid();
    let mirror = tube.mirror();
    let fitted = fit(&tube, &with(WeightRules { mirror: Some(mirror.clone()), ..WeightRules::default() }, 4));
    assert!(fitted.helper_count > 0 && fitted.mirror_pairs.len() == fitted.helper_count);
    let bone_count = 2 + fitted.helper_count;
    let partner = |bone: usize| match bone.checked_sub(2) {
        None => bone,
        Some(helper) => 2 + fitted.mirror_pairs[helper].unwrap_or(helper),
    };
    for (vertex, row) in fitted.weights.chunks(bone_count).enumerate() {
        let other = &fitted.weights[mirror.vertices[vertex] as usize * bone_count..][..bone_count];
        for bone in 0..bone_count {
            assert!((row[bone] - other[partner(bone)]).abs() < ROUNDING, "vertex {vertex}, bone {bone}");
        }
        assert!(row.iter().filter(|&&weight| weight > 0.0).count() <= 4, "vertex {vertex}: {row:?}");
    }
    let alone = fit(&tube, &quick(0)).errors.rms;
    assert!(fitted.errors.rms < 0.6 * alone, "{} of {alone}", fitted.errors.rms);
}

#[test]
fn helpers_of_fixed_length_hang_on_their_pivot() {
    let tube = Tube::grid();
    let fitted = fit(&tube, &HelperSettings { motion: HelperMotion::FixedLength, ..quick(2) });
    assert_eq!(fitted.pivots.len(), fitted.helper_count);
    for (pose, matrices) in fitted.posed_from_rest.chunks(fitted.helper_count).enumerate() {
        for (matrix, pivot) in matrices.iter().zip(&fitted.pivots) {
            let by_driver = tube.matrices[pose * 2 + pivot.driver].transform_point3(pivot.point);
            let distance = matrix.transform_point3(pivot.point).distance(by_driver);
            assert!(distance < ROUNDING, "pose {pose}: {distance}");
        }
    }
    let alone = fit(&tube, &quick(0)).errors.rms;
    assert!(fitted.errors.rms < 0.7 * alone, "{} of {alone}", fitted.errors.rms);
}
