use glam::*;
use sinew_soft::*;
fn main() {
    let a: Vec<f32> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let material = SheetMaterial { bend_square_speed: a[0], thickness_m: a[1], ..SheetMaterial::default() };
    let sheet = Sheet::grid([29, 29], Vec3::X, Vec3::Z, material);
    let mut body = sheet.body().unwrap();
    let middle = Vec3::new(0.5, -0.31, 0.5);
    let touch = ContactSettings { friction: 0.4, ..ContactSettings::default() };
    let ball = [Collider::fixed(Shape::Sphere { radius_m: 0.3 }, middle, Quat::IDENTITY, touch)];
    let settings = StepSettings {
        damping: 2.0,
        iterations: a[2] as u32,
        dt_secs: 1.0 / a[3],
        ..StepSettings::default()
    };
    if a[4] == 2.0 {
        body.hold(0, Some(body.position(0)));
        body.hold(29, Some(body.position(29)));
    }
    for step in 0..(4.0 * a[3]) as usize {
        body.step(&settings, if a[4] > 0.0 { &ball } else { &[] });
        if step % (a[3] / 5.0) as usize == 0 {
            let mut strains: Vec<f32> = sheet
                .mesh
                .triangles
                .iter()
                .flat_map(|t| [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])])
                .map(|(a, b)| {
                    let rest = sheet.mesh.positions[a as usize].distance(sheet.mesh.positions[b as usize]);
                    body.position(a as usize).distance(body.position(b as usize)) / rest - 1.0
                })
                .collect();
            strains.sort_by(f32::total_cmp);
            let v = (0..900).map(|p| body.velocity(p).length()).fold(0.0, f32::max);
            println!(
                "{step} strain {:.3} {:.3} {:.3} {:.3} corner {} v {v} mean {:.4}",
                strains[0],
                strains[strains.len() / 20],
                strains[strains.len() * 19 / 20],
                strains[strains.len() - 1],
                body.position(0),
                (0..900).map(|p| body.velocity(p).length_squared()).sum::<f32>() / 900.0
            );
        }
    }
    let mut text = String::new();
    body.positions().for_each(|p| text += &format!("v {} {} {}\n", p.x, p.y, p.z));
    sheet.mesh.triangles.iter().for_each(|t| text += &format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1));
    std::fs::write("/tmp/cloth_structures.obj", text).unwrap();
}
