//! Chains and sheets against the theory of beams and plates.

use glam::{Quat, Vec3};
use sinew_soft::{
    Chain, ChainMaterial, RegionMaterial, Regions, Rings, Sheet, SheetMaterial, SoftBody, StepSettings,
    Strand,
};

const G: f32 = 9.81;

fn straight(segments: usize, length: f32) -> Vec<Vec3> {
    (0..=segments).map(|at| Vec3::X * (length * at as f32 / segments as f32)).collect()
}

fn rod(points: Vec<Vec3>, radius_m: f32, material: ChainMaterial) -> SoftBody {
    Chain { strands: vec![Strand { points, radius_m }], material }.body().expect("a strand that is right")
}

fn clamp(body: &mut SoftBody, particle: usize) {
    body.hold(particle, Some(body.position(particle)));
    body.hold_frame(particle, body.frame(particle));
}

fn settle(body: &mut SoftBody, seconds: f32, settings: &StepSettings) {
    for _ in 0..(seconds / settings.dt_secs).round() as usize {
        body.step(settings, &[]);
    }
}

fn calm() -> StepSettings {
    StepSettings { damping: 4.0, ..StepSettings::default() }
}

#[test]
fn a_rod_sags_as_euler_and_bernoulli_say_at_any_resolution_and_rate() {
    let (length, radius) = (0.5f32, 0.01f32);
    let material =
        ChainMaterial { bend_square_speed: 2e5, stretch_square_speed: 2e5, ..ChainMaterial::default() };
    // w L⁴ / 8 E I, with I / A = r² / 4.
    let expected = G * length.powi(4) / (8.0 * 2e5 * radius * radius / 4.0);
    for (segments, rate, iterations) in
        [(10, 60.0, 20), (20, 60.0, 20), (40, 60.0, 20), (40, 240.0, 5), (40, 60.0, 3)]
    {
        let mut body = rod(straight(segments, length), radius, material);
        clamp(&mut body, 0);
        let settings = StepSettings { dt_secs: 1.0 / rate, iterations, ..calm() };
        settle(&mut body, 3.0, &settings);
        let sag = -body.position(segments).y;
        assert!((sag / expected - 1.0).abs() < 0.03, "{segments} segments: {sag} instead of {expected}");
    }
}

#[test]
fn a_rod_twists_under_an_end_torque_as_it_should_and_swings_back() {
    let (length, radius) = (0.5f32, 0.01f32);
    let material = ChainMaterial::default();
    let torque = 1e-3;
    // T L / G J, with J = π r⁴ / 2.
    let modulus = material.twist_square_speed * material.density;
    let expected = torque * length / (modulus * std::f32::consts::FRAC_PI_2 * radius.powi(4));
    for segments in [10, 40] {
        let mut body = rod(straight(segments, length), radius, material);
        clamp(&mut body, 0);
        let settings = StepSettings { gravity: Vec3::ZERO, ..calm() };
        for _ in 0..180 {
            body.twist(segments, Vec3::X * torque);
            body.step(&settings, &[]);
        }
        let angle = body.frame(segments).unwrap().to_scaled_axis().x;
        assert!((angle / expected - 1.0).abs() < 0.01, "{segments}: {angle} instead of {expected}");
        // Let go, it swings through rest to the other side.
        let swing = StepSettings { gravity: Vec3::ZERO, damping: 0.0, dt_secs: 1.0 / 2000.0, ..calm() };
        let mut least = angle;
        for _ in 0..400 {
            body.step(&swing, &[]);
            least = least.min(body.frame(segments).unwrap().to_scaled_axis().x);
        }
        assert!(least < -0.5 * angle, "{segments}: {least}");
    }
}

#[test]
fn a_strip_sags_as_a_plate_does_at_any_resolution() {
    let (length, width, thickness) = (0.4f32, 0.1f32, 0.01f32);
    let speed = 1e5;
    let material = SheetMaterial {
        stretch_square_speed: speed,
        bend_square_speed: speed,
        thickness_m: thickness,
        density: 500.0,
        rubbing: 0.0,
    };
    let expected = G * length.powi(4) / (8.0 * speed * thickness * thickness / 12.0);
    for cells in [[8, 2], [16, 4], [24, 6]] {
        let sheet = Sheet::grid(cells, Vec3::X * length, Vec3::Z * -width, material);
        let mut body = sheet.body().unwrap();
        for particle in 0..=cells[1] {
            clamp(&mut body, particle);
        }
        let settings = StepSettings { dt_secs: 1.0 / 240.0, ..calm() };
        settle(&mut body, 4.0, &settings);
        let sag = -body.position(body.particle_count() - 1).y;
        assert!((sag / expected - 1.0).abs() < 0.1, "{cells:?}: {sag} instead of {expected}");
    }
}

#[test]
fn a_free_chain_keeps_its_momentum() {
    let mut body = rod(straight(20, 0.5), 0.01, ChainMaterial::default());
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 0.0, ..StepSettings::default() };
    for at in 0..=20 {
        let x = 0.025 * at as f32;
        body.set_velocity(at, Vec3::new(0.3, 2.0 * x, (12.0 * x).sin()));
        body.set_spin(at, Vec3::new(5.0, 0.0, 2.0));
    }
    let before = body.momentum();
    settle(&mut body, 3.0, &settings);
    let after = body.momentum();
    assert!((after.linear - before.linear).length() < 1e-4 * before.linear.length());
    assert!(
        (after.angular - before.angular).length() < 1e-3 * before.angular.length(),
        "{before:?} {after:?}"
    );
}

#[test]
fn curls_are_kept_and_rest_is_rest() {
    let curl = |at: usize| {
        let turn = 0.5 * at as f32;
        Vec3::new(0.02 * turn.cos(), -0.004 * at as f32, 0.02 * turn.sin())
    };
    let points: Vec<Vec3> = (0..40).map(curl).collect();
    let weightless = StepSettings { gravity: Vec3::ZERO, ..StepSettings::default() };
    let mut body = rod(points.clone(), 0.002, ChainMaterial::default());
    settle(&mut body, 1.0, &weightless);
    let moved = (0..40).map(|at| body.position(at).distance(points[at])).fold(0.0, f32::max);
    assert!(moved < 1e-6, "{moved}");
    // Unrolled by force, it curls again.
    for at in 0..40 {
        body.set_position(at, Vec3::X * (0.01 * at as f32));
        body.set_frame(at, Quat::IDENTITY);
    }
    settle(&mut body, 6.0, &StepSettings { gravity: Vec3::ZERO, damping: 3.0, ..StepSettings::default() });
    let span = body.position(39).distance(body.position(0));
    let rest = points[39].distance(points[0]);
    assert!((span / rest - 1.0).abs() < 0.02, "{span} instead of {rest}");
}

#[test]
fn plain_regions_add_to_a_sheet_with_frames() {
    let material = SheetMaterial {
        stretch_square_speed: 2e4,
        bend_square_speed: 2e4,
        thickness_m: 0.01,
        density: 500.0,
        rubbing: 0.0,
    };
    let sheet = Sheet::grid([8, 4], Vec3::X * 0.4, Vec3::Z * -0.2, material);
    let points = &sheet.mesh.positions;
    let sag = |square_speed: f32| {
        let mut body = sheet.body().unwrap();
        if square_speed > 0.0 {
            let whole = Rings::from_lists([(0..points.len() as u32).collect()]);
            let material = RegionMaterial { square_speed, bulk: 0.0 };
            let regions = Regions::bind(points, &vec![1.0; points.len()], &whole, |_| material);
            body = body.with_level(&regions, None);
        }
        (0..5).for_each(|particle| clamp(&mut body, particle));
        settle(&mut body, 3.0, &StepSettings { dt_secs: 1.0 / 120.0, ..calm() });
        -body.position(points.len() - 1).y
    };
    let (alone, held) = (sag(0.0), sag(2e3));
    assert!(held > 0.0 && held < 0.8 * alone, "{held} with a region over all, {alone} without");
}
