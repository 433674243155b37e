//! Bodies that touch each other.

use glam::{DVec3, Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_soft::{
    Between, Collider, ContactSettings, MeshShape, RegionMaterial, Regions, Rings, Shape, Skin, SoftBody,
    StepSettings, World,
};
use std::sync::Arc;

/// A bar of 0.8 × 0.4 × 0.4 m, of which many can be made.
struct Kind {
    mesh: TetMesh,
    masses: Vec<f32>,
    regions: Regions,
    skin: Arc<Skin>,
}

impl Kind {
    fn new(cells: [usize; 3], size: Vec3, square_speed: f32, density: f32) -> Self {
        let mesh = TetMesh::lattice(cells, size);
        let mut masses = vec![0.0; mesh.points().len()];
        for (tet, corners) in mesh.tets().iter().enumerate() {
            let share = density / 4.0 * mesh.tet_volume(tet) as f32;
            corners.iter().for_each(|&corner| masses[corner as usize] += share);
        }
        let material = RegionMaterial { square_speed, ..RegionMaterial::default() };
        let regions = Regions::bind(mesh.points(), &masses, &Rings::of_tets(&mesh), |_| material);
        let skin = Arc::new(Skin::of_tets(&mesh, 0.0).expect("no margin is a margin"));
        Self { mesh, masses, regions, skin }
    }

    fn bar() -> Self {
        Self::new([8, 4, 4], Vec3::new(0.8, 0.4, 0.4), 2000.0, 1000.0)
    }

    /// One whose middle is at a place, turned.
    fn at(&self, place: Vec3, turn: Quat) -> SoftBody {
        let mut body = SoftBody::new(self.mesh.points(), &self.masses, vec![(self.regions.clone(), None)]);
        let middle = self.mesh.points().iter().sum::<Vec3>() / self.mesh.points().len() as f32;
        for (at, point) in self.mesh.points().iter().enumerate() {
            body.set_position(at, turn * (*point - middle) + place);
        }
        body.with_skin(self.skin.clone()).expect("the skin of its own mesh")
    }
}

fn center(body: &SoftBody) -> Vec3 {
    body.momentum().center.as_vec3()
}

fn run(world: &mut World, seconds: f32, settings: &StepSettings, colliders: &[Collider]) {
    (0..(seconds / settings.dt_secs).round() as usize).for_each(|_| world.step(settings, colliders));
}

fn all(world: &World) -> Vec<Vec3> {
    world.bodies().iter().flat_map(|body| body.positions().collect::<Vec<_>>()).collect()
}

fn total(world: &World) -> (DVec3, DVec3) {
    let parts: Vec<_> = world.bodies().iter().map(SoftBody::momentum).collect();
    let linear: DVec3 = parts.iter().map(|part| part.linear).sum();
    let angular: DVec3 = parts.iter().map(|part| part.angular + part.center.cross(part.linear)).sum();
    (linear, angular)
}

fn set_velocity(body: &mut SoftBody, velocity: Vec3) {
    (0..body.particle_count()).for_each(|at| body.set_velocity(at, velocity));
}

/// The bodies' largest speed, m/s.
fn fastest(world: &World) -> f32 {
    let of =
        |body: &SoftBody| (0..body.particle_count()).map(|at| body.velocity(at).length()).fold(0.0, f32::max);
    world.bodies().iter().map(of).fold(0.0, f32::max)
}

/// How deep the deepest particle of one body is inside another's tetrahedra, from its surface, metres.
fn deepest(kind: &Kind, world: &World) -> f32 {
    let mut worst = 0.0f32;
    for (a, ours) in world.bodies().iter().enumerate() {
        for theirs in world.bodies().iter().enumerate().filter(|(b, _)| *b != a).map(|(_, body)| body) {
            for point in ours.positions() {
                for tet in kind.mesh.tets() {
                    let [a, b, c, d] = tet.map(|at| theirs.position(at as usize));
                    let volume = (b - a).dot((c - a).cross(d - a));
                    let p = point - a;
                    let shares = [
                        p.dot((c - a).cross(d - a)),
                        (b - a).dot(p.cross(d - a)),
                        (b - a).dot((c - a).cross(p)),
                    ]
                    .map(|share| share / volume);
                    let first = 1.0 - shares.iter().sum::<f32>();
                    if first >= 0.0 && shares.iter().all(|share| *share >= 0.0) {
                        let rest = tet.iter().zip([first, shares[0], shares[1], shares[2]]);
                        let rest: Vec3 =
                            rest.map(|(&at, share)| kind.mesh.points()[at as usize] * share).sum();
                        let size = kind.mesh.points().iter().fold(Vec3::ZERO, |size, point| size.max(*point));
                        worst = worst.max(rest.min(size - rest).min_element());
                    }
                }
            }
        }
    }
    worst
}

#[test]
fn free_bodies_that_collide_keep_their_momentum_together() {
    let kind = Kind::bar();
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 0.0, ..StepSettings::default() };
    for restitution in [0.0, 0.8] {
        let turn = Quat::from_rotation_y(0.7) * Quat::from_rotation_x(0.4);
        let mut bodies = vec![kind.at(Vec3::ZERO, Quat::IDENTITY), kind.at(Vec3::new(1.3, 0.15, 0.1), turn)];
        set_velocity(&mut bodies[0], Vec3::new(2.0, 0.1, 0.0));
        set_velocity(&mut bodies[1], Vec3::new(-1.0, 0.0, 0.2));
        let between = Between {
            settings: ContactSettings { restitution, ..ContactSettings::default() },
            ..Between::default()
        };
        let mut world = World::with_settings(bodies, Some(between));
        let (linear, angular) = total(&world);
        let mut touches = 0;
        for _ in 0..120 {
            world.step(&settings, &[]);
            touches += world.touch_count();
        }
        let (linear_after, angular_after) = total(&world);
        assert!(touches > 20, "they must meet");
        let lost = (linear_after - linear).length() / linear.length();
        assert!(lost < 1e-5, "linear: {lost}");
        let lost = (angular_after - angular).length() / angular.length();
        assert!(lost < 1e-3, "angular: {lost}");
        // They came nearer by 3 m/s, and do so no more.
        let (a, b) = (world.bodies()[0].momentum(), world.bodies()[1].momentum());
        let apart = (b.linear / b.mass - a.linear / a.mass).x;
        assert!(apart > -0.5, "{restitution}: {apart}");
    }
}

#[test]
fn restitution_throws_back() {
    let kind = Kind::new([4, 4, 4], Vec3::splat(0.4), 5000.0, 1000.0);
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 0.0, ..StepSettings::default() };
    let speeds: Vec<f64> = [0.0, 0.9]
        .into_iter()
        .map(|restitution| {
            let mut bodies = vec![
                kind.at(Vec3::ZERO, Quat::IDENTITY),
                kind.at(Vec3::new(0.5, 0.05, 0.03), Quat::IDENTITY),
            ];
            set_velocity(&mut bodies[0], Vec3::X);
            let contact = ContactSettings { restitution, ..ContactSettings::default() };
            let mut world =
                World::with_settings(bodies, Some(Between { settings: contact, ..Between::default() }));
            run(&mut world, 1.0, &settings, &[]);
            let [a, b] = [0, 1].map(|at| world.bodies()[at].momentum());
            (b.linear / b.mass - a.linear / a.mass).x
        })
        .collect();
    assert!(speeds[1] > speeds[0] + 0.05 && speeds[1] < 1.0, "{speeds:?}");
}

/// A column of section A carries weight W above it by a strain of W / E A; its own weight adds half of itself.
#[test]
fn a_soft_bar_carries_the_weight_of_a_hard_one() {
    let soft = Kind::new([4, 4, 4], Vec3::splat(0.4), 1000.0, 1000.0);
    let hard = Kind::new([4, 4, 4], Vec3::splat(0.4), 20000.0, 3000.0);
    let floor = [Collider::floor(0.0, ContactSettings::default())];
    for (rate, iterations) in [(60.0, 20), (120.0, 10), (60.0, 50)] {
        let settings =
            StepSettings { dt_secs: 1.0 / rate, iterations, damping: 3.0, ..StepSettings::default() };
        // A little aside, so that corners do not lie on corners.
        let bodies = vec![
            soft.at(Vec3::Y * 0.2, Quat::IDENTITY),
            hard.at(Vec3::new(0.01, 0.6, 0.007), Quat::IDENTITY),
        ];
        let mut world = World::new(bodies);
        run(&mut world, 10.0, &settings, &floor);
        let (g, side, speed) = (9.81, 0.4f32, 1000.0);
        // E A strain = weight: per mass of the soft one, three times its own weight above, and half of it.
        let strain = g * side / speed * (3.0 + 0.5);
        let top = (0..soft.mesh.points().len()).filter(|&at| soft.mesh.points()[at].y > 0.399);
        let heights: Vec<f32> = top.map(|at| world.bodies()[0].position(at).y).collect();
        let found = 1.0 - heights.iter().sum::<f32>() / heights.len() as f32 / side;
        assert!((found / strain - 1.0).abs() < 0.05, "{rate} Hz: strain {found} instead of {strain}");
    }
}

#[test]
fn friction_between_bodies_decides_what_slides() {
    let kind = Kind::new([4, 2, 4], Vec3::new(0.4, 0.2, 0.4), 5000.0, 1000.0);
    let base = Kind::new([16, 2, 5], Vec3::new(3.2, 0.4, 0.8), 5000.0, 1000.0);
    let angle = 20f32.to_radians();
    let tilt = Quat::from_rotation_z(-angle);
    let settings = StepSettings { dt_secs: 1.0 / 120.0, damping: 0.0, ..StepSettings::default() };
    for friction in [0.5, 0.2] {
        let mut under = base.at(Vec3::ZERO, tilt);
        let places: Vec<Vec3> = under.positions().collect();
        places.iter().enumerate().for_each(|(at, place)| under.hold(at, Some(*place)));
        let on_top = kind.at(tilt * Vec3::new(-1.0, 0.3005, 0.0), tilt);
        let contact = ContactSettings { friction, ..ContactSettings::default() };
        let mut world = World::with_settings(
            vec![under, on_top],
            Some(Between { settings: contact, ..Between::default() }),
        );
        run(&mut world, 0.25, &settings, &[]);
        let start = center(&world.bodies()[1]);
        let speed = world.bodies()[1].momentum().linear.as_vec3() / world.bodies()[1].momentum().mass as f32;
        run(&mut world, 0.5, &settings, &[]);
        let slid = (center(&world.bodies()[1]) - start).dot(tilt * Vec3::X);
        let pull = 9.81 * (angle.sin() - friction * angle.cos());
        let expected = if pull > 0.0 { speed.dot(tilt * Vec3::X) * 0.5 + 0.5 * pull * 0.25 } else { 0.0 };
        assert!((slid - expected).abs() < 0.1 * expected + 1e-3, "{friction}: {slid} instead of {expected}");
    }
}

#[test]
fn a_stack_comes_to_rest_to_the_bit() {
    let kind = Kind::bar();
    let floor = [Collider::floor(0.0, ContactSettings::default())];
    let at = |bar: usize| Vec3::new(0.03 * bar as f32, 0.22 + 0.42 * bar as f32, 0.02 * bar as f32);
    let turn = |bar: usize| Quat::from_rotation_y(0.2 * bar as f32);
    let mut world = World::new((0..3).map(|bar| kind.at(at(bar), turn(bar))).collect());
    let settings = StepSettings { damping: 2.0, ..StepSettings::default() };
    run(&mut world, 6.0, &settings, &floor);
    let before = all(&world);
    run(&mut world, 1.0, &settings, &floor);
    let moved = all(&world).iter().zip(&before).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
    assert_eq!(moved, 0.0);
    assert!(deepest(&kind, &world) < 0.01, "{}", deepest(&kind, &world));
    let heights: Vec<f32> = world.bodies().iter().map(|body| center(body).y).collect();
    assert!(heights.windows(2).all(|pair| (pair[1] - pair[0] - 0.4).abs() < 0.01), "{heights:?}");
}

/// A slope of 20° with walls at its lower end and its sides.
fn trough(settings: ContactSettings) -> Vec<Collider> {
    let tilt = Quat::from_rotation_z(20f32.to_radians());
    let quarter = std::f32::consts::FRAC_PI_2;
    let wall = |place: Vec3, turn: Quat| Collider::fixed(Shape::HalfSpace, place, turn, settings);
    vec![
        wall(Vec3::ZERO, tilt),
        wall(tilt * Vec3::X * -1.0, tilt * Quat::from_rotation_z(-quarter)),
        wall(Vec3::Z * 0.6, Quat::from_rotation_x(-quarter)),
        wall(Vec3::Z * -0.6, Quat::from_rotation_x(quarter)),
    ]
}

fn pile(kind: &Kind, count: usize) -> Vec<SoftBody> {
    let at = |bar: usize| {
        let turn = Quat::from_rotation_y(0.7 * bar as f32) * Quat::from_rotation_x(0.4 * bar as f32);
        kind.at(Vec3::new(0.02 * bar as f32, 0.6 + 0.55 * bar as f32, 0.0), turn)
    };
    (0..count).map(at).collect()
}

#[test]
fn ten_bars_on_a_slope_come_to_rest_in_a_pile() {
    let kind = Kind::bar();
    let settings = ContactSettings { friction: 0.6, ..ContactSettings::default() };
    let mut world = World::with_settings(pile(&kind, 10), Some(Between { settings, ..Between::default() }));
    let step = StepSettings { damping: 1.0, ..StepSettings::default() };
    let slope = trough(settings);
    run(&mut world, 6.0, &step, &slope);
    let before: Vec<Vec3> = world.bodies().iter().map(center).collect();
    assert!(deepest(&kind, &world) < 0.03, "{}", deepest(&kind, &world));
    run(&mut world, 1.0, &step, &slope);
    let crept = world.bodies().iter().map(center).zip(&before).map(|(now, then)| now.distance(*then));
    let crept = crept.fold(0.0, f32::max);
    assert!(crept < 0.003, "{crept}");
    assert!(fastest(&world) < 0.05, "{}", fastest(&world));
    assert!(world.touch_count() > 30);
}

#[test]
fn threads_change_nothing() {
    let kind = Kind::bar();
    let slope = trough(ContactSettings::default());
    let run = |threads: usize| {
        let mut world = World::new(pile(&kind, 6));
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| (0..90).for_each(|_| world.step(&StepSettings::default(), &slope)));
        (all(&world), world.touch_count())
    };
    let first = run(1);
    assert!(first.1 > 0);
    assert!(run(2) == first && run(5) == first);
}

/// Bodies that begin inside each other stay finite and calm, whether they get apart or not.
#[test]
fn bodies_inside_each_other_stay_calm() {
    let kind = Kind::bar();
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 1.0, ..StepSettings::default() };
    let mut places = vec![
        (Vec3::ZERO, Quat::IDENTITY),
        (Vec3::new(0.1, 0.05, 0.0), Quat::IDENTITY),
        (Vec3::new(0.0, 0.3, 0.0), Quat::from_rotation_y(1.0)),
        (Vec3::new(0.4, 0.0, 0.0), Quat::from_rotation_x(0.3)),
    ];
    for at in 0..4 {
        let wave = |k: f32| (at as f32 * k + 1.0).sin();
        places.push((
            Vec3::new(wave(12.9), wave(78.2), wave(37.7)) * 0.3,
            Quat::from_rotation_y(6.0 * wave(3.3)) * Quat::from_rotation_x(5.0 * wave(7.1)),
        ));
    }
    for (place, turn) in places {
        let mut world = World::new(vec![kind.at(Vec3::ZERO, Quat::IDENTITY), kind.at(place, turn)]);
        let mut most = 0.0f32;
        for _ in 0..120 {
            world.step(&settings, &[]);
            assert!(all(&world).into_iter().all(Vec3::is_finite), "{place}");
            most = most.max(fastest(&world));
        }
        // A few times the parting speed, from springs that let go.
        assert!(most < 10.0 && fastest(&world) < 2.5, "{place} {turn}: {most}, {}", fastest(&world));
        assert!(all(&world).into_iter().all(|point| point.length() < 3.0), "{place}");
    }
}

#[test]
fn bars_overlapping_by_a_part_come_apart() {
    let kind = Kind::bar();
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 1.0, ..StepSettings::default() };
    let mut world = World::new(vec![
        kind.at(Vec3::ZERO, Quat::IDENTITY),
        kind.at(Vec3::new(0.7, 0.01, 0.02), Quat::IDENTITY),
    ]);
    assert!(deepest(&kind, &world) > 0.08);
    run(&mut world, 2.0, &settings, &[]);
    assert!(deepest(&kind, &world) < 0.005, "{}", deepest(&kind, &world));
}

/// A bar of 1 m at 10 m/s moves by 17 cm in a step, three times the wall's thickness.
#[test]
fn fast_bodies_do_not_pass_through_thin_ones() {
    let car = Kind::new([8, 3, 3], Vec3::new(1.0, 0.4, 0.4), 5000.0, 500.0);
    let wall = Kind::new([1, 12, 12], Vec3::new(0.05, 1.2, 1.2), 5000.0, 1000.0);
    let settings = StepSettings { gravity: Vec3::ZERO, ..StepSettings::default() };
    let sheet: Vec<u32> = (0..169).collect();
    for is_sheet in [false, true] {
        for offset in [0.0, 0.05, 0.1] {
            let mut held = wall.at(Vec3::ZERO, Quat::IDENTITY);
            if is_sheet {
                // One side of the wall alone, as a cloth of 2 cm.
                let side = |corners: &[u32; 3]| corners.iter().all(|corner| sheet.contains(corner));
                let triangles: Vec<[u32; 3]> = wall.mesh.boundary().into_iter().filter(side).collect();
                let skin = Skin::of_sheet(wall.mesh.points(), &triangles, 0.01).unwrap();
                held.set_skin(Some(Arc::new(skin))).unwrap();
            }
            for at in 0..held.particle_count() {
                held.hold(at, Some(held.position(at)));
            }
            let mut fast = car.at(Vec3::new(-0.8 - offset, 0.02, 0.03), Quat::from_rotation_z(0.1));
            set_velocity(&mut fast, Vec3::X * 10.0);
            let mut world = World::new(vec![held, fast]);
            let mut touches = 0;
            for _ in 0..60 {
                world.step(&settings, &[]);
                touches += world.touch_count();
                let farthest = world.bodies()[1].positions().map(|place| place.x).fold(f32::MIN, f32::max);
                assert!(farthest < 0.06, "sheet {is_sheet}, {offset}: {farthest}");
            }
            assert!(touches > 10);
        }
    }
}

#[test]
fn particles_of_a_chain_lie_on_a_bar_and_on_a_sheet() {
    let kind = Kind::new([8, 2, 8], Vec3::new(0.8, 0.2, 0.8), 5000.0, 1000.0);
    let top: Vec<u32> = (0..243).filter(|at| at % 27 >= 18).collect();
    let triangles: Vec<[u32; 3]> = kind
        .mesh
        .boundary()
        .into_iter()
        .filter(|corners| corners.iter().all(|&at| kind.mesh.points()[at as usize].y > 0.19))
        .collect();
    assert!(!top.is_empty() && !triangles.is_empty());
    let sheet = Arc::new(Skin::of_sheet(kind.mesh.points(), &triangles, 0.02).unwrap());
    // Particles without regions, as the beads of a broken chain.
    let beads: Vec<Vec3> =
        (0..5).map(|at| Vec3::new(-0.3 + 0.13 * at as f32, 0.6, 0.021 * at as f32)).collect();
    for (skin, height) in [(kind.skin.clone(), 0.1 + 0.01), (sheet, 0.1 + 0.03)] {
        let mut held = kind.at(Vec3::ZERO, Quat::IDENTITY);
        held.set_skin(Some(skin)).unwrap();
        for at in 0..held.particle_count() {
            held.hold(at, Some(held.position(at)));
        }
        let chain = SoftBody::new(&beads, &[0.1; 5], vec![])
            .with_skin(Skin::of_particles(&[0, 1, 2, 3, 4], 0.01).unwrap())
            .unwrap();
        let mut world = World::new(vec![held, chain]);
        run(&mut world, 2.0, &StepSettings::default(), &[]);
        for place in world.bodies()[1].positions() {
            assert!((place.y - height).abs() < 1e-3, "{place} at {height}");
        }
    }
}

#[test]
fn a_folded_body_does_not_pass_through_itself() {
    // A long strip whose ends are brought to the same place from both sides.
    let kind = Kind::new([24, 2, 4], Vec3::new(2.4, 0.2, 0.4), 500.0, 1000.0);
    let settings = StepSettings { gravity: Vec3::ZERO, damping: 4.0, ..StepSettings::default() };
    let overlap = |is_self: bool| {
        let mut world = World::with_settings(
            vec![kind.at(Vec3::ZERO, Quat::IDENTITY)],
            Some(Between { is_self, ..Between::default() }),
        );
        let rest: Vec<Vec3> = world.bodies()[0].positions().collect();
        let ends: Vec<(usize, f32)> = (0..rest.len())
            .filter(|&at| rest[at].x.abs() > 1.05)
            .map(|at| (at, rest[at].x.signum()))
            .collect();
        for step in 0..240 {
            let share = (step as f32 / 180.0).min(1.0);
            for &(at, side) in &ends {
                // Both turn up by 90° and meet above the middle.
                let turn = Quat::from_rotation_z(side * share * 1.9);
                let middle = Vec3::new(side * 0.35, 0.0, 0.0);
                let bent = middle + turn * (rest[at] - middle);
                let place = bent - Vec3::X * (side * share * 0.3);
                world.bodies_mut()[0].drag(at, Some(sinew_soft::Drag { place, square_rate: 300.0 }));
            }
            world.step(&settings, &[]);
        }
        // How far the right end is left of the left end, at the tips.
        let mean = |side: f32| {
            let tips: Vec<f32> = ends
                .iter()
                .filter(|(_, own)| *own == side)
                .map(|(at, _)| world.bodies()[0].position(*at).x * side)
                .collect();
            tips.iter().copied().fold(f32::MAX, f32::min)
        };
        (mean(1.0) + mean(-1.0), world.touch_count())
    };
    let (without, none) = overlap(false);
    let (with, touches) = overlap(true);
    assert!(none == 0 && touches > 0, "{none} {touches}, {without} {with}");
    assert!(without < -0.05, "they must cross by themselves: {without}");
    assert!(with > -0.03 && with > without + 0.05, "{with} against {without}");
}

#[test]
fn a_bar_lies_on_meshes_as_on_shapes() {
    let kind = Kind::bar();
    let settings = StepSettings { damping: 2.0, ..StepSettings::default() };
    let rest_on = |shape: Shape, origin: Vec3, margin_m: f32| {
        let contact = ContactSettings { margin_m, friction: 0.8, ..ContactSettings::default() };
        let mut world = World::new(vec![kind.at(Vec3::Y * 0.25, Quat::IDENTITY)]);
        run(&mut world, 4.0, &settings, &[Collider::fixed(shape, origin, Quat::IDENTITY, contact)]);
        center(&world.bodies()[0])
    };
    let half_m = Vec3::new(1.0, 0.1, 1.0);
    let exact = rest_on(Shape::Box { half_m }, Vec3::Y * -0.1, 0.0);
    assert!((exact.y - 0.2).abs() < 2e-3, "{exact}");
    let solid = sinew_geometry::shapes::cuboid(half_m * 2.0);
    let hull = MeshShape::hull_of(&solid.positions).unwrap();
    assert!(hull.is_closed());
    // A floor without thickness.
    let corner = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    let open = sinew_geometry::TriangleMesh {
        positions: vec![corner(-1.0, -1.0), corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0)],
        triangles: vec![[0, 1, 2], [0, 2, 3]],
    };
    let meshes = [
        (MeshShape::new(&solid).unwrap(), Vec3::Y * -0.1, 0.0),
        (hull, Vec3::Y * -0.1, 0.0),
        (MeshShape::new(&open).unwrap(), Vec3::Y * -0.005, 0.005),
    ];
    for (mesh, origin, margin_m) in meshes {
        let found = rest_on(Shape::Mesh(Arc::new(mesh)), origin, margin_m);
        assert!(found.distance(exact) < 2e-3, "{found} instead of {exact}");
    }
}
