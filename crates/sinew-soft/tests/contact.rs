//! Bodies that touch each other.

use glam::{DVec3, Quat, Vec3};
use sinew_geometry::TetMesh;
use sinew_soft::{
    Between, Collider, ContactSettings, RegionMaterial, Regions, Rings, Shape, Skin, SoftBody, StepSettings,
    World,
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
        let skin = Arc::new(Skin::of_tets(&mesh, 0.0).unwrap());
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
        body.with_skin(self.skin.clone()).unwrap()
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

#[test]
fn explore_stack() {
    let kind = Kind::bar();
    let floor = [Collider::floor(0.0, ContactSettings::default())];
    let settings = StepSettings::default();
    for count in [3, 5] {
        let mut world = World::new(
            (0..count)
                .map(|at| kind.at(Vec3::new(0.0, 0.25 + 0.45 * at as f32, 0.0), Quat::IDENTITY))
                .collect(),
        );
        let mut last = all(&world);
        for step in 0..600 {
            world.step(&settings, &floor);
            if step % 100 == 99 {
                let now = all(&world);
                let moved = now.iter().zip(&last).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                let worst = (0..now.len())
                    .max_by(|&a, &b| now[a].distance(last[a]).total_cmp(&now[b].distance(last[b])))
                    .unwrap();
                println!(
                    "worst {} of body {}, at {} rest {} way {}",
                    worst % 225,
                    worst / 225,
                    now[worst],
                    kind.mesh.points()[worst % 225],
                    now[worst] - last[worst]
                );
                println!(
                    "moving {}",
                    (0..now.len()).filter(|&a| now[a].distance(last[a]) > 0.2 * moved).count()
                );
                let centers: Vec<f32> = world.bodies().iter().map(|body| center(body).y).collect();
                println!(
                    "{count} {step}: moved {moved:.2e} in one step, touches {} centers {centers:?}",
                    world.touch_count()
                );
            }
            last = all(&world);
        }
    }
}
