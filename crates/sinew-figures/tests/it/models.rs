//! What the source of SBS+ claims about its models 1 to 7, measured. Where a claim does not hold as stated, what holds is asserted, and
//! `docs/methods/sdef.md` says so.

use sinew::rig::BoundSurface;
use sinew::skin::Method;
use sinew::skin::measures::JointMeasures;
use sinew_figures::figures::{FigureModel, METHODS, Measured};

fn measures(model: &FigureModel, method: Method) -> JointMeasures {
    model.measured(method).measures
}

fn kink_deg(model: &FigureModel, method: Method) -> f64 {
    let measures = measures(model, method);
    let [begin, end] =
        [measures.kink_begin_rad, measures.kink_end_rad].map(|kink| kink.expect("rings at both ends"));
    begin.max(end).to_degrees()
}

fn bulge(model: &FigureModel, method: Method) -> f64 {
    measures(model, method).bulge.expect("a curve")
}

fn volume(model: &FigureModel, method: Method) -> f64 {
    measures(model, method).volume.expect("a body")
}

/// The largest distance between the vertices of two methods, in units of `radius`.
fn apart(a: &Measured, b: &Measured, radius: f32) -> f32 {
    let pairs = a.surface.positions.iter().zip(&b.surface.positions);
    pairs.map(|(a, b)| a.distance(*b)).fold(0.0, f32::max) / radius
}

fn bent_bodies() -> [FigureModel; 6] {
    [
        FigureModel::calf_and_foot(),
        FigureModel::hair(),
        FigureModel::shoulder(),
        FigureModel::elbow_bend(),
        FigureModel::wide_cylinder(),
        FigureModel::narrow_cylinder(),
    ]
}

#[test]
fn bezier_turns_no_more_at_the_ends_than_inside() {
    // A row of triangles is straight: the curve of rows turns by a little at each of them. The middle of the twisted limb is off the axis and
    // runs on a helix, which leaves the bones at an angle.
    for model in FigureModel::all().into_iter().filter(|model| model.key != "model5-twist") {
        let kink = kink_deg(&model, Method::BEZIER);
        let inside = measures(&model, Method::BEZIER).sharpest_turn_rad.expect("rings").to_degrees();
        assert!(kink < inside + 0.01, "{}: {kink}°, inside {inside}°", model.key);
    }
}

/// LBS and SBS have one center curve; where bones are bent in rest, the weights of a ring across the skin are not all equal.
const ONE_CURVE_DEG: f64 = 0.5;

#[test]
fn kinks_fall_from_dlb_over_lbs_and_sdef_to_bezier() {
    for model in FigureModel::all().into_iter().filter(|model| model.key != "model5-twist") {
        let [lbs, sbs, sdef, bezier, dlb] = METHODS.map(|method| kink_deg(&model, method));
        assert!(
            dlb > lbs && (lbs - sbs).abs() < ONE_CURVE_DEG && lbs > sdef && sdef > bezier,
            "{}: {lbs} {sbs} {sdef} {bezier} {dlb}",
            model.key
        );
    }
}

#[test]
fn lbs_is_the_thinnest_and_no_other_method_loses_as_much_section() {
    for model in bent_bodies().into_iter().chain([FigureModel::elbow_twist(0.0)]) {
        let section = |method| measures(&model, method).section.expect("a body with rings");
        let lbs = section(Method::Lbs);
        for method in &METHODS[1..] {
            assert!(lbs < section(*method) - 0.03, "{}: lbs {lbs}, {method} {}", model.key, section(*method));
        }
    }
}

#[test]
fn sdef_and_bezier_enclose_less_than_lbs_because_they_cut_the_corner() {
    // The claim that LBS loses most volume holds for the cross section (above) and for twists, not for the volume of a bent joint.
    for model in bent_bodies() {
        let [lbs, sbs, sdef, bezier, dlb] = METHODS.map(|method| volume(&model, method));
        assert!(
            sdef < lbs && bezier < lbs && lbs < sbs && sbs < dlb,
            "{}: {lbs} {sbs} {sdef} {bezier} {dlb}",
            model.key
        );
        let length = |method| measures(&model, method).length.expect("a curve");
        assert!(length(Method::SDEF) < 0.96 * length(Method::Lbs), "{}", model.key);
    }
}

#[test]
fn sbs_is_fuller_than_all_but_dlb_on_models_3_and_5_but_not_fuller_than_rest() {
    for model in [FigureModel::calf_and_foot(), FigureModel::shoulder(), FigureModel::elbow_bend()] {
        let sbs = volume(&model, Method::SBS);
        assert!(sbs > volume(&model, Method::Lbs) + 0.05, "{}", model.key);
        assert!(sbs > volume(&model, Method::SDEF) + 0.1, "{}", model.key);
        assert!(sbs > volume(&model, Method::BEZIER) + 0.1, "{}", model.key);
        assert!((0.97..1.0).contains(&sbs), "{}: {sbs}", model.key);
    }
}

#[test]
fn dlb_bulges_most_and_bezier_least() {
    for model in FigureModel::all().into_iter().filter(|model| model.key != "model5-twist") {
        let [lbs, sbs, sdef, bezier, dlb] = METHODS.map(|method| bulge(&model, method));
        assert!(dlb > lbs && lbs > sdef && sdef >= bezier, "{}: {lbs} {sdef} {bezier} {dlb}", model.key);
        // Limb radii; as for kinks, bones bent in rest make a difference.
        assert!((lbs - sbs).abs() < 0.02, "{}: one center curve, {lbs} {sbs}", model.key);
    }
}

#[test]
fn on_model_3_sdef_hardly_takes_the_kink_away_but_halves_the_bulge() {
    let model = FigureModel::calf_and_foot();
    let gain = 1.0 - kink_deg(&model, Method::SDEF) / kink_deg(&model, Method::Lbs);
    assert!((0.0..0.12).contains(&gain), "SBS+ takes {gain} of the kink");
    let left = bulge(&model, Method::SDEF) / bulge(&model, Method::Lbs);
    assert!((0.45..0.6).contains(&left), "{left} of the bulge is left");
    assert!(bulge(&model, Method::BEZIER) < 0.2 * bulge(&model, Method::Lbs));
}

#[test]
fn weights_by_smoothstep_turn_more_sharply_inside_until_they_are_calibrated() {
    let turn =
        |model: &FigureModel, method| measures(model, method).sharpest_turn_rad.expect("rings").to_degrees();
    let pairs = [
        (FigureModel::strip_bent(), FigureModel::strip_smoothstep()),
        (FigureModel::wide_cylinder(), FigureModel::wide_smoothstep()),
    ];
    for (linear, painted) in pairs {
        let [sdef, bezier] = [Method::SDEF, Method::BEZIER].map(|method| turn(&painted, method));
        assert!(bezier > 1.4 * sdef && sdef > 1.5 * turn(&linear, Method::SDEF), "{bezier}° {sdef}°");
        assert!(kink_deg(&painted, Method::BEZIER) < 0.05);
        let calibrated = painted.calibrated("calibrated");
        for method in [Method::SDEF, Method::BEZIER] {
            let (after, wanted) = (turn(&calibrated, method), turn(&linear, method));
            assert!((after - wanted).abs() < 0.05, "{method}: {after}°, linear weights {wanted}°");
        }
    }
}

#[test]
fn model_5_elbow_differs_less_than_its_shoulder_and_sdef_is_bezier_there() {
    // "Nearly equal by all methods" is true of SBS+ and Bézier (under 1 % of the radius) and of LBS, SBS and DLB among themselves; between
    // the two groups half a radius remains at 75°.
    let radius = 0.038;
    let [lbs, sbs, sdef, bezier, dlb] = METHODS.map(|method| FigureModel::elbow_bend().measured(method));
    assert!(apart(&sdef, &bezier, radius) < 0.01);
    assert!(
        apart(&lbs, &sbs, radius) < 0.25
            && apart(&lbs, &dlb, radius) < 0.25
            && apart(&sbs, &dlb, radius) < 0.13
    );
    let groups = apart(&lbs, &bezier, radius);
    assert!((0.5..0.65).contains(&groups), "{groups}");
    let shoulder = METHODS.map(|method| FigureModel::shoulder().measured(method));
    assert!(
        apart(&shoulder[0], &shoulder[3], radius) > 1.8 * groups,
        "in metres, the wide joint differs far more"
    );
}

#[test]
fn a_twist_pinches_lbs_and_nothing_else_on_a_centered_limb() {
    let model = FigureModel::elbow_twist(0.0);
    let lbs = measures(&model, Method::Lbs).radius.expect("a curve").least;
    // cos 45°; no ring of the mesh need lie exactly where t = ½.
    assert!((lbs - std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-3, "{lbs}");
    for method in &METHODS[1..] {
        let measures = measures(&model, *method);
        let radius = measures.radius.expect("a curve");
        assert!(radius.least > 0.999 && radius.greatest < 1.001, "{method}: {radius:?}");
        // A polygonal tube that is twisted loses what its quads bend inwards: well below a hundredth here.
        assert!((measures.volume.expect("a body") - 1.0).abs() < 2e-3, "{method}: {measures:?}");
    }
}

#[test]
fn a_twist_about_an_axis_off_the_middle_dents_every_method_a_little() {
    // The limb's middle runs on a helix of radius e about the bone; seen from the side it dents by the helix's sagitta, e (1 − cos 45°).
    let (off_axis, radius) = (0.006_f32, 0.038_f32);
    let model = FigureModel::elbow_twist(off_axis);
    let bound = BoundSurface::of(&model.character);
    for method in &METHODS[1..] {
        let measured = model.measured(*method);
        let probe = measured.joints[0].probe;
        let middle_at = |share: f32| {
            let station = probe.range.begin.lerp(probe.range.end, share).x;
            let nearest =
                bound.rest().positions.iter().map(|p| (p.x - station).abs()).fold(f32::MAX, f32::min);
            let ring: Vec<_> = (0..bound.vertex_count())
                .filter(|&v| (bound.rest().positions[v].x - station).abs() <= nearest + 1e-5)
                .map(|v| measured.surface.positions[v])
                .collect();
            let mut sum = ring.iter().copied().sum::<glam::Vec3>() / ring.len() as f32;
            sum.x = 0.0;
            sum
        };
        let dent = (middle_at(0.0).midpoint(middle_at(1.0)) - middle_at(0.5)).length();
        let expected = off_axis * (1.0 - std::f32::consts::FRAC_1_SQRT_2);
        assert!((dent - expected).abs() < 0.1 * expected, "{method}: {dent}, expected {expected}");
        assert!((0.03..0.07).contains(&(dent / radius)), "{method}: slight");
    }
}

#[test]
fn on_model_7_sdef_is_all_but_bezier_and_on_model_6_it_is_not() {
    let apart_on =
        |model: FigureModel| apart(&model.measured(Method::SDEF), &model.measured(Method::BEZIER), 0.1);
    let (narrow, wide) = (apart_on(FigureModel::narrow_cylinder()), apart_on(FigureModel::wide_cylinder()));
    assert!(narrow < 0.02, "{narrow} radii");
    assert!(wide > 0.2, "{wide} radii");
}

#[test]
fn the_sweep_of_s_runs_from_sbs_to_a_straight_line() {
    use sinew::skin::RotationBlend::Slerp;
    let model = FigureModel::wide_cylinder();
    let at = |s| model.measured(Method::Sdef { s, rotation: Slerp });
    assert!(apart(&at(1.0), &model.measured(Method::SBS), 0.1) < 1e-5);
    let line = at(0.0).curves[0].clone();
    let (first, last) = (line[0], line[line.len() - 1]);
    for point in &line {
        let off = (*point - first).cross((last - first).normalize()).length();
        // Meters: centroids of f32 positions.
        assert!(off < 1e-5, "{point} is {off} off the line");
    }
    let bulges = [1.0, 0.75, 0.5, 0.25, 0.0].map(|s| at(s).measures.bulge.expect("a curve"));
    assert!(bulges.windows(2).all(|pair| pair[0] >= pair[1]), "{bulges:?}");
}
