use glam::Vec3;
use sinew_geometry::TetMesh;
use sinew_soft::*;
use std::time::Instant;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: Vec<usize> = a[1].split('x').map(|x| x.parse().unwrap()).collect();
    let hz: f32 = a[2].parse().unwrap();
    let it: u32 = a[3].parse().unwrap();
    let wide: usize = a[4].parse().unwrap();
    let secs: f32 = a[5].parse().unwrap();
    let mesh = TetMesh::lattice(
        [n[0] - 1, n[1] - 1, n[2] - 1],
        Vec3::new(0.8, a[6].parse::<f32>().unwrap(), a[6].parse::<f32>().unwrap()),
    );
    let mut masses = vec![0.0f32; mesh.points().len()];
    for (t, c) in mesh.tets().iter().enumerate() {
        for &k in c {
            masses[k as usize] += mesh.tet_volume(t) as f32 * 250.0;
        }
    }
    let rings = Rings::of_tets(&mesh);
    let c2 = a[7].parse::<f32>().unwrap();
    let mut levels = vec![];
    let mut wider = rings.clone();
    for _ in 0..wide {
        wider = wider.widened(&rings);
    }
    let share = if wide > 0 { 0.5 } else { 1.0 };
    levels
        .push(Regions::bind(mesh.points(), &masses, &rings, |_| RegionMaterial { square_speed: c2 * share }));
    if wide > 0 {
        levels.push(Regions::bind(mesh.points(), &masses, &wider, |_| RegionMaterial {
            square_speed: c2 * 0.5,
        }));
    }
    let most = levels[0].most_stiffness();
    let mut body = SoftBody::new(mesh.points(), &masses, levels.into_iter().map(|r| (r, None)).collect());
    for (i, p) in mesh.points().iter().enumerate() {
        if p.x < 1e-6 {
            body.hold(i, Some(*p));
        }
    }
    let settings = StepSettings { dt_secs: 1.0 / hz, iterations: it, damping: 3.0, ..Default::default() };
    let tip: Vec<usize> =
        mesh.points().iter().enumerate().filter(|(_, p)| p.x > 0.7999).map(|(i, _)| i).collect();
    let t = Instant::now();
    let steps = (secs * hz) as usize;
    for k in 0..steps {
        body.step(&settings, &[]);
        if k % (steps / 5).max(1) == 0 || k + 1 == steps {
            let y: f32 = tip.iter().map(|&i| body.position(i).y).sum::<f32>() / tip.len() as f32
                - a[6].parse::<f32>().unwrap() * 0.5;
            println!("{:.3} s sag {:.4}", (k + 1) as f32 / hz, -y);
        }
    }
    let ns = t.elapsed().as_nanos() as f64 / (steps as f64 * it as f64 * mesh.points().len() as f64);
    println!(
        "{} particles, {:.1} ns per particle and iteration, smost {}",
        mesh.points().len(),
        ns,
        most / hz / hz
    );
}
