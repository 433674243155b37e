//! A strand of hair on a head that shakes, and a cloth that falls over a ball.

use glam::{Quat, Vec3};
use sinew_soft::{
    Chain, ChainMaterial, Collider, ContactSettings, Shape, Sheet, SheetMaterial, SoftBody, StepSettings,
    Strand,
};

const HEAD_M: f32 = 0.1;

fn hair() -> SoftBody {
    // From the side of the head outwards and down: 20 particles, 1 cm apart, a lock of 2 mm radius.
    let points =
        (0..20).map(|at| Vec3::new(HEAD_M + 0.002, 0.0, 0.0) + Vec3::new(0.6, 0.8, 0.0) * (0.01 * at as f32));
    let material = ChainMaterial {
        stretch_square_speed: 1e5,
        bend_square_speed: 500.0,
        twist_square_speed: 250.0,
        density: 300.0,
    };
    let strands = vec![Strand { points: points.collect(), radius_m: 0.002 }];
    Chain { strands, material }.body().expect("a strand that is right")
}

#[test]
fn hair_follows_a_shaking_head_without_stretching_or_entering_it() {
    let mut body = hair();
    let (root, frame) = (body.position(0), body.frame(0).unwrap());
    let settings = StepSettings::default();
    let ball = Shape::Sphere { radius_m: HEAD_M };
    let mut place = (Vec3::ZERO, Quat::IDENTITY);
    let (mut deepest, mut longest, mut widest) = (0.0f32, 0.0f32, 0.0f32);
    for step in 0..360 {
        let time = step as f32 / 60.0;
        // Twice a second to and fro by 10 cm and 57 degrees, for three seconds.
        let swing = if time < 3.0 { (12.6 * time).sin() } else { 0.0 };
        let before = place;
        place = (Vec3::Z * (0.1 * swing), Quat::from_rotation_y(swing));
        body.hold(0, Some(place.0 + place.1 * root));
        body.hold_frame(0, Some(place.1 * frame));
        let head = Collider { shape: ball.clone(), place, before, settings: ContactSettings::default() };
        body.step(&settings, &[head]);
        for at in 1..20 {
            deepest = deepest.max(HEAD_M - body.position(at).distance(place.0));
            longest = longest.max((body.position(at).distance(body.position(at - 1)) / 0.01 - 1.0).abs());
        }
        widest = widest.max((body.position(19) - place.0).z.abs());
    }
    assert!(deepest < 1e-4, "{deepest} m inside the head");
    assert!(longest < 0.08, "stretched by {longest}");
    assert!(widest > 0.05, "it does not swing: {widest}");
    // In the end it hangs beside the head, at rest.
    let tip = body.position(19);
    assert!(tip.y < -0.05 && tip.z.abs() < 0.02, "{tip}");
    let fastest = (0..20).map(|at| body.velocity(at).length()).fold(0.0, f32::max);
    assert!(fastest < 0.1, "it still moves by {fastest} m/s");
}

#[test]
fn a_cloth_drapes_over_a_ball() {
    let material = SheetMaterial { bend_square_speed: 200.0, thickness_m: 1e-3, ..SheetMaterial::default() };
    let sheet = Sheet::grid([29, 29], Vec3::X, Vec3::Z, material);
    let mut body = sheet.body().unwrap();
    let middle = Vec3::new(0.5, -0.31, 0.5);
    let touch = ContactSettings { friction: 0.4, ..ContactSettings::default() };
    let ball = [Collider::fixed(Shape::Sphere { radius_m: 0.3 }, middle, Quat::IDENTITY, touch)];
    let settings = StepSettings { damping: 2.0, ..StepSettings::default() };
    for _ in 0..180 {
        body.step(&settings, &ball);
    }
    assert!(body.positions().all(|place| place.distance(middle) > 0.2999), "inside the ball");
    let stretch =
        sheet.mesh.triangles.iter().flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])]).map(|(a, b)| {
            let rest = sheet.mesh.positions[a as usize].distance(sheet.mesh.positions[b as usize]);
            body.position(a as usize).distance(body.position(b as usize)) / rest - 1.0
        });
    let most = stretch.fold(0.0f32, |most, strain| most.max(strain.abs()));
    assert!(most < 0.15, "strained by {most}");
    for corner in [0, 29, 870, 899] {
        let place = body.position(corner);
        assert!(place.y < -0.45, "corner {corner} is at {place}");
    }
    let center = body.momentum().center;
    assert!((center.x - 0.5).abs() < 0.05 && (center.z - 0.5).abs() < 0.05, "{center}");
}

#[test]
fn threads_change_nothing() {
    let run = |threads: usize| {
        let strands = (0..40).map(|row| Strand {
            points: (0..10).map(|at| Vec3::new(0.02 * at as f32, 0.0, 0.05 * row as f32)).collect(),
            radius_m: 0.003 + 1e-4 * row as f32,
        });
        let chain = Chain { strands: strands.collect(), material: ChainMaterial::default() };
        let sheet = Sheet::grid([29, 29], Vec3::X, Vec3::Z, SheetMaterial::default());
        let mut bodies = [chain.body().unwrap(), sheet.body().unwrap()];
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for body in &mut bodies {
            body.hold(0, Some(body.position(0)));
            pool.install(|| (0..10).for_each(|_| body.step(&StepSettings::default(), &[])));
        }
        let places = |body: &SoftBody| {
            body.positions().map(|place| place.to_array().map(f32::to_bits)).collect::<Vec<_>>()
        };
        let frames = |body: &SoftBody| (0..400).map(|at| body.frame(at).unwrap()).collect::<Vec<_>>();
        bodies.map(|body| (places(&body), frames(&body)))
    };
    let first = run(1);
    assert!(first == run(2) && first == run(5), "threads change the outcome");
}
