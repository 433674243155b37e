//! Bodies with drivers.

use crate::*;
use glam::Vec3;
use sinew_geometry::{MonotoneCurve, TetMesh};

const SIZE: Vec3 = Vec3::new(0.8, 0.4, 0.4);

/// A bar with a long and a short example.
fn bar(grouping: Grouping, beta: f32) -> SoftBody {
    let mesh = TetMesh::lattice([8, 4, 4], SIZE);
    let masses = vec![0.5; mesh.points().len()];
    let regions =
        Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| RegionMaterial::default());
    let scaled = |by: Vec3| mesh.points().iter().map(|point| *point * by).collect::<Vec<_>>();
    let shapes = [scaled(Vec3::new(1.5, 0.8, 0.8)), scaled(Vec3::new(0.7, 1.2, 1.2))];
    let settings = ExampleSettings { grouping, beta, ..ExampleSettings::default() };
    let examples = ExampleSet::bind(&regions, &shapes, &settings).unwrap();
    SoftBody::new(mesh.points(), &masses, vec![(regions, Some(examples))])
}

fn length(body: &SoftBody) -> f32 {
    let low = body.positions().map(|place| place.x).fold(f32::INFINITY, f32::min);
    body.positions().map(|place| place.x).fold(f32::NEG_INFINITY, f32::max) - low
}

fn floating() -> StepSettings {
    StepSettings { gravity: Vec3::ZERO, damping: 0.0, ..StepSettings::default() }
}

#[test]
fn a_bar_grows_long_with_speed_and_keeps_its_momentum() {
    for grouping in [Grouping::Whole, Grouping::Each] {
        let mut body = bar(grouping, 0.9);
        (0..body.particle_count()).for_each(|at| body.set_velocity(at, Vec3::X * 4.0));
        let curve = MonotoneCurve::ramp(0.0, 8.0).unwrap();
        let mut drivers =
            Drivers::bind(&body, vec![Driver::new(0, Measure::Speed(Part::Whole), curve)]).unwrap();
        let before = body.momentum();
        for _ in 0..240 {
            body.drive(&mut drivers, &floating(), &[]);
            body.step(&floating(), &[]);
        }
        // Half of the way from 0.8 m to 1.2 m.
        assert!((drivers.weights()[0] - 0.5).abs() < 1e-3, "{:?}", drivers.weights());
        assert!((length(&body) - 1.0).abs() < 0.05, "{}", length(&body));
        assert!((body.momentum().linear - before.linear).length() < 1e-4 * before.linear.length());
    }
}

#[test]
fn weights_follow_with_their_times_and_not_at_once() {
    let mut body = bar(Grouping::Whole, 0.9);
    let curve = MonotoneCurve::new(&[[0.0, 1.0]]).unwrap();
    let driver = Driver { rise_secs: 0.5, ..Driver::new(0, Measure::Speed(Part::Whole), curve) };
    let mut drivers = Drivers::bind(&body, vec![driver]).unwrap();
    (0..30).for_each(|_| body.drive(&mut drivers, &floating(), &[]));
    // Half a second in steps of a sixtieth.
    assert!((drivers.weights()[0] - (1.0 - (-1.0f32).exp())).abs() < 1e-3, "{:?}", drivers.weights());
}

#[test]
fn each_measure_measures() {
    let mut body = bar(Grouping::Whole, 0.9);
    // Read by a ramp, because weights lie between 0 and 1.
    let read = |body: &mut SoftBody, measure: Measure, most: f32| {
        let curve =
            MonotoneCurve::new(&[[0.0, 0.0], [f64::from(0.5 * most), 0.5], [f64::from(most), 1.0]]).unwrap();
        let driver = Driver { rise_secs: 0.0, fall_secs: 0.0, ..Driver::new(0, measure, curve) };
        let mut drivers = Drivers::bind(body, vec![driver]).unwrap();
        let floor = [Collider::floor(-0.3, ContactSettings::default())];
        body.drive(&mut drivers, &StepSettings::default(), &floor);
        body.drive(&mut drivers, &StepSettings::default(), &floor);
        drivers.weights()[0]
    };
    let far = Measure::Distance(Place::Particle(0), Place::Point(Vec3::Y * 2.0));
    assert!((read(&mut body, far, 4.0) - 0.5).abs() < 1e-4);
    let across = Measure::Distance(Place::Center, Place::Particle(0));
    assert!((read(&mut body, across, 2.0 * 0.5 * SIZE.length()) - 0.5).abs() < 1e-4);
    let above = Measure::Clearance(Place::Particle(0), 0);
    assert!((read(&mut body, above, 0.6) - 0.5).abs() < 1e-4);
    assert_eq!(read(&mut body, Measure::Clearance(Place::Center, 7), 1.0), 1.0);
    (0..body.particle_count()).for_each(|at| body.set_velocity(at, Vec3::new(0.0, -3.0, 0.0)));
    assert!((read(&mut body, Measure::SpeedAlong(Part::Whole, Vec3::NEG_Y * 9.0), 6.0) - 0.5).abs() < 1e-4);
    assert_eq!(read(&mut body, Measure::SpeedAlong(Part::Whole, Vec3::Y), 6.0), 0.0);
    assert!((read(&mut body, Measure::Speed(Part::Some(vec![3, 4])), 6.0) - 0.5).abs() < 1e-4);
    // A stretch by a tenth: (1.1² − 1) / 2 = 0.105.
    let places: Vec<Vec3> = body.positions().collect();
    places
        .iter()
        .enumerate()
        .for_each(|(at, place)| body.set_position(at, *place * Vec3::new(1.1, 1.0, 1.0)));
    assert!((read(&mut body, Measure::Strain(Part::Whole), 0.21) - 0.5).abs() < 1e-3);
    assert!((read(&mut body, Measure::Strain(Part::Some(vec![100])), 0.21) - 0.5).abs() < 1e-3);
}

#[test]
fn the_force_on_a_bar_that_lies_is_its_weight() {
    let mut body = bar(Grouping::Whole, 0.9);
    let floor = [Collider::floor(0.0, ContactSettings::default())];
    let settings = StepSettings { damping: 4.0, ..StepSettings::default() };
    (0..600).for_each(|_| body.step(&settings, &floor));
    let weight = 9.81 * 0.5 * body.particle_count() as f32;
    // So little that the driver does not set the bar in motion.
    let curve = MonotoneCurve::new(&[[0.0, 0.0], [f64::from(weight), 5e-3], [f64::from(2.0 * weight), 1e-2]])
        .unwrap();
    let driver = Driver::new(1, Measure::Force(Part::Whole), curve);
    let mut drivers = Drivers::bind(&body, vec![driver]).unwrap();
    for _ in 0..120 {
        body.drive(&mut drivers, &settings, &floor);
        body.step(&settings, &floor);
    }
    assert!((drivers.weights()[0] - 5e-3).abs() < 1e-4, "{:?}", drivers.weights());
}

#[test]
fn groups_are_driven_apart_and_found_weights_make_room() {
    let groups = (0..225).map(|region| region / 113).collect();
    let mut body = bar(Grouping::Groups(groups), 1.0);
    let full = MonotoneCurve::new(&[[0.0, 0.75]]).unwrap();
    let driver = Driver {
        group: Some(1),
        rise_secs: 0.0,
        drive: Drive::Add,
        ..Driver::new(1, Measure::Speed(Part::Whole), full)
    };
    let mut drivers = Drivers::bind(&body, vec![driver]).unwrap();
    // In the long example's shape, so that it is found.
    let places: Vec<Vec3> = body.positions().collect();
    places
        .iter()
        .enumerate()
        .for_each(|(at, place)| body.set_position(at, *place * Vec3::new(1.5, 0.8, 0.8)));
    body.drive(&mut drivers, &floating(), &[]);
    body.step(&StepSettings { iterations: 1, ..floating() }, &[]);
    let examples = body.examples(0).unwrap();
    let (free, driven) = (examples.used_weights(0), examples.used_weights(1));
    assert!(free[0] > 0.95 && free[1] < 0.01, "{free:?}");
    assert!((driven[1] - 0.75).abs() < 0.01 && (driven[0] - 0.25).abs() < 0.01, "{driven:?}");
    body.stop_driving();
    body.step(&StepSettings { iterations: 1, ..floating() }, &[]);
    let examples = body.examples(0).unwrap();
    let found: Vec<f32> = examples.weights(1).iter().map(|weight| *weight as f32).collect();
    assert_eq!(examples.used_weights(1), found);
}

#[test]
fn drivers_that_do_not_fit_are_refused() {
    let body = bar(Grouping::Whole, 0.9);
    let curve = || MonotoneCurve::ramp(0.0, 1.0).unwrap();
    let plain = || Driver::new(0, Measure::Speed(Part::Whole), curve());
    let refused = |driver: Driver| Drivers::bind(&body, vec![plain(), driver]).unwrap_err();
    assert_eq!(refused(Driver { level: 1, ..plain() }), ExampleError::DriverLevel { driver: 1, level: 1 });
    assert_eq!(
        refused(Driver { example: 2, ..plain() }),
        ExampleError::DriverTarget { driver: 1, kind: "example", number: 2, count: 2 }
    );
    assert_eq!(
        refused(Driver { group: Some(1), ..plain() }),
        ExampleError::DriverTarget { driver: 1, kind: "group", number: 1, count: 1 }
    );
    let far = Driver { measure: Measure::Distance(Place::Center, Place::Particle(225)), ..plain() };
    let expected = ExampleError::DriverMeasure { driver: 1, kind: "particle", number: 225, count: 225 };
    assert_eq!(refused(far), expected);
    assert!(matches!(refused(Driver { fall_secs: f32::NAN, ..plain() }), ExampleError::DriverTime { .. }));
}

#[test]
fn drivers_of_a_torn_body_keep_weights_within_bounds() {
    let mut body = bar(Grouping::Each, 0.9);
    let list = [
        Measure::Speed(Part::Whole),
        Measure::Force(Part::Whole),
        Measure::Strain(Part::Whole),
        Measure::Distance(Place::Center, Place::Particle(3)),
    ]
    .map(|measure| Driver {
        drive: Drive::Add,
        ..Driver::new(0, measure, MonotoneCurve::ramp(0.0, 0.5).unwrap())
    });
    let mut drivers = Drivers::bind(&body, list.to_vec()).unwrap();
    for step in 0..60 {
        // Thrown about by more than any scene would.
        let far = Vec3::new(1.0, -2.0, 3.0) * if step % 7 == 0 { 1e6 } else { 0.0 };
        body.set_position(step, far);
        body.set_velocity(step + 1, far * 1e3);
        let dt_secs = if step % 5 == 0 { 0.0 } else { 1.0 / 60.0 };
        let settings = StepSettings { dt_secs, ..StepSettings::default() };
        body.drive(&mut drivers, &settings, &[]);
        body.step(&settings, &[]);
        assert!(
            drivers.weights().iter().all(|weight| (0.0..=1.0).contains(weight)),
            "{:?}",
            drivers.weights()
        );
        for region in 0..body.region_count(0) {
            let used = body.examples(0).unwrap().used_weights(region);
            let is_in_hull =
                used.iter().all(|weight| *weight >= 0.0) && used.iter().sum::<f32>() < 1.0 + 1e-4;
            assert!(is_in_hull, "step {step}, region {region}: {used:?}");
        }
        assert!(body.positions().all(|place| place.is_finite()), "step {step}");
    }
}
