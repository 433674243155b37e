//! Whole characters, from a deformer to helpers.

use super::*;
use sinew_rig::{BoundSurface, Character, guess_humanoid, samples};
use sinew_skin::{Method, SkinSettings};

fn fit(character: &Character, method: Method, settings: &RigFitSettings) -> RigFit {
    let bound = BoundSurface::of(character);
    let drivers = Drivers::of(character, &bound).unwrap();
    let map = guess_humanoid(character);
    let deformer = sinew_skin::bind(character, &bound, &SkinSettings::from(method)).into();
    let poser = Poser { character, bound: &bound, drivers: &drivers, deformer };
    let regions = regions(character, &bound, &drivers, Some(&map), &|_| true);
    fit_rig(&poser, &regions, settings, &mut |_| true).unwrap()
}

fn quick(helper_count: usize) -> RigFitSettings {
    let mut settings =
        RigFitSettings { helper_count, pose_count: 60, held_out_count: 20, ..Default::default() };
    settings.helpers.start_count = 6;
    settings.helpers.refine_sweeps = 20;
    settings
}

#[test]
fn two_helpers_hold_a_limb_as_dual_quaternions_do() {
    let found = fit(&samples::limb(16, 24), Method::Dlb, &quick(2));
    let HeldOut { rms_plain, rms, largest_at_rest, .. } = found.held_out;
    assert!(rms < 0.35 * rms_plain, "{rms} of {rms_plain}: {:?}", found.regions);
    assert!(largest_at_rest < rms_plain, "{largest_at_rest}");
    assert!(found.rig.most_influences() <= 4 && found.rig.helper_count() == 2);
}

#[test]
fn helpers_go_where_bones_alone_do_worst_and_never_do_harm() {
    let figure = samples::figure();
    for sampling in [Sampling::LowDiscrepancy, Sampling::Adaptive] {
        let found = fit(&figure, Method::BEZIER, &RigFitSettings { sampling, ..quick(4) });
        assert_eq!(found.regions.iter().map(|region| region.helpers).sum::<usize>(), 4);
        let least = |has: bool| {
            let of = found.regions.iter().filter(move |region| (region.helpers > 0) == has);
            of.map(|region| region.rms_plain.powi(2) * region.vertices as f64)
        };
        let (worst_without, best_with) =
            (least(false).fold(0.0, f64::max), least(true).fold(f64::MAX, f64::min));
        assert!(worst_without <= best_with, "{:?}", found.regions);
        assert!(found.held_out.rms < found.held_out.rms_plain, "{:?}", found.held_out);
    }
}

#[test]
fn a_fit_that_is_stopped_says_so() {
    let limb = samples::limb(8, 8);
    let bound = BoundSurface::of(&limb);
    let drivers = Drivers::of(&limb, &bound).unwrap();
    let deformer = sinew_skin::bind(&limb, &bound, &SkinSettings::from(Method::Dlb)).into();
    let poser = Poser { character: &limb, bound: &bound, drivers: &drivers, deformer };
    let regions = regions(&limb, &bound, &drivers, None, &|_| true);
    let mut calls = 0;
    let stopped = fit_rig(&poser, &regions, &quick(2), &mut |_| {
        calls += 1;
        calls < 3
    });
    assert!(matches!(stopped, Err(FitError::Interrupted)));
}
